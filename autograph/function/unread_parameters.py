"""Parameters that a function never reads: their arguments make no difference to its traces.

@ag.function
def episode(x, seed):       one trace for all seeds
    return play(x)
"""

from __future__ import annotations

import dis
from types import CodeType, FunctionType, MethodType

from autograph.backends.graph.program.library import is_library_file
from autograph.function.resolved_names import codes_in, uses_in

# Code that has one of these may read any variable of its own.
_READING_ALL = frozenset(
    "locals vars dir eval exec super breakpoint set_trace _getframe currentframe stack f_locals "
    "f_back".split()
)
# Code that has one of these may read variables of its callers.
_READING_CALLERS = frozenset("_getframe currentframe stack f_back".split())
_STORING = ("STORE_FAST", "STORE_FAST_STORE_FAST")
_MOST_FUNCTIONS = 200


def unread_parameters(function: object) -> frozenset[str]:
    """Return the names of the parameters that the code of a function never reads.

    What only the code of a call could tell, as of a function that looks into frames, is read.

    >>> sorted(unread_parameters(lambda x, seed, *rest: x + len(rest)))
    ['seed']
    """
    function = function.__func__ if isinstance(function, MethodType) else function
    if not isinstance(function, FunctionType):
        return frozenset()
    code = function.__code__
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & 0x04) + bool(code.co_flags & 0x08)
    unread = set(code.co_varnames[:count]).difference(code.co_cellvars, _read_in(code))
    if not unread or any(not _READING_ALL.isdisjoint(c.co_names) for c in codes_in(code)):
        return frozenset()
    return frozenset() if _may_look_into_frames(function) else frozenset(unread)


def _read_in(code: CodeType) -> set[object]:
    """Return the names of the variables of its own that code reads, or deletes."""
    found = set[object]()
    for each in dis.get_instructions(code):
        if each.opcode in dis.haslocal and each.opname not in _STORING:
            found.update(each.argval if isinstance(each.argval, tuple) else (each.argval,))
    return found


def _may_look_into_frames(function: FunctionType) -> bool:
    """Tell whether a function that is called may read variables of its callers."""
    found, waiting = {id(function)}, [function]
    while waiting and len(found) < _MOST_FUNCTIONS:
        current = waiting.pop()
        if any(not _READING_CALLERS.isdisjoint(c.co_names) for c in codes_in(current.__code__)):
            return True
        for use in uses_in([current]):
            called = use.value
            if isinstance(called, FunctionType) and id(called) not in found:
                if not is_library_file(called.__code__.co_filename):
                    found.add(id(called))
                    waiting.append(called)
    return False
