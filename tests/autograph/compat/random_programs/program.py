"""The table of programs that draw random numbers, and their common helpers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

Program = Callable[[Any], Any]
PROGRAMS: dict[str, Program] = {}


def program(function: Program) -> Program:
    """Add a program to the table, under its name."""
    PROGRAMS[function.__name__] = function
    return function


def numbers(elements: Iterable[Any]) -> list[float]:
    """Return the elements of a dataset of numbers."""
    return [float(each) for each in elements]


def one(tf: Any, seed: int | None = None) -> Any:
    """Draw one number."""
    return tf.random.uniform([], seed=seed)
