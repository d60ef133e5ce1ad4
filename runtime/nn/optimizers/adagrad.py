"""Optimizers that divide by averaged squares: Adagrad, Adadelta, RMSprop, Adafactor."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from runtime.core.argument_checks import flag
from runtime.core.tensor import TensorLike
from runtime.nn.optimizers.optimizer import Optimizer
from runtime.nn.optimizers.options import check_number, check_numbers
from runtime.ops.arrays.creation import fill, zeros
from runtime.ops.arrays.reduction import reduce_mean
from runtime.ops.arrays.shape import expand_dims
from runtime.ops.elementwise.arithmetic import maximum, minimum, pow
from runtime.ops.elementwise.unary import sqrt, square
from runtime.state.variable import Variable

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.optimizers.options import OptimizerOptions


class Adagrad(Optimizer):
    """Steps divided by the root of the sum of all squared gradients.

    From Duchi, Hazan and Singer, "Adaptive subgradient methods", 2011.

    The gradient of an Embedding row that is looked up twice is summed before it is squared; Keras
    adds the squares.

    Args:
        learning_rate, more, options: those of Optimizer.
        initial_accumulator_value: the initial sum, at least 0.
        epsilon: avoids division by 0.

    Example:
        >>> v = Variable(1.0)
        >>> _ = Adagrad(0.5, initial_accumulator_value=0.0).apply_gradients([(3.0, v)])
        >>> round(float(v), 4)
        0.5
    """

    config_names = (*Optimizer.config_names, "initial_accumulator_value", "epsilon")
    slot_names = ("accumulator",)

    def __init__(
        self,
        learning_rate: TensorLike | Callable[..., object] = 0.001,
        initial_accumulator_value: float = 0.1,
        epsilon: float = 1e-7,
        weight_decay: float | None = None,
        *more: Any,
        **options: Unpack[OptimizerOptions],
    ) -> None:
        check_numbers(initial_accumulator_value=initial_accumulator_value, epsilon=epsilon)
        super().__init__(learning_rate, weight_decay, *more, **options)
        self.initial_accumulator_value, self.epsilon = initial_accumulator_value, epsilon

    def first_value(self, slot: str, variable: Variable) -> TensorLike:
        """Return the initial sum."""
        if slot not in self.slot_names:
            return super().first_value(slot, variable)
        return filled(variable, self.initial_accumulator_value)

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Change one variable."""
        total = self.slot(variable, "accumulator")
        total.assign_add(square(gradient))
        variable.assign_sub(learning_rate * gradient / sqrt(total + self.epsilon))


class Adadelta(Optimizer):
    """Steps scaled by the size of earlier steps over that of gradients (Zeiler, "ADADELTA", 2012).

    Args:
        learning_rate, more, options: those of Optimizer.
        rho: the weight of the old running means in a step.
        epsilon: avoids division by 0, and a first step of 0.

    Example:
        >>> v = Variable(1.0)
        >>> _ = Adadelta(1.0, epsilon=0.01).apply_gradients([(3.0, v)])
        >>> round(float(v), 4)
        0.5577
    """

    config_names = (*Optimizer.config_names, "rho", "epsilon")
    slot_names = ("accumulated_grad", "accumulated_delta_var")

    def __init__(
        self,
        learning_rate: TensorLike | Callable[..., object] = 0.001,
        rho: float = 0.95,
        epsilon: float = 1e-7,
        weight_decay: float | None = None,
        *more: Any,
        **options: Unpack[OptimizerOptions],
    ) -> None:
        check_number("rho", rho, most=1.0)
        check_number("epsilon", epsilon)
        super().__init__(learning_rate, weight_decay, *more, **options)
        self.rho, self.epsilon = rho, epsilon

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Change one variable."""
        squares, steps = (self.slot(variable, name) for name in self.slot_names)
        squares.assign(squares * self.rho + square(gradient) * (1 - self.rho))
        step: Any = sqrt(steps + self.epsilon) * gradient / sqrt(squares + self.epsilon)
        steps.assign(steps * self.rho + square(step) * (1 - self.rho))
        variable.assign_sub(learning_rate * step)


class RMSprop(Optimizer):
    """Steps divided by the root of a running mean of squares (Tieleman and Hinton, 2012).

    The gradient of an Embedding row that is looked up twice is summed before it is squared; Keras
    adds the squares.

    Args:
        learning_rate, more, options: those of Optimizer.
        rho: the weight of the old running means in a step.
        momentum: the fraction of the previous step that is added.
        epsilon: avoids division by 0.
        centered: whether to subtract the square of the running mean of the gradients.

    Example:
        >>> v = Variable(1.0)
        >>> _ = RMSprop(0.5, rho=0.0).apply_gradients([(3.0, v)])
        >>> round(float(v), 4)
        0.5
    """

    config_names = (*Optimizer.config_names, "rho", "momentum", "epsilon", "centered")

    def __init__(
        self,
        learning_rate: TensorLike | Callable[..., object] = 0.001,
        rho: float = 0.9,
        momentum: float = 0.0,
        epsilon: float = 1e-7,
        centered: bool = False,
        weight_decay: float | None = None,
        *more: Any,
        **options: Unpack[OptimizerOptions],
    ) -> None:
        check_numbers(1.0, rho=rho, momentum=momentum)
        check_number("epsilon", epsilon)
        super().__init__(learning_rate, weight_decay, *more, **options)
        self.rho, self.momentum = rho, momentum
        self.epsilon, self.centered = epsilon, centered
        more = ("momentum",) * (momentum > 0) + ("average_gradient",) * flag(centered, "centered")
        self.slot_names = ("velocity", *more)

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Change one variable."""
        squares = self.slot(variable, "velocity")
        squares.assign(squares * self.rho + square(gradient) * (1 - self.rho))
        below: Any = squares.read_value()
        if self.centered:
            mean = self.slot(variable, "average_gradient")
            mean.assign(mean * self.rho + gradient * (1 - self.rho))
            below = below - square(mean)
        step = learning_rate * gradient / sqrt(below + self.epsilon)
        if self.momentum > 0:
            kept = self.slot(variable, "momentum")
            kept.assign(kept * self.momentum + step)
            step = kept.read_value()
        variable.assign_sub(step)


