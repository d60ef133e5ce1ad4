"""The names of `tf.data.experimental` that older programs use.

dataset.apply(rt.data.experimental.unbatch())    is    dataset.unbatch()
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Any, SupportsIndex, TypeAlias

from runtime.core.lazy_imports import own_names
from runtime.core.tensor import Tensor, TensorLike
from runtime.data.counting import AssertedSize
from runtime.data.dataset import Dataset
from runtime.data.dataset_base import number
from runtime.data.iterator import Iterator
from runtime.data.optional import Optional
from runtime.errors import ArgumentValueError, DTypeError, OutOfRangeError
from runtime.ops.arguments import static_int
from runtime.ops.convert import to_tensor

Applied: TypeAlias = "Callable[[Dataset], Dataset]"

AUTOTUNE = -1

sample_from_datasets = Dataset.sample_from_datasets
Counter = Dataset.counter


class AutoShardPolicy(IntEnum):
    """A sharding policy; it has no effect, because there is one worker.

    >>> AutoShardPolicy.OFF.name, int(AutoShardPolicy.DATA)
    ('OFF', 2)
    """

    OFF = -1
    AUTO = 0
    FILE = 1
    DATA = 2
    HINT = 3


def _later(method: str, *args: Any, **kwargs: Any) -> Applied:
    """Return a function that calls a method of the dataset it is applied to."""

    def applied(dataset: Dataset) -> Dataset:
        if not isinstance(dataset, Dataset):
            raise DTypeError(f"{method} takes a dataset, not {dataset!r}")
        found: Dataset = getattr(dataset, method)(*args, **kwargs)
        return found

    return applied


def _dataset(given: Any, name: str) -> Dataset:
    if not isinstance(given, Dataset):
        raise DTypeError(f"{name} takes a dataset, not {given!r}")
    return given


def assert_cardinality(expected_cardinality: Any) -> Applied:
    """Return a function that asserts a dataset's number of elements, for `Dataset.apply`.

    Raises:
        FailedPreconditionError: the number is wrong; raised where the dataset ends, or goes on
            after this number.

    >>> few = Dataset.range(9).filter(lambda n: n < 2).apply(assert_cardinality(2))
    >>> len(few)
    2
    """
    known, own = number(expected_cardinality, "expected_cardinality")

    def applied(dataset: Dataset) -> Dataset:
        found = _dataset(dataset, "assert_cardinality")
        return found._then(AssertedSize(found.plan, known), *own)

    return applied


def at(dataset: Dataset, index: SupportsIndex) -> Any:
    """Return the element at an index.

    Raises:
        OutOfRangeError: there are fewer elements.

    >>> int(at(Dataset.range(5), 2))
    2
    """
    wanted = static_int(index, "index")
    for element in _dataset(dataset, "at").skip(wanted).take(1) if wanted >= 0 else ():
        return element
    raise OutOfRangeError(f"at: the dataset has no element {wanted}")


def bucket_by_sequence_length(
    element_length_func: Callable[..., Any],
    bucket_boundaries: Sequence[TensorLike],
    bucket_batch_sizes: Sequence[TensorLike],
    padded_shapes: Any = None,
    padding_values: TensorLike | None = None,
    pad_to_bucket_boundary: bool = False,
    no_padding: bool = False,
    drop_remainder: bool = False,
) -> Applied:
    """Return `Dataset.bucket_by_sequence_length` with these arguments, for `Dataset.apply`.

    >>> import autograph.runtime as rt
    >>> rows = Dataset.range(1, 4).map(lambda n: rt.range(n))
    >>> batches = rows.apply(bucket_by_sequence_length(lambda row: rt.size(row), [2], [2, 2]))
    >>> [batch.numpy().tolist() for batch in batches]
    [[[0, 1, 0], [0, 1, 2]], [[0]]]
    """
    return _later(
        "bucket_by_sequence_length",
        *(element_length_func, bucket_boundaries, bucket_batch_sizes, padded_shapes),
        *(padding_values, pad_to_bucket_boundary, no_padding, drop_remainder),
    )


def cardinality(dataset: Dataset) -> Tensor:
    """Return the number of elements of a dataset, as `Dataset.cardinality` does.

    >>> int(cardinality(Dataset.range(3)))
    3
    """
    return _dataset(dataset, "cardinality").cardinality()


def enumerate_dataset(start: TensorLike = 0) -> Applied:
    """Return `Dataset.enumerate` from a start on, for `Dataset.apply`.

    >>> pairs = Dataset.from_tensor_slices([7, 8]).apply(enumerate_dataset(start=1))
    >>> [(int(at), int(x)) for at, x in pairs]
    [(1, 7), (2, 8)]
    """
    return _later("enumerate", start)


def from_list(elements: Sequence[TensorLike], name: str | None = None) -> Dataset:
    """Return a dataset of the elements of a list, which have one structure.

    Raises:
        ArgumentValueError: there are none, or their structures differ.

    >>> [int(a + b) for a, b in from_list([(1, 2), (3, 4)])]
    [3, 7]
    """
    if not isinstance(elements, (list, tuple)) or not elements:
        raise ArgumentValueError(f"from_list takes a list with elements in it, not {elements!r}")
    first = elements[0]
    if not isinstance(first, (tuple, dict)):
        return Dataset.from_tensor_slices([to_tensor(each) for each in elements])
    if any(type(each) is not type(first) or len(each) != len(first) for each in elements):
        raise ArgumentValueError("from_list: the elements are not of one structure")
    if isinstance(first, dict):
        return Dataset.zip({key: from_list([each[key] for each in elements]) for key in first})
    return Dataset.zip(tuple(from_list(column) for column in zip(*elements)))


def get_next_as_optional(iterator: Iterator) -> Optional:
    """Return the next element of an iterator, or an empty Optional.

    >>> bool(get_next_as_optional(iter(Dataset.range(0))).has_value())
    False
    """
    if not isinstance(iterator, Iterator):
        raise DTypeError(f"get_next_as_optional takes an iterator, not {iterator!r}")
    return iterator.get_next_as_optional()


def get_single_element(dataset: Dataset) -> Any:
    """Return the only element, as `Dataset.get_single_element` does.

    Raises:
        InvalidArgumentError: there is none, or more than one.

    >>> int(get_single_element(Dataset.from_tensors(3)))
    3
    """
    return _dataset(dataset, "get_single_element").get_single_element()


def get_structure(dataset_or_iterator: Any) -> Any:
    """Return the element spec of a dataset or iterator.

    >>> get_structure(Dataset.range(3))
    TensorSpec(shape=(), dtype=rt.int64, name=None)
    """
    if not hasattr(dataset_or_iterator, "element_spec"):
        raise DTypeError(f"get_structure takes a dataset, not {dataset_or_iterator!r}")
    return dataset_or_iterator.element_spec


def group_by_window(
    key_func: Callable[..., Any],
    reduce_func: Callable[..., Any],
    window_size: SupportsIndex | None = None,
    window_size_func: Callable[..., Any] | None = None,
) -> Applied:
    """Return `Dataset.group_by_window` with these arguments, for `Dataset.apply`.

    >>> even_and_odd = group_by_window(lambda n: n % 2, lambda key, rows: rows.batch(3), 3)
    >>> [each.numpy().tolist() for each in Dataset.range(5).apply(even_and_odd)]
    [[0, 2, 4], [1, 3]]
    """
    return _later("group_by_window", key_func, reduce_func, window_size, window_size_func)


def ignore_errors(log_warning: bool = False) -> Applied:
    """Return `Dataset.ignore_errors`, for `Dataset.apply`.

    >>> inverses = Dataset.from_tensor_slices([2, 0, 4]).map(lambda n: 8 // n)
    >>> [int(n) for n in inverses.apply(ignore_errors())]
    [4, 2]
    """
    return _later("ignore_errors", log_warning)


def map_and_batch(
    map_func: Callable[..., Any],
    batch_size: SupportsIndex,
    num_parallel_batches: Any = None,
    drop_remainder: bool = False,
    num_parallel_calls: SupportsIndex | None = None,
) -> Applied:
    """Return `Dataset.map` and then `Dataset.batch`, for `Dataset.apply`.

    >>> rows = Dataset.range(4).apply(map_and_batch(lambda n: n * n, 2))
    >>> [row.numpy().tolist() for row in rows]
    [[0, 1], [4, 9]]
    """
    return lambda dataset: (
        _dataset(dataset, "map_and_batch").map(map_func).batch(batch_size, drop_remainder)
    )


def parallel_interleave(
    map_func: Callable[..., Any],
    cycle_length: SupportsIndex,
    block_length: SupportsIndex = 1,
    sloppy: bool = False,
    buffer_output_elements: Any = None,
    prefetch_input_elements: Any = None,
) -> Applied:
    """Return `Dataset.interleave` with these arguments, for `Dataset.apply`.

    >>> both = Dataset.range(2).apply(
    ...     parallel_interleave(lambda n: Dataset.from_tensors(n).repeat(2), cycle_length=2)
    ... )
    >>> [int(n) for n in both]
    [0, 1, 0, 1]
    """
    return _later("interleave", map_func, cycle_length, block_length)


def prefetch_to_device(device: str, buffer_size: SupportsIndex | None = None) -> Applied:
    """Return `Dataset.prefetch`, for `Dataset.apply`; there is one device.

    >>> [int(n) for n in Dataset.range(2).apply(prefetch_to_device("/CPU:0"))]
    [0, 1]
    """
    return _later("prefetch", buffer_size)


def choose_from_datasets(
    datasets: Any, choice_dataset: Any, stop_on_empty_dataset: bool = False
) -> Dataset:
    """Return `Dataset.choose_from_datasets`, which by default continues after one of them ends.

    >>> numbers = [Dataset.range(2), Dataset.range(10, 12)]
    >>> choices = Dataset.from_tensor_slices([1, 0, 0]).map(lambda n: n + 0)
    >>> [int(n) for n in choose_from_datasets(numbers, choices)]
    [10, 0, 1]
    """
    return Dataset.choose_from_datasets(datasets, choice_dataset, stop_on_empty_dataset)


def RandomDataset(
    seed: int | None = None,
    rerandomize_each_iteration: bool | None = None,
    name: str | None = None,
) -> Dataset:
    """Return random numbers, as `Dataset.random` does.

    >>> same = [[int(n) for n in RandomDataset(seed=3).take(2)] for _ in range(2)]
    >>> same[0] == same[1]
    True
    """
    return Dataset.random(seed, rerandomize_each_iteration, name)


def rejection_resample(
    class_func: Callable[..., Any],
    target_dist: TensorLike,
    initial_dist: TensorLike | None = None,
    seed: Any = None,
) -> Applied:
    """Return `Dataset.rejection_resample` with these arguments, for `Dataset.apply`.

    >>> few = Dataset.range(100).map(lambda n: n % 2)
    >>> pairs = few.apply(rejection_resample(lambda n: n, [0.0, 1.0], [0.5, 0.5], seed=1))
    >>> {int(label) for label, n in pairs}
    {1}
    """
    return _later("rejection_resample", class_func, target_dist, initial_dist, seed)


def scan(initial_state: Any, scan_func: Callable[..., Any]) -> Applied:
    """Return `Dataset.scan` with these arguments, for `Dataset.apply`.

    >>> sums = scan(to_tensor(0, "int64"), lambda total, n: (total + n, total + n))
    >>> [int(n) for n in Dataset.range(1, 5).apply(sums)]
    [1, 3, 6, 10]
    """
    return _later("scan", initial_state, scan_func)


def shuffle_and_repeat(
    buffer_size: SupportsIndex, count: SupportsIndex | None = None, seed: Any = None
) -> Applied:
    """Return `Dataset.shuffle` and then `Dataset.repeat`, for `Dataset.apply`.

    >>> sorted(int(n) for n in Dataset.range(3).apply(shuffle_and_repeat(3, count=2, seed=1)))
    [0, 0, 1, 1, 2, 2]
    """
    return lambda dataset: (
        _dataset(dataset, "shuffle_and_repeat").shuffle(buffer_size, seed).repeat(count)
    )


def take_while(predicate: Callable[..., Any]) -> Applied:
    """Return `Dataset.take_while` with this function, for `Dataset.apply`.

    >>> [int(n) for n in Dataset.range(9).apply(take_while(lambda n: n < 3))]
    [0, 1, 2]
    """
    return _later("take_while", predicate)


def unbatch() -> Applied:
    """Return `Dataset.unbatch`, for `Dataset.apply`.

    >>> [int(n) for n in Dataset.range(4).batch(2).apply(unbatch())]
    [0, 1, 2, 3]
    """
    return _later("unbatch")


def unique() -> Applied:
    """Return `Dataset.unique`, for `Dataset.apply`.

    >>> [int(n) for n in Dataset.from_tensor_slices([1, 2, 1]).apply(unique())]
    [1, 2]
    """
    return _later("unique")


__dir__ = own_names(__name__, "AUTOTUNE", "Counter", "sample_from_datasets")
