"""Orders parallel moves so that no source is overwritten before it is read."""

from __future__ import annotations

from dataclasses import dataclass

from runtime.executors.plan import Slot


@dataclass(frozen=True, eq=False)
class SlotMove:
    """A slot that is assigned, what that reads, and the text of its new value."""

    slot: Slot
    reads: frozenset[Slot]
    text: str


def in_order(moves: list[SlotMove]) -> list[SlotMove] | None:
    """Return moves in an order in which none takes what another has changed; None for a circle."""
    left = list(moves)
    ordered: list[SlotMove] = []
    while left:
        free = next(
            (
                each
                for each in left
                if not any(each.slot in other.reads for other in left if other is not each)
            ),
            None,
        )
        if free is None:
            return None
        left.remove(free)
        ordered.append(free)
    return ordered
