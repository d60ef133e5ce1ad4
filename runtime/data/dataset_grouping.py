"""`Dataset` methods that group elements by a key, a length or a class."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

from runtime.core.argument_checks import flag, listed
from runtime.core.dtypes import int64
from runtime.core.spec import TensorSpec
from runtime.core.tensor import TensorLike
from runtime.core.variant import VARIANT
from runtime.data.buffers import ItemsOfTensor
from runtime.data.dataset_base import DatasetBase, plain_seed
from runtime.data.dataset_batching import padded_shapes_of, padding_values_of, refuse_datasets
from runtime.data.element_spec import Element
from runtime.data.functions import ElementFunction, traced
from runtime.data.grouping import Bucketed, GroupedByKey
from runtime.data.sampling import Resampled
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops.arguments import static_int, static_value
from runtime.ops.convert import is_tensor_like, to_tensor
from runtime.ops.data.dataset_state import new_seeds

if TYPE_CHECKING:
    from typing_extensions import Self

_KEY = TensorSpec((), int64)


class GroupingMethods(DatasetBase):
    """Dataset methods that group elements by a function."""

    __slots__ = ()

    def group_by_window(
        self,
        key_func: Callable[..., object],
        reduce_func: Callable[..., object],
        window_size: SupportsIndex | None = None,
        window_size_func: Callable[..., object] | None = None,
        name: str | None = None,
    ) -> Self:
        """Return the elements of datasets that a function returns for groups with one key.

        Args:
            key_func: takes an element, returns an integer.
            reduce_func: takes a key, an int64 scalar, and a dataset of the elements of a group (the
                last groups may be smaller); returns a dataset.
            window_size: the number of elements in a group.
            window_size_func: takes a key and returns that number, in place of `window_size`.

        Raises:
            ArgumentValueError: both sizes are given, or neither, or a size is not positive.
            DTypeError: a key or a size is no integer, or `reduce_func` returns no dataset.

        >>> from runtime.data import Dataset
        >>> pairs = Dataset.range(5).group_by_window(
        ...     lambda n: n % 2, lambda key, group: group.batch(2), window_size=2
        ... )
        >>> [pair.numpy().tolist() for pair in pairs]
        [[0, 2], [1, 3], [4]]
        """
        if (window_size is None) == (window_size_func is None):
            raise ArgumentValueError(
                "group_by_window: give one of window_size and window_size_func"
            )
        key, own = traced(key_func, self._plan.element, "group_by_window")
        _check_integer(key, "group_by_window: key_func")
        size, of_size = _group_size(window_size, window_size_func)
        made: Any = type(self)
        group = made(ItemsOfTensor(self._plan.element), (VARIANT,))
        reduce, of_group = traced(reduce_func, Element((_KEY, group)), "group_by_window")
        inner = reduce.result.structure
        if not isinstance(inner, DatasetBase):
            raise DTypeError(f"group_by_window: reduce_func returns {inner}, not a dataset")
        plan = GroupedByKey(self._plan, key, size, reduce, inner._plan)
        return self._then(plan, *own, *of_size, *of_group)

    def bucket_by_sequence_length(
        self,
        element_length_func: Callable[..., object],
        bucket_boundaries: Sequence[TensorLike],
        bucket_batch_sizes: Sequence[TensorLike],
        padded_shapes: object = None,
        padding_values: TensorLike | None = None,
        pad_to_bucket_boundary: bool = False,
        no_padding: bool = False,
        drop_remainder: bool = False,
        name: str | None = None,
    ) -> Self:
        """Return batches of elements of similar length.

        Args:
            element_length_func: takes an element, returns its length, an integer.
            bucket_boundaries: the lengths at which the next bucket begins, in increasing order.
            bucket_batch_sizes: the batch size of each bucket, one more than there are boundaries.
            padded_shapes, padding_values, drop_remainder: as in `padded_batch`.
            pad_to_bucket_boundary: whether unknown sizes become the largest of the bucket.
            no_padding: whether elements are not padded; then each batch has elements of one shape.

        Raises:
            ArgumentValueError: the numbers of boundaries and sizes do not match; there are no
                boundaries, or they are not in order; a size is less than 1; with
                `pad_to_bucket_boundary`, an element is too long, which is raised when it is used.

        >>> from runtime.data import Dataset
        >>> from runtime.ops.arrays.creation import range as numbers
        >>> from runtime.ops.arrays.shape import size
        >>> rows = Dataset.from_tensor_slices([1, 4, 2]).map(numbers)
        >>> batches = rows.bucket_by_sequence_length(size, [3], [2, 1])
        >>> [batch.numpy().tolist() for batch in batches]
        [[[0, 1, 2, 3]], [[0, 0], [0, 1]]]
        """
        refuse_datasets(self._plan, "bucket_by_sequence_length")
        bounds = _whole_numbers(bucket_boundaries, "bucket_boundaries")
        sizes = _whole_numbers(bucket_batch_sizes, "bucket_batch_sizes")
        _check_buckets(bounds, sizes)
        length, own = traced(element_length_func, self._plan.element, "bucket_by_sequence_length")
        _check_integer(length, "bucket_by_sequence_length: element_length_func")
        shapes, values = None, []
        if not flag(no_padding, "no_padding"):
            shapes = padded_shapes_of(self._plan.element, padded_shapes)
            values = padding_values_of(self._plan.element, padding_values)
        fills = flag(pad_to_bucket_boundary, "pad_to_bucket_boundary")
        drops = flag(drop_remainder, "drop_remainder")
        plan = Bucketed(self._plan, length, bounds, sizes, shapes, fills, drops)
        return self._then(plan, *values, *own)

    def rejection_resample(
        self,
        class_func: Callable[..., object],
        target_dist: TensorLike,
        initial_dist: TensorLike | None = None,
        seed: TensorLike | None = None,
        name: str | None = None,
    ) -> Self:
        """Return pairs of a class and an element, resampled to given frequencies of the classes.

        Elements of too frequent classes are omitted at random.

        Args:
            class_func: takes an element, returns its class index.
            target_dist: the target frequency of each class.
            initial_dist: the actual frequency of each class; by default it is counted.
            seed: the seed of the choices, together with that of `rt.random.set_seed`.

        Raises:
            ArgumentValueError, ShapeError: the numbers are not frequencies, or not equally many; or
                a class has no frequency, which is raised when an element is used.

        >>> from runtime.data import Dataset
        >>> only = Dataset.range(20).rejection_resample(lambda n: n % 2, [0.0, 1.0])
        >>> {int(n) % 2 for _, n in only}
        {1}
        """
        function, own = traced(class_func, self._plan.element, "rejection_resample")
        _check_integer(function, "rejection_resample: class_func")
        wanted = _frequencies(target_dist, "target_dist")
        found = None if initial_dist is None else _frequencies(initial_dist, "initial_dist")
        if found is not None and len(found) != len(wanted):
            raise ShapeError(
                f"rejection_resample: target_dist has {len(wanted)} classes and initial_dist has "
                f"{len(found)}"
            )
        plan = Resampled(self._plan, function, wanted, found)
        return self._then(plan, new_seeds(plain_seed(seed), seed is None), *own)


def _check_integer(function: ElementFunction, what: str) -> None:
    made = function.result.structure
    is_one = isinstance(made, TensorSpec) and made.shape.rank in (None, 0)
    if not is_one or not made.dtype.is_integer:
        raise DTypeError(f"{what} must return one integer, not {made}")


def _group_size(
    size: Any, function: Callable[..., Any] | None
) -> tuple[int | ElementFunction, list[Any]]:
    if function is not None:
        made, own = traced(function, Element(_KEY), "group_by_window")
        _check_integer(made, "group_by_window: window_size_func")
        return made, own
    known = _known_int(size, "window_size")
    if known < 1:
        raise ArgumentValueError(f"group_by_window: window_size must be at least 1, not {known}")
    return known, []


def _known_int(value: Any, what: str) -> int:
    known = static_value(to_tensor(value)) if is_tensor_like(value) else value
    return static_int(value if known is None else known, what)


def _whole_numbers(given: Any, what: str) -> tuple[int, ...]:
    return tuple([_known_int(each, what) for each in listed(given, what)])


def _check_buckets(bounds: tuple[int, ...], sizes: tuple[int, ...]) -> None:
    if len(sizes) != len(bounds) + 1:
        raise ArgumentValueError(
            f"bucket_by_sequence_length: {len(bounds)} boundaries make {len(bounds) + 1} buckets, "
            f"and bucket_batch_sizes has {len(sizes)}"
        )
    if not bounds or list(bounds) != sorted({*bounds}):
        raise ArgumentValueError(
            f"bucket_by_sequence_length: bucket_boundaries must increase, not {list(bounds)}"
        )
    if min(sizes) < 1:
        raise ArgumentValueError(
            f"bucket_by_sequence_length: bucket_batch_sizes must be at least 1, not {list(sizes)}"
        )


def _frequencies(given: Any, what: str) -> tuple[float, ...]:
    array = static_value(to_tensor(given))
    if array is None or array.ndim != 1 or array.dtype.kind not in "fiu" or not array.size:
        raise ShapeError(f"rejection_resample: {what} must be a list of numbers, not {given!r}")
    found = [float(each) for each in array]
    if min(found) < 0 or not any(found):
        raise ArgumentValueError(
            f"rejection_resample: {what} must be at least 0 and not all 0, not {found}"
        )
    return tuple(each / sum(found) for each in found)
