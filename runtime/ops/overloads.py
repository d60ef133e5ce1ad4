"""Python's operators on tensors, installed on the tensor classes from tables of functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from runtime.core.context import caller_origin
from runtime.core.dtypes import bool_, string
from runtime.core.lazy_imports import lazy_import, loaded_classes
from runtime.core.tensor import EagerTensor, SymbolicTensor, Tensor
from runtime.errors import ShapeError, SymbolicTensorError
from runtime.ops.arrays.indexing import get_item
from runtime.ops.attribute_advice import MISSING, attribute_of, dir_of
from runtime.ops.constant import constant, identity
from runtime.ops.convert import is_tensor_like, is_weak, to_tensor, weakly
from runtime.ops.eager_operators import item_at_once, operator_at_once, reflected_at_once
from runtime.ops.elementwise.arithmetic import (
    ADD,
    DIVIDE,
    FLOORDIV,
    FLOORMOD,
    MULTIPLY,
    SUBTRACT,
    add,
    divide,
    floordiv,
    floormod,
    multiply,
    pow,
    subtract,
)
from runtime.ops.elementwise.comparison import (
    EQUAL,
    GREATER,
    GREATER_EQUAL,
    LESS,
    LESS_EQUAL,
    NOT_EQUAL,
    equality,
    greater,
    greater_equal,
    less,
    less_equal,
)
from runtime.ops.elementwise.logic import (
    and_operator,
    left_shift,
    not_operator,
    or_operator,
    right_shift,
    xor_operator,
)
from runtime.ops.elementwise.unary import abs, negative
from runtime.ops.literals import SCALARS
from runtime.ops.op import Op
from runtime.ops.python.numbers import of_number, power_modulo, stands_for_real

# Imported on first use, with the many modules of the ops that they are made of.
array_product = lazy_import("runtime.ops.linalg.matrices:array_product")
methods_of_text = lazy_import("runtime.ops.python.string_methods:methods_of_text")
text_item = lazy_import("runtime.ops.python.string_items:text_item")
text_method = lazy_import("runtime.ops.python.string_methods:text_method")
unstack = lazy_import("runtime.ops.arrays.concatenation:unstack")

Binary = Callable[[Any, Any], Any]


def _product(x: Any, y: Any) -> Any:
    """Return `x * y`, where `x` is the tensor.

    Raises:
        SymbolicTensorError: `x` represents a Python int, which would repeat the list `y`.
    """
    if is_weak(x):
        if isinstance(y, (list, tuple)) and is_count(x):
            raise _unknown_count(y)
        if x.dtype is string and is_count(to_tensor(y)):
            return text_method(x, "__mul__", y)
    return multiply(x, y)


def _item(x: Any, key: Any) -> Any:
    """Return `x[key]`: a part of the text if `x` represents a Python string."""
    is_text = is_weak(x) and x.dtype is string and x.shape.rank == 0
    return text_item(x, key) if is_text else get_item(x, key)


def _repetition(x: Any, y: Any) -> Any:
    """Return `x * y`, where `y` is the tensor; an integer repeats a Python sequence.

    NumPy's integers repeat sequences too.

    Raises:
        SymbolicTensorError: the number of repetitions is known only at run time.
    """
    if not isinstance(x, (list, tuple, str, bytes)) or not is_count(y):
        return multiply(x, y)
    if not isinstance(y, SymbolicTensor):
        return x * int(y)
    if isinstance(x, str):
        return text_method(x, "__mul__", y)
    raise _unknown_count(x)


def _in_order(name: str, function: Binary, x: Any, y: Any) -> Any:
    """Return `x < y` or a similar comparison; Python strings are compared by characters."""
    if is_weak(x) and x.dtype is string and to_tensor(y).dtype is string:
        return text_method(x, f"__{name}__", y)
    return function(x, y)


def _positive(x: Any) -> Any:
    """Return `+x`; the result stays weak, and Python bools become ints."""
    if is_weak(x) and x.dtype is bool_:
        return x + 0
    return weakly(identity(x), is_weak(x))


def is_count(tensor: Any) -> bool:
    """Return whether a tensor is a scalar of an integer dtype."""
    return tensor.dtype.is_integer and tensor.shape.rank == 0


def _unknown_count(value: Any) -> SymbolicTensorError:
    return SymbolicTensorError(
        f"a {type(value).__name__} * n repeats it, and this n is known only when the graph runs: "
        "write [...] * n with the list on the left in converted code, or rt.fill([n], ...) for a "
        "tensor",
        caller_origin(),
    )


ARITHMETIC: dict[str, Binary] = {
    "add": add,
    "sub": subtract,
    "mul": _product,
    "truediv": divide,
    "floordiv": floordiv,
    "mod": floormod,
    "divmod": lambda x, y: (floordiv(x, y), floormod(x, y)),
    "matmul": array_product,
    "and": and_operator,
    "or": or_operator,
    "xor": xor_operator,
    "lshift": left_shift,
    "rshift": right_shift,
}

# Operators that are a single op for two tensors of one dtype.
AT_ONCE: dict[str, Op] = {
    "add": ADD,
    "sub": SUBTRACT,
    "mul": MULTIPLY,
    "truediv": DIVIDE,
    "floordiv": FLOORDIV,
    "mod": FLOORMOD,
    "lt": LESS,
    "le": LESS_EQUAL,
    "gt": GREATER,
    "ge": GREATER_EQUAL,
}

COMPARISONS: dict[str, Binary] = {
    name: partial(_in_order, name, function)
    for name, function in (
        ("lt", less),
        ("le", less_equal),
        ("gt", greater),
        ("ge", greater_equal),
    )
}

UNARY: dict[str, Callable[[Any], Any]] = {
    "neg": negative,
    "pos": _positive,
    "abs": abs,
    "invert": not_operator,
}


def operators() -> dict[str, Callable[..., Any]]:
    """Return the methods of all operators by name, for `Tensor`, variables and the like."""
    methods: dict[str, Callable[..., Any]] = {
        "__eq__": _equality(EQUAL, False),
        "__ne__": _equality(NOT_EQUAL, True),
        "__getitem__": _item,
    }
    for name, function in (ARITHMETIC | COMPARISONS).items():
        methods[f"__{name}__"] = _forward(name, function)
    for name, function in ARITHMETIC.items():
        methods[f"__r{name}__"] = _reflected(_repetition if name == "mul" else function)
    for name, one in UNARY.items():
        methods[f"__{name}__"] = lambda self, one=one: one(self)
    methods["__pow__"], methods["__rpow__"] = _power, _reflected_power
    return methods


def install(cls: type) -> None:
    """Give a class the operators of tensors."""
    _set_methods(cls, operators())


def _set_methods(cls: type, methods: Mapping[str, Callable[..., Any]]) -> None:
    for name, method in methods.items():
        method.__name__, method.__qualname__ = name, f"{cls.__name__}.{name}"
        # Recorded names derive from the name of the frame's code.
        method.__code__ = method.__code__.replace(co_name=name)
        setattr(cls, name, method)


_BESIDE = (Tensor, *SCALARS, list, tuple, np.ndarray, np.generic)


def _operand(value: Any) -> bool:
    """Return whether `value` is an operand that does not handle operators with tensors itself."""
    if isinstance(value, _BESIDE):
        return True
    if issubclass(type(value), loaded_classes("jax.core:Tracer")):
        return False
    is_like_one = is_tensor_like(value) or hasattr(value, "__array__")
    return is_like_one and not hasattr(type(value), "__rt_beside__")


def _forward(name: str, function: Binary) -> Callable[[Any, Any], Any]:
    """Return the operator of a tensor on the left.

    A right operand with a method `__rt_beside__(name, tensor)`, such as an optional value, handles
    the operator.
    """

    def forward(self: Any, other: Any) -> Any:
        if other is None or _operand(other):
            return function(self, other)
        beside = getattr(type(other), "__rt_beside__", None)
        return NotImplemented if beside is None else beside(other, name, self)

    return forward


def _reflected(function: Binary) -> Callable[[Any, Any], Any]:
    def reflected(self: Any, other: Any) -> Any:
        is_one = other is None or _operand(other)
        return function(other, self) if is_one else NotImplemented

    return reflected


def _power(self: Any, other: Any, modulus: Any = None) -> Any:
    if modulus is not None:
        return power_modulo(self, other, modulus)
    return pow(self, other) if other is None or _operand(other) else NotImplemented


def _reflected_power(self: Any, other: Any, modulus: Any = None) -> Any:
    if modulus is not None:
        return power_modulo(other, self, modulus)
    return pow(other, self) if other is None or _operand(other) else NotImplemented


def _rows(self: SymbolicTensor) -> Iterator[Any]:
    """Iterate over the rows of a tensor whose length is known while tracing, by one `unstack`."""
    if self.shape.rank == 0:
        raise TypeError("a scalar tensor cannot be iterated over")
    size = None if self.shape.rank is None else self.shape[0]
    if size is None:
        raise self.refused(
            SymbolicTensorError(
                f"{self} was used as a Python iterable, but while tracing its length is not known "
                "yet: use rt.unstack(x, num=...), or let autograph convert the `for`; where it did "
                "not, autograph.explain says why",
                caller_origin(),
            )
        )
    return iter(unstack(self, num=size)) if size else iter(())


def _of_python(self: SymbolicTensor, name: str) -> Any:
    """Return an attribute of Python's strings and numbers, for a tensor that represents one."""
    if not name.startswith("_"):
        if stands_for_real(self):
            return of_number(self, name)
        if self.weak and self.dtype is string:
            return methods_of_text(self, name)
    return attribute_of(self, name)


