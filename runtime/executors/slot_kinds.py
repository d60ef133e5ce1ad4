"""Groups slots that hold the same kind of value."""

from __future__ import annotations

from runtime.executors.plan import Slot


class SlotKinds:
    """Disjoint sets of slots of the same kind; `first` returns a set's representative.

    >>> import runtime as rt
    >>> from runtime.executors.plan import Slot
    >>> graph = rt.Graph("f")
    >>> x, y = (Slot(n, graph.add_input(rt.TensorSpec((), rt.int32), n)) for n in "xy")
    >>> kinds = SlotKinds()
    >>> kinds.first(y) is y
    True
    >>> kinds.join(x, y)
    >>> kinds.first(y) is x
    True
    """

    def __init__(self) -> None:
        self._leader: dict[Slot, Slot] = {}

    def first(self, slot: Slot) -> Slot:
        """Return the representative of a slot's kind."""
        while (above := self._leader.get(slot, slot)) is not slot:
            slot = above
        return slot

    @property
    def joins(self) -> int:
        """The number of merges of two kinds."""
        return len(self._leader)

    def join(self, one: Slot, other: Slot) -> None:
        """Merge the kinds of two slots."""
        first, second = self.first(one), self.first(other)
        if first is not second:
            self._leader[second] = first
