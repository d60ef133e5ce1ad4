"""The dtypes of ONNX, and the dtypes that onnxruntime's kernels compute.

The standard allows more dtypes for an operator than onnxruntime's CPU kernels accept. A node of
another dtype computes in a wider one that has a kernel, if the result is the same to the last bit.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from runtime.core import dtypes
from runtime.core.dtypes import DType

# The numbers of `TensorProto.DataType`.
ONNX_TYPES: Mapping[str, int] = MappingProxyType(
    {
        "float32": 1,
        "uint8": 2,
        "int8": 3,
        "uint16": 4,
        "int16": 5,
        "int32": 6,
        "int64": 7,
        "string": 8,
        "bool": 9,
        "float16": 10,
        "float64": 11,
        "uint32": 12,
        "uint64": 13,
        "bfloat16": 16,
    }
)

# The dtypes in the table below, by their short names.
_SHORT: Mapping[str, str] = MappingProxyType(
    {
        "f4": "float32",
        "f8": "float64",
        "f2": "float16",
        "bf": "bfloat16",
        "i1": "int8",
        "i2": "int16",
        "i4": "int32",
        "i8": "int64",
        "u1": "uint8",
        "u2": "uint16",
        "u4": "uint32",
        "u8": "uint64",
        "b1": "bool",
        "S": "string",
    }
)

# The dtypes that have a CPU kernel in onnxruntime for opsets 20 and 21, by operator. They are those
# of its first operand, or of the results of `Where`.
_KERNELS: Mapping[str, str] = MappingProxyType(
    {
        "Abs": "f4 f8 i1 i2 i4 i8 u1 u2 u4 u8",
        "Acos": "f4",
        "Acosh": "f4",
        "Add": "f4 f8 i1 i2 i4 i8 u1 u2 u4 u8",
        "And": "b1",
        "ArgMax": "f4 f8 i1 i4 i8 u1",
        "ArgMin": "f4 f8 i1 i4 i8 u1",
        "Asin": "f4",
        "Asinh": "f4",
        "Atan": "f4",
        "Atanh": "f4",
        "AveragePool": "f4",
        "BitShift": "u1 u4 u8",
        "BitwiseAnd": "i1 i2 i4 i8 u1 u2 u4 u8",
        "BitwiseNot": "i1 i2 i4 i8 u1 u2 u4 u8",
        "BitwiseOr": "i1 i2 i4 i8 u1 u2 u4 u8",
        "BitwiseXor": "i1 i2 i4 i8 u1 u2 u4 u8",
        "Cast": "f4 f8 f2 bf i1 i2 i4 i8 u1 u2 u4 u8 b1 S",
        "Ceil": "f4 f8",
        "Clip": "f4 f8 f2 i1 i4 i8 u1 u4 u8",
        "Compress": "f4 f8 f2 bf i1 i2 i4 i8 u1 u2 u4 u8 b1 S",
        "Concat": "f4 f8 f2 bf i1 i2 i4 i8 u1 u2 u4 u8 b1 S",
        "Conv": "f4",
        "ConvTranspose": "f4",
        "Cos": "f4 f8",
        "Cosh": "f4",
        "CumSum": "f4 f8 i4 i8",
        "Det": "f4",
        "Div": "f4 f8 i1 i2 i4 i8 u1 u2 u4 u8",
        "Einsum": "f4 f8 i4 i8",
        "Elu": "f4",
        "Equal": "f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1 S",
        "Erf": "f4",
        "Exp": "f4 f8",
        "Expand": "f4 f8 f2 i1 i2 i4 i8 u1 u2 u4 u8 b1 S",
        "EyeLike": "f4 f8 i4 i8 u8",
        "Floor": "f4 f8",
        "Gather": "f4 f8 f2 bf i1 i2 i4 i8 u1 u2 u4 u8 b1 S",
        "GatherElements": "f4 f8 f2 bf i1 i2 i4 i8 u1 u2 u4 u8 b1 S",
        "GatherND": "f4 f8 f2 bf i1 i2 i4 i8 u1 u2 u4 u8 b1 S",
        "Greater": "f4 f8 i1 i2 i4 i8 u1 u2 u4 u8",
        "GreaterOrEqual": "f4 f8 i1 i2 i4 i8 u1 u2 u4 u8",
        "Identity": "f4 f8 f2 bf i1 i2 i4 i8 u1 u2 u4 u8 b1 S",
        "IsInf": "f4 f8 f2 bf",
        "IsNaN": "f4 f8 f2 bf",
        "Less": "f4 f8 i1 i2 i4 i8 u1 u2 u4 u8",
        "LessOrEqual": "f4 f8 i1 i2 i4 i8 u1 u2 u4 u8",
        "Log": "f4 f8",
        "LogSoftmax": "f4 f8",
        "MatMul": "f4 f8 i4 i8 u4 u8",
        "Max": "f4 f8 f2 i4 i8 u4 u8",
        "MaxPool": "f4 f8 i1 u1",
        "Min": "f4 f8 f2 i4 i8 u4 u8",
        "Mod": "f4 f8 f2 i1 i2 i4 i8 u1 u2 u4 u8",
        "Mul": "f4 f8 i1 i2 i4 i8 u1 u2 u4 u8",
        "Multinomial": "f4",
        "Neg": "f4 f8 i1 i2 i4 i8",
        "NonZero": "f4 i4 i8 u1 b1",
        "Not": "b1",
        "Or": "b1",
        "Pad": "f4 f8 i1 i4 i8 u1 u4 u8 b1",
        "Pow": "f4 f8 i4 i8",
        "Range": "f4 f8 i2 i4 i8",
        "RandomNormalLike": "f4 f8",
        "RandomUniformLike": "f4 f8",
        "Reciprocal": "f4 f8",
        "ReduceLogSumExp": "f4 f8 i4 i8",
        "ReduceMax": "f4 f8 i1 i4 i8 u1 b1",
        "ReduceMean": "f4 f8 i4 i8",
        "ReduceMin": "f4 f8 i1 i4 i8 u1 b1",
        "ReduceProd": "f4 f8 i4 i8",
        "ReduceSum": "f4 f8 i4 i8",
        "RegexFullMatch": "S",
        "Relu": "f4 f8 i1 i4",
        "Reshape": "f4 f8 f2 bf i1 i2 i4 i8 u1 u2 u4 u8 b1 S",
        "ReverseSequence": "f4 f8 f2 bf i1 i2 i4 i8 u1 u2 u4 u8 b1 S",
        "Round": "f4 f8 f2",
        "ScatterElements": "f4 f8 f2 bf i1 i2 i4 i8 u1 u2 u4 u8 b1 S",
        "ScatterND": "f4 f8 f2 bf i1 i2 i4 i8 u1 u2 u4 u8 b1 S",
        "Shape": "f4 f8 f2 bf i1 i2 i4 i8 u1 u2 u4 u8 b1 S",
        "Sigmoid": "f4 f8",
        "Sign": "f4 f8 f2 bf i1 i2 i4 i8 u1 u2 u4 u8",
        "Sin": "f4 f8",
        "Sinh": "f4",
        "Size": "f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1 S",
        "Slice": "f4 f8 f2 bf i1 i2 i4 i8 u1 u2 u4 u8 b1 S",
        "Softmax": "f4 f8",
        "Softplus": "f4",
        "Softsign": "f4",
        "Split": "f4 f8 f2 bf i1 i2 i4 i8 u1 u2 u4 u8 b1 S",
        "Sqrt": "f4 f8",
        "Squeeze": "f4 f8 f2 bf i1 i2 i4 i8 u1 u2 u4 u8 b1 S",
        "StringConcat": "S",
        "StringNormalizer": "S",
        "StringSplit": "S",
        "Sub": "f4 f8 i1 i2 i4 i8 u1 u2 u4 u8",
        "Sum": "f4 f8",
        "Tan": "f4",
        "Tanh": "f4 f8",
        "Tile": "f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1 S",
        "TopK": "f4 f8 i1 i2 i4 i8 u1",
        "Transpose": "f4 f8 f2 bf i1 i2 i4 i8 u1 u2 u4 u8 b1 S",
        "Trilu": "f4 f8 i4 i8 b1",
        "Unique": "f4 f8 i1 i8 S",
        "Unsqueeze": "f4 f8 f2 bf i1 i2 i4 i8 u1 u2 u4 u8 b1 S",
        "Where": "f4 f8 i4 i8 u1 u4 S",
        "Xor": "b1",
    }
)

# Dtypes that hold all values of another one, narrow ones first.
_WIDER: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "bool": ("uint8", "int32", "int64"),
        "int8": ("int32", "int64", "float32"),
        "int16": ("int32", "int64", "float32"),
        "int32": ("int64", "float64"),
        "uint8": ("int32", "int64", "float32"),
        "uint16": ("int32", "int64", "float32", "uint32"),
        "uint32": ("int64", "float64"),
        "float16": ("float32",),
        "bfloat16": ("float32",),
    }
)
# Operators on 64-bit integers whose result has the same bits with and without a sign.
_SIGNLESS = frozenset(("Add", "Sub", "Mul", "MatMul", "Neg", "ReduceSum", "ReduceProd", "CumSum"))
# Operators that only move values, for which any dtype is as good.
_MOVING = frozenset(("Where", "Pad", "Tile", "Compress"))


def dtype_named(name: str) -> DType:
    """Return the dtype of a name.

    >>> dtype_named("int32")
    rt.int32
    """
    return dtypes.as_dtype(name)


def computed_dtype(operator: str, dtype: DType) -> DType | None:
    """Return the dtype in which a node computes values of `dtype`; None if there is no kernel.

    >>> computed_dtype("Add", dtypes.int32), computed_dtype("Max", dtypes.int16)
    (rt.int32, rt.int32)
    >>> computed_dtype("Erf", dtypes.float64) is None
    True
    """
    kernels = _kernels_of(operator)
    if kernels is None or dtype.name in kernels:
        return dtype
    wider = _WIDER.get(dtype.name, ())
    if dtype.name == "uint64" and operator in (_SIGNLESS | _MOVING):
        wider = ("int64",)
    found = next((each for each in wider if each in kernels), None)
    return None if found is None else dtype_named(found)


def _kernels_of(operator: str) -> frozenset[str] | None:
    """Return the dtypes with a kernel, None for an operator that is not in the table."""
    line = _KERNELS.get(operator)
    return None if line is None else frozenset([_SHORT[each] for each in line.split()])