class Adafactor(Optimizer):
    """Steps divided by roots of squares, which are stored only as sums of rows and columns.

    From Shazeer and Stern, "Adafactor", 2018.

    Args:
        learning_rate, more, options: those of Optimizer.
        beta_2_decay: the exponent by which the decay of the means of squares grows.
        epsilon_1: added to squares of gradients.
        epsilon_2: the minimum scale of a variable.
        clip_threshold: the largest root mean square of a step.
        relative_step: no effect: the rate is always limited to 1 over the root of the step number.

    Example:
        >>> v = Variable(1.0)
        >>> _ = Adafactor(0.5).apply_gradients([(3.0, v)])
        >>> round(float(v), 4)
        0.5
    """

    config_names = (
        *Optimizer.config_names,
        "beta_2_decay",
        "epsilon_1",
        "epsilon_2",
        "clip_threshold",
        "relative_step",
    )
    slot_names = ("row", "column", "velocity")

    def __init__(
        self,
        learning_rate: TensorLike | Callable[..., object] = 0.001,
        beta_2_decay: float = -0.8,
        epsilon_1: float = 1e-30,
        epsilon_2: float = 1e-3,
        clip_threshold: float = 1.0,
        relative_step: bool = True,
        weight_decay: float | None = None,
        *more: Any,
        **options: Unpack[OptimizerOptions],
    ) -> None:
        check_number("beta_2_decay", beta_2_decay, least=-math.inf, most=0.0)
        check_numbers(epsilon_1=epsilon_1, epsilon_2=epsilon_2, clip_threshold=clip_threshold)
        super().__init__(learning_rate, weight_decay, *more, **options)
        self.beta_2_decay, self.epsilon_1 = beta_2_decay, epsilon_1
        self.epsilon_2, self.clip_threshold = epsilon_2, clip_threshold
        self.relative_step = relative_step

    def first_value(self, slot: str, variable: Variable) -> TensorLike:
        """Return zeros; for the slots of rows and columns, of the shape of those."""
        sizes = list(variable.shape)
        if slot not in ("row", "column"):
            return super().first_value(slot, variable)
        if len(sizes) < 2:
            return zeros([], variable.dtype)
        return zeros(sizes[:-1] if slot == "row" else sizes[:-2] + sizes[-1:], variable.dtype)

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Change one variable."""
        number = self.step_number(variable.dtype)
        falling: Any = 1 / sqrt(number)
        share: Any = minimum(learning_rate, falling)
        size: Any = maximum(_root_of_mean(variable), self.epsilon_2)
        power: Any = pow(number, float(self.beta_2_decay))
        squares = self._squares(square(gradient) + self.epsilon_1, variable, 1 - power)
        step: Any = gradient / sqrt(squares)
        step = step / maximum(_root_of_mean(step) / self.clip_threshold, 1.0)
        variable.assign_sub(size * share * step)

    def _squares(self, found: Any, variable: Variable, kept: Any) -> Any:
        whole = self.slot(variable, "velocity")
        if len(variable.shape) < 2:
            whole.assign(whole * kept + found * (1 - kept))
            return whole.read_value()
        row, column = self.slot(variable, "row"), self.slot(variable, "column")
        row.assign(row * kept + reduce_mean(found, axis=-1) * (1 - kept))
        column.assign(column * kept + reduce_mean(found, axis=-2) * (1 - kept))
        share: Any = row / reduce_mean(row, axis=-1, keepdims=True)
        whole.assign(expand_dims(share, -1) * expand_dims(column, -2))
        return whole.read_value()


def filled(variable: Variable, value: float) -> Any:
    """Return a tensor of a variable's shape and dtype with one value everywhere."""
    return fill(list(variable.shape), variable.dtype.np_dtype.type(value))


def _root_of_mean(value: Any) -> Any:
    return sqrt(reduce_mean(square(value)))
