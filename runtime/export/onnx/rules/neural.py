"""Matrix products, convolutions, pools, activations and the gates of recurrent cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from runtime.core.dtypes import float64
from runtime.export.onnx.node_lowering import OnnxNodeLowering, Rule
from runtime.export.onnx.rules.arithmetic import softplus
from runtime.export.onnx.rules.manipulation import swapped
from runtime.export.onnx.values import ModelTensor
from runtime.ops.neural.windows import Pads, Sliding

_SIZES = "the sizes of its images are found when it runs: give them"


def _matmul(step: OnnxNodeLowering) -> Any:
    x, y = step.inputs
    if step.attrs.get("transpose_a"):
        x = swapped(step, x, step.rank(0))
    if step.attrs.get("transpose_b"):
        y = swapped(step, y, step.rank(1))
    return step.op("MatMul", x, y)


def _einsum(step: OnnxNodeLowering) -> Any:
    return step.op("Einsum", *step.inputs, equation=step.attrs["equation"])


def _tensordot(step: OnnxNodeLowering) -> Any:
    """Contract axes, each of which has one letter in both operands."""
    ranks = [step.rank(0), step.rank(1)]
    left, right = _contracted(step.attrs["axes"], ranks)
    if (left, right, ranks[1]) == ([ranks[0] - 1], [0], 2):
        return step.op("MatMul", *step.inputs)
    letters = [chr(ord("a") + number) for number in range(sum(ranks))]
    first, second = letters[: ranks[0]], letters[ranks[0] :]
    for one, other in zip(left, right):
        second[other] = first[one]
    kept = [x for at, x in enumerate(first) if at not in left]
    kept += [x for at, x in enumerate(second) if at not in right]
    equation = f"{''.join(first)},{''.join(second)}->{''.join(kept)}"
    return step.op("Einsum", *step.inputs, equation=equation)


def _contracted(axes: Any, ranks: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the axes of both operands that are contracted; a number stands for inner ones."""
    if isinstance(axes, int):
        return list(range(ranks[0] - axes, ranks[0])), list(range(axes))
    left, right = ([each % rank for each in side] for side, rank in zip(axes, ranks))
    return left, right


# -- diagonals -------------------------------------------------------------------------------------


def _band_part(step: OnnxNodeLowering) -> Any:
    x, (low, high) = step.inputs[0], (step.attrs[name] for name in ("num_lower", "num_upper"))
    if low >= 0:
        x = step.op("Trilu", x, step.number(-low), upper=1)
    return step.op("Trilu", x, step.number(high), upper=0) if high >= 0 else x


def _diag_part(step: OnnxNodeLowering) -> Any:
    return diagonal_of(step, step.inputs[0], step.rank())


def diagonal_of(step: OnnxNodeLowering, x: ModelTensor, rank: int) -> ModelTensor:
    """Pick the elements of a diagonal out of the rows."""
    width = step.op("Min", step.size(x, -1), step.size(x, rank - 2))
    places = step.op("Range", step.number(0), step.op("Squeeze", width), step.number(1))
    lead = step.shape(x, 0, -2)
    rows = step.op("Slice", x, step.ints(0), width, step.ints(-2))
    column = step.op("Unsqueeze", places, step.ints(1))
    shape = step.op("Concat", lead, width, step.ints(1), axis=0)
    found = step.op("GatherElements", rows, step.op("Expand", column, shape), axis=-1)
    return step.op("Squeeze", found, step.ints(-1))


def _diag(step: OnnxNodeLowering) -> Any:
    x = step.inputs[0]
    size = step.op("Squeeze", step.size(x, -1))
    places = step.op("Range", step.number(0), size, step.number(1))
    same = step.op("Equal", step.op("Unsqueeze", places, step.ints(1)), places)
    return step.where(same, step.op("Unsqueeze", x, step.ints(-1)), step.like(0, x))


# -- activations -----------------------------------------------------------------------------------


def _relu(step: OnnxNodeLowering) -> Any:
    x = step.inputs[0]
    return step.op("Max", x, step.like(0, x))


