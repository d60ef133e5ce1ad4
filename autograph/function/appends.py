"""Whether all that a function does with a list is to append to it."""

from __future__ import annotations

import dis
from collections.abc import Iterable, Iterator
from types import CodeType, FunctionType

from autograph.backends.graph.reach import Watched

_NOT_READING = ("LOAD_CONST", "LOAD_CLOSURE")
_APPENDING = ("append", "extend")
_READING = frozenset(
    name for name in dis.opmap if name.startswith("LOAD_") and name not in _NOT_READING
)
_BETWEEN = ("CACHE", "PRECALL", "PUSH_NULL", "COPY_FREE_VARS")


def only_appended_to(each: Watched, functions: Iterable[FunctionType]) -> bool:
    """Tell whether the code of these functions names a list only to append to it.

    Then what the list holds already makes no difference to them. Where the list is not known by a
    name of its own, or goes by others, the answer is no.
    """
    name = each.name.rpartition(".")[2]
    if not name.isidentifier():
        return False
    seen = [following for f in functions for following in _uses(f.__code__, name)]
    return bool(seen) and all(method in _APPENDING for method in seen)


def _uses(code: CodeType, name: str) -> Iterator[object]:
    """Yield the attribute taken of `name` at each place it is read, None where none is."""
    instructions = [i for i in dis.get_instructions(code) if i.opname not in _BETWEEN]
    for this, following in zip(instructions, [*instructions[1:], None]):
        if this.argval != name or this.opname not in _READING:
            continue
        is_attribute = following is not None and following.opname in ("LOAD_ATTR", "LOAD_METHOD")
        yield following.argval if following is not None and is_attribute else None
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _uses(each, name)
