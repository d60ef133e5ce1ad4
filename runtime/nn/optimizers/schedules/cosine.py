"""Schedules along a cosine (Loshchilov and Hutter, "SGDR", 2017)."""

from __future__ import annotations

import math
from typing import Any

from runtime.nn.optimizers.schedules.schedule import LearningRateSchedule, check_positive, count
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import divide, minimum, pow
from runtime.ops.elementwise.comparison import less
from runtime.ops.elementwise.selection import where
from runtime.ops.elementwise.unary import cos, floor, log


class CosineDecay(LearningRateSchedule):
    """From the first rate to the share `alpha` of it, along half a wave of a cosine.

    Args:
        initial_learning_rate: the rate at step 0.
        decay_steps: how many steps it falls.
        alpha: the share of the rate that is left in the end.
        warmup_target: where it rises to in a straight line before it falls; None if it does not.
        warmup_steps: how many steps it rises.

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

    def __call__(self, step: Any) -> Any:
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
    """As CosineDecay, again and again: each time `t_mul` as long and from `m_mul` as high.

    Args:
        initial_learning_rate: the rate at step 0.
        first_decay_steps: how many steps it falls the first time.
        t_mul: how much longer it takes each time.
        m_mul: how much higher it begins each time.
        alpha: the share of the rate that is left in the end.

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

    def __call__(self, step: Any) -> Any:
        """Return the rate."""
        part: Any = divide(count(step), float(self.first_decay_steps))
        longer = float(self.t_mul)
        if longer == 1.0:
            times: Any = floor(part)
            part = part - times
        else:
            # The lengths of the times before are a geometric series.
            times = floor(log(1.0 - part * (1.0 - longer)) / math.log(longer))
            length: Any = pow(to_tensor(longer, "float32"), times)
            part = (part - (1.0 - length) / (1.0 - longer)) / length
        higher: Any = pow(to_tensor(float(self.m_mul), "float32"), times)
        wave = (cos(part * math.pi) + 1.0) * 0.5 * higher
        return (wave * (1 - self.alpha) + self.alpha) * self.initial_learning_rate
