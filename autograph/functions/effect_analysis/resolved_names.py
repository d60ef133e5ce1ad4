"""Resolves the names in code through globals, closures and attributes.

log.append(1)           log: a list of a closure
self.log.append(1)      log: an attribute of an object that only a call knows
rt.math.log(x)          log: a function of a module, and no list
"""

from __future__ import annotations

import builtins
import dis
from bisect import bisect
from collections.abc import Iterable, Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple, Protocol

from autograph.backends.graph.objects.object_contents import contents_of
from autograph.backends.graph.source.library_boundary import is_library_module
from autograph.operators.frames import code_info_of
from autograph.operators.user_classes import mro_of, own_attributes
from runtime.core.weak_tables import IdentityTable


class CodeObject(Protocol):
    """An object with user code: a function, or a stand-in for one that was freed."""

    @property
    def __code__(self) -> CodeType: ...


OF_LIBRARY: Any = type("OfLibrary", (), {"__repr__": lambda self: "<of a library>"})()
UNKNOWN: Any = type("Unknown", (), {"__repr__": lambda self: "<unknown>"})()
BETWEEN = frozenset("CACHE PRECALL PUSH_NULL COPY_FREE_VARS SWAP ROT_TWO ROT_THREE".split())
_COPYING = ("COPY", "DUP_TOP")
# Instructions on a container and a key; `COPY` belongs to `d[k] += 1`, which needs both twice.
_WITH_KEY = ("STORE_SUBSCR", "DELETE_SUBSCR", "COPY", "DUP_TOP_TWO")
_KINDS = {"GLOBAL": "global", "NAME": "global", "DEREF": "cell", "CLASSDEREF": "cell"}
_KINDS |= {"ATTR": "attribute", "METHOD": "attribute", "GLOBALS": "global"}
# Code with one of these names may reach any attribute, or variable, by a text.
_BY_TEXT = frozenset(("getattr", "hasattr", "attrgetter", "setattr", "delattr"))
_BY_ANY_TEXT = frozenset(("vars", "__dict__", "globals", "locals", "eval", "exec"))


class NameUse(NamedTuple):
    """A place in code that reads or assigns a global, a closure variable or an attribute.

    Attributes:
        name: the name.
        kind: "global", "cell" or "attribute".
        owner: the variables of the module, the cell, or the object; `UNKNOWN` if only a call knows.
        value: its current value, `UNKNOWN`, or `OF_LIBRARY` if a library has not imported it yet.
        stores: whether it is assigned or deleted.
        at: its position among the instructions.
        code: the code it is in.
    """

    name: str
    kind: str
    owner: Any
    value: Any
    stores: bool
    at: int
    code: CodeType

    @property
    def instructions(self) -> list[dis.Instruction]:
        """The instructions of the code it is in."""
        return instructions_of(self.code)

    def subscripts(self) -> tuple[int, str]:
        """Return how deep code reads items of the named object, and its action on the last one.

        Example:
            `d["k"][0] += 1` gives (1, "COPY"), `d["k"].append(1)` gives (1, "append").
        """
        depth, held = 0, 1
        every = all_instructions(self.code)
        start = bisect(every, self.instructions[self.at].offset, key=_offset)
        behind_jump = 0
        for each in every[start:]:
            if each.offset < behind_jump:
                continue
            if each.opname == "JUMP_FORWARD":  # of `a if c else b`
                behind_jump = each.argval
                continue
            if held == 1 and each.opname in ("LOAD_ATTR", "LOAD_METHOD"):
                return depth, str(each.argval)
            if held == 2 and each.opname == "BINARY_SUBSCR":
                depth, held = depth + 1, 1
                continue
            is_end = held == 2 and each.opname in _WITH_KEY
            if is_end or (held == 3 and each.opname in ("STORE_SLICE", "BINARY_SLICE")):
                return depth, each.opname
            held += dis.stack_effect(each.opcode, each.arg, jump=False)
            if held < 1:
                break
        return depth, ""

    def next(self, step: int = 1) -> dis.Instruction | None:
        """Return an instruction after it; None past the end."""
        at = self.at + step
        return self.instructions[at] if 0 <= at < len(self.instructions) else None

    @property
    def is_of_program(self) -> bool:
        """True if the value is a function, class or module, which is no state."""
        if self.value is OF_LIBRARY:
            return True
        return isinstance(self.value, (FunctionType, BuiltinFunctionType, type, ModuleType))


