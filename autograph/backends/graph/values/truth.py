"""The truth of values as a tensor, values that have only their truth, and the equality of items."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, NoReturn

import numpy as np

import runtime as rt
from autograph.backends.graph.arrays.staged_array import as_tensor_operand
from autograph.backends.graph.objects.object_contents import items_in
from autograph.backends.graph.source.source_location import user_location, variable_of
from autograph.backends.graph.values.dynamic_items import DynamicItems, has_dynamic_keys, is_staged
from autograph.backends.graph.values.iterables import DynamicallySized
from autograph.backends.graph.values.one_of_objects import OneOfObjects
from autograph.backends.graph.values.optional_value import OptionalValue, usable_list
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.errors import ConditionError, StagingError
from autograph.operators.compared_containers import compares_fields, fields_of
from autograph.operators.user_classes import special_method
from runtime.core.lazy_imports import lazy_import
from runtime.errors import with_article
from runtime.ops.containers import lists
from runtime.ops.python.string_methods import text_method

condition_text = lazy_import("runtime.diagnostics.operand_names:condition_text")

# The types of values whose truth is that of a tensor.
_CONVERTED = (rt.Tensor, rt.Variable, bool, int, float, complex, np.ndarray, np.generic)
# Ops whose result is never shared, so that it can be marked as weak itself.
_FRESH = frozenset(("logical_not", "reduce_any"))
# For operators that take one truth value, operators on each element.
_ELEMENTWISE = {
    "and": "(a > 0) & (b > 0), with parentheses",
    "or": "(a > 0) | (b > 0), with parentheses",
    "not": "rt.logical_not(...)",
}


class UnjoinableValue:
    """One of two operands of `and` or `or` that cannot be joined, such as a list and a bool.

    `if items and n > 2:` needs only its truth.

    Attributes:
        truth: a scalar bool tensor: whether the value is true.
        error: the error that any other use raises.
    """

    __slots__ = ("truth", "error")

    def __init__(self, truth: rt.Tensor, error: StagingError) -> None:
        self.truth, self.error = truth, error

    def refuse(self, *others: object, **named: object) -> NoReturn:
        """Raise the error: the code uses the value itself."""
        raise self.error

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        raise self.error

    __rt_tensor__ = __bool__ = __len__ = __iter__ = __contains__ = __getitem__ = __call__ = refuse
    __setitem__ = __lt__ = __le__ = __gt__ = __ge__ = __add__ = __radd__ = __sub__ = refuse
    __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __floordiv__ = refuse
    __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = __matmul__ = __rmatmul__ = refuse
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __neg__ = __abs__ = refuse
    __invert__ = __int__ = __float__ = __index__ = __str__ = __format__ = refuse
    __eq__ = __ne__ = refuse
    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "<one of two values>"


def truth(value: object, what: str = "the condition") -> rt.Tensor:
    """Return the truth value of any value as a scalar bool tensor.

    Numbers are true when they are not 0, as in Python. Tensors of one element count as scalars.

    Args:
        value: a value of the graph or of Python; an object with `__bool__` or `__len__` of the
            user's is asked.
        what: the value's name in errors.

    Raises:
        ConditionError: if it is a tensor of more than one element, or one of strings.
    """
    value = as_tensor_operand(value)
    if isinstance(value, UnjoinableValue):
        return value.truth
    if isinstance(value, OptionalValue):
        return rt.logical_and(value.present, truth(value.value, what))
    if isinstance(value, OneOfObjects):
        if any(map(truth_method, value.options)):
            return OneOfObjects.pick(value, lambda each: _truth_of_object(each, what), "its truth")
        return rt.convert_to_tensor(value.python_test(bool))
    if is_staged(value) or has_dynamic_keys(value):
        return rt.greater(length_of(list(items_in(value))), 0)
    if isinstance(value, dict) and (length := optional_dict_length(value)) is not None:
        return rt.greater(length, 0)
    if isinstance(value, DynamicallySized):
        return rt.greater(value.number_of_items(), 0)
    if (says := truth_method(value)) is not None:
        return truth(says(), what)
    if isinstance(value, (str, bytes)) or rt.nest.is_nested(value):
        return rt.constant(bool(value))
    if not isinstance(value, _CONVERTED):
        return rt.constant(bool(value))
    tensor = rt.convert_to_tensor(value)
    if tensor.dtype == rt.string and getattr(tensor, "weak", False):
        return rt.greater(text_method(tensor, "__len__"), 0)
    if tensor.dtype == rt.string:
        raise ConditionError(
            f"{what} is a string tensor, which is neither true nor false: "
            "compare it with something, as in `x != ''`",
            user_location(),
        )
    tensor = _as_scalar(tensor, what)
    if tensor.dtype == rt.bool:
        return tensor
    return rt.not_equal(tensor, rt.cast(0, tensor.dtype))


def _truth_of_object(value: object, what: str) -> object:
    return truth(value, what) if truth_method(value) else bool(value)


def truth_method(value: object) -> Callable[[], object] | None:
    """Return the user's method that computes the truth of an object; None without one."""
    if isinstance(value, (rt.Tensor, rt.Variable)):
        return None
    return special_method(value, "__bool__", "__len__")


