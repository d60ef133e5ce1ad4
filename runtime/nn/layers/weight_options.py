"""What a weight of a layer is made with: its first values, its part of the loss, its limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from runtime.nn import constraints, initializers, regularizers
from runtime.state.variable import Variable


@dataclass(frozen=True, slots=True)
class WeightOptions:
    """How one weight is made.

    Attributes:
        initializer: makes the first values.
        regularizer: makes a part of the loss, or None.
        constraint: applied after a step of an optimizer, or None.
    """

    initializer: Any
    regularizer: Any = None
    constraint: Any = None

    def made(self, layer: Any, name: str, shape: Any) -> Variable:
        """Return a new weight of a layer."""
        weight: Variable = layer.add_weight(
            name=name,
            shape=shape,
            initializer=self.initializer,
            regularizer=self.regularizer,
            constraint=self.constraint,
        )
        return weight


def weight_options(
    initializer: Any, regularizer: Any = None, constraint: Any = None
) -> WeightOptions:
    """Return options of which each is given by its name or as an object.

    Raises:
        ArgumentValueError: nothing has one of the names.

    >>> weight_options("zeros", "l2").regularizer
    L2(l2=0.01)
    """
    return WeightOptions(
        initializers.get(initializer), regularizers.get(regularizer), constraints.get(constraint)
    )
