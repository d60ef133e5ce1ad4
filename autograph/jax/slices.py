"""Slices with bounds that only a run knows, and a length that the source shows.

    x[i : i + 3]      ->    lax.dynamic_slice_in_dim(x, i, 3)
    x[i : i + 3] = v  ->    lax.dynamic_update_slice_in_dim(x, ..., i, 0)

The length is the difference of the two bounds as the user wrote them: sums of variables, the same
ones in both, and of numbers that are known while tracing.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from types import FrameType
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from autograph.errors import StagingError
from autograph.jax.internals import Tracer, is_concrete
from autograph.jax.location import location
from runtime.core.context import is_internal_frame, line_of
from runtime.diagnostics.source_expressions import (
    expression_at,
    expressions_in_line,
    position_of,
)

UNKNOWN_LENGTH = (
    "a slice has a length, and of this one only a run knows it: write bounds with a difference "
    "that the source shows, as in x[i : i + 3], or jnp.where with a mask"
)
# The constant of a sum of variables and a number.
_NUMBER = ""


def is_traced_slice(container: object, index: object) -> bool:
    """Return whether an index is a slice of an array with a bound that only a run knows."""
    if not isinstance(index, slice) or not isinstance(container, jax.Array):
        return False
    bounds = (index.start, index.stop, index.step)
    return any(isinstance(each, Tracer) and not is_concrete(each) for each in bounds)


def part_of(array: Any, index: slice) -> Any:
    """Return the part of an array at a slice with traced bounds, along its first axis.

    As JAX's indices do, the part stays inside of the array.

    Raises:
        StagingError: the source does not show the length, or the array is shorter.
    """
    return lax.dynamic_slice_in_dim(array, index.start, _length(array, index))


def with_part(array: Any, index: slice, value: Any) -> Any:
    """Return an array with another part at a slice with traced bounds.

    Raises:
        StagingError: as `part_of`.
    """
    old = part_of(array, index)
    new = jnp.broadcast_to(jnp.asarray(value, array.dtype), old.shape)
    return lax.dynamic_update_slice_in_dim(array, new, index.start, 0)


def _length(array: Any, index: slice) -> int:
    length = None
    if index.start is not None and index.stop is not None and index.step in (None, 1):
        frame = _users_frame()
        nodes = _slices_of(frame) if frame is not None else []
        found = {_difference(node, frame) for node in nodes}  # type: ignore[arg-type]
        length = found.pop() if len(found) == 1 else None
    if length is None or not 0 < length <= array.shape[0]:
        raise StagingError(UNKNOWN_LENGTH, location())
    return length


def _users_frame() -> FrameType | None:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and is_internal_frame(frame):
        frame = frame.f_back
    return frame


def _slices_of(frame: FrameType) -> list[ast.Slice]:
    """Return the slice that a frame evaluates, or else all with two bounds in its line."""
    position = position_of(frame.f_code, frame.f_lasti)
    node = expression_at(frame.f_code.co_filename, position, None, frame.f_globals)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        return [node.slice]
    found = expressions_in_line(frame.f_code.co_filename, line_of(frame), frame.f_globals)
    slices = [node.slice for node in found if isinstance(node, ast.Subscript)]
    return [each for each in slices if isinstance(each, ast.Slice) and each.lower and each.upper]


def _difference(node: ast.Slice, frame: FrameType) -> int | None:
    """Return the upper bound without the lower one, if the same variables are in both."""
    lower, upper = _sum_of(node.lower, frame), _sum_of(node.upper, frame)
    if lower is None or upper is None:
        return None
    upper.subtract(lower)
    number = upper.pop(_NUMBER, 0)
    return None if any(upper.values()) else number


def _sum_of(node: ast.expr | None, frame: FrameType) -> Counter[str] | None:
    """Return an expression as a sum: the factor of each variable, and the number."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return Counter({_NUMBER: node.value})
    if isinstance(node, ast.Name):
        value = frame.f_locals.get(node.id, frame.f_globals.get(node.id))
        return Counter({_NUMBER: value} if type(value) is int else {node.id: 1})
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return _scaled(_sum_of(node.operand, frame), -1)
    if not isinstance(node, ast.BinOp):
        return None
    left, right = _sum_of(node.left, frame), _sum_of(node.right, frame)
    if left is None or right is None:
        return None
    if isinstance(node.op, (ast.Add, ast.Sub)):
        left.update(right if isinstance(node.op, ast.Add) else _scaled(right, -1))
        return left
    if isinstance(node.op, ast.Mult):
        for one, other in ((left, right), (right, left)):
            if set(one) <= {_NUMBER}:
                return _scaled(other, one[_NUMBER])
    return None


def _scaled(factors: Counter[str] | None, by: int) -> Any:
    if factors is None:
        return None
    return Counter({name: factor * by for name, factor in factors.items()})
