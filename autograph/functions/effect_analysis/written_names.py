"""Finds the names under which code writes state outside of a function.

self.calls += 1             calls
items[0] = x                items
log.append("traced")        log
"""

from __future__ import annotations

import dis
import functools
import sys
from collections.abc import Iterable, Iterator
from types import CodeType, FunctionType, MethodType
from typing import Any

from autograph.functions.effect_analysis.resolved_names import (
    BETWEEN,
    CodeObject,
    instructions_of,
    users_codes,
)
from autograph.functions.effect_analysis.state_uses import CHANGING, READING, is_in_place
from runtime.core.weak_tables import IdentityTable

_STORING_NAMES = frozenset("STORE_ATTR STORE_GLOBAL STORE_DEREF DELETE_ATTR".split())


def _codes_of(names: Iterable[str]) -> frozenset[int]:
    return frozenset(dis.opmap[name] for name in names if name in dis.opmap)


_STORING = _codes_of(_STORING_NAMES)
_STORING_ITEMS = _codes_of(("STORE_SUBSCR", "DELETE_SUBSCR"))
_READING = _codes_of(READING)
_GETTING = _codes_of(("LOAD_ATTR", "LOAD_METHOD"))
_LEFT_OUT = _codes_of(BETWEEN)
_LOCAL, _FREE, _NAMED = frozenset(dis.haslocal), frozenset(dis.hasfree), frozenset(dis.hasname)

# The number of bits of an argument that are no part of the name's index.
_OTHER_BITS = {
    dis.opmap[name]: bits
    for name, bits, since in (
        ("LOAD_GLOBAL", 1, (3, 11)),
        ("LOAD_ATTR", 1, (3, 12)),
        ("LOAD_SUPER_ATTR", 2, (3, 12)),
    )
    if sys.version_info >= since
}

# Instructions with two variables in one argument.
_BOTH = _codes_of(("LOAD_FAST_LOAD_FAST", "LOAD_FAST_BORROW_LOAD_FAST_BORROW"))
_SECOND = _codes_of(("STORE_FAST_LOAD_FAST",))
_ONE = dis.opmap["LOAD_FAST"]

_known = IdentityTable[CodeType, frozenset[str]]()


def changed_names(functions: Iterable[CodeObject]) -> frozenset[str]:
    """Return the names that code assigns, or whose list or dict it changes.

    Plain assignments of local variables are not included. For `o.items.pop()` and `items[0] = x`
    the name is `items`.

    >>> def f(o, items, log):
    ...     o.calls = 1
    ...     items[0] = 1
    ...     log.append(o)
    >>> sorted(changed_names([f]))
    ['calls', 'items', 'log']
    """
    return frozenset().union(*map(_written_names, users_codes(functions)))


def _written_names(code: CodeType) -> frozenset[str]:
    return _known.get_or_make(code, lambda: frozenset(_own(code)))


def _own(code: CodeType) -> Iterator[str]:
    raw = code.co_code
    held = set(raw[::2])
    # Most code only assigns local variables.
    if CHANGING.isdisjoint(code.co_names) and held.isdisjoint(_STORING | _STORING_ITEMS):
        return
    # `dis` gives far more for each instruction, and takes ten times as long.
    steps = list(_steps(raw))
    for (this, name), (following, attribute), (after, _) in zip(
        steps, [*steps[1:], _NOTHING], [*steps[2:], _NOTHING, _NOTHING]
    ):
        if this in _STORING:
            yield _name(code, this, name)
        elif this in _READING and (
            after in _STORING_ITEMS
            or (following in _GETTING and _name(code, following, attribute) in CHANGING)
        ):
            yield _name(code, this, name)


_NOTHING = (-1, 0)


def _steps(raw: bytes) -> Iterator[tuple[int, int]]:
    """Yield the instructions of code as numbers, each with its argument."""
    more = 0
    for code, argument in zip(raw[::2], raw[1::2]):
        if code == dis.EXTENDED_ARG:
            more = (more | argument) << 8
        elif code in _BOTH or code in _SECOND:
            if code in _BOTH:
                yield _ONE, argument >> 4
            yield _ONE, argument & 15
        elif code not in _LEFT_OUT:
            yield code, more | argument
            more = 0


def _name(code: CodeType, instruction: int, argument: int) -> str:
    """Return the name in an instruction; "" if it has none."""
    names: tuple[str, ...] = ()
    if instruction in _NAMED:
        names = code.co_names
        argument >>= _OTHER_BITS.get(instruction, 0)
    elif instruction in _LOCAL or instruction in _FREE:
        names = _variables(code, instruction)
    return names[argument] if argument < len(names) else ""


def _variables(code: CodeType, instruction: int) -> tuple[str, ...]:
    """Return the variables of a frame in the order of the instructions' indices."""
    of_others = (*code.co_cellvars, *code.co_freevars)
    if sys.version_info < (3, 11):
        return of_others if instruction in _FREE else code.co_varnames
    # A parameter that inner functions use has one index.
    return tuple(dict.fromkeys((*code.co_varnames, *of_others)))


# -- writes to outer variables and attributes ------------------------------------------------------


_STORES_OUTSIDE = frozenset(
    dis.opmap[name] for name in ("STORE_GLOBAL", "STORE_DEREF", "STORE_ATTR")
)
_OUTSIDE = ("LOAD_GLOBAL", "LOAD_DEREF", "LOAD_NAME")


def writes_outside(function: Any) -> bool:
    """Return whether the code of a function assigns to variables or attributes from outside.

    `+=` with a constant is taken for a count of traces and left out, as are the assignments of
    called functions: a trace finds these.

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
    if _STORES_OUTSIDE.isdisjoint(code.co_code[::2]):
        return False
    steps = instructions_of(code)
    return any(_is_write(code, steps, at) for at in range(1, len(steps)))


def _is_write(code: CodeType, steps: list[dis.Instruction], at: int) -> bool:
    this, before = steps[at], steps[at - 1]
    counts = is_in_place(before)
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
