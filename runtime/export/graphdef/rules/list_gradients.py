"""Lowering of the gradients of lists: lists with the gradients of some items, shorter or as long.

An element that was never written is a gradient of zero. TensorFlow adds such lists element by
element, and the sum of one that was written and one that was not is the one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import DType, int32, int64
from runtime.export.graphdef.function_body import ValueRef
from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule
from runtime.export.graphdef.rules.axes import as_int32, counted_from_the_end, size_of
from runtime.export.graphdef.rules.lists import List, any_shape, empty_list

# -- lists of TensorFlow ---------------------------------------------------------------------------


def _length(step: GraphDefNodeLowering, one: ValueRef) -> ValueRef:
    found: ValueRef = step.add("TensorListLength", one)
    return found


def _resized(step: GraphDefNodeLowering, one: ValueRef, size: ValueRef) -> ValueRef:
    found: ValueRef = step.add("TensorListResize", one, size)
    return found


def _least_size(step: GraphDefNodeLowering, one: ValueRef, place: ValueRef) -> ValueRef:
    """Return a list with an element at a place at least."""
    after = step.add("AddV2", place, step.const(1, "one"))
    return _resized(step, one, step.add("Maximum", _length(step, one), after))


def _only(step: GraphDefNodeLowering, place: ValueRef, value: ValueRef, size: ValueRef) -> ValueRef:
    """Return a list of which one element is written."""
    unwritten = step.add("TensorListReserve", any_shape(step), size, element_dtype=value.kind)
    found: ValueRef = step.add("TensorListSetItem", unwritten, place, value,
                               resize_if_index_out_of_bounds=False)  # fmt: skip
    return found


def _types(step: GraphDefNodeLowering, gradients: Any) -> tuple[DType, ...]:
    """Return the dtypes of the parts of an item.

    Raises:
        UnimplementedError: a part is a list.
    """
    found = step.region.library.types.of(gradients)
    if any(dtype.is_variant for dtype in found):
        raise step.unsupported("TensorFlow adds no lists of lists")
    return found


def _place(step: GraphDefNodeLowering, target: List, index: ValueRef) -> ValueRef:
    if step.node.inputs[1 + (step.node.op.name != "place_item_gradients")].shape.rank != 0:
        raise step.unsupported("several elements are written in a loop, one by one")
    return counted_from_the_end(step, as_int32(step, index), _length(step, target[0]))


# -- rules -----------------------------------------------------------------------------------------


def _none(step: GraphDefNodeLowering) -> Any:
    return tuple(empty_list(step, dtype) for dtype in _types(step, step.node.outputs[0]))


def _join(step: GraphDefNodeLowering) -> Any:
    _types(step, step.node.outputs[0])
    for at, each in enumerate(step.node.inputs):
        if each.node.op.name == "no_item_gradients":
            return step.inputs[1 - at]
    return tuple(_sum(step, one, other) for one, other in zip(*step.inputs))


def _sum(step: GraphDefNodeLowering, one: ValueRef, other: ValueRef) -> ValueRef:
    most = step.add("Maximum", _length(step, one), _length(step, other))
    pair = [_resized(step, each, most) for each in (one, other)]
    found: ValueRef = step.add("AddN", pair)
    return found


def _limit(step: GraphDefNodeLowering) -> Any:
    gradients, length = step.inputs
    most = as_int32(step, length)
    sizes = (step.add("Minimum", _length(step, one), most) for one in gradients)
    return tuple(_resized(step, one, size) for one, size in zip(gradients, sizes))


def _given(step: GraphDefNodeLowering, values: list[ValueRef]) -> list[ValueRef | None]:
    """Return the gradient, or the value, of each part of an item; None for those without."""
    rest = iter(values)
    return [next(rest) if is_present else None for is_present in step.attrs["present"]]


def _put(step: GraphDefNodeLowering) -> Any:
    target, index, *dys = step.inputs
    place = _place(step, target, index)
    size = step.add("AddV2", place, step.const(1, "one"))
    pairs = zip(_types(step, step.node.outputs[0]), _given(step, dys))
    return tuple(
        empty_list(step, dtype) if dy is None else _only(step, place, dy, size)
        for dtype, dy in pairs
    )


def _pick(step: GraphDefNodeLowering) -> Any:
    gradients, target, index, *likes = step.inputs
    _types(step, step.node.inputs[0])
    place = _place(step, target, index)
    found = []
    for one, like in zip(gradients, _given(step, likes)):
        if like is not None:
            whole = _least_size(step, one, place)
            zeros = _only(step, place, step.add("ZerosLike", like), _length(step, whole))
            both = step.add("AddN", [whole, zeros])
            found.append(step.add("TensorListGetItem", both, place, any_shape(step),
                                  element_dtype=like.kind))  # fmt: skip
    return found


def _drop(step: GraphDefNodeLowering) -> Any:
    """Write zeros over an element, in the shape of the item that was there or is written there."""
    gradients, target, index = step.inputs
    place = _place(step, target, index)
    found = []
    for at, (one, dtype) in enumerate(zip(gradients, _types(step, step.node.inputs[0]))):
        if dtype.np_dtype.kind not in "fc":
            found.append(one)
            continue
        flags = {"resize_if_index_out_of_bounds": False}
        whole = _least_size(step, one, place)
        is_read = target is not gradients
        zeros = _old_zeros(step, target[at], place, dtype) if is_read else _zeros(step, at)
        found.append(step.add("TensorListSetItem", whole, place, zeros, **flags))
    return tuple(found)


def _old_zeros(
    step: GraphDefNodeLowering, target: ValueRef, place: ValueRef, dtype: DType
) -> ValueRef:
    item = step.add("TensorListGetItem", target, place, any_shape(step), element_dtype=dtype)
    found: ValueRef = step.add("ZerosLike", item)
    return found


def _zeros(step: GraphDefNodeLowering, leaf: int) -> ValueRef:
    """Return zeros in the shape of a part of the item whose gradients are dropped."""
    gradients, _, index = step.node.inputs
    for node in step.region.graph.nodes:
        given = node.inputs
        if node.op.name == "pick_item_gradients" and given[0] is gradients and given[2] is index:
            present: Any = node.attrs["present"]
            if present[leaf]:
                like = step.region.value(given[3 + sum(present[:leaf])])
                zeros: ValueRef = step.add("ZerosLike", like)
                return zeros
    known = step.region.library.types.parts(gradients)[leaf]
    if known.shape is None or not known.shape.is_fully_defined():
        raise step.unsupported("the shapes of the items of its list are not known")
    return step.const(np.zeros(known.shape.dims, known.dtype.np_dtype), "zeros", known.dtype)


# -- rows and parts of tensors ---------------------------------------------------------------------


def _of_rows(step: GraphDefNodeLowering) -> Any:
    rows = step.inputs[0]
    return _alone(step, step.add("TensorListFromTensor", rows, any_shape(step)))


def _of_parts(step: GraphDefNodeLowering) -> Any:
    return _alone(step, _split(step, *step.inputs))


def _alone(step: GraphDefNodeLowering, part: ValueRef) -> Any:
    """Return the gradients of a list whose other parts have none."""
    kinds = _types(step, step.node.outputs[0])
    leaf = step.attrs["leaf"]
    return tuple(part if at == leaf else empty_list(step, kind) for at, kind in enumerate(kinds))


def _split(step: GraphDefNodeLowering, whole: ValueRef, lengths: ValueRef) -> ValueRef:
    counts = lengths if lengths.kind == int64 else step.add("Cast", lengths, DstT=int64)
    found: ValueRef = step.add("TensorListSplit", whole, any_shape(step), counts)
    return found


def _as_rows(step: GraphDefNodeLowering) -> Any:
    gradients, like = step.inputs
    zeros = step.add("TensorListFromTensor", step.add("ZerosLike", like), any_shape(step))
    shape = step.add("Shape", like, out_type=int32)
    bounds = [step.const([at], "part") for at in (1, 0, 1)]
    rest = step.add("StridedSlice", shape, *bounds, begin_mask=0, end_mask=1, ellipsis_mask=0,
                    new_axis_mask=0, shrink_axis_mask=0)  # fmt: skip
    whole = _resized(step, gradients[step.attrs["leaf"]], size_of(step, like, 0))
    both = step.add("AddN", [whole, zeros])
    return step.last("TensorListStack", both, rest, element_dtype=step.dtype, num_elements=-1)


def _as_parts(step: GraphDefNodeLowering) -> Any:
    gradients, like, lengths = step.inputs
    zeros = _split(step, step.add("ZerosLike", like), lengths)
    whole = _resized(step, gradients[step.attrs["leaf"]], _length(step, zeros))
    both = step.add("AddN", [whole, zeros])
    sizes = step.add("Shape", like, out_type=int64)
    first = step.const(np.array([-1], np.int64), "first", int64)
    bounds = [step.const([at], "part") for at in (1, 0, 1)]
    rest = step.add("StridedSlice", sizes, *bounds, begin_mask=0, end_mask=1, ellipsis_mask=0,
                    new_axis_mask=0, shrink_axis_mask=0)  # fmt: skip
    shape = step.add("ConcatV2", [first, rest], step.const(0, "axis"))
    none = step.const(np.zeros(0, np.int64), "leading_dims", int64)
    found, _ = step.last("TensorListConcatV2", both, shape, none, element_dtype=step.dtype)
    return found


def _lengths(step: GraphDefNodeLowering) -> Any:
    """Return the lengths of items, which TensorFlow gives when it joins them."""
    target, leaf = step.inputs[0], step.attrs["leaf"]
    part = step.region.library.types.parts(step.node.inputs[0])[leaf]
    dims = None if part.shape is None else part.shape.dims
    if not dims or None in dims[1:]:
        raise step.unsupported("the shapes of the items of its list are not known")
    shape = step.const(np.array([-1, *dims[1:]], np.int64), "shape", int64)
    none = step.const(np.zeros(0, np.int64), "leading_dims", int64)
    _, found = step.add("TensorListConcatV2", target[leaf], shape, none, element_dtype=part.dtype)
    return step.last("Cast", found, DstT=int32)


# -- TensorArrays ----------------------------------------------------------------------------------


def _resize(step: GraphDefNodeLowering) -> Any:
    target, size = step.inputs
    return (_resized(step, target[0], as_int32(step, size)),)


def _add(step: GraphDefNodeLowering) -> Any:
    one, other = step.inputs
    return (step.add("AddN", [one[0], other[0]]),)


RULES: dict[str, Rule] = {
    "no_item_gradients": _none,
    "join_item_gradients": _join,
    "limit_item_gradients": _limit,
    "place_item_gradients": _put,
    "pick_item_gradients": _pick,
    "drop_item_gradients": _drop,
    "rows_as_item_gradients": _of_rows,
    "item_gradients_as_rows": _as_rows,
    "parts_as_item_gradients": _of_parts,
    "item_gradients_as_parts": _as_parts,
    "lengths_of_items": _lengths,
    "tensor_array_resize": _resize,
    "tensor_array_sum": _add,
}
