"""Default values of parameters that a function changes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt


def counting() -> Callable[..., Any]:
    def f(x: Any, n: Any = [0]) -> Any:  # noqa: B006
        n[0] += 1
        return x + n[0]

    return f


def gathering() -> Callable[..., Any]:
    def f(x: Any, given: Any = []) -> Any:  # noqa: B006
        given.append(x)
        return sum(given)

    return f


def remembering() -> Callable[..., Any]:
    def f(x: Any, memo: Any = {}) -> Any:  # noqa: B006
        if "first" not in memo:
            memo["first"] = x
        return memo["first"] + x

    return f


def by_a_helper() -> Callable[..., Any]:
    def note(log: Any, x: Any) -> None:
        log.append(x)

    def f(x: Any, log: Any = []) -> Any:  # noqa: B006
        note(log, x)
        return sum(log) + len(log)

    return f


def by_a_helper_of_a_helper() -> Callable[..., Any]:
    def count(memo: Any, key: str) -> None:
        memo[key] = memo.get(key, 0) + 1

    def called(memo: Any) -> None:
        count(memo, "calls")

    def f(x: Any, *, memo: Any = {}) -> Any:  # noqa: B006
        called(memo)
        return x + memo["calls"]

    return f


def by_a_method() -> Callable[..., Any]:
    class Log:
        def note(self, log: Any) -> None:
            log.append(len(log))

    log = Log()

    def f(x: Any, numbers: Any = []) -> Any:  # noqa: B006
        log.note(numbers)
        return x + len(numbers)

    return f


def by_a_function_of_a_list() -> Callable[..., Any]:
    def first(queue: Any) -> Any:
        queue.append(queue[-1] + 1)
        return queue.pop(0)

    def f(x: Any, queue: Any = [1, 2]) -> Any:  # noqa: B006
        return x + first(queue)

    return f


def by_keyword() -> Callable[..., Any]:
    def f(x: Any, *, known: Any = set()) -> Any:  # noqa: B006
        known.add(len(known))
        return x + len(known)

    return f


def a_window() -> Callable[..., Any]:
    def f(x: Any, window: Any = deque(maxlen=2)) -> Any:  # noqa: B006
        window.append(x)
        return sum(window)

    return f


def a_tensor_array() -> Callable[..., Any]:
    array = rt.TensorArray(rt.float32, size=2, clear_after_read=False)
    array = array.write(0, 1.0).write(1, 2.0)

    def f(x: Any, buffer: Any = array) -> Any:
        buffer = buffer.write(0, x)
        return buffer.read(0) + buffer.read(1)

    return f


SCENARIOS = [
    counting,
    gathering,
    remembering,
    by_a_helper,
    by_a_helper_of_a_helper,
    by_a_method,
    by_a_function_of_a_list,
    by_keyword,
    a_window,
    a_tensor_array,
]


def default_values(f: Any) -> list[str]:
    values = (*(f.__defaults__ or ()), *(f.__kwdefaults__ or {}).values())
    return [repr(each) for each in values]


@pytest.mark.filterwarnings("ignore::autograph.errors.RetracingWarning")
@pytest.mark.parametrize("make", SCENARIOS, ids=lambda make: make.__name__)
def test_a_call_reads_the_default_left_by_the_last_one(make: Callable[[], Any]) -> None:
    plain, function = make(), make()
    traced = ag.function(function)
    for x in (1.0, 4.0, 2.0, 3.0):
        assert float(traced(rt.constant(x))) == float(plain(rt.constant(x)))
        assert default_values(function) == default_values(plain)


@pytest.mark.parametrize("make", [counting, gathering, remembering], ids=lambda make: make.__name__)
def test_a_changed_default_traces_at_most_twice(make: Callable[[], Any]) -> None:
    traced = ag.function(make())
    for x in (1.0, 4.0, 2.0, 3.0):
        traced(rt.constant(x))
    assert traced.experimental_get_tracing_count() <= 2


def test_an_argument_is_still_not_to_be_changed() -> None:
    traced = ag.function(counting())
    assert int(traced(rt.constant(0))) == 1
    with pytest.raises(ag.errors.ArgumentMutationError):
        traced(rt.constant(0), [5])
    assert int(traced(rt.constant(0))) == 2


def test_a_method_has_the_default_of_its_function() -> None:
    class Model:
        @ag.function
        def step(self, x: Any, n: Any = [0]) -> Any:  # noqa: B006
            n[0] += 1
            return x + n[0]

    one, two = Model(), Model()
    assert [int(m.step(rt.constant(0))) for m in (one, two, one)] == [1, 2, 3]


def test_a_default_read_by_a_helper_is_keyed_by_its_contents() -> None:
    def note(numbers: Any, log: Any) -> None:
        log.append(len(numbers))

    def f(x: Any, numbers: Any = [1], log: Any = []) -> Any:  # noqa: B006
        note(numbers, log=log)
        log.append(numbers[-1])
        return x + len(numbers)

    traced = ag.function(f)
    found = []
    for number in (5, 7, 9):
        found.append(int(traced(rt.constant(1))))
        f.__defaults__[0].append(number)  # type: ignore[index]
    assert found == [2, 3, 4]
    assert f.__defaults__[1] == [1, 1, 2, 5, 3, 7]  # type: ignore[index]
