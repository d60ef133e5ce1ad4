"""Models: layers that are made of layers."""

from __future__ import annotations

from typing import Any

from runtime.errors import ArgumentValueError
from runtime.graph.graph import Graph
from runtime.nn.layers.calling import calling
from runtime.nn.layers.layer import Layer, placeholders, specs
from runtime.nn.layers.ownership import modules_in
from runtime.nn.training.trainer import Trainer


class Model(Trainer):
    """A layer that is made of others: they are set as attributes, and used in `call`.

    Example:
        >>> from runtime.nn.layers import Dense
        >>> class Twice(Model):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.dense = Dense(2, kernel_initializer="ones")
        ...     def call(self, inputs):
        ...         return self.dense(inputs) * 2.0
        >>> model = Twice()
        >>> print(model([[1.0, 2.0]]))
        rt.Tensor([[6. 6.]], shape=(1, 2), dtype=float32)
        >>> len(model.trainable_weights)
        2
    """

    @property
    def layers(self) -> list[Any]:
        """The layers in its attributes, in the order they were set."""
        return [each for each in modules_in(self) if isinstance(each, Layer)]

    def get_layer(self, name: str | None = None, index: int | None = None) -> Any:
        """Return the layer of a name, or at an index.

        Raises:
            ArgumentValueError: there is none, or not exactly one of the two is given.
        """
        if (name is None) == (index is None):
            raise ArgumentValueError("get_layer takes a name or an index")
        if index is not None and -len(self.layers) <= index < len(self.layers):
            return self.layers[index]
        for each in self.layers:
            if each.name == name:
                return each
        asked = f"named {name!r}" if index is None else f"at index {index}"
        raise ArgumentValueError(f"model {self.name!r} has no layer {asked}")

    def build(self, input_shape: Any = None) -> None:
        """Make the weights of all layers, by a look at `call` for inputs of a shape.

        Raises:
            ArgumentValueError: the shape is not known.
        """
        shape = self._own.input_shape if input_shape is None else input_shape
        if shape is None:
            raise ArgumentValueError(
                f"model {self.name!r} is not told the shape of its inputs: write "
                "model.build((None, 3)), or call it"
            )
        graph = Graph("build")
        with graph.recording(), calling(self, False):
            self.call(placeholders(graph, specs(shape, self._own.dtype)))
        self._forget_losses()

    def _build(self, inputs: Any) -> None:
        if type(self).build is not Model.build:
            super()._build(inputs)
            return
        # The call that is going on has the layers inside make their weights.
        self._own.built = True
