"""Ops that are one ONNX operator on the same operands."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

DIRECT: Mapping[str, str] = MappingProxyType(
    {
        "abs": "Abs",
        "acos": "Acos",
        "acosh": "Acosh",
        "asin": "Asin",
        "asinh": "Asinh",
        "atan": "Atan",
        "atanh": "Atanh",
        "bitwise_and": "BitwiseAnd",
        "bitwise_or": "BitwiseOr",
        "bitwise_xor": "BitwiseXor",
        "ceil": "Ceil",
        "cos": "Cos",
        "divide": "Div",
        "erf": "Erf",
        "exp": "Exp",
        "floor": "Floor",
        "greater": "Greater",
        "greater_equal": "GreaterOrEqual",
        "invert": "BitwiseNot",
        "is_inf": "IsInf",
        "is_nan": "IsNaN",
        "less": "Less",
        "less_equal": "LessOrEqual",
        "log": "Log",
        "logical_and": "And",
        "logical_not": "Not",
        "logical_or": "Or",
        "logical_xor": "Xor",
        "matrix_determinant": "Det",
        "multiply": "Mul",
        "negative": "Neg",
        "reciprocal": "Reciprocal",
        "round": "Round",
        "select": "Where",
        "sigmoid": "Sigmoid",
        "sign": "Sign",
        "sin": "Sin",
        "softsign": "Softsign",
        "sqrt": "Sqrt",
        "subtract": "Sub",
        "tanh": "Tanh",
    }
)
