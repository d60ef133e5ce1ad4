"""Who waits for variables to be made: a checkpoint was restored that has values for them.

A variable that is made meanwhile gets its value when somebody first asks for it, since only then
it has its place in the object that it belongs to.
"""

from __future__ import annotations

from collections.abc import Callable

# Each looks for places of its own that are not filled yet, and is False once it needs no more.
Waiting = Callable[[], bool]

WAITING: list[Waiting] = []


def settle() -> None:
    """Let all who wait look at what has been made."""
    for each in list(WAITING):
        if not each() and each in WAITING:
            WAITING.remove(each)
