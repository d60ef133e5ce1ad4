"""LSTM: the cell and the layer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from runtime.core.tensor import Tensor
from runtime.nn import activations
from runtime.nn.layers.constructor_arguments import arguments_for
from runtime.nn.layers.recurrent.cell import RecurrentCell
from runtime.nn.layers.recurrent.rnn import CellAttribute, KernelRNN, check_use_cudnn
from runtime.nn.registry import Identifier
from runtime.ops.arrays.concatenation import concat, split
from runtime.ops.arrays.creation import ones
from runtime.ops.elementwise.arithmetic import add
from runtime.ops.elementwise.unary import sigmoid, tanh
from runtime.ops.neural.recurrent_gates import lstm_gates

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.layers.layer_options import LayerOptions, RegularizableLayerOptions


class LSTMCell(RecurrentCell):
    """A cell with an output, a carry, and input, forget and output gates.

    Hochreiter and Schmidhuber (1997), with the forget gate of Gers et al. (2000). Along the last
    axis of the weights the gates are in the order input, forget, candidate, output.

    Args:
        units: the size of the output and of the carry.
        activation: the activation of the candidate, and of the carry in the output; a name or a
            function.
        recurrent_activation: the activation of the gates.
        use_bias: whether there is a bias.
        unit_forget_bias: whether the bias of the forget gate starts with 1.
        dropout, recurrent_dropout: the fractions of inputs and of states dropped in training.
        seed: a seed for reproducible dropout.

    Example:
        >>> from runtime.ops.arrays.creation import zeros
        >>> output, (h, c) = LSTMCell(2)(zeros((1, 3)), [zeros((1, 2)), zeros((1, 2))])
        >>> print(output)
        rt.Tensor([[0. 0.]], shape=(1, 2), dtype=float32)
    """

    gates = 4

    def __init__(
        self,
        units: int,
        activation: Identifier = "tanh",
        recurrent_activation: Identifier = "sigmoid",
        use_bias: bool = True,
        kernel_initializer: Identifier = "glorot_uniform",
        recurrent_initializer: Identifier = "orthogonal",
        bias_initializer: Identifier = "zeros",
        unit_forget_bias: bool = True,
        kernel_regularizer: Identifier | None = None,
        recurrent_regularizer: Identifier | None = None,
        bias_regularizer: Identifier | None = None,
        kernel_constraint: Identifier | None = None,
        recurrent_constraint: Identifier | None = None,
        bias_constraint: Identifier | None = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        seed: int | None = None,
        **kwargs: Unpack[RegularizableLayerOptions],
    ) -> None:
        super().__init__(**arguments_for(RecurrentCell, locals()), **kwargs)
        self.recurrent_activation = activations.get(recurrent_activation)
        self.unit_forget_bias = unit_forget_bias
        self.state_size = [self.units, self.units]

    def _initial_bias(self) -> Any:
        make, units = self.bias_initializer, self.units
        if not self.unit_forget_bias:
            return make

        def made(shape: Any, dtype: Any = None) -> Any:
            forget = ones((units,), dtype or "float32")
            first, rest = make((units,), dtype=dtype), make((2 * units,), dtype=dtype)
            return concat([first, forget, rest], 0)

        return made

    def step(
        self,
        sums: Tensor,
        states: Sequence[Tensor],
        step_weights: tuple[Any, ...],
        training: Any,
    ) -> tuple[Any, list[Any]]:
        """Return the output, and the next states: the output and the carry."""
        before, carry = states
        inner = self.project_state(before, step_weights[0], training)
        if self.activation is tanh and self.recurrent_activation is sigmoid:
            output, new = lstm_gates(sums, inner, carry)
            return output, [output, new]
        activation, gate = self.activation, self.recurrent_activation
        i, f, g, o = split(add(sums, inner), 4, axis=-1)
        new = gate(f) * carry + gate(i) * activation(g)
        output = gate(o) * activation(new)
        return output, [output, new]


# -- the layer -------------------------------------------------------------------------------------


class LSTM(KernelRNN):
    """Processes sequences with a gated carry; see `LSTMCell`.

    Args:
        units: the size of the output and of the carry.
        activation: the activation of the candidate, and of the carry in the output; a name or a
            function.
        recurrent_activation: the activation of the gates.
        use_bias: whether there is a bias.
        unit_forget_bias: whether the bias of the forget gate starts with 1.
        dropout, recurrent_dropout: the fractions of inputs and of states dropped in training, the
            same in all steps.
        seed: a seed for reproducible dropout.
        return_sequences: whether to return the outputs of all steps, not only the last one.
        return_state: whether to return the last output and the last carry, too, after the output.
        go_backwards: whether to process the last step first; outputs are in processing order.
        stateful: whether a call starts with the final states of the previous one.
        unroll: whether a graph repeats the step in place of a loop: larger, but faster.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> output, h, c = LSTM(3, return_state=True)(ones((2, 5, 4)))
        >>> output.shape, c.shape
        (TensorShape([2, 3]), TensorShape([2, 3]))
    """

    recurrent_activation = CellAttribute()
    unit_forget_bias = CellAttribute()

    def __init__(
        self,
        units: int,
        activation: Identifier = "tanh",
        recurrent_activation: Identifier = "sigmoid",
        use_bias: bool = True,
        kernel_initializer: Identifier = "glorot_uniform",
        recurrent_initializer: Identifier = "orthogonal",
        bias_initializer: Identifier = "zeros",
        unit_forget_bias: bool = True,
        kernel_regularizer: Identifier | None = None,
        recurrent_regularizer: Identifier | None = None,
        bias_regularizer: Identifier | None = None,
        activity_regularizer: Identifier | None = None,
        kernel_constraint: Identifier | None = None,
        recurrent_constraint: Identifier | None = None,
        bias_constraint: Identifier | None = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        seed: int | None = None,
        return_sequences: bool = False,
        return_state: bool = False,
        go_backwards: bool = False,
        stateful: bool = False,
        unroll: bool = False,
        use_cudnn: Any = "auto",
        **kwargs: Unpack[LayerOptions],
    ) -> None:
        check_use_cudnn(use_cudnn)
        super().__init__(LSTMCell, locals())
