"""Special methods whose results Python checks itself: `__bool__`, `__len__`, ...

    class Stack:
        def __len__(self): return len(self.items)      a tensor, if the items are staged

Python requires that they return a bool, an int or an iterator, and refuses a tensor. So while a
graph is recorded, these operators call them, and return an owned result. Any other result goes to
Python, which checks it and raises its own errors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from inspect import CO_GENERATOR
from types import FunctionType
from typing import Any

from autograph.backends.protocol import Backends
from autograph.operators.iteration import held_iterator
from autograph.operators.recording_state import RecordingState
from autograph.operators.tracebacks import with_user_frames
from autograph.operators.user_classes import (
    is_made_in_python,
    mro_of,
    own_attributes,
    special_method,
)

# The result if no method is called.
NO_METHOD: Any = object()
# For builtins that iterate, the positions of the arguments that they iterate over.
_ITERATING = {
    **dict.fromkeys("all any enumerate list max min set sorted sum tuple".split(), slice(0, 1)),
    "filter": slice(1, 2),
    "map": slice(1, None),
    "zip": slice(0, None),
}
# The methods that builtins call, in this order.
_METHODS_OF: dict[Callable[..., object], tuple[str, ...]] = {
    bool: ("__bool__", "__len__"),
    float: ("__float__", "__index__"),
    int: ("__int__", "__index__"),
    iter: ("__iter__",),
    len: ("__len__",),
}


class SpecialMethodOperators:
    """The special methods of the user's classes while a graph is recorded.

    Args:
        backends: the possible owners of a result.
    """

    def __init__(self, backends: Backends) -> None:
        self._backends = backends
        self._staging = RecordingState(backends).staging

    def operators(self) -> tuple[Callable[[Any], Any], Callable[[Any], Any], Callable[[Any], bool]]:
        """Return the operators `truth_value`, `iterable` and `is_python_truth`.

        They first test whether the class of a value may have the user's special methods.
        """
        truth_value, iterable = map(with_user_frames, (self.truth_value, self.iterable))
        python = self._backends.is_python

        def is_python_truth(value: Any) -> bool:
            if is_made_in_python(type(value)) and self._method(value, *_METHODS_OF[bool]):
                return False
            return python(value)

        return (
            lambda value: truth_value(value) if is_made_in_python(type(value)) else value,
            lambda value: iterable(value) if is_made_in_python(type(value)) else value,
            is_python_truth,
        )

    def truth_value(self, value: object) -> object:
        """Return `value`, or the result of its `__bool__` or `__len__`."""
        answer = self._answer(bool, value)
        return value if answer is NO_METHOD else answer

    def builtin(self, function: Callable[..., object]) -> Callable[..., object]:
        """Return the overload of `bool`, `float`, `int` or `len` for user objects."""
        name, of = function.__name__, self._backends.of

        def answer(*args: Any, **kwargs: Any) -> object:
            # Not `len(args)`: `len` may be a converted function here.
            if not args or args[1:] or kwargs or not is_made_in_python(type(args[0])):
                return function(*args, **kwargs)
            found = self._answer(function, args[0])
            if found is NO_METHOD:
                return function(*args, **kwargs)
            backend = None if function is len else of(found)
            return found if backend is None else backend.call(name, (found,), {})

        return answer

    def iterable(self, value: Any, none: str = "'NoneType' object is not iterable") -> Any:
        """Return `value`, or the result of a user's `__iter__`; `none` is the error for None."""
        present: Any = own_attributes(type(value)).get("require_value")
        if present is not None and self._backends.of(value) is not None:
            value = present(value, none)  # None on some paths
        if self._method(value, "__iter__") is None:
            return self._by_index(value)
        self._backends.register_type(type(value))
        function: Any = getattr(special_method(value, "__iter__"), "__func__", None)
        if type(function) is FunctionType and function.__code__.co_flags & CO_GENERATOR:
            items = self._backends.generator_replacement_of(function)(value)
        else:
            items = self._iterator(self._answer(iter, value))
        return held_iterator(items) if self._backends.of(items) is None else items

    def _iterator(self, items: Any) -> Any:
        """Return the replacement of an iterator in this trace, if its class is the user's."""
        method = self._method(items, "__next__")
        function = getattr(method, "__func__", None)
        if type(function) is not FunctionType:
            return items
        self._backends.register_type(type(items))
        return self._backends.iterator_replacement_of(items, function)

    def _by_index(self, value: Any) -> Any:
        """Return `value`, or an iterable over a user's `__getitem__` if there is no `__iter__`."""
        if special_method(value, "__iter__") or self._method(value, "__getitem__") is None:
            return value
        if any("__iter__" in own_attributes(kind) for kind in mro_of(type(value))):
            return value
        self._backends.register_type(type(value))
        backend = self._backends.recording()
        return value if backend is None else backend.call("sequence", (value,), {})

    def contains(self, item: object, container: Any) -> Any:
        """Return the result of a user's `__contains__`; `NO_METHOD` if there is none."""
        method = self._method(container, "__contains__")
        if method is None:
            return NO_METHOD
        self._backends.register_type(type(container))
        answer = method(item)
        return bool(answer) if self._backends.of(answer) is None else answer

    def defines_membership(self, container: Any) -> bool:
        """Return whether `in` calls a user's `__contains__` or `__iter__`."""
        return self._method(container, "__contains__", "__iter__") is not None

    def has_next(self, value: object) -> bool:
        """Return whether `next` calls a user's `__next__` while a graph is recorded."""
        return self._method(value, "__next__") is not None

    def compare(self, values: Iterable[object]) -> bool:
        """Return whether the class of one of some values is the user's and defines equality."""
        return any(self._method(value, "__eq__") is not None for value in values)

    def order(self, values: Iterable[object]) -> bool:
        """Return whether the class of one of some values is the user's and defines an order."""
        # One name at a time: for several, `object` would have the first one.
        methods = ("__lt__", "__gt__")
        return any(self._method(v, name) is not None for v in values for name in methods)

    def iterators(self, name: str) -> Callable[[tuple[Any, ...]], tuple[Any, ...]] | None:
        """Return a function that applies `iterable` to the arguments that a builtin iterates over.

        None for a builtin that does not iterate.
        """
        places = _ITERATING.get(name)
        if places is None:
            return None

        def replaced(args: tuple[Any, ...]) -> tuple[Any, ...]:
            if len(args) != 1 and name in ("max", "min"):
                return args
            chosen = range(len(args))[places]
            return tuple([self.iterable(v) if k in chosen else v for k, v in enumerate(args)])

        return replaced

    def _answer(self, function: Callable[..., object], value: object) -> object:
        methods = ((name, self._method(value, name)) for name in _METHODS_OF[function])
        name, method = next((pair for pair in methods if pair[1] is not None), ("", None))
        if method is None:
            return NO_METHOD
        self._backends.register_type(type(value))
        answer = method()
        if self._backends.of(answer) is not None:
            return answer
        return function(_RESULT_CLASSES[name](answer))

    def _method(self, value: object, *names: str) -> Callable[..., Any] | None:
        """Return a user's method while a graph is recorded; None if there is none."""
        method = special_method(value, *names)
        # A backend computes the operations on a value that it owns.
        if method is None or self._backends.owner(value) is not None or not self._staging():
            return None
        return method


class _SpecialMethodResult:
    """An object whose one special method returns a result that Python is to check."""

    def __init__(self, answer: object) -> None:
        self.answer = answer


_RESULT_CLASSES = {
    name: type("Answer", (_SpecialMethodResult,), {name: lambda self: self.answer})
    for names in _METHODS_OF.values()
    for name in names
}
