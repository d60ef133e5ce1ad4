"""Whether a function writes to what is outside of it, as far as its own code shows."""

from __future__ import annotations

import dis
import functools
from collections.abc import Iterator
from types import CodeType, FunctionType, MethodType
from typing import Any

_IN_PLACE = frozenset("+= -= *= /= //= %= **= @= &= |= ^= <<= >>=".split())
_BETWEEN = frozenset("CACHE PRECALL PUSH_NULL COPY_FREE_VARS SWAP ROT_TWO ROT_THREE".split())
_STORING = frozenset(dis.opmap[name] for name in ("STORE_GLOBAL", "STORE_DEREF", "STORE_ATTR"))
_OUTSIDE = ("LOAD_GLOBAL", "LOAD_DEREF", "LOAD_NAME")


def writes_outside(function: Any) -> bool:
    """Tell whether the code of a function assigns to variables or attributes from outside.

    A number that is counted up tells of traces, and does not count. Neither does what the functions
    do that it calls: a trace shows that.

    >>> class Counter:
    ...     def add(self, x):
    ...         self.total = self.total + x
    ...     def count(self):
    ...         self.calls += 1
    >>> writes_outside(Counter.add), writes_outside(Counter.count)
    (True, False)
    """
    while not isinstance(function, FunctionType):
        if isinstance(function, functools.partial):
            function = function.func
        elif isinstance(function, MethodType):
            function = function.__func__
        else:
            function = getattr(function, "python_function", None)
            if function is None:
                return False
    return _writes(function.__code__)


@functools.lru_cache(maxsize=1024)
def _writes(code: CodeType) -> bool:
    return any(map(_writes_itself, _codes(code)))


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)


def _writes_itself(code: CodeType) -> bool:
    if _STORING.isdisjoint(code.co_code[::2]):
        return False
    steps = [each for each in dis.get_instructions(code) if each.opname not in _BETWEEN]
    return any(_is_write(code, steps, at) for at in range(1, len(steps)))


def _is_write(code: CodeType, steps: list[dis.Instruction], at: int) -> bool:
    this, before = steps[at], steps[at - 1]
    counts = before.opname.startswith("INPLACE_") or before.argrepr in _IN_PLACE
    if counts and at > 1 and steps[at - 2].opname == "LOAD_CONST":
        return False
    if this.opname == "STORE_GLOBAL":
        return True
    if this.opname == "STORE_DEREF":
        return this.argval in code.co_freevars
    if this.opname != "STORE_ATTR":
        return False
    if counts:
        return True
    parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    # From Python 3.13 on, one instruction may load two variables.
    owner = before.argval[-1] if isinstance(before.argval, tuple) else before.argval
    return before.opname in _OUTSIDE or owner in parameters
