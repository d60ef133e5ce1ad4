"""The recurrent layer of long short-term memory."""

from __future__ import annotations

from typing import Any

from runtime.nn.layers.recurrent.kernel_rnn import (
    KernelRNN,
    OfCell,
    check_use_cudnn,
    of_cell,
)
from runtime.nn.layers.recurrent.lstm_cell import LSTMCell


class LSTM(KernelRNN):
    """Goes over sequences with a carry that gates let in, keep and let out; see `LSTMCell`.

    Args:
        units: the size of the output and of the carry.
        activation: of the candidate and of the carry that goes out, a name or a function.
        recurrent_activation: of the gates.
        use_bias: whether there is a bias.
        unit_forget_bias: whether the bias of the forget gate begins with 1.
        dropout, recurrent_dropout: how much of inputs and of states is dropped in training, the
            same in all steps.
        seed: for choices that can be had again.
        return_sequences: whether the outputs of all steps are wanted, not the last one only.
        return_state: whether the last output and the last carry are wanted, too, after the output.
        go_backwards: whether the last step comes first; outputs are in the order they are made.
        stateful: whether a call begins with the states at the end of the one before.
        unroll: whether a graph gets each step anew in place of a loop: long, but faster.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> output, h, c = LSTM(3, return_state=True)(ones((2, 5, 4)))
        >>> output.shape, c.shape
        (TensorShape([2, 3]), TensorShape([2, 3]))
    """

    recurrent_activation = OfCell()
    unit_forget_bias = OfCell()

    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
        recurrent_activation: Any = "sigmoid",
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros",
        unit_forget_bias: bool = True,
        kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        recurrent_constraint: Any = None,
        bias_constraint: Any = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        seed: int | None = None,
        return_sequences: bool = False,
        return_state: bool = False,
        go_backwards: bool = False,
        stateful: bool = False,
        unroll: bool = False,
        use_cudnn: Any = "auto",
        **kwargs: Any,
    ) -> None:
        check_use_cudnn(use_cudnn)
        cell = LSTMCell(
            units,
            activation=activation,
            recurrent_activation=recurrent_activation,
            use_bias=use_bias,
            kernel_initializer=kernel_initializer,
            recurrent_initializer=recurrent_initializer,
            bias_initializer=bias_initializer,
            unit_forget_bias=unit_forget_bias,
            kernel_regularizer=kernel_regularizer,
            recurrent_regularizer=recurrent_regularizer,
            bias_regularizer=bias_regularizer,
            kernel_constraint=kernel_constraint,
            recurrent_constraint=recurrent_constraint,
            bias_constraint=bias_constraint,
            dropout=dropout,
            recurrent_dropout=recurrent_dropout,
            seed=seed,
            **of_cell("lstm_cell", kwargs),
        )
        super().__init__(
            cell,
            activity_regularizer=activity_regularizer,
            return_sequences=return_sequences,
            return_state=return_state,
            go_backwards=go_backwards,
            stateful=stateful,
            unroll=unroll,
            **kwargs,
        )
