"""Conversions between lists and tensors, and TensorArrays, which lower to TensorFlow's lists."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import DType, int32, int64
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.export.graphdef.function_body import ValueRef
from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule
from runtime.export.graphdef.rules.axes import as_int32
from runtime.export.graphdef.rules.list_moves import put, taken
from runtime.export.graphdef.rules.lists import any_shape

# -- tensors ---------------------------------------------------------------------------------------


def _element_shape(
    step: GraphDefNodeLowering, handle: ValueRef, shape: TensorShape, dtype: DType
) -> ValueRef:
    """Return the known shape of items; if there are no items, unknown sizes are 0.

    If an item is required, the shape stays unknown: without items there is an error, not a tensor.
    """
    if shape.dims is None or step.attrs.get("needed", False):
        return any_shape(step)
    known = step.const([-1 if dim is None else dim for dim in shape.dims], "element_shape", dtype)
    if shape.is_fully_defined():
        return known
    none = step.const([dim or 0 for dim in shape.dims], "no_items", dtype)
    is_empty = step.add("Equal", step.add("TensorListLength", handle), step.const(0, "zero"))
    found: ValueRef = step.add("SelectV2", is_empty, none, known)
    return found


def _stack(step: GraphDefNodeLowering) -> Any:
    spec: TensorSpec = step.attrs["spec"]
    handle = step.inputs[0][step.attrs["leaf"]]
    shape = _element_shape(step, handle, spec.shape, int32)
    return step.last("TensorListStack", handle, shape, element_dtype=spec.dtype, num_elements=-1)


def _concat(step: GraphDefNodeLowering) -> Any:
    spec: TensorSpec = step.attrs["spec"]
    handle = step.inputs[0][step.attrs["leaf"]]
    shape = _element_shape(step, handle, spec.shape, int64)
    leading = step.const(np.zeros(0, np.int64), "leading_dims")
    found, _ = step.last("TensorListConcatV2", handle, shape, leading, element_dtype=spec.dtype)
    return found


def _from_rows(step: GraphDefNodeLowering) -> Any:
    shape = any_shape(step)
    return tuple([step.add("TensorListFromTensor", rows, shape) for rows in step.inputs])


def _from_parts(step: GraphDefNodeLowering) -> Any:
    tensor, lengths = step.inputs
    if lengths.kind != int64:
        lengths = step.add("Cast", lengths, DstT=int64)
    return (step.add("TensorListSplit", tensor, any_shape(step), lengths),)


# -- TensorArrays ----------------------------------------------------------------------------------


def _array(step: GraphDefNodeLowering) -> Any:
    element: TensorSpec = step.attrs["element"]
    shape: ValueRef = any_shape(step)
    if element.shape.dims is not None:
        sizes = [-1 if dim is None else dim for dim in element.shape.dims]
        shape = step.const(np.array(sizes, np.int32), "shape")
    size = as_int32(step, step.inputs[0])
    return (step.add("TensorListReserve", shape, size, element_dtype=element.dtype),)


def _write(step: GraphDefNodeLowering) -> Any:
    target, index, value = step.inputs
    flags = {"resize_if_index_out_of_bounds": step.attrs["dynamic"]}
    return (step.add("TensorListSetItem", target[0], as_int32(step, index), value, **flags),)


def _read(step: GraphDefNodeLowering) -> Any:
    target, index = step.inputs
    element: TensorSpec = step.attrs["element"]
    shape = any_shape(step)
    if element.shape.dims is not None:
        sizes = [-1 if dim is None else dim for dim in element.shape.dims]
        shape = step.const(np.array(sizes, np.int32), "shape")
    place = as_int32(step, index)
    return step.last("TensorListGetItem", target[0], place, shape, element_dtype=element.dtype)


def _items(step: GraphDefNodeLowering) -> Any:
    target, *indices = step.inputs
    if not indices:
        return target
    dtypes = step.region.library.types.of(step.node.inputs[0])
    return taken(step, target, as_int32(step, indices[0]), dtypes)


def _scatter(step: GraphDefNodeLowering) -> Any:
    (target,), places, (values,) = step.inputs
    (dtype,) = step.region.library.types.of(step.node.inputs[0])
    return (put(step, values, as_int32(step, places), target, dtype),)


def _fill(step: GraphDefNodeLowering) -> Any:
    return step.inputs[1]


def _size(step: GraphDefNodeLowering) -> Any:
    return step.last("TensorListLength", step.inputs[0][0])


RULES: dict[str, Rule] = {
    "list_stack": _stack,
    "list_concat": _concat,
    "list_from_rows": _from_rows,
    "list_from_parts": _from_parts,
    "tensor_array": _array,
    "tensor_array_write": _write,
    "tensor_array_read": _read,
    "tensor_array_items": _items,
    "tensor_array_fill": _fill,
    "tensor_array_scatter": _scatter,
    "tensor_array_size": _size,
}
