"""Loop sources: the ways in which a staged `for` iterates, by an index or a hidden state.

An iterable with an item for every index is `Indexed`. One that drops items, as `filter` does, has
iterations without an item.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, NamedTuple

import runtime as rt
from autograph.backends.graph.values.infinite_ranges import CountRange
from autograph.backends.graph.values.iterables import SymbolicRange, as_weak, length
from runtime.graph.capture import TensorAlias
from runtime.ops.convert import NUMPYS, weakly

Hidden = Sequence[rt.Tensor]
Functions = tuple[Callable[..., object], ...]


class Iteration(NamedTuple):
    """One iteration.

    Attributes:
        item: returns the item; called once, where the item is used.
        following: returns the hidden variables of the next iteration.
        has_item: a scalar bool tensor that says whether the iteration has an item; None if it
            always has.
    """

    item: Callable[[], object]
    following: Callable[[], Hidden]
    has_item: rt.Tensor | None = None


class LoopSource(NamedTuple):
    """An iteration scheme: the hidden state, the test and the next iteration.

    Attributes:
        hidden: the loop variables that the user does not see, before the first iteration.
        more: `more(hidden)` -> whether there is another iteration.
        iteration: `iteration(hidden)` -> that iteration.
        functions: the user's functions that the iterations call.
        at_end: `at_end(hidden)` receives the hidden variables after the loop.
        draws: whether `more` takes the next item, so that it may be called only if the loop goes
            on.
        is_item: whether the hidden variable is the item, as that of a range is.
    """

    hidden: Hidden
    more: Callable[[Hidden], rt.Tensor]
    iteration: Callable[[Hidden], Iteration]
    functions: Functions = ()
    at_end: Callable[[Hidden], object] = lambda hidden: None
    draws: bool = False
    is_item: bool = False

    def more_if(self, goes_on: Callable[[], Any], hidden: Hidden) -> rt.Tensor:
        """Return whether `goes_on()` holds and there is another iteration."""
        if self.draws:
            return rt.cond(goes_on(), lambda: self.more(hidden), lambda: rt.constant(False))
        more = self.more(hidden)
        return rt.logical_and(goes_on(), more)


class Indexed(NamedTuple):
    """An iterable with an item for every index below the smallest of `counts`.

    Attributes:
        counts: lengths, Python ints where they are known; functions for lists that may grow during
            the loop.
        at: `at(index)` -> the item there.
        functions: the user's functions that `at` calls.
    """

    counts: tuple[object, ...]
    at: Callable[[rt.Tensor], object]
    functions: Functions = ()

    def has(self, index: Any) -> rt.Tensor:
        """Return whether there is an item at `index`."""
        return reduce(rt.logical_and, [rt.less(index, current_count(each)) for each in self.counts])


def current_count(count: Any) -> Any:
    """Return the current value of a length of `Indexed`."""
    return count() if callable(count) else count


def indexed_rows(values: Any) -> Indexed:
    """Return the rows of a tensor, a Variable or a range.

    Raises:
        StagedIterationError: for a scalar.
    """
    if isinstance(values, SymbolicRange):
        numbers = values.tensor()
        return Indexed((length(numbers),), lambda index: as_weak(rt.gather(numbers, index)))
    if isinstance(values, TensorAlias) and values.shape.rank != 1:
        # A row is a view: the body may change the array through it.
        return Indexed((length(values),), values.__getitem__, (lambda: values,))
    tensor = rt.convert_to_tensor(values)
    weak: Any = NUMPYS if isinstance(values, TensorAlias) else False
    return Indexed((length(tensor),), lambda index: weakly(rt.gather(tensor, index), weak))


def indexed_source(
    indexed: Indexed, start: Any = 0, at_end: Callable[[Hidden], object] = lambda hidden: None
) -> LoopSource:
    """Return the loop source of an indexed iterable, from index `start` on."""
    first = start if isinstance(start, rt.Tensor) else rt.constant(start)

    def iteration(hidden: Hidden) -> Iteration:
        (index,) = hidden
        return Iteration(lambda: indexed.at(index), lambda: [rt.add(index, 1)])

    return LoopSource(
        [as_weak(first)],
        lambda hidden: indexed.has(hidden[0]),
        iteration,
        indexed.functions,
        at_end,
    )


def source_over_range(numbers: SymbolicRange) -> LoopSource:
    """Return the loop source of a range: the number itself is the hidden variable."""
    dtype, stop, step = numbers.dtype, numbers.stop, numbers.step

    def more(hidden: Hidden) -> rt.Tensor:
        (number,) = hidden
        if not isinstance(step, rt.Tensor):
            return rt.less(number, stop) if step > 0 else rt.greater(number, stop)
        rising = rt.logical_and(rt.greater(step, 0), rt.less(number, stop))
        return rt.logical_or(rising, rt.logical_and(rt.less(step, 0), rt.greater(number, stop)))

    def iteration(hidden: Hidden) -> Iteration:
        (number,) = hidden
        return Iteration(lambda: number, lambda: [rt.add(number, step)])

    return LoopSource([_first_number(numbers.start, dtype)], more, iteration, is_item=True)


def source_over_count(numbers: CountRange) -> LoopSource:
    """Return the loop source of infinite numbers: each is the hidden variable of its iteration."""

    def iteration(hidden: Hidden) -> Iteration:
        (number,) = hidden
        return Iteration(lambda: number, lambda: [numbers.after(number)])

    always = lambda hidden: rt.constant(True)  # noqa: E731
    return LoopSource([numbers.first()], always, iteration, is_item=True)


def _first_number(start: Any, dtype: rt.DType) -> rt.Tensor:
    # The numbers of a Python range are Python ints: they adapt to the tensors they meet.
    is_tensor = isinstance(start, rt.Tensor)
    return as_weak(rt.cast(start, dtype) if is_tensor else rt.constant(start, dtype))
