"""Generators consumed by loops: effects, their order, and refusals."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.backends.graph.iterators import unrolling
from autograph.backends.protocol import Backends
from autograph.errors import StagedIterationError, UnrolledLoopWarning
from autograph.operators.lazy_filter import FilteredIterator, filter_by
from runtime.errors import SymbolicTensorError


def below(n: Any, log: list[str] | None = None) -> Iterator[Any]:
    k = 0
    try:
        while k < n:
            yield k
            k += 1
    finally:
        if log is not None:
            log.append("done")


def managed(n: Any) -> Iterator[Any]:
    for k in range(n):
        with contextlib.suppress(ValueError):
            yield k


def failing(n: Any) -> Iterator[Any]:
    for k in range(n):
        if k > 2:
            raise KeyError("three")
        yield k


def again_after_the_end(n: Any) -> Any:
    numbers, total = below(n), 0
    for v in numbers:
        total += v
    for v in numbers:
        total += 100 * v
    return total


def an_error_of_the_generator(n: Any) -> Any:
    total = 0
    try:
        for v in failing(n):
            total += v + 1
    except KeyError:
        total += 100
    return total


def an_error_of_the_loop(n: Any) -> Any:
    total = 0
    try:
        for v in below(n):
            if v > 2:
                raise ValueError(v)
            total += v
    except ValueError:
        total += 100
    return total


def values_of_the_last_iteration(n: Any) -> Any:
    last = -1
    for v in below(n):
        square = v * v
        last = square if square < 10 else last
    return last


def attributes_and_lists(n: Any) -> Any:
    class Kept:
        total = 0

    kept, seen, counts = Kept(), [], {"all": 0}
    for v in below(n):
        kept.total += v
        seen.append(v)
        counts["all"] += 1
    return kept.total, seen, counts


def a_choice_of_generators(n: Any, m: Any) -> Any:
    total = 0
    for v in below(n):
        for w in below(m):
            if w > v:
                break
            total += w + 1
    return total


@pytest.mark.parametrize(
    "function",
    [
        again_after_the_end,
        an_error_of_the_generator,
        an_error_of_the_loop,
        values_of_the_last_iteration,
        attributes_and_lists,
    ],
)
@pytest.mark.parametrize("n", [0, 1, 3, 5])
def test_generators_agree_with_python(function: Callable[[Any], Any], n: int) -> None:
    traced = ag.function(function)(rt.constant(n))
    assert function(n) == rt.nest.map_structure(lambda each: each.numpy(), traced)


def test_nested_generators_agree_with_python() -> None:
    traced = ag.function(a_choice_of_generators)
    for n, m in ((0, 3), (3, 0), (4, 2), (2, 4)):
        assert a_choice_of_generators(n, m) == int(traced(rt.constant(n), rt.constant(m)))


def test_a_finally_runs_once() -> None:
    def first(n: Any) -> Any:
        log: list[str] = []
        for v in below(n, log):
            if v > 1:
                break
        return len(log)

    traced = ag.function(first)
    assert [first(n) for n in (0, 1, 5)] == [int(traced(rt.constant(n))) for n in (0, 1, 5)]


def test_continuing_a_generator_with_effects_is_refused() -> None:
    def noting(n: Any, log: list[Any]) -> Iterator[Any]:
        for v in range(n):
            log.append(v)
            yield v

    def resumes(n: Any) -> Any:
        numbers, total = noting(n, []), 0
        for v in numbers:
            if v > 1:
                break
        for v in numbers:
            total += v
        return total

    def draws(n: Any) -> Any:
        numbers = noting(n, [])
        for v in numbers:
            if v > 1:
                break
        return next(numbers, -1)

    for function in (resumes, draws):
        with pytest.raises(StagedIterationError, match="its remaining items are known only"):
            ag.function(function)(rt.constant(5))


def test_close_of_a_continued_generator_is_refused() -> None:
    def closes(n: Any) -> Any:
        numbers, total = one_more(rt.range(n)), 0
        for v in numbers:
            if v > 1:
                break
        for v in numbers:
            total += v
        numbers.close()
        return total

    with pytest.raises(StagedIterationError, match="its remaining items are known only"):
        ag.function(closes)(rt.constant(5))


def test_a_context_manager_that_handles_exceptions_is_refused_around_a_yield() -> None:
    def f(n: Any) -> Any:
        total = 0
        for v in managed(n):
            total += v
        return total

    assert 3 == int(ag.function(f)(3))
    with pytest.raises(StagedIterationError, match="`suppress.__exit__` around a `yield`"):
        ag.function(f)(rt.constant(3))


def test_a_generator_without_an_end_is_a_loop_at_once(monkeypatch: Any) -> None:
    unrolled: list[int] = []
    monkeypatch.setattr(unrolling, "warn_if_many", unrolled.append)

    def collatz(n: Any) -> Iterator[Any]:
        while True:
            yield n
            n = n // 2 if n % 2 == 0 else 3 * n + 1

    def f(n: Any) -> Any:
        count = 0
        for v in collatz(n):
            if v == 1:
                break
            count += 1
        return count

    assert 111 == int(ag.function(f)(rt.constant(27)))
    assert [] == unrolled


def catching(xs: Any) -> Iterator[Any]:
    try:
        for x in xs:
            if x > 0:
                yield x
    except Exception:
        yield 50


def catching_of_another(xs: Any) -> Iterator[Any]:
    try:
        for x in one_more(xs):
            if x > 0:
                yield x
    except Exception:
        yield 50


@pytest.mark.parametrize("generator", [catching, catching_of_another])
def test_handlers_of_generators_do_not_catch_tracing_errors(generator: Any) -> None:
    def f(xs: Any) -> Any:
        return sum(generator(xs))

    with pytest.raises((SymbolicTensorError, StagedIterationError)):
        ag.function(f)(rt.constant([1, -2, 3]))


def test_an_exempt_helper_may_test_whether_a_value_is_known() -> None:
    @ag.do_not_convert
    def is_known(x: Any) -> bool:
        try:
            return bool(x) or True
        except TypeError:
            return False

    def asking(x: Any) -> Iterator[Any]:
        yield x
        yield 1 if is_known(x > 0) else 2

    def f(x: Any) -> Any:
        total = 0
        for v in asking(x):
            total = total * 10 + v
        return total

    assert 31 == int(ag.function(f)(3))
    assert 32 == int(ag.function(f)(rt.constant(3)))


def test_a_started_generator_continues_in_python() -> None:
    def f(x: Any) -> Any:
        numbers = below(4)
        total = next(numbers) + x
        for v in numbers:
            total = total * 2 + v
        return total

    assert f(1) == int(ag.function(f)(rt.constant(1)))


NUMBERS = rt.data.Dataset.range(6)
LIMIT = rt.Variable(3)


def counted() -> Iterator[int]:
    k = 0
    while True:
        yield k
        k += 1


def of_a_dataset(dataset: Any) -> Iterator[Any]:
    for x in dataset:
        if x > 1:
            yield x


def sum_of_a_dataset() -> Any:
    total = 0
    for v in of_a_dataset(NUMBERS.map(lambda x: 3 * x)):
        total = total * 2 + int(v)
    return total


def ended_by_a_variable() -> Any:
    total = 0
    for v in counted():
        if v > LIMIT:
            break
        total = total + v
    return total


def returned_by_a_variable() -> Any:
    for v in counted():
        if v * v > LIMIT:
            return v
    return -1


@pytest.mark.parametrize(
    "function", [sum_of_a_dataset, ended_by_a_variable, returned_by_a_variable]
)
def test_generators_without_tensor_arguments(function: Callable[[], Any]) -> None:
    assert function() == int(ag.function(function)())


def one_more(items: Any) -> Iterator[Any]:
    for v in items:
        yield v + 1


def test_deeply_nested_generators() -> None:
    def deep(n: Any) -> Any:
        items, total = below(n), 0
        for _ in range(12):
            items = one_more(items)
        for v in items:
            total = total * 2 + v
        return total

    assert deep(4) == int(ag.function(deep)(rt.constant(4)))


def test_an_endlessly_recursive_generator_is_refused() -> None:
    def down(k: Any) -> Iterator[Any]:
        if k > 0:
            yield k
            yield from down(k - 1)

    with pytest.raises(StagedIterationError, match="it calls itself, and how deep is known only"):
        ag.function(lambda n: sum(down(n)))(rt.constant(3))


def test_two_generators_with_effects_in_zip_are_refused() -> None:
    def paired(n: Any) -> Any:
        log: list[Any] = []

        def noting(step: int) -> Iterator[Any]:
            for k in range(n):
                log.append(step * k)
                yield k

        for a, b in zip(noting(1), noting(2)):
            log.append(a * b)
        return log

    with pytest.raises(StagedIterationError, match=r"zip\(\) iterates over two generators"):
        ag.function(paired)(rt.constant(3))


def test_a_failed_speculation_is_rolled_back(capsys: pytest.CaptureFixture[str]) -> None:
    made: list[str] = []

    @ag.function
    def total(n: Any) -> Any:
        print("traced")
        made.append("traced")
        found = 0
        for v in below(n):
            found += v
        return found

    assert (6, ["traced"]) == (int(total(rt.constant(4))), made)
    assert "traced\n" == capsys.readouterr().out


def test_a_long_loop_that_cannot_be_staged_is_unrolled() -> None:
    names = [f"name {k}" for k in range(150)]

    def named() -> Iterator[tuple[str, int]]:
        k = 0
        while k < len(names):
            yield names[k], len(names[k])
            k += 1

    def first(n: Any) -> Any:
        total = 0
        for name, length in named():
            total += length if name.endswith("0") else 1
            if total > n:
                break
        return total

    with pytest.warns(UnrolledLoopWarning):
        traced = ag.function(first)(rt.constant(40))
    assert first(40) == int(traced)


def sum_below(n: Any) -> Any:
    total = 0
    for v in below(n):
        total = total * 2 + v
    return total


def test_functions_of_datasets_have_generators() -> None:
    numbers = rt.data.Dataset.from_tensor_slices([0, 3, 5])
    assert [0, 4, 26] == [int(v) for v in numbers.map(sum_below)]
    assert [5] == [int(v) for v in numbers.filter(lambda n: any(v > 2 for v in below(n)))]
    added = ag.function(lambda n: sum(numbers.map(lambda v: sum_below(v) + n)))
    assert 33 == int(added(rt.constant(1)))


def test_an_outer_iterator_is_not_advanced_twice() -> None:
    numbers = iter([10, 20, 30])

    @ag.function
    def total(n: Any) -> Any:
        return next(numbers) + sum_below(n)

    with pytest.raises(rt.errors.SymbolicTensorError, match="stays Python: it holds a `yield`"):
        total(rt.constant(3))


def squares(n: Any) -> Iterator[Any]:
    for k in range(n):
        yield k * k


def test_map_and_starmap_over_several() -> None:
    def mapped(n: Any) -> Any:
        found = list(map(lambda a, b: a * b if a > 1 else b, squares(n), squares(n + 1)))
        total = sum(map(lambda a, b, c: a * b + c, [1, 2], squares(n), range(n)))
        return found, total, list(itertools.starmap(lambda i, v: i * v, enumerate(squares(n))))

    traced = ag.function(mapped)
    for n in (0, 1, 4):
        staged = rt.nest.map_structure(lambda each: each.numpy(), traced(rt.constant(n)))
        assert mapped(n) == staged


@pytest.mark.parametrize(
    "paired",
    [
        lambda n, g: zip(g, g),
        lambda n, g: zip(g, enumerate(g)),
        lambda n, g: zip(map(abs, g), (v + 1 for v in g if v != 3)),
        lambda n, g: zip(*[g] * 3),
    ],
)
def test_a_generator_zipped_with_itself_is_refused(paired: Callable[..., Any]) -> None:
    traced = ag.function(lambda n: [a for a, *_ in paired(n, below(n))])
    with pytest.raises(StagedIterationError, match="over a generator at several places"):
        traced(rt.constant(5))


def test_attributes_of_a_users_iterator_are_not_those_of_a_lazy_one() -> None:
    class Numbers:
        functions = given = operands = 5
        at = 0

        def __iter__(self) -> Numbers:
            return self

        def __next__(self) -> int:
            self.at += 1
            return self.at

    positive = FilteredIterator(Backends(()), "filter", Numbers(), filter_by(lambda n: n > 2))
    assert [3, 4] == [next(positive), next(positive)]


@pytest.mark.parametrize("n", [0, 1, 5])
def test_a_body_stops_where_the_filter_keeps_an_item(n: int) -> None:
    def stopped(n: Any) -> Any:
        log = 0
        try:
            for v in filter(lambda v: v > n, [1, 2, 3]):
                log += v
                raise StopIteration
        except StopIteration:
            log += 100
        return log

    assert stopped(n) == int(ag.function(stopped)(rt.constant(n)))


class UpTo:
    def __init__(self, n: Any) -> None:
        self.at, self.n = 0, n

    def __iter__(self) -> UpTo:
        return self

    def __next__(self) -> Any:
        if self.at >= self.n:
            raise StopIteration
        self.at += 1
        return self.at * 2


class Twice:
    def __init__(self, n: Any) -> None:
        self.n = n

    def __iter__(self) -> UpTo:
        return UpTo(self.n)


def left_early(items: UpTo) -> Any:
    total = 0
    for item in items:
        if item > 5:
            break
        total += item
    else:
        total = total + 100
    return total, items.at, list(items), items.at


def unpacked(n: Any) -> Any:
    first, *rest = UpTo(n + 1)
    grown = [0]
    grown.extend(UpTo(n))
    return first, rest, [*UpTo(n)], grown


def over_builtins(n: Any) -> Any:
    pairs = [left * right for left, right in zip(range(3), UpTo(n))]
    numbered = [at * item for at, item in enumerate(UpTo(n)) if item != 4]
    some = [*itertools.islice(UpTo(n), 2), *itertools.chain([1], UpTo(n))]
    return pairs, numbered, some, sum(UpTo(n)), max(UpTo(n), default=-1), 4 in UpTo(n)


def nested(n: Any) -> Any:
    total, items = 0, Twice(n)
    for outer in items:
        for inner in items:
            total += outer * inner
    return total


def with_defaults(n: Any) -> Any:
    items = UpTo(n)
    return next(items, -1), next(items, -2), items.at


@pytest.mark.parametrize("n", [0, 1, 5])
@pytest.mark.parametrize(
    "function",
    [lambda n: left_early(UpTo(n)), unpacked, over_builtins, nested, with_defaults],
)
def test_a_users_iterator_ends_by_a_tensor(function: Callable[..., Any], n: int) -> None:
    expected, actual = function(n), ag.function(function)(rt.constant(n))
    assert expected == rt.nest.map_structure(lambda each: getattr(each, "numpy", int)(), actual)


def test_a_users_iterator_without_an_end() -> None:
    class Doubling:
        value = 1

        def __iter__(self) -> Doubling:
            return self

        def __next__(self) -> Any:
            self.value = self.value * 2
            return self.value

    kept = Doubling()

    @ag.function
    def first_above(n: Any) -> Any:
        for value in kept:
            if value > n:
                return value

    found = [int(first_above(rt.constant(n))) for n in (5, 100, 3)]
    assert (found, int(kept.value)) == ([8, 128, 256], 256)


def test_an_in_place_sum_with_a_users_iterator_is_refused() -> None:
    @ag.function
    def grown(n: Any) -> Any:
        out = [1]
        out += UpTo(n)
        return out

    with pytest.raises(ag.errors.StagingError, match=r"write `try: \.\.\. = next"):
        grown(rt.constant(2))
