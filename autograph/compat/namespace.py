"""Namespaces of names that report missing names on access."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from autograph.compat.out_of_scope import way_around

MISSING = object()
# The parts of `autograph.compat.tensorflow`, which come before TensorFlow's names in a path.
_DEPTH = 3


class Namespace(ModuleType):
    """A module whose names are looked up on first access.

    A missing name raises an AttributeError with the reason.

    Args:
        path: the dotted name of the namespace, for the error.
        over: a module whose public names it has too.

    >>> Namespace("autograph.compat.tensorflow.math").nothing
    Traceback (most recent call last):
    AttributeError: autograph.compat.tensorflow.math has no nothing yet
    """

    def __init__(self, path: str, over: ModuleType | None = None) -> None:
        super().__init__(path)
        self.__dict__["__over__"] = over
        # By name, the lookups that have not run yet; the last is tried first.
        self.__dict__["__ways__"] = {}

    def __getattr__(self, name: str) -> Any:
        for find in reversed(self.__dict__["__ways__"].get(name, ())):
            value = find()
            if value is not MISSING:
                return self.__dict__.setdefault(name, value)
        value = getattr(self.__dict__["__over__"], name, MISSING)
        if value is not MISSING and not name.startswith("__"):
            return self.__dict__.setdefault(name, value)
        place = self.__dict__["__name__"]
        whole = ".".join((*place.split(".")[_DEPTH:], name))
        raise AttributeError(missing_message(place, name, whole), name=name)

    def __dir__(self) -> list[str]:
        names = {*self.__dict__, *self.__dict__["__ways__"]}
        names = {name for name in names if not name.startswith("__")}
        names |= {*getattr(self.__dict__["__over__"], "__all__", ())}
        return sorted(name for name in names if _is_filled(getattr(self, name, MISSING)))

    def __repr__(self) -> str:
        return f"<namespace {self.__dict__['__name__']}>"

    def put(self, path: str, value: object) -> None:
        """Set the attribute at a dotted path; create the namespaces on the way."""
        first, _, rest = path.partition(".")
        if rest:
            self._inner(first, self.__dict__["__ways__"].setdefault(first, [])).put(rest, value)
        else:
            self.__dict__[first] = value

    def put_later(
        self, path: str, find: Callable[[], object], *, is_last_resort: bool = False
    ) -> None:
        """Set the lookup of the attribute at a dotted path, for its first access.

        Args:
            path: the dotted path; a namespace on the way exists once it has an attribute.
            find: returns the attribute, or MISSING.
            is_last_resort: whether the existing lookups are tried before this one.

        >>> names = Namespace("names")
        >>> names.put_later("math.pi", lambda: 3.14)
        >>> names.math.pi
        3.14
        """
        first, _, rest = path.partition(".")
        ways = self.__dict__["__ways__"].setdefault(first, [])
        if rest:
            inner = self._inner(first, ways)
            inner.put_later(rest, find, is_last_resort=is_last_resort)
        else:
            ways.insert(0 if is_last_resort else len(ways), find)

    def _inner(self, name: str, ways: list[Callable[[], object]]) -> Namespace:
        given = self.__dict__.get(name)
        if isinstance(given, Namespace):
            return given
        for way in ways:
            if isinstance(way, _Inner):
                return way.namespace
        inner = Namespace(f"{self.__dict__['__name__']}.{name}")
        ways.append(_Inner(inner))
        return inner

    def paths(self) -> Iterator[str]:
        """Yield the dotted path of every name here, except namespaces."""
        for name in dir(self):
            value = self.__dict__[name]
            if isinstance(value, Namespace) and vars(value)["__over__"] is None:
                yield from (f"{name}.{path}" for path in value.paths())
            else:
                yield name


class _Inner:
    """The lookup of a namespace, which exists if it is not empty."""

    def __init__(self, namespace: Namespace) -> None:
        self.namespace = namespace

    def __call__(self) -> object:
        names = {*vars(self.namespace), *vars(self.namespace)["__ways__"]}
        found = any(hasattr(self.namespace, name) for name in names if not name.startswith("__"))
        return self.namespace if found else MISSING


def _is_filled(value: object) -> bool:
    return bool(dir(value)) if isinstance(value, Namespace) else value is not MISSING


def missing_message(place: str, name: str, path: str) -> str:
    """Return the message for a missing name, with its replacement if the tables have one.

    Args:
        place: the namespace that was searched.
        name: the name.
        path: its dotted path among TensorFlow's names.

    >>> missing_message("tf.math", "nothing", "math.nothing")
    'tf.math has no nothing yet'
    >>> missing_message("tf", "flags", "flags")
    'tf has no flags; instead: argparse'
    """
    instead = way_around(path)
    return f"{place} has no {name}{f'; instead: {instead}' if instead else ' yet'}"


def resolve(root: object, path: str) -> object:
    """Follow a dotted path from an object; MISSING if an attribute is missing."""
    value = root
    for part in path.split("."):
        value = getattr(value, part, MISSING)
        if value is MISSING:
            return MISSING
    return value
