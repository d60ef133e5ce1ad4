"""Layers inside of others, made again of their configs."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any

from runtime.core.argument_checks import by_names
from runtime.nn.custom_objects import CustomObjectError, custom_object_scope, known_object
from runtime.nn.layers.layer import Layer
from runtime.nn.layers.ownership import layers_below


def made_like(layer: Layer, config: Mapping[str, Any]) -> Any:
    """Return a layer of the class of another one, made of a config of it, with new weights.

    The layers inside of it are of the same classes, whatever other classes have their names.
    """
    inside = {type(each).__name__: type(each) for each in layers_below(layer)}
    with custom_object_scope(inside):
        return type(layer).from_config(config)


def rebuilt(config: Any, custom_objects: Mapping[str, Any] | None = None) -> Any:
    """Return what a config says, a layer; a list of layers for a list; other objects as they are.

    Args:
        config: `class_name` and `config`.
        custom_objects: classes by name, asked before those of layers there are.

    Raises:
        ArgumentValueError: there is no layer of that name.
    """
    if isinstance(config, (list, tuple)):
        return [rebuilt(each, custom_objects) for each in config]
    if not isinstance(config, Mapping) or "class_name" not in config:
        return config
    name, options = config["class_name"], config.get("config", {})
    given = by_names(custom_objects, "custom_objects")
    kind = given.get(name) or known_object(name) or _named(name)
    if kind is None:
        raise CustomObjectError(f"there is no layer {name!r}: give its class in custom_objects")
    return kind.from_config(options) if hasattr(kind, "from_config") else kind(**options)


def _named(name: str) -> Any:
    for kind in _kinds(Layer):
        if kind.__name__ == name:
            return kind
    # The library's own are imported when they are first asked for.
    found = getattr(sys.modules["runtime.nn.layers"], name, None) or getattr(
        sys.modules["runtime.nn"], name, None
    )
    return found if isinstance(found, type) and issubclass(found, Layer) else None


def _kinds(kind: type) -> Iterator[type]:
    """Yield the classes made of one, those made last before those made first."""
    made: list[type] = kind.__subclasses__()
    for each in reversed(made):
        yield each
        yield from _kinds(each)
