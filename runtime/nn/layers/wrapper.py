"""Wrapper layers, and deserialization of the layers inside them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from runtime.core.argument_checks import dict_argument
from runtime.errors import ArgumentValueError, CustomObjectError
from runtime.nn.custom_objects import custom_object_scope, known_object
from runtime.nn.layers.layer import Layer
from runtime.nn.layers.ownership import layers_below

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.layers.layer_options import RegularizableLayerOptions


def made_like(layer: Layer, config: Mapping[str, Any]) -> Any:
    """Return a layer with the class of another one, made from a config, with new weights.

    Inner layers have the classes of its inner layers, even if other classes have those names.
    """
    inside = {type(each).__name__: type(each) for each in layers_below(layer)}
    with custom_object_scope(inside):
        return type(layer).from_config(config)


def rebuilt(config: Any, custom_objects: Mapping[str, Any] | None = None) -> Any:
    """Return the layer of a config; a list of layers for a list; other objects unchanged.

    Args:
        config: `class_name` and `config`.
        custom_objects: classes by name, which take precedence over the library's layers.

    Raises:
        CustomObjectError: there is no layer of that name.
    """
    if isinstance(config, (list, tuple)):
        return [rebuilt(each, custom_objects) for each in config]
    if not isinstance(config, Mapping) or "class_name" not in config:
        return config
    name, options = config["class_name"], config.get("config", {})
    given = dict_argument(custom_objects, "custom_objects")
    kind = given.get(name) or known_object(name) or _named(name)
    if kind is None:
        raise CustomObjectError(f"there is no layer {name!r}: give its class in custom_objects")
    return kind.from_config(options) if hasattr(kind, "from_config") else kind(**options)


def _named(name: str) -> Any:
    for kind in _kinds(Layer):
        if kind.__name__ == name:
            return kind
    # The access imports the class of the library.
    found = getattr(sys.modules["runtime.nn.layers"], name, None) or getattr(
        sys.modules["runtime.nn"], name, None
    )
    return found if isinstance(found, type) and issubclass(found, Layer) else None


def _kinds(kind: type) -> Iterator[type]:
    """Yield the subclasses of a class, latest first."""
    made: list[type] = kind.__subclasses__()
    for each in reversed(made):
        yield each
        yield from _kinds(each)


# -- the base class of wrappers --------------------------------------------------------------------


class Wrapper(Layer):
    """A layer that holds another one, and builds it.

    Args:
        layer: the layer inside.

    Example:
        >>> from runtime.nn.layers.dense import Dense
        >>> class Twice(Wrapper):
        ...     def call(self, inputs):
        ...         return self.layer(inputs) * 2.0
        >>> print(Twice(Dense(1, kernel_initializer="ones"))([[1.0, 2.0]]))
        rt.Tensor([[6.]], shape=(1, 1), dtype=float32)
    """

    def __init__(self, layer: Any, **kwargs: Unpack[RegularizableLayerOptions]) -> None:
        super().__init__(**kwargs)
        if not isinstance(layer, Layer):
            raise ArgumentValueError(f"a {type(self).__name__} takes a layer, not {layer!r}")
        self.layer = layer

    @property
    def _input_dtype(self) -> str | None:
        found: str | None = self.layer._input_dtype
        return found

    def build(self, input_shape: Any) -> None:
        """Build the layer inside."""
        self.layer.build_for(input_shape)

    @classmethod
    def from_config(cls, config: Mapping[str, Any], custom_objects: Any = None) -> Any:
        """Return a layer and its inner layer, made from the config of `get_config`.

        Args:
            custom_objects: classes by name, for layers that are not found by theirs.
        """
        inside = rebuilt(config.get("layer"), custom_objects)
        return super().from_config({**config, "layer": inside})
