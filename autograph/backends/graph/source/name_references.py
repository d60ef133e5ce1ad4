"""Global and free variables that a function names, and an estimate whether it is recursive."""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterator, Sequence
from functools import partial, wraps
from types import CodeType, FrameType, FunctionType
from typing import Any, TypeVar

from autograph.operators.frames import code_info_of
from autograph.operators.user_classes import class_attribute
from runtime.core.stored_attributes import stored_attributes
from runtime.core.weak_tables import IdentityTable

T = TypeVar("T")

_STORE_GLOBAL = dis.opmap["STORE_GLOBAL"]


def _kept_by_code(function: Callable[[CodeType], T]) -> Callable[[CodeType], T]:
    """Return a cached form of a recursive function of code objects, which does nested code first.

    So the recursion is one level deep, however deeply the code is nested.
    """
    known = IdentityTable[CodeType, T]()

    @wraps(function)
    def kept(code: CodeType) -> T:
        if code not in known:
            found = [code]
            for each in found:
                found += [inside for inside in _nested(each) if inside not in known]
            for each in reversed(found[1:]):
                known.get_or_make(each, partial(function, each))
        return known.get_or_make(code, partial(function, code))

    return kept


_TAKE_NAMES = ("globals", "getattr", "setattr", "vars")
"""Builtin functions that find a variable by its name in a text."""


@_kept_by_code
def referenced_names(code: CodeType) -> frozenset[str]:
    """Return the names of globals and attributes in a function and in those defined in it.

    >>> sorted(referenced_names((lambda x: [abs(v.real) for v in x]).__code__))
    ['abs', 'real']
    """
    names = frozenset(code.co_names)
    if not names.isdisjoint(_TAKE_NAMES):  # globals()["total"], getattr(module, "total")
        names = names.union(each for each in code.co_consts if isinstance(each, str))
    return names.union(*map(referenced_names, _nested(code)))


@_kept_by_code
def assigned_globals(code: CodeType) -> frozenset[str]:
    """Return the global variables that the body of a statement assigns.

    >>> def f():
    ...     global some
    ...     some = abs
    >>> sorted(assigned_globals(f.__code__))
    ['some']
    """
    own = dis.get_instructions(code) if _STORE_GLOBAL in code.co_code[::2] else ()
    names = (str(each.argval) for each in own if each.opcode == _STORE_GLOBAL)
    return frozenset(names).union(*map(assigned_globals, _bodies_in(code)))


def owned_names(code: CodeType, frames: Sequence[FrameType]) -> set[str]:
    """Return the free variables of `code` that are local variables of one of these functions."""
    outside = set(code.co_freevars)
    names = set(outside)
    for frame in frames:
        if id(code) in _inside(frame.f_code):
            code = frame.f_code
            outside.intersection_update(code.co_freevars)
    return names - outside


def _nested(code: CodeType) -> Iterator[CodeType]:
    return (each for each in code.co_consts if isinstance(each, CodeType))


def _bodies_in(code: CodeType) -> Iterator[CodeType]:
    for each in _nested(code):
        part = code_info_of(each)
        if part is not None and part.is_body:
            yield each


_INSIDE = IdentityTable[CodeType, frozenset[int]]()


def _inside(code: CodeType) -> frozenset[int]:
    """Return the identities of the code objects in another one."""
    return _INSIDE.get_or_make(code, lambda: _ids_inside(code))


def _ids_inside(code: CodeType) -> frozenset[int]:
    found = [code]
    for each in found:
        found += _nested(each)
    return frozenset(map(id, found[1:]))


def converted_frames(frame: FrameType | None) -> list[FrameType]:
    """Return the frames of converted functions, innermost first, without those of bodies."""
    frames = []
    while frame is not None:
        part = code_info_of(frame.f_code)
        if part is not None and not part.is_body and part.start is None:
            frames.append(frame)
        frame = frame.f_back
    return frames


# -- recursion by names: an estimate before the function runs --------------------------------------


_MOST_FUNCTIONS = 50
_known = IdentityTable[CodeType, bool]()
_names_in = IdentityTable[CodeType, frozenset[str]]()


def refers_to_itself(function: FunctionType) -> bool:
    """Return whether `function` is mentioned by itself, or by a function that it mentions.

    A method counts as mentioned wherever its name occurs.

    >>> def down(n):
    ...     return n if n <= 0 else down(n - 1)
    >>> refers_to_itself(down), refers_to_itself(lambda n: n)
    (True, False)
    """
    code = function.__code__
    return _known.get_or_make(code, lambda: _reaches(function))


def _reaches(function: FunctionType) -> bool:
    wanted, waiting = _identity(function.__code__), [function]
    reached: dict[tuple[object, ...], FunctionType] = {}
    while waiting and len(reached) < _MOST_FUNCTIONS:
        current = waiting.pop()
        names = _names(current.__code__)
        if function.__code__.co_name in names:
            return True
        for mentioned in _functions_named(current, names):
            identity = _identity(mentioned.__code__)
            if identity == wanted:
                return True
            if identity not in reached:
                reached[identity] = mentioned
                waiting.append(mentioned)
    return False


def _identity(code: CodeType) -> tuple[object, ...]:
    # A function and its converted form have the same file and first line.
    return code.co_filename, code.co_firstlineno, code.co_name


def _names(code: CodeType) -> frozenset[str]:
    """Return the names in a function and in those defined in it."""
    nested = [each for each in code.co_consts if isinstance(each, CodeType)]
    return _names_in.get_or_make(
        code,
        lambda: frozenset((*code.co_names, *code.co_freevars)).union(*map(_names, nested)),
    )


def _functions_named(function: FunctionType, names: frozenset[str]) -> Iterator[FunctionType]:
    kind = function.__globals__.get(function.__qualname__.rpartition(".")[0])
    for name in names:
        yield from _function_in(function.__globals__.get(name), function)
        if isinstance(kind, type):  # Methods of one class may call each other in turns.
            yield from _function_in(class_attribute(kind, name), function)
    for cell in function.__closure__ or ():
        try:
            yield from _function_in(cell.cell_contents, function)
        except ValueError:
            continue


def _function_in(value: Any, beside: FunctionType) -> Iterator[FunctionType]:
    # A `Function` or wrapper contains the function itself.
    for attribute in ("python_function", "__wrapped__"):
        if type(value) is not FunctionType and attribute in (held := stored_attributes(value)):
            value = held[attribute]
    if type(value) is FunctionType and value.__module__ == beside.__module__:
        yield value
