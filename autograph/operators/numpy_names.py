"""NumPy functions, recognized for calls with values of a backend among their arguments.

NumPy's protocols let tensors override only some functions, and not for tensors inside lists. So the
replacement checks the arguments first; a call without owned values is NumPy's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

import numpy as np

from autograph.backends.protocol import Backend, Backends
from autograph.operators.tracebacks import drop_internal_frames

Answer = Callable[..., Any]

_NUMPY = "numpy"
# The prefix of the backends' names of NumPy functions, which get the function as first argument.
PREFIX = "np."
# Callables whose own `__module__` counts, not that of their type.
_BY_OWN_MODULE = (FunctionType, MethodType, BuiltinFunctionType)
_module_of: Callable[[type], object] = type.__dict__["__module__"].__get__
_CYTHON = "cython_function_or_method"
_SEQUENCES = (list, tuple)
# NumPy types with methods that take tensors.
WITH_METHODS: tuple[type, ...] = (np.ndarray, np.ufunc)
# NumPy types whose objects call a user's function for each item.
WITH_CALLS: tuple[type, ...] = (np.vectorize,)
# Functions written in C, and callable types, by identity.
BY_OBJECT: tuple[Any, ...] = (
    *(each for each in vars(np).values() if type(each) is BuiltinFunctionType),
    *(each for each in vars(np).values() if type(each) is type and issubclass(each, np.generic)),
    *(np.nditer, np.ndenumerate, np.broadcast),
)


def is_numpys(function: object) -> bool:
    """Return whether a callable is one of NumPy's.

    >>> is_numpys(np.sum), is_numpys(np.random.rand), is_numpys(len)
    (True, True, False)
    """
    kind = type(function)
    module = _module_of(kind)
    if kind in _BY_OWN_MODULE or kind.__name__ == _CYTHON:
        module = getattr(function, "__module__", None)
    return type(module) is str and module.partition(".")[0] == _NUMPY


class NumpyCalls:
    """Calls of NumPy functions from converted code.

    Args:
        backends: the possible owners of the arguments.
    """

    def __init__(self, backends: Backends) -> None:
        self._backends = backends

    def answer(self, function: Any) -> Answer:
        """Return the replacement of a NumPy function."""
        backends = self._backends

        def answer(*args: Any, **kwargs: Any) -> object:
            if backends.recorder() is None:
                return function(*args, **kwargs)
            try:
                backend = self._owner(args) or (self._owner([*kwargs.values()]) if kwargs else None)
                if backend is None:
                    return function(*args, **kwargs)
                name = PREFIX + getattr(function, "__name__", type(function).__name__)
                return backend.call(name, (function, *args), kwargs, again)
            except BaseException as error:
                drop_internal_frames(error)
                raise

        def again(function: Any, *args: Any, **kwargs: Any) -> object:
            return self.answer(function)(*args, **kwargs)

        return answer

    def callee(self, f: Any) -> Any:
        """Return the replacement of a callable, if it is one of NumPy's; else the callable."""
        return self.answer(f) if is_numpys(f) else f

    def _owner(self, values: Any) -> Backend | None:
        return next(filter(None, self._owners(values)), None)

    def _owners(self, values: Any) -> Iterator[Backend | None]:
        of, waiting = self._backends.of, [values]
        while waiting:
            for value in waiting.pop():
                yield of(value)
                if type(value) in _SEQUENCES:
                    waiting.append(value)
