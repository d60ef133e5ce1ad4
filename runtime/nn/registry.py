"""Lookup of objects by identifier: a name, a class, an object or a config."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from runtime.core.argument_checks import dict_argument
from runtime.core.name_suggestions import nearest
from runtime.errors import ArgumentValueError, CustomObjectError, with_article
from runtime.nn.custom_objects import FunctionName, known_object

Identifier = str | Callable[..., object] | Mapping[str, object]
"""A name, a function, a class or an object, or a config."""


class ObjectRegistry:
    """The objects of one kind, by their names.

    Args:
        kind: the name of the kind, for errors.
        base: the base class; None if any callable is valid.
        entries: classes or functions by name.
        callables: whether a function is valid in place of an object.
    """

    def __init__(
        self,
        kind: str,
        base: type | None,
        entries: Mapping[str, Any],
        callables: bool = True,
    ) -> None:
        self._kind, self._base, self._entries = kind, base, dict(entries)
        self._callables = callables

    def with_custom(self, custom: Any) -> ObjectRegistry:
        """Return a registry that also has a user's classes and functions, by name."""
        added = dict_argument(custom, "custom_objects")
        entries = {**self._entries, **added}
        return ObjectRegistry(self._kind, self._base, entries, self._callables) if added else self

    def get(self, identifier: Any) -> Any:
        """Return the object of an identifier; None stays None.

        Args:
            identifier: a name, such as "relu"; a class; an object; or a dict with `class_name` and
                `config`.

        Raises:
            ArgumentValueError: the name is unknown.
        """
        if identifier is None:
            return None
        if isinstance(identifier, FunctionName):
            return identifier.function
        if isinstance(identifier, str):
            return self._made(self._named(identifier))
        if isinstance(identifier, Mapping):
            return self._from_config(identifier)
        if isinstance(identifier, type) and issubclass(identifier, self._base or object):
            return identifier()
        if self._base is not None and isinstance(identifier, self._base):
            return identifier
        if callable(identifier) and self._callables:
            return identifier
        raise ArgumentValueError(
            f"{identifier!r} is not {with_article(self._kind)}: give a name or an object"
        )

    def config_of(self, thing: Any) -> Any:
        """Return the config from which `get` makes the same object: a name or a dict."""
        if thing is None:
            return None
        if hasattr(thing, "get_config"):
            return {"class_name": type(thing).__name__, "config": thing.get_config()}
        name = getattr(thing, "__name__", None)
        if name is None or self._entries.get(name) is thing:
            return name or str(thing)
        return FunctionName(thing)

    def _named(self, name: str) -> Any:
        found = known_object(name) or self._entries.get(name)
        if found is None:
            near = nearest(name, self._entries, 0.6)
            hint = (
                f"did you mean {near!r}?"
                if near
                else "if it is your own, say so with custom_objects="
                f"{{{name!r}: ...}} or keras.saving.register_keras_serializable"
            )
            raise CustomObjectError(f"there is no {self._kind} {name!r}: {hint}")
        return found

    def _made(self, entry: Callable[..., Any]) -> Any:
        return entry() if isinstance(entry, type) else entry

    def _from_config(self, config: Mapping[str, Any]) -> Any:
        if "class_name" not in config:
            raise ArgumentValueError(f"a {self._kind} as a dict needs 'class_name' and 'config'")
        kind, inner = self._named(config["class_name"]), config.get("config", {})
        if hasattr(kind, "from_config"):
            return kind.from_config(inner)
        return kind(**inner) if isinstance(kind, type) else kind


class Configured:
    """An object made from plain values, which `get_config` returns.

    A subclass lists the names of these constructor arguments, which are also attributes, in
    `config_names`.
    """

    config_names: tuple[str, ...] = ()

    def get_config(self) -> dict[str, Any]:
        """Return the config from which `from_config` makes the same object."""
        return {name: getattr(self, name) for name in self.config_names}

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Any:
        """Return an object made from the config of `get_config`."""
        return cls(**config)

    def __repr__(self) -> str:
        options = ", ".join(f"{k}={v!r}" for k, v in self.get_config().items())
        return f"{type(self).__name__}({options})"
