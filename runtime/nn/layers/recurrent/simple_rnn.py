"""SimpleRNN: the cell and the layer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from runtime.core.tensor import Tensor
from runtime.nn.layers.recurrent.cell import RecurrentCell
from runtime.nn.layers.recurrent.rnn import KernelRNN
from runtime.nn.registry import Identifier
from runtime.ops.elementwise.arithmetic import add

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.layers.layer_options import LayerOptions


class SimpleRNNCell(RecurrentCell):
    """`h' = activation(x @ kernel + h @ recurrent_kernel + bias)`; Elman (1990).

    Args:
        units: the size of the state, which is the output.
        activation: a name or a function.
        use_bias: whether there is a bias.
        dropout, recurrent_dropout: the fractions of inputs and of states dropped in training.
        seed: a seed for reproducible dropout.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> cell = SimpleRNNCell(1, kernel_initializer="ones", recurrent_initializer="ones")
        >>> output, states = cell(ones((1, 3)), [ones((1, 1)) * -3.0])
        >>> print(output)
        rt.Tensor([[0.]], shape=(1, 1), dtype=float32)
    """

    _is_seeded_first = True

    def step(
        self,
        sums: Tensor,
        states: Sequence[Tensor],
        step_weights: tuple[Any, ...],
        training: Any,
    ) -> tuple[Any, list[Any]]:
        """Return the next state as the output, and as the state."""
        found = self.activation(add(sums, self.project_state(states[0], step_weights[0], training)))
        return found, [found]


# -- the layer -------------------------------------------------------------------------------------


class SimpleRNN(KernelRNN):
    """Processes sequences with `h' = activation(x @ kernel + h @ recurrent_kernel + bias)`.

    Args:
        units: the size of the state, which is the output.
        activation: the activation of the state, a name or a function.
        use_bias: whether there is a bias.
        dropout, recurrent_dropout: the fractions of inputs and of states dropped in training, the
            same in all steps.
        seed: a seed for reproducible dropout.
        return_sequences: whether to return the outputs of all steps, not only the last one.
        return_state: whether to return the last state, too, after the output.
        go_backwards: whether to process the last step first; outputs are in processing order.
        stateful: whether a call starts with the final states of the previous one.
        unroll: whether a graph repeats the step in place of a loop: larger, but faster.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> layer = SimpleRNN(3, return_sequences=True)
        >>> layer(ones((2, 5, 4))).shape
        TensorShape([2, 5, 3])
    """

    def __init__(
        self,
        units: int,
        activation: Identifier = "tanh",
        use_bias: bool = True,
        kernel_initializer: Identifier = "glorot_uniform",
        recurrent_initializer: Identifier = "orthogonal",
        bias_initializer: Identifier = "zeros",
        kernel_regularizer: Identifier | None = None,
        recurrent_regularizer: Identifier | None = None,
        bias_regularizer: Identifier | None = None,
        activity_regularizer: Identifier | None = None,
        kernel_constraint: Identifier | None = None,
        recurrent_constraint: Identifier | None = None,
        bias_constraint: Identifier | None = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        return_sequences: bool = False,
        return_state: bool = False,
        go_backwards: bool = False,
        stateful: bool = False,
        unroll: bool = False,
        seed: int | None = None,
        **kwargs: Unpack[LayerOptions],
    ) -> None:
        super().__init__(SimpleRNNCell, locals())
