"""Attributes and constants of GraphDef nodes."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import DType, dtype_of_array
from runtime.core.shapes import TensorShape
from runtime.core.tensor import Array
from runtime.export.graphdef.data_types import ResourceType, number_of
from runtime.export.graphdef.messages import (
    AttrListValue,
    AttrValue,
    Dim,
    NameAttrList,
    TensorProto,
    TensorShapeProto,
)

# The dtypes of which several elements are stored as raw bytes, as in TensorFlow.
_AS_CONTENT = frozenset("float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64".split())
_FIELDS = {
    "bool": "bool_val",
    "float32": "float_val",
    "float64": "double_val",
    "int64": "int64_val",
    "uint32": "uint32_val",
    "uint64": "uint64_val",
}


def shape_proto(shape: TensorShape) -> TensorShapeProto:
    """Return a shape as a message; an unknown dimension is -1."""
    if shape.dims is None:
        return TensorShapeProto(unknown_rank=True)
    sizes = (-1 if dim is None else dim for dim in shape.dims)
    return TensorShapeProto(dim=[Dim(size=size) for size in sizes])


def shape_of_proto(message: TensorShapeProto) -> TensorShape:
    """Return the shape of a message.

    >>> shape_of_proto(shape_proto(TensorShape.of((2, None))))
    TensorShape([2, None])
    """
    if message.unknown_rank:
        return TensorShape(None)
    return TensorShape([None if dim.size < 0 else dim.size for dim in message.dim])


def tensor_proto(array: Array) -> TensorProto:
    """Return an array as a message.

    >>> print(tensor_proto(np.array(2, np.int32)), end="")
    dtype: DT_INT32
    tensor_shape {
    }
    int_val: 2
    """
    dtype = dtype_of_array(array)
    head: dict[str, Any] = {
        "dtype": number_of(dtype),
        "tensor_shape": shape_proto(TensorShape.of(array.shape)),
    }
    if array.size > 1 and dtype.name in _AS_CONTENT:
        little = array.dtype.newbyteorder("<")
        return TensorProto(**head, tensor_content=np.ascontiguousarray(array, little).tobytes())
    return TensorProto(**head, **_elements(array, dtype))


def _elements(array: Array, dtype: DType) -> dict[str, Any]:
    flat = array.ravel()
    if dtype.is_string:
        return {"string_val": [_bytes(each) for each in flat.tolist()]}
    if dtype.is_complex:
        name = "scomplex_val" if dtype.name == "complex64" else "dcomplex_val"
        return {name: [part for each in flat.tolist() for part in (each.real, each.imag)]}
    if dtype.name in ("float16", "bfloat16"):
        return {"half_val": flat.view(np.uint16).tolist()}
    return {_FIELDS.get(dtype.name, "int_val"): flat.tolist()}


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


def attr_value(value: Any) -> AttrValue:
    """Return the message of a dtype, shape, text, number, function or array, or a list of them.

    >>> print(attr_value([1, 2]).list.i, attr_value("text").s, attr_value(True).b)
    [1, 2] b'text' True
    """
    if isinstance(value, list):
        return AttrValue(list=_list_value(value))
    name, plain = _one(value)
    return AttrValue(**{name: plain})


def _list_value(values: list[Any]) -> AttrListValue:
    if not values:
        return AttrListValue()
    pairs = [_one(value) for value in values]
    return AttrListValue(**{pairs[0][0]: [plain for _, plain in pairs]})


def _one(value: Any) -> tuple[str, Any]:
    if isinstance(value, (bool, np.bool_)):
        return "b", bool(value)
    if isinstance(value, int):
        return "i", value
    if isinstance(value, float):
        return "f", value
    if isinstance(value, (str, bytes)):
        return "s", _bytes(value)
    if isinstance(value, (DType, ResourceType)):
        return "type", number_of(value)
    if isinstance(value, TensorShape):
        return "shape", shape_proto(value)
    if isinstance(value, NameAttrList):
        return "func", value
    return "tensor", tensor_proto(value)
