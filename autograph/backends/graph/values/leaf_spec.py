"""The spec of one leaf of a variable's value, and the join of two such specs."""

from __future__ import annotations

from dataclasses import dataclass
from types import FunctionType, MethodType
from typing import Any

import numpy as np

import runtime as rt
from autograph.backends.graph.arrays.staged_array import as_tensor_operand
from autograph.backends.graph.values.dtype_join import joined_dtype
from autograph.backends.graph.values.object_values import ViewRead
from autograph.backends.undefined import StoredElsewhere, Undefined, UndefinedReturnValue
from runtime.ops.convert import NUMPYS, adopting, is_weak

NUMBERS = (bool, int, float, complex)


@dataclass(eq=False)
class LiteralSpec:
    """A Python number, str or bytes that is the same on every path."""

    value: Any

    def __eq__(self, other: object) -> bool:
        # 1, True and 1.0 are equal in Python but not the same constant; nor are 0.0 and -0.0.
        return isinstance(other, LiteralSpec) and _literal_key(self) == _literal_key(other)

    def __hash__(self) -> int:
        return hash(_literal_key(self))


@dataclass
class TracedSpec:
    """A tensor; `weak` marks one that stands for a Python number or a NumPy value.

    Such a tensor adopts other dtypes.
    """

    tensor_spec: rt.TensorSpec
    weak: bool = False


class StaticSpec:
    """Any other Python object, known by identity: two of them are joined to one of objects."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StaticSpec) and identity(other.value) == identity(self.value)

    def __hash__(self) -> int:
        return hash(identity(self.value))


Leaf = LiteralSpec | TracedSpec | StaticSpec
# The spec of an allocation number, which is carried beside a container's contents.
INDEX = TracedSpec(rt.TensorSpec((), rt.int32))
NONE = StaticSpec(None)


def leaf_spec_of(value: object) -> Leaf:
    """Return the spec of `value`, which is no container."""
    value = value.like if type(value) is ViewRead else as_tensor_operand(value)
    if type(value) in NUMBERS or type(value) in (str, bytes):
        return LiteralSpec(value)
    if isinstance(value, rt.Tensor):
        return TracedSpec(rt.TensorSpec(value.shape, value.dtype), getattr(value, "weak", False))
    if isinstance(value, rt.Variable):
        return TracedSpec(rt.TensorSpec(value.shape, value.dtype))
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        weak = NUMPYS if _adapts(array) else False
        return TracedSpec(rt.TensorSpec(array.shape, rt.as_dtype(array.dtype)), weak)
    return StaticSpec(value)


def _adapts(array: np.ndarray[Any, Any]) -> bool:
    """Return whether an array adopts the dtype of a tensor that it is joined with, as in an op.

    One with integers beyond 32 bits does not: most tensors of integers could not represent them.
    """
    if array.dtype.kind in "iu" and array.dtype.itemsize > 4:
        return not array.size or bool(-(2**31) <= array.min() and array.max() < 2**31)
    return array.dtype.kind in "biufc"


def as_traced(leaf: object) -> TracedSpec | None:
    """Return the spec of the tensor that carries a leaf; None if no tensor can."""
    if isinstance(leaf, LiteralSpec):
        is_pythons = type(leaf.value) in (*NUMBERS, str)
        return TracedSpec(rt.TensorSpec((), rt.literal_dtype(leaf.value)), weak=is_pythons)
    return leaf if isinstance(leaf, TracedSpec) else None


def join_leaves(a: object, b: object) -> Leaf | None:
    """Return the join of two leaves; None if they have none.

    Python numbers and NumPy arrays are weak: they adopt the dtype of the tensor they are joined
    with, if it can represent their kind of number. Dtypes of tensors are joined by `dtype_join`;
    different dimensions become unknown.
    """
    left, right = as_traced(a), as_traced(b)
    if left is None or right is None:
        return None
    dtype = joined_dtype(left.tensor_spec.dtype, left.weak, right.tensor_spec.dtype, right.weak)
    if dtype is None:
        return None
    shape = rt.TensorShape.join(left.tensor_spec.shape, right.tensor_spec.shape)
    return TracedSpec(rt.TensorSpec(shape, dtype), left.weak and right.weak)


def widened(leaf: Leaf) -> Leaf:
    """Return a Python number as a weak tensor, since a loop may change it."""
    if isinstance(leaf, LiteralSpec) and not isinstance(leaf.value, (str, bytes)):
        return TracedSpec(rt.TensorSpec((), rt.literal_dtype(leaf.value)), weak=True)
    return leaf


def convert(value: Any, leaf: TracedSpec) -> rt.Tensor:
    """Return `value` as a tensor of the dtype of `leaf`, recording a cast where they differ."""
    value = value.tensor if type(value) is ViewRead else as_tensor_operand(value)
    if isinstance(value, rt.Variable):
        value = value.read_value()
    if isinstance(value, rt.Tensor) and value.dtype != leaf.tensor_spec.dtype:
        cast = adopting if is_weak(value) else rt.cast
        return cast(value, leaf.tensor_spec.dtype)
    if type(value) in NUMBERS:
        return rt.constant(_number(value, leaf.tensor_spec.dtype), leaf.tensor_spec.dtype)
    if isinstance(value, (np.ndarray, np.generic)):
        return adopting(rt.convert_to_tensor(value), leaf.tensor_spec.dtype)
    return rt.convert_to_tensor(value)


def absent_tensor(leaf: TracedSpec) -> rt.Tensor:
    """Return a placeholder tensor for a missing value, which no code reads."""
    dims = [d or 0 for d in leaf.tensor_spec.shape.dims or ()]
    if leaf.tensor_spec.dtype == rt.string:
        return rt.fill(dims, "")
    return rt.zeros(dims, leaf.tensor_spec.dtype)


def is_absent(value: object) -> bool:
    """Return whether a value is a placeholder for a missing value."""
    return isinstance(value, (Undefined, UndefinedReturnValue, StoredElsewhere))


def describe_leaf(leaf: Leaf) -> str:
    """Return the description of a leaf for an error message."""
    if isinstance(leaf, TracedSpec):
        shape = leaf.tensor_spec.shape
        return f"{leaf.tensor_spec.dtype.name}" + ("" if shape.rank == 0 else f" of shape {shape}")
    if leaf == NONE:
        return "None"
    return f"the Python {type(leaf.value).__name__} {_short(leaf.value)}"


def _number(value: object, dtype: rt.DType) -> Any:
    if dtype.is_integer:
        return value  # `constant` refuses one that does not fit.
    return bool(value) if dtype == rt.bool else dtype.as_numpy_dtype(value)


def _literal_key(literal: LiteralSpec) -> tuple[type, str]:
    return type(literal.value), repr(literal.value)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def identity(value: object) -> object:
    """Return the identity of an object: for a function, that of its code, variables and defaults.

    A function is a new object each time its definition runs. Two of them act alike if they share
    code, variables and defaults; only `is` tells them apart.

    >>> def made(k):
    ...     return lambda u: u + k
    >>> first, second = made(1000), made(2000)
    >>> identity(first) == identity(second)
    False
    >>> first, second = [(lambda u: u) for _ in range(2)]
    >>> identity(first) == identity(second)
    True
    """
    if type(value) is MethodType:
        return identity(value.__func__), id(value.__self__)
    if type(value) is not FunctionType or vars(value):
        return id(value)
    defaults = (*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values())
    reached = (value.__code__, value.__globals__, *(value.__closure__ or ()), *defaults)
    return (FunctionType, *map(id, reached))
