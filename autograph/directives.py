"""Directives: calls that advise the conversion and do nothing when the program runs."""

from __future__ import annotations

from collections.abc import Sequence


def set_loop_options(
    parallel_iterations: int | None = None,
    swap_memory: bool | None = None,
    maximum_iterations: object = None,
    shape_invariants: Sequence[tuple[object, object]] | None = None,
) -> None:
    """Advise how the loop whose body this is called in becomes part of a graph.

    In plain Python, and in a loop that is not staged, it has no effect.

    Args:
        parallel_iterations: taken so that programs written for TensorFlow run; iterations follow
            each other.
        swap_memory: likewise.
        maximum_iterations: stop after so many iterations; an int or a scalar int tensor.
        shape_invariants: pairs of a variable and the shape it keeps, None for free dimensions.

    Example:
        >>> for i in range(3):
        ...     set_loop_options(maximum_iterations=9)
    """
