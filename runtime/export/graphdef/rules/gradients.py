"""Lowering of the ops that only gradients use: sums over elements, and steps of gates."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Any

import numpy as np

from runtime.core.dtypes import int32, int64
from runtime.export.graphdef.function_body import ValueRef
from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule
from runtime.export.graphdef.rules.axes import (
    as_index,
    as_int32,
    counted_from_the_end,
    dims,
    masks,
    size_of,
)
from runtime.export.graphdef.rules.indexing import read, three

# -- axes ------------------------------------------------------------------------------------------


def _shape(step: GraphDefNodeLowering, x: ValueRef, kind: Any = int32) -> ValueRef:
    found: ValueRef = step.add("Shape", x, out_type=kind)
    return found


def _transposed(step: GraphDefNodeLowering, x: ValueRef, order: list[int]) -> ValueRef:
    if order == sorted(order):
        return x
    found: ValueRef = step.add("Transpose", x, step.const(np.array(order, np.int32), "perm"))
    return found


def _back(order: list[int]) -> list[int]:
    return [int(at) for at in np.argsort(order)]


def _part(step: GraphDefNodeLowering, vector: ValueRef, first: int, last: int) -> ValueRef:
    """Return the elements of a vector between two positions."""
    bounds = [step.const([at], "part") for at in (first, last, 1)]
    found: ValueRef = step.add("StridedSlice", vector, *bounds, **masks())
    return found


def _product(step: GraphDefNodeLowering, vector: ValueRef) -> ValueRef:
    found: ValueRef = step.add("Prod", vector, step.const([0], "axis"), keep_dims=False)
    return found


def _joined(step: GraphDefNodeLowering, *vectors: ValueRef) -> ValueRef:
    found: ValueRef = step.add("ConcatV2", list(vectors), step.const(0, "concat_dim"))
    return found


# -- rows that were read ---------------------------------------------------------------------------


def _gathered_back(step: GraphDefNodeLowering) -> Any:
    """Add the rows at the indices that they were read from."""
    dy, indices, like = step.inputs
    indices, axis = as_index(step, indices), step.attrs["axis"]
    if step.attrs.get("wrap", False):
        indices = counted_from_the_end(step, indices, size_of(step, like, axis))
    batch = step.attrs.get("batch_dims", 0)
    if not batch and not axis:
        return step.last("UnsortedSegmentSum", dy, indices, size_of(step, like, 0))
    rank, width = step.rank(2), step.rank(1) - batch
    axis %= rank
    taken = list(range(axis, axis + width))
    rest = [at for at in range(rank - 1 + width) if at not in taken]
    rows = _transposed(step, dy, [*rest[:batch], *taken, *rest[batch:]])
    order = [*range(batch), axis, *(at for at in range(batch, rank) if at != axis)]
    sums = _summed_rows(step, rows, indices, like, (axis, batch, order))
    return step.last("Identity", _transposed(step, sums, _back(order)))


def _summed_rows(
    step: GraphDefNodeLowering,
    rows: ValueRef,
    indices: ValueRef,
    like: ValueRef,
    place: tuple[int, int, list[int]],
) -> ValueRef:
    """Return the sums of the rows of each index, in the order of axes of `place`.

    Args:
        place: the axis that was read, the number of shared axes, and the order.
    """
    axis, batch, order = place
    count = size_of(step, like, axis)
    if not batch:
        found: ValueRef = step.add("UnsortedSegmentSum", rows, indices, count)
        return found
    shared = _part(step, _shape(step, like), 0, batch)
    blocks = _product(step, shared)
    numbers = step.add("Range", step.const(0, "start"), blocks, step.const(1, "delta"))
    width = step.rank(1) - batch
    ones = step.const(np.ones(width, np.int32), "ones")
    begins = step.add("Reshape", step.add("Mul", numbers, count), _joined(step, shared, ones))
    places = step.add("AddV2", as_int32(step, indices), begins)
    total = step.add("UnsortedSegmentSum", rows, places, step.add("Mul", blocks, count))
    whole = step.add("GatherV2", _shape(step, like), step.const(np.array(order, np.int32), "order"),
                     step.const(0, "axis"), batch_dims=0)  # fmt: skip
    found = step.add("Reshape", total, whole)
    return found


def _rows_back(step: GraphDefNodeLowering) -> Any:
    dy, indices, like = step.inputs
    if step.attrs.get("batch_dims", 0):
        raise step.unsupported("TensorFlow's node has no batch_dims")
    indices = as_index(step, indices)
    return step.last("ScatterNd", indices, dy, _shape(step, like, indices.kind))


def _unmasked(step: GraphDefNodeLowering) -> Any:
    """Write the rows where the mask is true."""
    dy, mask, like = step.inputs
    rank, width = step.rank(2), step.rank(1)
    axis = step.attrs["axis"] % rank
    rows = _transposed(step, dy, [axis, *(at for at in range(rank - width + 1) if at != axis)])
    taken = [*range(axis, axis + width)]
    order = [*taken, *(at for at in range(rank) if at not in taken)]
    sizes = step.add("GatherV2", _shape(step, like, int64),
                     step.const(np.array(order, np.int32), "order"),
                     step.const(0, "axis"), batch_dims=0)  # fmt: skip
    whole = step.add("ScatterNd", step.add("Where", mask), rows, sizes)
    return step.last("Identity", _transposed(step, whole, _back(order)))


def _along(step: GraphDefNodeLowering) -> tuple[list[int], ValueRef, ValueRef]:
    """Return the order that moves an axis to the end, and two operands in this order."""
    rank = step.rank(1)
    axis = step.attrs["axis"] % rank
    order = [*(at for at in range(rank) if at != axis), axis]
    x, places = (_transposed(step, each, order) for each in step.inputs[:2])
    return order, x, as_index(step, places)


def _taken_along(step: GraphDefNodeLowering) -> Any:
    order, x, places = _along(step)
    last = len(order) - 1
    found = step.add("GatherV2", x, places, step.const(last, "axis"), batch_dims=last)
    return step.last("Identity", _transposed(step, found, _back(order)))


def _placed_along(step: GraphDefNodeLowering) -> Any:
    order, dy, places = _along(step)
    last = len(order) - 1
    like = _transposed(step, step.inputs[2], order)
    found = _summed_rows(step, dy, places, like, (last, last, [*range(last + 1)]))
    return step.last("Identity", _transposed(step, found, _back(order)))


# -- slices ----------------------------------------------------------------------------------------


def _sliced_back(step: GraphDefNodeLowering) -> Any:
    dy, like, *inputs = step.inputs
    vectors, marks = three(step, inputs)
    return step.last("StridedSliceGrad", _shape(step, like), *vectors, dy, **marks)


def _slice_back(step: GraphDefNodeLowering) -> Any:
    dy, like, begin = step.inputs
    begin = as_int32(step, begin)
    end = step.add("AddV2", begin, _shape(step, dy))
    strides = step.add("OnesLike", begin)
    return step.last("StridedSliceGrad", _shape(step, like), begin, end, strides, dy, **masks())


def _replaced_part(step: GraphDefNodeLowering) -> Any:
    if any(tensor.shape.rank != 0 for tensor in step.node.inputs[1:]):
        raise step.unsupported("TensorFlow does not know which of several values was written last")
    return read(step)


# -- joined, repeated and moved parts --------------------------------------------------------------


def _joined_part(step: GraphDefNodeLowering) -> Any:
    dy, *parts = step.inputs
    rank, position = step.rank(), step.attrs["position"]
    axis = step.attrs["axis"] % rank
    begins = [step.const(0, "begin")] * rank
    for part in parts[:position]:
        begins[axis] = step.add("AddV2", begins[axis], size_of(step, part, axis))
    begin = step.add("Pack", begins, axis=0)
    return step.last("Slice", dy, begin, _shape(step, parts[position]))


def _tiles_summed(step: GraphDefNodeLowering) -> Any:
    """Split each axis into its copies, and add these up."""
    dy, like = step.inputs[:2]
    counts = as_int32(step, dims(step, 2, "multiples", "multiples"))
    pairs = step.add("Pack", [counts, _shape(step, like)], axis=1)
    split = step.add("Reshape", dy, step.add("Reshape", pairs, step.const([-1], "flat")))
    axes = np.arange(0, 2 * step.rank(1), 2, dtype=np.int32)
    return step.last("Sum", split, step.const(axes, "axes"), keep_dims=False)


def _repeats_summed(step: GraphDefNodeLowering) -> Any:
    dy, like, repeats = step.inputs
    if step.attrs["count"] is None:
        raise step.unsupported("elements are repeated equally often, or one by one in a loop")
    rank = step.rank(1)
    axis = step.attrs["axis"] % rank
    sizes = _shape(step, like)
    count = step.add("Reshape", as_int32(step, repeats), step.const([1], "vector"))
    split = _joined(
        step, _part(step, sizes, 0, axis + 1), count, _part(step, sizes, axis + 1, rank)
    )
    parts = step.add("Reshape", dy, split)
    return step.last("Sum", parts, step.const([axis + 1], "axes"), keep_dims=False)


def _unpadded(step: GraphDefNodeLowering) -> Any:
    dy, like = step.inputs[:2]
    widths = as_int32(step, dims(step, 2, "paddings", "paddings"))
    if step.attrs["mode"] != "constant":
        return step.last("MirrorPadGrad", dy, widths, mode=step.attrs["mode"].upper())
    begins = step.add("Unpack", widths, num=2, axis=1)[0]
    return step.last("Slice", dy, begins, _shape(step, like))


def _moved(step: GraphDefNodeLowering) -> Any:
    """Pad with zeros at one end of an axis, and cut as many elements off at the other."""
    x, by, rank = step.inputs[0], step.attrs["by"], step.rank()
    axis = step.attrs["axis"] % rank
    widths, begin = np.zeros((rank, 2), np.int32), np.zeros(rank, np.int32)
    widths[axis] = max(by, 0), max(-by, 0)
    begin[axis] = max(-by, 0)
    zero = step.const(np.zeros((), step.dtype.np_dtype), "zero", step.dtype)
    padded = step.add("PadV2", x, step.const(widths, "paddings"), zero)
    return step.last("Slice", padded, step.const(begin, "begin"), _shape(step, x))


# -- products --------------------------------------------------------------------------------------


def _tensordot_gradient(step: GraphDefNodeLowering) -> Any:
    """Name the axes as the product does; the result has the names of one factor."""
    dy, *factors = step.inputs
    axes, position = step.attrs["axes"], step.attrs["position"]
    first, second = step.rank(1), step.rank(2)
    if isinstance(axes, int):
        axes = range(first - axes, first), range(axes)
    left = list(ascii_lowercase[:first])
    right = list(ascii_lowercase[first : first + second])
    for i, j in zip(*axes):
        right[j] = left[i]
    kept = [label for label in [*left, *right] if (left + right).count(label) == 1]
    mine, others = (left, right)[:: 1 if position == 0 else -1]
    equation = f"{''.join(kept)},{''.join(others)}->{''.join(mine)}"
    return step.last("Einsum", [dy, factors[1 - position]], equation=equation)


def _on_diagonal(step: GraphDefNodeLowering) -> Any:
    diagonal, like = step.inputs
    nothing = step.add("ZerosLike", like)
    return step.last("MatrixSetDiagV3", nothing, diagonal, step.const(0, "k"), align="RIGHT_LEFT")


# -- the gates of recurrent cells, as the nodes of their formulas ----------------------------------


class _Formula:
    """The nodes of a formula.

    Args:
        step: the node that has the formula.
    """

    def __init__(self, step: GraphDefNodeLowering) -> None:
        self.step = step
        one = np.ones((), step.dtype.np_dtype)
        self.one: ValueRef = step.const(one, "one", step.dtype)

    def product(self, *factors: ValueRef) -> ValueRef:
        """Return the product of factors."""
        found, *rest = factors
        for each in rest:
            found = self.step.add("Mul", found, each)
        return found

    def sum(self, one: ValueRef, other: ValueRef) -> ValueRef:
        """Return the sum of two values."""
        found: ValueRef = self.step.add("AddV2", one, other)
        return found

    def difference(self, one: ValueRef, other: ValueRef) -> ValueRef:
        """Return the difference of two values."""
        found: ValueRef = self.step.add("Sub", one, other)
        return found

    def rise(self, y: ValueRef) -> ValueRef:
        """Return y * (1 - y), the slope of a sigmoid."""
        return self.product(y, self.difference(self.one, y))

    def bend(self, y: ValueRef) -> ValueRef:
        """Return 1 - y * y, the slope of a hyperbolic tangent."""
        return self.difference(self.one, self.step.add("Square", y))

    def parts(self, x: ValueRef, count: int) -> Any:
        """Return the parts of the last axis."""
        return self.step.add("Split", self.step.const(-1, "split_dim"), x, num_split=count)

    def concatenated(self, *parts: ValueRef) -> ValueRef:
        """Return parts as one last axis."""
        found: ValueRef = self.step.add("ConcatV2", list(parts), self.step.const(-1, "axis"))
        return found


def _lstm(step: GraphDefNodeLowering) -> Any:
    d_output, d_new, gates, bent, carry = step.inputs
    of = _Formula(step)
    i, f, g, o = of.parts(gates, 4)
    into = of.sum(d_new, of.product(d_output, o, of.bend(bent)))
    sums = of.concatenated(
        of.product(into, g, of.rise(i)),
        of.product(into, carry, of.rise(f)),
        of.product(into, i, of.bend(g)),
        of.product(d_output, bent, of.rise(o)),
    )
    return [sums, step.last("Mul", into, f)]


def _gru(step: GraphDefNodeLowering) -> Any:
    d_new, gates, inner, state = step.inputs
    of = _Formula(step)
    z, r, g = of.parts(gates, 3)
    to_g = of.product(d_new, of.difference(of.one, z), of.bend(g))
    to_z = of.product(d_new, of.difference(state, g), of.rise(z))
    to_r = of.product(to_g, of.parts(inner, 3)[2], of.rise(r))
    of_x = of.concatenated(to_z, to_r, to_g)
    return [of_x, of.concatenated(to_z, to_r, of.product(to_g, r)), step.last("Mul", d_new, z)]


RULES: dict[str, Rule] = {
    "gathered_back": _gathered_back,
    "rows_back": _rows_back,
    "unmasked": _unmasked,
    "taken_along": _taken_along,
    "placed_along": _placed_along,
    "sliced_back": _sliced_back,
    "slice_back": _slice_back,
    "replaced_part": _replaced_part,
    "joined_part": _joined_part,
    "tiles_summed": _tiles_summed,
    "repeats_summed": _repeats_summed,
    "unpadded": _unpadded,
    "moved": _moved,
    "tensordot_grad": _tensordot_gradient,
    "on_diagonal": _on_diagonal,
    "lstm_gates_grad": _lstm,
    "gru_gates_grad": _gru,
}
