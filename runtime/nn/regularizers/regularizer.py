"""Regularizers: penalties on weights or outputs, added to the loss."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError
from runtime.nn.registry import Configured, Identifier, ObjectRegistry
from runtime.ops.arrays.reduction import reduce_sum
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.unary import abs as absolute
from runtime.ops.elementwise.unary import square


class Regularizer(Configured):
    """The base class of regularizers: called with a tensor, a subclass returns a scalar.

    >>> import autograph.runtime as rt
    >>> class Sum(Regularizer):
    ...     def __call__(self, x):
    ...         return 0.5 * rt.reduce_sum(x)
    >>> float(Sum()([1.0, 2.0]))
    1.5
    """

    def __call__(self, x: TensorLike) -> Tensor | float:
        """Return the loss of a tensor, here 0; a subclass overrides this."""
        return 0.0


class L1L2(Regularizer):
    """`l1` times the sum of magnitudes plus `l2` times the sum of squares.

    >>> float(L1L2(l1=1.0, l2=0.5)([3.0, -4.0]))
    19.5
    """

    config_names: tuple[str, ...] = ("l1", "l2")

    def __init__(self, l1: float = 0.0, l2: float = 0.0) -> None:
        self.l1, self.l2 = _factor("l1", l1), _factor("l2", l2)

    def __call__(self, x: TensorLike) -> Tensor:
        tensor: Any = to_tensor(x)
        result: Any = 0.0
        if self.l1 or not self.l2:
            result = reduce_sum(absolute(tensor)) * self.l1
        if self.l2:
            result = result + reduce_sum(square(tensor)) * self.l2
        found: Tensor = result
        return found


class L1(L1L2):
    """`l1` times the sum of magnitudes.

    >>> float(L1(1.0)([3.0, -4.0]))
    7.0
    """

    config_names = ("l1",)

    def __init__(self, l1: float = 0.01) -> None:
        super().__init__(l1=l1)


class L2(L1L2):
    """`l2` times the sum of squares.

    >>> float(L2(1.0)([3.0, -4.0]))
    25.0
    """

    config_names = ("l2",)

    def __init__(self, l2: float = 0.01) -> None:
        super().__init__(l2=l2)


def _factor(name: str, value: Any) -> float:
    value = 0.0 if value is None else value
    if not isinstance(value, (int, float)) or not math.isfinite(value) or value < 0:
        raise ArgumentValueError(f"{name} must be a number of at least 0, not {value!r}")
    return float(value)


_CATALOGUE = ObjectRegistry(
    "regularizer",
    Regularizer,
    {"L1": L1, "L1L2": L1L2, "L2": L2, "l1": L1, "l1_l2": L1L2, "l1l2": L1L2, "l2": L2},
)


def get(identifier: Identifier | None) -> Any:
    """Return the regularizer of an identifier: a name, a class or an object.

    >>> get("l2")
    L2(l2=0.01)
    """
    return _CATALOGUE.get(identifier)


def serialize(regularizer: Identifier) -> Any:
    """Return the config from which `get` makes the same regularizer.

    >>> serialize(L1())
    {'class_name': 'L1', 'config': {'l1': 0.01}}
    """
    return _CATALOGUE.config_of(regularizer)


def deserialize(
    config: Mapping[str, object], custom_objects: Mapping[str, Any] | None = None
) -> Any:
    """Return the regularizer for a config from `serialize`.

    Args:
        custom_objects: more classes and functions by name.

    >>> deserialize({"class_name": "L1", "config": {"l1": 0.5}})
    L1(l1=0.5)
    """
    known = _CATALOGUE.with_custom(custom_objects)
    return get(config) if known is _CATALOGUE else known.get(config)
