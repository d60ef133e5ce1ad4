"""Constraints: projections of weights after an optimizer step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runtime.core.tensor import Tensor
from runtime.nn.registry import Configured, Identifier, ObjectRegistry
from runtime.ops.arrays.reduction import reduce_sum
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import clip_by_value, maximum
from runtime.ops.elementwise.unary import sqrt, square

_TINY = 1e-7


class Constraint(Configured):
    """A function that projects a weight onto the allowed ones; a subclass defines it.

    >>> class Half(Constraint):
    ...     def __call__(self, w):
    ...         return w / 2
    >>> Half()(3.0)
    1.5
    """

    def __call__(self, w: Any) -> Tensor:
        """Return the weight unchanged; subclasses override this."""
        return w


class MaxNorm(Constraint):
    """Shortens vectors along `axis` that are longer than `max_value`.

    >>> print(MaxNorm(1.0)([[3.0], [4.0]]))
    rt.Tensor(
    [[0.6]
     [0.8]], shape=(2, 1), dtype=float32)
    """

    config_names = ("max_value", "axis")

    def __init__(self, max_value: float = 2, axis: Any = 0) -> None:
        self.max_value, self.axis = max_value, axis

    def __call__(self, w: Any) -> Tensor:
        weight: Any = to_tensor(w)
        length: Any = _length(weight, self.axis)
        wanted: Any = clip_by_value(length, 0.0, float(self.max_value))
        result: Tensor = weight * (wanted / (length + _TINY))
        return result


class MinMaxNorm(Constraint):
    """Scales vectors along `axis` towards lengths from `min_value` to `max_value`, by `rate`.

    >>> print(MinMaxNorm(2.0, 5.0)([[0.0], [1.0]]))
    rt.Tensor(
    [[0.       ]
     [1.9999998]], shape=(2, 1), dtype=float32)
    """

    config_names = ("min_value", "max_value", "rate", "axis")

    def __init__(
        self, min_value: float = 0.0, max_value: float = 1.0, rate: float = 1.0, axis: Any = 0
    ) -> None:
        self.min_value, self.max_value, self.rate, self.axis = min_value, max_value, rate, axis

    def __call__(self, w: Any) -> Tensor:
        weight: Any = to_tensor(w)
        length: Any = _length(weight, self.axis)
        within: Any = clip_by_value(length, float(self.min_value), float(self.max_value))
        wanted = within * self.rate + length * (1 - self.rate)
        result: Tensor = weight * (wanted / (length + _TINY))
        return result


class NonNeg(Constraint):
    """Replaces negative numbers by 0.

    >>> print(NonNeg()([-1.0, 2.0]))
    rt.Tensor([0. 2.], shape=(2,), dtype=float32)
    """

    def __call__(self, w: Any) -> Tensor:
        return maximum(w, 0.0)


class UnitNorm(Constraint):
    """Scales vectors along `axis` to length 1.

    >>> print(UnitNorm()([[3.0], [4.0]]))
    rt.Tensor(
    [[0.6]
     [0.8]], shape=(2, 1), dtype=float32)
    """

    config_names = ("axis",)

    def __init__(self, axis: Any = 0) -> None:
        self.axis = axis

    def __call__(self, w: Any) -> Tensor:
        weight: Any = to_tensor(w)
        result: Tensor = weight / (_length(weight, self.axis) + _TINY)
        return result


def _length(weight: Any, axis: Any) -> Any:
    return sqrt(reduce_sum(square(weight), axis, keepdims=True))


_KINDS = (MaxNorm, MinMaxNorm, NonNeg, UnitNorm)
_CATALOGUE = ObjectRegistry(
    "constraint",
    Constraint,
    {
        **{kind.__name__: kind for kind in _KINDS},
        "max_norm": MaxNorm,
        "min_max_norm": MinMaxNorm,
        "non_neg": NonNeg,
        "unit_norm": UnitNorm,
    },
)


def get(identifier: Identifier | None) -> Any:
    """Return the constraint of an identifier: a name, a class or an object.

    >>> get("non_neg")
    NonNeg()
    """
    return _CATALOGUE.get(identifier)


def serialize(constraint: Identifier) -> Any:
    """Return the name or config from which `get` makes the same constraint.

    >>> serialize(NonNeg())
    {'class_name': 'NonNeg', 'config': {}}
    """
    return _CATALOGUE.config_of(constraint)


def deserialize(
    config: Mapping[str, object], custom_objects: Mapping[str, Any] | None = None
) -> Any:
    """Return the constraint for a name or config from `serialize`.

    Args:
        custom_objects: more classes and functions by name.

    >>> deserialize("unit_norm")
    UnitNorm(axis=0)
    """
    known = _CATALOGUE.with_custom(custom_objects)
    return get(config) if known is _CATALOGUE else known.get(config)
