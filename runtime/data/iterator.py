"""Going over a dataset eagerly: an iterator of Python's."""

from __future__ import annotations

from typing import Any

from runtime.context import current_recorder
from runtime.data.plan import Arrays, Plan
from runtime.errors import GraphError, OutOfRangeError
from runtime.tensor import EagerTensor


class Iterator:
    """What `iter(dataset)` gives outside of a graph: each element once, as eager tensors."""

    def __init__(self, plan: Plan, arrays: Arrays) -> None:
        self._element, self._items = plan.element, plan.start(arrays)

    @property
    def element_spec(self) -> Any:
        """What is known of the elements: a TensorSpec, or a structure of them."""
        return self._element.structure

    def get_next(self) -> Any:
        """Return the next element.

        Raises:
            OutOfRangeError: none is left.
        """
        try:
            return next(self)
        except StopIteration:
            raise OutOfRangeError("the end of the dataset is reached: no item is left") from None

    def __iter__(self) -> Iterator:
        return self

    def __next__(self) -> Any:
        if current_recorder() is not None:
            raise GraphError(
                "an iterator over a dataset that was made outside of the graph would give its "
                "element to the trace, and not to each run: make it inside, with iter(dataset)"
            )
        return self._element.packed(list(map(EagerTensor, next(self._items))))
