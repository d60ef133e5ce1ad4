"""The `Bidirectional` wrapper of recurrent layers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from runtime import nest
from runtime.core.argument_checks import choice
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError
from runtime.nn.layers.call_context import parameters_of
from runtime.nn.layers.layer import Layer
from runtime.nn.layers.weight_values import give_weights
from runtime.nn.layers.wrapper import made_like, rebuilt
from runtime.ops.arrays.concatenation import concat, reverse

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.layers.layer_options import RegularizableLayerOptions

_MERGES = ("sum", "mul", "ave", "concat", None)
_IN_COMMON = ("stateful", "return_sequences", "return_state")


class Bidirectional(Layer):
    """Two copies of a layer, of which the second one processes sequences backwards.

    Args:
        layer: a recurrent layer.
        merge_mode: the merge of both outputs: "concat" along the last axis, "sum", "mul", "ave" for
            the mean, or None for a tuple of both.
        weights: initial values for the weights of both layers, one after the other.
        backward_layer: the second layer, in place of a copy.

    Example:
        >>> from runtime.nn.layers.recurrent.lstm import LSTM
        >>> from runtime.ops.arrays.creation import ones
        >>> Bidirectional(LSTM(3, return_sequences=True))(ones((2, 5, 4))).shape
        TensorShape([2, 5, 6])
    """

    def __init__(
        self,
        layer: Any,
        merge_mode: str | None = "concat",
        weights: TensorLike | None = None,
        backward_layer: Any = None,
        **kwargs: Unpack[RegularizableLayerOptions],
    ) -> None:
        for each in (layer, *([] if backward_layer is None else [backward_layer])):
            if not isinstance(each, Layer) or not hasattr(each, "go_backwards"):
                raise ArgumentValueError(f"Bidirectional needs a recurrent layer, not {each!r}")
        choice(merge_mode, "merge_mode", _MERGES)
        super().__init__(**kwargs)
        self.forward_layer = _like(layer, "forward", layer.go_backwards)
        self.backward_layer = backward_layer
        if backward_layer is None:
            self.backward_layer = _like(layer, "backward", not layer.go_backwards)
        _check_pair(self.forward_layer, self.backward_layer)
        for each in (self.forward_layer, self.backward_layer):
            if hasattr(each, "zero_output_for_mask"):
                each.zero_output_for_mask = each.return_sequences
        self.merge_mode = merge_mode
        self._first_weights: Any = weights
        self.stateful, self.return_state = layer.stateful, layer.return_state
        self.return_sequences = layer.return_sequences
        self.supports_masking = True
        self.input_spec = layer.input_spec

    def build(self, sequences_shape: Any, initial_state_shape: Any = None) -> None:
        """Build both layers."""
        for each in (self.forward_layer, self.backward_layer):
            each.build_for(sequences_shape)
        if self._first_weights is not None:
            pair = [*self.forward_layer.weights, *self.backward_layer.weights]
            give_weights(self.name, pair, list(self._first_weights))

    def compute_output_shape(self, sequences_shape: Any, initial_state_shape: Any = None) -> Any:
        """Return the shape of the merged outputs, then those of all states."""
        found = self.forward_layer.compute_output_shape(sequences_shape)
        output, states = (found[0], found[1:]) if self.return_state else (found, ())
        if self.merge_mode == "concat":
            output = (*output[:-1], 2 * output[-1])
        outputs = (output, output) if self.merge_mode is None else (output,)
        if not self.return_state:
            return outputs if self.merge_mode is None else output
        return (*outputs, *states, *states)

    def compute_mask(self, inputs: Any, previous_mask: Any = None) -> Any:
        """Return the mask of the sequences for the outputs of all steps; states have none."""
        mask = next((m for m in nest.flatten(previous_mask) if m is not None), None)
        mask = mask if self.return_sequences else None
        outputs = [mask, mask] if self.merge_mode is None else [mask]
        states = 2 * len(self.forward_layer.state_size) if self.return_state else 0
        found = [*outputs, *[None] * states]
        return found if len(found) > 1 else mask

    def call(
        self, sequences: Any, initial_state: Any = None, mask: Any = None, training: Any = None
    ) -> Tensor | Any:
        """Return the merged outputs of both layers, followed by all states if they are returned.

        Args:
            initial_state: the states of the first layer, then those of the second.
        """
        half = 0 if initial_state is None else len(initial_state) // 2
        if initial_state is not None and len(initial_state) != 2 * half:
            raise ArgumentValueError(
                f"layer {self.name!r} takes as many states for each way, not {2 * half + 1} in all"
            )
        given = (None, None) if not half else (initial_state[:half], initial_state[half:])
        results = [
            layer(sequences, **_accepted(layer, initial_state=states, mask=mask, training=training))
            for layer, states in zip((self.forward_layer, self.backward_layer), given)
        ]
        states: list[Any] = []
        if self.return_state:
            states = [each for result in results for each in result[1:]]
            results = [result[0] for result in results]
        there, back = results
        if self.return_sequences:
            back = reverse(back, [1])
        output = self._merged(there, back)
        if not self.return_state:
            return output
        return (*(output if self.merge_mode is None else (output,)), *states)

    def _merged(self, there: Any, back: Any) -> Any:
        if self.merge_mode == "concat":
            return concat([there, back], -1)
        if self.merge_mode == "mul":
            return there * back
        if self.merge_mode is None:
            return (there, back)
        return there + back if self.merge_mode == "sum" else (there + back) / 2

    @property
    def states(self) -> Any:
        """The variables of both layers that hold states, None if they hold none."""
        pair = (self.forward_layer.states, self.backward_layer.states)
        return None if None in pair else (*pair[0], *pair[1])

    def reset_states(self) -> None:
        """Reset the states of both layers to zeros."""
        self.forward_layer.reset_states()
        self.backward_layer.reset_states()

    reset_state = reset_states

    def get_config(self) -> dict[str, Any]:
        """Return the config, which has the configs of both layers."""
        layers = {"layer": self.forward_layer, "backward_layer": self.backward_layer}
        own_config = {
            name: {"class_name": type(each).__name__, "config": each.get_config()}
            for name, each in layers.items()
        }
        return {**super().get_config(), **own_config}

    @classmethod
    def from_config(cls, config: Mapping[str, Any], custom_objects: Any = None) -> Any:
        """Return a layer made from the config of `get_config`."""
        named = [name for name in ("layer", "backward_layer") if name in config]
        layers = {name: rebuilt(config[name], custom_objects) for name in named}
        return super().from_config({**config, **layers})


def _like(layer: Any, way: str, go_backwards: bool) -> Any:
    """Return a copy of a layer with new weights, and `way` in its name."""
    config = dict(layer.get_config())
    name = config["name"].removeprefix(f"{way}_")
    config.update(name=f"{way}_{name}", go_backwards=go_backwards)
    return made_like(layer, config)


def _accepted(layer: Any, **options: Any) -> dict[str, Any]:
    takes, takes_any = parameters_of(layer)
    return {name: each for name, each in options.items() if name in takes or takes_any}


def _check_pair(there: Any, back: Any) -> None:
    """Raise ArgumentValueError unless the options of both layers match."""
    if there.go_backwards == back.go_backwards:
        raise ArgumentValueError(
            "the backward layer goes the same way as the other: give one of them go_backwards=True"
        )
    for name in _IN_COMMON:
        one, other = getattr(there, name), getattr(back, name)
        if one != other:
            raise ArgumentValueError(
                f"both layers of a Bidirectional have the same {name}, not {one} and {other}"
            )