def _relu6(step: OnnxNodeLowering) -> Any:
    x = step.inputs[0]
    return step.op("Min", step.op("Max", x, step.like(0, x)), step.like(6, x))


def _relu_grad(step: OnnxNodeLowering) -> Any:
    x = step.inputs[0]
    return step.cast(step.op("Greater", x, step.like(0, x)), step.dtype)


def _softmax(operator: str) -> Rule:
    def rule(step: OnnxNodeLowering) -> Any:
        return step.op(operator, step.inputs[0], axis=step.attrs["axis"])

    return rule


def _elu(step: OnnxNodeLowering) -> Any:
    x = step.inputs[0]
    if x.dtype is not float64:
        return step.op("Elu", x)
    below = step.op("Sub", step.op("Exp", x), step.like(1, x))
    return step.where(step.op("Greater", x, step.like(0, x)), x, below)


def _sigmoid_cross_entropy(step: OnnxNodeLowering) -> Any:
    labels, logits = step.inputs
    rest = softplus(step, step.op("Neg", step.op("Abs", logits)))
    above = step.op("Sub", step.op("Max", logits, step.like(0, logits)),
                    step.op("Mul", logits, labels))  # fmt: skip
    return step.op("Add", above, rest)


def _sparse_loss(step: OnnxNodeLowering) -> Any:
    step.note_negative(0)
    labels, logits = step.index(0), step.inputs[1]
    found = step.op("LogSoftmax", logits, axis=-1)
    place = step.op("Unsqueeze", labels, step.ints(-1))
    picked = step.op("GatherElements", found, place, axis=-1)
    return step.op("Neg", step.op("Squeeze", picked, step.ints(-1)))


def _sparse_grad(step: OnnxNodeLowering) -> Any:
    labels, logits = step.index(0), step.inputs[1]
    count = step.op("Squeeze", step.size(logits, -1))
    places = step.op("Range", step.number(0), count, step.number(1))
    hot = step.op("Equal", step.op("Unsqueeze", labels, step.ints(-1)), places)
    return step.op("Sub", step.op("Softmax", logits, axis=-1), step.cast(hot, logits.dtype))


def _sparse_both(step: OnnxNodeLowering) -> Any:
    return [_sparse_loss(step), _sparse_grad(step)]


def _lstm(step: OnnxNodeLowering) -> Any:
    x, inner, carry = step.inputs
    sums = step.ops("Split", 4, step.op("Add", x, inner), axis=-1, num_outputs=4)
    i, f, o = (step.op("Sigmoid", sums[at]) for at in (0, 1, 3))
    g = step.op("Tanh", sums[2])
    new = step.op("Add", step.op("Mul", f, carry), step.op("Mul", i, g))
    bent = step.op("Tanh", new)
    return [step.op("Mul", o, bent), new, step.op("Concat", i, f, g, o, axis=-1), bent]


def _gru(step: OnnxNodeLowering) -> Any:
    x, inner, state = step.inputs
    first, second = (step.ops("Split", 3, each, axis=-1, num_outputs=3) for each in (x, inner))
    z, r = (step.op("Sigmoid", step.op("Add", first[at], second[at])) for at in (0, 1))
    g = step.op("Tanh", step.op("Add", first[2], step.op("Mul", r, second[2])))
    rest = step.op("Mul", step.op("Sub", step.like(1, x), z), g)
    new = step.op("Add", step.op("Mul", z, state), rest)
    return [new, step.op("Concat", z, r, g, axis=-1)]


# -- windows over images ---------------------------------------------------------------------------


def channels_first(step: OnnxNodeLowering, x: ModelTensor, how: Sliding, rank: int) -> ModelTensor:
    """Return images with one axis for the batch and the channels second."""
    if how.channels_first:
        return x
    if rank != how.rank + 2:
        tail = step.shape(x, rank - how.rank - 1)
        x = step.op("Reshape", x, step.op("Concat", step.ints(-1), tail, axis=0))
    last = how.rank + 1
    return step.op("Transpose", x, perm=[0, last, *range(1, last)])


