"""TensorFlow's ops that LiteRT lacks, as others that it has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.export.graphdef.function_body import NodeFacts
from runtime.export.tflite.mlir_function import INT, FunctionValue, MlirFunction, NodeMlirFunction
from runtime.export.tflite.shape_inference import inferred

Rule = Callable[[NodeMlirFunction, NodeFacts, Sequence[FunctionValue]], list[FunctionValue]]

_BACK = "Conv2DBackpropInput"
_MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
_ORDERS = frozenset(("greater", "greater_equal", "less", "less_equal"))


def _spec(
    op: str, step: NodeMlirFunction, facts: NodeFacts, given: Sequence[FunctionValue]
) -> TensorSpec:
    """Return the spec of the only result of an op, with a shape that follows from the operands."""
    spec = step.spec(facts, 0)
    if spec.shape.rank is not None:
        return spec
    shapes = [(each.spec.shape, step.constants.get(each.name)) for each in given]
    return TensorSpec(inferred(op, shapes, facts.attrs), spec.dtype)


def _inverted(
    step: NodeMlirFunction, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    """Return `-1 - x`, which has the bits of `x` the other way round."""
    spec = given[0].spec
    ones = np.array(-1).astype(spec.dtype.np_dtype)
    return [step.one("Sub", [step.const(ones, spec.dtype), given[0]], spec)]


def _broadcast(
    step: NodeMlirFunction, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    """Return a number as it is: LiteRT makes no number of a shape without axes.

    The converter swaps a cast of uint16, for which LiteRT has no kernel, with all but an operation
    on two numbers.
    """
    value, shape = given
    if shape.spec.shape.dims == (0,):
        return [value]
    spec = _spec("BroadcastTo", step, facts, given)
    if spec.dtype.name != "uint16":
        return [step.one("BroadcastTo", given, spec)]
    zeros = step.one("Fill", [shape, step.const(np.array(0, np.uint16), spec.dtype)], spec)
    return [step.one("Maximum", [value, zeros], spec)]


def _sliced(
    step: NodeMlirFunction, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    """Add the new axes of an index before the slice, where the converter cannot compute it.

    It can if the sizes and the index are known.
    """
    x, *bounds = given
    is_known = x.spec.shape.is_fully_defined() and all(y.name in step.constants for y in bounds)
    spec, marks = _spec("StridedSlice", step, facts, given), {**facts.attrs}
    count = bounds[0].spec.shape.num_elements()
    if is_known or not marks["new_axis_mask"] or count is None:
        return step.op("StridedSlice", given, [spec], facts.attrs)
    dots = marks["ellipsis_mask"].bit_length() or count
    new = [bit for bit in range(count) if marks["new_axis_mask"] >> bit & 1]
    before, after = [bit for bit in new if bit < dots], [bit - count for bit in new if bit >= dots]
    for axis in (*before, *reversed(after)):
        x = _expanded(step, x, axis)
    for key in ("begin_mask", "end_mask"):
        marks[key] |= marks["new_axis_mask"]
    marks["new_axis_mask"] = 0
    return step.op("StridedSlice", [x, *bounds], [spec], marks)


def _expanded(step: NodeMlirFunction, x: FunctionValue, axis: int) -> FunctionValue:
    at = step.ints(axis)
    known = [(x.spec.shape, None), (at.spec.shape, np.array(axis))]
    return step.one(
        "ExpandDims", [x, at], TensorSpec(inferred("ExpandDims", known, {}), x.spec.dtype)
    )


def written(
    step: NodeMlirFunction, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    """Write a slice: the same slice of the numbers of the elements says where they are."""
    x, *bounds, value = given
    rank = x.spec.shape.rank
    if rank is None:
        raise step.unsupported("a slice is written into a tensor of known rank")
    shape = step.one("Shape", [x], TensorSpec((rank,), "int32"))
    size = step.one("Size", [x], INT)
    vector = TensorSpec((x.spec.shape.num_elements(),), "int32")
    numbers = step.one("Range", [step.ints(0), size, step.ints(1)], vector)
    placed = step.one("Reshape", [numbers, shape], TensorSpec(x.spec.shape, "int32"))
    known = [(each.spec.shape, None) for each in (placed, *bounds)]
    masks = {key: facts.attrs[key] for key in _MASKS}
    places = TensorSpec(inferred("StridedSlice", known, masks), "int32")
    at = step.one("StridedSlice", [placed, *bounds], places, **masks)
    column, updates, flat = _reshaped(step, at, -1, 1), _reshaped(step, value, -1), x
    if rank != 1:
        flat = _reshaped(step, x, -1)
    length = step.one("Reshape", [size, step.ints([1])], TensorSpec((1,), "int32"))
    found = _placed(step, flat, column, updates, length)
    return [step.one("Reshape", [found, shape], x.spec)]


def _reshaped(step: NodeMlirFunction, value: FunctionValue, *dims: int) -> FunctionValue:
    target = step.ints(dims)
    known = [(value.spec.shape, None), (target.spec.shape, np.array(dims))]
    spec = TensorSpec(inferred("Reshape", known, {}), value.spec.dtype)
    return step.one("Reshape", [value, target], spec)


def _placed(
    step: MlirFunction,
    flat: FunctionValue,
    column: FunctionValue,
    updates: FunctionValue,
    length: FunctionValue,
) -> FunctionValue:
    """Add a vector with other elements at different places; return it.

    TensorScatterUpdate would become a product with 0 and a sum, which an infinite element spoils.
    """
    made = step.one("ScatterNd", [column, updates, length], flat.spec)
    ones = step.one("OnesLike", [updates], TensorSpec(updates.spec.shape, updates.spec.dtype))
    if not flat.spec.dtype.is_bool:
        counts = step.one("ScatterNd", [column, ones, length], flat.spec)
        zero = step.const(np.zeros((), flat.spec.dtype.np_dtype), flat.spec.dtype)
        there = step.one("NotEqual", [counts, zero], TensorSpec(flat.spec.shape, "bool"))
    else:
        there = step.one("ScatterNd", [column, ones, length], flat.spec)
    return step.one("SelectV2", [there, made, flat], flat.spec)


def _rolled(
    step: NodeMlirFunction, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    """Gather the elements along each axis from the places that the shift counts back."""
    x, shifts, axes = given
    rank = x.spec.shape.rank
    if rank is None:
        raise step.unsupported("a tensor of unknown rank is not rolled")
    sizes = step.one("Shape", [x], TensorSpec((rank,), INT.dtype))
    for at, axis in enumerate(step.constants[axes.name].ravel()):
        size, shift = _number(step, sizes, int(axis) % rank), _number(step, shifts, at)
        vector = TensorSpec((None,), INT.dtype)
        places = step.one("Range", [step.ints(0), size, step.ints(1)], vector)
        back = step.one("Sub", [places, shift], vector)
        divisor = step.one("Maximum", [size, step.ints(1)], INT)
        origins = step.one("FloorMod", [back, divisor], vector)
        x = step.one("GatherV2", [x, origins, step.ints(int(axis) % rank)], x.spec, batch_dims=0)
    return [x]


def _number(step: NodeMlirFunction, vector: FunctionValue, place: int) -> FunctionValue:
    """Return a number of a vector, in int32."""
    given = [vector, step.ints(place), step.ints(0)]
    found = step.one("GatherV2", given, TensorSpec((), vector.spec.dtype), batch_dims=0)
    return found if found.spec.dtype is INT.dtype else step.one("Cast", [found], INT)


def _main_diagonals(
    step: NodeMlirFunction, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    """Gather the elements of the main diagonals from the rows, one after another, of matrices."""
    x, spec = given[0], step.spec(facts, 0)
    rank = x.spec.shape.rank
    if rank is None:
        raise step.unsupported("a tensor of unknown rank has no known last axes")
    sizes = step.one("Shape", [x], TensorSpec((rank,), INT.dtype))
    rows, columns = _number(step, sizes, rank - 2), _number(step, sizes, rank - 1)
    count = step.one("Minimum", [rows, columns], INT)
    next_row = step.one("AddV2", [columns, step.ints(1)], INT)
    numbers = step.one("Range", [step.ints(0), count, step.ints(1)], TensorSpec((None,), INT.dtype))
    places = step.one("Mul", [numbers, next_row], numbers.spec)
    parts = [_number(step, sizes, at) for at in range(rank - 2)]
    parts.append(step.one("Mul", [rows, columns], INT))
    shape = step.one("Pack", parts, TensorSpec((rank - 1,), INT.dtype), axis=0)
    flat = step.one("Reshape", [x, shape], TensorSpec((None,) * (rank - 1), spec.dtype))
    return [step.one("GatherV2", [flat, places, step.ints(rank - 2)], spec, batch_dims=0)]


def _sparse_losses(
    step: NodeMlirFunction, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    """Gather the negative log-softmax of each row at its label."""
    logits, labels = given
    rows = TensorSpec((None,), logits.spec.dtype)
    table = step.one("LogSoftmax", [logits], logits.spec)
    found = step.one("GatherV2", [table, labels, step.ints(1)], rows, batch_dims=1)
    return [step.one("Neg", [found], rows), table]


def _first_extreme(op: str) -> Rule:
    """Return the rule of ArgMax or ArgMin: an axis that may be empty gets one more element.

    LiteRT makes ready both branches of a choice, and refuses the one for an axis without elements.
    The added element is never the first extreme one of others.
    """

    def rule(
        step: NodeMlirFunction, facts: NodeFacts, given: Sequence[FunctionValue]
    ) -> list[FunctionValue]:
        x, axis = given
        known, sizes = step.constants.get(axis.name), x.spec.shape.dims
        if known is not None and sizes and sizes[int(known)] is None:
            room = np.zeros((len(sizes), 2), np.int32)
            room[int(known), 1] = 1
            last = step.const(_end_of(x.spec.dtype.np_dtype, op == "ArgMin"), x.spec.dtype)
            x = step.one("PadV2", [x, step.const(room, INT.dtype), last], x.spec)
        spec = step.spec(facts, 0)
        return step.op(op, [x, axis], [spec], facts.attrs)

    return rule


def _end_of(kind: np.dtype[Any], is_upper: bool) -> Array:
    """Return the least or the greatest number of a dtype."""
    if kind.kind == "f":
        return np.array(np.inf if is_upper else -np.inf, kind)
    bounds = np.iinfo(kind)
    return np.array(bounds.max if is_upper else bounds.min, kind)


def _convolved_back(
    step: NodeMlirFunction, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    """Refuse groups of channels: LiteRT's kernel for it fails."""
    spec = _spec(_BACK, step, facts, given)
    filtered, made = given[1].spec.shape[2], spec.shape[3]
    if filtered is not None and made is not None and filtered != made:
        raise step.unsupported("LiteRT's transposed convolution has no groups of channels")
    return step.op(_BACK, given, [spec], facts.attrs)


