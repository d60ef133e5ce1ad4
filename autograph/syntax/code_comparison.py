"""Tests whether two code objects were compiled from the same definition."""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterator

_KIND_FLAGS = (
    inspect.CO_VARARGS
    | inspect.CO_VARKEYWORDS
    | inspect.CO_GENERATOR
    | inspect.CO_COROUTINE
    | inspect.CO_ASYNC_GENERATOR
)
# A class body stores this tuple, whose order changes from run to run on Python 3.13.
_UNORDERED = "__static_attributes__"


def nested_codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """Yield a code object and those of the functions and classes in it, outermost first."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from nested_codes(constant)


def is_same_code(a: types.CodeType, b: types.CodeType) -> bool:
    """Return whether two code objects are equal except for their lines."""
    return (
        _header(a) == _header(b)
        and a.co_code == b.co_code
        and a.co_names == b.co_names
        and a.co_varnames == b.co_varnames
        and a.co_freevars == b.co_freevars
        and a.co_cellvars == b.co_cellvars
        and _same_constants(a.co_consts, b.co_consts, _UNORDERED in a.co_names)
    )


def may_be_rewritten_from(code: types.CodeType, written: types.CodeType) -> bool:
    """Return whether an import hook may have made `code` from `written`: it only adds code."""
    return (
        _header(code) == _header(written)
        and set(code.co_names) >= set(written.co_names)
        and set(code.co_varnames) >= set(written.co_varnames)
        and set(code.co_freevars) >= set(written.co_freevars)
        and _plain_constants(code) >= _plain_constants(written)
    )


def count_same_positions(a: types.CodeType, b: types.CodeType) -> int:
    """Count the instructions that have equal positions in two codes, relative to the first line.

    It is 0 before Python 3.11, where code objects have no columns.
    """
    return sum(x == y for x, y in zip(_relative_positions(a), _relative_positions(b)))


def _relative_positions(code: types.CodeType) -> Iterator[tuple[int | None, ...]]:
    positions = getattr(code, "co_positions", None)
    for line, end_line, column, end_column in positions() if positions is not None else ():
        lines = (None if n is None else n - code.co_firstlineno for n in (line, end_line))
        yield (*lines, column, end_column)


def _header(code: types.CodeType) -> tuple[object, ...]:
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount)
    parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return (code.co_name, counts, parameters, code.co_flags & _KIND_FLAGS)


def _same_constants(a: tuple[object, ...], b: tuple[object, ...], unordered: bool) -> bool:
    return len(a) == len(b) and all(_same_constant(x, y, unordered) for x, y in zip(a, b))


def _same_constant(a: object, b: object, unordered: bool = False) -> bool:
    if type(a) is not type(b):
        return False
    if isinstance(a, types.CodeType) and isinstance(b, types.CodeType):
        return is_same_code(a, b)
    if isinstance(a, tuple) and isinstance(b, tuple):
        if unordered:
            a, b = tuple(sorted(a, key=repr)), tuple(sorted(b, key=repr))
        return _same_constants(a, b, False)
    if isinstance(a, frozenset) and isinstance(b, frozenset):
        return sorted(map(repr, a)) == sorted(map(repr, b))
    if isinstance(a, (float, complex)):
        return repr(a) == repr(b)
    return a == b


def _plain_constants(code: types.CodeType) -> set[str]:
    """Return the constants, except None and the docstring, which an import hook may add or drop."""
    simple = (int, float, complex, str, bytes, tuple)
    return {repr(c) for c in code.co_consts[1:] if isinstance(c, simple)}
