"""Whether this process has distributed a step yet, over a mesh of devices or over replicas."""

from __future__ import annotations


class Distribution:
    """The first mesh, or replica, of a process sets `is_used` for good.

    Calls look for a mesh or a replica of their own thread only from then on: a look-up of a context
    variable would take a part of the time of a short call.
    """

    __slots__ = ("is_used",)

    def __init__(self) -> None:
        self.is_used = False


DISTRIBUTION = Distribution()
