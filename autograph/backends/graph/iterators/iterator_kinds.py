"""Staged iterators of the builtins `zip`, `enumerate`, `map`, `reversed` and `filter`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import runtime as rt
from autograph.backends.graph.control.callback_loops import fold_watched
from autograph.backends.graph.control.conditional import staged_choice
from autograph.backends.graph.control.loop_source import (
    Hidden,
    Indexed,
    Iteration,
    LoopSource,
    current_count,
    indexed_source,
)
from autograph.backends.graph.iterators.iterator_parts import has_dynamic_length, is_tensor
from autograph.backends.graph.iterators.staged_iterators import (
    AT_END,
    DatasetIterator,
    StagedIterator,
)
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.values.iterables import as_weak
from autograph.backends.graph.values.truth import truth
from autograph.errors import StagedIterationError
from autograph.operators.user_classes import type_name
from runtime.data.base_types import AnyDataset
from runtime.errors import with_article
from runtime.ops.effects.checks import check


class StagedZip(StagedIterator):
    """`zip(a, b, ..., strict=)`: as long as the shortest, or an error if they differ."""

    name = "zip"

    def __init__(self, parts: Sequence[object], strict: bool = False) -> None:
        super().__init__(parts)
        self.strict = strict

    def python(self, parts: list[Iterator[Any]]) -> Iterator[Any]:
        return zip(*parts, strict=self.strict)

    def items_at(self, parts: Sequence[Any]) -> object:
        return tuple(parts)

    def indexed(self) -> Indexed:
        iterators = [part for part in self.parts if isinstance(part, StagedIterator)]
        if len({id(part) for part in iterators}) < len(iterators):
            raise StagedIterationError(
                "zip() of an iterator with itself takes from it in turns, which a graph cannot: "
                "write zip(t[0::2], t[1::2]) with the tensor",
                user_location(),
            )
        return super().indexed()

    def _end_loop(self, hidden: Hidden) -> None:
        super()._end_loop(hidden)
        if self.strict:
            self._check_lengths(hidden[0])

    def _check_lengths(self, position: rt.Tensor) -> None:
        counts = [current_count(count) for count in self.indexed().counts]
        at_end = rt.logical_not(self.indexed().has(position))
        for number, count in enumerate(counts[1:], 2):
            others = "argument 1" if number == 2 else f"arguments 1-{number - 1}"
            for differs, word in ((rt.less, "shorter"), (rt.greater, "longer")):
                wrong = rt.logical_and(at_end, differs(rt.convert_to_tensor(count), counts[0]))
                message = f"zip() argument {number} is {word} than {others}"
                check(rt.logical_not(wrong), ValueError, message)


class StagedEnumerate(StagedIterator):
    """`enumerate(values, start)`."""

    name = "enumerate"

    def __init__(self, values: object, start: Any = 0) -> None:
        super().__init__([values])
        self.start = start

    def python(self, parts: list[Iterator[Any]]) -> Iterator[Any]:
        if not isinstance(self.start, rt.Tensor):
            return enumerate(parts[0], self.start)
        return ((rt.add(self.start, k), item) for k, item in enumerate(parts[0]))

    def indexed(self) -> Indexed:
        inner = super().indexed()

        def at(index: rt.Tensor) -> object:
            return (rt.add(index, self.start), inner.at(index))

        return Indexed(inner.counts, at, inner.functions)

    def source_over(self, inner: LoopSource) -> LoopSource:
        def iteration(hidden: Hidden) -> Iteration:
            *before, place = hidden
            given = inner.iteration(before)
            step = 1 if given.has_item is None else rt.cast(given.has_item, place.dtype)
            return Iteration(
                lambda: (place, given.item()),
                lambda: [*given.following(), as_weak(rt.add(place, step))],
                given.has_item,
            )

        first = as_weak(rt.convert_to_tensor(self.start))
        more = lambda hidden: inner.more(hidden[:-1])  # noqa: E731
        at_end = lambda hidden: inner.at_end(hidden[:-1])  # noqa: E731
        return LoopSource(
            [*inner.hidden, first], more, iteration, inner.functions, at_end, inner.draws
        )


class StagedMap(StagedIterator):
    """`map(function, a, b, ...)`."""

    name = "map"

    def __init__(self, function: Callable[..., object], *parts: object) -> None:
        super().__init__(parts)
        self.function, self.functions = function, (function,)

    def python(self, parts: list[Iterator[Any]]) -> Iterator[Any]:
        return map(self.function, *parts)

    def items_at(self, parts: Sequence[Any]) -> object:
        return self.function(*parts)

    def source_over(self, inner: LoopSource) -> LoopSource:
        def iteration(hidden: Hidden) -> Iteration:
            given = inner.iteration(hidden)
            return Iteration(lambda: self.function(given.item()), given.following, given.has_item)

        return inner._replace(iteration=iteration, functions=(*self.functions, *inner.functions))


class StagedReversed(StagedIterator):
    """`reversed(t)` of a tensor, range or list."""

    name = "reversed"

    def python(self, parts: list[Iterator[Any]]) -> Iterator[Any]:
        return reversed(list(parts[0]))

    def indexed(self) -> Indexed:
        inner = super().indexed()
        count = current_count(*inner.counts)

        def at(index: rt.Tensor) -> object:
            return inner.at(rt.subtract(rt.subtract(count, 1), index))

        return Indexed(inner.counts, at)


class StagedFilter(StagedIterator):
    """`filter(function, values)`: only a run knows the number of its items."""

    name = "filter"
    is_indexed = False

    def __init__(self, function: Callable[..., object] | None, values: object) -> None:
        super().__init__([values])
        self.function = function
        self.functions = () if function is None else (function,)

    def known(self) -> bool:
        return False

    def __next__(self) -> Any:
        self.ask_once_more()
        found, item = self._searched()
        check(found, StopIteration, "")
        return item()

    def item_or(self, default: object) -> object:
        """Return the next item that passes, or `default` after the last one."""
        found, item = self._searched()
        return staged_choice(found, item, lambda: default, "next(...)")

    def _searched(self) -> tuple[rt.Tensor, Callable[[], object]]:
        """Advance to the next item that passes; return whether there is one, and its getter."""
        self._refuse_elsewhere()
        inner = super().indexed()
        if len(inner.functions) > len(self.functions):
            raise self.unknown_length()  # The functions that compute an item would be called twice.

        def step(iteration: Iteration, found: object) -> rt.Tensor:
            return rt.convert_to_tensor(self._keeps(iteration.item()))

        source = indexed_source(inner, self.position.at, self._end_loop)
        found = fold_watched(source, step, rt.constant(False), self.functions, rt.logical_not)
        after = self._place()
        if any(map(has_dynamic_length, self.parts)):
            # An exhausted iterator stays at its end, whatever is appended to the list.
            self.position.at = rt.where(found, after, AT_END)
        return found, lambda: inner.at(rt.subtract(after, 1))

    def _keeps(self, item: object) -> Any:
        return truth(item if self.function is None else self.function(item))

    def indexed(self) -> Indexed:
        raise StagedIterationError(
            "the result of filter() on a tensor has no indices: iterate over it with a "
            "`for` statement, and count or combine there",
            user_location(),
        )

    def source_over(self, inner: LoopSource) -> LoopSource:
        def iteration(hidden: Hidden) -> Iteration:
            given = inner.iteration(hidden)
            if given.has_item is not None:
                raise self.unknown_length()
            item = given.item()
            return given._replace(item=lambda: item, has_item=self._keeps(item))

        return inner._replace(iteration=iteration, functions=(*self.functions, *inner.functions))

    def loop_source(self) -> LoopSource:
        if isinstance(self.parts[0], DatasetIterator):
            return super().loop_source()
        self._refuse_elsewhere()
        inner = super().indexed()

        def iteration(hidden: Hidden) -> Iteration:
            item = inner.at(hidden[0])
            return Iteration(lambda: item, lambda: [rt.add(hidden[0], 1)], self._keeps(item))

        functions = (*self.functions, *inner.functions)
        more = lambda hidden: inner.has(hidden[0])  # noqa: E731
        return self._keeping_out(
            LoopSource([as_weak(self._place())], more, iteration, functions, self._end_loop)
        )


def zipped_elements(parts: Sequence[Any]) -> DatasetIterator:
    """Return the `zip` of datasets, and tensors beside them.

    Raises:
        StagedIterationError: a part is neither, and cannot become a dataset.
    """
    return DatasetIterator(rt.data.Dataset.zip(tuple(map(_as_dataset, parts))))


def _as_dataset(part: Any) -> AnyDataset:
    if isinstance(part, AnyDataset):
        return part
    if is_tensor(part):
        return rt.data.Dataset.from_tensor_slices(part)
    raise StagedIterationError(
        f"zip() and map() of a dataset and {with_article(type_name(part))} object have no meaning "
        "in a graph: make a dataset of that, too, with rt.data.Dataset.from_tensor_slices(...)",
        user_location(),
    )
