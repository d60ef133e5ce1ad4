"""Lists that grow while a program runs.

    out = []                          a loop over an array records the appended items,
    for x in xs:                      and `lax.scan` stacks them: a StackedList
        out.append(2 * x)

A list that grows by a number of items that only a run knows is a PreallocatedList: a buffer and a
length.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

import jax
import jax.numpy as jnp
import numpy as np
from jax.tree_util import register_pytree_node, tree_leaves, tree_map, tree_structure

from autograph.backends.graph.source.source_location import SourceLocation
from autograph.errors import ListMethodError, LoopMismatch, StagingError, UnknownLengthError
from autograph.jax.aliases import guard_copy
from autograph.jax.forms import Form, blank, fitted, form_of, is_array, joined_form
from autograph.jax.heap import is_users_object, text_of_new_object
from autograph.jax.internals import drop_if_unused, is_concrete, lower_bound
from autograph.jax.location import STACKS, location
from autograph.jax.raised_errors import require


class Appender:
    """A list in an iteration of a loop that only appends to it.

    Attributes:
        items: the items appended in this iteration.
        origin: the list when the iteration began; this one is `origin + items` after an addition.
    """

    HOLDS_ITEMS = True
    # The name is no part of `vars`, which are its contents.
    __slots__ = ("__dict__", "name", "origin")

    def __init__(self, name: str, origin: Appender | None = None) -> None:
        self.name, self.origin = name, origin or self
        self.items: tuple[object, ...] = ()

    def append(self, item: object) -> None:
        """Append an item."""
        self.items = (*self.items, item)

    def extend(self, items: Iterable[object]) -> None:
        """Append several items."""
        self.items = (*self.items, *items)

    def _refuse(self, *others: object) -> NoReturn:
        raise StagingError(
            f"'{self.name}' grows in this loop, which may append to it and read its items: use an "
            "array and an index for other changes",
            location(),
        )

    def _read(self, *others: object) -> NoReturn:
        """Ask for a list of a fixed capacity, which has the items of the iterations before."""
        raise UnknownLengthError(
            f"'{self.name}' grows in this loop, and its items are read there",
            location(),
            self.origin,
        )

    def __iadd__(self, items: Any) -> Appender:
        self.extend(items)
        return self

    def __add__(self, items: Any) -> Appender:
        grown = Appender(self.name, self.origin)
        grown.items = (*self.items, *items)
        return grown

    __len__ = __getitem__ = __setitem__ = __iter__ = __contains__ = __bool__ = __radd__ = _read
    pop = insert = __delitem__ = _read
    __eq__ = remove = _refuse
    __hash__ = object.__hash__


# The methods of lists; those that these classes have are found before.
_MISSING = frozenset(name for name in dir(list) if not name.startswith("_"))


def _refuse_method(name: str, instead: str) -> NoReturn:
    if name in _MISSING:
        raise ListMethodError(
            f"a list that has grown in a loop has no {name}(): {instead}", location()
        )
    raise AttributeError(name)


def _in_order(name: str) -> Any:
    """Return a method of lists that moves or drops items, for the places of rows."""

    def method(self: StackedList, *args: Any) -> Any:
        places = list(range(len(self)))
        result = getattr(places, name)(*args)
        item = self[result] if name == "pop" else None
        self.stacked = tree_map(lambda rows: rows[np.array(places, int)], self.stacked)
        return item

    return method


class StackedList:
    """A list whose items are the rows of arrays.

    Attributes:
        stacked: the items, with a leading axis; a pytree of arrays.

    >>> items = StackedList(jnp.arange(3))
    >>> len(items), int(items[-1]), [int(each) for each in items]
    (3, 2, [0, 1, 2])
    """

    HOLDS_ITEMS = True

    def __init__(self, stacked: Any) -> None:
        self.stacked = stacked

    def __len__(self) -> int:
        return int(np.shape(tree_leaves(self.stacked)[0])[0])

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return StackedList(tree_map(lambda each: each[index], self.stacked))
        count = rows_in(self.stacked)
        is_known = type(index) is int and type(count) is int
        if is_known and not -count <= index < count:
            raise IndexError("list index out of range")
        item = tree_map(lambda each: each[index], self.stacked)
        drop_if_unused(*tree_leaves(item))
        guard_copy(item, self)
        return item

    def __setitem__(self, index: Any, value: object) -> None:
        if isinstance(index, slice):
            items: Any = value
            places: list[Any] = list(range(len(self)))
            places[index] = range(len(self), len(self) + len(items))
            self.extend(items)
            self.stacked = tree_map(lambda rows: rows[np.array(places, int)], self.stacked)
            return
        self.stacked = tree_map(lambda each, new: each.at[index].set(new), self.stacked, value)

    def __iter__(self) -> Iterator[Any]:
        return (self[at] for at in range(len(self)))

    pop, reverse, clear, __delitem__ = map(_in_order, ("pop", "reverse", "clear", "__delitem__"))

    def insert(self, place: int, item: object) -> None:
        """Insert an item before another one."""
        rows = len(self)
        self.append(item)
        places = list(range(rows))
        places.insert(place, rows)
        self.stacked = tree_map(lambda each: each[np.array(places)], self.stacked)

    def copy(self) -> StackedList:
        """Return a list of the same items."""
        return self[:]

    def __add__(self, other: Any) -> StackedList | list[Any]:
        grown = StackedList(self.stacked)
        try:
            grown.extend(other)
        except (TypeError, ValueError):  # The items are no rows of one array.
            return [*self, *other]
        return grown

    def __iadd__(self, items: Any) -> Any:
        grown = self + items
        if not isinstance(grown, StackedList):
            return grown
        self.stacked = grown.stacked  # Other names of the list see its new items.
        return self

    def __radd__(self, other: Iterable[object]) -> list[object]:
        return [*other, *self]

    def append(self, item: object) -> None:
        """Append an item."""
        guard_copy(item, self)
        self.stacked = tree_map(
            lambda rows, new: jnp.concatenate([rows, jnp.asarray(new)[None]]), self.stacked, item
        )

    def extend(self, items: Iterable[object]) -> None:
        """Append several items."""
        for item in items:
            self.append(item)

    def __eq__(self, other: object) -> Any:
        return list(self) == list(other) if isinstance(other, _LISTS) else NotImplemented

    def __jax_array__(self) -> Any:
        (array,) = tree_leaves(self.stacked)
        return array

    def __getattr__(self, name: str) -> NoReturn:
        _refuse_method(name, "make a list of it first, by list(...)")

    def __repr__(self) -> str:
        return f"StackedList({self.stacked!r})"


class PreallocatedList:
    """A list of a fixed capacity, with a length that is known only at run time.

    Attributes:
        buffer: the items, with a leading axis; a pytree of arrays. Rows from `length` on are blank.
        length: the number of items.

    >>> items = PreallocatedList(jnp.array([7, 8, 0, 0]), jnp.int32(2))
    >>> len(items), int(items[-1]), [int(each) for each in items]
    (2, 8, [7, 8])
    """

    HOLDS_ITEMS = True
    # The growth is no part of `vars`, which are its contents.
    __slots__ = ("__dict__", "growth")

    def __init__(self, buffer: Any, length: Any, growth: ListAppends | None = None) -> None:
        self.buffer, self.length, self.growth = buffer, length, growth

    @property
    def room(self) -> int:
        """The capacity, a number of items: an int, or a symbolic dimension."""
        return rows_in(self.buffer)

    def append(self, item: object) -> None:
        """Append an item."""
        self._make_room(item)
        if self.buffer is not None:
            self.buffer = tree_map(
                lambda rows, new: rows.at[self.length].set(new), self.buffer, item
            )
        self.length = self.length + 1

    def pop(self, index: object = -1) -> Any:
        """Remove an item, and return it.

        Raises:
            IndexError: there is none. If only a run knows, it is a check of `checkify`.
        """
        return self._removed(index, "pop")

    def _removed(self, index: Any, what: str) -> Any:
        self.rows()
        place = self._place(index)
        self._check_removal(index, what)
        if self.growth is not None:
            self.growth.is_exact = False
        item = self[index]
        last = self.length + -1

        def without(rows: Any) -> Any:
            places = jnp.arange(rows.shape[0])
            moved = jnp.where(places < place, places, places + 1)
            is_item = (places < last).reshape(-1, *[1] * (rows.ndim - 1))
            return jnp.where(is_item, jnp.take(rows, moved, 0, mode="clip"), 0)

        if self.buffer is not None:
            self.buffer = tree_map(without, self.buffer)
        self.length = last
        return item

    def _check_removal(self, index: Any, what: str) -> None:
        """Check that there is an item under an index, unless the path knows."""
        is_known = isinstance(index, int)
        needed = (index + 1 if index >= 0 else -index) if is_known else 1
        if is_known and lower_bound(self.length, STACKS.facts) >= needed:
            return
        is_pop = what == "pop" and needed == 1
        error = IndexError("pop from empty list" if is_pop else f"{what} index out of range")
        if is_known:
            holds = self.length >= needed
        else:
            holds = (index < self.length) & (index >= -self.length)
        require(holds, error)

    def __delitem__(self, index: Any) -> None:
        self._removed(index, "list assignment")

    def insert(self, place: int, item: object) -> None:
        """Insert an item before the others."""
        if type(place) is not int or place:
            _refuse_method("insert", "insert at 0, or append")
        self._put_first(item)

    def _put_first(self, item: object) -> None:
        self._make_room(item)
        if self.buffer is not None:
            self.buffer = tree_map(
                lambda rows, new: jnp.roll(rows, 1, 0).at[0].set(new), self.buffer, item
            )
        self.length = self.length + 1

    def _make_room(self, item: object) -> None:
        guard_copy(item, self)
        if self.growth is not None:
            self.growth.record(item)
        elif is_concrete(self.length) is False or self.room == int(self.length):
            self._extend()

    def _extend(self) -> None:
        """Raise the capacity by one item."""
        self.buffer = tree_map(
            lambda rows: jnp.concatenate([rows, jnp.zeros_like(rows[:1])]), self.buffer
        )

    def extend(self, items: Iterable[object]) -> None:
        """Append several items."""
        for item in items:
            self.append(item)

    def __iadd__(self, items: Any) -> PreallocatedList:  # type: ignore[misc]
        self.extend(items)
        return self

    @property
    def _has_known_length(self) -> bool:
        """True if Python can read the length: outside of a trace, and not in a loop."""
        return self.growth is None and is_concrete(self.length) and not np.ndim(self.length)

    def _items(self) -> StackedList:
        """Return the items without the unused capacity; the length is known."""
        return StackedList(tree_map(lambda rows: rows[: int(self.length)], self.buffer))

    def __getitem__(self, index: Any) -> Any:
        if self._has_known_length:
            return self._items()[index]
        self._refuse_rows()
        item = self.item_at(self._place(index))
        guard_copy(item, self)
        return item

    def __setitem__(self, index: Any, value: object) -> None:
        place = self._place(index)
        if self.buffer is not None:
            self.buffer = tree_map(lambda rows, new: rows.at[place].set(new), self.buffer, value)

    def __add__(self, items: Iterable[object]) -> PreallocatedList:
        grown = PreallocatedList(self.buffer, self.length, self.growth)
        grown.extend(items)
        return grown

    def __radd__(self, items: Iterable[object]) -> PreallocatedList:
        grown = PreallocatedList(self.buffer, self.length, self.growth)
        for item in reversed([*items]):
            grown._put_first(item)
        return grown

    def item_at(self, place: Any) -> Any:
        """Return an item, not counted from the end."""
        return tree_map(lambda rows: rows[place], self.rows())

    def rows(self) -> Any:
        """Return the buffer; one of blank items while a trace has yet to find its length."""
        if self.buffer is None:
            assert self.growth is not None
            return self.growth.blank_rows()
        return self.buffer

    def _place(self, index: Any) -> Any:
        if isinstance(index, int):
            return index if index >= 0 else self.length + index
        if isinstance(index, slice):
            raise StagingError(
                "a slice of a list whose length only a run knows has no length: use its `buffer`",
                location(),
            )
        return jnp.where(index < 0, self.length + index, index)

    def __len__(self) -> int:
        self._refuse_rows()
        if not is_concrete(self.length):
            raise StagingError(
                "the length of this list is known only when the program runs: use its `length`",
                location(),
            )
        return int(self.length)

    def __iter__(self) -> Iterator[Any]:
        self._refuse_rows()
        if not is_concrete(self.length):
            raise StagingError(
                "only a run knows how many items this list has, and Python iterates over it here: "
                "write a `for` statement, or `out + [x]` in the place of `[*out, x]`",
                location(),
            )
        return (self[at] for at in range(len(self)))

    def __eq__(self, other: object) -> Any:
        return list(self) == list(other) if isinstance(other, _LISTS) else NotImplemented

    def __jax_array__(self) -> Any:
        if self._has_known_length:
            return jnp.asarray(self._items())
        self._refuse_rows()
        raise StagingError(
            "the length of this list is known only when the program runs, and an array has a "
            "length that is known: use its `buffer` and its `length`",
            location(),
        )

    def _refuse_rows(self) -> None:
        """Refuse a use of a result of `vmap`, which is a list for each row."""
        if np.ndim(self.length):
            raise StagingError(
                "this is a list for each row of a `vmap`, each with a length of its own: take one "
                "by jax.tree.map(lambda part: part[row], lists), or use `buffer` and `length`",
                location(),
            )

    def __getattr__(self, name: str) -> NoReturn:
        _refuse_method(
            name, "use its `buffer` and its `length`, or outside of the program list(...)"
        )

    def __repr__(self) -> str:
        return f"PreallocatedList({self.buffer!r}, length={self.length!r})"


class ListAppends:
    """The appends to a list in the iterations of a loop.

    Attributes:
        most: the most items that are appended in the code traced so far.
        is_exact: whether each iteration appends as many; False once a condition may change that.
        forms: the forms of an item's arrays, and its structure.
        is_empty: whether the list is empty before the loop, and the trace is that of such an
            iteration: it may show the form of an item before code reads one.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.most = 0
        self.is_exact = self.is_empty = True
        self.forms: list[Form] | None = None
        self.structure: Any = None

    def blank_rows(self) -> Any:
        """Return a buffer for a trace that only finds out how long the list becomes.

        Raises:
            LoopMismatch: the trace has come by no item yet.
        """
        if self.forms is None:
            raise LoopMismatch(
                f"'{self.name}' is read in this loop while it may be empty, so that JAX does not "
                "know the shape of an item: begin with an item, or read it after an append",
                location(),
            )
        return self.buffer(1, [])

    def begin(self, items: Any) -> None:
        """Record the forms of the items from before the loop."""
        if isinstance(items, (StackedList, PreallocatedList)):
            forms = [form_of(rows) for rows in tree_leaves(rows_of(items))]
            self.forms = [form._replace(shape=form.shape[1:]) for form in forms]
            self.structure = tree_structure(rows_of(items))
            return
        for item in items:
            self.record(item)

    def record(self, item: Any) -> None:
        """Record the form of an item.

        Raises:
            LoopMismatch: it has another form than the items before.
        """
        self.most += 1
        check_item(self.name, item, location())
        leaves, structure = tree_leaves(item), tree_structure(item)
        forms = [form_of(leaf) for leaf in leaves]
        if self.forms is None:
            self.forms, self.structure = forms, structure
            return
        same = structure == self.structure
        both = [joined_form(a, b) for a, b in zip(self.forms, forms)] if same else [None]
        if None in both:
            raise LoopMismatch(
                f"the items of '{self.name}' have different shapes or dtypes: "
                f"{', '.join(map(str, self.forms))} and {', '.join(map(str, forms))}",
                location(),
            )
        self.forms = both  # type: ignore[assignment]

    def buffer(self, room: int, items: Any) -> Any:
        """Return a buffer with some items at its start."""
        assert self.forms is not None
        rows = [
            blank(Form((room, *form.shape), form.dtype, False, form.axes)) for form in self.forms
        ]
        if isinstance(items, (StackedList, PreallocatedList)):
            first = tree_leaves(rows_of(items))
            rows = [row.at[: room_of(items)].set(each) for row, each in zip(rows, first)]
            return jax.tree_util.tree_unflatten(self.structure, rows)
        for at, item in enumerate(items):
            leaves = tree_leaves(item)
            rows = [
                row.at[at].set(fitted(leaf, form))
                for row, leaf, form in zip(rows, leaves, self.forms)
            ]
        return jax.tree_util.tree_unflatten(self.structure, rows)


