"""Ops that only gradients use: scatter-additions, and derivatives of the gates of recurrent cells.

numbers = 0, 1, ... in the shape of x
places = the elements of the numbers that the op reads
gradient = zeros, with the gradients of what was read added at these places
"""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import int64
from runtime.export.onnx.node_lowering import OnnxNodeLowering, Rule
from runtime.export.onnx.rules.creation import arange, full
from runtime.export.onnx.rules.gathering import masked
from runtime.export.onnx.rules.indexing import added_at, elements, numbered, picked
from runtime.export.onnx.rules.linalg import diagonal_of
from runtime.export.onnx.rules.manipulation import padded, padding_widths, repeated
from runtime.export.onnx.values import ModelTensor

# -- parts that were read --------------------------------------------------------------------------


def _gathered_back(step: OnnxNodeLowering) -> Any:
    dy, like = step.inputs[0], step.inputs[2]
    indices, rank = step.index(1), step.rank(2)
    axis, batch = step.attrs["axis"] % rank, step.attrs.get("batch_dims", 0)
    column = step.op("Unsqueeze", indices, step.ints(-1))
    if not axis and not batch:
        zeros = full(step, 0, dy.dtype, step.shape(like))
        return step.op("ScatterND", zeros, column, dy, reduction="add")
    if batch and axis != batch:
        raise step.unsupported("it gathers along an axis behind those of the batch")
    numbers = numbered(step, like)
    if batch:
        return added_at(step, like, step.op("GatherND", numbers, column, batch_dims=batch), dy)
    return added_at(step, like, step.op("Gather", numbers, indices, axis=axis), dy)


def _rows_back(step: OnnxNodeLowering) -> Any:
    dy, _, like = step.inputs
    if step.spec(1).shape.dims is None or step.spec(1).shape[-1] == 0:
        raise step.unsupported("its indices have no parts, or are of any rank")
    batch = step.attrs.get("batch_dims", 0)
    places = step.op("GatherND", numbered(step, like), step.index(1), batch_dims=batch)
    return added_at(step, like, places, dy)


def _unmasked(step: OnnxNodeLowering) -> Any:
    dy, mask, like = step.inputs
    places = masked(step, numbered(step, like), mask, step.attrs["axis"] % step.rank(2))
    return added_at(step, like, places, dy)


def _taken_along(step: OnnxNodeLowering) -> Any:
    return step.op("GatherElements", step.inputs[0], step.index(1), axis=step.attrs["axis"])


def _placed_along(step: OnnxNodeLowering) -> Any:
    dy, like = step.inputs[0], step.inputs[2]
    zeros = full(step, 0, dy.dtype, step.shape(like))
    return step.op("ScatterElements", zeros, step.index(1), dy, axis=step.attrs["axis"])


def _sliced_back(step: OnnxNodeLowering) -> Any:
    dy, like, *inputs = step.inputs
    if any(tensor.dtype.is_bool for tensor in step.node.inputs[2:]):
        raise step.unsupported("a mask is a part of its index: read it with rt.boolean_mask")
    return added_at(step, like, elements(step, numbered(step, like), inputs, step.rank(1)), dy)


def _slice_back(step: OnnxNodeLowering) -> Any:
    dy, like = step.inputs[:2]
    begin = step.index(2)
    places = step.op("Slice", numbered(step, like), begin, step.op("Add", begin, step.shape(dy)))
    return added_at(step, like, places, dy)


def _replaced_part(step: OnnxNodeLowering) -> Any:
    """Return the gradients of the values that were written last to the places of an index."""
    dy, *inputs = step.inputs
    own = step.node.inputs[1:]
    if all(each.shape.rank == 0 for each in own):
        return picked(step, dy, inputs, step.rank())
    if any(each.dtype.is_bool for each in own):
        if own[0].shape.rank != step.rank() or len(own) > 1:
            raise step.unsupported("under a mask a model writes to elements")
        flat, mask = (step.op("Reshape", each, step.ints(-1)) for each in (dy, inputs[0]))
        return step.op("Compress", flat, mask, axis=0)
    places = elements(step, numbered(step, dy), inputs, step.rank())
    flat = step.op("Reshape", places, step.ints(-1))
    numbers = arange(step, step.op("Size", places))
    nobody = full(step, -1, int64, step.op("Reshape", step.op("Size", dy), step.ints(1)))
    writers = step.op("ScatterElements", nobody, flat, numbers, axis=0, reduction="max")
    is_last = step.op("Equal", step.op("Gather", writers, flat), numbers)
    given = step.op("Gather", step.op("Reshape", dy, step.ints(-1)), flat)
    kept = step.where(is_last, given, step.const(0, step.dtype))
    return step.op("Reshape", kept, step.shape(places), allowzero=1)


def _on_diagonal(step: OnnxNodeLowering) -> Any:
    diagonal, like = step.inputs
    places = diagonal_of(step, numbered(step, like), step.rank(1))
    return added_at(step, like, places, diagonal)


# -- joined, repeated and moved parts --------------------------------------------------------------


def _joined_part(step: OnnxNodeLowering) -> Any:
    dy, *parts = step.inputs
    axis, position = step.attrs["axis"] % step.rank(), step.attrs["position"]
    begin = step.ints(0)
    for part in parts[:position]:
        begin = step.op("Add", begin, step.size(part, axis))
    end = step.op("Add", begin, step.size(parts[position], axis))
    return step.op("Slice", dy, begin, end, step.ints(axis))


