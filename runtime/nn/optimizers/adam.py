"""Adam (Kingma and Ba, "Adam: a method for stochastic optimization", 2015)."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import flag
from runtime.errors import ArgumentValueError
from runtime.nn.optimizers.optimizer import Optimizer
from runtime.nn.optimizers.options import check_number, check_numbers
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import maximum, pow
from runtime.ops.elementwise.unary import sqrt, square
from runtime.ops.neural.optimizer_updates import ADAM_VARIABLE, change
from runtime.state.variable import Variable


class Adam(Optimizer):
    """Steps along a running mean of the gradients, shorter where their squares are large.

    In the order of computation that the paper gives at the end of section 2.

    The gradient of a row of an Embedding that is looked up twice is summed before it is squared;
    Keras squares each and adds.

    Args:
        learning_rate: as in Optimizer.
        beta_1: how much of the mean of the gradients is kept in a step.
        beta_2: how much of that of their squares is.
        epsilon: keeps the step from being divided by 0.
        amsgrad: divide by the largest mean of squares so far (Reddi, Kale and Kumar, "On the
            convergence of Adam and beyond", 2018).
        more, options: those of Optimizer.

    Example:
        >>> v = Variable(1.0)
        >>> _ = Adam(0.5).apply_gradients([(3.0, v)])
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
        weight_decay: float | None = None,
        *more: Any,
        **options: Any,
    ) -> None:
        check_numbers(1.0, beta_1=beta_1, beta_2=beta_2)
        check_number("epsilon", epsilon)
        super().__init__(learning_rate, weight_decay, *more, **options)
        self.beta_1, self.beta_2 = beta_1, beta_2
        self.epsilon, self.amsgrad = epsilon, amsgrad
        more = ("velocity_hat",) if flag(amsgrad, "amsgrad") else ()
        self.slot_names = ("momentum", "velocity", *more)

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Change one variable."""
        mean, squares = self.slot(variable, "momentum"), self.slot(variable, "velocity")
        rate = self.shared(
            ("rate", variable.dtype), lambda: self._rate_now(learning_rate, variable.dtype)
        )
        if not self.amsgrad and variable.dtype.kind == "f":
            change(
                ADAM_VARIABLE,
                (variable, mean, squares),
                (gradient, rate),
                beta_1=float(self.beta_1),
                beta_2=float(self.beta_2),
                epsilon=float(self.epsilon),
            )
            return
        mean.assign_add((gradient - mean) * (1 - self.beta_1))
        squares.assign_add((square(gradient) - squares) * (1 - self.beta_2))
        if self.amsgrad:
            largest = self.slot(variable, "velocity_hat")
            largest.assign(maximum(largest, squares))
            squares = largest
        variable.assign_sub(mean * rate / (sqrt(squares) + self.epsilon))

    def _rate_now(self, rate: Any, dtype: Any) -> Any:
        """Return the learning rate that makes up for means that began with 0."""
        number = self.step_number(dtype)
        first: Any = 1 - pow(to_tensor(self.beta_1, dtype), number)
        second: Any = 1 - pow(to_tensor(self.beta_2, dtype), number)
        return rate * sqrt(second) / first


class AdamW(Adam):
    """Adam whose variables shrink by a share of the learning rate in each step.

    From Loshchilov and Hutter, "Decoupled weight decay regularization", 2019.

    Args:
        weight_decay: that share.
        learning_rate, beta_1, beta_2, epsilon, amsgrad, options: those of Adam.

    Example:
        >>> v = Variable(1.0)
        >>> _ = AdamW(0.5, weight_decay=0.5).apply_gradients([(3.0, v)])
        >>> round(float(v), 4)
        0.25
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        weight_decay: float = 0.004,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
        amsgrad: bool = False,
        *more: Any,
        **options: Any,
    ) -> None:
        if weight_decay is None:
            raise ArgumentValueError("AdamW needs a weight_decay: without one it is Adam")
        super().__init__(
            learning_rate, beta_1, beta_2, epsilon, amsgrad, weight_decay, *more, **options
        )
