"""Directives: calls that set options of the conversion, and do nothing at run time."""

from __future__ import annotations

from collections.abc import Sequence


def set_loop_options(
    parallel_iterations: int | None = None,
    swap_memory: bool | None = None,
    maximum_iterations: object = None,
    shape_invariants: Sequence[tuple[object, object]] | None = None,
) -> None:
    """Set options of the staged loop around the call.

    It has no effect in plain Python, or if the loop is not staged.

    Args:
        parallel_iterations: accepted as in TensorFlow; without effect.
        swap_memory: accepted as in TensorFlow; without effect.
        maximum_iterations: the greatest number of iterations; an int or a scalar int tensor.
        shape_invariants: pairs of a variable and its shape, with None for dimensions that change.

    Example:
        >>> for i in range(3):
        ...     set_loop_options(maximum_iterations=9)
    """
