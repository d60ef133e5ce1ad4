"""Shapes, creation, joining, moving, sorting and searching of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.dtypes import DType, bool_, int32, int64
from runtime.export.onnx.node_lowering import OnnxNodeLowering, Rule
from runtime.export.onnx.values import ModelTensor

LAST = 2**62


def _shape(step: OnnxNodeLowering) -> Any:
    return step.cast(step.shape(step.inputs[0]), step.dtype)


def _size(step: OnnxNodeLowering) -> Any:
    return step.cast(step.op("Size", step.inputs[0]), step.dtype)


def _rank(step: OnnxNodeLowering) -> Any:
    return step.cast(step.op("Size", step.shape(step.inputs[0])), step.dtype)


# -- creation --------------------------------------------------------------------------------------


def full(step: OnnxNodeLowering, value: Any, dtype: DType, shape: ModelTensor) -> ModelTensor:
    """Return a tensor of a shape, a vector of int64, with the same number everywhere."""
    return step.op("Expand", step.const(value, dtype), shape)


def _fill(step: OnnxNodeLowering) -> Any:
    return step.op("Expand", step.inputs[0], step.dims(1, "shape"))


def _full_like(number: int) -> Rule:
    def rule(step: OnnxNodeLowering) -> Any:
        value: Any = "" if step.dtype.is_string else number
        return full(step, value, step.dtype, step.shape(step.inputs[0]))

    return rule


def arange(step: OnnxNodeLowering, count: ModelTensor) -> ModelTensor:
    """Return 0, 1, ... as int64, up to a count that is a scalar or a vector with one element."""
    return step.op("Range", step.number(0), step.op("Squeeze", count), step.number(1))


def _range(step: OnnxNodeLowering) -> Any:
    dtype = step.dtype
    if not dtype.is_integer:
        return step.op("Range", *step.inputs)
    bounds = [step.cast(each, int64) for each in step.inputs]
    return step.cast(step.op("Range", *bounds), dtype)


def _linspace(step: OnnxNodeLowering) -> Any:
    """Return evenly spaced numbers; the last one is exact."""
    start, stop = step.inputs
    count = step.attrs["num"]
    if step.rank() or step.rank(1):
        raise step.unsupported("its ends are arrays: compute it with range")
    parts = step.const(np.arange(count - 1), step.dtype)
    delta = step.op("Div", step.op("Sub", stop, start), step.const(max(count - 1, 1), step.dtype))
    first = step.op("Add", start, step.op("Mul", parts, delta))
    end = step.op("Unsqueeze", stop if count > 1 else start, step.ints(0))
    return step.op("Concat", first, end, axis=0) if count > 0 else first


def _eye(step: OnnxNodeLowering) -> Any:
    shape = step.dims(0, "shape")
    one, zero = (step.const(number, step.dtype) for number in (1, 0))
    rows, columns = (arange(step, _at(step, shape, place)) for place in (-2, -1))
    same = step.op("Equal", step.op("Unsqueeze", rows, step.ints(1)), columns)
    return step.op("Expand", step.where(same, one, zero), shape)


def _at(step: OnnxNodeLowering, vector: ModelTensor, place: int) -> ModelTensor:
    """Return an element of a vector, a scalar."""
    return step.op("Gather", vector, step.number(place), axis=0)


def _one_hot(step: OnnxNodeLowering) -> Any:
    indices, on, off = step.inputs
    rank = step.rank()
    axis = step.attrs["axis"] % (rank + 1)
    indices = step.op("Unsqueeze", step.cast(indices, int64), step.ints(axis))
    places = np.arange(step.attrs["depth"]).reshape([-1] + [1] * (rank - axis))
    return step.where(step.op("Equal", indices, step.const(places, int64)), on, off)


# -- shapes ----------------------------------------------------------------------------------------


def _reshape(step: OnnxNodeLowering) -> Any:
    shape = step.dims(1, "shape")
    known = step.builder.known(shape)
    # A literal 0 is a size here, and -1 cannot stand beside one.
    exact = {} if known is not None and -1 in known else {"allowzero": 1}
    return step.op("Reshape", step.inputs[0], shape, **exact)


def _broadcast_to(step: OnnxNodeLowering) -> Any:
    return step.op("Expand", step.inputs[0], step.dims(1, "shape"))


def _broadcast_like(step: OnnxNodeLowering) -> Any:
    x, like = step.inputs
    return step.op("Expand", x, step.shape(like))


def _spread(step: OnnxNodeLowering) -> Any:
    x, like = step.inputs
    axes = sorted(each % step.rank(1) for each in step.attrs["axis"])
    return step.op("Expand", step.op("Unsqueeze", x, step.ints(*axes)), step.shape(like))


def _transpose(step: OnnxNodeLowering) -> Any:
    perm = step.attrs["perm"]
    attrs = {} if perm is None else {"perm": [each % len(perm) for each in perm]}
    return step.op("Transpose", step.inputs[0], **attrs)


def swapped(step: OnnxNodeLowering, x: ModelTensor, rank: int) -> ModelTensor:
    """Return a tensor with its last two axes exchanged."""
    order = [*range(rank - 2), rank - 1, rank - 2]
    return step.op("Transpose", x, perm=order)


def _matrix_transpose(step: OnnxNodeLowering) -> Any:
    return swapped(step, step.inputs[0], step.rank())


def _expand_dims(step: OnnxNodeLowering) -> Any:
    return step.op("Unsqueeze", step.inputs[0], step.ints(step.attrs["axis"]))


def _squeeze(step: OnnxNodeLowering) -> Any:
    axis = step.attrs["axis"]
    if axis is None or axis == ():
        return step.op("Squeeze", step.inputs[0])
    axes = axis if isinstance(axis, tuple) else (axis,)
    return step.op("Squeeze", step.inputs[0], step.ints(*axes))


# -- joining and moving ----------------------------------------------------------------------------


def _concat(step: OnnxNodeLowering) -> Any:
    return step.op("Concat", *step.inputs, axis=step.attrs["axis"])


def _stack(step: OnnxNodeLowering) -> Any:
    axis = step.attrs["axis"]
    return step.op(
        "Concat", *(step.op("Unsqueeze", x, step.ints(axis)) for x in step.inputs), axis=axis
    )


def _unstack(step: OnnxNodeLowering) -> Any:
    x, axis = step.inputs[0], step.attrs["axis"]
    return [step.op("Gather", x, step.number(at), axis=axis) for at in range(step.attrs["num"])]


def _split(step: OnnxNodeLowering) -> Any:
    sizes, axis, count = step.attrs["sizes"], step.attrs["axis"], len(step.node.outputs)
    if isinstance(sizes, int):
        return step.ops("Split", count, step.inputs[0], axis=axis, num_outputs=count)
    return step.ops("Split", count, step.inputs[0], _part_sizes(step, list(sizes)), axis=axis)


def _part_sizes(step: OnnxNodeLowering, sizes: list[int]) -> ModelTensor:
    """Return the sizes of parts; -1 stands for the rest."""
    if -1 not in sizes:
        return step.ints(*sizes)
    rest = step.size(step.inputs[0], step.attrs["axis"] % step.rank())
    rest = step.op("Sub", rest, step.ints(sum(sizes) + 1))
    parts = [rest if each == -1 else step.ints(each) for each in sizes]
    return step.op("Concat", *parts, axis=0)


def _tile(step: OnnxNodeLowering) -> Any:
    return step.op("Tile", step.inputs[0], step.dims(1, "multiples"))


def _repeat(step: OnnxNodeLowering) -> Any:
    step.note_negative(1, "a negative number of times is like 0: here it is an error")
    x, times = step.inputs[0], step.index(1)
    return repeated(step, x, times, step.attrs["axis"] % step.rank())


def repeated(step: OnnxNodeLowering, x: ModelTensor, times: ModelTensor, axis: int) -> ModelTensor:
    """Repeat rows: the row of each result is the number of ends before it."""
    times = step.op("Expand", times, step.size(x, axis))
    return step.op("Gather", x, repeated_places(step, times), axis=axis)


def repeated_places(step: OnnxNodeLowering, times: ModelTensor) -> ModelTensor:
    """Return 0, 1, ... each as often as the numbers of a vector say."""
    ends = step.op("CumSum", times, step.number(0))
    places = arange(step, step.op("ReduceSum", times, keepdims=0))
    column = step.op("Unsqueeze", places, step.ints(1))
    is_after = step.cast(step.op("GreaterOrEqual", column, ends), int64)
    return step.op("ReduceSum", is_after, step.ints(1), keepdims=0)


def reversed_along(step: OnnxNodeLowering, x: ModelTensor, axes: list[int]) -> ModelTensor:
    """Return a tensor with axes from their end to their start."""
    count = len(axes)
    starts, ends = step.ints(*[-1] * count), step.ints(*[-LAST] * count)
    return step.op("Slice", x, starts, ends, step.ints(*axes), step.ints(*[-1] * count))


def _reverse(step: OnnxNodeLowering) -> Any:
    axes = list(step.attrs["axis"])
    return reversed_along(step, step.inputs[0], axes) if axes else step.inputs[0]


def _roll(step: OnnxNodeLowering) -> Any:
    """Roll axes: the element at a place comes from the place that many before."""
    x, axes = step.inputs[0], step.attrs["axis"]
    shifts = step.op("Expand", step.index(1), step.ints(len(axes)))
    for number, axis in enumerate(axes):
        size = step.size(x, axis % step.rank())
        places = step.op("Sub", arange(step, size), _at(step, shifts, number))
        x = step.op("Gather", x, step.op("Mod", places, size), axis=axis)
    return x


def _pad(step: OnnxNodeLowering) -> Any:
    x, value = step.inputs[:2]
    return padded(step, x, padding_widths(step), value)


def padded(
    step: OnnxNodeLowering, x: ModelTensor, widths: ModelTensor, value: ModelTensor | None = None
) -> ModelTensor:
    """Return a tensor padded in the mode of a node; ONNX has no symmetric one."""
    mode = step.attrs["mode"]
    if mode != "symmetric":
        return step.op("Pad", x, widths, value if mode == "constant" else None, mode=mode)
    rank = step.rank()
    for axis in range(rank):
        size = step.op("Squeeze", step.size(x, axis))
        before, after = (step.op("Gather", widths, step.number(at)) for at in (axis, axis + rank))
        end, one = step.op("Add", size, after), step.number(1)
        places = step.op("Range", step.op("Neg", before), end, one)
        period = step.op("Add", size, size)
        forth = step.op("Mod", places, step.op("Max", period, one))
        back = step.op("Sub", step.op("Sub", period, one), forth)
        x = step.op("Gather", x, step.op("Min", forth, back), axis=axis)
    return x


def padding_widths(step: OnnxNodeLowering) -> ModelTensor:
    """Return the widths before all axes, then those after them."""
    if len(step.inputs) > 2:
        pairs = step.op("Transpose", step.index(2), perm=[1, 0])
        return step.op("Reshape", pairs, step.ints(-1))
    pairs = step.attrs["paddings"]
    return step.ints(*(a for a, _ in pairs), *(b for _, b in pairs))


def _reverse_sequence(step: OnnxNodeLowering) -> Any:
    """Reverse the start of each row, by the places that its elements come from."""
    x, lengths = step.inputs[0], step.index(1)
    rank = step.rank()
    along, batch = (step.attrs[name] % rank for name in ("seq_axis", "batch_axis"))
    places = _on_axis(step, arange(step, step.size(x, along)), along, rank)
    count = _on_axis(step, lengths, batch, rank)
    turned = step.op("Sub", step.op("Sub", count, step.number(1)), places)
    places = step.where(step.op("Less", places, count), turned, places)
    return step.op("GatherElements", x, step.op("Expand", places, step.shape(x)), axis=along)


def _on_axis(step: OnnxNodeLowering, vector: ModelTensor, axis: int, rank: int) -> ModelTensor:
    others = [each for each in range(rank) if each != axis]
    return step.op("Unsqueeze", vector, step.ints(*others)) if others else vector


# -- sorting and searching -------------------------------------------------------------------------


def ordered(
    step: OnnxNodeLowering, x: ModelTensor, axis: int, descending: bool, rank: int
) -> tuple[ModelTensor, ModelTensor]:
    """Return sorted elements and their places; equal ones stay in order, as TopK keeps them."""
    if x.dtype.is_string:
        raise step.unsupported("ONNX has no order of texts")
    _note_nan(step, x)
    count = step.size(x, axis % rank)
    kind = int32 if x.dtype is bool_ else x.dtype
    values, places = step.ops(
        "TopK", 2, step.cast(x, kind), count, axis=axis, largest=int(descending), sorted=1
    )
    return step.cast(values, x.dtype), _second(places)


def _note_nan(step: OnnxNodeLowering, x: ModelTensor) -> None:
    """Note that NaN has a place of its own in an order of floats."""
    known = step.builder.known(x)
    if x.dtype.is_floating and (known is None or np.isnan(known).any()):
        step.omit("NaN", "engines put NaN elsewhere when they order floats")


def _second(places: ModelTensor) -> ModelTensor:
    return places._replace(dtype=int64)


def _sort(step: OnnxNodeLowering) -> Any:
    return ordered(step, step.inputs[0], step.attrs["axis"], step.attrs["descending"], step.rank())[
        0
    ]


def _argsort(step: OnnxNodeLowering) -> Any:
    x, axis = step.inputs[0], step.attrs["axis"]
    found = ordered(step, x, axis, step.attrs["descending"], step.rank())[1]
    return step.cast(found, step.dtype)


def _python_order(step: OnnxNodeLowering) -> Any:
    return step.cast(_tuple_order(step, step.inputs, step.attrs["descending"]), step.dtype)


def _tuple_order(
    step: OnnxNodeLowering, columns: Sequence[ModelTensor], descending: bool
) -> ModelTensor:
    """Return the places that sort tuples of elements.

    The last column is sorted first: each further order keeps equal items where they are.
    """
    *others, last = columns
    places = ordered(step, last, 0, descending, 1)[1]
    for column in reversed(others):
        now = step.op("Gather", column, places, axis=0)
        places = step.op("Gather", places, ordered(step, now, 0, descending, 1)[1], axis=0)
    return places


def _first_extreme(step: OnnxNodeLowering) -> Any:
    """Return the first place of the largest item; of tuples, that of an order, which is stable."""
    largest = step.attrs["largest"]
    if len(step.inputs) > 1:
        places = _tuple_order(step, step.inputs, largest)
        return step.cast(_at(step, places, 0), step.dtype)
    x = step.inputs[0]
    if x.dtype.is_string:
        raise step.unsupported("ONNX has no order of texts")
    x = step.cast(x, int32) if x.dtype is bool_ else x
    operator = "ArgMax" if largest else "ArgMin"
    if not x.dtype.is_floating:
        return step.cast(step.op(operator, x, axis=0, keepdims=0), step.dtype)
    # Comparisons with NaN are false: Python chooses a NaN only if it comes first.
    first = _at(step, x, 0)
    found = step.op(operator, step.where(step.op("IsNaN", x), first, x), axis=0, keepdims=0)
    return step.cast(step.where(step.op("IsNaN", first), step.number(0), found), step.dtype)


def _arg(operator: str) -> Rule:
    def rule(step: OnnxNodeLowering) -> Any:
        x = step.inputs[0]
        x = step.cast(x, int32) if x.dtype is bool_ else x
        if x.dtype.is_floating:
            # NaN is neither the largest nor the smallest.
            last = step.like(-np.inf if operator == "ArgMax" else np.inf, x)
            x = step.where(step.op("IsNaN", x), last, x)
        return step.cast(step.op(operator, x, axis=step.attrs["axis"], keepdims=0), step.dtype)

    return rule


def _top_k(step: OnnxNodeLowering) -> Any:
    _note_nan(step, step.inputs[0])
    count = step.ints(step.attrs["k"])
    values, places = step.ops("TopK", 2, step.inputs[0], count, axis=-1, largest=1, sorted=1)
    return [values, step.cast(_second(places), step.node.outputs[1].dtype)]


def _in_top_k(step: OnnxNodeLowering) -> Any:
    """Return whether fewer than k predictions are larger than that of the target."""
    targets, predictions, k = step.inputs
    place = step.op("Unsqueeze", step.cast(targets, int64), step.ints(1))
    last = step.op("Sub", step.size(predictions, 1), step.ints(1))
    within = step.op("Max", step.op("Min", place, last), step.ints(0))
    is_class, place = step.op("Equal", place, within), within
    own = step.op("GatherElements", predictions, place, axis=1)
    larger = step.cast(step.op("Greater", predictions, own), int64)
    count = step.op("ReduceSum", larger, step.ints(1), keepdims=0)
    finite = step.op("Not", step.op("Or", step.op("IsNaN", own), step.op("IsInf", own)))
    few = step.op("Less", count, step.cast(k, int64))
    counted = step.op("And", finite, is_class)
    return step.op("And", few, step.op("Squeeze", counted, step.ints(1)))


def _nonzero(step: OnnxNodeLowering) -> Any:
    x = step.inputs[0]
    if x.dtype.is_string:
        x = step.op("Not", step.op("Equal", x, step.like("", x)))
    found = step.op("NonZero", step.cast(x, bool_))
    return step.cast(step.op("Transpose", found, perm=[1, 0]), step.dtype)


def _unique(step: OnnxNodeLowering) -> Any:
    """Return distinct elements in the order of their first places, and their numbers."""
    values, _, numbers, counts = step.ops("Unique", 4, step.inputs[0], sorted=0)
    found = [values, *(each._replace(dtype=int64) for each in (numbers, counts))]
    kinds = [each.dtype for each in step.node.outputs]
    return [step.cast(each, kind) for each, kind in zip(found, kinds)]


def _searchsorted(step: OnnxNodeLowering) -> Any:
    """Count the elements before each value."""
    ordered_, values = step.inputs
    row = step.op("Unsqueeze", ordered_, step.ints(-2))
    column = step.op("Unsqueeze", values, step.ints(-1))
    operator = "Less" if step.attrs["side"] == "left" else "LessOrEqual"
    before = step.cast(step.op(operator, row, column), int64)
    return step.cast(step.op("ReduceSum", before, step.ints(-1), keepdims=0), step.dtype)


def _invert_permutation(step: OnnxNodeLowering) -> Any:
    step.note_negative(0)
    x = step.index(0)
    places = arange(step, step.size(x, 0))
    return step.cast(step.op("ScatterElements", x, x, places, axis=0), step.dtype)


def _cumsum(step: OnnxNodeLowering) -> Any:
    flags = {name: int(step.attrs[name]) for name in ("exclusive", "reverse")}
    return step.op("CumSum", step.inputs[0], step.number(step.attrs["axis"]), **flags)


def _cumprod(step: OnnxNodeLowering) -> Any:
    """Multiply along an axis, an iteration of a loop for each place."""
    x, axis, rank = step.inputs[0], step.attrs["axis"] % step.rank(), step.rank()
    backwards = step.attrs["reverse"]
    x = reversed_along(step, x, [axis]) if backwards else x
    rows = step.op("Transpose", x, perm=_front(axis, rank)) if axis else x
    ones = full(step, 1, x.dtype, step.shape(rows, 1)) if rank > 1 else step.like(1, x)
    made = step.op("Slice", rows, step.ints(0), step.ints(0), step.ints(0))

    def body(iteration: ModelTensor, values: list[ModelTensor]) -> tuple[None, list[ModelTensor]]:
        total, found = values
        new = step.op("Mul", total, step.op("Gather", rows, iteration, axis=0))
        kept = step.op("Unsqueeze", total if step.attrs["exclusive"] else new, step.ints(0))
        return None, [new, step.op("Concat", found, kept, axis=0)]

    iterations = step.op("Squeeze", step.size(rows, 0))
    found = step.repeated(iterations, [ones, made], body)[1]
    found = step.op("Transpose", found, perm=_back(axis, rank)) if axis else found
    return reversed_along(step, found, [axis]) if backwards else found


def _front(axis: int, rank: int) -> list[int]:
    return [axis, *(each for each in range(rank) if each != axis)]


def _back(axis: int, rank: int) -> list[int]:
    return [int(place) for place in np.argsort(_front(axis, rank))]


RULES: dict[str, Rule] = {
    "shape": _shape,
    "size": _size,
    "rank": _rank,
    "fill": _fill,
    "zeros_like": _full_like(0),
    "ones_like": _full_like(1),
    "range": _range,
    "linspace": _linspace,
    "eye": _eye,
    "one_hot": _one_hot,
    "reshape": _reshape,
    "broadcast_to": _broadcast_to,
    "broadcast_like": _broadcast_like,
    "spread": _spread,
    "transpose": _transpose,
    "matrix_transpose": _matrix_transpose,
    "expand_dims": _expand_dims,
    "squeeze": _squeeze,
    "concat": _concat,
    "stack": _stack,
    "unstack": _unstack,
    "split": _split,
    "tile": _tile,
    "repeat": _repeat,
    "reverse": _reverse,
    "roll": _roll,
    "pad": _pad,
    "reverse_sequence": _reverse_sequence,
    "sort": _sort,
    "argsort": _argsort,
    "python_order": _python_order,
    "first_extreme": _first_extreme,
    "argmax": _arg("ArgMax"),
    "argmin": _arg("ArgMin"),
    "top_k": _top_k,
    "in_top_k": _in_top_k,
    "nonzero": _nonzero,
    "unique": _unique,
    "unique_with_counts": _unique,
    "searchsorted": _searchsorted,
    "invert_permutation": _invert_permutation,
    "cumsum": _cumsum,
    "cumprod": _cumprod,
}
