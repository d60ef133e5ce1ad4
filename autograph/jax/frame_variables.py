"""Variables of frames on the stack, rebound to a list that a loop in a called function has made.

    def collect(out, xs):       def caller(xs):
        for x in xs:                out = []
            out.append(x)           collect(out, xs)
                                    return jnp.stack(out)

JAX has another list after the loop: `out` of the caller becomes that one, too.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any, NamedTuple

from autograph.jax.heap import HeapObject
from autograph.jax.liveness import has_not_read, operands_of
from autograph.jax.location import STACKS
from autograph.operators.frames import is_body

# From this version on, `f_locals` of a frame is a view of its variables.
_WITH_VIEWS = (3, 13)


class FrameVariable(NamedTuple):
    """A variable of a running function, or of a function around it."""

    frame: FrameType
    name: str

    def assign(self, value: object) -> None:
        """Give the variable another value."""
        self.frame.f_locals[self.name] = value
        if sys.version_info < _WITH_VIEWS:
            frame = ctypes.py_object(self.frame)
            ctypes.pythonapi.PyFrame_LocalsToFast(frame, ctypes.c_int(0))


class ContainerItem(NamedTuple):
    """An item of a container, or an attribute of an object."""

    place: HeapObject
    key: Any

    def assign(self, value: object) -> None:
        """Give the item another value."""
        self.place.write({**self.place.read(), self.key: value})


def frames_of_statement(frames: Iterator[FrameType]) -> Iterator[FrameType]:
    """Yield the frames of the innermost statement: of functions that it calls, and its body.

    What they reach is put back for other paths of the statement, and nothing else.
    """
    for frame in frames:
        yield frame
        if frame is STACKS.outermost or is_body(frame.f_code):
            return


def assignable(frames: Iterator[FrameType], name: str, value: object) -> list[FrameVariable]:
    """Return the variables of a name and value that may be assigned in the innermost statement.

    There are none if it iterates over one.
    """
    found: list[FrameVariable] = []
    for frame in frames_of_statement(frames):
        code = frame.f_code
        is_local = name in (*code.co_varnames, *code.co_cellvars, *code.co_freevars)
        if is_local and frame.f_locals.get(name) is value:
            if has_not_read(code, frame.f_lasti, _names_of(value, frame)):
                found.append(FrameVariable(frame, name))
        if is_body(code) and frame is not STACKS.outermost:
            around = next(frames)
            operands, _ = operands_of(around.f_code, around.f_lasti)
            return [] if operands & _names_of(value, around) else found
    return found


def _names_of(value: object, frame: FrameType) -> frozenset[str]:
    return frozenset(name for name, held in frame.f_locals.items() if held is value)


@contextmanager
def marked(variables: Sequence[FrameVariable]) -> Iterator[object]:
    """Let variables have a mark: places that have it, too, are the same variables."""
    mark, held = object(), [each.frame.f_locals[each.name] for each in variables]
    for each in variables:
        each.assign(mark)
    try:
        yield mark
    finally:
        for each, value in zip(variables, held):
            each.assign(value)
