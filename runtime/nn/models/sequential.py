"""The class `Sequential`: a model that calls its layers in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from runtime.core.argument_checks import call_advice, listed, shown
from runtime.core.shapes import as_shape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError, NotBuiltError
from runtime.nn.layers.input import InputLayer, input_of
from runtime.nn.layers.input_conversion import are_shapes
from runtime.nn.layers.layer import Layer
from runtime.nn.layers.symbolic import KerasTensor
from runtime.nn.models.functional import Wiring, with_axes_of
from runtime.nn.models.model import Model


class Sequential(Model):
    """A model that passes its input through its layers in turn.

    Args:
        layers: a list or tuple of layers; the first one may declare the input shape.

    Example:
        >>> from runtime.nn.layers import Dense
        >>> model = Sequential([Dense(3, input_shape=(2,)), Dense(1)])
        >>> [tuple(weight.shape) for weight in model.weights]
        [(2, 3), (3,), (3, 1), (1,)]
    """

    _row: list[Any]

    if TYPE_CHECKING:

        def __call__(
            self,
            inputs: TensorLike,
            training: bool | None = None,
            mask: TensorLike | None = None,
        ) -> Tensor: ...

    def __init__(
        self, layers: Sequence[Any] | None = None, trainable: bool = True, name: str | None = None
    ) -> None:
        if isinstance(trainable, Layer):
            raise ArgumentValueError("layers must be one list: write rt.nn.Sequential([...])")
        super().__init__(trainable=trainable, name=name)
        self._row = []
        self._chain: Wiring | None = None
        for each in () if layers is None else listed(layers, "layers"):
            self._append(each)
        self._build_if_known()

    @property
    def layers(self) -> list[Layer]:
        """The layers in order, without an InputLayer."""
        return [each for each in self._row if not isinstance(each, InputLayer)]

    def add(self, layer: Any, rebuild: bool = True) -> None:
        """Append a layer; `rebuild` has no effect, since weights are created when needed.

        Raises:
            ArgumentValueError: it is not a layer, or its name is taken.
        """
        self._append(layer)
        self._build_if_known()

    def _append(self, layer: Any) -> None:
        if isinstance(layer, KerasTensor) and layer.step is not None:
            layer = layer.step.callee
        if not isinstance(layer, Layer):
            advice = call_advice(layer)
            if isinstance(layer, str) or (callable(layer) and not advice):
                name = repr(layer) if isinstance(layer, str) else "function"
                advice = f": write layers.Activation({name})"
            raise ArgumentValueError(f"a Sequential takes layers, not {shown(layer)}{advice}")
        if any(each is layer or each.name == layer.name for each in self._row):
            raise ArgumentValueError(f"a layer {layer.name!r} is in the model already")
        if not self._row:
            self._own.input_shape = layer._own.input_shape
        self._row.append(layer)
        self._own.built = False
        self._chain = None
        self._training_state.steps.forget()

    def _build_if_known(self) -> None:
        if self._own.input_shape is not None:
            self.build()

    def pop(self, rebuild: bool = True) -> Any:
        """Remove the last layer and return it; `rebuild` as for `add`.

        Raises:
            ArgumentValueError: there are no layers.
        """
        if not self.layers:
            raise ArgumentValueError(f"model {self.name!r} has no layer to remove")
        self._chain = None
        self._training_state.steps.forget()
        return self._row.pop()

    def _wired(self) -> Wiring:
        if self._chain is None:
            shape = self._own.input_shape or self._own.build_shape
            if shape is None or not self._row:
                raise NotBuiltError(
                    f"model {self.name!r} does not know the shape of its inputs: begin with an "
                    "Input"
                )
            first = self._row[0]
            layer = first if isinstance(first, InputLayer) else self._input_layer(shape)
            start = found = input_of(layer)
            for each in self._row:
                found = found if each is layer else each(found)
            self._chain = Wiring(start, found)
        return self._chain

    def _input_layer(self, shape: Any) -> InputLayer:
        """Return the start of a model that begins with another layer."""
        given = self._own.build_specs
        told = given.dtype if isinstance(given, TensorSpec) else self._input_dtype
        return InputLayer(batch_shape=shape, dtype=told)

    @property
    def _input_dtype(self) -> str | None:
        found: str | None = self._row[0]._input_dtype if self._row else None
        return found

    @property
    def output_names(self) -> Any:
        """The name of the last layer, in a list."""
        return [self._row[-1].name] if self._row else None

    @property
    def output_shape(self) -> Any:
        """The shape of the last layer's output."""
        return self._row[-1].output_shape if self._row else super().output_shape

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """Return the output of the last layer."""
        found = inputs
        shape = self._own.input_shape or self._own.build_shape
        if are_shapes(shape) and isinstance(found, Tensor) and found.shape.rank != len(shape):
            found = with_axes_of(as_shape(shape), found)
        for each in self._row:
            found = each(found)
        return found
