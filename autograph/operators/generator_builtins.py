"""Builtins over a staged generator, written as generators.

They are converted and staged as the user's generators are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

_ALLOWED = " for islice() must be None or an integer: 0 <= x <= sys.maxsize."


def items_of(iterator: Iterator[Any]) -> Iterator[Any]:
    """Yield as an iterator of the user's does, whose StopIteration a tensor may decide about."""
    while True:
        try:
            item = next(iterator)
        except StopIteration:
            return
        yield item


def next_or(iterator: Iterator[Any], default: Any) -> Any:
    """Return as `next` with a default does."""
    try:
        return next(iterator)
    except StopIteration:
        return default


def enumerated(items: Iterable[Any], start: Any = 0) -> Iterator[Any]:
    """Yield as `enumerate` does."""
    number = start
    for item in items:
        yield number, item
        number = number + 1


def zipped(items: Iterable[Any], before: Sequence[Any], after: Sequence[Any]) -> Iterator[Any]:
    """Yield as `zip` does, for an iterable and the lists before and after it."""
    number = 0
    for each in before:
        if len(each) == 0:
            return
    for item in items:
        for each in after:
            if len(each) <= number:
                return
        yield (*[each[number] for each in before], item, *[each[number] for each in after])
        number = number + 1
        for each in before:
            if len(each) <= number:
                return


def mapped(function: Callable[..., Any], items: Iterable[Any]) -> Iterator[Any]:
    """Yield as `itertools.starmap` does; `map` over several is that of `zip`."""
    for item in items:
        yield function(*item)


def sliced(items: Iterable[Any], *bounds: Any) -> Iterator[Any]:
    """Yield as `itertools.islice` does."""
    start, step = 0, 1
    if len(bounds) == 1:
        stop = bounds[0]
    elif len(bounds) == 2:
        start, stop = bounds
    else:
        start, stop, step = bounds
    start, step = start or 0, step or 1
    number = 0
    if stop is not None and stop <= 0:
        return
    for item in items:
        if number >= start and (number - start) % step == 0:
            yield item
        number = number + 1
        if stop is not None and number >= stop:
            return


def check_bounds(*bounds: Any) -> None:
    """Raise the ValueError of `itertools.islice` for a bound below zero."""
    start, stop, step = (None, *bounds, None) if len(bounds) == 1 else (*bounds, None)[:3]
    if stop is not None and stop == -1:
        raise ValueError("Stop argument" + _ALLOWED)
    if (start is not None and start < 0) or (stop is not None and stop < 0):
        raise ValueError("Indices" + _ALLOWED)
    if step is not None and step < 1:
        raise ValueError("Step for islice() must be a positive integer or None.")


def chained(*parts: Iterable[Any]) -> Iterator[Any]:
    """Yield as `itertools.chain` does."""
    for part in parts:
        yield from part


def chained_from(parts: Iterable[Iterable[Any]]) -> Iterator[Any]:
    """Yield as `itertools.chain.from_iterable` does."""
    for part in parts:
        yield from part


def compressed(items: Iterable[Any], selectors: Iterable[Any]) -> Iterator[Any]:
    """Yield as `itertools.compress` does."""
    for item, is_kept in zip(items, selectors):
        if is_kept:
            yield item


def take_while(function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
    """Yield as `itertools.takewhile` does."""
    for item in items:
        if not function(item):
            return
        yield item


def dropped_while(function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
    """Yield as `itertools.dropwhile` does."""
    drops = True
    for item in items:
        if drops:
            drops = function(item)
        if not drops:
            yield item


def accumulated(
    items: Iterable[Any], function: Callable[[Any, Any], Any] | None = None, *, initial: Any = None
) -> Iterator[Any]:
    """Yield as `itertools.accumulate` does."""
    total, begins = initial, initial is None
    if not begins:
        yield total
    for item in items:
        if begins:
            total, begins = item, False
        elif function is None:
            total = total + item
        else:
            total = function(total, item)
        yield total


def in_pairs(items: Iterable[Any]) -> Iterator[Any]:
    """Yield as `itertools.pairwise` does."""
    before, begins = None, True
    for item in items:
        if not begins:
            yield before, item
        before, begins = item, False


def products(*parts: Iterable[Any], repeat: int = 1) -> Iterator[tuple[Any, ...]]:
    """Yield as `itertools.product` does."""
    yield from one_of_each([list(part) for part in parts] * repeat)


def one_of_each(pools: list[list[Any]]) -> Iterator[tuple[Any, ...]]:
    """Yield each tuple of an item of each list."""
    if len(pools) == 0:
        yield ()
        return
    for item in pools[0]:
        for rest in one_of_each(pools[1:]):
            yield (item, *rest)


def combined(items: Iterable[Any], r: int) -> Iterator[tuple[Any, ...]]:
    """Yield as `itertools.combinations` does."""
    yield from rising(list(items), r, 0, 1)


def combined_again(items: Iterable[Any], r: int) -> Iterator[tuple[Any, ...]]:
    """Yield as `itertools.combinations_with_replacement` does."""
    yield from rising(list(items), r, 0, 0)


def rising(pool: list[Any], count: int, start: Any, step: int) -> Iterator[tuple[Any, ...]]:
    """Yield each tuple of items whose places rise by `step` at least, from `start`."""
    if count == 0:
        yield ()
        return
    for place in range(start, len(pool)):
        for rest in rising(pool, count - 1, place + step, step):
            yield (pool[place], *rest)


def longest_zipped(*parts: Iterable[Any], fillvalue: Any = None) -> Iterator[tuple[Any, ...]]:
    """Yield as `itertools.zip_longest` does."""
    pools = [list(part) for part in parts]
    for place in range(max([len(pool) for pool in pools])):
        yield tuple([pool[place] if place < len(pool) else fillvalue for pool in pools])


def grouped(
    items: Iterable[Any], key: Callable[[Any], Any] | None = None
) -> Iterator[tuple[Any, list[Any]]]:
    """Yield as `itertools.groupby` does; each group is a list."""
    pool = list(items)
    place = 0
    while place < len(pool):
        first = pool[place] if key is None else key(pool[place])
        group = [pool[place]]
        place = place + 1
        while place < len(pool) and first == (pool[place] if key is None else key(pool[place])):
            group.append(pool[place])
            place = place + 1
        yield first, group
