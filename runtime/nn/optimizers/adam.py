"""Adam (Kingma and Ba, "Adam: a method for stochastic optimization", 2015)."""

from __future__ import annotations

from typing import Any

from runtime.nn.optimizers.optimizer import Optimizer
from runtime.ops.arithmetic import maximum, pow
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise import sqrt, square
from runtime.variable import Variable


class Adam(Optimizer):
    """Steps along a running mean of the gradients, shorter where their squares are large.

    In the order of computation that the paper gives at the end of section 2.

    Args:
        learning_rate: a number, or a function of the number of steps so far.
        beta_1: how much of the mean of the gradients is kept in a step.
        beta_2: how much of that of their squares is.
        epsilon: keeps the step from being divided by 0.
        amsgrad: divide by the largest mean of squares so far (Reddi, Kale and Kumar, "On the
            convergence of Adam and beyond", 2018).
        options: those of Optimizer.

    Example:
        >>> v = Variable(1.0)
        >>> Adam(0.5).apply_gradients([(3.0, v)])
        >>> round(float(v), 4)
        0.5
    """

    config_names = (*Optimizer.config_names, "beta_1", "beta_2", "epsilon", "amsgrad")

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
        amsgrad: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(learning_rate, **options)
        self.beta_1, self.beta_2 = beta_1, beta_2
        self.epsilon, self.amsgrad = epsilon, amsgrad
        self.slot_names = ("momentum", "velocity", *(("velocity_hat",) if amsgrad else ()))

    def begin_step(self, learning_rate: Any) -> Any:
        """Return the learning rate that makes up for means that began with 0."""
        step = cast(self.iterations, learning_rate.dtype) + 1
        first = 1 - pow(to_tensor(self.beta_1, learning_rate.dtype), step)
        second = 1 - pow(to_tensor(self.beta_2, learning_rate.dtype), step)
        return learning_rate * sqrt(second) / first

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Change one variable."""
        mean, squares = self.slot(variable, "momentum"), self.slot(variable, "velocity")
        mean.assign_add((gradient - mean) * (1 - self.beta_1))
        squares.assign_add((square(gradient) - squares) * (1 - self.beta_2))
        if self.amsgrad:
            largest = self.slot(variable, "velocity_hat")
            largest.assign(maximum(largest, squares))
            squares = largest
        variable.assign_sub(mean * learning_rate / (sqrt(squares) + self.epsilon))
