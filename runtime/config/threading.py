"""Numbers of threads: the namespace `rt.config.threading`."""

from __future__ import annotations

from runtime.core.blas_threads import BlasThreads as BlasThreads
from runtime.core.blas_threads import blas_threads as blas_threads
from runtime.core.blas_threads import set_blas_threads
from runtime.core.context import caller_origin
from runtime.core.source_names import warn_at
from runtime.errors import ArgumentValueError
from runtime.executors.analysis.cost_model import has_one_thread
from runtime.ops.arguments import static_int

# The numbers that the program set; 0 means that it set none.
_SET = {"inter_op": 0, "intra_op": 0}


def get_inter_op_parallelism_threads() -> int:
    """Return the number of threads that the program set, 0 by default.

    >>> get_inter_op_parallelism_threads()
    0
    """
    return _SET["inter_op"]


def set_inter_op_parallelism_threads(num_threads: int) -> None:
    """Store the setting: `ag.function(parallel=...)` sets the threads of a graph.

    Raises:
        ArgumentValueError: it is below 0.

    >>> set_inter_op_parallelism_threads(0)
    """
    _SET["inter_op"] = _checked(num_threads)


def get_intra_op_parallelism_threads() -> int:
    """Return the number of threads within an op that the program set, 0 by default.

    `blas_threads()` is the number that NumPy's products of matrices take.

    >>> get_intra_op_parallelism_threads()
    0
    """
    return _SET["intra_op"]


def set_intra_op_parallelism_threads(num_threads: int) -> None:
    """Set the threads of NumPy's products of matrices, 0 for the number of processors.

    It needs threadpoolctl: `pip install "autograph-py[threads]"`. Without it, a warning names the
    environment variable to set before Python starts.

    Raises:
        ArgumentValueError: it is below 0.

    >>> set_intra_op_parallelism_threads(0)
    """
    count = _checked(num_threads)
    has_changed = count != _SET["intra_op"]
    _SET["intra_op"] = count
    if has_changed and not set_blas_threads(count) and count != blas_threads().threads:
        warn_at(
            caller_origin(),
            f"products of matrices keep {blas_threads().threads} threads: pip install "
            f'"autograph-py[threads]", or set OPENBLAS_NUM_THREADS={count or ""} before Python '
            "starts",
            RuntimeWarning,
        )
    has_one_thread.cache_clear()


def _checked(num_threads: int) -> int:
    count = static_int(num_threads, "num_threads")
    if count < 0:
        raise ArgumentValueError(f"num_threads must be 0 or more, not {count}")
    return count
