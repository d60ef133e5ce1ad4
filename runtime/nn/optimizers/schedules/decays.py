"""Learning rate schedules: exponential, polynomial, piecewise, inverse time and cosine."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from runtime.core.argument_checks import listed
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError
from runtime.nn.optimizers.schedules.schedule import LearningRateSchedule, check_positive, count
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import divide, maximum, minimum, multiply, pow
from runtime.ops.elementwise.comparison import less, less_equal
from runtime.ops.elementwise.selection import where
from runtime.ops.elementwise.unary import ceil, cos, floor, log


class ExponentialDecay(LearningRateSchedule):
    """The first rate times `decay_rate` to the power of `step / decay_steps`.

    Args:
        initial_learning_rate: the rate at step 0.
        decay_steps: the number of steps after which the rate is `decay_rate` times as large.
        decay_rate: the factor.
        staircase: whether the rate changes only after every `decay_steps` steps.

    Example:
        >>> float(ExponentialDecay(1.0, 2, 0.25)(1))
        0.5
    """

    config_names = ("initial_learning_rate", "decay_steps", "decay_rate", "staircase", "name")

    def __init__(
        self,
        initial_learning_rate: float,
        decay_steps: float,
        decay_rate: float,
        staircase: bool = False,
        name: str = "ExponentialDecay",
    ) -> None:
        check_positive("decay_steps", decay_steps)
        self.initial_learning_rate, self.decay_steps = initial_learning_rate, decay_steps
        self.decay_rate, self.staircase, self.name = decay_rate, staircase, name

    def __call__(self, step: TensorLike) -> Tensor:
        """Return the rate."""
        done = divide(count(step), float(self.decay_steps))
        done = floor(done) if self.staircase else done
        return multiply(
            pow(to_tensor(self.decay_rate, "float32"), done), self.initial_learning_rate
        )


class InverseTimeDecay(LearningRateSchedule):
    """The first rate divided by `1 + decay_rate * step / decay_steps`.

    Args:
        initial_learning_rate: the rate at step 0.
        decay_steps: the number of steps after which the rate is divided by `1 + decay_rate`.
        decay_rate: the speed of the decay.
        staircase: whether the rate changes only after every `decay_steps` steps.

    Example:
        >>> float(InverseTimeDecay(1.0, 1, 0.5)(2))
        0.5
    """

    config_names = ("initial_learning_rate", "decay_steps", "decay_rate", "staircase", "name")

    def __init__(
        self,
        initial_learning_rate: float,
        decay_steps: float,
        decay_rate: float,
        staircase: bool = False,
        name: str = "InverseTimeDecay",
    ) -> None:
        check_positive("decay_steps", decay_steps)
        self.initial_learning_rate, self.decay_steps = initial_learning_rate, decay_steps
        self.decay_rate, self.staircase, self.name = decay_rate, staircase, name

    def __call__(self, step: TensorLike) -> Tensor:
        """Return the rate."""
        done = divide(count(step), float(self.decay_steps))
        done = floor(done) if self.staircase else done
        first = to_tensor(self.initial_learning_rate, "float32")
        return divide(first, multiply(done, float(self.decay_rate)) + 1.0)


class PolynomialDecay(LearningRateSchedule):
    """From the first rate to the last in `decay_steps`, as a power of the remaining fraction.

    Args:
        initial_learning_rate: the rate at step 0.
        decay_steps: the number of steps.
        end_learning_rate: the final rate.
        power: the exponent; 1 is a straight line.
        cycle: whether to replace `decay_steps` by its first multiple that is not reached yet.

    Example:
        >>> float(PolynomialDecay(1.0, 4, 0.5)(2))
        0.75
    """

    config_names = (
        "initial_learning_rate",
        "decay_steps",
        "end_learning_rate",
        "power",
        "cycle",
        "name",
    )

    def __init__(
        self,
        initial_learning_rate: float,
        decay_steps: float,
        end_learning_rate: float = 0.0001,
        power: float = 1.0,
        cycle: bool = False,
        name: str = "PolynomialDecay",
    ) -> None:
        check_positive("decay_steps", decay_steps)
        self.initial_learning_rate, self.decay_steps = initial_learning_rate, decay_steps
        self.end_learning_rate, self.power = end_learning_rate, power
        self.cycle, self.name = cycle, name

    def __call__(self, step: TensorLike) -> Tensor:
        """Return the rate."""
        done: Any = count(step)
        steps = to_tensor(float(self.decay_steps), "float32")
        if self.cycle:
            steps = multiply(steps, maximum(ceil(divide(done, steps)), 1.0))
        else:
            done = minimum(done, steps)
        left: Any = pow(1.0 - divide(done, steps), float(self.power))
        return left * (self.initial_learning_rate - self.end_learning_rate) + self.end_learning_rate


class PiecewiseConstantDecay(LearningRateSchedule):
    """One rate up to each boundary, and one after the last.

    Args:
        boundaries: increasing numbers of steps.
        values: the rates, one more than the boundaries.

    Example:
        >>> schedule = PiecewiseConstantDecay([2, 5], [1.0, 0.5, 0.25])
        >>> [float(schedule(step)) for step in (2, 3, 6)]
        [1.0, 0.5, 0.25]
    """

    config_names = ("boundaries", "values", "name")

    def __init__(
        self, boundaries: Sequence[float], values: Sequence[float], name: str = "PiecewiseConstant"
    ) -> None:
        boundaries, values = listed(boundaries, "boundaries"), listed(values, "values")
        if len(boundaries) != len(values) - 1:
            raise ArgumentValueError(
                f"{len(boundaries)} boundaries need {len(boundaries) + 1} values, not {len(values)}"
            )
        self.boundaries, self.values, self.name = boundaries, values, name

    def __call__(self, step: TensorLike) -> Tensor:
        """Return the rate."""
        done = to_tensor(step)
        found = to_tensor(self.values[-1], "float32")
        for boundary, value in zip(reversed(self.boundaries), reversed(self.values[:-1])):
            within = less_equal(cast(done, "float32"), to_tensor(float(boundary), "float32"))
            found = where(within, to_tensor(value, "float32"), found)
        return found


# -- schedules along a cosine (Loshchilov and Hutter, "SGDR", 2017) --------------------------------


class CosineDecay(LearningRateSchedule):
    """From the first rate to the fraction `alpha` of it, along half a cosine wave.

    Args:
        initial_learning_rate: the rate at step 0.
        decay_steps: the number of steps of the decay.
        alpha: the final fraction of the rate.
        warmup_target: the rate at the end of a linear warmup; None for no warmup.
        warmup_steps: the number of steps of the warmup.

    Example:
        >>> schedule = CosineDecay(1.0, 4, alpha=0.5)
        >>> [float(schedule(step)) for step in (0, 2, 9)]
        [1.0, 0.75, 0.5]
    """

    config_names = (
        "initial_learning_rate",
        "decay_steps",
        "alpha",
        "name",
        "warmup_target",
        "warmup_steps",
    )

    def __init__(
        self,
        initial_learning_rate: float,
        decay_steps: float,
        alpha: float = 0.0,
        name: str = "CosineDecay",
        warmup_target: float | None = None,
        warmup_steps: float = 0,
    ) -> None:
        check_positive("decay_steps", decay_steps)
        self.initial_learning_rate, self.decay_steps = initial_learning_rate, decay_steps
        self.alpha, self.name = alpha, name
        self.warmup_target, self.warmup_steps = warmup_target, warmup_steps

    def __call__(self, step: TensorLike) -> Tensor:
        """Return the rate."""
        done: Any = count(step)
        if self.warmup_target is None:
            return self._fallen(done, self.initial_learning_rate)
        steps = float(self.warmup_steps)
        fallen = self._fallen(done - steps, self.warmup_target)
        if not steps:
            return fallen
        rise = self.warmup_target - self.initial_learning_rate
        risen = divide(done, steps) * rise + self.initial_learning_rate
        return where(less(done, steps), risen, fallen)

    def _fallen(self, done: Any, start: float) -> Any:
        part: Any = divide(minimum(done, float(self.decay_steps)), float(self.decay_steps))
        wave: Any = (cos(part * math.pi) + 1.0) * 0.5
        return (wave * (1 - self.alpha) + self.alpha) * start


class CosineDecayRestarts(LearningRateSchedule):
    """CosineDecay in cycles: each is `t_mul` times as long and starts `m_mul` times as high.

    Args:
        initial_learning_rate: the rate at step 0.
        first_decay_steps: the number of steps of the first decay.
        t_mul: the factor of the length of each next decay.
        m_mul: the factor of the start of each next decay.
        alpha: the final fraction of the rate.

    Example:
        >>> schedule = CosineDecayRestarts(1.0, 2, t_mul=1.0, m_mul=0.5)
        >>> [round(float(schedule(step)), 4) for step in (0, 1, 2, 3)]
        [1.0, 0.5, 0.5, 0.25]
    """

    config_names = (
        "initial_learning_rate",
        "first_decay_steps",
        "t_mul",
        "m_mul",
        "alpha",
        "name",
    )

    def __init__(
        self,
        initial_learning_rate: float,
        first_decay_steps: float,
        t_mul: float = 2.0,
        m_mul: float = 1.0,
        alpha: float = 0.0,
        name: str = "SGDRDecay",
    ) -> None:
        check_positive("first_decay_steps", first_decay_steps)
        self.initial_learning_rate = initial_learning_rate
        self.first_decay_steps, self.alpha, self.name = first_decay_steps, alpha, name
        self.t_mul, self.m_mul = t_mul, m_mul

    def __call__(self, step: TensorLike) -> Tensor:
        """Return the rate."""
        part: Any = divide(count(step), float(self.first_decay_steps))
        longer = float(self.t_mul)
        if longer == 1.0:
            times: Any = floor(part)
            part = part - times
        else:
            # The lengths of the earlier cycles are a geometric series.
            times = floor(log(1.0 - part * (1.0 - longer)) / math.log(longer))
            length: Any = pow(to_tensor(longer, "float32"), times)
            part = (part - (1.0 - length) / (1.0 - longer)) / length
        higher: Any = pow(to_tensor(float(self.m_mul), "float32"), times)
        wave = (cos(part * math.pi) + 1.0) * 0.5 * higher
        return (wave * (1 - self.alpha) + self.alpha) * self.initial_learning_rate