def _tiles_summed(step: OnnxNodeLowering) -> Any:
    """Split each axis into its copies, and add these up."""
    dy, like = step.inputs[:2]
    column = step.ints(1)
    pairs = [step.op("Unsqueeze", x, column) for x in (step.dims(2, "multiples"), step.shape(like))]
    sizes = step.op("Reshape", step.op("Concat", *pairs, axis=1), step.ints(-1))
    axes = range(0, 2 * step.rank(1), 2)
    return step.op("ReduceSum", step.op("Reshape", dy, sizes), step.ints(*axes), keepdims=0)


def _repeats_summed(step: OnnxNodeLowering) -> Any:
    dy, like = step.inputs[:2]
    places = repeated(step, numbered(step, like), step.index(2), step.attrs["axis"] % step.rank(1))
    return added_at(step, like, places, dy)


def _unpadded(step: OnnxNodeLowering) -> Any:
    dy, like = step.inputs[:2]
    widths = padding_widths(step)
    if step.attrs["mode"] != "constant":
        return added_at(step, like, padded(step, numbered(step, like), widths), dy)
    begin = step.op("Slice", widths, step.ints(0), step.ints(step.rank(1)))
    return step.op("Slice", dy, begin, step.op("Add", begin, step.shape(like)))


def _moved(step: OnnxNodeLowering) -> Any:
    return _shifted(step, step.inputs[0], step.ints(step.attrs["by"]))


def _shifted(step: OnnxNodeLowering, x: ModelTensor, by: ModelTensor) -> ModelTensor:
    """Shift a tensor along the axis of a node, with zeros at the free end."""
    axis = step.ints(step.attrs["axis"] % step.rank())
    forth, back = (step.op("Max", each, step.ints(0)) for each in (by, step.op("Neg", by)))
    padded = step.op("Pad", x, step.op("Concat", forth, back, axis=0), None, axis)
    size = step.op("Gather", step.shape(x), axis, axis=0)
    return step.op("Slice", padded, back, step.op("Add", back, size), axis)


def _recurrence(step: OnnxNodeLowering) -> Any:
    """Sum over the elements before, in distances that double."""
    x, factors = step.inputs
    axis = step.ints(step.attrs["axis"] % step.rank())
    size = step.op("Gather", step.shape(x), axis, axis=0)

    def body(_: ModelTensor, held: list[ModelTensor]) -> tuple[ModelTensor, list[ModelTensor]]:
        total, product, distance = held
        by = step.op("Neg", distance) if step.attrs["reverse"] else distance
        before, factor = (_shifted(step, each, by) for each in (total, product))
        total = step.op("Add", total, step.op("Mul", product, before))
        distance = step.op("Add", distance, distance)
        again = step.op("Squeeze", step.op("Less", distance, size))
        return again, [total, step.op("Mul", product, factor), distance]

    return step.repeated(None, [x, factors, step.ints(1)], body)[0]


# -- the gates of recurrent cells ------------------------------------------------------------------


class _Formula:
    """The nodes of a formula.

    Args:
        step: the node that has the formula.
    """

    def __init__(self, step: OnnxNodeLowering) -> None:
        self.step = step
        self.one = step.const(1, step.dtype)

    def product(self, *factors: ModelTensor) -> ModelTensor:
        """Return the product of factors."""
        found, *rest = factors
        for each in rest:
            found = self.step.op("Mul", found, each)
        return found

    def rise(self, y: ModelTensor) -> ModelTensor:
        """Return y * (1 - y), the slope of a sigmoid."""
        return self.product(y, self.step.op("Sub", self.one, y))

    def bend(self, y: ModelTensor) -> ModelTensor:
        """Return 1 - y * y, the slope of a hyperbolic tangent."""
        return self.step.op("Sub", self.one, self.product(y, y))

    def parts(self, x: ModelTensor, count: int) -> list[ModelTensor]:
        """Return the parts of the last axis."""
        return self.step.ops("Split", count, x, axis=-1, num_outputs=count)


def _lstm(step: OnnxNodeLowering) -> Any:
    d_output, d_new, gates, bent, carry = step.inputs
    of = _Formula(step)
    i, f, g, o = of.parts(gates, 4)
    into = step.op("Add", d_new, of.product(d_output, o, of.bend(bent)))
    sums = (
        of.product(into, g, of.rise(i)),
        of.product(into, carry, of.rise(f)),
        of.product(into, i, of.bend(g)),
        of.product(d_output, bent, of.rise(o)),
    )
    return [step.op("Concat", *sums, axis=-1), of.product(into, f)]


def _gru(step: OnnxNodeLowering) -> Any:
    d_new, gates, inner, state = step.inputs
    of = _Formula(step)
    z, r, g = of.parts(gates, 3)
    to_g = of.product(d_new, step.op("Sub", of.one, z), of.bend(g))
    to_z = of.product(d_new, step.op("Sub", state, g), of.rise(z))
    to_r = of.product(to_g, of.parts(inner, 3)[2], of.rise(r))
    to_x = step.op("Concat", to_z, to_r, to_g, axis=-1)
    return [to_x, step.op("Concat", to_z, to_r, of.product(to_g, r), axis=-1), of.product(d_new, z)]


RULES: dict[str, Rule] = {
    "gathered_back": _gathered_back,
    "gru_gates_grad": _gru,
    "joined_part": _joined_part,
    "lstm_gates_grad": _lstm,
    "moved": _moved,
    "on_diagonal": _on_diagonal,
    "placed_along": _placed_along,
    "recurrence": _recurrence,
    "repeats_summed": _repeats_summed,
    "replaced_part": _replaced_part,
    "rows_back": _rows_back,
    "slice_back": _slice_back,
    "sliced_back": _sliced_back,
    "taken_along": _taken_along,
    "tiles_summed": _tiles_summed,
    "unmasked": _unmasked,
    "unpadded": _unpadded,
}
