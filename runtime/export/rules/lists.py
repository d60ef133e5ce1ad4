"""Lists and TensorArrays: TensorFlow's lists of tensors, one for each part of an item.

What Python does to a list in other places than its end is done by the places of its items: those
that stay, in their new order, are taken into a new list.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import DType, float32, int32, int64
from runtime.export.body import Body, Ref
from runtime.export.functions import Results, function_def, parameter
from runtime.export.graphdef import FunctionDef, NameAttrList
from runtime.export.rules.axes import as_int32, counted_from_the_end, masks
from runtime.export.step import Rule, Step
from runtime.ops.index import Input, Span
from runtime.shapes import TensorShape
from runtime.spec import TensorSpec
from runtime.variant import VARIANT

_List = tuple[Ref, ...]


# -- items -----------------------------------------------------------------------------------------


def _any_shape(step: Step) -> Ref:
    return step.const(-1, "element_shape")


def _empty(step: Step, dtype: Any) -> Ref:
    most = step.const(-1, "max_num_elements")
    made: Ref = step.add("EmptyTensorList", _any_shape(step), most, element_dtype=dtype)
    return made


def _pushed(step: Step, target: _List, leaves: list[Any]) -> _List:
    pairs = zip(target, _leaves(step, leaves))
    return tuple([step.add("TensorListPushBack", one, leaf) for one, leaf in pairs])


def _leaves(step: Step, values: list[Any]) -> list[Ref]:
    """Return the parts of an item, a number where it has none: a list has to be of something."""
    return [_leaf(step, each) for each in values] or [step.const(0, "item", float32)]


def _leaf(step: Step, value: Any) -> Ref:
    """Return a part of an item; a list among them has to be one list in the file, too."""
    if isinstance(value, Ref):
        return value
    if len(value) != 1:
        raise step.unsupported("a list holds lists whose items have several parts")
    found: Ref = value[0]
    return found


def _length(step: Step, target: _List) -> Ref:
    found: Ref = step.add("TensorListLength", target[0])
    return found


def _place(step: Step, target: _List, index: Ref) -> Ref:
    return counted_from_the_end(step, as_int32(step, index), _length(step, target))


def _item(step: Step, target: _List, place: Ref, dtypes: list[DType]) -> list[Any]:
    shape = _any_shape(step)
    pairs = zip(target, dtypes)
    found = [
        step.add("TensorListGetItem", one, place, shape, element_dtype=dtype)
        for one, dtype in pairs
    ]
    return [(ref,) if dtype.is_variant else ref for ref, dtype in zip(found, dtypes)]


def _dtypes(step: Step) -> tuple[DType, ...]:
    """The dtypes of the items of the first result, which is a list."""
    return step.region.library.types.of(step.node.outputs[0])


def _list_of(step: Step) -> Any:
    width = step.attrs["width"]
    made = tuple([_empty(step, dtype) for dtype in _dtypes(step)])
    for start in range(0, len(step.inputs), width):
        made = _pushed(step, made, list(step.inputs[start : start + width]))
    return made


def _append(step: Step) -> Any:
    target, *leaves = step.inputs
    return _pushed(step, target, leaves)


def _extend(step: Step) -> Any:
    return _joined(step, step.inputs[0], step.inputs[1])


def _joined(step: Step, target: _List, other: _List) -> _List:
    dtypes = _dtypes(step)
    return tuple(
        [
            step.add("TensorListConcatLists", one, two, element_dtype=dtype)
            for one, two, dtype in zip(target, other, dtypes)
        ]
    )


def _get(step: Step) -> Any:
    target, index = step.inputs
    dtypes = [spec.dtype for spec in step.attrs["specs"]]
    return _item(step, target, _place(step, target, index), dtypes)


def _set(step: Step) -> Any:
    target, index, *leaves = step.inputs
    place = _place(step, target, index)
    flags = {"resize_if_index_out_of_bounds": False}
    pairs = zip(target, _leaves(step, leaves))
    return tuple([step.add("TensorListSetItem", one, place, leaf, **flags) for one, leaf in pairs])


def _pop(step: Step) -> Any:
    target, *index = step.inputs
    dtypes = [spec.dtype for spec in step.attrs["specs"]]
    if not index:
        shape = _any_shape(step)
        pairs = [
            step.add("TensorListPopBack", one, shape, element_dtype=dtype)
            for one, dtype in zip(target, dtypes or [float32])
        ]
        items = [(x,) if dtype.is_variant else x for (_, x), dtype in zip(pairs, dtypes)]
        return [tuple([rest for rest, _ in pairs]), *items]
    place = _place(step, target, index[0])
    item = _item(step, target, place, dtypes)
    return [_without(step, target, place), *item]


# -- places ----------------------------------------------------------------------------------------


def _range(step: Step, start: Any, stop: Ref) -> Ref:
    first = start if isinstance(start, Ref) else step.const(start, "start")
    found: Ref = step.add("Range", first, stop, step.const(1, "delta"))
    return found


def _without(step: Step, target: _List, place: Ref) -> _List:
    before = _range(step, 0, place)
    after = _range(step, step.add("AddV2", place, step.const(1, "one")), _length(step, target))
    kept = step.add("ConcatV2", [before, after], step.const(0, "axis"))
    return _taken(step, target, kept)


def _delete(step: Step) -> Any:
    target, index = step.inputs
    place = _place(step, target, index)
    # What is not there cannot be deleted: looking at it tells.
    size = _length(step, target)
    known = step.add("GatherV2", _range(step, 0, size), place, step.const(0, "axis"), batch_dims=0)
    return _without(step, target, known)


def _insert(step: Step) -> Any:
    """Put an item before a place, which any number names, as in Python."""
    target, index, *leaves = step.inputs
    places = _range(step, 0, _length(step, target))
    at = as_int32(step, index)
    before = _cut(step, places, None, at, None)
    after = _cut(step, places, at, None, None)
    start = _pushed(step, _taken(step, target, before), leaves)
    return _joined(step, start, _taken(step, target, after))


def _cut(step: Step, places: Ref, start: Any, stop: Any, stride: Any) -> Ref:
    """Return `places[start:stop:stride]`."""
    parts = []
    for part, default, name in ((start, 0, "begin"), (stop, 0, "end"), (stride, 1, "strides")):
        if isinstance(part, Ref):
            parts.append(step.add("Pack", [as_int32(step, part)], axis=0))
        else:
            parts.append(step.const([default if part is None else part], name))
    marks = masks(begin=int(start is None), end=int(stop is None))
    found: Ref = step.add("StridedSlice", places, *parts, **marks)
    return found


def _places_of(step: Step, target: _List, bounds: list[Ref]) -> tuple[Ref, Ref]:
    """Return all places of a list, and those that the slice of the step names."""
    span: Span = step.attrs["span"]
    parts = [
        bounds[part.position] if isinstance(part, Input) else part
        for part in (span.start, span.stop, span.step)
    ]
    places = _range(step, 0, _length(step, target))
    return places, _cut(step, places, *parts)


def _slice(step: Step) -> Any:
    target, *bounds = step.inputs
    return _taken(step, target, _places_of(step, target, bounds)[1])


def _delete_slice(step: Step) -> Any:
    """Keep the places at which nothing was put, after something was put where the slice is."""
    target, *bounds = step.inputs
    places, cut = _places_of(step, target, bounds)
    column = step.add("ExpandDims", cut, step.const(-1, "dim"))
    gone = step.add("TensorScatterUpdate", places, column, step.add("Invert", step.add("Abs", cut)))
    zero = step.const(0, "zero")
    kept = step.add("Where", step.add("GreaterEqual", gone, zero))
    flat = step.add("Reshape", kept, step.const([-1], "flat"))
    return _taken(step, target, step.add("Cast", flat, DstT=int32))


def _reverse(step: Step) -> Any:
    target = step.inputs[0]
    places = _range(step, 0, _length(step, target))
    return _taken(step, target, _cut(step, places, None, None, -1))


def _repeat(step: Step) -> Any:
    target, count = step.inputs
    places = _range(step, 0, _length(step, target))
    times = step.add("Maximum", as_int32(step, count), step.const(0, "none"))
    tiled = step.add("Tile", places, step.add("Pack", [times], axis=0))
    return _taken(step, target, tiled)


def _take(step: Step) -> Any:
    target, indices = step.inputs
    return _taken(step, target, _place(step, target, indices))


def _taken(step: Step, target: _List, places: Ref) -> _List:
    """Return the items at places, in the order of those: a loop, since they may differ in shape."""
    shape = step.add("Shape", places, out_type=int32)
    count = step.add("Reshape", shape, step.const(np.zeros(0, np.int32), "scalar"))
    start = step.const(0, "loop_counter")
    found = []
    for one, dtype in zip(target, step.region.library.types.of(step.node.inputs[0])):
        cond, body = _taking(step, dtype)
        inputs = [start, count, places, one, _empty(step, dtype)]
        shapes = [TensorShape.of(dims) for dims in ((), (), (None,), (), ())]
        loop = step.add("StatelessWhile", inputs, cond=cond, body=body, output_shapes=shapes,
                        parallel_iterations=10, _lower_using_switch_merge=True)  # fmt: skip
        found.append(loop[-1])
    return tuple(found)


def _taking(step: Step, dtype: DType) -> tuple[NameAttrList, NameAttrList]:
    """Return the functions of a loop that takes items of a dtype."""
    library = step.region.library
    return library.add(_taking_test()), library.add(_taking_turn(dtype))


def _taking_start() -> tuple[Body, list[Ref]]:
    body = Body("take/", is_function=True)
    words = ("counter", "count", "places", "source", "target")
    kinds = (int32, int32, int32, *2 * (VARIANT.dtype,))
    return body, [parameter(body, word, kind) for word, kind in zip(words, kinds)]


def _taking_test() -> FunctionDef:
    body, parameters = _taking_start()
    found = body.add("Less", parameters[:2])
    return function_def("list_take_cond", body, parameters, Results(found))


def _taking_turn(dtype: DType) -> FunctionDef:
    body, parameters = _taking_start()
    counter, _, places, source, target = parameters
    axis, one = (body.const(np.array(value, np.int32)) for value in (0, 1))
    shape = body.const(np.array(-1, np.int32))
    place = body.add("GatherV2", [places, counter, axis], {"batch_dims": 0})[0]
    item = body.add("TensorListGetItem", [source, place, shape], {"element_dtype": dtype})[0]
    pushed = body.add("TensorListPushBack", [target, item])[0]
    following = body.add("AddV2", [counter, one])[0]
    results = Results([following, *parameters[1:4], pushed])
    return function_def("list_take_body", body, parameters, results)


def _set_slice(step: Step) -> Any:
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
    head = _joined(step, _taken(step, target, before), other)
    return _joined(step, head, _taken(step, target, after))


# -- tensors ---------------------------------------------------------------------------------------


def _element_shape(step: Step, handle: Ref, shape: TensorShape, dtype: DType) -> Ref:
    """Return what is known of the shape of items; of none, sizes that are not known are 0."""
    if shape.dims is None:
        return _any_shape(step)
    known = step.const([-1 if dim is None else dim for dim in shape.dims], "element_shape", dtype)
    if shape.is_fully_defined():
        return known
    none = step.const([dim or 0 for dim in shape.dims], "no_items", dtype)
    is_empty = step.add("Equal", step.add("TensorListLength", handle), step.const(0, "zero"))
    found: Ref = step.add("SelectV2", is_empty, none, known)
    return found


def _stack(step: Step) -> Any:
    spec: TensorSpec = step.attrs["spec"]
    handle = step.inputs[0][step.attrs["leaf"]]
    shape = _element_shape(step, handle, spec.shape, int32)
    return step.last("TensorListStack", handle, shape, element_dtype=spec.dtype, num_elements=-1)


def _concat(step: Step) -> Any:
    spec: TensorSpec = step.attrs["spec"]
    handle = step.inputs[0][step.attrs["leaf"]]
    shape = _element_shape(step, handle, spec.shape, int64)
    leading = step.const(np.zeros(0, np.int64), "leading_dims")
    found, _ = step.last("TensorListConcatV2", handle, shape, leading, element_dtype=spec.dtype)
    return found


def _from_rows(step: Step) -> Any:
    shape = _any_shape(step)
    return tuple([step.add("TensorListFromTensor", rows, shape) for rows in step.inputs])


def _from_parts(step: Step) -> Any:
    tensor, lengths = step.inputs
    if lengths.kind != int64:
        lengths = step.add("Cast", lengths, DstT=int64)
    return (step.add("TensorListSplit", tensor, _any_shape(step), lengths),)


# -- TensorArrays ----------------------------------------------------------------------------------


def _array(step: Step) -> Any:
    element: TensorSpec = step.attrs["element"]
    shape: Ref = _any_shape(step)
    if element.shape.dims is not None:
        sizes = [-1 if dim is None else dim for dim in element.shape.dims]
        shape = step.const(np.array(sizes, np.int32), "shape")
    size = as_int32(step, step.inputs[0])
    return (step.add("TensorListReserve", shape, size, element_dtype=element.dtype),)


def _write(step: Step) -> Any:
    target, index, value = step.inputs
    flags = {"resize_if_index_out_of_bounds": step.attrs["dynamic"]}
    return (step.add("TensorListSetItem", target[0], as_int32(step, index), value, **flags),)


def _read(step: Step) -> Any:
    target, index = step.inputs
    element: TensorSpec = step.attrs["element"]
    shape = _any_shape(step)
    if element.shape.dims is not None:
        sizes = [-1 if dim is None else dim for dim in element.shape.dims]
        shape = step.const(np.array(sizes, np.int32), "shape")
    place = as_int32(step, index)
    return step.last("TensorListGetItem", target[0], place, shape, element_dtype=element.dtype)


def _items(step: Step) -> Any:
    target, *indices = step.inputs
    return _taken(step, target, as_int32(step, indices[0])) if indices else target


def _fill(step: Step) -> Any:
    return step.inputs[1]


def _size(step: Step) -> Any:
    return step.last("TensorListLength", step.inputs[0][0])


RULES: dict[str, Rule] = {
    "list_of": _list_of,
    "list_append": _append,
    "list_extend": _extend,
    "list_length": _size,
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
    "list_stack": _stack,
    "list_concat": _concat,
    "list_from_rows": _from_rows,
    "list_from_parts": _from_parts,
    "tensor_array": _array,
    "tensor_array_write": _write,
    "tensor_array_read": _read,
    "tensor_array_items": _items,
    "tensor_array_fill": _fill,
    "tensor_array_size": _size,
}
