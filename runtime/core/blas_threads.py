"""The threads of BLAS, the library that computes NumPy's products of matrices.

It reads environment variables when NumPy is imported. The package `threadpoolctl` asks the library
itself, and sets the number later.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

# Environment variables with the number of threads, by priority.
VARIABLES = (
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "OMP_NUM_THREADS",
)


class BlasThreads(NamedTuple):
    """A number of threads.

    Attributes:
        threads: the number.
        source: the origin of the number: "threadpoolctl", the name of an environment variable, or
            "processors".
    """

    threads: int
    source: str


def blas_threads() -> BlasThreads:
    """Return the number of threads that a large product of matrices takes.

    Without the package threadpoolctl it is what the environment says now, which the library read
    when NumPy was imported.

    >>> blas_threads().threads >= 1
    True
    """
    counts = [library["num_threads"] for library in _libraries()]
    if counts:
        return BlasThreads(max(counts), "threadpoolctl")
    for name in VARIABLES:
        value = os.environ.get(name, "").strip()
        if value.isdigit() and int(value) > 0:
            return BlasThreads(int(value), name)
    return BlasThreads(_processors(), "processors")


def set_blas_threads(count: int) -> bool:
    """Set the number of threads, 0 for the processors; return False without threadpoolctl."""
    controller = _controller()
    if controller is None:
        return False
    controller.limit(limits=count or _processors(), user_api="blas")
    return True


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _libraries() -> list[dict[str, Any]]:
    controller = _controller()
    if controller is None:
        return []
    return [each for each in controller.info() if each["user_api"] == "blas"]


def _controller() -> Any:
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return None
    return ThreadpoolController()
