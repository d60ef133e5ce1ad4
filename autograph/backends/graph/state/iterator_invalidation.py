"""Changes of a list that Python iterates over and whose items only the graph knows.

for x in l:
    l[n] = 0       Python's iterator would find one `DynamicItems` in place of the items: refused
"""

from __future__ import annotations

import dis
import gc
import sys
from functools import lru_cache
from types import CodeType, FrameType

from autograph.backends.graph.source.source_location import user_location, variable_of
from autograph.backends.graph.state.alias_state import alias_state
from autograph.errors import ContainerMutationError
from autograph.operators.frames import is_internal_code

_ITERATORS: tuple[type, ...] = (type(iter([])), type(reversed([])))
_TRACER = "autograph.functions.tracing.trace"
_SINKS = "autograph.operators.comprehension_sinks"  # its methods run while they fill `self.made`
_LOOPS = "autograph.operators.control_flow"  # has the loops of bodies that are functions
# Code that names one of these may iterate over a list without a loop of its own.
_STEPS = frozenset(
    "iter next islice zip map filter enumerate reversed cycle chain accumulate pairwise starmap "
    "zip_longest compress takewhile dropwhile filterfalse groupby batched".split()
)


def refuse_changed_while_iterated(items: object, name: str = "") -> None:
    """Refuse a change of a list after which it has dynamic items, while Python iterates over it.

    Args:
        items: the list.
        name: the user's name for it, if it is known.

    Raises:
        ContainerMutationError: Python has an iterator over it.
    """
    if not _may_be_iterated(items):
        return
    aliases = alias_state()
    # No code uses again the iterators of a loop that a run may have left early.
    drawn = aliases.consumed_sources if aliases is not None else frozenset()
    over = (each for each in gc.get_referrers(items) if type(each) in _ITERATORS)
    if any(id(each) not in drawn for each in over):
        name = name or variable_of(items) or "items"
        raise ContainerMutationError(
            f"'{name}' is changed, so that only the graph knows its items, while Python iterates "
            f"over it: iterate over a copy, as in `for ... in list({name})`, or by index, as in "
            f"`while i < len({name})`",
            user_location(),
        )


def _may_be_iterated(items: object) -> bool:
    """Return whether a running function of the user's may be iterating over a list.

    Nothing iterates over a list that a comprehension still fills. This check is made first, since
    the search for the referrers of a list takes longer.
    """
    frame: FrameType | None = sys._getframe(2)
    found, in_trace = False, None
    while frame is not None:
        code = frame.f_code
        if is_internal_code(code):
            module = frame.f_globals.get("__name__")
            if module == _SINKS and getattr(frame.f_locals.get("self"), "made", None) is items:
                return False
            found = found or (module == _LOOPS and code.co_name in ("for_stmt", "for_rest"))
            # The callers of the traced function iterate over no list that the trace changes.
            in_trace = found if module == _TRACER else in_trace
        elif not found:
            loops = (start <= frame.f_lasti < end for start, end in _loops(code))
            found = not _STEPS.isdisjoint(code.co_names) or any(loops)
        frame = frame.f_back
    return found if in_trace is None else in_trace


@lru_cache(maxsize=1024)
def _loops(code: CodeType) -> tuple[tuple[int, float], ...]:
    """Return the bytecode ranges of the bodies of a function's `for` loops and comprehensions.

    The last range is that of its exception handlers, which may belong to a body.

    >>> def loop(items):
    ...     for item in items:
    ...         pass
    >>> len(_loops(loop.__code__))
    1
    """
    instructions = list(dis.get_instructions(code))
    loops = [(each.offset, each.argval) for each in instructions if each.opname == "FOR_ITER"]
    ends = [end for _, end in loops]
    # Handlers may follow all other code, in any loop.
    handlers = (
        each.offset
        for each in instructions
        if each.opname == "PUSH_EXC_INFO" and each.offset >= max(ends, default=0)
    )
    behind = [(at, float("inf")) for at in handlers] if loops else []
    return (*loops, *behind[:1])