def as_given(
    step: OnnxNodeLowering, found: ModelTensor, like: ModelTensor, how: Sliding, rank: int
) -> ModelTensor:
    """Return images in the layout of those of the node."""
    if how.channels_first:
        return found
    found = step.op("Transpose", found, perm=[0, *range(2, how.rank + 2), 1])
    if rank == how.rank + 2:
        return found
    lead = step.shape(like, 0, rank - how.rank - 1)
    tail = step.shape(found, 1)
    return step.op("Reshape", found, step.op("Concat", lead, tail, axis=0))


def window_attrs(step: OnnxNodeLowering, how: Sliding, window: Sequence[Any]) -> dict[str, Any]:
    """Return the attributes of an operator with windows."""
    attrs: dict[str, Any] = {"strides": list(how.strides)}
    if set(dilations_of(how)) != {1}:
        attrs["dilations"] = dilations_of(how)
    if how.padding == "SAME" and "dilations" in attrs:
        attrs["pads"] = sides(pads_of(step, how, window))
    elif how.padding == "SAME":
        attrs["auto_pad"] = "SAME_UPPER"
    elif not isinstance(how.padding, str):
        attrs["pads"] = sides(how.padding)
    return attrs


def pads_of(step: OnnxNodeLowering, how: Sliding, window: Sequence[Any]) -> Pads:
    """Return the padding of the windows over the first operand.

    If the strides are 1, it is the same for images of all sizes.
    """
    how = replace(how, dilations=tuple(dilations_of(how)))
    sizes = how.split_shape(step.spec().shape)[1]
    if set(how.strides) == {1} or how.padding != "SAME":
        sizes = (1,) * how.rank
    if None in (*sizes, *window):
        raise step.unsupported("the sizes of its windows or images are unknown: give them")
    return how.all_pads(sizes, window)


def sides(pads: Pads) -> list[int]:
    """Return the padding before all axes, then that after them."""
    return [pair[side] for side in (0, 1) for pair in pads]


def dilations_of(how: Sliding) -> list[int]:
    """Return the dilation of each axis."""
    given = list(how.dilations)
    return given if len(given) == how.rank else given * how.rank


