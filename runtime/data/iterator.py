"""Iterators over datasets, for Python loops and for graphs."""

from __future__ import annotations

from typing import Any, Generic

from runtime import nest
from runtime.core.context import current_recorder
from runtime.core.random_streams import RandomStreamIterator
from runtime.core.tensor import EagerTensor, Tensor
from runtime.core.variant import boxed
from runtime.data.base_types import AnyIterator, ElementType
from runtime.data.cursors import Cursor, State
from runtime.data.element_spec import Element
from runtime.data.optional import Optional
from runtime.data.plan import Arrays, DatasetPlan
from runtime.data.saved_items import (
    item_data,
    item_of_data,
    restore_seeds,
    restore_stores,
    state_in,
    stores_in,
)
from runtime.errors import (
    ArgumentValueError,
    DataLossError,
    FailedPreconditionError,
    GraphError,
    OpError,
    OutOfRangeError,
)
from runtime.ops.data.datasets import Item
from runtime.ops.data.iterators import PrefetchedItem, has_next, iterator_in, next_item


class Iterator(AnyIterator, Generic[ElementType]):
    """The iterator of `iter(dataset)` outside a graph: each element once, as tensors.

    In a graph, each run takes the next element; an iterator may be an argument of a Function, or be
    used inside one.

    >>> import autograph.runtime as rt
    >>> numbers = iter(rt.data.Dataset.range(2))
    >>> isinstance(numbers, Iterator), int(next(numbers)), int(next(numbers))
    (True, 0, 1)
    """

    __slots__ = ("__weakref__", "_element", "_handle", "_text")

    def __init__(self, element: Element, handle: Tensor, text: str = "given") -> None:
        self._element, self._handle, self._text = element, handle, text

    @classmethod
    def over(cls, plan: DatasetPlan, arrays: Arrays) -> Iterator:
        """Return an iterator that begins with the first element."""
        running = EagerTensor(boxed(PrefetchedItem(_Start(plan, arrays))))
        return cls(plan.element, running, str(plan))

    @property
    def element_spec(self) -> Any:
        """The element spec: a TensorSpec, or a structure of them."""
        return self._element.described()

    def get_next(self) -> ElementType:
        """Return the next element.

        Raises:
            OutOfRangeError: there is no next element.
        """
        return self._element.packed(list(next_item(self._handle, self._element.specs)))

    def get_next_as_optional(self) -> Optional:
        """Return the next element, or an empty Optional.

        >>> from runtime.data import Dataset
        >>> int(iter(Dataset.range(1)).get_next_as_optional().get_value())
        0
        """
        return Optional.of_next(self._element, self._handle)

    def has_next(self) -> Tensor:
        """Return whether there is a next element, a scalar of bool; this computes the element.

        >>> from runtime.data import Dataset
        >>> bool(iter(Dataset.range(1)).has_next())
        True
        """
        return has_next(self._handle)

    def __iter__(self) -> Iterator[ElementType]:
        if current_recorder() is not None:
            raise GraphError(
                "an iterator over a dataset is iterated over by Python while a graph is recorded: "
                "iterate over it with a `for` statement of converted code"
            )
        return self

    def __next__(self) -> ElementType:
        if current_recorder() is not None:
            return self.get_next()
        try:
            item = self._running.take()
        except OutOfRangeError as error:
            if isinstance(error, StopIteration):
                raise StopIteration from None
            raise
        return self._element.packed(list(map(EagerTensor, item)))

    # -- saving and restoring the position ---------------------------------------------------------

    def save(self) -> State:
        """Return the iterator's position: numbers, texts and arrays in lists and dicts.

        It includes stored items: the buffer of `shuffle`, the contents of `cache` so far. It holds
            no code and is not a pickle.

        >>> from runtime.data import Dataset
        >>> dataset = Dataset.range(9).shuffle(4, seed=1).batch(2)
        >>> one, other = iter(dataset), iter(dataset)
        >>> first, state = next(one), one.save()
        >>> other.restore(state)
        >>> [batch.numpy().tolist() for batch in one] == [each.numpy().tolist() for each in other]
        True
        """
        running = self._running
        with running.lock:
            held = running.held[0] if running.held else None
            if isinstance(held, Exception):
                raise FailedPreconditionError(
                    "save: the next element could not be made; take it before, and see why"
                )
            place = {"has_ended": bool(running.held) and held is None}
            ahead = None if held is None else item_data(held)
            return {
                "dataset": self._text,
                **place,
                "ahead": ahead,
                "cursor": _cursor(running).save(),
            }

    def restore(self, state: State) -> None:
        """Continue from a saved `state` of an iterator over a dataset built in the same way.

        A user's generator is run from its beginning up to that position.

        Raises:
            InvalidArgumentError: the state is of another dataset, or parts of it are missing.
            DataLossError: the state is damaged.
            FailedPreconditionError: a generator gives fewer elements now.
        """
        running = self._running
        if not isinstance(state, dict) or state.get("dataset") != self._text:
            found = state.get("dataset") if isinstance(state, dict) else state
            raise ArgumentValueError(
                f"restore: the state is of {found}, and this iterator iterates over {self._text}"
            )
        if not state.keys() >= {"cursor", "ahead", "has_ended"}:
            raise ArgumentValueError(
                f"restore: the state is incomplete, it has only {sorted(state)}"
            )
        with running.lock:
            try:
                held: list[Any] = [] if state["ahead"] is None else [item_of_data(state["ahead"])]
                _cursor(running).restore(state["cursor"])
            except (LookupError, TypeError, ValueError, AttributeError) as error:
                if isinstance(error, OpError):
                    raise
                raise DataLossError(f"restore: the state is damaged: {error!r}") from None
            running.held = held + ([None] if state["has_ended"] else [])

    @property
    def _running(self) -> PrefetchedItem:
        if not isinstance(self._handle, EagerTensor):
            raise GraphError(
                f"the position of the iterator {self._handle} is known only when the graph runs"
            )
        return iterator_in(self._handle._array)

    def __copy__(self) -> Iterator:
        return self  # An iterator is never copied: its users share its position.

    def __deepcopy__(self, memo: dict[int, Any]) -> Iterator:
        return self

    def __reduce__(self) -> Any:
        raise GraphError(
            "an iterator over a dataset cannot be pickled: keep iterator.save(), and restore() it "
            "in an iterator over the same dataset"
        )

    def __repr__(self) -> str:
        return f"<rt.data.Iterator: element_spec={self.element_spec}>"