def _equality(op: Op, otherwise: bool) -> Callable[[Any, Any], Any]:
    """Compare element by element; values that cannot be compared are unequal, as in Python."""

    def compare(self: Any, other: Any) -> Any:
        if other is None:
            return otherwise
        if not _operand(other):
            return NotImplemented
        try:
            return equality(op, self, other)
        except ShapeError:
            return constant(otherwise)

    return compare


def _at_once() -> dict[str, Callable[..., Any]]:
    """Return the operators of eager tensors that have a fast path."""
    general: Any = vars(Tensor)
    methods: dict[str, Callable[..., Any]] = {
        "__eq__": operator_at_once(EQUAL, general["__eq__"], np.equal),
        "__ne__": operator_at_once(NOT_EQUAL, general["__ne__"], np.not_equal),
    }
    for name, op in AT_ONCE.items():
        methods[f"__{name}__"] = operator_at_once(op, general[f"__{name}__"])
        if name in ARITHMETIC:
            reflected = general[f"__r{name}__"]
            methods[f"__r{name}__"] = reflected_at_once(op, reflected)
    methods["__getitem__"] = item_at_once(general["__getitem__"])
    return methods


install(Tensor)
_set_methods(EagerTensor, _at_once())
SymbolicTensor.__getattr__ = _of_python  # type: ignore[attr-defined]
for _name, _missing in {**MISSING, "__dir__": dir_of}.items():
    setattr(EagerTensor, _name, _missing)
SymbolicTensor.__iter__ = _rows  # type: ignore[method-assign, assignment]
