"""The function scope: the record of one call of a converted function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.backends.protocol import Backends
from autograph.backends.undefined import UndefinedReturnValue
from autograph.options import ConversionOptions


class FunctionScope:
    """The `with` block around a converted function's body.

    Attributes:
        name: the user's function.
        options: the options for the conversion of calls in the body.
        callee: returns the replacement of a callable, converted if need be.
    """

    __slots__ = ("_backends", "callee", "name", "options")

    def __init__(
        self,
        backends: Backends,
        name: str,
        scope_name: str,
        options: ConversionOptions,
        callee: Callable[[Any], Any] | None = None,
    ) -> None:
        # `scope_name` is the variable of this object in generated code, for readers of the code.
        self._backends = backends
        self.name = name
        self.options = options
        self.callee = callee

    def __enter__(self) -> FunctionScope:
        return self

    def __exit__(self, *exception: object) -> None:
        return None

    def ret(self, value: object, did_return: object) -> object:
        """Return the result of the function: `value` if it has executed a `return`, else None."""
        if did_return is True:
            return value
        backend = self._backends.of(did_return)
        if backend is not None:
            return backend.call("returned", (did_return, value), {})
        return None if isinstance(value, UndefinedReturnValue) or not did_return else value


def with_function_scope(
    backends: Backends,
    body: Callable[[FunctionScope], object],
    scope_name: str,
    options: ConversionOptions,
) -> object:
    """Return `body(scope)`: the function scope of a lambda."""
    return body(FunctionScope(backends, "<lambda>", scope_name, options))
