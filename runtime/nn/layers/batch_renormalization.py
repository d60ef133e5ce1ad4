"""Corrections that make moments of a batch count like moving averages, also in training."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runtime.errors import ArgumentValueError
from runtime.ops.constant import cast, stop_gradient
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import maximum, minimum
from runtime.ops.elementwise.unary import sqrt, square

_LIMITS = ("rmax", "rmin", "dmax")


class BatchRenormalization:
    """What a `BatchNormalization` with `renorm` keeps besides, and how it corrects.

    S. Ioffe, Batch Renormalization (2017).

    Args:
        clipping: "rmax" and "rmin" for factors and "dmax" for offsets, each of which may be absent.
        momentum: how much of the averages that correct stays at each step.
    """

    def __init__(self, clipping: Any, momentum: Any) -> None:
        limits = {} if clipping is None else clipping
        if not isinstance(limits, Mapping) or any(name not in _LIMITS for name in limits):
            raise ArgumentValueError(
                f"renorm_clipping is a dict with rmax, rmin and dmax, not {clipping!r}"
            )
        if limits.get("rmin", 0) > limits.get("rmax", float("inf")):
            raise ArgumentValueError(f"rmin is above rmax in renorm_clipping {clipping!r}")
        if not isinstance(momentum, (int, float)) or not 0 <= momentum <= 1:
            raise ArgumentValueError(f"renorm_momentum lies from 0 to 1, is {momentum!r}")
        self.limits, self.momentum = dict(limits), momentum

    def build(self, layer: Any, shape: Any, of_mean: Any, of_variance: Any) -> None:
        """Make the averages: of deviations, and of means and deviations that correct."""

        def of_deviation(dims: Any, dtype: Any = None) -> Any:
            return sqrt(of_variance(dims, dtype=dtype))

        self.moving_stddev, self.mean, self.stddev = (
            layer.add_weight(shape, make, trainable=False, name=name)
            for name, make in (
                ("moving_stddev", of_deviation),
                ("renorm_mean", of_mean),
                ("renorm_stddev", of_deviation),
            )
        )

    def correction(self, mean: Any, stddev: Any) -> tuple[Any, Any]:
        """Return what normalized numbers are multiplied with, and what is added to them then.

        They are constants for gradients. The averages then move towards the moments of the batch.
        """
        before, spread = (cast(each, mean.dtype) for each in (self.mean, self.stddev))
        factor, offset = stddev / spread, (mean - before) / spread
        limits = self.limits
        if "rmin" in limits:
            factor = maximum(factor, limits["rmin"])
        if "rmax" in limits:
            factor = minimum(factor, limits["rmax"])
        if "dmax" in limits:
            offset = maximum(minimum(offset, limits["dmax"]), -limits["dmax"])
        # Both were computed of the averages as they are before they move.
        found = stop_gradient(factor), stop_gradient(offset)
        moved(self.mean, mean, self.momentum)
        moved(self.stddev, stddev, self.momentum)
        return found

    def variance(self, stddev: Any, momentum: float, epsilon: float) -> Any:
        """Return the moving variance, after the moving deviation went on to that of the batch."""
        moved(self.moving_stddev, stddev, momentum)
        return maximum(square(to_tensor(self.moving_stddev)) - epsilon, 0.0)


def moved(average: Any, now: Any, momentum: float) -> None:
    """Let a moving average go on to what is measured now."""
    average.assign(average * momentum + cast(now, average.dtype) * (1 - momentum))
