"""Calls that count by more than their arguments, by the shortest way there is.

    total = total + x     ->     one glance at `x` and `total`, one run, one write

Where a glance does not say which trace a call leads to, or another thread traces, `finding` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from autograph.function.concrete import ConcreteFunction
from autograph.function.glances import MISSED, Glance, Part
from autograph.function.keeping import KeepingFunction, RunHeld
from autograph.function.places import Place
from runtime.variable import Variable

if TYPE_CHECKING:
    from autograph.function.trace_lock import TraceLock

_MOST_REMEMBERED = 64


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
        self._runs: dict[Part, RunHeld] = {}

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
        run = self._runs.get(part)
        if run is None or turns != self._lock.turns:
            return MISSED
        return run(arrays, owners)

    def remember(self, given: Sequence[Any], concrete: ConcreteFunction) -> None:
        """Know that what the places hold now leads to a trace; called while nobody traces."""
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
            self._runs[part] = concrete.run_held(owners)
        else:
            self._runs[part] = lambda arrays, owners: concrete.run_quickly(arrays)


def _told(given: Sequence[Any]) -> Part:
    return tuple([id(each) for each in given if type(each) is Variable])
