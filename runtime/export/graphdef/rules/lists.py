"""Lowering of lists to TensorFlow's lists of tensors, one for each leaf of an item."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from runtime.core.dtypes import DType, float32, int32
from runtime.core.shapes import TensorShape
from runtime.core.tensor import SymbolicTensor
from runtime.core.variant import VARIANT
from runtime.export.graphdef.function_body import Body, NodeFacts, ValueRef
from runtime.export.graphdef.functions import Results, function_def, parameter
from runtime.export.graphdef.messages import FunctionDef, NameAttrList
from runtime.export.graphdef.node_lowering import NodeLowering, Rule
from runtime.export.graphdef.rules.axes import as_int32, counted_from_the_end, masks
from runtime.ops.arrays.index import Input, Span

TAKING = "list_take_cond"
"""The name of the test of the loop that gathers items."""

List = tuple[ValueRef, ...]
"""The lowered form of a list: one TensorFlow list per part of an item."""


def any_shape(step: NodeLowering) -> ValueRef:
    """Return the shape of items of unknown rank."""
    return step.const(-1, "element_shape")


def empty_list(step: NodeLowering, dtype: Any) -> ValueRef:
    """Return a TensorFlow list without items."""
    most = step.const(-1, "max_num_elements")
    made: ValueRef = step.add("EmptyTensorList", any_shape(step), most, element_dtype=dtype)
    return made


def taken(step: NodeLowering, target: List, places: ValueRef) -> List:
    """Return the items at positions, in the order of the positions."""
    shape = step.add("Shape", places, out_type=int32)
    count = step.add("Reshape", shape, step.const(np.zeros(0, np.int32), "scalar"))
    start = step.const(0, "loop_counter")
    found = []
    for one, dtype in zip(target, step.region.library.types.of(step.node.inputs[0])):
        cond, body = _taking(step, dtype)
        inputs = [start, count, places, one, empty_list(step, dtype)]
        shapes = [TensorShape.of(dims) for dims in ((), (), (None,), (), ())]
        loop = step.add("StatelessWhile", inputs, cond=cond, body=body, output_shapes=shapes,
                        parallel_iterations=10, _lower_using_switch_merge=True)  # fmt: skip
        found.append(loop[-1])
    return tuple(found)


def _taking(step: NodeLowering, dtype: DType) -> tuple[NameAttrList, NameAttrList]:
    """Return the functions of a loop that gathers items of a dtype."""
    library = step.region.library
    return library.add(*_taking_test()), library.add(*_taking_turn(dtype))


def _taking_start() -> tuple[Body, list[ValueRef]]:
    body = Body("take/", is_function=True)
    words = ("counter", "count", "places", "source", "target")
    kinds = (int32, int32, int32, *2 * (VARIANT.dtype,))
    return body, [parameter(body, word, kind) for word, kind in zip(words, kinds)]


def _taking_test() -> tuple[FunctionDef, Mapping[str, NodeFacts]]:
    body, parameters = _taking_start()
    found = body.add("Less", parameters[:2])
    return function_def(TAKING, body, parameters, Results(found)), body.facts


def _taking_turn(dtype: DType) -> tuple[FunctionDef, Mapping[str, NodeFacts]]:
    body, parameters = _taking_start()
    counter, _, places, source, target = parameters
    axis, one = (body.const(np.array(value, np.int32)) for value in (0, 1))
    shape = body.const(np.array(-1, np.int32))
    place = body.add("GatherV2", [places, counter, axis], {"batch_dims": 0})[0]
    item = body.add("TensorListGetItem", [source, place, shape], {"element_dtype": dtype})[0]
    pushed = body.add("TensorListPushBack", [target, item])[0]
    following = body.add("AddV2", [counter, one])[0]
    results = Results([following, *parameters[1:4], pushed])
    return function_def("list_take_body", body, parameters, results), body.facts


# -- items -----------------------------------------------------------------------------------------


def _pushed(step: NodeLowering, target: List, leaves: list[Any]) -> List:
    pairs = zip(target, _leaves(step, leaves))
    return tuple([step.add("TensorListPushBack", one, leaf) for one, leaf in pairs])


def _leaves(step: NodeLowering, values: list[Any]) -> list[ValueRef]:
    """Return the parts of an item; an item without parts gets a number, since a list needs one."""
    return [_leaf(step, each) for each in values] or [step.const(0, "item", float32)]


def _leaf(step: NodeLowering, value: Any) -> ValueRef:
    """Return a part of an item; a list as a part must be a single list in the file."""
    if isinstance(value, ValueRef):
        return value
    if len(value) != 1:
        raise step.unsupported("a list holds lists whose items have several parts")
    found: ValueRef = value[0]
    return found


def _length(step: NodeLowering, target: List) -> ValueRef:
    found: ValueRef = step.add("TensorListLength", target[0])
    return found


def _list_length(step: NodeLowering) -> Any:
    return step.last("TensorListLength", step.inputs[0][0])


def _place(step: NodeLowering, target: List, index: ValueRef) -> ValueRef:
    return counted_from_the_end(step, as_int32(step, index), _length(step, target))


def _item(step: NodeLowering, target: List, place: ValueRef, dtypes: list[DType]) -> list[Any]:
    shape = any_shape(step)
    pairs = zip(target, dtypes)
    found = [
        step.add("TensorListGetItem", one, place, shape, element_dtype=dtype)
        for one, dtype in pairs
    ]
    return [(ref,) if dtype.is_variant else ref for ref, dtype in zip(found, dtypes)]


def _dtypes(step: NodeLowering) -> tuple[DType, ...]:
    """Return the dtypes of the items of the first result, which is a list."""
    return step.region.library.types.of(step.node.outputs[0])


def _list_of(step: NodeLowering) -> Any:
    width = step.attrs["width"]
    made = tuple([empty_list(step, dtype) for dtype in _dtypes(step)])
    for start in range(0, len(step.inputs), width):
        made = _pushed(step, made, list(step.inputs[start : start + width]))
    return made


def _append(step: NodeLowering) -> Any:
    target, *leaves = step.inputs
    if len(target) == 1 and leaves:
        return (step.last("TensorListPushBack", target[0], _leaf(step, leaves[0])),)
    return _pushed(step, target, leaves)


def _extend(step: NodeLowering) -> Any:
    return _joined(step, step.inputs[0], step.inputs[1])


def _joined(step: NodeLowering, target: List, other: List) -> List:
    dtypes = _dtypes(step)
    return tuple(
        [
            step.add("TensorListConcatLists", one, two, element_dtype=dtype)
            for one, two, dtype in zip(target, other, dtypes)
        ]
    )


def _get(step: NodeLowering) -> Any:
    target, index = step.inputs
    dtypes = [spec.dtype for spec in step.attrs["specs"]]
    if len(dtypes) == 1 and not dtypes[0].is_variant:
        place, shape = _place(step, target, index), any_shape(step)
        return step.last("TensorListGetItem", target[0], place, shape, element_dtype=dtypes[0])
    return _item(step, target, _place(step, target, index), dtypes)


def _set(step: NodeLowering) -> Any:
    target, index, *leaves = step.inputs
    place = _place(step, target, index)
    flags = {"resize_if_index_out_of_bounds": False}
    if len(target) == 1 and leaves:
        leaf = _leaf(step, leaves[0])
        return (step.last("TensorListSetItem", target[0], place, leaf, **flags),)
    pairs = zip(target, _leaves(step, leaves))
    return tuple([step.add("TensorListSetItem", one, place, leaf, **flags) for one, leaf in pairs])


def _pop(step: NodeLowering) -> Any:
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
    item = _item(step, target, place, dtypes)
    return [_without(step, target, place), *item]


def _is_last(index: SymbolicTensor) -> bool:
    node = index.node
    return node.op.name == "constant" and bool(np.all(node.attrs["value"].array == -1))


# -- places ----------------------------------------------------------------------------------------


def _range(step: NodeLowering, start: Any, stop: ValueRef) -> ValueRef:
    first = start if isinstance(start, ValueRef) else step.const(start, "start")
    found: ValueRef = step.add("Range", first, stop, step.const(1, "delta"))
    return found


def _without(step: NodeLowering, target: List, place: ValueRef) -> List:
    before = _range(step, 0, place)
    after = _range(step, step.add("AddV2", place, step.const(1, "one")), _length(step, target))
    kept = step.add("ConcatV2", [before, after], step.const(0, "axis"))
    return taken(step, target, kept)


def _delete(step: NodeLowering) -> Any:
    target, index = step.inputs
    return _without(step, target, _checked_place(step, target, index))


def _checked_place(step: NodeLowering, target: List, index: ValueRef) -> ValueRef:
    """Return the place of an item; the lookup fails for an index outside of the list."""
    places = _range(step, 0, _length(step, target))
    place = _place(step, target, index)
    found: ValueRef = step.add("GatherV2", places, place, step.const(0, "axis"), batch_dims=0)
    return found


def _insert(step: NodeLowering) -> Any:
    """Insert an item before a position; any integer is valid, as in Python."""
    target, index, *leaves = step.inputs
    places = _range(step, 0, _length(step, target))
    at = as_int32(step, index)
    before = _cut(step, places, None, at, None)
    after = _cut(step, places, at, None, None)
    start = _pushed(step, taken(step, target, before), leaves)
    return _joined(step, start, taken(step, target, after))


def _cut(step: NodeLowering, places: ValueRef, start: Any, stop: Any, stride: Any) -> ValueRef:
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


def _places_of(
    step: NodeLowering, target: List, bounds: list[ValueRef]
) -> tuple[ValueRef, ValueRef]:
    """Return all positions of a list, and the positions in the step's slice."""
    span: Span = step.attrs["span"]
    parts = [
        bounds[part.position] if isinstance(part, Input) else part
        for part in (span.start, span.stop, span.step)
    ]
    places = _range(step, 0, _length(step, target))
    return places, _cut(step, places, *parts)


