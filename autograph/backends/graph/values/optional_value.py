"""A value that is None on some paths of staged code."""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NoReturn, TypeGuard

import runtime as rt
from autograph.backends.graph.objects.object_contents import Positioned
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.values.branch_facts import is_known_true, learn
from autograph.backends.graph.values.one_of_objects import OneOfObjects, refuse_in_asdict
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.errors import StagingError
from autograph.operators.user_classes import is_a, is_of_package, own_attributes, type_name
from runtime.core.context import current_recorder
from runtime.ops.effects.checks import check

# Records the results of an action for the value and for None; `case_dispatch` sets it.
Chooser = Callable[["OptionalValue", Callable[[Any], Any], str], Any]


class OptionalValue:
    """A value, or None; a run decides which.

    `x is None` is a test of the flag, and `==` compares None, too. Any other use is a use of the
    value, after a run-time check that raises Python's error for None; there is no check where the
    flag is known to be true. Python's own code can make no text or key of it: `refuse`.

    Attributes:
        present: a scalar bool tensor: whether there is a value.
        value: the value, a structure of tensors; zeros where there is none.
    """

    __slots__ = ("present", "value")
    choose: ClassVar[Chooser]
    # Converts a staged list to its `StagedList`.
    _usable: ClassVar[Callable[[Any], Any]] = staticmethod(lambda value: value)

    def __init__(self, present: rt.Tensor, value: object) -> None:
        object.__setattr__(self, "present", present)
        object.__setattr__(self, "value", value)

    def with_value(self, value: object) -> OptionalValue:
        """Return a copy with another value."""
        return OptionalValue(self.present, value)

    def attribute(self, name: str) -> Any:
        """Return an attribute that None has as well, such as `__class__`."""
        return OptionalValue.choose(self, lambda each: getattr(each, name), f"attribute '{name}'")

    def __copy__(self) -> Any:
        return self.with_value(copy.copy(self.value))

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        refuse_in_asdict(self.value)
        return self.with_value(copy.deepcopy(self.value, memo))

    def objects_behind(self) -> tuple[object, ...]:
        """Return the objects that an assignment to an attribute or item changes."""
        behind = getattr(type(self.value), "objects_behind", None)
        return (self.value,) if behind is None else behind(self.value)

    def require_value(self, use: str) -> Any:
        """Return the value, after recording a check: None raises TypeError with the text `use`."""
        self._check(TypeError, use)
        OptionalValue._usable(self.value)  # refuses what has changed under another name
        return self.value

    def _check(self, error: type[Exception], message: str) -> None:
        if not is_known_true(self.present):
            check(self.present, error, message)
            learn(current_recorder(), self.present, True)

    def __rt_tensor__(self) -> Any:
        return self.require_value("None is not a value a tensor can hold")

    def __rt_beside__(self, name: str, left: rt.Tensor) -> Any:
        """Return the result of an operator of the tensor `left` and this value, given its name."""
        if name not in _ORDER_BY_NAME:
            return getattr(self, f"__r{name}__")(left)
        symbol = _ORDER_BY_NAME[name]
        value = self.require_value(_operands_message(symbol, left, swapped=True))
        return getattr(operator, name)(left, value)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        self._check(AttributeError, f"'NoneType' object has no attribute {name!r}")
        return getattr(OptionalValue._usable(self.value), name)

    def __setattr__(self, name: str, value: object) -> None:
        self._check(AttributeError, f"'NoneType' object has no attribute {name!r}")
        setattr(self.value, name, value)

    def __delattr__(self, name: str) -> None:
        self._check(AttributeError, f"'NoneType' object has no attribute {name!r}")
        delattr(self.value, name)

    def __getitem__(self, index: object) -> Any:
        return OptionalValue._usable(self.require_value("'NoneType' object is not subscriptable"))[
            index
        ]

    def __iter__(self) -> Any:
        return iter(OptionalValue._usable(self.require_value("'NoneType' object is not iterable")))

    def __len__(self) -> Any:
        return len(
            OptionalValue._usable(self.require_value("object of type 'NoneType' has no len()"))
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.require_value("'NoneType' object is not callable")(*args, **kwargs)

    def refuse(self, *others: object) -> NoReturn:
        """Raise StagingError: Python needs a result that must be the same on every path."""
        raise StagingError(
            "a value that is None on some paths cannot be made a text or a key here, "
            "since the graph selects it at run time: ask `if x is None` first, "
            "and do that in each branch",
            user_location(),
        )

    __str__ = __format__ = __hash__ = __reduce_ex__ = refuse

    def __setitem__(self, index: object, value: object) -> None:
        words = "'NoneType' object does not support item assignment"
        OptionalValue._usable(self.require_value(words))[index] = value

    def __delitem__(self, index: object) -> None:
        words = "'NoneType' object does not support item deletion"
        del OptionalValue._usable(self.require_value(words))[index]

    def __repr__(self) -> str:
        return f"<None or {self.value!r}>"


def usable_list(value: object) -> Any:
    """Return the `StagedList` of a staged list; any other value itself."""
    return OptionalValue._usable(value)


def is_same_object(left: object, right: object) -> object:
    """Return `left is right` for two different objects, one of which is a stand-in or a tensor.

    A scalar bool tensor counts as the object True where it is true, since a comparison of Python
    values gives that object.
    """
    if isinstance(right, OptionalValue) and not isinstance(left, OptionalValue):
        left, right = right, left
    if isinstance(left, OptionalValue):
        return _optional_is(left, right)
    for one, other in ((left, right), (right, left)):
        if isinstance(other, OneOfObjects):
            return other.is_object(one)
        if _is_truth(other) and (isinstance(one, bool) or _is_truth(one)):
            return rt.equal(other, one)
    return False


def _is_truth(value: object) -> TypeGuard[rt.SymbolicTensor]:
    return isinstance(value, rt.SymbolicTensor) and value.dtype == rt.bool and value.shape.rank == 0


def _optional_is(left: OptionalValue, right: object) -> object:
    if right is None:
        return rt.logical_not(left.present)
    if not isinstance(right, OptionalValue):
        same = left.value is right or is_same_object(left.value, right)
        return (
            rt.logical_and(left.present, same)
            if isinstance(same, rt.Tensor)
            else same and left.present
        )
    neither = rt.logical_not(rt.logical_or(left.present, right.present))
    if left.value is not right.value:
        return neither
    return rt.logical_or(neither, rt.logical_and(left.present, right.present))


def _unary(symbol: str, operation: Callable[[Any], Any]) -> Callable[[OptionalValue], Any]:
    def apply(self: OptionalValue) -> Any:
        return operation(self.require_value(f"bad operand type for {symbol}: 'NoneType'"))

    return apply


def _binary(symbol: str, operation: Callable[[Any, Any], Any], swapped: bool) -> Any:
    def apply(self: OptionalValue, other: Any) -> Any:
        value = self.require_value(_operands_message(symbol, other, swapped))
        other = _other_value(symbol, other, swapped)
        return operation(other, value) if swapped else operation(value, other)

    return apply


def _other_value(symbol: str, other: Any, swapped: bool) -> Any:
    if not isinstance(other, OptionalValue):
        return other
    kinds = ("NoneType", "int") if swapped else ("int", "NoneType")
    return other.require_value(
        f"unsupported operand type(s) for {symbol}: '{kinds[0]}' and '{kinds[1]}'"
    )


def _operands_message(symbol: str, other: object, swapped: bool) -> str:
    kinds = ["NoneType", _kind_name(other)]
    first, second = reversed(kinds) if swapped else kinds
    if symbol in ("<", "<=", ">", ">="):
        return f"'{symbol}' not supported between instances of '{first}' and '{second}'"
    return f"unsupported operand type(s) for {symbol}: '{first}' and '{second}'"


def _kind_name(value: object) -> str:
    """Return the type name in a message of Python's; a weak tensor counts as a number."""
    if isinstance(value, OptionalValue):
        return "NoneType"
    if isinstance(value, rt.Tensor) and getattr(value, "weak", False):
        return "float" if value.dtype.is_floating else "bool" if value.dtype == rt.bool else "int"
    return "EagerTensor" if isinstance(value, rt.Tensor) else type_name(value)


def _equal(self: OptionalValue, other: Any) -> Any:
    """Return `self == other`: None equals only None."""
    if other is None:
        return rt.logical_not(self.present)
    present, value = self.present, other
    if isinstance(other, OptionalValue):
        present, value = rt.logical_and(present, other.present), other.value
    same = OptionalValue._usable(self.value) == value
    if not isinstance(same, rt.Tensor):
        same = rt.constant(bool(same))
    if same.shape.rank != 0:
        return self.require_value("None is compared with a tensor of several elements") == value
    both = rt.logical_and(present, same)
    if not isinstance(other, OptionalValue):
        return both
    return rt.logical_or(both, rt.logical_not(rt.logical_or(self.present, other.present)))


def _unequal(self: OptionalValue, other: Any) -> Any:
    return rt.logical_not(_equal(self, other))


_ARITHMETIC = {
    "+": ("add", operator.add),
    "-": ("sub", operator.sub),
    "*": ("mul", operator.mul),
    "/": ("truediv", operator.truediv),
    "//": ("floordiv", operator.floordiv),
    "%": ("mod", operator.mod),
    "** or pow()": ("pow", operator.pow),
    "@": ("matmul", operator.matmul),
    "&": ("and", operator.and_),
    "|": ("or", operator.or_),
    "^": ("xor", operator.xor),
    "<<": ("lshift", operator.lshift),
    ">>": ("rshift", operator.rshift),
}
_ORDER = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
_ORDER_BY_NAME = {name: symbol for symbol, name in _ORDER.items()}
_UNARY = {"unary -": "neg", "unary +": "pos", "abs()": "abs", "unary ~": "invert"}


def _install() -> None:
    for symbol, (name, operation) in _ARITHMETIC.items():
        setattr(OptionalValue, f"__{name}__", _binary(symbol, operation, swapped=False))
        setattr(OptionalValue, f"__r{name}__", _binary(symbol, operation, swapped=True))
        in_place = getattr(operator, f"__i{name}__")
        text = f"{symbol.split()[0]}="
        setattr(OptionalValue, f"__i{name}__", _binary(text, in_place, swapped=False))
    for symbol, name in _ORDER.items():
        setattr(
            OptionalValue, f"__{name}__", _binary(symbol, getattr(operator, name), swapped=False)
        )
    for symbol, name in _UNARY.items():
        setattr(OptionalValue, f"__{name}__", _unary(symbol, getattr(operator, name)))
    OptionalValue.__eq__ = _equal  # type: ignore[method-assign,assignment]
    OptionalValue.__ne__ = _unequal  # type: ignore[method-assign,assignment]


_install()


def unwrapped(value: Any) -> Any:
    """Return the value behind a stand-in of the trace; any other value itself.

    >>> unwrapped([1]), unwrapped(None)
    ([1], None)
    """
    if type(value) in (OptionalValue, PossiblyUnbound):
        value = value.value
    if "stands_for" in own_attributes(type(value)) and is_of_package(type(value), "autograph"):
        value = value.stands_for
    return value.positions() if is_a(value, (Positioned,)) else value


# -- Python's error texts for builtins with an optional argument -----------------------------------


_NOT_ITERABLE = "'NoneType' object is not iterable"
_NO_INDEX = "'NoneType' object cannot be interpreted as an integer"
_NO_NUMBER = "must be real number, not NoneType"
# The prefix of the names of `math` functions.
_MATH = "math."
_WORDS = {
    "len": "object of type 'NoneType' has no len()",
    "abs": "bad operand type for abs(): 'NoneType'",
    "int": "int() argument must be a string, a bytes-like object or a real number, not 'NoneType'",
    "float": "float() argument must be a string or a real number, not 'NoneType'",
    "round": "type NoneType doesn't define __round__ method",
    "range": _NO_INDEX,
    "reversed": "'NoneType' object is not reversible",
    **dict.fromkeys(("all", "any", "enumerate", "iter", "list"), _NOT_ITERABLE),
    **dict.fromkeys(("sorted", "sum", "tuple"), _NOT_ITERABLE),
}


def present(value: Any, none: str) -> Any:
    """Return the value behind an optional value; None raises TypeError with the text `none`.

    >>> present(3, "'NoneType' object is not iterable")
    3
    """
    return value.require_value(none) if isinstance(value, OptionalValue) else value


def present_arguments(name: str, args: Sequence[object]) -> Sequence[object]:
    """Return the arguments of a builtin, after a check that optional ones are not None.

    >>> present_arguments("len", ([1, 2],))
    ([1, 2],)
    """
    words = _NO_NUMBER if name.startswith(_MATH) else _WORDS.get(name)
    if words is None or not any(isinstance(each, OptionalValue) for each in args):
        return args
    return [present(each, words) for each in args]
