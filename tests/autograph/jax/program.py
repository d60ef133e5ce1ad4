"""A program of JAX in Python's control flow, beside its hand-written `lax` form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Program:
    """One program.

    Attributes:
        python: the function with Python's statements.
        lax: the function that one writes by hand; None if it is not compared.
        cases: tuples of arguments, arrays of the same form in each.
        unbounded: whether it has a loop without a bound, which has a forward derivative alone.
        no_vmap: whether it cannot be mapped.
        options: arguments of `autograph.jax.convert`.
        eager: whether Python runs it on known arrays, without conversion.
        longest: how many times as long as the hand-written jaxpr its jaxpr may be. A loop whose
            first test Python knows runs its first iteration in Python, so the body is there twice.
    """

    python: Callable[..., Any]
    lax: Callable[..., Any]
    cases: list[tuple[Any, ...]]
    unbounded: bool = False
    no_vmap: bool = False
    options: tuple[tuple[str, Any], ...] = ()
    eager: bool = True
    longest: float = 1.2
