"""`t.index(v)` and `t.count(v)` of tuples: each item is compared, for their number is known."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import runtime as rt
from autograph.backends.graph.program.places import user_place
from autograph.backends.graph.values.iteration import as_weak
from autograph.backends.graph.values.truth import same_truth
from autograph.errors import StagingError
from runtime.ops.effects.io import check

_MISSING = "tuple.index(x): x not in tuple"


class FixedItems:
    """What the methods of a tuple mean where an item, or what is looked for, is a tensor.

    Args:
        items: the tuple.
    """

    def __init__(self, items: tuple[object, ...]) -> None:
        self._items = items

    def count(self, value: object) -> object:
        """Return how many items are equal to `value`."""
        equal = [rt.cast(each, rt.int32) for each in _equal(self._items, value)]
        return as_weak(reduce(rt.add, equal, rt.constant(0)))

    def index(self, value: object, *bounds: Any) -> object:
        """Return the place of the first item equal to `value`, within bounds.

        Raises:
            ValueError: when the graph runs and there is none.
            StagingError: if only the graph knows the bounds.
        """
        if any(isinstance(bound, rt.Tensor) for bound in bounds):
            raise StagingError(
                "the bounds of tuple.index are known only when the graph runs: make a list of the "
                "tuple, as in list(t)[i:j].index(v)",
                user_place(),
            )
        start, stop = (*bounds, None, None)[:2]
        places = range(len(self._items))[slice(start, stop)]
        if not places:
            raise ValueError(_MISSING)
        equal = _equal([self._items[place] for place in places], value)
        check(reduce(rt.logical_or, equal, rt.constant(False)), ValueError, _MISSING)
        place = rt.argmax(rt.stack([rt.cast(each, rt.int32) for each in equal]))
        return as_weak(rt.add(rt.cast(place, rt.int32), places.start))


def _equal(items: Sequence[object], value: object) -> list[rt.Tensor]:
    return [same_truth(each, value) for each in items]
