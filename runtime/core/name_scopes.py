"""Name scopes: prefixes of the names of variables and nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar, Token
from typing import Any

from runtime.core.context import current_recorder
from runtime.errors import DTypeError

# Characters that are not allowed in node names.
NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_.\\/>-]")
_SCOPE: ContextVar[str] = ContextVar("name_scope", default="")
# The scopes for nodes, which include those of layers.
_NODES: ContextVar[str] = ContextVar("node_scope", default="")


current_node_scope = _NODES.get
"""Return the open scopes for nodes, each followed by `/`."""


def scoped(name: str) -> str:
    """Return a name with the open scopes as a prefix.

    >>> with name_scope("a"), name_scope("b"):
    ...     scoped("v")
    'a/b/v'
    """
    return f"{_SCOPE.get()}{name}"


def node_scoped(name: str) -> str:
    """Return a name with the open scopes for nodes as a prefix.

    >>> with name_scope("a"), node_scope("dense"):
    ...     node_scoped("MatMul"), scoped("v")
    ('a/dense/MatMul', 'a/v')
    """
    return f"{_NODES.get()}{name}"


def fresh_scope(name: str) -> str:
    """Return the name of a scope, numbered if the recording graph has one of that name.

    >>> fresh_scope("layer")
    'layer'
    """
    fresh: Any = getattr(current_recorder(), "fresh_scope", None)
    return name if fresh is None else str(fresh(name))


class name_scope:
    """A context manager that prefixes its name to those of variables and nodes created inside.

    In a graph a scope that is entered again gets a new name, `layer_1`.

    Args:
        name: is appended to the scopes around it; a name that ends with `/` is absolute and is not
            numbered, and an empty one leaves all scopes.

    Example:
        >>> import autograph.runtime as rt
        >>> with name_scope("layer") as scope:
        ...     print(scope, rt.Variable(1.0, name="weight").name)
        layer/ layer/weight:0
    """

    def __init__(self, name: str) -> None:
        if not isinstance(name, str):
            raise DTypeError(f"the name of a scope must be a string, not {type(name).__name__}")
        self.name = name
        self._tokens: list[tuple[Token[str], Token[str]]] = []

    def __enter__(self) -> str:
        if not self.name or self.name.endswith("/"):
            of_nodes = of_variables = self.name
        else:
            around = _NODES.get()
            of_nodes = f"{fresh_scope(around + self.name)}/"
            of_variables = _SCOPE.get() + of_nodes[len(around) :]
        self._tokens.append((_NODES.set(of_nodes), _SCOPE.set(of_variables)))
        return of_nodes

    def __exit__(self, *exception: object) -> None:
        """Leave the scope; an exception propagates."""
        of_nodes, of_variables = self._tokens.pop()
        _NODES.reset(of_nodes)
        _SCOPE.reset(of_variables)


@contextmanager
def node_scope(name: str) -> Iterator[None]:
    """Prefix a name to those of nodes created inside, but not to those of variables.

    Args:
        name: the name of a layer, numbered if the graph has entered a scope of that name before.
    """
    token = _NODES.set(f"{fresh_scope(_NODES.get() + NOT_IN_NAMES.sub('_', name))}/")
    try:
        yield
    finally:
        _NODES.reset(token)
