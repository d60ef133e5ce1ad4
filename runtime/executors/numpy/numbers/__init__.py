"""Scalars as Python numbers: the expressions that compute them, and their wrap-around."""

from runtime.executors.numpy.numbers.expression import Expression
from runtime.executors.numpy.numbers.scalar_selection import Numbers

__all__ = ["Expression", "Numbers"]
