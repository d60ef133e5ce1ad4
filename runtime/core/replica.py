"""The current replica: one of several synchronous executions of a training step.

Replicas meet where they exchange values: each waits there for the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any, Protocol

from runtime.core.mesh import DISTRIBUTION


class Replica(Protocol):
    """One run of a step beside others.

    Attributes:
        index: its number, from 0 on.
        count: the number of replicas.
        outer_tapes: the tapes around all replicas, which see what a merge does.
    """

    index: int
    count: int
    outer_tapes: Sequence[Any]

    def meet(self, point: str, merge: Callable[[Sequence[Any]], Sequence[Any]], value: Any) -> Any:
        """Wait for all replicas, and return this one's part of a merge.

        Args:
            point: the name of the place in the step, the same in all replicas.
            merge: called once outside of the replicas, with one value of each; it returns one part
                for each.
            value: this replica's value.
        """


_REPLICA: ContextVar[Replica | None] = ContextVar("current_replica", default=None)

current_replica = _REPLICA.get
"""Return the replica that is running, None outside of steps and if there is only one."""


def set_replica(replica: Replica) -> None:
    """Set the replica that is running in this thread."""
    DISTRIBUTION.is_used = True
    _REPLICA.set(replica)
