"""Checks of arguments of staged containers against the signatures of Python's methods.

Before a staged method or operator runs, Python's own is called on an empty container, with a
stand-in in the place of each argument of the graph:

    q.pop(0)     deque().pop(0)    TypeError: deque.pop() takes no arguments (1 given)
    l + (n, 2)   [] + ()           TypeError: can only concatenate list (not "tuple") to list
    l[n]         [][0]             IndexError, which says nothing: the staged operator runs
"""

from __future__ import annotations

import builtins
import operator
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from types import NoneType
from typing import Any, TypeVar

import runtime as rt
from autograph.operators.user_classes import mro_of
from runtime.ops.python.numbers import like_of

T = TypeVar("T", bound=type)

_KINDS = frozenset((list, tuple, deque, set, frozenset, dict, OrderedDict, defaultdict, Counter))
_ATOMS = frozenset((bool, int, float, complex, str, bytes, range, NoneType))
_ORDERINGS = frozenset(("__lt__", "__le__", "__gt__", "__ge__"))
_ITEM_OPERATORS = frozenset(("__getitem__", "__setitem__", "__delitem__"))
_UNARY = frozenset(("__pos__", "__neg__"))
_BINARY = tuple(
    "add sub mul matmul truediv floordiv mod pow lshift rshift and or xor".split()  # in operator
)
# The operators, by the name of the special method; those of `__radd__` are given (other, self).
_OPERATORS: Mapping[str, Callable[..., object]] = {
    **{name: getattr(operator, name) for name in (*_ORDERINGS, *_ITEM_OPERATORS)},
    **{f"__{name}__": getattr(operator, f"__{name}__") for name in _BINARY},
    **{f"__i{name}__": getattr(operator, f"__i{name}__") for name in _BINARY},
    "__pos__": operator.pos,
    "__neg__": operator.neg,
}
_REFLECTED: Mapping[str, Callable[..., object]] = {
    f"__r{name}__": getattr(operator, f"__{name}__") for name in _BINARY
}


class _Anything:
    """The stand-in for a value of which a method may use any trait: it is an index, and empty."""

    def __index__(self) -> int:
        return 0

    def __iter__(self) -> Iterator[object]:
        return iter(())


_ANYTHING = _Anything()


def takes_arguments_as(kind: type) -> Callable[[T], T]:
    """Return a class decorator: the class has the name of `kind`, and its methods check arguments.

    The class has an attribute `stands_for`, the container of the user.

    >>> @takes_arguments_as(list)
    ... class Items:
    ...     stands_for = []
    ...     def append(self, item): ...
    >>> Items().append(1, 2)
    Traceback (most recent call last):
    TypeError: list.append() takes exactly one argument (2 given)
    """

    def decorated(made: T) -> T:
        module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
        made.__name__ = f"{module}{kind.__name__}"
        for name in (*_OPERATORS, *_REFLECTED):
            if name in vars(made) or (name not in _UNARY and not hasattr(made, name)):
                method = vars(made).get(name, _not_implemented)
                setattr(made, name, _checked_operator(method, name))
        for name, method in list(vars(made).items()):
            if not name.startswith("_") and callable(getattr(kind, name, None)):
                setattr(made, name, _checked_method(method, name))
        return made

    return decorated


def missing_message(container: object, method: str, item: object) -> str:
    """Return Python's message where a method finds no item; a tensor has no text in it.

    >>> missing_message(deque(), "index", 3)
    '3 is not in deque'
    """
    kind = python_kind(container)
    if all(type(each) in _ATOMS for each in rt.nest.flatten(item)):
        try:
            getattr(kind(), method)(item)
        except ValueError as error:
            return str(error)
    return f"{kind.__name__}.{method}(x): x not in {kind.__name__}"


def refuse_as_python(name: str, args: Sequence[object], kwargs: Mapping[str, object]) -> None:
    """Raise the TypeError of Python's builtin if it does not accept the arguments."""
    builtin = getattr(builtins, name, None)
    if builtin is not None:
        _rehearse(builtin, [_like(each) for each in args], {k: _like(v) for k, v in kwargs.items()})


def _like(value: object) -> object:
    """Return a Python value that a builtin accepts in place of an argument of the graph."""
    container = _stand_in(value)
    if type(container) in _KINDS:
        return container
    is_number = isinstance(value, rt.Tensor) and value.shape.rank == 0
    return 0 if is_number else []


def _not_implemented(self: object, *operands: object) -> object:
    return NotImplemented


def _checked_method(method: Any, name: str) -> Callable[..., object]:
    @wraps(method)
    def checked(self: Any, /, *args: object, **kwargs: object) -> object:
        python = getattr(python_kind(self.stands_for)(), name, None)
        if python is not None:
            options = {each: _stand_in(value) for each, value in kwargs.items()}
            _rehearse(python, [*map(_stand_in, args)], options)
        return method(self, *args, **kwargs)

    return checked


def _checked_operator(method: Any, name: str) -> Callable[..., object]:
    """Return the method of an operator; an operand of an unknown class may have its own."""
    is_item, is_ordering = name in _ITEM_OPERATORS, name in _ORDERINGS

    @wraps(method)
    def checked(self: Any, /, *operands: object) -> object:
        given = [_stand_in(each) for each in operands]
        if is_item or _ANYTHING not in given:
            container = python_kind(self.stands_for)()
            try:
                if name in _REFLECTED:
                    _rehearse(_REFLECTED[name], (*given, container), {})
                else:
                    _rehearse(_OPERATORS[name], (container, *given), {})
            except TypeError:
                if is_ordering:
                    return NotImplemented  # Python names the operands in their order.
                raise
        return method(self, *operands)

    return checked


def python_kind(container: object) -> type:
    """Return the class of Python's own whose methods a container has.

    >>> python_kind(OrderedDict()).__name__
    'OrderedDict'
    """
    return next(kind for kind in mro_of(type(container)) if kind in _KINDS)


def _stand_in(value: Any) -> Any:
    """Return a Python value that a method takes, or refuses, as it does `value`."""
    kind = type(value)
    if kind in _ATOMS:
        return value
    if kind in _KINDS:
        return kind()
    if kind is slice:
        return slice(*map(_stand_in, (value.start, value.stop, value.step)))
    if isinstance(value, rt.SymbolicTensor):
        return like_of(value) if value.weak and value.shape.rank == 0 else _ANYTHING
    stands_for = getattr(kind, "stands_for", None)
    return python_kind(value.stands_for)() if isinstance(stands_for, property) else _ANYTHING


def _rehearse(
    function: Callable[..., object], args: Sequence[object], kwargs: Mapping[str, Any]
) -> None:
    """Call a function of Python with stand-ins; only a TypeError counts."""
    try:
        function(*args, **kwargs)
    except TypeError:
        raise
    except Exception:
        return
