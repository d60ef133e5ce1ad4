"""What code does with what it changes: whether it looks at it as well.

log.append("traced")        what the list holds makes no difference
calls += 1                  nor does this number
calls += 1; x / calls       but here it does
"""

from __future__ import annotations

import dis
from collections.abc import Iterable, Iterator
from types import CellType, CodeType, FunctionType
from typing import Protocol

from autograph.backends.graph.program.contents import Globals, is_indexed
from autograph.backends.graph.watching.watched import Watched
from autograph.operators.frames import part_of


class Coded(Protocol):
    """What has code of the user's: a function, or what stands for one that is gone."""

    @property
    def __code__(self) -> CodeType: ...


_NOT_READING = ("LOAD_CONST", "LOAD_CLOSURE")
_APPENDING = ("append", "extend", "add")
_STORING_ITEMS = ("STORE_SUBSCR", "DELETE_SUBSCR")
CHANGING = frozenset(
    "append extend insert pop remove clear sort reverse add discard update setdefault popitem "
    "popleft appendleft extendleft rotate move_to_end".split()
)
READING = frozenset(
    name for name in dis.opmap if name.startswith("LOAD_") and name not in _NOT_READING
)
# As `dis` shows them from Python 3.11 on.
_IN_PLACE = frozenset("+= -= *= /= //= %= **= @= &= |= ^= <<= >>=".split())
_GLOBAL = ("GLOBAL", "NAME")
_KEEPING = ("COPY", "DUP_TOP_TWO")
BETWEEN = frozenset("CACHE PRECALL PUSH_NULL COPY_FREE_VARS SWAP ROT_TWO ROT_THREE".split())


def only_appended_to(each: Watched, functions: Iterable[Coded]) -> bool:
    """Tell whether the code of these functions names a list, or set, only to add items to it.

    Then what the list holds already makes no difference to them. Where the list is not known by a
    name of its own, or goes by others, the answer is no.
    """
    name = each.name.rpartition(".")[2]
    if not name.isidentifier():
        return False
    seen = [following for code in users_codes(functions) for following in _own_uses(code, name)]
    return bool(seen) and all(method in _APPENDING for method in seen)


def only_counted(each: Watched, key: object, functions: Iterable[Coded]) -> bool:
    """Tell whether the code of these functions names a place only where it is `+= 1` of itself.

    Of an item that is asked of the container it is in: `d` is named for `d["k"] += 1` only.
    """
    codes = users_codes(functions)
    if is_indexed(each.value):
        container = each.name.rpartition(".")[2]
        counted = [is_so for code in codes for is_so in _counted_items(code, container)]
        return bool(counted) and all(counted)
    kinds: tuple[str, ...] = ("ATTR",)
    name = str(key)
    if type(each.value) is CellType:
        name, kinds = each.name.rpartition(".")[2], ("DEREF", "CLASSDEREF")
    elif type(each.value) is Globals and any(_counts(code, name, _GLOBAL)[1] for code in codes):
        kinds = _GLOBAL  # else it is assigned as an attribute of its module
    uses = [use for code in codes for use in _own_uses(code, name, kinds)]
    found = [_counts(code, name, kinds) for code in codes]
    counts, stores = (sum(each[at] for each in found) for at in (0, 1))
    return len(uses) <= counts == stores


def _counted_items(code: CodeType, container: str) -> Iterator[bool]:
    """Yield of each place that names a container whether it is `d["k"] += 1`, which keeps both."""
    instructions = _instructions(code)
    for at, each in enumerate(instructions):
        if each.opname in READING and each.argval == container:
            yield any(after.opname in _KEEPING for after in instructions[at + 2 : at + 3])


def only_logged(name: str, functions: Iterable[Coded]) -> bool:
    """Tell whether code uses a name for nothing but to add items to what has it, or to count.

    Then it makes no difference to that code how often others do.
    """
    for code in users_codes(functions):
        uses = list(_own_uses(code, name))
        counts, stores = _counts(code, name, ("",))
        if not (len(uses) <= counts == stores or all(use in _APPENDING for use in uses)):
            return False
        if stores > counts:
            return False
    return True


def read_globals(functions: Iterable[FunctionType]) -> dict[int, frozenset[str]]:
    """Return the names of the global variables that code reads, by the identity of their module's.

    Names of attributes are not among them.
    """
    found: dict[int, frozenset[str]] = {}
    for function in functions:
        names = {
            str(each.argval)
            for code in users_codes([function])
            for each in _instructions(code)
            if each.opname in ("LOAD_GLOBAL", "LOAD_NAME")
        }
        space = id(function.__globals__)
        found[space] = found.get(space, frozenset()) | names
    return found


def line_of_change(code: CodeType, name: str) -> int | None:
    """Return the first line that changes the list or dict of a local variable, None if none does.

    >>> def f(items):
    ...     total = len(items)
    ...     items.append(total)
    >>> line_of_change(f.__code__, "items") - f.__code__.co_firstlineno
    2
    """
    lines = dict(dis.findlinestarts(code))
    by_line: dict[int, list[dis.Instruction]] = {}
    for each in _instructions(code):
        line = lines[max(start for start in lines if start <= each.offset)]
        by_line.setdefault(line, []).append(each)
    for line, instructions in by_line.items():
        reads = any(e.opname in READING and e.argval == name for e in instructions)
        changes = (e.opname in _STORING_ITEMS or e.argval in CHANGING for e in instructions)
        if reads and any(changes):
            return line
    return None


def _own_uses(code: CodeType, name: str, kinds: tuple[str, ...] = ("",)) -> Iterator[object]:
    instructions = _instructions(code)
    for this, following in zip(instructions, [*instructions[1:], None]):
        if this.argval != name or this.opname not in READING or not this.opname.endswith(kinds):
            continue
        is_attribute = following is not None and following.opname in ("LOAD_ATTR", "LOAD_METHOD")
        yield following.argval if following is not None and is_attribute else None


def _counts(code: CodeType, name: str, kinds: tuple[str, ...]) -> tuple[int, int]:
    """Return how often a name is assigned what was just added to it, and how often anything."""
    instructions = _instructions(code)
    stores = [
        last
        for last, this in zip(instructions, instructions[1:])
        if this.opname.startswith("STORE_") and this.opname.endswith(kinds) and this.argval == name
    ]
    in_place = (e.opname.startswith("INPLACE_") or e.argrepr in _IN_PLACE for e in stores)
    return sum(in_place), len(stores)


def _instructions(code: CodeType) -> list[dis.Instruction]:
    return [each for each in dis.get_instructions(code) if each.opname not in BETWEEN]


def users_codes(functions: Iterable[Coded]) -> list[CodeType]:
    """Return the code the user wrote of functions, with what is nested in it, each once."""
    outermost = {id(code): code for code in (_original(each.__code__) for each in functions)}
    found = {id(each): each for code in outermost.values() for each in _codes(code)}
    return list(found.values())


def _original(code: CodeType) -> CodeType:
    part = part_of(code)
    original = (part.original or part.within) if part is not None else None
    return (original() if original is not None else None) or code


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)
