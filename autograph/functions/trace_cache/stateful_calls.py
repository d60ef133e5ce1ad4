"""Calls that depend on state: finds the trace of each with few look-ups.

    total = total + x     ->     one fast key of `x` and `total`, one run, one write

If the fast key leads to no trace, or another thread is tracing, `trace_lookup` decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.functions.concrete_functions.concrete_function import ConcreteFunction
from autograph.functions.concrete_functions.stateful_function import (
    StatefulConcreteFunction,
    StateRunner,
)
from autograph.functions.state.fast_guards import Check
from autograph.functions.state.fast_key import MISSED, FastKey, KeyParts
from autograph.functions.state.places import StatePlace
from autograph.functions.trace_cache.trace_lock import TraceLock
from runtime.state.variable import Variable

_MOST_REMEMBERED = 64
_NONE: tuple[Any, None] = (None, None)


class StatefulCalls:
    """The calls with one short key: the trace of each, by the fast key of state.

    Args:
        places: the places that the function writes, in the order of the key.
        specializes: whether traces are specialized for variables among the arguments.
        lock: held while the function is traced.
    """

    __slots__ = ("_fast_key", "_lock", "_runs", "_specializes")

    def __init__(self, places: Sequence[StatePlace], specializes: bool, lock: TraceLock) -> None:
        self._fast_key = FastKey(places)
        self._specializes = specializes
        self._lock = lock
        self._runs: dict[KeyParts, tuple[StateRunner, Check | None]] = {}

    def run(self, given: Sequence[Any]) -> Any:
        """Run the trace for a call; return `MISSED` if there is none, or another thread traces.

        Args:
            given: the arrays of the arguments, and the variables.
        """
        acquisitions = self._lock.acquisitions
        if not self._lock.is_free:
            return MISSED
        arrays = [*given]
        seen = self._fast_key.compute(arrays)
        if seen is None:
            return MISSED
        part, owners = seen
        if self._specializes:
            part += _variable_identities(given)
        run, unchanged = self._runs.get(part, _NONE)
        if run is None or (unchanged is not None and not unchanged()):
            return MISSED
        return MISSED if acquisitions != self._lock.acquisitions else run(arrays, owners)

    def remember(
        self, given: Sequence[Any], concrete: ConcreteFunction, unchanged: Check | None
    ) -> None:
        """Remember the trace for the current values of the places; called with the lock held.

        Args:
            given: the arrays of the arguments, and the variables.
            concrete: the trace.
            unchanged: the check of its guards; None if it has none.
        """
        arrays: list[Any] = []
        seen = self._fast_key.compute(arrays)
        if seen is None:
            return
        part, owners = seen
        if self._specializes:
            part += _variable_identities(given)
        if len(self._runs) >= _MOST_REMEMBERED:
            self._runs.clear()
        if isinstance(concrete, StatefulConcreteFunction):
            self._runs[part] = concrete.state_runner(owners), unchanged
        else:
            self._runs[part] = (lambda arrays, owners: concrete.run_fast(arrays)), unchanged


def _variable_identities(given: Sequence[Any]) -> KeyParts:
    return tuple([id(each) for each in given if type(each) is Variable])
