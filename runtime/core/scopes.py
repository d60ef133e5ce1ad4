"""Scopes of names, and the random streams of calls and iterators."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar, Token
from typing import Any, Generic, TypeVar

from runtime.core.context import current_recorder
from runtime.errors import DTypeError

_Item = TypeVar("_Item")
_STREAMS: ContextVar[dict[object, Any] | None] = ContextVar("streams_around", default=None)
_CALL: ContextVar[object] = ContextVar("counting_call", default=None)
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
            raise DTypeError(f"the name of a scope is a string, not {type(name).__name__}")
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


class call_scope(name_scope):
    """A context manager for a call of a Function: no scopes, and a new count of random ops.

    The ops may be recorded in the graph of another Function, which has its own count.
    """

    def __init__(self) -> None:
        super().__init__("")

    def __enter__(self) -> str:
        self._call = _CALL.set(object())
        return super().__enter__()

    def __exit__(self, *exception: object) -> None:
        """Leave the call; an exception propagates."""
        super().__exit__(*exception)
        _CALL.reset(self._call)


def current_call_token() -> object:
    """Return the token of the innermost call of a Function, None outside of all calls."""
    return _CALL.get()


class WithOwnStreams(Generic[_Item]):
    """An iterator that has its own random streams for the random nodes of functions.

    So each iteration over a dataset draws the same numbers in its functions, as in TensorFlow.

    >>> sum(WithOwnStreams(iter([1, 2])))
    3
    """

    def __init__(self, items: Iterator[_Item]) -> None:
        self.items = items
        self._streams: dict[object, Any] = {}

    def __iter__(self) -> WithOwnStreams[_Item]:
        return self

    def __next__(self) -> _Item:
        token = _STREAMS.set(self._streams)
        try:
            return next(self.items)
        finally:
            _STREAMS.reset(token)


class using_streams:
    """A context manager in which random nodes draw from the given streams instead of their own."""

    def __init__(self, streams: dict[object, Any]) -> None:
        self._streams = streams

    def __enter__(self) -> None:
        self._token = _STREAMS.set(self._streams)

    def __exit__(self, *exception: object) -> None:
        """Leave the streams; an exception propagates."""
        _STREAMS.reset(self._token)


def enclosing_streams() -> dict[object, Any] | None:
    """Return the streams that random nodes draw from now; None if they use their own."""
    return _STREAMS.get()
