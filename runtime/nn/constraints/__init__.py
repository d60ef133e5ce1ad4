"""Constraints of weights: the namespace `rt.nn.constraints`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from runtime.nn.constraints.constraint import Constraint as Constraint
    from runtime.nn.constraints.constraint import MaxNorm as MaxNorm
    from runtime.nn.constraints.constraint import MinMaxNorm as MinMaxNorm
    from runtime.nn.constraints.constraint import NonNeg as NonNeg
    from runtime.nn.constraints.constraint import UnitNorm as UnitNorm
    from runtime.nn.constraints.constraint import deserialize as deserialize
    from runtime.nn.constraints.constraint import get as get
    from runtime.nn.constraints.constraint import serialize as serialize

    max_norm = MaxNorm
    min_max_norm = MinMaxNorm
    non_neg = NonNeg
    unit_norm = UnitNorm
else:
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__,
        {
            "runtime.nn.constraints.constraint": (
                "Constraint MaxNorm MinMaxNorm NonNeg UnitNorm deserialize get serialize "
                "max_norm=MaxNorm min_max_norm=MinMaxNorm non_neg=NonNeg unit_norm=UnitNorm"
            ),
        },
    )
