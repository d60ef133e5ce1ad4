"""Unique names of modules and variables: `dense`, `dense_1`, with scopes as prefixes."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any

from runtime.core.fork_safety import fork_safe_lock

_LOCK = fork_safe_lock()
_USED: dict[str, int] = {}
_SCOPE: ContextVar[str] = ContextVar("name_scope", default="")


def snake_case(name: str) -> str:
    """Return the name of a class in snake case, as Keras writes it.

    >>> snake_case("MaxPooling2D"), snake_case("LSTM"), snake_case("BatchNormalization")
    ('max_pooling2d', 'lstm', 'batch_normalization')
    """
    spaced = re.sub(r"(.)([A-Z][a-z0-9]+)", r"\1_\2", re.sub(r"\W+", "", name))
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", spaced).lower()


def unique_name(base: str) -> str:
    """Return the base itself at first, then with the number of earlier calls for it, as Keras does.

    A base that ends with a number may be such a name: `z`, `z`, `z_1` gives `z_1` twice.

    >>> unique_name("names_example"), unique_name("names_example")
    ('names_example', 'names_example_1')
    """
    with _LOCK:
        number = _USED.get(base, 0)
        _USED[base] = number + 1
    return f"{base}_{number}" if number else base


def forget_names(free_memory: bool = True) -> None:
    """Restart the numbers of all names; `free_memory` has no effect.

    >>> forget_names()
    """
    with _LOCK:
        _USED.clear()


def scoped(name: str, owner: str = "") -> str:
    """Return a name with the current scopes and its owner's name in front.

    The owner's name is left out if the scopes end with it.

    >>> scoped("kernel", "dense")
    'dense/kernel'
    """
    around = _SCOPE.get()
    inside = not owner or f"/{around}".endswith(f"/{owner}/")
    return f"{around}{name}" if inside else f"{around}{owner}/{name}"


def scope(name: str) -> AbstractContextManager[str]:
    """Prefix the names of variables created in the context; it yields the scope.

    >>> with scope("outer"):
    ...     with scope("inner"):
    ...         scoped("kernel")
    'outer/inner/kernel'
    """
    return _within(f"{_SCOPE.get()}{name}/" if name else _SCOPE.get())


@contextmanager
def _within(prefix: str) -> Any:
    token = _SCOPE.set(prefix)
    try:
        yield prefix
    finally:
        _SCOPE.reset(token)
