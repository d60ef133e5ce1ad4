"""Namespaces, whose names are looked up at their first use, with errors for missing names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from autograph.compat.out_of_scope import replacement_of

MISSING = object()
# The number of parts of `autograph.compat.tensorflow`, which TensorFlow's names follow.
_DEPTH = 3


class Namespace(ModuleType):
    """A module whose names are looked up at their first use.

    A missing name raises an AttributeError with its replacement, if it has one.

    Args:
        path: the dotted name of the namespace.
        base: a module whose public names the namespace has too.

    >>> Namespace("autograph.compat.tensorflow.math").nothing
    Traceback (most recent call last):
    AttributeError: autograph.compat.tensorflow.math has no nothing yet
    """

    def __init__(self, path: str, base: ModuleType | None = None) -> None:
        super().__init__(path)
        self.__dict__["__base__"] = base
        # By name, the lookups, of which the last is tried first.
        self.__dict__["__lookups__"] = {}

    def __getattr__(self, name: str) -> Any:
        for find in reversed(self.__dict__["__lookups__"].get(name, ())):
            value = find()
            if value is not MISSING:
                return self.__dict__.setdefault(name, value)
        value = getattr(self.__dict__["__base__"], name, MISSING)
        if value is not MISSING and not name.startswith("__"):
            return self.__dict__.setdefault(name, value)
        place = self.__dict__["__name__"]
        whole = ".".join((*place.split(".")[_DEPTH:], name))
        raise AttributeError(missing_message(place, name, whole), name=name)

    def __dir__(self) -> list[str]:
        names = {*self.__dict__, *self.__dict__["__lookups__"]}
        names = {name for name in names if not name.startswith("__")}
        names |= {*getattr(self.__dict__["__base__"], "__all__", ())}
        return sorted(name for name in names if _is_filled(getattr(self, name, MISSING)))

    def __repr__(self) -> str:
        return f"<namespace {self.__dict__['__name__']}>"

    def put(self, path: str, value: object) -> None:
        """Set the attribute at a dotted path; namespaces in the path are made."""
        first, _, rest = path.partition(".")
        if rest:
            self._inner(first, self.__dict__["__lookups__"].setdefault(first, [])).put(rest, value)
        else:
            self.__dict__[first] = value

    def put_lookup(
        self, path: str, find: Callable[[], object], *, is_tried_last: bool = False
    ) -> None:
        """Add a lookup of the attribute at a dotted path, for its first use.

        Args:
            path: the dotted path; a namespace in it exists if it has an attribute.
            find: returns the attribute, or MISSING.
            is_tried_last: whether the existing lookups are tried before this one.

        >>> names = Namespace("names")
        >>> names.put_lookup("math.pi", lambda: 3.14)
        >>> names.math.pi
        3.14
        """
        first, _, rest = path.partition(".")
        lookups = self.__dict__["__lookups__"].setdefault(first, [])
        if rest:
            inner = self._inner(first, lookups)
            inner.put_lookup(rest, find, is_tried_last=is_tried_last)
        else:
            lookups.insert(0 if is_tried_last else len(lookups), find)

    def _inner(self, name: str, lookups: list[Callable[[], object]]) -> Namespace:
        given = self.__dict__.get(name)
        if isinstance(given, Namespace):
            return given
        for lookup in lookups:
            if isinstance(lookup, _NamespaceLookup):
                return lookup.namespace
        inner = Namespace(f"{self.__dict__['__name__']}.{name}")
        lookups.append(_NamespaceLookup(inner))
        return inner

    def paths(self) -> Iterator[str]:
        """Yield the dotted paths of all names in it and in its namespaces."""
        for name in dir(self):
            value = self.__dict__[name]
            if isinstance(value, Namespace) and vars(value)["__base__"] is None:
                yield from (f"{name}.{path}" for path in value.paths())
            else:
                yield name


class _NamespaceLookup:
    """The lookup of a namespace, which is missing if it has no attribute."""

    def __init__(self, namespace: Namespace) -> None:
        self.namespace = namespace

    def __call__(self) -> object:
        names = {*vars(self.namespace), *vars(self.namespace)["__lookups__"]}
        found = any(hasattr(self.namespace, name) for name in names if not name.startswith("__"))
        return self.namespace if found else MISSING


def _is_filled(value: object) -> bool:
    return bool(dir(value)) if isinstance(value, Namespace) else value is not MISSING


def missing_message(place: str, name: str, path: str) -> str:
    """Return the message for a missing name, with its replacement if the tables have one.

    Args:
        place: the namespace.
        name: the missing name.
        path: its path among TensorFlow's names.

    >>> missing_message("tf.math", "nothing", "math.nothing")
    'tf.math has no nothing yet'
    >>> missing_message("tf", "flags", "flags")
    'tf has no flags; instead: argparse'
    """
    instead = replacement_of(path)
    return f"{place} has no {name}{f'; instead: {instead}' if instead else ' yet'}"


def resolve(root: object, path: str) -> object:
    """Return the attribute of an object at a dotted path; MISSING if there is none."""
    value = root
    for part in path.split("."):
        value = getattr(value, part, MISSING)
        if value is MISSING:
            return MISSING
    return value
