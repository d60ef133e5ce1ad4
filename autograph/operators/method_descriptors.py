"""Methods called through their class: `list.__len__(l)`.

While a graph is recorded, Python's own methods would see the stand-in for a list or dict, and not
its contents. The replacement is the operation that calls the method: `len(l)`.
"""

from __future__ import annotations

import builtins
import operator
from collections import deque
from collections.abc import Callable
from types import MethodDescriptorType, MethodWrapperType, WrapperDescriptorType
from typing import Any

from autograph.backends.protocol import Backends

KINDS = frozenset({MethodDescriptorType, MethodWrapperType, WrapperDescriptorType})
_CONTAINERS = (list, dict, deque, tuple)
_MEANING: dict[str, Callable[..., Any]] = {
    "__len__": builtins.len,
    "__iter__": builtins.iter,
    "__reversed__": builtins.reversed,
    "__repr__": builtins.repr,
    "__str__": builtins.str,
    "__getitem__": operator.getitem,
    "__setitem__": operator.setitem,
    "__delitem__": operator.delitem,
    "__contains__": operator.contains,
    "__add__": operator.add,
    "__iadd__": operator.iadd,
    "__mul__": operator.mul,
    "__imul__": operator.imul,
    "__or__": operator.or_,
    "__ior__": operator.ior,
    "__eq__": operator.eq,
    "__ne__": operator.ne,
    "__lt__": operator.lt,
    "__le__": operator.le,
    "__gt__": operator.gt,
    "__ge__": operator.ge,
}


def _is_container(value: object) -> bool:
    # `isinstance` would read `__class__`, which a user's `__getattribute__` may answer.
    return issubclass(type(value), _CONTAINERS)


class MethodDescriptors:
    """The replacements of the methods of containers that are called through their class.

    Args:
        backends: the possible owners of the object.
        callee: returns the replacement of a callable.
    """

    def __init__(self, backends: Backends, callee: Callable[[Any], Any]) -> None:
        self._backends, self._callee = backends, callee

    def callee(self, method: Any) -> Any:
        """Return the replacement of a method: itself, unless a graph is recorded."""
        if self._backends.recorder() is None:
            return method
        owner = getattr(method, "__self__", None)
        if type(method) is MethodWrapperType:
            return self._by_meaning(method, owner) if _is_container(owner) else method
        if method.__objclass__ not in _CONTAINERS:
            return method
        return lambda *args, **kwargs: self._called(method, args, kwargs)

    def _called(self, method: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
        if args and _is_container(args[0]):
            return self._by_meaning(method, args[0], bound=False)(*args[1:], **kwargs)
        return method(*args, **kwargs)

    def _by_meaning(self, method: Any, owner: Any, bound: bool = True) -> Callable[..., Any]:
        """Return the operation that calls a method; it looks up the backend at each call."""

        def call(*args: Any, **kwargs: Any) -> object:
            backend = self._backends.of(owner)
            if backend is None:
                return method(*args, **kwargs) if bound else method(owner, *args, **kwargs)
            if not method.__name__.startswith("__"):
                return self._callee(getattr(owner, method.__name__))(*args, **kwargs)
            if method.__name__ not in _MEANING or kwargs:
                raise backend.refusal(
                    f"{method.__name__} is called directly on a {type(owner).__name__} whose items "
                    "are known only when the graph runs: write the operator or statement that "
                    "calls it"
                )
            return self._callee(_MEANING[method.__name__])(owner, *args)

        return call
