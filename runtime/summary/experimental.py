"""The default step of summaries."""

from __future__ import annotations

from typing import Any

from runtime.summary.current import change, current


def get_step() -> Any:
    """Return the default step, as it was given; None if there is none."""
    return current().step


def set_step(step: Any) -> None:
    """Make `step` the default from now on.

    Args:
        step: a whole number, a tensor, a variable (a graph then uses its value in each run), or
            None for no default.

    >>> set_step(3)
    >>> get_step()
    3
    >>> set_step(None)
    """
    change(step=step)
