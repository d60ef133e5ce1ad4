"""A namespace of names that say at once when they are not there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

MISSING = object()


class Namespace:
    """Attributes by name; asking for one that is not there is an AttributeError that says so.

    Args:
        path: the dotted name of the namespace, for the error.

    >>> Namespace("tf.sparse").SparseTensor
    Traceback (most recent call last):
    AttributeError: tf.sparse has no SparseTensor yet
    """

    def __init__(self, path: str) -> None:
        self.__dict__["__name__"] = path

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(missing_message(self.__dict__["__name__"], name))

    def __dir__(self) -> list[str]:
        return sorted(name for name in self.__dict__ if name != "__name__")

    def __repr__(self) -> str:
        return f"<namespace {self.__dict__['__name__']}>"

    def put(self, path: str, value: object) -> None:
        """Set the attribute at a dotted path, making the namespaces on the way."""
        first, _, rest = path.partition(".")
        if rest:
            self.__dict__.setdefault(first, Namespace(f"{self.__dict__['__name__']}.{first}"))
            self.__dict__[first].put(rest, value)
        else:
            self.__dict__[first] = value

    def paths(self) -> Iterator[str]:
        """Give the dotted path of everything in here, namespaces themselves left out."""
        for name in dir(self):
            value = self.__dict__[name]
            if isinstance(value, Namespace):
                yield from (f"{name}.{path}" for path in value.paths())
            else:
                yield name


def missing_message(path: str, name: str) -> str:
    """Say that a name is not there, the way Python says it of modules."""
    return f"{path} has no {name} yet"


def resolve(root: object, path: str) -> object:
    """Follow a dotted path from an object; MISSING where it leads nowhere."""
    value = root
    for part in path.split("."):
        value = getattr(value, part, MISSING)
        if value is MISSING:
            return MISSING
    return value
