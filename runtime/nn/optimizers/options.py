"""Checked options of optimizers, and properties that are variables."""

from __future__ import annotations

from numbers import Real
from typing import Any, TypedDict

from runtime.errors import ArgumentValueError


class OptimizerOptions(TypedDict, total=False):
    """The keywords that every optimizer takes, beside the learning rate and `weight_decay`."""

    clipnorm: float | None
    clipvalue: float | None
    global_clipnorm: float | None
    use_ema: bool
    ema_momentum: float
    ema_overwrite_frequency: int | None
    loss_scale_factor: float | None
    gradient_accumulation_steps: int | None
    name: str | None


def check_number(name: str, value: Any, least: float = 0.0, most: float | None = None) -> None:
    """Raise ArgumentValueError unless a value is a number from `least` to `most`.

    >>> check_number("rho", 0.5, most=1.0)
    """
    wrong = not isinstance(value, Real)
    if wrong or value < least or (most is not None and value > most):
        where = f"of at least {least:g}" if most is None else f"from {least:g} to {most:g}"
        raise ArgumentValueError(f"{name} must be a number {where}, not {value!r}")


def check_numbers(most: float | None = None, **options: Any) -> None:
    """Raise ArgumentValueError unless all given options are numbers of at least 0."""
    for name, value in options.items():
        check_number(name, value, most=most)


# -- properties that assign variables --------------------------------------------------------------


class VariableProperty(property):
    """A property whose setter only assigns a variable.

    While tracing, such an assignment is recorded as an op; the attribute is not a state slot.

    >>> class Box:
    ...     value = VariableProperty(lambda self: 1)
    >>> Box().value
    1
    """
