"""Calls that count by more than their arguments, by the shortest way there is.

    total = total + x     ->     one glance at `x` and `total`, one run, one write

Where a glance does not say which trace a call leads to, or another thread traces, `finding` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from autograph.function.concrete import ConcreteFunction
from autograph.function.fast_guards import Check
from autograph.function.state_fast_key import MISSED, Glance, Part
from autograph.function.state_places import Place
from autograph.function.stateful_function import KeepingFunction, RunHeld
from runtime.state.variable import Variable

if TYPE_CHECKING:
    from autograph.function.trace_lock import TraceLock

_MOST_REMEMBERED = 64
_NONE: tuple[Any, None] = (None, None)


class KeptCalls:
    """The calls with one short key, told apart by what is held outside.

    Args:
        places: those outside that the function writes, in the order of the key.
        tells: whether it matters which variables the arguments are.
        lock: held while the function is traced.
    """

    __slots__ = ("_glance", "_lock", "_runs", "_tells")

    def __init__(self, places: Sequence[Place], tells: bool, lock: TraceLock) -> None:
        self._glance = Glance(places)
        self._tells = tells
        self._lock = lock
        self._runs: dict[Part, tuple[RunHeld, Check | None]] = {}

    def run(self, given: Sequence[Any]) -> Any:
        """Run the trace that a call leads to; `MISSED` if nothing was run.

        Args:
            given: the arrays of the arguments, and the variables.
        """
        turns = self._lock.turns
        if not self._lock.is_free:
            return MISSED
        arrays = [*given]
        seen = self._glance.taken(arrays)
        if seen is None:
            return MISSED
        part, owners = seen
        if self._tells:
            part += _told(given)
        run, unchanged = self._runs.get(part, _NONE)
        if run is None or (unchanged is not None and not unchanged()):
            return MISSED
        return MISSED if turns != self._lock.turns else run(arrays, owners)

    def remember(
        self, given: Sequence[Any], concrete: ConcreteFunction, unchanged: Check | None
    ) -> None:
        """Know that what the places hold now leads to a trace; called while nobody traces.

        Args:
            given: the arrays of the arguments, and the variables.
            concrete: the trace.
            unchanged: tells whether what is guarded is what it is now.
        """
        arrays: list[Any] = []
        seen = self._glance.taken(arrays)
        if seen is None:
            return
        part, owners = seen
        if self._tells:
            part += _told(given)
        if len(self._runs) >= _MOST_REMEMBERED:
            self._runs.clear()
        if isinstance(concrete, KeepingFunction):
            self._runs[part] = concrete.run_held(owners), unchanged
        else:
            self._runs[part] = (lambda arrays, owners: concrete.run_quickly(arrays)), unchanged


def _told(given: Sequence[Any]) -> Part:
    return tuple([id(each) for each in given if type(each) is Variable])
