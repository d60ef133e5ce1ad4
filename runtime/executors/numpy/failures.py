"""What a printed function raises, as the user is told of it: by the op and by the user's line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import FrameType, TracebackType
from typing import Any

import numpy as np

from runtime.executors.locate import locate
from runtime.executors.numpy.kernels import op_of
from runtime.executors.numpy.writing import Place
from runtime.graph.node import Node
from runtime.ops.op import meant_by, run_kernel

# By the file names of printed functions, what their lines are for.
PLACES: dict[str, Mapping[int, Place]] = {}


def told(error: BaseException) -> BaseException:
    """Return what is to be raised for what a printed function raised.

    It may be the same error: what comes out of a kernel says more, and knows its line, when it is
    returned.
    """
    places = _places(error.__traceback__)
    if not places:
        return error
    place, frame = places[-1]
    if isinstance(error, Exception) and not getattr(error, "_located", False):
        error = _meant(error, place, frame)
    for place, _ in reversed(places):
        locate(error, place.node)
    return error


def _places(traceback: TracebackType | None) -> list[tuple[Place, FrameType]]:
    """Return what printed functions were at, outermost first."""
    found = []
    while traceback is not None:
        frame = traceback.tb_frame
        lines = PLACES.get(frame.f_code.co_filename)
        place = None if lines is None else lines.get(traceback.tb_lineno)
        if place is not None:
            found.append((place, frame))
        traceback = traceback.tb_next
    return found


def _meant(error: Exception, place: Place, frame: FrameType) -> BaseException:
    node = place.node
    if node.op.kernel is None or len(place.operands) != len(node.inputs):
        return error
    values = [eval(text, frame.f_globals, frame.f_locals) for text in place.operands]
    arrays = [_as_operand(value, node, at) for at, value in enumerate(values)]
    if place.by_kernel:
        meant: BaseException | None = meant_by(error, op_of(node), arrays, node.attrs)
    else:
        meant = _raised_by_kernel(node, arrays)
    if meant is None or meant is error:
        return error
    if meant.__cause__ is None:
        meant.__suppress_context__ = True
    return meant


def _raised_by_kernel(node: Node, arrays: Sequence[Any]) -> BaseException | None:
    try:
        run_kernel(op_of(node), arrays, node.attrs)
    except BaseException as error:
        return error
    return None


def _as_operand(value: Any, node: Node, at: int) -> Any:
    """Return an operand as a kernel takes it: an array, where it is held as a number."""
    if isinstance(value, (bool, int, float, np.generic)):
        return np.array(value, node.inputs[at].spec.dtype.np_dtype)
    return value