def uses_in(functions: Iterable[CodeObject]) -> list[NameUse]:
    """Return the uses of names in the user's code of functions, and in nested code.

    >>> log = []
    >>> [(use.name, use.kind) for use in uses_in([lambda x: log.append(x)])]
    [('log', 'global'), ('append', 'attribute')]
    """
    found = list[NameUse]()
    seen = set[tuple[int, ...]]()
    for function in functions:
        code = users_code(function.__code__)
        # Two functions with the same code may have different variables.
        closure = tuple(getattr(function, "__closure__", None) or ())
        cells = dict(zip(function.__code__.co_freevars, closure))
        key = (id(code), *(id(cells[name]) for name in sorted(cells)))
        if key in seen:
            continue
        seen.add(key)
        found += _uses(code, getattr(function, "__globals__", {}), cells)
    return found


def users_codes(functions: Iterable[CodeObject]) -> list[CodeType]:
    """Return the user's code of functions, with nested code, each once."""
    outermost = {id(code): code for code in (users_code(each.__code__) for each in functions)}
    found = {id(each): each for code in outermost.values() for each in codes_in(code)}
    return list(found.values())


def users_code(code: CodeType) -> CodeType:
    """Return the user's code from which generated code was made; other code itself."""
    part = code_info_of(code)
    original = (part.original or part.within) if part is not None else None
    return (original() if original is not None else None) or code


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object and those nested in it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from codes_in(each)


def instructions_of(code: CodeType) -> list[dis.Instruction]:
    """Return the instructions of code, without caches and the like."""
    return _known.get_or_make(code, lambda: _instructions(code))


def _instructions(code: CodeType) -> list[dis.Instruction]:
    return [each for each in all_instructions(code) if each.opname not in BETWEEN]


def all_instructions(code: CodeType) -> list[dis.Instruction]:
    """Return the instructions of code."""
    return _raw.get_or_make(code, lambda: list(dis.get_instructions(code)))


def _offset(instruction: dis.Instruction) -> int:
    return instruction.offset


_known = IdentityTable[CodeType, list[dis.Instruction]]()
_raw = IdentityTable[CodeType, list[dis.Instruction]]()


def may_name(functions: Iterable[CodeObject], name: str) -> bool:
    """Return whether code may reach an attribute or variable by a string: `getattr(o, "n")`.

    Code of an `__init__` does not count: it sets attributes and reads none.
    """
    reading = [each for each in functions if each.__code__.co_name != "__init__"]
    for code in users_codes(reading):
        if not _BY_ANY_TEXT.isdisjoint(code.co_names):
            return True
        if name in code.co_consts and not _BY_TEXT.isdisjoint(code.co_names):
            return True
    return False


def _uses(code: CodeType, space: dict[str, Any], cells: dict[str, Any]) -> Iterator[NameUse]:
    instructions = instructions_of(code)
    value: Any = UNKNOWN  # the result of the previous instruction
    for at, each in enumerate(instructions):
        action, _, suffix = each.opname.rpartition("_")
        kind = _KINDS.get(suffix)
        if kind is None or each.opname.endswith(("CLOSURE", "CALL_METHOD")):
            value = value if each.opname in _COPYING else UNKNOWN
            continue
        name, owner = str(each.argval), value
        if kind == "global":
            owner, value = space, space.get(name, vars(builtins).get(name, UNKNOWN))
        elif kind == "cell":
            owner = cells.get(name, None if name in code.co_cellvars else UNKNOWN)
            value = _held_by(owner)
        else:
            owner = UNKNOWN if "SUPER" in each.opname else owner
            value = attribute_of(owner, name)
        stores = action.startswith(("STORE", "DELETE"))
        yield NameUse(name, kind, owner, value, stores, at, code)
        value = UNKNOWN if stores else value
    inner = {name: cells.get(name, None) for name in code.co_cellvars} | cells
    for const in code.co_consts:
        if isinstance(const, CodeType):
            own = {name: inner[name] for name in const.co_freevars if name in inner}
            yield from _uses(const, space, own)


def _held_by(cell: Any) -> Any:
    try:
        return UNKNOWN if cell is None or cell is UNKNOWN else cell.cell_contents
    except ValueError:
        return UNKNOWN


def attribute_of(owner: Any, name: str) -> Any:
    """Return an attribute without running the user's code; `UNKNOWN` if that is impossible."""
    if owner is UNKNOWN:
        return UNKNOWN
    if isinstance(owner, ModuleType):
        # A library may import a name at its first use.
        is_library = is_library_module(owner.__name__)
        return vars(owner).get(name, OF_LIBRARY if is_library else UNKNOWN)
    if owner is OF_LIBRARY:
        return OF_LIBRARY
    if isinstance(owner, type):
        found = (own_attributes(each) for each in mro_of(owner))
        return next((own[name] for own in found if name in own), UNKNOWN)
    return (contents_of(owner) or {}).get(name, UNKNOWN)
