"""Law of datasets: vectorized, single and resumed iteration yield the same elements.

Pipelines are put together at random. Beside each stands what plain Python would make of a list.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.data import Dataset
from runtime.data.cursors import Cursor
from runtime.data.map_and_filter import Mapped
from runtime.ops.data.datasets import has_item, position_after
from tests.suite_length import IS_LONG

# Two beyond the short sweep: what a shuffle and a cache keep when their cursors are done.
SEEDS = range(600) if IS_LONG else (*range(30), 305, 389)
Values = list[Any]


def plain(element: Any) -> Any:
    return rt.nest.map_structure(lambda tensor: tensor.numpy().tolist(), element)


# -- steps, each with what it means of a list ------------------------------------------------------


def batches(values: Values, size: int, drops: bool) -> Values:
    found = [values[at : at + size] for at in range(0, len(values), size)]
    return [batch for batch in found if not drops or len(batch) == size]


def interleaved(values: Values, cycle: int, block: int) -> Values:
    """By turns: a place that finds its items at an end is filled when its turn comes again."""
    waiting, places, found, at = iter(values), [None] * cycle, [], 0
    ended = False
    while not ended or any(place is not None for place in places):
        if places[at] is None:
            value = next(waiting, None)
            ended = ended or value is None
            if value is None:
                at = (at + 1) % cycle
                continue
            places[at] = iter(range(value, value + value % 3))
        taken = [each for _, each in zip(range(block), places[at])]
        found += taken
        if len(taken) < block:
            places[at] = None
        at = (at + 1) % cycle
    return found


Step = tuple[str, Callable[[Dataset], Dataset], Callable[[Values], Values]]


def steps(draw: random.Random) -> list[Step]:
    n, m = draw.randrange(5), draw.randrange(1, 5)
    flag = draw.random() < 0.5
    return [
        ("take", lambda d: d.take(3 * n), lambda v: v[: 3 * n]),
        ("skip", lambda d: d.skip(n), lambda v: v[n:]),
        ("repeat", lambda d: d.repeat(n), lambda v: v * n),
        ("shard", lambda d: d.shard(m, m - 1), lambda v: v[m - 1 :: m]),
        ("map", lambda d: d.map(lambda x: x * 3 - 1), lambda v: [x * 3 - 1 for x in v]),
        (
            "divide",
            lambda d: d.map(lambda x: 60 // (x * x + 1)),
            lambda v: [60 // (x * x + 1) for x in v],
        ),
        (
            "branch",
            lambda d: d.map(lambda x: x if x > 3 else -x),
            lambda v: [x if x > 3 else -x for x in v],
        ),
        (
            "filter",
            lambda d: d.filter(lambda x: x % 3 != 1),
            lambda v: [x for x in v if x % 3 != 1],
        ),
        (
            "enumerate",
            lambda d: d.enumerate(n).map(lambda at, x: at * 10 + x),
            lambda v: [at * 10 + x for at, x in enumerate(v, n)],
        ),
        (
            "batch",
            lambda d: d.batch(m, drop_remainder=flag).unbatch(),
            lambda v: [x for batch in batches(v, m, flag) for x in batch],
        ),
        (
            "sums",
            lambda d: d.batch(m, flag).map(rt.reduce_sum),
            lambda v: [sum(batch) for batch in batches(v, m, flag)],
        ),
        ("concatenate", lambda d: d.concatenate(Dataset.range(n)), lambda v: [*v, *range(n)]),
        (
            "zip",
            lambda d: Dataset.zip(d, Dataset.range(9)).map(lambda x, y: x - y),
            lambda v: [x - y for x, y in zip(v, range(9))],
        ),
        (
            "flat_map",
            lambda d: d.flat_map(lambda x: Dataset.range(x, x + x % 3)),
            lambda v: [y for x in v for y in range(x, x + x % 3)],
        ),
        (
            "interleave",
            lambda d: d.interleave(lambda x: Dataset.range(x, x + x % 3), m, n + 1),
            lambda v: interleaved(v, m, n + 1),
        ),
        (
            "scan",
            lambda d: d.scan(rt.constant(0, rt.int64), lambda s, x: (s + x, s * 2)),
            lambda v: [2 * sum(v[:at]) for at in range(len(v))],
        ),
        (
            "take_while",
            lambda d: d.take_while(lambda x: x < 15),
            lambda v: v[: next((at for at, x in enumerate(v) if x >= 15), len(v))],
        ),
        ("unique", lambda d: d.unique(), lambda v: list(dict.fromkeys(v))),
        ("cache", lambda d: d.cache(), lambda v: v),
        ("prefetch", lambda d: d.prefetch(2), lambda v: v),
        (
            "window",
            lambda d: d.window(m, n + 1).flat_map(lambda w: w.batch(m)).map(rt.reduce_sum),
            lambda v: [sum(v[at : at + m]) for at in range(0, len(v), n + 1)],
        ),
        (
            "shuffle",
            lambda d: d.interleave(lambda x: Dataset.range(x).shuffle(m, seed=1).repeat(2), 2),
            lambda v: [y for x in v for y in range(x)] * 2,
        ),
        (
            "texts",
            lambda d: (
                d.map(rt.strings.as_string)
                .shuffle(1)
                .map(lambda text: rt.strings.to_number(text, rt.int64))
            ),
            lambda v: v,
        ),
        ("shuffle", lambda d: d.shuffle(m, seed=n), lambda v: v),
        ("shuffle", lambda d: d.shuffle(99, seed=n, reshuffle_each_iteration=flag), lambda v: v),
    ]


def pipeline(seed: int) -> tuple[list[str], Callable[[], Dataset], Values | None]:
    """Return the names of random steps, a function that makes the dataset, and its elements.

    They are None where a step before a shuffle decides by places, which are others then.
    """
    draw = random.Random(seed)
    length = draw.randrange(1, 20)
    chosen = [draw.choice(steps(draw)) for _ in range(draw.randrange(1, 6))]
    names = [name for name, _, _ in chosen]
    values: Values | None = list(range(length))
    for at, (_, _, meaning) in enumerate(chosen):
        values = None if "shuffle" in names[:at] else meaning(values)

    def made() -> Dataset:
        dataset = Dataset.range(length)
        for _, step, _ in chosen:
            dataset = step(dataset)
        return dataset

    return names, made, values


# -- the law ---------------------------------------------------------------------------------------


@pytest.fixture
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """Yield a function that makes every step go item by item from now on."""

    def switch() -> None:
        for kind in _kinds(Cursor):
            if "rows" in vars(kind) and kind.__name__ not in ("AccessCursor", "ShuffledAccess"):
                monkeypatch.setattr(kind, "rows", lambda self, count: None)
        monkeypatch.setattr(Mapped, "keeps_access", False)

    yield switch


def _kinds(kind: type) -> Iterable[type]:
    yield kind
    for each in kind.__subclasses__():
        yield from _kinds(each)


@pytest.mark.parametrize("seed", SEEDS)
def test_batched_and_single_evaluation_agree_with_python(
    seed: int, one_by_one: Callable[[], None]
) -> None:
    names, made, values = pipeline(seed)
    dataset = made()
    at_once = [[plain(each) for each in dataset] for _ in range(2)]
    in_batches = [x for batch in made().batch(3) for x in batch.numpy().tolist()]
    one_by_one()
    again = made()
    assert at_once == [[plain(each) for each in again] for _ in range(2)], names
    assert at_once[0] == in_batches, names
    if values is not None and "shuffle" in names:
        assert sorted(values) == sorted(at_once[0])
    elif values is not None:
        assert values == at_once[0] == at_once[1], names
    size = int(dataset.cardinality())
    assert size in (-2, len(at_once[0])), names


@pytest.mark.parametrize("seed", SEEDS)
def test_an_iterator_is_resumed_anywhere(seed: int) -> None:
    names, made, _ = pipeline(seed)
    dataset = made().repeat(2)
    expected = [plain(each) for each in dataset]
    for stop in {0, 1, len(expected) // 2, len(expected)}:
        first = iter(made().repeat(2))
        before = [plain(next(first)) for _ in range(min(stop, len(expected)))]
        state = first.save()
        _check_plain(state)
        other = iter(made().repeat(2))
        other.restore(state)
        assert expected == before + [plain(each) for each in other], (names, stop)


def _check_plain(state: Any) -> None:
    """Check that a state has only values that a file of arrays and numbers can hold."""
    if isinstance(state, dict):
        assert all(type(key) is str for key in state)
        list(map(_check_plain, state.values()))
    elif isinstance(state, list):
        list(map(_check_plain, state))
    else:
        assert state is None or type(state) in (bool, int, str, bytes, np.ndarray), type(state)
        assert not isinstance(state, np.ndarray) or state.dtype.kind in "biufc"


@pytest.mark.parametrize("seed", SEEDS)
def test_a_function_iterates_over_the_same_elements(seed: int) -> None:
    _, made, _ = pipeline(seed)
    graph = rt.Graph("places")
    with graph.recording():
        place = made().begin()
    assert place.dtype == rt.variant
    dataset = made()
    expected, place, found = [plain(each) for each in made()], dataset.begin(), []
    while bool(has_item(place)):
        found.append(plain(dataset.element_at(place)))
        place = position_after(place)
    assert expected == found
