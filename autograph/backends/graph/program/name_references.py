"""What the code of a function names: global variables, and variables of functions around it."""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterator, Sequence
from functools import partial, wraps
from types import CodeType, FrameType
from typing import TypeVar

from autograph.backends.graph.program.per_code_cache import PerCodeCache
from autograph.operators.frames import part_of

T = TypeVar("T")

_STORE_GLOBAL = dis.opmap["STORE_GLOBAL"]


def _kept_by_code(function: Callable[[CodeType], T]) -> Callable[[CodeType], T]:
    """Have what a function says of a code object kept, and first say it of all code inside: so it
    calls itself once, however deep code nests.
    """
    known = PerCodeCache[T]()

    @wraps(function)
    def kept(code: CodeType) -> T:
        if code not in known:
            found = [code]
            for each in found:
                found += [inside for inside in _nested(each) if inside not in known]
            for each in reversed(found[1:]):
                known.get(each, partial(function, each))
        return known.get(code, partial(function, code))

    return kept


@_kept_by_code
def referenced_names(code: CodeType) -> frozenset[str]:
    """Return the names of globals and attributes in a function and in those defined in it.

    >>> sorted(referenced_names((lambda x: [abs(v.real) for v in x]).__code__))
    ['abs', 'real']
    """
    return frozenset(code.co_names).union(*map(referenced_names, _nested(code)))


@_kept_by_code
def assigned_globals(code: CodeType) -> frozenset[str]:
    """Return the global variables that a body of a statement assigns itself.

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
    """Return the free variables of `code` that belong to one of these functions around it."""
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
        part = part_of(each)
        if part is not None and part.is_body:
            yield each


_INSIDE = PerCodeCache[frozenset[int]]()


def _inside(code: CodeType) -> frozenset[int]:
    """Return the identities of the code objects in another one."""
    return _INSIDE.get(code, lambda: _ids_inside(code))


def _ids_inside(code: CodeType) -> frozenset[int]:
    found = [code]
    for each in found:
        found += _nested(each)
    return frozenset(map(id, found[1:]))


def converted_frames(frame: FrameType | None) -> list[FrameType]:
    """Return the frames of converted functions, innermost first; bodies of statements are none."""
    frames = []
    while frame is not None:
        part = part_of(frame.f_code)
        if part is not None and not part.is_body and part.start is None:
            frames.append(frame)
        frame = frame.f_back
    return frames