def _slice(step: NodeLowering) -> Any:
    target, *bounds = step.inputs
    return taken(step, target, _places_of(step, target, bounds)[1])


def _delete_slice(step: NodeLowering) -> Any:
    """Keep the positions outside the slice: those inside are marked first."""
    target, *bounds = step.inputs
    places, cut = _places_of(step, target, bounds)
    column = step.add("ExpandDims", cut, step.const(-1, "dim"))
    gone = step.add("TensorScatterUpdate", places, column, step.add("Invert", step.add("Abs", cut)))
    zero = step.const(0, "zero")
    kept = step.add("Where", step.add("GreaterEqual", gone, zero))
    flat = step.add("Reshape", kept, step.const([-1], "flat"))
    return taken(step, target, step.add("Cast", flat, DstT=int32))


def _reverse(step: NodeLowering) -> Any:
    target = step.inputs[0]
    places = _range(step, 0, _length(step, target))
    return taken(step, target, _cut(step, places, None, None, -1))


def _repeat(step: NodeLowering) -> Any:
    target, count = step.inputs
    places = _range(step, 0, _length(step, target))
    times = step.add("Maximum", as_int32(step, count), step.const(0, "none"))
    tiled = step.add("Tile", places, step.add("Pack", [times], axis=0))
    return taken(step, target, tiled)