def _multiplied(
    step: NodeMlirFunction, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    """Multiply by a constant 0 as `x - x`, which is NaN for the same elements.

    The converter makes a constant of the product, and fails if its shape is unknown.
    """
    spec = _spec("Mul", step, facts, given)
    for each in given:
        known = step.constants.get(each.name)
        if known is not None and known.size and not known.any():
            whole = step.one("AddV2", given, spec)
            return [step.one("Sub", [whole, whole], spec)]
    return step.op("Mul", given, [spec], facts.attrs)


def _negated(
    step: NodeMlirFunction, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    """Compare an order of numbers with True: of `not x > y`, the converter makes `x <= y`.

    No NaN is either.
    """
    (x,) = given
    made = step.source and step.source.inputs and step.source.inputs[0].node
    if made and made.op.name in _ORDERS and made.inputs[0].dtype.is_floating:
        return [step.one("NotEqual", [x, step.const(np.array(True), x.spec.dtype)], x.spec)]
    return [step.one("LogicalNot", given, _spec("LogicalNot", step, facts, given))]


def _divided(
    step: NodeMlirFunction, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    """Divide by a constant with zeros as a product with infinity, which is the same.

    The converter makes a product of it, too, with the greatest number in the place of infinity.
    """
    x, by = given
    spec, known = _spec("RealDiv", step, facts, given), step.constants.get(by.name)
    if known is None or known.dtype.kind != "f" or known.all():
        return step.op("RealDiv", given, [spec], facts.attrs)
    with np.errstate(divide="ignore"):
        factors = (1 / known).astype(known.dtype)
    return [step.one("Mul", [x, step.const(factors, by.spec.dtype)], spec)]


def _is_infinite(
    step: NodeMlirFunction, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    """Compare with infinity, for which the converter's own form has the greatest number."""
    (x,) = given
    limit = step.const(np.array(np.inf, x.spec.dtype.np_dtype), x.spec.dtype)
    size = step.one("Abs", [x], x.spec)
    return [step.one("Equal", [size, limit], TensorSpec(x.spec.shape, "bool"))]


def _softplus(
    step: NodeMlirFunction, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    """Add the part above 0 to `log(1 + exp(-abs(x)))`: LiteRT's own is infinite from 89."""
    (x,) = given
    spec = _spec("Softplus", step, facts, given)
    below = step.one("Neg", [step.one("Abs", [x], spec)], spec)
    powers = MlirFunction.op(
        step, "Exp", [below], [spec]
    )  # The other part is NaN where this loses it.
    rest = step.one("Log1p", powers, spec)
    return [step.one("AddV2", [step.one("Relu", [x], spec), rest], spec)]


def _powered(
    step: NodeMlirFunction, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    """Choose the powers 0.5 and -0.5 of 0 and infinity, which differ from those of roots.

    The converter makes roots of the others, too.
    """
    x, exponent = given
    spec, known = _spec("Pow", step, facts, given), step.constants.get(exponent.name)
    if known is None or known.ndim or abs(known) != 0.5:
        return step.op("Pow", given, [spec], facts.attrs)
    root, edge = step.one("Pow", given, spec), step.one("Abs", [x], spec)
    if known < 0:
        one = step.const(np.array(1, spec.dtype.np_dtype), spec.dtype)
        edge = step.one("RealDiv", [one, edge], spec)
    doubled = step.one("AddV2", [x, x], spec)
    is_edge = step.one("Equal", [doubled, x], TensorSpec(spec.shape, "bool"))
    return [step.one("SelectV2", [is_edge, edge, root], spec)]


def _scattered(
    step: NodeMlirFunction, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    raise step.unsupported("LiteRT adds up several updates of one place")


RULES: dict[str, Rule] = {
    "ArgMax": _first_extreme("ArgMax"),
    "ArgMin": _first_extreme("ArgMin"),
    "BroadcastTo": _broadcast,
    _BACK: _convolved_back,
    "Invert": _inverted,
    "IsInf": _is_infinite,
    "LogicalNot": _negated,
    "MatrixDiagPartV3": _main_diagonals,
    "Mul": _multiplied,
    "Pow": _powered,
    "RealDiv": _divided,
    "Roll": _rolled,
    "Softplus": _softplus,
    "SparseSoftmaxCrossEntropyWithLogits": _sparse_losses,
    "StridedSlice": _sliced,
    "TensorScatterUpdate": _scattered,
    "TensorStridedSliceUpdate": written,
}
