"""An index `x[...]` as a value: hashable, printable, with places for tensors among its parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from runtime.core.shapes import UNKNOWN, TensorShape
from runtime.core.tensor import Array
from runtime.errors import ArgumentValueError, OutOfBoundsError, ShapeError


@dataclass(slots=True, unsafe_hash=True)
class Input:
    """A placeholder in an index: the index tensor number `position` among the op's inputs."""

    position: int

    def __repr__(self) -> str:
        return f"${self.position}"


Part = int | Input | None


@dataclass(slots=True, unsafe_hash=True)
class HashableSlice:
    """A hashable slice; Python's own are hashable from 3.12 on."""

    start: Part = None
    stop: Part = None
    step: Part = None

    def __repr__(self) -> str:
        start, stop = ("" if part is None else repr(part) for part in (self.start, self.stop))
        return f"{start}:{stop}" + ("" if self.step is None else f":{self.step!r}")

    def length(self, size: int | None) -> int | None:
        """Return the number of selected elements of `size`; None if only a run knows it."""
        if self == WHOLE:
            return size
        parts = (self.start, self.stop, self.step)
        if size is None or any(isinstance(part, Input) for part in parts):
            return None
        if self.step == 0:
            raise ArgumentValueError("the step of a slice cannot be 0")
        return len(range(*slice(*parts).indices(size)))


@dataclass(slots=True, unsafe_hash=True)
class Marker:
    """A part of an index that selects no position: `...` or `newaxis`."""

    text: str

    def __repr__(self) -> str:
        return self.text


WHOLE = HashableSlice()
ELLIPSIS = Marker("...")
NEWAXIS = Marker("newaxis")

Item = int | Input | HashableSlice | Marker


@dataclass(slots=True, unsafe_hash=True)
class Index:
    """The items between the brackets.

    >>> Index((1, HashableSlice(None, 2), ELLIPSIS, Input(0)))
    [1, :2, ..., $0]
    """

    items: tuple[Item, ...]

    def __repr__(self) -> str:
        return f"[{', '.join(map(repr, self.items))}]"

    def at(self, numbers: Sequence[int]) -> Index:
        """Return the index with numbers in place of the index tensors.

        >>> Index((Input(0), HashableSlice(None, Input(1)))).at([3, 2])
        [3, :2]
        """
        return Index(tuple([_item_at(item, numbers) for item in self.items]))

    def numpy(self, inputs: Sequence[Array]) -> tuple[Any, ...]:
        """Return the index for NumPy, with the arrays filled in."""
        return tuple(_numpy_item(item, inputs) for item in self.items)

    def explained(
        self, error: IndexError, shape: tuple[int, ...], inputs: Sequence[Array]
    ) -> IndexError:
        """Return a NumPy error with the message that a static index would have."""
        known = (_plain(item, inputs) if isinstance(item, Input) else item for item in self.items)
        items = tuple(item if isinstance(item, Item) else WHOLE for item in known)
        try:
            Index(items).result_shape(TensorShape.of(shape))
        except OutOfBoundsError as explained:
            return IndexError(explained.message)
        return IndexError(f"an index of {self} is out of bounds for shape {list(shape)}")

    def result_shape(self, shape: TensorShape) -> TensorShape:
        """Return the shape of `x[index]`, whose index tensors are scalars.

        Raises:
            InvalidArgumentError, ShapeError: an int is out of bounds, or there are too many items.
        """
        if shape.dims is None:
            return UNKNOWN
        dims, rest = list(shape.dims), len(shape) - self.consumed()
        if rest < 0:
            raise ShapeError(f"{self} has too many indices for shape {shape}")
        items = self.items if ELLIPSIS in self.items else (*self.items, ELLIPSIS)
        result: list[int | None] = []
        position = 0
        for item in items:
            if item is ELLIPSIS:
                result += dims[position : position + rest]
                position += rest
            elif item is NEWAXIS:
                result.append(1)
            else:
                if isinstance(item, HashableSlice):
                    result.append(item.length(dims[position]))
                else:
                    _check_bounds(item, dims[position], position)
                position += 1
        return TensorShape.of(tuple(result))

    def scalars(self, rank: int) -> list[tuple[int | Input, int]]:
        """Return the numbers and index tensors, each with its axis of a tensor of that rank.

        >>> Index((1, ELLIPSIS, Input(0))).scalars(4)
        [(1, 0), ($0, 3)]
        """
        found: list[tuple[int | Input, int]] = []
        axis = 0
        for item in self.items:
            if isinstance(item, int | Input):
                found.append((item, axis))
            if item is ELLIPSIS:
                axis += rank - self.consumed()
            elif item is not NEWAXIS:
                axis += 1
        return found

    def consumed(self) -> int:
        """Return the number of the tensor's dimensions that the items use."""
        return sum(not isinstance(item, Marker) for item in self.items)


def in_front(items: Sequence[Item]) -> bool:
    """Return whether the dimensions of index arrays come first, as the arrays are not adjacent.

    Args:
        items: the parts of an index; integers count as arrays, as in NumPy.

    >>> in_front([0, WHOLE, Input(0)]), in_front([WHOLE, 0, Input(0)])
    (True, False)
    """
    places = [at for at, item in enumerate(items) if isinstance(item, (int, Input))]
    return bool(places) and places[-1] - places[0] >= len(places)


def _item_at(item: Item, numbers: Sequence[int]) -> Item:
    if isinstance(item, Input):
        return numbers[item.position]
    if not isinstance(item, HashableSlice):
        return item
    parts = (item.start, item.stop, item.step)
    return HashableSlice(*[numbers[x.position] if isinstance(x, Input) else x for x in parts])


def _numpy_item(item: Item, inputs: Sequence[Array]) -> Any:
    if isinstance(item, Marker):
        return Ellipsis if item is ELLIPSIS else None
    if isinstance(item, HashableSlice):
        return slice(*(_plain(part, inputs) for part in (item.start, item.stop, item.step)))
    return _plain(item, inputs)


def _plain(part: Any, inputs: Sequence[Array]) -> Any:
    if not isinstance(part, Input):
        return part
    array = inputs[part.position]
    return int(array) if array.ndim == 0 and array.dtype.kind in "iu" else array


def _check_bounds(item: Any, size: int | None, position: int) -> None:
    if isinstance(item, int) and size is not None and not -size <= item < size:
        raise OutOfBoundsError(
            f"slice index {item} of dimension {position} out of bounds: it has size {size}"
        )
