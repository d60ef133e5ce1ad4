"""Name scopes: what stands in front of the names of variables that are made inside."""

from __future__ import annotations

from contextvars import ContextVar, Token
from typing import Any

from runtime.context import current_recorder
from runtime.errors import DTypeError

_SCOPE: ContextVar[str] = ContextVar("name_scope", default="")


def scoped(name: str) -> str:
    """Return a name with the scopes around it in front.

    >>> with name_scope("a"), name_scope("b"):
    ...     scoped("v")
    'a/b/v'
    """
    return f"{_SCOPE.get()}{name}"


def fresh_scope(name: str) -> str:
    """Return the name of a scope, numbered if there is one in the graph that a session runs.

    >>> fresh_scope("layer")
    'layer'
    """
    fetched: Any = getattr(current_recorder(), "fetched", None)
    return name if fetched is None else fetched.names.fresh(name)


class name_scope:
    """A context manager that puts its name in front of those of variables made inside.

    So it does with nodes of a graph that a session runs, where a scope that is entered again is
    another one, `layer_1`; the nodes of other graphs are called after their ops.

    Args:
        name: stands behind the scopes around it; one that ends with `/` stands alone and is the
            same again, and an empty one leaves all scopes.

    Example:
        >>> import runtime as rt
        >>> with name_scope("layer") as scope:
        ...     print(scope, rt.Variable(1.0, name="weight").name)
        layer/ layer/weight:0
    """

    def __init__(self, name: str) -> None:
        if not isinstance(name, str):
            raise DTypeError(f"the name of a scope is a string, not {type(name).__name__}")
        self.name = name
        self._tokens: list[Token[str]] = []

    def __enter__(self) -> str:
        is_whole = not self.name or self.name.endswith("/")
        inside = self.name if is_whole else f"{fresh_scope(scoped(self.name))}/"
        self._tokens.append(_SCOPE.set(inside))
        return _SCOPE.get()

    def __exit__(self, *exception: object) -> None:
        """Leave the scope; an exception goes on."""
        _SCOPE.reset(self._tokens.pop())
