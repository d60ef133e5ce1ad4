"""Replicas in lockstep: several runs of one step, which meet to exchange values.

    replica 0    x = loss(b0) |        | v.assign(...)         one thread each, of which one runs
    replica 1    x = loss(b1) | meet   | v.assign(...)         at a time, in order

All of them record in the same graph, one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import copy_context
from queue import SimpleQueue
from threading import Thread
from typing import Any, NamedTuple

from runtime.core.context import Recorder, current_recorder, current_watchers
from runtime.core.replica import set_replica
from runtime.errors import GraphError

Merge = Callable[[Sequence[Any]], Sequence[Any]]


class _Meeting(NamedTuple):
    """A barrier at which a replica waits for the others."""

    point: str
    merge: Merge
    value: Any


class _Stopped(BaseException):
    """The step of this replica ends, since another one has failed."""


class LockstepReplica:
    """One replica of a step, with a thread of its own.

    Attributes:
        index, count: its number, and the number of all.
        device: the name of its device.
        outer_tapes: the tapes around all replicas.
        result: the result of its step when that has ended.
    """

    def __init__(self, index: int, count: int, device: str, step: Callable[[], Any]) -> None:
        self.index, self.count, self.device, self.result = index, count, device, None
        self._step, self._context = step, copy_context()
        # One item says that this thread may go on, or that the other one may.
        self._may_run: SimpleQueue[None] = SimpleQueue()
        self._waits: SimpleQueue[None] = SimpleQueue()
        self.outer_tapes: Sequence[Any] = current_watchers()
        self._recorder: Recorder | None = current_recorder()
        self._is_stopped = False
        self.error: BaseException | None = None
        self.meeting: _Meeting | None = None
        self._answer: Any = None
        self._thread = Thread(target=self._context.run, args=(self._run,), daemon=True)
        self._thread.start()

    def _run(self) -> None:
        self._may_run.get()
        try:
            set_replica(self)
            if not self._is_stopped:
                self.result = self._step()
        except BaseException as error:
            self.error = error
        finally:
            self._step = self._nothing
            self._waits.put(None)

    def _nothing(self) -> None:
        """Hold no values of the step any longer."""

    def advance(self, answer: Any) -> None:
        """Run the step up to its next meeting, or its end."""
        self.meeting, self._answer = None, answer
        self._may_run.put(None)
        self._waits.get()
        if self.error is not None:
            raise self.error

    def meet(self, point: str, merge: Merge, value: Any) -> Any:
        """Wait for all replicas, and return this one's part of a merge.

        Raises:
            GraphError: this is in a branch or loop of a graph.
        """
        if current_recorder() is not self._recorder:
            raise GraphError(
                f"replicas meet at {point}, which must not be in a branch, loop or function of "
                "the graph, "
                "where each goes its own way: write it outside of that"
            )
        self.meeting = _Meeting(point, merge, value)
        self._waits.put(None)
        self._may_run.get()
        if self._is_stopped:
            raise _Stopped
        return self._answer

    def stop(self) -> None:
        """End a step that waits at a meeting, or has not begun."""
        self._is_stopped = True
        self._may_run.put(None)
        if self.meeting is not None or self.error is not None:
            self._thread.join()


def run_in_lockstep(steps: Sequence[Callable[[], Any]], devices: Sequence[str]) -> list[Any]:
    """Return the results of the steps of several replicas.

    Args:
        steps: one function for each replica.
        devices: the name of the device of each.

    Raises:
        GraphError: the replicas do not meet at the same places.

    >>> run_in_lockstep([lambda: 1, lambda: 2], ["/device:CPU:0", "/device:CPU:1"])
    [1, 2]
    """
    replicas: list[LockstepReplica] = []
    try:
        for at, (step, device) in enumerate(zip(steps, devices)):
            replicas.append(LockstepReplica(at, len(steps), device, step))
        answers: Sequence[Any] = [None] * len(steps)
        while True:
            for replica, answer in zip(replicas, answers):
                replica.advance(answer)
            meetings = [replica.meeting for replica in replicas if replica.meeting is not None]
            if not meetings:
                return [replica.result for replica in replicas]
            _check_same(replicas)
            answers = meetings[0].merge([each.value for each in meetings])
    finally:
        for replica in replicas:
            replica.stop()


def _check_same(replicas: Sequence[LockstepReplica]) -> None:
    points = [None if each.meeting is None else each.meeting.point for each in replicas]
    for at, point in enumerate(points):
        if point != points[0]:
            there, here = (
                f"replica {index} is at {each}" if each else f"replica {index} has ended its step"
                for index, each in ((0, points[0]), (at, point))
            )
            raise GraphError(
                f"{there}, but {here}: all replicas must reach the same points in the same order"
            )
