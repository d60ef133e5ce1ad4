"""Learning rates that depend on the number of steps: `rt.nn.optimizers.schedules`."""

from __future__ import annotations

from runtime.nn.optimizers.schedules.cosine import CosineDecay as CosineDecay
from runtime.nn.optimizers.schedules.cosine import CosineDecayRestarts as CosineDecayRestarts
from runtime.nn.optimizers.schedules.decays import ExponentialDecay as ExponentialDecay
from runtime.nn.optimizers.schedules.decays import InverseTimeDecay as InverseTimeDecay
from runtime.nn.optimizers.schedules.decays import PiecewiseConstantDecay as PiecewiseConstantDecay
from runtime.nn.optimizers.schedules.decays import PolynomialDecay as PolynomialDecay
from runtime.nn.optimizers.schedules.naming import deserialize as deserialize
from runtime.nn.optimizers.schedules.naming import serialize as serialize
from runtime.nn.optimizers.schedules.schedule import LearningRateSchedule as LearningRateSchedule