def has_dynamic_truth(value: object) -> bool:
    """Return whether a run, or a method of the user's, decides the truth of a value."""
    if isinstance(
        value,
        (rt.Tensor, rt.Variable, OptionalValue, OneOfObjects, UnjoinableValue, DynamicallySized),
    ):
        return True
    perhaps = isinstance(value, dict) and any(
        type(v) is PossiblyUnbound for v in dict.values(value)
    )
    return perhaps or is_staged(value) or has_dynamic_keys(value) or truth_method(value) is not None


def as_python_bool(answer: rt.Tensor | bool) -> rt.Tensor | bool:
    """Return a bool tensor as a weak one, which stands for a Python bool."""
    if isinstance(answer, rt.SymbolicTensor) and answer.node.op.name in _FRESH:
        answer.weak = True
        return answer
    if isinstance(answer, rt.SymbolicTensor) and not answer.weak:
        marked: rt.SymbolicTensor = rt.identity(answer)  # type: ignore[assignment]
        marked.weak = True
        return marked
    return answer


# Functions that are called with two objects that are compared by identity; they may raise.
_IDENTITY_LISTENERS: list[Callable[[object, object], None]] = []


def on_identity_comparison(
    asked: Callable[[object, object], None],
) -> Callable[[object, object], None]:
    """Register a function that is called with objects that `items_equal` compares by identity."""
    _IDENTITY_LISTENERS.append(asked)
    return asked


def items_equal(a: object, b: object) -> rt.Tensor:
    """Return whether two items are equal, as a scalar bool tensor."""
    return rt.convert_to_tensor(equality(a, b))


def equality(a: object, b: object) -> rt.Tensor | bool:
    """Return whether two items are equal, as Python compares the items of lists.

    Tensors are compared as scalars, containers item by item, other objects by Python, whose answer
    is a bool.
    """
    a, b = as_tensor_operand(a), as_tensor_operand(b)
    if _differ_in_kind(a, b) or _differ_in_kind(b, a):
        return False
    if isinstance(a, (rt.Tensor, rt.Variable, OptionalValue)):
        return _truth_of_answer(a == b)
    if isinstance(b, (rt.Tensor, rt.Variable, OptionalValue)):
        return _truth_of_answer(b == a)
    for one, other in ((a, b), (b, a)):
        if is_staged(one):
            return _truth_of_answer(usable_list(one) == other)
    if _has_own_eq(a):
        return a is b or _truth_of_answer(a == b)
    parts, others = _parts_of(a), _parts_of(b)
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() != b.keys():
        return False
    if type(a) is not type(b) or parts is None or others is None or len(parts) != len(others):
        if a is not b and parts is None and others is None:
            for asked in _IDENTITY_LISTENERS:
                asked(a, b)
        return a is b or _truth_of_answer(a == b)
    unknown: list[rt.Tensor] = []
    for part, other in zip(parts, others):
        if (same := equality(part, other)) is False:
            return False
        if same is not True:
            unknown.append(same)
    return reduce(rt.logical_and, unknown) if unknown else True


def _truth_of_answer(answer: Any) -> rt.Tensor | bool:
    """Return the truth of the result of `==`."""
    if (says := truth_method(answer)) is not None:
        return _truth_of_answer(says())
    if has_dynamic_truth(answer):
        return truth(answer, "the comparison with an item")
    return bool(answer)


def _differ_in_kind(number: object, other: object) -> bool:
    """Return whether a tensor stands for a Python number, and the other value is a container."""
    is_number = isinstance(number, rt.SymbolicTensor) and number.weak and number.shape.rank == 0
    return is_number and isinstance(other, (list, tuple, dict, set, frozenset, deque))


def _has_own_eq(value: object) -> bool:
    """Return whether the `__eq__` of a value is the user's own, not one of a decorator."""
    method = special_method(value, "__eq__")
    return method is not None and not compares_fields(type(value))


def _parts_of(value: object) -> Sequence[object] | None:
    return fields_of(value) if compares_fields(type(value)) else rt.nest.children(value)


def optional_dict_length(items: dict[object, object]) -> rt.Tensor | None:
    """Return the length of a dict with optional items; None if it has none."""
    flags = [rt.cast(v.defined, rt.int32) for v in dict.values(items) if type(v) is PossiblyUnbound]
    return reduce(rt.add, flags) + (len(items) - len(flags)) if flags else None


def length_of(items: list[object]) -> rt.Tensor:
    """Return the length of a list some items of which only the graph knows."""
    lengths = [lists.list_length(i.handle) for i in items if type(i) is DynamicItems]
    if len(items) > len(lengths) or not lengths:
        lengths.append(rt.constant(len(items) - len(lengths)))
    return reduce(rt.add, lengths)


def _elementwise(what: str) -> str:
    """Return advice for the result of each element, if the condition is an operand."""
    for word, instead in _ELEMENTWISE.items():
        if f"`{word}`" in what:
            return f"; for each element, write {instead}"
    return ""


def _as_scalar(tensor: rt.Tensor, what: str) -> rt.Tensor:
    shape = tensor.shape
    if shape.rank == 0:
        return tensor
    if any(d not in (1, None) for d in shape.dims or ()):
        text = condition_text(tensor) or "..."
        name = variable_of(tensor) if _elementwise(what) else None
        subject = what if name is None else f"{what.rstrip(',')}, {name},"
        raise ConditionError(
            f"{subject} is {with_article(tensor.dtype.name)} tensor of shape {shape}, not "
            "one truth value: "
            f"say which elements must hold, with rt.reduce_all({text}) or rt.reduce_any({text})"
            f"{_elementwise(what)}",
            user_location(),
        )
    return rt.reshape(tensor, ())