# As an argument of a function, an iterator is a structure: its element spec and its handle.
nest.register(
    Iterator,
    lambda iterator: (iterator._handle,),
    lambda iterator, handles: Iterator(iterator._element, *handles),
    form=lambda iterator: iterator._element,
)


def _cursor(running: PrefetchedItem) -> _Start:
    cursor: Any = running.items
    assert isinstance(cursor, _Start), "an iterator over a dataset begins with this"
    return cursor


class _Start:
    """The cursor of an iterator, which is created again to restore a position.

    The cursor starts at once, so that errors of the dataset are raised here.
    """

    def __init__(self, plan: DatasetPlan, arrays: Arrays) -> None:
        self._plan, self._arrays = plan, arrays
        self._begin(plan.start(arrays))

    def _begin(self, cursor: Cursor) -> None:
        self._cursor, self._items = cursor, RandomStreamIterator(cursor)

    def __iter__(self) -> _Start:
        return self

    def __next__(self) -> Item:
        return next(self._items)

    def save(self) -> State:
        """Return the state of the cursor and of the dataset's stores."""
        return {"kept": state_in(self._arrays), "items": self._cursor.save()}

    def restore(self, state: State) -> None:
        """Restore the position in a state."""
        stores = [(store, store.parts) for store in stores_in(self._arrays)]
        try:
            restore_stores(self._arrays, state["kept"])
            cursor = self._plan.start(self._arrays)
            cursor.restore(state["items"])
            restore_seeds(self._arrays, state["kept"])
        except BaseException:
            for store, parts in stores:
                store.parts = parts
            raise
        self._begin(cursor)
