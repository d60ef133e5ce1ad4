"""`Dataset` methods that map, filter, reduce and count elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, SupportsIndex

from runtime.core.argument_checks import flag
from runtime.core.context import current_recorder
from runtime.core.files import StrPath
from runtime.core.random_streams import RandomStreamIterator
from runtime.core.tensor import EagerTensor, TensorLike
from runtime.data.caching import Cached
from runtime.data.counting import Enumerated
from runtime.data.dataset_base import DatasetBase, number, plain_seed, whole_number
from runtime.data.element_spec import Element
from runtime.data.functions import traced, traced_test
from runtime.data.map_and_filter import Filtered, Mapped, Scanned, TakenWhile
from runtime.data.options import IgnoringErrors, Options, WithOptions, options_of
from runtime.data.plan import UNKNOWN
from runtime.data.reductions import Fold
from runtime.data.repetition import Repeated
from runtime.data.shuffling import Shuffled
from runtime.data.slicing import Sharded, Skipped, Taken
from runtime.data.unique import Unique
from runtime.errors import (
    ArgumentValueError,
    DTypeError,
    FailedPreconditionError,
    UnimplementedError,
)
from runtime.graph.structured_control_flow import while_loop
from runtime.ops.data import datasets as ops
from runtime.ops.data.dataset_state import new_seeds, new_store
from runtime.ops.effects.checks import check
from runtime.ops.elementwise.logic import logical_not

if TYPE_CHECKING:
    from typing_extensions import Self


class ElementwiseMethods(DatasetBase):
    """Dataset methods that map, filter, reduce and count elements."""

    __slots__ = ()

    def map(
        self,
        map_func: Callable[..., object],
        num_parallel_calls: SupportsIndex | None = None,
        deterministic: bool | None = None,
        synchronous: bool | None = None,
        use_unbounded_threadpool: bool = False,
        name: str | None = None,
    ) -> Self:
        """Return the dataset of a function's results, one for each element.

        Args:
            map_func: takes an element, a tuple as several arguments, and returns tensors, or tuples
                and dicts of them. It is traced once, now, and runs for each element; for many
                at once if the results are the same.
            num_parallel_calls, deterministic, synchronous, use_unbounded_threadpool: no effect
                here.
        """
        function, operands = traced(map_func, self._plan.element, "map")
        return self._then(Mapped(self._plan, function), *operands)

    def filter(self, predicate: Callable[..., TensorLike], name: str | None = None) -> Self:
        """Return the elements for which a predicate is true; it is traced once, now.

        >>> from runtime.data import Dataset
        >>> [int(number) for number in Dataset.range(6).filter(lambda number: number % 2 == 0)]
        [0, 2, 4]
        """
        function, operands = traced_test(predicate, self._plan.element)
        return self._then(Filtered(self._plan, function), *operands)

    def take_while(self, predicate: Callable[..., TensorLike], name: str | None = None) -> Self:
        """Return the elements before the first one for which a predicate is false.

        >>> from runtime.data import Dataset
        >>> [int(number) for number in Dataset.range(6).take_while(lambda number: number < 2)]
        [0, 1]
        """
        function, operands = traced_test(predicate, self._plan.element, "take_while")
        return self._then(TakenWhile(self._plan, function), *operands)

    def take(self, count: SupportsIndex, name: str | None = None) -> Self:
        """Return the first `count` elements; all of them for a negative number."""
        known, own = number(count, "count")
        return self._then(Taken(self._plan, known), *own)

    def skip(self, count: SupportsIndex, name: str | None = None) -> Self:
        """Return the elements after the first `count`; a negative number skips all of them."""
        known, own = number(count, "count")
        return self._then(Skipped(self._plan, known), *own)

    def repeat(self, count: SupportsIndex | None = None, name: str | None = None) -> Self:
        """Return the elements `count` times; without an end for None or a negative number."""
        known, own = number(-1 if count is None else count, "count")
        return self._then(Repeated(self._plan, known), *own)

    def enumerate(self, start: TensorLike = 0, name: str | None = None) -> Self:
        """Return pairs of an int64 number and an element; the first number is `start`."""
        known, own = number(start, "start")
        return self._then(Enumerated(self._plan, known), *own)

    def shard(
        self, num_shards: SupportsIndex, index: SupportsIndex, name: str | None = None
    ) -> Self:
        """Return every `num_shards`-th element, from the element number `index` on.

        Raises:
            ArgumentValueError: `index` is not one of `num_shards`.

        >>> from runtime.data import Dataset
        >>> [int(number) for number in Dataset.range(7).shard(3, 1)]
        [1, 4]
        """
        parts, at = number(num_shards, "num_shards")[0], number(index, "index")[0]
        if parts is not None and parts < 1:
            raise ArgumentValueError(f"shard: num_shards must be at least 1, not {parts}")
        if parts is not None and at is not None and not 0 <= at < parts:
            raise ArgumentValueError(f"shard: index {at} is not in [0, {parts})")
        own = (whole_number(num_shards, "num_shards"), whole_number(index, "index"))
        return self._then(Sharded(self._plan), *own)

    def shuffle(
        self,
        buffer_size: SupportsIndex,
        seed: TensorLike | None = None,
        reshuffle_each_iteration: bool | None = None,
        name: str | None = None,
    ) -> Self:
        """Return the elements in random order.

        Args:
            buffer_size: the number of elements that the next one is drawn from; all of them for
                `rt.data.UNKNOWN_CARDINALITY`.
            seed: the seed of the order, together with that of `rt.random.set_seed`.
            reshuffle_each_iteration: whether each iteration (and each repetition by `repeat`) has
                a different order; true by default.

        >>> from runtime.data import Dataset
        >>> sorted(int(number) for number in Dataset.range(4).shuffle(4))
        [0, 1, 2, 3]
        """
        known, own = number(buffer_size, "buffer_size")
        if known is not None and known < 1 and known != UNKNOWN:
            raise ArgumentValueError(f"shuffle: buffer_size must be at least 1, not {known}")
        changes = reshuffle_each_iteration is None or flag(
            reshuffle_each_iteration, "reshuffle_each_iteration"
        )
        seeds = new_seeds(plain_seed(seed), changes)
        return self._then(Shuffled(self._plan, known), seeds, *own)

    def cache(self, filename: StrPath = "", name: str | None = None) -> Self:
        """Return the elements, which are stored in memory by the first complete iteration.

        Raises:
            UnimplementedError: `filename` is given.
        """
        if not isinstance(filename, str) or filename:
            raise UnimplementedError("cache keeps elements in memory only: leave filename out")
        return self._then(Cached(self._plan), new_store())

    def prefetch(self, buffer_size: SupportsIndex | None = None, name: str | None = None) -> Self:
        """Return the same elements; each is computed on demand.

        Another thread would save no time, since Python runs one thread at a time.
        """
        known, _ = number(-1 if buffer_size is None else buffer_size, "buffer_size")
        if known is not None and known < -1:
            raise ArgumentValueError(
                f"prefetch: buffer_size must be 0 or more, or AUTOTUNE, not {known}"
            )
        return self._then(WithOptions(self._plan, Options()))

    def unique(self, name: str | None = None) -> Self:
        """Return each distinct element at its first occurrence.

        >>> from runtime.data import Dataset
        >>> [int(number) for number in Dataset.from_tensor_slices([2, 7, 2]).unique()]
        [2, 7]
        """
        return self._then(Unique(self._plan))

    def scan(
        self, initial_state: object, scan_func: Callable[..., object], name: str | None = None
    ) -> Self:
        """Return the outputs of a function of each element and a state that it passes on.

        Args:
            initial_state: the state before the first element: tensors in tuples and dicts.
            scan_func: takes the state and an element; returns the next state and an output.

        >>> from runtime.data import Dataset
        >>> sums = Dataset.range(4).scan(0, lambda total, n: (total + n, total + n))
        >>> [int(total) for total in sums]
        [0, 1, 3, 6]
        """
        fold = Fold(scan_func, initial_state, self._plan.element, "scan")
        plan = Scanned(self._plan, fold.function, len(fold.state), fold.made)
        return self._then(plan, *fold.state, *fold.operands)

    def reduce(
        self, initial_state: object, reduce_func: Callable[..., object], name: str | None = None
    ) -> Any:
        """Return the result of a function that combines all elements, one after the other.

        Args:
            initial_state: tensors in tuples and dicts; the result if there are no elements.
            reduce_func: takes its last result and an element (a tuple is one argument).

        >>> from runtime.data import Dataset
        >>> Dataset.range(5).reduce(0, lambda total, n: total + n)
        <rt.Tensor: shape=(), dtype=int64, numpy=10>
        """
        fold = Fold(reduce_func, initial_state, self._plan.element, "reduce")
        if current_recorder() is not None:
            return self._reduced_by_graph(fold)
        kept = tuple([_array(tensor) for tensor in fold.state])
        items = self._plan.start([_array(tensor) for tensor in self._tensors])
        for item in RandomStreamIterator(items):
            kept = fold.function((*kept, *item), ())
        return fold.kind.packed(list(map(EagerTensor, kept)))

    def _reduced_by_graph(self, fold: Fold) -> Any:
        element: Element = self._plan.element

        def body(place: Any, *kept: Any) -> list[Any]:
            after = fold.function.recorded([*kept, *ops.item_at(place, element.specs)])
            return [ops.position_after(place), *after]

        first = ops.begin(self._plan, self._tensors)
        shapes = [first.shape, *(spec.shape for spec in fold.kind.specs)]
        more = lambda place, *kept: ops.has_item(place)  # noqa: E731
        _, *kept = while_loop(more, body, [first, *fold.state], shapes)
        return fold.kind.packed(kept)

    def get_single_element(self, name: str | None = None) -> Any:
        """Return the only element.

        Raises:
            InvalidArgumentError: there is no element, or more than one.

        >>> from runtime.data import Dataset
        >>> Dataset.range(3).batch(3).get_single_element()
        <rt.Tensor: shape=(3,), dtype=int64, numpy=array([0, 1, 2])>
        """
        place = ops.begin(self._plan, self._tensors)
        words = "get_single_element: the dataset is empty"
        check(ops.has_item(place), ArgumentValueError, words)
        element = self._plan.element
        item = ops.item_at(place, element.specs)
        words = "get_single_element: the dataset has more than one element"
        more = ops.has_item(ops.position_after(place))
        check(logical_not(more), ArgumentValueError, words)
        return element.packed(list(item))

    def ignore_errors(self, log_warning: bool = False, name: str | None = None) -> Self:
        """Return the elements without those whose computation raises an error.

        Args:
            log_warning: whether each omitted element causes a Python warning.
        """
        return self._then(IgnoringErrors(self._plan, flag(log_warning, "log_warning")))

    def apply(self, transformation_func: Callable[..., Any], name: str | None = None) -> Any:
        """Return a function's result for the whole dataset, not for its elements."""
        if not callable(transformation_func):
            raise DTypeError(f"apply takes a function, not {transformation_func!r}")
        made = transformation_func(self)
        if not isinstance(made, DatasetBase):
            raise DTypeError(f"apply: the function returns {made!r}, not a dataset")
        return made

    def options(self) -> Options:
        """Return a copy of the options that `with_options` has set."""
        return options_of(self._plan)

    def with_options(self, options: Options, name: str | None = None) -> Self:
        """Return the same elements; the options are stored but have no effect."""
        if not isinstance(options, Options):
            raise DTypeError(f"with_options takes rt.data.Options, not {options!r}")
        return self._then(WithOptions(self._plan, options.copy()))


def _array(tensor: Any) -> Any:
    if not isinstance(tensor, EagerTensor):
        raise FailedPreconditionError(f"{tensor} has a value only in its graph")
    return tensor._array