def check_item(name: str, item: object, where: SourceLocation | None) -> None:
    """Check that JAX has arrays for an item of a list that grows.

    Raises:
        LoopMismatch: it has none.
    """
    leaves = tree_leaves(item)
    if leaves and all(map(is_array, leaves)):
        return
    other = next((each for each in leaves if not is_array(each)), None)
    what = (
        text_of_new_object(other)
        if is_users_object(other)
        else (
            f"is {other!r}, and JAX keeps the items of a list that grows as arrays: append a "
            "number or an array that stands for it"
        )
    )
    raise LoopMismatch(f"an item of '{name}' {what}", where)


def rows_of(items: StackedList | PreallocatedList) -> Any:
    """Return the arrays that contain the items."""
    return items.stacked if isinstance(items, StackedList) else items.buffer


def rows_in(buffer: Any) -> Any:
    """Return the number of rows; None for a buffer that has no items yet."""
    return None if buffer is None else np.shape(tree_leaves(buffer)[0])[0]


def room_of(items: Any) -> Any:
    """Return how many items a list has, or its capacity."""
    return len(items) if isinstance(items, (list, tuple)) else rows_in(rows_of(items))


def grown_list(one: object, other: object) -> list[Any] | Appender | None:
    """Return the list from before, if one value is the other one and some more items.

    >>> start = [1]
    >>> grown_list(start + [2], start) is start, grown_list([3], [4]) is None
    (True, True)
    """
    if isinstance(one, Appender) and isinstance(other, Appender):
        return one.origin if one.origin is other.origin else None
    if not isinstance(one, list) or not isinstance(other, list):
        return None
    shorter, longer = sorted((one, other), key=len)
    return shorter if is_grown_from(shorter, longer) else None


def is_grown_from(shorter: Any, longer: Any) -> bool:
    """Return whether a list or tuple has the items of another one, and more after or before them.

    >>> is_grown_from([1, 2], [1, 2, 3]), is_grown_from([1, 2], [3, 1, 2])
    (True, True)
    """
    if type(shorter) is not type(longer) or type(shorter) not in (list, tuple):
        return False
    count = len(shorter)
    return count < len(longer) and any(
        all(a is b for a, b in zip(shorter, part))
        for part in (longer, longer[len(longer) - count :])
    )


_LISTS = (list, StackedList, PreallocatedList)
register_pytree_node(
    StackedList, lambda each: ((each.stacked,), None), lambda aux, parts: StackedList(*parts)
)
register_pytree_node(
    PreallocatedList,
    lambda each: ((each.buffer, each.length), each.growth),
    lambda growth, parts: PreallocatedList(parts[0], parts[1], growth),
)
