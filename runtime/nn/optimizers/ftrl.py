"""Ftrl (McMahan et al., "Ad click prediction: a view from the trenches", 2013)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from runtime.core.tensor import TensorLike
from runtime.nn.optimizers.adagrad import filled
from runtime.nn.optimizers.optimizer import Optimizer
from runtime.nn.optimizers.options import check_number
from runtime.ops.elementwise.arithmetic import clip_by_value, pow
from runtime.ops.elementwise.unary import square
from runtime.state.variable import Variable

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.optimizers.options import OptimizerOptions


class Ftrl(Optimizer):
    """Follow the regularized leader: the best weights for all gradients so far, many exactly 0.

    Args:
        learning_rate, more, options: those of Optimizer.
        learning_rate_power: the exponent of the sums of squares in the rate, at most 0.
        initial_accumulator_value: the initial value of those sums, at least 0.
        l1_regularization_strength: the factor of the L1 penalty, at least 0.
        l2_regularization_strength: the factor of the L2 penalty, at least 0.
        l2_shrinkage_regularization_strength: the factor of an L2 penalty that is added to the
            gradient, at least 0.
        beta: the parameter of that name in the paper.

    Example:
        >>> v = Variable(0.0)
        >>> _ = Ftrl(0.5, l1_regularization_strength=5.0).apply_gradients([(3.0, v)])
        >>> abs(float(v))
        0.0
    """

    config_names = (
        *Optimizer.config_names,
        "learning_rate_power",
        "initial_accumulator_value",
        "l1_regularization_strength",
        "l2_regularization_strength",
        "l2_shrinkage_regularization_strength",
        "beta",
    )
    slot_names = ("accumulator", "linear")

    def __init__(
        self,
        learning_rate: TensorLike | Callable[..., object] = 0.001,
        learning_rate_power: float = -0.5,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        l2_shrinkage_regularization_strength: float = 0.0,
        beta: float = 0.0,
        weight_decay: float | None = None,
        *more: Any,
        **options: Unpack[OptimizerOptions],
    ) -> None:
        check_number("learning_rate_power", learning_rate_power, least=-math.inf, most=0.0)
        self.learning_rate_power = learning_rate_power
        self.initial_accumulator_value = initial_accumulator_value
        self.l1_regularization_strength = l1_regularization_strength
        self.l2_regularization_strength = l2_regularization_strength
        self.l2_shrinkage_regularization_strength = l2_shrinkage_regularization_strength
        for name in self.config_names[-5:-1]:
            check_number(name, getattr(self, name))
        check_number("beta", beta)
        super().__init__(learning_rate, weight_decay, *more, **options)
        self.beta = beta

    def first_value(self, slot: str, variable: Variable) -> TensorLike:
        """Return zeros, or the first value of the sums of squares."""
        if slot != "accumulator":
            return super().first_value(slot, variable)
        return filled(variable, self.initial_accumulator_value)

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        """Change one variable."""
        total, linear = self.slot(variable, "accumulator"), self.slot(variable, "linear")
        power = -float(self.learning_rate_power)
        l1, shrinkage = self.l1_regularization_strength, self.l2_shrinkage_regularization_strength
        l2 = self.beta / (learning_rate * 2.0) + self.l2_regularization_strength
        now: Any = total + square(gradient)
        root: Any = pow(now, power)
        moved: Any = (root - pow(total, power)) / learning_rate
        linear.assign_add(gradient + variable * (2 * shrinkage) - moved * variable)
        kept: Any = clip_by_value(linear, -float(l1), float(l1))
        variable.assign((kept - linear) / (root / learning_rate + l2 * 2.0))
        total.assign(now)
