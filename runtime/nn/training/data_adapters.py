"""Data adapters: batches from arrays, datasets, sequences and generators."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from runtime import nest
from runtime.core.context import caller_origin
from runtime.core.dtypes import float32, float64
from runtime.core.source_names import warn_at
from runtime.core.spec import TensorSpec
from runtime.core.tensor import EagerTensor, SymbolicTensor
from runtime.data import Dataset
from runtime.distribute.sharded_dataset import ShardedDataset
from runtime.errors import ArgumentValueError, ShapeError
from runtime.nn.training.batches import Batch, as_batch
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.random.distributions import permutation
from runtime.ops.random.eager_seeds import STREAMS
from runtime.ops.random.seeded import uniform


def as_arrays(value: Any) -> Any:
    """Return a structure with arrays for tensors, lists of numbers and array-like objects.

    float64 numbers become float32, the dtype of layers. Tensors of a graph that is being recorded
    stay tensors.

    >>> as_arrays({"a": [[1.0], [2.0]]})["a"].dtype
    dtype('float32')
    """
    if value is None:
        return None
    if isinstance(value, dict):
        return {key: as_arrays(each) for key, each in value.items()}
    if isinstance(value, tuple) or (isinstance(value, list) and _holds_arrays(value)):
        return type(value)(as_arrays(each) for each in value)
    return _array(value)


def _holds_arrays(value: list[Any]) -> bool:
    return any(hasattr(each, "shape") and each.shape != () for each in value)


def _array(value: Any) -> Any:
    if isinstance(value, (str, bytes)):
        raise ArgumentValueError(f"data must be arrays of items, not the string {value!r:.40}")
    found: Any
    if isinstance(value, SymbolicTensor):
        return cast(value, float32) if value.dtype == float64 else value
    if isinstance(value, EagerTensor):
        found = value.numpy()
    elif hasattr(value, "__array__"):
        found = np.asarray(value)
    else:
        tensor = to_tensor(value)
        if isinstance(tensor, SymbolicTensor):
            return _array(tensor)
        found = np.asarray(tensor)
    if found.dtype.kind not in "biufcO":
        found = np.asarray(to_tensor(value))
    return found.astype(np.float32) if found.dtype == np.float64 else found


def number_of_items(parts: Any) -> int:
    """Return the common length of all arrays of a structure; -1 if only a run knows it.

    Raises:
        ShapeError: the lengths differ, or an array is a scalar.
        ArgumentValueError: there are no arrays.
    """
    sizes = []
    for path, array in nest.flatten_with_paths(parts):
        if array is None:
            raise ArgumentValueError(f"there is no data: {_name(path)} is None")
        dims = array.shape.dims if isinstance(array, SymbolicTensor) else array.shape
        if dims == ():
            raise ShapeError(f"data must be arrays of items, and {_name(path)} is one number")
        if dims and dims[0] is not None:
            sizes.append((_name(path), dims[0]))
    if len({size for _, size in sizes}) > 1:
        sizes_text = ", ".join(f"{size} in {name}" for name, size in sizes)
        raise ShapeError(f"all arrays need the same number of items, not {sizes_text}")
    if not nest.flatten(parts) or (sizes and sizes[0][1] == 0):
        raise ArgumentValueError("there is no data: the arrays are empty")
    return sizes[0][1] if sizes else -1


def _name(path: str) -> str:
    first, rest = path[:3], path[3:]
    names = {"[0]": "x", "[1]": "y", "[2]": "sample_weight"}
    return f"{names.get(first, first)}{rest}"


def split(parts: Any, share: float) -> tuple[Any, Any]:
    """Split the arrays of a structure: return the first items, and the last fraction `share`.

    >>> split((np.arange(4),), 0.25)
    ((array([0, 1, 2]),), (array([3]),))
    """
    if not isinstance(share, float) or not 0 < share < 1:
        raise ArgumentValueError(f"validation_split must be between 0 and 1, not {share!r}")
    arrays = as_arrays(parts)
    given = [each for each in nest.flatten(arrays) if each is not None]
    number = number_of_items(tuple(given))
    at = int(np.floor(number * (1 - share)))
    if at == 0 or at == number:
        raise ArgumentValueError(
            f"validation_split={share} of {number} items leaves nothing on one side"
        )

    def part(rows: slice) -> Any:
        return nest.map_structure(lambda a: None if a is None else a[rows], arrays)

    return part(slice(at)), part(slice(at, None))


# -- feeds -----------------------------------------------------------------------------------------


DEFAULT_BATCH_SIZE = 32
# The number of batches of a generator that Keras stores and yields again in each epoch.
_KEPT = 2
# Data whose items are batches of tensors, which can start again.
_DATASETS = (Dataset, ShardedDataset)


class Feed:
    """The source of the batches of epochs, for data of any kind.

    Args:
        begin: starts an iteration over the data.
        size: the number of batches, if it is known.

    Example:
        >>> feed = Feed(lambda: iter([(1,), (2,), (3,)]), size=3)
        >>> list(feed.epoch()), list(feed.epoch(2)), list(feed.epoch(1))
        ([(1,), (2,), (3,)], [(1,), (2,)], [(3,)])
    """

    def __init__(self, begin: Callable[[], Iterator[Batch]], size: int | None) -> None:
        self._begin, self.size = begin, size
        self._going: Iterator[Batch] | None = None

    def epoch(self, steps: int | None = None) -> Iterator[Batch]:
        """Yield the batches of an epoch: all of them, or the next `steps` ones.

        With `steps`, an epoch continues where the last one ended; after the end of the data the
        next epoch starts from the beginning.
        """
        if steps is None:
            yield from self._begin()
            if self.size is not None:
                # Keras starts an unused iteration, for which a shuffled Dataset draws an order.
                self._begin()
            return
        is_new, given = self._going is None, 0
        going = self._going = self._begin() if self._going is None else self._going
        while given < steps:
            try:
                batch = next(going)
            except StopIteration:
                if given == 0 and not is_new:
                    # The last epoch has taken the last batch.
                    is_new, going = True, self._begin()
                    self._going = going
                    continue
                self.rewind()
                if given:
                    _warn_of_end(steps, given)
                return
            given += 1
            yield batch

    def rewind(self) -> None:
        """Let the next epoch start with the first batch."""
        self._going = None


class _Replayed:
    """The items of an iterator; a second iteration begins with the stored first ones, as in Keras.

    >>> items = _Replayed(iter([1, 2, 3, 4]))
    >>> list(zip(range(3), items)), list(items)
    ([(0, 1), (1, 2), (2, 3)], [1, 2, 4])
    """

    def __init__(self, items: Iterator[Any]) -> None:
        self._items, self._first, self._has_ended = items, list[Any](), False

    def __iter__(self) -> Iterator[Any]:
        if self._has_ended and self._first:
            warn_at(
                caller_origin(),
                "the generator ran out of data in an earlier epoch, and this one has only its "
                f"first {len(self._first)} batches: give a Dataset or a sequence of batches",
                UserWarning,
            )
        yield from list(self._first)
        for item in self._items:
            if len(self._first) < _KEPT:
                self._first.append(item)
            yield item
        self._has_ended = True


def _warn_of_end(steps: int, given: int) -> None:
    warn_at(
        caller_origin(),
        f"the data ended after {given} of {steps} steps: give fewer steps, or data.repeat()",
        UserWarning,
    )


def feed_of(
    x: Any,
    y: Any = None,
    sample_weight: Any = None,
    batch_size: int | None = None,
    shuffle: bool = False,
    class_weight: Any = None,
) -> Feed:
    """Return the feed of any kind of data.

    Args:
        x: arrays, tensors or a structure of them; or a Dataset, a generator, or a sequence of
            batches (with `__len__` and `__getitem__`), whose items are x, (x,), (x, y) or (x, y,
            sample_weight). A generator cannot restart: the epochs after its end repeat its first
            two batches, with a warning.
        y, sample_weight: with arrays only.
        batch_size: the batch size for arrays; 32 by default. Other data have their own.
        shuffle: whether arrays are shuffled in each epoch.
        class_weight: the weights of items, by their class.

    Raises:
        ArgumentValueError: there is no data, or arguments exclude each other.
        ShapeError: arrays have different numbers of items.
    """
    if class_weight is not None and sample_weight is not None:
        raise ArgumentValueError("give class_weight or sample_weight, not both")
    if gives_batches(x):
        if y is not None or sample_weight is not None:
            raise ArgumentValueError(
                f"y and sample_weight come from {_described(x)} itself: let it give "
                "(x, y, sample_weight)"
            )
        return _batch_feed(x, class_weight)
    if x is None:
        raise ArgumentValueError("there is no data: give x")
    return _array_feed(x, y, sample_weight, batch_size, shuffle, class_weight)


def gives_batches(x: Any) -> bool:
    """Return whether data consists of batches, not arrays.

    >>> gives_batches(Dataset.range(3)), gives_batches([1, 2])
    (True, False)
    """
    if isinstance(x, (*_DATASETS, Iterator)):
        return True
    if isinstance(x, (str, bytes, list, tuple, dict)) or hasattr(x, "__array__"):
        return False
    return _is_sequence(x)


def _is_sequence(x: Any) -> bool:
    kind = type(x)
    return hasattr(kind, "__getitem__") and hasattr(kind, "__len__") and not hasattr(x, "shape")


def _described(x: Any) -> str:
    return "a Dataset" if isinstance(x, _DATASETS) else f"{type(x).__name__} {x!r:.60}"


def _batch_feed(x: Any, class_weight: Any) -> Feed:
    if isinstance(x, _DATASETS):
        size = int(x.cardinality())
        return Feed(lambda: _batches(x, class_weight), size if size >= 0 else None)
    if isinstance(x, Iterator):
        kept = _Replayed(x)
        return Feed(lambda: _batches(kept, class_weight), None)

    def items() -> Iterator[Any]:
        if hasattr(x, "on_epoch_begin"):
            x.on_epoch_begin()
        for index in range(len(x)):
            yield x[index]
        if hasattr(x, "on_epoch_end"):
            x.on_epoch_end()

    return Feed(lambda: _batches(map(_in_a_tuple, items()), class_weight), len(x))


def _in_a_tuple(item: Any) -> Any:
    # The batches of a sequence may be lists.
    return tuple(item) if isinstance(item, list) else item if isinstance(item, tuple) else (item,)


def _batches(items: Iterable[Any], class_weight: Any) -> Iterator[Batch]:
    made = _as_it_is if isinstance(items, _DATASETS) else as_arrays
    return (as_batch(item, class_weight, made) for item in items)


def _as_it_is(value: Any) -> Any:
    return value


def _array_feed(
    x: Any, y: Any, sample_weight: Any, batch_size: Any, shuffle: bool, class_weight: Any
) -> Feed:
    size = DEFAULT_BATCH_SIZE if batch_size is None else batch_size
    if isinstance(size, bool) or not isinstance(size, (int, np.integer)) or size < 1:
        raise ArgumentValueError(f"batch_size must be a whole number above 0, not {batch_size!r}")
    parts = as_batch((x, y, sample_weight), None, as_arrays)
    number = number_of_items(parts)
    parts = as_batch(parts, class_weight)
    if len(parts) == 1 and not isinstance(x, (tuple, list)):
        (parts,) = parts

    def begin() -> Iterator[Batch]:
        order = _shuffled(number) if shuffle else None
        for start in range(0, number, size):
            rows = slice(start, start + size)
            yield _rows(parts, rows if order is None else order[rows])

    return Feed(begin, -(-number // int(size)))


def _rows(parts: Batch, rows: Any) -> Batch:
    if type(parts) is tuple and all(type(each) is np.ndarray for each in parts):
        # This is quicker than a map over the structure.
        return tuple([each[rows] for each in parts])
    found: Batch = nest.map_structure(lambda array: array[rows], parts)
    return found


def _shuffled(number: int) -> Any:
    # With a global seed, Keras shuffles in the same order in all epochs and trainings.
    start = STREAMS.first(0)
    if start is not None:
        return permutation(start, number)
    seed: Any = uniform((), maxval=2**31 - 1, dtype="int32")
    return np.random.default_rng(int(seed)).permutation(number)


def specs_of(batch: Batch) -> Any:
    """Return the specs of a batch, with an unknown number of items.

    >>> specs_of((np.zeros((2, 3)),))
    (TensorSpec(shape=(None, 3), dtype=rt.float64, name=None),)
    """

    def spec(leaf: Any) -> Any:
        shape = leaf.shape if isinstance(leaf.shape, tuple) else leaf.shape.dims
        if not shape:
            raise ShapeError(
                "a dataset must give batches, and an element is one number: write dataset.batch(32)"
            )
        dtype = leaf.dtype if not isinstance(leaf, np.ndarray) else TensorSpec.of_array(leaf).dtype
        return TensorSpec((None, *shape[1:]), dtype or float32)

    return nest.map_structure(spec, batch)
