"""Scalars as numbers of Python's: what computes them, and where they must be wrapped."""

from runtime.executors.numpy.numbers.expression import Expression
from runtime.executors.numpy.numbers.numbers import Numbers

__all__ = ["Expression", "Numbers"]
