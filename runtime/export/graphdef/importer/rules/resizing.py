"""Import of ops that resize images and choose among boxes."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import float32, int32
from runtime.export.graphdef.importer.node_import import NodeImport, Rule
from runtime.graph.structured_control_flow import while_loop
from runtime.ops.arrays.concatenation import concat
from runtime.ops.arrays.creation import fill, range, zeros
from runtime.ops.arrays.gather import gather
from runtime.ops.arrays.reduction import reduce_any
from runtime.ops.arrays.shape import reshape, shape, size
from runtime.ops.arrays.sorting import argsort
from runtime.ops.constant import cast
from runtime.ops.elementwise.arithmetic import maximum, minimum
from runtime.ops.elementwise.comparison import greater, less
from runtime.ops.elementwise.logic import logical_and, logical_not
from runtime.ops.elementwise.selection import where
from runtime.ops.elementwise.unary import ceil, floor

# -- images ----------------------------------------------------------------------------------------


def _places(step: NodeImport, images: Any, new: Any, axis: int) -> tuple[Any, Any]:
    """Return the coordinates in the old image of the pixels of a new one, and the old size."""
    known = images.shape[axis]
    old = shape(images)[axis] if known is None else known
    pixels: Any = cast(range(new), float32)
    sizes = [cast(each, float32) for each in (old, new)]
    scale: Any = sizes[0] / sizes[1]
    if step.attrs.flag("align_corners", False):
        ends = maximum(sizes[1] - 1.0, 1.0)
        scale = where(greater(sizes[1], 1.0), (sizes[0] - 1.0) / ends, scale)
    if step.attrs.flag("half_pixel_centers", False):
        return (pixels + 0.5) * scale, old
    return pixels * scale, old


def _new_sizes(step: NodeImport) -> list[Any]:
    """Return the number of rows and of columns that are wanted."""
    sizes = step.sizes(1)
    return sizes if isinstance(sizes, list) else [sizes[0], sizes[1]]


def _nearest(step: NodeImport) -> Any:
    found = step.tensor(0)
    for axis, new in enumerate(_new_sizes(step), 1):
        places, old = _places(step, found, new, axis)
        if step.attrs.flag("align_corners", False):
            places = places + 0.5  # to the nearest pixel, and up from the middle
        places = minimum(cast(floor(places), int32), old - 1)
        found = gather(found, places, axis=axis)
    return found


def _bilinear(step: NodeImport) -> Any:
    found = cast(step.tensor(0), float32)
    rows, columns = _new_sizes(step)
    for axis, new in ((2, columns), (1, rows)):
        places, old = _places(step, found, new, axis)
        if step.attrs.flag("half_pixel_centers", False):
            places = places - 0.5
        below = floor(places)
        share = reshape(places - below, (-1,) + (1,) * (3 - axis))
        first = gather(found, cast(maximum(below, 0.0), int32), axis=axis)
        last = minimum(cast(ceil(places), int32), old - 1)
        found = first + (gather(found, last, axis=axis) - first) * share
    return found


# -- boxes -----------------------------------------------------------------------------------------


def _suppression(has_least_score: bool) -> Rule:
    """Return the rule for boxes of the greatest scores that overlap with no better one."""

    def rule(step: NodeImport) -> Any:
        boxes, scores, most, overlap = map(step.tensor, (0, 1, 2, 3))
        least: Any = step.tensor(4) if has_least_score else np.float32(-np.inf)
        order = argsort(scores, direction="DESCENDING", stable=True)
        boxes, scores = gather(boxes, order), gather(scores, order)
        count, padded = size(scores), concat([scores, zeros([1], scores.dtype)], 0)

        def goes_on(at: Any, chosen: Any) -> Any:
            is_left = logical_and(less(at, count), less(size(chosen), most))
            return logical_and(is_left, greater(gather(padded, at), least))

        def turn(at: Any, chosen: Any) -> Any:
            overlaps = greater(_overlaps(gather(boxes, at), gather(boxes, chosen)), overlap)
            taken = cast(logical_not(reduce_any(overlaps)), int32)
            return at + 1, concat([chosen, fill([taken], at)], 0)

        _, chosen = while_loop(
            goes_on, turn, (0, zeros([0], int32)), shape_invariants=((), (None,))
        )
        return gather(order, chosen)

    return rule


def _overlaps(box: Any, others: Any) -> Any:
    """Return the shares of the unions that a box has in common with others; 0 for empty boxes."""
    first, second = _corners(box[None]), _corners(others)
    low, high = (pick(a, b) for pick, a, b in zip((maximum, minimum), first, second))
    common: Any = _area(low, maximum(low, high))
    areas = [_area(*each) for each in (first, second)]
    is_box = logical_and(greater(areas[0], 0.0), greater(areas[1], 0.0))
    return where(is_box, common / where(is_box, areas[0] + areas[1] - common, 1.0), 0.0)


def _corners(boxes: Any) -> tuple[Any, Any]:
    """Return the least and the greatest coordinates of boxes of two opposite corners."""
    first, second = boxes[:, :2], boxes[:, 2:]
    return minimum(first, second), maximum(first, second)


def _area(low: Any, high: Any) -> Any:
    sides = high - low
    return sides[:, 0] * sides[:, 1]


RULES: dict[str, Rule] = {
    "NonMaxSuppressionV2": _suppression(has_least_score=False),
    "NonMaxSuppressionV3": _suppression(has_least_score=True),
    "ResizeBilinear": _bilinear,
    "ResizeNearestNeighbor": _nearest,
}
