"""Values of a graph while JAX traces it, besides arrays.

    FixedList          a list of known length: a tuple of items
    DynamicLengthList  a list the length of which only a run knows: columns with room for more
    TensorArrayValue   a TensorArray, in the same form
    OneOf              a list of one of several forms, which a run chooses
    Gradients          the gradient of a list: columns by position, zeros elsewhere
    Padded             an array the first axis of which only a run knows
    LazyRange          the numbers of such a range, where only some of them are read
    Dims               a vector of sizes, some of which are known
    VariableKey        a variable
    UnsupportedValue   a value that JAX cannot hold; the graph is refused where it is used

A value that is no NumPy array is traced; NumPy arrays are known while JAX traces. The classes are
pytrees, so they can be loop variables and results of branches.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from runtime.executors.jax.rules.jax_modules import jax, jnp

# One value per tensor of a user's item.
Item: TypeAlias = tuple[Any, ...]


class FixedList(NamedTuple):
    """A list the length of which is known.

    Attributes:
        items: the items.
    """

    items: tuple[Item, ...]


class DynamicLengthList:
    """A list the length of which only a run knows: the first items of columns with more room.

    Args:
        length: the number of items, an int32.
        columns: for each tensor of an item, its values in all items along a new first axis; None
            as long as no item is known.
        room: the capacity, the length of the columns.
    """

    __slots__ = ("columns", "length", "room")

    def __init__(self, length: Any, columns: tuple[Any, ...] | None, room: int) -> None:
        self.length, self.columns, self.room = length, columns, room


class TensorArrayValue(DynamicLengthList):
    """A TensorArray; a slot that was never written holds zeros."""

    __slots__ = ()


class OneOf(NamedTuple):
    """A list that has one of several forms, such as items of two tensors or of three.

    Attributes:
        which: the number of the choice that counts, an int32.
        choices: a list of each form; those that do not count are zeros.
    """

    which: Any
    choices: tuple[Any, ...]


class Gradients(NamedTuple):
    """The gradients of a list's items by position; zeros where there are none.

    Attributes:
        columns: for each tensor of an item its gradients, None where there are none at all.
    """

    columns: tuple[Any, ...]


class Padded:
    """An array the first axis of which is longer than the value: elements beyond are arbitrary.

    Args:
        array: the array.
        length: the number of its rows that count, an int32.
    """

    __slots__ = ("array", "length")

    def __init__(self, array: Any, length: Any) -> None:
        self.array, self.length = array, length

    @property
    def dtype(self) -> Any:
        """The dtype of the elements."""
        return self.array.dtype

    @property
    def ndim(self) -> int:
        """The rank of the array."""
        return int(self.array.ndim)

    @property
    def room(self) -> Any:
        """The capacity: the number of rows of the array, used or not."""
        return self.array.shape[0]

    def mask(self) -> Any:
        """Return whether each row counts, of a shape that broadcasts with the array."""
        rows = jnp.arange(self.room) < self.length
        return rows.reshape((-1,) + (1,) * (self.ndim - 1))

    def filled(self, value: Any) -> Any:
        """Return the array with a value in the rows that do not count."""
        return jnp.where(self.mask(), self.array, jnp.asarray(value, self.dtype))


class LazyRange(Padded):
    """The numbers of a range, which are an array only where more than its items is used.

    Args:
        start: the first number.
        delta: the difference of two.
        length: the number of them, an int32.
        make: returns the array.
    """

    __slots__ = ("_make", "delta", "start")

    def __init__(self, start: Any, delta: Any, length: Any, make: Callable[[], Any]) -> None:
        self.start, self.delta, self.length, self._make = start, delta, length, make

    @property
    def array(self) -> Any:
        """The numbers as an array, which is made anew by each access."""
        return self._make()

    @property
    def dtype(self) -> Any:
        """The dtype of the numbers."""
        return self.start.dtype

    @property
    def ndim(self) -> int:
        """The rank, which is 1."""
        return 1


class Dims(NamedTuple):
    """A vector of sizes, such as a shape; some of them are known.

    Attributes:
        sizes: scalars of one dtype.
    """

    sizes: tuple[Any, ...]

    def array(self) -> Any:
        """Return it as one array."""
        if all(map(is_known, self.sizes)):
            return np.array(self.sizes)
        return jnp.stack(list(map(traced, self.sizes)))


class VariableKey(NamedTuple):
    """A variable, by its key among the variables of a run."""

    key: Any


class UnsupportedValue(NamedTuple):
    """A value that JAX cannot hold.

    Attributes:
        reason: the end of "the engine has ...".
    """

    reason: str


def is_known(value: Any) -> bool:
    """Return whether a value is known while JAX traces.

    >>> is_known(np.zeros(2)), is_known(FixedList(()))
    (True, False)
    """
    return isinstance(value, (np.ndarray, np.generic))


def is_array(value: Any) -> bool:
    """Return whether a value is one array, known or traced."""
    return isinstance(value, (np.ndarray, np.generic, jax.Array))


def traced(value: Any) -> Any:
    """Return a value as one of JAX's, also where it is known; its dtype is not weak."""
    return jax.tree_util.tree_map(_traced_array, value)


def _traced_array(array: Any) -> Any:
    if isinstance(array, jax.Array):
        return array.astype(array.dtype) if array.weak_type else array
    return absent_for(array.dtype) or jnp.asarray(array, array.dtype)


def absent_for(dtype: Any) -> UnsupportedValue | None:
    """Return the form of an array of texts or objects in JAX; None for numbers."""
    if dtype.kind in "OSU":
        return UnsupportedValue("no texts")
    return None if np.dtype(dtype).names is None else UnsupportedValue("no objects in arrays")


def count(value: Any) -> Any:
    """Return a length, an int or a symbol of a program to export, as an array of JAX's."""
    return jnp.asarray(value).astype(np.int32)


def _flatten_list(value: DynamicLengthList) -> Any:
    return (value.length, value.columns), value.room


def _flatten_padded(value: Padded) -> Any:
    return (value.array, value.length), None


_registered: list[bool] = []


def register_pytrees() -> None:
    """Tell JAX the classes of values, once."""
    if _registered:
        return
    _registered.append(True)
    register = jax.tree_util.register_pytree_node
    for kind in (DynamicLengthList, TensorArrayValue):
        register(kind, _flatten_list, lambda room, parts, kind=kind: kind(*parts, room))
    for padded in (Padded, LazyRange):
        register(padded, _flatten_padded, lambda _, parts: Padded(*parts))
    for plain in (VariableKey, UnsupportedValue):
        register(plain, lambda value: ((), value), lambda value, _: value)