def _groups(step: OnnxNodeLowering, position: int, filters: int, how: Sliding) -> int:
    channels = how.split_shape(step.spec(position).shape)[2]
    depth = step.spec(filters).shape[-2] if step.spec(filters).shape.rank is not None else None
    if channels is None or depth is None:
        raise step.unsupported("the number of its channels is found when it runs: give it")
    return int(channels // depth)


def _convolution(step: OnnxNodeLowering) -> Any:
    x, filters = step.inputs
    how: Sliding = step.attrs["sliding"]
    rank, axes = step.rank(), how.rank
    weights = step.op("Transpose", filters, perm=[axes + 1, axes, *range(axes)])
    filters_shape = tuple(step.spec(1).shape.dims or (None,) * axes)
    found = step.op(
        "Conv",
        channels_first(step, x, how, rank),
        weights,
        group=_groups(step, 0, 1, how),
        **window_attrs(step, how, filters_shape[:axes]),
    )
    return as_given(step, found, x, how, rank)


def _to_input(step: OnnxNodeLowering) -> Any:
    """Lower a transposed convolution, whose padding follows from the sizes of its results."""
    filters, dy = step.inputs[:2]
    how: Sliding = step.attrs["sliding"]
    rank, axes = step.rank(1), how.rank
    channels = how.split_shape(step.node.outputs[0].shape)[2]
    window: Any = list(step.spec(0).shape[:axes])
    depth = step.spec(0).shape[-2]
    if None in (*window, channels, depth):
        raise step.unsupported(_SIZES)
    weights = step.op("Transpose", filters, perm=[axes + 1, axes, *range(axes)])
    first = channels_first(step, dy, how, rank)
    found = spread(step, first, weights, (how, window), group=int(channels // depth))
    return as_given(step, found, dy, how, rank)


def spread(
    step: OnnxNodeLowering,
    dy: ModelTensor,
    weights: ModelTensor,
    windows: tuple[Sliding, Sequence[int]],
    **attrs: Any,
) -> ModelTensor:
    """Return the sums of windows over the elements of the images that a node results in.

    Args:
        dy: the factors of the windows, channels first.
        windows: their way of sliding, and their sizes.
    """
    how, window = windows
    sizes = how.split_shape(step.node.outputs[0].shape)[1]
    if None in sizes:
        return _spread_to_size(step, dy, weights, how, **attrs)
    pads, steps = how.all_pads(sizes, window), how.all_steps(sizes, window)
    attrs["output_padding"] = _output_padding(how, sizes, steps, window, pads)
    return step.op(
        "ConvTranspose",
        dy,
        weights,
        dilations=dilations_of(how),
        strides=list(how.strides),
        pads=sides(pads),
        **attrs,
    )


def _spread_to_size(
    step: OnnxNodeLowering, dy: ModelTensor, weights: ModelTensor, how: Sliding, **attrs: Any
) -> ModelTensor:
    """Return the sums of windows, cut or padded to the sizes that an operand has."""
    if len(step.inputs) < 3 or step.node.op.name != "convolution_to_input":
        raise step.unsupported(_SIZES)
    attrs.update(dilations=dilations_of(how), strides=list(how.strides))
    whole = step.op("ConvTranspose", dy, weights, **attrs)
    first = 2 if how.channels_first else 1
    place = step.ints(first), step.ints(first + how.rank)
    wanted, have = step.op("Slice", step.index(2), *place), step.shape(whole, 2)
    none = step.ints(*[0] * how.rank)
    before = none
    if how.padding == "SAME":
        before = step.op("Div", step.op("Max", step.op("Sub", have, wanted), none), step.number(2))
    elif not isinstance(how.padding, str):
        before = step.ints(*(pair[0] for pair in how.padding))
    end = step.op("Add", before, wanted)
    after = step.op("Max", step.op("Sub", end, have), none)
    pads = step.op("Concat", step.ints(*[0] * (how.rank + 4)), after, axis=0)
    axes = step.ints(*range(2, how.rank + 2))
    return step.op("Slice", step.op("Pad", whole, pads), before, end, axes)


def _output_padding(
    how: Sliding, sizes: Sequence[int], steps: Sequence[int], window: Sequence[int], pads: Any
) -> list[int]:
    """Return the elements after the last window along each axis."""
    return [
        size + sum(pad) - ((count - 1) * stride + how.extent(axis, width))
        for axis, (size, count, stride, width, pad) in enumerate(
            zip(sizes, steps, how.strides, window, pads)
        )
    ]


def _pool(operator: str, **attrs: Any) -> Rule:
    def rule(step: OnnxNodeLowering) -> Any:
        x, rank = step.inputs[0], step.rank()
        how: Sliding = step.attrs["sliding"]
        found = step.op(
            operator,
            channels_first(step, x, how, rank),
            kernel_shape=list(step.attrs["window"]),
            **window_attrs(step, how, step.attrs["window"]),
            **attrs,
        )
        return as_given(step, found, x, how, rank)

    return rule


RULES: dict[str, Rule] = {
    "matmul": _matmul,
    "einsum": _einsum,
    "tensordot": _tensordot,
    "band_part": _band_part,
    "diag": _diag,
    "diag_part": _diag_part,
    "relu": _relu,
    "relu6": _relu6,
    "relu_grad": _relu_grad,
    "elu": _elu,
    "softmax": _softmax("Softmax"),
    "log_softmax": _softmax("LogSoftmax"),
    "sigmoid_cross_entropy": _sigmoid_cross_entropy,
    "sparse_softmax_cross_entropy": _sparse_loss,
    "sparse_softmax_grad": _sparse_grad,
    "sparse_softmax_both": _sparse_both,
    "lstm_gates": _lstm,
    "gru_gates": _gru,
    "convolution": _convolution,
    "convolution_to_input": _to_input,
    "max_pool": _pool("MaxPool"),
    "avg_pool": _pool("AveragePool", count_include_pad=0),
}
