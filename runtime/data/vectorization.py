"""Vectorizes a function of one element: each operation runs once for all rows.

graph f(%x: uint8[28, 28]) {               rows: uint8[n, 28, 28]
  %cast = cast(%x) {dtype=float32}    ->   np.astype(rows, float32)
  return %cast                             float32[n, 28, 28]

Only operations that give each row the same bits as a single element are vectorized: those that
round once, move or select. A sum of floats is not, since its order would change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.core.dtypes import DType, int32, int64
from runtime.core.tensor import Array, EagerTensor, SymbolicTensor
from runtime.data.stacked_items import StackedItems
from runtime.graph.graph import Graph
from runtime.graph.may_raise import raised_by
from runtime.graph.node import Node
from runtime.ops.arrays.index import ELLIPSIS, WHOLE, Index, Input
from runtime.ops.op import Op, run_kernel
from runtime.passes.node_traits import may_not_fit
from runtime.passes.prune import prune

Attrs = Mapping[str, Any]

_ELEMENTWISE = frozenset(
    """
    abs add bitwise_and bitwise_or bitwise_xor cast ceil clip_by_value divide equal floor floordiv
    floormod greater greater_equal identity invert is_finite is_inf is_nan left_shift less
    less_equal logical_and logical_not logical_or logical_xor maximum minimum multiply negative
    not_equal ones_like reciprocal relu right_shift round select sign sqrt square
    squared_difference stop_gradient subtract zeros_like
    """.split()
)
# Ops that cannot fail if shapes are known, since they were checked when they were recorded.
_SEEN_TO_FIT = frozenset(("expand_dims", "one_hot", "reshape", "strided_slice"))
# Reductions whose result does not depend on the order, except for floats.
_REDUCTIONS = frozenset("reduce_all reduce_any reduce_max reduce_min reduce_sum".split())


@dataclass(frozen=True)
class VectorizedCall:
    """One op, applied to all rows at once.

    Attributes:
        op: the op.
        attrs: its attributes, as recorded for one element.
        are_rows: whether each operand has a leading axis of rows.
    """

    op: Op
    attrs: Attrs
    are_rows: tuple[bool, ...]

    def __call__(self, arrays: Sequence[Array], count: int) -> tuple[Array, ...]:
        """Return the results: rows if an operand has rows, else values common to all rows."""
        if not any(self.are_rows):
            return run_kernel(self.op, arrays, self.attrs)
        return _RULES[self.op.name](self, arrays, count)

    def run(self, arrays: Sequence[Array], **attrs: Any) -> tuple[Array, ...]:
        """Return the results of the op with some attributes changed."""
        return run_kernel(self.op, arrays, {**self.attrs, **attrs})


@dataclass(frozen=True)
class Vectorized:
    """A vectorized graph: calls over numbered slots, of which the graph's inputs are the first.

    Attributes:
        captured: the values of the slots after those of the element; an int is an index into the
            captured arrays of the dataset.
        never_fails: whether it raises for no element.
    """

    calls: tuple[tuple[VectorizedCall, tuple[int, ...], tuple[int, ...]], ...]
    captured: tuple[int | Array, ...]
    outputs: tuple[tuple[int, bool], ...]
    slots: int
    never_fails: bool

    def __call__(self, rows: StackedItems, captured: Sequence[Array]) -> tuple[Array, ...]:
        """Return the function's results for each row, as rows.

        Raises:
            Exception: a row fails, or results cannot be stacked; the caller then computes single
                elements.
        """
        values: list[Any] = [*rows.arrays]
        values += [captured[each] if isinstance(each, int) else each for each in self.captured]
        values += [None] * (self.slots - len(values))
        for call, reads, writes in self.calls:
            results = call([values[slot] for slot in reads], rows.count)
            for slot, result in zip(writes, results):
                values[slot] = result
        return tuple([_as_rows(values[at], are, rows.count) for at, are in self.outputs])


def vectorized(graph: Graph) -> Vectorized | None:
    """Return the vectorized form of a traced function, or None."""
    pruned = prune(graph)
    places = {id(held.outer): at for at, held in enumerate(graph.captures)}
    captured: list[int | Array] = []
    for held in pruned.captures:
        if not isinstance(held.outer, (EagerTensor, SymbolicTensor)):
            return None
        is_own = isinstance(held.outer, EagerTensor) and graph.outer is None
        captured.append(held.outer._array if is_own else places[id(held.outer)])
    if graph.effect != "none" or not all(map(_is_possible, pruned.nodes)):
        return None
    return _laid_out(pruned, captured)


def _laid_out(graph: Graph, captured: Sequence[int | Array]) -> Vectorized | None:
    slots = {id(tensor): slot for slot, tensor in enumerate(graph.inputs)}
    are_rows = {id(tensor): at < len(graph.parameters) for at, tensor in enumerate(graph.inputs)}
    calls, never_fails = [], True
    for node in graph.nodes:
        call = VectorizedCall(
            node.op, node.attrs, tuple([are_rows[id(each)] for each in node.inputs])
        )
        if any(call.are_rows) and not _is_ruled(call, node):
            return None
        for tensor in node.outputs:
            slots[id(tensor)] = len(slots)
            are_rows[id(tensor)] = any(call.are_rows)
        reads = tuple([slots[id(tensor)] for tensor in node.inputs])
        calls.append((call, reads, tuple([slots[id(tensor)] for tensor in node.outputs])))
        never_fails &= _never_fails(node)
    outputs = tuple([(slots[id(each)], are_rows[id(each)]) for each in graph.outputs])
    return Vectorized(tuple(calls), tuple(captured), outputs, len(slots), never_fails)


def _never_fails(node: Node) -> bool:
    specs = [tensor.spec for tensor in node.inputs]
    if may_not_fit(node):
        return False
    if node.op.name in _SEEN_TO_FIT and all(spec.shape.is_fully_defined() for spec in specs):
        return True
    return not raised_by(node.op, node.attrs, specs, node.inputs)


def _is_possible(node: Node) -> bool:
    """Return whether a node has no effects, and NumPy can compute it for any number of rows."""
    values = [*node.inputs, *node.outputs]
    # A weak int is checked for overflow, element by element.
    exact = any(each.weak and each.dtype.is_integer for each in node.outputs) and node.inputs
    kinds = {each.dtype.kind for each in values}
    return not (node.regions or exact or kinds & {"c", "V"} or node.op.effects != "none")


def _is_ruled(call: VectorizedCall, node: Node) -> bool:
    if call.op.name not in _RULES or any(each.shape.rank is None for each in node.inputs):
        return False
    if call.op.name == "cast":
        return _is_certain(node.inputs[0].dtype, call.attrs["dtype"])
    if call.op.name in _REDUCTIONS:
        return node.inputs[0].dtype.kind in "biu"
    if call.op.name == "strided_slice":
        return len(node.inputs) == 1 and not any(isinstance(item, Input) for item in _items(call))
    if call.op.name == "gather":
        return call.are_rows == (False, True) and not call.attrs.get("batch_dims")
    if call.op.name == "one_hot":
        return call.are_rows == (True, False, False)
    return call.op.name not in ("reshape", "broadcast_to") or len(node.inputs) == 1


def _is_certain(before: DType, after: DType) -> bool:
    """Return whether the result of a cast is well defined: for large floats to ints it is not."""
    return not before.is_floating or not after.is_integer or after in (int32, int64)


def _items(call: VectorizedCall) -> tuple[Any, ...]:
    index: Index = call.attrs["index"]
    return index.items


def _as_rows(array: Array, are_rows: bool, count: int) -> Array:
    return array if are_rows else np.repeat(array[np.newaxis], count, axis=0)


# -- rules: each takes a call, its operands, and the number of rows --------------------------------


def _elementwise(call: VectorizedCall, arrays: Sequence[Array], count: int) -> tuple[Array, ...]:
    """Insert axes of size 1 between the rows and elements with fewer axes than others."""
    ranks = [array.ndim - are for array, are in zip(arrays, call.are_rows)]
    most = max(ranks)
    aligned = [
        array.reshape(count, *(1,) * (most - rank), *array.shape[1:])
        if are and rank < most
        else array
        for array, are, rank in zip(arrays, call.are_rows, ranks)
    ]
    return call.run(aligned)


def _reduced(call: VectorizedCall, arrays: Sequence[Array], count: int) -> tuple[Array, ...]:
    (array,) = arrays
    axis = call.attrs["axis"]
    chosen = range(array.ndim - 1) if axis is None else axis
    return call.run([array], axis=tuple([_moved(each) for each in chosen]))


def _moved(axis: int) -> int:
    """Return the axis of the rows for an axis of an element."""
    return axis + 1 if axis >= 0 else axis


def _reshaped(call: VectorizedCall, arrays: Sequence[Array], count: int) -> tuple[Array, ...]:
    return call.run(arrays, shape=(count, *call.attrs["shape"]))


def _expanded(call: VectorizedCall, arrays: Sequence[Array], count: int) -> tuple[Array, ...]:
    return call.run(arrays, axis=_moved(call.attrs["axis"]))


def _squeezed(call: VectorizedCall, arrays: Sequence[Array], count: int) -> tuple[Array, ...]:
    (array,) = arrays
    axis = call.attrs["axis"]
    ones = [at for at in range(1, array.ndim) if array.shape[at] == 1]
    return call.run(arrays, axis=tuple(ones if axis is None else map(_moved, axis)))


def _transposed(call: VectorizedCall, arrays: Sequence[Array], count: int) -> tuple[Array, ...]:
    (array,) = arrays
    rank = array.ndim - 1
    perm = call.attrs["perm"]
    order = range(rank)[::-1] if perm is None else [each % rank for each in perm]
    return call.run(arrays, perm=(0, *[each + 1 for each in order]))


def _joined(call: VectorizedCall, arrays: Sequence[Array], count: int) -> tuple[Array, ...]:
    rows = [_as_rows(array, are, count) for array, are in zip(arrays, call.are_rows)]
    return call.run(rows, axis=_moved(call.attrs["axis"]))


def _sliced(call: VectorizedCall, arrays: Sequence[Array], count: int) -> tuple[Array, ...]:
    items = _items(call)
    if ELLIPSIS not in items:
        items = (*items, ELLIPSIS)
    return call.run(arrays, index=Index((WHOLE, *items)))


def _picked(call: VectorizedCall, arrays: Sequence[Array], count: int) -> tuple[Array, ...]:
    params, indices = arrays
    axis = call.attrs["axis"] % params.ndim
    (found,) = call.run(arrays, axis=axis)
    # The axes of the indices, rows first, replace the axis.
    return (np.moveaxis(found, axis, 0),)


def _hot(call: VectorizedCall, arrays: Sequence[Array], count: int) -> tuple[Array, ...]:
    return call.run(arrays, axis=_moved(call.attrs["axis"]))


_Rule = Callable[[VectorizedCall, Sequence[Array], int], tuple[Array, ...]]
_RULES: Mapping[str, _Rule] = {
    **dict.fromkeys(_ELEMENTWISE, _elementwise),
    **dict.fromkeys(_REDUCTIONS, _reduced),
    "concat": _joined,
    "expand_dims": _expanded,
    "gather": _picked,
    "one_hot": _hot,
    "reshape": _reshaped,
    "squeeze": _squeezed,
    "stack": _joined,
    "strided_slice": _sliced,
    "transpose": _transposed,
}
