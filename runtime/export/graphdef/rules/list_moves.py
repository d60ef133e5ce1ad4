"""Lowering of lists made of the items of others, at positions that a vector gives.

xs.insert(i, x)    ->    list_take(xs + [x], places)    places: 0, ..., i - 1, len(xs), i, ...

The gradients of such items are added to those of the items at the same positions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from runtime.core.dtypes import DType, float32, int32
from runtime.core.shapes import TensorShape
from runtime.core.tensor import SymbolicTensor
from runtime.core.variant import VARIANT
from runtime.export.graphdef.function_body import Body, NodeFacts, ValueRef
from runtime.export.graphdef.functions import Results, function_def, parameter
from runtime.export.graphdef.messages import FunctionDef
from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule
from runtime.export.graphdef.rules.axes import as_int32, masks
from runtime.export.graphdef.rules.lists import (
    List,
    any_shape,
    dtypes_of,
    empty_list,
    item_at,
    length_of,
    place_of,
    pushed,
)
from runtime.ops.arrays.index import HashableSlice, Input

TAKING = "list_take_cond"
"""The name of the test of the loop that gathers items."""


# -- loops over positions --------------------------------------------------------------------------


def taken(
    step: GraphDefNodeLowering, target: List, places: ValueRef, dtypes: Sequence[DType]
) -> List:
    """Return the items at positions, in the order of the positions."""
    return tuple(
        [
            _looped(step, ("take", _push, dtype), places, one, empty_list(step, dtype))
            for one, dtype in zip(target, dtypes)
        ]
    )


def put(
    step: GraphDefNodeLowering, source: ValueRef, places: ValueRef, target: ValueRef, dtype: DType
) -> ValueRef:
    """Return a list with the items of another one written to positions, one after the other.

    The last item counts for positions that are equal. The list fails if there are more items.
    """
    surplus = step.add("Sub", step.add("TensorListLength", source), _count(step, places))
    surplus = step.add("Maximum", surplus, step.const(0, "none"))
    nowhere = step.add("Fill", step.add("Pack", [surplus], axis=0), step.const(-1, "nowhere"))
    grows = step.attrs["dynamic"]
    kind = ("put_growing", _set_growing, dtype) if grows else ("put", _set, dtype)
    return _looped(step, kind, _joined(step, places, nowhere), source, target)


class _Iteration(NamedTuple):
    """The values of one iteration of a loop over positions.

    Attributes:
        body: the nodes.
        counter: the number of the iteration.
        place: the position of this iteration.
        source: the list that is read.
        target: the list that is made.
        dtype: the dtype of the items.
    """

    body: Body
    counter: ValueRef
    place: ValueRef
    source: ValueRef
    target: ValueRef
    dtype: DType

    def item(self, items: ValueRef, place: ValueRef) -> ValueRef:
        """Return the item of a list at a place."""
        shape = self.body.const(np.array(-1, np.int32))
        attrs = {"element_dtype": self.dtype}
        return self.body.add("TensorListGetItem", [items, place, shape], attrs)[0]

    def with_item(self, item: ValueRef, grows: bool = False) -> ValueRef:
        """Return the list that is made with an item at the position of this iteration."""
        attrs = {"resize_if_index_out_of_bounds": grows}
        return self.body.add("TensorListSetItem", [self.target, self.place, item], attrs)[0]


def _push(iteration: _Iteration) -> ValueRef:
    item = iteration.item(iteration.source, iteration.place)
    return iteration.body.add("TensorListPushBack", [iteration.target, item])[0]


def _push_zeros(iteration: _Iteration) -> ValueRef:
    zeros = iteration.body.add("ZerosLike", [iteration.item(iteration.source, iteration.place)])[0]
    return iteration.body.add("TensorListPushBack", [iteration.target, zeros])[0]


def _set(iteration: _Iteration) -> ValueRef:
    return iteration.with_item(iteration.item(iteration.source, iteration.counter))


def _set_growing(iteration: _Iteration) -> ValueRef:
    return iteration.with_item(iteration.item(iteration.source, iteration.counter), grows=True)


def _add(iteration: _Iteration) -> ValueRef:
    pair = [
        iteration.item(iteration.target, iteration.place),
        iteration.item(iteration.source, iteration.counter),
    ]
    return iteration.with_item(iteration.body.add("AddV2", pair)[0])


_Kind = tuple[str, Callable[[_Iteration], ValueRef], DType]


def _looped(
    step: GraphDefNodeLowering, kind: _Kind, places: ValueRef, source: ValueRef, target: ValueRef
) -> ValueRef:
    """Return a list after one iteration for each position."""
    library = step.region.library
    cond, body = (library.add(*made) for made in (_test(kind), _iteration(kind)))
    inputs = [step.const(0, "loop_counter"), _count(step, places), places, source, target]
    shapes = [TensorShape.of(dims) for dims in ((), (), (None,), (), ())]
    loop = step.add("StatelessWhile", inputs, cond=cond, body=body, output_shapes=shapes,
                    parallel_iterations=10, _lower_using_switch_merge=True)  # fmt: skip
    found: ValueRef = loop[-1]
    return found


def _count(step: GraphDefNodeLowering, places: ValueRef) -> ValueRef:
    shape = step.add("Shape", places, out_type=int32)
    found: ValueRef = step.add("Reshape", shape, step.const(np.zeros(0, np.int32), "scalar"))
    return found


def _start(kind: _Kind) -> tuple[Body, list[ValueRef]]:
    body = Body(f"{kind[0]}/", is_function=True)
    words = ("counter", "count", "places", "source", "target")
    kinds = (int32, int32, int32, *2 * (VARIANT.dtype,))
    return body, [parameter(body, word, each) for word, each in zip(words, kinds)]


def _test(kind: _Kind) -> tuple[FunctionDef, Mapping[str, NodeFacts]]:
    body, parameters = _start(kind)
    found = body.add("Less", parameters[:2])
    return function_def(f"list_{kind[0]}_cond", body, parameters, Results(found)), body.facts


def _iteration(kind: _Kind) -> tuple[FunctionDef, Mapping[str, NodeFacts]]:
    word, made, dtype = kind
    body, parameters = _start(kind)
    counter, _, places, source, target = parameters
    axis, one = (body.const(np.array(value, np.int32)) for value in (0, 1))
    place = body.add("GatherV2", [places, counter, axis], {"batch_dims": 0})[0]
    last = made(_Iteration(body, counter, place, source, target, dtype))
    following = body.add("AddV2", [counter, one])[0]
    results = Results([following, *parameters[1:4], last])
    return function_def(f"list_{word}_body", body, parameters, results), body.facts


# -- the positions of the items of a result --------------------------------------------------------


class _Move(NamedTuple):
    """An op that makes a list of items of others.

    Attributes:
        step: the step; its node is the op, or that of the gradient.
        attrs: the attributes of the op.
        target: its first operand, a list.
        rest: its other operands.
    """

    step: GraphDefNodeLowering
    attrs: Mapping[str, Any]
    target: List
    rest: list[Any]

    def all(self) -> ValueRef:
        """Return all positions of the first list."""
        return _range(self.step, 0, length_of(self.step, self.target))


def _range(step: GraphDefNodeLowering, start: Any, stop: ValueRef) -> ValueRef:
    first = start if isinstance(start, ValueRef) else step.const(start, "start")
    found: ValueRef = step.add("Range", first, stop, step.const(1, "delta"))
    return found


def _joined(step: GraphDefNodeLowering, *vectors: ValueRef) -> ValueRef:
    found: ValueRef = step.add("ConcatV2", list(vectors), step.const(0, "axis"))
    return found


def _cut(
    step: GraphDefNodeLowering, places: ValueRef, start: Any, stop: Any, stride: Any
) -> ValueRef:
    """Return `places[start:stop:stride]`."""
    parts = []
    for part, default, name in ((start, 0, "begin"), (stop, 0, "end"), (stride, 1, "strides")):
        if isinstance(part, ValueRef):
            parts.append(step.add("Pack", [as_int32(step, part)], axis=0))
        else:
            parts.append(step.const([default if part is None else part], name))
    marks = masks(begin=int(start is None), end=int(stop is None))
    found: ValueRef = step.add("StridedSlice", places, *parts, **marks)
    return found


def _bounds(move: _Move, bounds: Sequence[ValueRef]) -> list[Any]:
    span: HashableSlice = move.attrs["span"]
    return [
        bounds[part.position] if isinstance(part, Input) else part
        for part in (span.start, span.stop, span.step)
    ]


def _checked_place(step: GraphDefNodeLowering, target: List, index: ValueRef) -> ValueRef:
    """Return the place of an item; the lookup fails for an index outside of the list."""
    places = _range(step, 0, length_of(step, target))
    place = place_of(step, target, index)
    found: ValueRef = step.add("GatherV2", places, place, step.const(0, "axis"), batch_dims=0)
    return found


def _all_but(step: GraphDefNodeLowering, target: List, place: ValueRef) -> ValueRef:
    after = step.add("AddV2", place, step.const(1, "one"))
    return _joined(step, _range(step, 0, place), _range(step, after, length_of(step, target)))


def _of_delete(move: _Move) -> ValueRef:
    step, target = move.step, move.target
    return _all_but(step, target, _checked_place(step, target, move.rest[0]))


def _of_insert(move: _Move) -> ValueRef:
    """Return the positions with the new item, the last one, at its place; any integer is valid."""
    step, places = move.step, move.all()
    at = as_int32(step, move.rest[0])
    new = step.add("Pack", [length_of(step, move.target)], axis=0)
    before, after = _cut(step, places, None, at, None), _cut(step, places, at, None, None)
    return _joined(step, before, new, after)


def _of_slice(move: _Move) -> ValueRef:
    return _cut(move.step, move.all(), *_bounds(move, move.rest))


def _of_delete_slice(move: _Move) -> ValueRef:
    """Return the positions outside the slice: those inside are marked first."""
    step, places = move.step, move.all()
    cut = _cut(step, places, *_bounds(move, move.rest))
    column = step.add("ExpandDims", cut, step.const(-1, "dim"))
    gone = step.add("TensorScatterUpdate", places, column, step.add("Invert", step.add("Abs", cut)))
    kept = step.add("Where", step.add("GreaterEqual", gone, step.const(0, "zero")))
    flat = step.add("Reshape", kept, step.const([-1], "flat"))
    found: ValueRef = step.add("Cast", flat, DstT=int32)
    return found


def _of_set_slice(move: _Move) -> ValueRef:
    step, (other, *bounds) = move.step, move.rest
    start, stop, stride = _bounds(move, bounds)
    if stride not in (None, 1):
        raise step.unsupported("a slice with a step is assigned item by item")
    places = move.all()
    cut = _cut(step, places, start, stop, None)
    before = _cut(step, places, None, 0 if start is None else start, None)
    size = step.add("Size", _joined(step, before, cut), out_type=int32)
    length = length_of(step, move.target)
    new = _range(step, length, step.add("AddV2", length, length_of(step, other)))
    return _joined(step, before, new, _cut(step, places, size, None, None))


def _of_extend(move: _Move) -> ValueRef:
    step, lists = move.step, (move.target, move.rest[0])
    total = step.add("AddV2", *(length_of(step, each) for each in lists))
    return _range(step, 0, total)


def _of_reverse(move: _Move) -> ValueRef:
    return _cut(move.step, move.all(), None, None, -1)


def _of_repeat(move: _Move) -> ValueRef:
    step, places = move.step, move.all()
    times = step.add("Maximum", as_int32(step, move.rest[0]), step.const(0, "none"))
    found: ValueRef = step.add("Tile", places, step.add("Pack", [times], axis=0))
    return found


def _of_take(move: _Move) -> ValueRef:
    return place_of(move.step, move.target, move.rest[0])


# For each op the positions of the items of its result: first those of its first operand, then those
# of another list, or of a new item.
_PLACES: Mapping[str, Callable[[_Move], ValueRef]] = {
    "list_delete": _of_delete,
    "list_delete_slice": _of_delete_slice,
    "list_extend": _of_extend,
    "list_insert": _of_insert,
    "list_repeat": _of_repeat,
    "list_reverse": _of_reverse,
    "list_set_slice": _of_set_slice,
    "list_slice": _of_slice,
    "list_take": _of_take,
}


# -- rules -----------------------------------------------------------------------------------------


def concatenated_lists(
    step: GraphDefNodeLowering, target: List, other: List, dtypes: Sequence[DType]
) -> List:
    """Return the items of two lists."""
    return tuple(
        [
            step.add("TensorListConcatLists", one, two, element_dtype=dtype)
            for one, two, dtype in zip(target, other, dtypes)
        ]
    )


def _extend(step: GraphDefNodeLowering) -> Any:
    return concatenated_lists(step, step.inputs[0], step.inputs[1], dtypes_of(step))


def _made(step: GraphDefNodeLowering) -> Any:
    name = step.node.op.name
    move = _Move(step, step.attrs, step.inputs[0], list(step.inputs[1:]))
    dtypes = dtypes_of(step)
    return taken(step, _all_items(name, move, dtypes), _PLACES[name](move), dtypes)


def _all_items(forward: str, move: _Move, dtypes: Sequence[DType]) -> List:
    """Return the items of the first operand, followed by those that the op adds."""
    if forward in ("list_extend", "list_set_slice"):
        return concatenated_lists(move.step, move.target, move.rest[0], dtypes)
    if forward == "list_insert":
        return pushed(move.step, move.target, move.rest[1:])
    return move.target


def _pop(step: GraphDefNodeLowering) -> Any:
    target, *index = step.inputs
    dtypes = [spec.dtype for spec in step.attrs["specs"]]
    if not index or _is_last(step.node.inputs[1]):
        shape = any_shape(step)
        pairs = [
            step.add("TensorListPopBack", one, shape, element_dtype=dtype)
            for one, dtype in zip(target, dtypes or [float32])
        ]
        items = [(x,) if dtype.is_variant else x for (_, x), dtype in zip(pairs, dtypes)]
        return [tuple([rest for rest, _ in pairs]), *items]
    place = _checked_place(step, target, index[0])
    item = item_at(step, target, place, dtypes)
    return [taken(step, target, _all_but(step, target, place), dtypes_of(step)), *item]


def _is_last(index: SymbolicTensor) -> bool:
    node = index.node
    return node.op.name == "constant" and bool(np.all(node.attrs["value"].array == -1))


def _moved_back(step: GraphDefNodeLowering) -> Any:
    """Add the gradients of the items of a result to those of the items that they are."""
    gradients, target, *rest = step.inputs
    forward, move = step.attrs["forward"], _Move(step, dict(step.attrs["settings"]), target, rest)
    dtypes = step.region.library.types.of(step.node.inputs[0])
    if any(dtype.is_variant for dtype in dtypes):
        raise step.unsupported("TensorFlow adds no lists of lists")
    items, places = _all_items(forward, move, dtypes), _PLACES[forward](move)
    sums = [_sums(step, *each, places) for each in zip(gradients, items, dtypes)]
    length = length_of(step, target)
    lists = [taken(step, tuple(sums), move.all(), dtypes)]
    if sum(step.attrs["lists"]) > 1:
        others = _range(step, length, length_of(step, items))
        lists.append(taken(step, tuple(sums), others, dtypes))
    new = zip(sums, dtypes) if forward == "list_insert" else ()
    shape = any_shape(step)
    leaves = [
        step.add("TensorListGetItem", one, length, shape, element_dtype=dtype)
        for one, dtype in new
        if dtype.np_dtype.kind in "fc"
    ]
    return [*lists, *leaves]


def _sums(
    step: GraphDefNodeLowering, gradients: ValueRef, items: ValueRef, dtype: DType, places: ValueRef
) -> ValueRef:
    """Return the sum of the gradients of each item; those of elements that are unwritten are 0."""
    everywhere = _range(step, 0, step.add("TensorListLength", items))
    zeros, own = (
        _looped(step, ("zeros", _push_zeros, dtype), each, items, empty_list(step, dtype))
        for each in (everywhere, places)
    )
    whole = step.add("TensorListResize", gradients, step.add("TensorListLength", own))
    whole = step.add("AddN", [whole, own])
    return _looped(step, ("add", _add, dtype), places, whole, zeros)


RULES: dict[str, Rule] = {
    **dict.fromkeys(_PLACES, _made),
    "list_extend": _extend,
    "list_pop": _pop,
    "move_item_gradients": _moved_back,
}
