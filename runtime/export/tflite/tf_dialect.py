"""Types and attributes of TensorFlow's ops as texts of the compiler MLIR.

float32, (None, 3)    ->    tensor<?x3xf32>
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from runtime.core.dtypes import DType
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.export.graphdef.data_types import ResourceType
from runtime.export.graphdef.messages import NameAttrList
from runtime.export.graphdef.tf_ops import SIGNATURES

_ELEMENTS = {
    "float16": "f16",
    "bfloat16": "bf16",
    "float32": "f32",
    "float64": "f64",
    "int8": "i8",
    "int16": "i16",
    "int32": "i32",
    "int64": "i64",
    "uint8": "ui8",
    "uint16": "ui16",
    "uint32": "ui32",
    "uint64": "ui64",
    "bool": "i1",
    "string": "!tf_type.string",
    "complex64": "complex<f32>",
    "complex128": "complex<f64>",
}


def tensor_type(spec: TensorSpec) -> str:
    """Return the type of a tensor.

    >>> tensor_type(TensorSpec((None, 3), "float32")), tensor_type(TensorSpec(None, "bool"))
    ('tensor<?x3xf32>', 'tensor<*xi1>')
    """
    dims = spec.shape.dims
    sizes = "*x" if dims is None else "".join([f"{_size(dim)}x" for dim in dims])
    return f"tensor<{sizes}{_ELEMENTS[spec.dtype.name]}>"


def variable_type(value: TensorSpec) -> str:
    """Return the type of the handle of a variable.

    >>> variable_type(TensorSpec((), "int32"))
    'tensor<!tf_type.resource<tensor<i32>>>'
    """
    return f"tensor<!tf_type.resource<{tensor_type(value)}>>"


def constant(array: Array, dtype: DType) -> str:
    """Return an array with its type; numbers are their bytes.

    >>> from runtime.core.dtypes import bool_, int32
    >>> constant(np.array([1, 2], np.int32), int32)
    'dense<"0x0100000002000000"> : tensor<2xi32>'
    >>> constant(np.array(True), bool_)
    'dense<true> : tensor<i1>'
    """
    kind = tensor_type(TensorSpec(TensorShape.of(array.shape), dtype))
    if not array.size:
        return f"dense<> : {kind}"
    if dtype.is_string or dtype.is_bool:
        return f"dense<{_nested(array.tolist())}> : {kind}"
    data = np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes()
    return f'dense<"0x{data.hex().upper()}"> : {kind}'


def attribute(value: Any) -> str:
    """Return an attribute: a number, text, shape, function or a list of them.

    >>> attribute([1, 2]), attribute(0.5), attribute(True)
    ('[1 : i64, 2 : i64]', '5.00000000000000000e-01 : f32', 'true')
    """
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(attribute, value))}]"
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value)).lower()
    if isinstance(value, int):
        return f"{value} : i64"
    if isinstance(value, float):
        return f"{_float(value)} : f32"
    if isinstance(value, TensorShape):
        dims = "*" if value.dims is None else "x".join(map(_size, value.dims))
        return f"#tf_type.shape<{dims}>"
    if isinstance(value, NameAttrList):
        return f"@{value.name}"
    return text(value)


def text(value: str | bytes) -> str:
    r"""Return a text in quotation marks.

    >>> text('a"b')
    '"a\\22b"'
    """
    data = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value
    return f'"{"".join(map(_byte, data))}"'


def attributes_of(op: str, attrs: Mapping[str, Any]) -> list[str]:
    """Return the attributes of an op, except those that follow from its operands and results.

    >>> attributes_of("Sum", {"T": None, "keep_dims": False})
    ['keep_dims = false']
    """
    signature = SIGNATURES[op]
    arguments = [*signature.inputs, *signature.outputs]
    derived = {name for each in arguments for name in (each.dtype, each.count)}
    return [
        f"{key} = {attribute(value)}"
        for key, value in attrs.items()
        if not (key in derived or key.startswith("_") or _is_type(value))
    ]


def _is_type(value: Any) -> bool:
    return isinstance(value, (DType, ResourceType))


def _size(dim: int | None) -> str:
    return "?" if dim is None else str(dim)


def _nested(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_nested, value))}]"
    return str(value).lower() if isinstance(value, bool) else text(value)


def _byte(byte: int) -> str:
    return chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:02X}"


def _float(value: float) -> str:
    """Return a number; one that is not finite is its bits."""
    if math.isfinite(value):
        return f"{value:.17e}"
    return f"0x{int(np.float32(value).view(np.uint32)):08X}"