def _take(step: NodeLowering) -> Any:
    target, indices = step.inputs
    return taken(step, target, _place(step, target, indices))


def _set_slice(step: NodeLowering) -> Any:
    target, other, *bounds = step.inputs
    span: Span = step.attrs["span"]
    if span.step not in (None, 1):
        raise step.unsupported("a slice with a step is assigned item by item")
    start, stop = (
        bounds[part.position] if isinstance(part, Input) else part
        for part in (span.start, span.stop)
    )
    places = _range(step, 0, _length(step, target))
    cut = _cut(step, places, start, stop, None)
    before = _cut(step, places, None, 0 if start is None else start, None)
    size = step.add("Size", step.add("ConcatV2", [before, cut], step.const(0, "axis")),
                    out_type=int32)  # fmt: skip
    after = _cut(step, places, size, None, None)
    head = _joined(step, taken(step, target, before), other)
    return _joined(step, head, taken(step, target, after))


RULES: dict[str, Rule] = {
    "list_of": _list_of,
    "list_append": _append,
    "list_extend": _extend,
    "list_length": _list_length,
    "list_get": _get,
    "list_set": _set,
    "list_pop": _pop,
    "list_insert": _insert,
    "list_slice": _slice,
    "list_set_slice": _set_slice,
    "list_delete": _delete,
    "list_delete_slice": _delete_slice,
    "list_reverse": _reverse,
    "list_repeat": _repeat,
    "list_take": _take,
}
