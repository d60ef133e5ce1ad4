"""Learning rates that depend on the number of steps: `rt.nn.optimizers.schedules`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from runtime.nn.optimizers.schedules.decays import CosineDecay as CosineDecay
    from runtime.nn.optimizers.schedules.decays import CosineDecayRestarts as CosineDecayRestarts
    from runtime.nn.optimizers.schedules.decays import ExponentialDecay as ExponentialDecay
    from runtime.nn.optimizers.schedules.decays import InverseTimeDecay as InverseTimeDecay
    from runtime.nn.optimizers.schedules.decays import (
        PiecewiseConstantDecay as PiecewiseConstantDecay,
    )
    from runtime.nn.optimizers.schedules.decays import PolynomialDecay as PolynomialDecay
    from runtime.nn.optimizers.schedules.registry import deserialize as deserialize
    from runtime.nn.optimizers.schedules.registry import serialize as serialize
    from runtime.nn.optimizers.schedules.schedule import (
        LearningRateSchedule as LearningRateSchedule,
    )
else:
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__,
        {
            "runtime.nn.optimizers.schedules.decays": (
                "CosineDecay CosineDecayRestarts ExponentialDecay InverseTimeDecay "
                "PiecewiseConstantDecay PolynomialDecay"
            ),
            "runtime.nn.optimizers.schedules.registry": "deserialize serialize",
            "runtime.nn.optimizers.schedules.schedule": "LearningRateSchedule",
        },
    )
