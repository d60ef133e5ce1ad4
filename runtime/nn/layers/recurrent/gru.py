"""GRU: the cell and the layer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from runtime.core.tensor import Tensor
from runtime.nn import activations
from runtime.nn.layers.constructor_arguments import arguments_for
from runtime.nn.layers.recurrent.cell import RecurrentCell
from runtime.nn.layers.recurrent.rnn import CellAttribute, KernelRNN, check_use_cudnn
from runtime.nn.registry import Identifier
from runtime.ops.arrays.concatenation import split, unstack
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import add
from runtime.ops.elementwise.unary import sigmoid, tanh
from runtime.ops.linalg.matrices import matmul
from runtime.ops.neural.recurrent_gates import gru_gates

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.layers.layer_options import LayerOptions, RegularizableLayerOptions


class GRUCell(RecurrentCell):
    """A cell whose gates mix the old state with a candidate.

    Cho et al. (2014). Along the last axis of the weights the gates are in the order update, reset,
    candidate.

    Args:
        units: the size of the state, which is the output.
        activation: the activation of the candidate, a name or a function.
        recurrent_activation: the activation of the gates.
        use_bias: whether there is a bias.
        dropout, recurrent_dropout: the fractions of inputs and of states dropped in training.
        reset_after: whether the reset gate is applied after the product with the kernel; then there
            are two biases, one of inputs and one of states, in the rows of `bias`.
        seed: a seed for reproducible dropout.

    Example:
        >>> from runtime.ops.arrays.creation import ones, zeros
        >>> output, states = GRUCell(2, kernel_initializer="zeros")(
        ...     zeros((1, 3)), [zeros((1, 2))])
        >>> print(output)
        rt.Tensor([[0. 0.]], shape=(1, 2), dtype=float32)
    """

    gates = 3

    def __init__(
        self,
        units: int,
        activation: Identifier = "tanh",
        recurrent_activation: Identifier = "sigmoid",
        use_bias: bool = True,
        kernel_initializer: Identifier = "glorot_uniform",
        recurrent_initializer: Identifier = "orthogonal",
        bias_initializer: Identifier = "zeros",
        kernel_regularizer: Identifier | None = None,
        recurrent_regularizer: Identifier | None = None,
        bias_regularizer: Identifier | None = None,
        kernel_constraint: Identifier | None = None,
        recurrent_constraint: Identifier | None = None,
        bias_constraint: Identifier | None = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        reset_after: bool = True,
        seed: int | None = None,
        **kwargs: Unpack[RegularizableLayerOptions],
    ) -> None:
        super().__init__(**arguments_for(RecurrentCell, locals()), **kwargs)
        self.recurrent_activation = activations.get(recurrent_activation)
        self.reset_after = reset_after

    def _bias_shape(self) -> tuple[int, ...]:
        width = 3 * self.units
        return (2, width) if self.reset_after else (width,)

    def _input_bias(self) -> Any:
        if self.bias is None or not self.reset_after:
            return self.bias
        return unstack(self.bias, 2)[0]

    def step_weights(self) -> tuple[Any, ...]:
        """Return the kernel and the bias of states; if the reset comes first, a split kernel."""
        kernel = to_tensor(self.recurrent_kernel)
        if not self.reset_after:
            return tuple(split(kernel, [2 * self.units, self.units], axis=1))
        return (kernel, None if self.bias is None else unstack(self.bias, 2)[1])

    def step(
        self,
        sums: Tensor,
        states: Sequence[Tensor],
        step_weights: tuple[Any, ...],
        training: Any,
    ) -> tuple[Any, list[Any]]:
        """Return the next state as the output, and as the state."""
        state = states[0]
        make = self._reset_after if self.reset_after else self._reset_before
        new = make(sums, state, step_weights, training)
        return new, [new]

    def _reset_after(
        self, sums: Any, state: Any, step_weights: tuple[Any, ...], training: Any
    ) -> Any:
        kernel, bias = step_weights
        inner = self.project_state(state, kernel, training)
        inner = inner if bias is None else add(inner, bias)
        if self.activation is tanh and self.recurrent_activation is sigmoid:
            return gru_gates(sums, inner, state)
        gate = self.recurrent_activation
        xz, xr, xg = split(sums, 3, axis=-1)
        hz, hr, hg = split(inner, 3, axis=-1)
        z = gate(xz + hz)
        return z * state + (1 - z) * self.activation(xg + gate(xr + hr) * hg)

    def _reset_before(
        self, sums: Any, state: Any, step_weights: tuple[Any, ...], training: Any
    ) -> Any:
        gate_kernel, candidate_kernel = step_weights
        masks = self._own.dropout_masks.of_states(training)
        to_z, to_r, to_g = [state * mask for mask in masks] or [state] * 3
        gate = self.recurrent_activation
        xz, xr, xg = split(sums, 3, axis=-1)
        if masks:
            kernels = split(gate_kernel, 2, axis=1)
            hz, hr = matmul(to_z, kernels[0]), matmul(to_r, kernels[1])
        else:
            hz, hr = split(matmul(state, gate_kernel), 2, axis=-1)
        z, r = gate(xz + hz), gate(xr + hr)
        candidate = self.activation(xg + matmul(r * to_g, candidate_kernel))
        return z * state + (1 - z) * candidate


# -- the layer -------------------------------------------------------------------------------------


class GRU(KernelRNN):
    """Processes sequences with a state that gates mix with a candidate; see `GRUCell`.

    Args:
        units: the size of the state, which is the output.
        activation: the activation of the candidate, a name or a function.
        recurrent_activation: the activation of the gates.
        use_bias: whether there is a bias.
        dropout, recurrent_dropout: the fractions of inputs and of states dropped in training, the
            same in all steps.
        seed: a seed for reproducible dropout.
        return_sequences: whether to return the outputs of all steps, not only the last one.
        return_state: whether to return the last state, too, after the output.
        go_backwards: whether to process the last step first; outputs are in processing order.
        stateful: whether a call starts with the final states of the previous one.
        unroll: whether a graph repeats the step in place of a loop: larger, but faster.
        reset_after: whether the reset gate comes after the product with the kernel.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> output, h = GRU(3, return_state=True)(ones((2, 5, 4)))
        >>> output.shape
        TensorShape([2, 3])
    """

    recurrent_activation = CellAttribute()
    reset_after = CellAttribute()

    def __init__(
        self,
        units: int,
        activation: Identifier = "tanh",
        recurrent_activation: Identifier = "sigmoid",
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
        seed: int | None = None,
        return_sequences: bool = False,
        return_state: bool = False,
        go_backwards: bool = False,
        stateful: bool = False,
        unroll: bool = False,
        reset_after: bool = True,
        use_cudnn: Any = "auto",
        **kwargs: Unpack[LayerOptions],
    ) -> None:
        check_use_cudnn(use_cudnn)
        super().__init__(GRUCell, locals())
