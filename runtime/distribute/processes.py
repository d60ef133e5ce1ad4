"""Processes that run one program together: their ranks, and the way in which they meet.

`python -m autograph launch` starts them on one machine; Slurm, Open MPI, Kubernetes and other
launchers start them on many. JAX connects them.
"""

from __future__ import annotations

import atexit
import os
import sys
from types import TracebackType
from typing import Any

import numpy as np

from runtime.core.devices import list_logical_devices
from runtime.core.lazy_imports import load_module
from runtime.core.mesh import in_all_processes
from runtime.errors import ArgumentValueError, FailedPreconditionError, UnimplementedError
from runtime.ops.random.eager_seeds import STREAMS, set_seed

_ADDRESS, _SIZE, _RANK = "JAX_COORDINATOR_ADDRESS", "JAX_NUM_PROCESSES", "JAX_PROCESS_ID"
# The variable of each launcher that JAX knows with the number of processes; Kubernetes tells it
# elsewhere.
_SIZES = ("SLURM_STEP_NUM_TASKS", "SLURM_NTASKS", "OMPI_COMM_WORLD_SIZE")
_INDEX_IN_KUBERNETES = "JOB_COMPLETION_INDEX"


def initialize(
    coordinator_address: str | None = None,
    num_processes: int | None = None,
    process_id: int | None = None,
) -> None:
    """Connect this process with the others of its run, once; alone it has nothing to do.

    Without a global seed all processes get the same one, so that they draw the same numbers.

    The first use of a mesh or of `rt.devices` calls it. A program that uses JAX itself calls it
    before that. By default the arguments come from the environment: the variables
    JAX_COORDINATOR_ADDRESS, JAX_NUM_PROCESSES and JAX_PROCESS_ID, which
    `python -m autograph launch` sets, or those of Slurm, Open MPI and Kubernetes, which JAX reads.

    Args:
        coordinator_address: the host and port of process 0: "10.0.0.1:1234".
        num_processes: the number of processes.
        process_id: the number of this one, from 0 on.

    Raises:
        ArgumentValueError: some of them are given or set, and others are not, or are no numbers.
        FailedPreconditionError: JAX has computed something already, alone.
        UnimplementedError: there are several processes, and JAX is not installed.

    >>> initialize()
    >>> process_count()
    1
    """
    if _STATE.is_connected:
        return
    given = _place(coordinator_address, num_processes, process_id)
    if given is None and not _is_launched_elsewhere():
        return
    _connect({} if given is None else given)


class _ProcessState:
    """The connection of this process with others."""

    is_connected = False


_STATE = _ProcessState()


def _place(address: Any, size: Any, rank: Any) -> dict[str, Any] | None:
    """Return the arguments of JAX's function, None if there are none."""
    found: dict[str, Any] = {
        name: os.environ.get(variable) if value is None else value
        for name, variable, value in (
            ("coordinator_address", _ADDRESS, address),
            ("num_processes", _SIZE, size),
            ("process_id", _RANK, rank),
        )
    }
    missing = [name for name, value in found.items() if value is None]
    if missing:
        if len(missing) == 3 or _is_launched_elsewhere():
            return None
        raise ArgumentValueError(
            f"initialize() lacks {' and '.join(missing)}: pass all three, or set {_ADDRESS}, "
            f"{_SIZE} and {_RANK}, as `python -m autograph launch` does"
        )
    try:
        count, number = int(found["num_processes"]), int(found["process_id"])
    except (TypeError, ValueError):
        raise ArgumentValueError(
            f"num_processes and process_id must be numbers, not {found['num_processes']!r} and "
            f"{found['process_id']!r}"
        ) from None
    if not 0 <= number < count:
        raise ArgumentValueError(f"process_id must be one of 0 to {count - 1}, not {number}")
    if count == 1:
        return None
    address = str(found["coordinator_address"])
    return {"coordinator_address": address, "num_processes": count, "process_id": number}


def _is_launched_elsewhere() -> bool:
    """Return whether a launcher that JAX knows has started this process beside others."""
    sizes = [os.environ.get(name, "") for name in _SIZES]
    is_step = "SLURM_PROCID" in os.environ or "OMPI_COMM_WORLD_RANK" in os.environ
    counts = [int(size) for size in sizes if size.isdigit()]
    return (is_step and bool(counts) and counts[0] > 1) or _INDEX_IN_KUBERNETES in os.environ


def _connect(place: dict[str, Any]) -> None:
    jax = imported_jax("processes that run together")
    if _has_computed():
        raise FailedPreconditionError(
            "JAX has computed something before the processes are connected: call ag.initialize() "
            "at the start of the program"
        )
    _divide_processor(jax)
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    if hasattr(jax.config, "jax_enable_preemption_service"):
        # It would keep a process alive that the launcher ends.
        jax.config.update("jax_enable_preemption_service", False)
    jax.distributed.initialize(**place)
    _STATE.is_connected = True
    sys.excepthook = _EndingAlone(sys.excepthook)
    if STREAMS.seed is None:
        set_seed(_shared_number())


def _shared_number() -> int:
    """Return an unpredictable number, the same in all processes."""
    own = np.frombuffer(os.urandom(4), np.uint32)
    return int(in_all_processes("broadcast_one_to_all", own)[0])


class _EndingAlone:
    """A hook for an exception that ends this process: it does not wait for the others then.

    Without it the process would wait at its end for processes that wait for it in a reduction.
    """

    def __init__(self, before: Any) -> None:
        self._before = before

    def __call__(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        self._before(kind, error, trace)
        atexit.unregister(load_module("jax").distributed.shutdown)
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(130 if issubclass(kind, KeyboardInterrupt) else 1)


def imported_jax(use: str) -> Any:
    """Return the package JAX.

    Raises:
        UnimplementedError: it is not installed; the message names the use.
    """
    try:
        import jax
    except ImportError:
        raise UnimplementedError(
            f'for {use} JAX is needed: pip install "autograph-py[jax]"'
        ) from None
    return jax


def prepared_jax(use: str) -> Any:
    """Return JAX, with this process connected to the others and the processor divided.

    Raises:
        UnimplementedError: it is not installed.
    """
    jax = imported_jax(use)
    initialize()
    if not _has_computed():
        _divide_processor(jax)
    return jax


def _divide_processor(jax: Any) -> None:
    parts = len(list_logical_devices("CPU"))
    if parts > 1:
        jax.config.update("jax_num_cpu_devices", parts)


def _has_computed() -> bool:
    """Return whether JAX has begun to use devices, whose number is fixed from then on."""
    bridge = load_module("jax._src.xla_bridge")
    return bool(bridge.backends_are_initialized())


def process_count() -> int:
    """Return the number of processes that run this program together.

    >>> process_count()
    1
    """
    return int(load_module("jax").process_count()) if _STATE.is_connected else 1


def process_index() -> int:
    """Return the number of this process among them, from 0 on.

    >>> process_index()
    0
    """
    return int(load_module("jax").process_index()) if _STATE.is_connected else 0


def wait_for_all(place: str) -> None:
    """Wait until all processes are at this place.

    >>> wait_for_all("saved")
    """
    if _STATE.is_connected:
        in_all_processes("sync_global_devices", place)
