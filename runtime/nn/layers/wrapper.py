"""Layers around another layer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runtime.errors import ArgumentValueError
from runtime.nn.layers.layer import Layer
from runtime.nn.layers.rebuilding import rebuilt


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

    def __init__(self, layer: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if not isinstance(layer, Layer):
            raise ArgumentValueError(
                f"a {type(self).__name__} is made around a layer, not {layer!r}"
            )
        self.layer = layer

    def build(self, input_shape: Any) -> None:
        """Build the layer inside."""
        self.layer.build_for(input_shape)

    @classmethod
    def from_config(cls, config: Mapping[str, Any], custom_objects: Any = None) -> Any:
        """Return a layer made of what `get_config` gave, around another one made like that.

        Args:
            custom_objects: classes by name, for layers that are not found by theirs.
        """
        inside = rebuilt(config.get("layer"), custom_objects)
        return super().from_config({**config, "layer": inside})
