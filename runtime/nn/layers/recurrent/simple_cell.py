"""One step of the simplest recurrent layer: its output is its state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.nn.layers.recurrent.cell import RecurrentCell
from runtime.ops.elementwise.arithmetic import add


class SimpleRNNCell(RecurrentCell):
    """`h' = activation(x @ kernel + h @ recurrent_kernel + bias)`; Elman (1990).

    Args:
        units: the size of the state, which is the output.
        activation: a name or a function.
        use_bias: whether there is a bias.
        dropout, recurrent_dropout: how much of inputs and of states is dropped in training.
        seed: for choices that can be had again.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> cell = SimpleRNNCell(1, kernel_initializer="ones", recurrent_initializer="ones")
        >>> output, states = cell(ones((1, 3)), [ones((1, 1)) * -3.0])
        >>> print(output)
        rt.Tensor([[0.]], shape=(1, 1), dtype=float32)
    """

    _is_seeded_first = True

    def step(
        self, sums: Any, states: Sequence[Any], within: tuple[Any, ...], training: Any
    ) -> tuple[Any, list[Any]]:
        """Return the next state twice."""
        found = self.activation(add(sums, self.inner(states[0], within[0], training)))
        return found, [found]
