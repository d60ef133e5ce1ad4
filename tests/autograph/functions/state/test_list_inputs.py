"""Containers that grow between calls are one input of a graph each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import UnwatchedWarning
from tests.autograph.functions.state.growing_scenarios import GROWING, Scenario
from tests.autograph.functions.state.sized_scenarios import SIZED

pytestmark = pytest.mark.filterwarnings("ignore::autograph.errors.RetracingWarning")


def comparable(value: Any) -> Any:
    """Return the contents of a value that can be compared, with the types of Python's numbers."""
    if isinstance(value, rt.Tensor):
        return ("tensor", value.dtype, value.numpy().tolist())
    if isinstance(value, dict):
        return (type(value), [(comparable(key), comparable(item)) for key, item in value.items()])
    if isinstance(value, set):
        return (set, {comparable(item) for item in value})
    if isinstance(value, (bool, int, float, str, np.ndarray)):
        return (type(value), value if isinstance(value, (int, float, str)) else value.tolist())
    return (type(value), getattr(value, "maxlen", None), [comparable(item) for item in value])


def results(
    call: Callable[[Any], Any], state: object, kind: Callable[[int], Any] = float
) -> list[object]:
    """Return the results of calls with tensors, and the state after each."""
    return [
        (float(call(rt.constant(kind(x)))), comparable(state))  # type: ignore[arg-type]
        for x in (1, 3, 0, 5, 2)
    ]


ALL = {**GROWING, **SIZED}
# These compute with floats of their own, which tensors of int32 refuse.
OF_FLOATS = {
    *("deleting_the_first", "pairs_of_a_number_and_a_tensor", "rows_as_one_tensor"),
    *("a_dict_iterated", "a_set_iterated", "mixed_numbers"),
}
KINDS = [(kind, name) for kind in (float, int) for name in ALL]
KINDS = [pair for pair in KINDS if pair[0] is float or pair[1] not in OF_FLOATS]


@pytest.mark.parametrize(("kind", "name"), KINDS)
def test_calls_agree_with_the_plain_function(kind: Callable[[int], Any], name: str) -> None:
    make = ALL[name]
    plain, state = make()
    expected = results(plain, state, kind)
    function, state = make()
    assert results(ag.function(function), state, kind) == expected


@pytest.mark.parametrize("make", GROWING.values(), ids=GROWING)
def test_one_trace_serves_any_number_of_items(make: Callable[[], Scenario]) -> None:
    function, state = make()
    traced = ag.function(function)
    results(traced, state)
    assert traced.experimental_get_tracing_count() <= 2


def test_a_list_of_thousands_is_one_input() -> None:
    numbers = list(range(5000))

    @ag.function
    def f(x: Any) -> Any:
        numbers.append(len(numbers))
        return x + numbers[-1]

    assert [int(f(rt.constant(0))) for _ in range(5)] == [5000, 5001, 5002, 5003, 5004]
    assert f.experimental_get_tracing_count() <= 2
    assert numbers == list(range(5005))


def test_gradients_flow_through_items_of_former_calls() -> None:
    def gradients(staged: bool) -> list[float]:
        kept: list[Any] = []

        def f(x: Any) -> Any:
            kept.append(x * x)
            return sum(kept) * x

        call = ag.function(f) if staged else f
        x = rt.constant(3.0)
        call(x), call(x), call(x)
        with rt.GradientTape(persistent=True) as tape:
            tape.watch(x)
            call(x)
            y = call(x)
        return [float(tape.gradient(y, x)), float(tape.gradient(kept[-1], x))]

    assert gradients(staged=True) == gradients(staged=False)


def test_a_list_that_is_emptied_from_outside_is_found_empty() -> None:
    log: list[int] = []

    @ag.function
    def f(x: Any) -> Any:
        log.append(len(log))
        return x + sum(log)

    assert [int(f(rt.constant(0))) for _ in range(3)] == [0, 1, 3]
    log.clear()
    assert [int(f(rt.constant(0))) for _ in range(3)] == [0, 1, 3]
    assert f.experimental_get_tracing_count() == 2


def test_items_of_another_type_are_distinguished() -> None:
    log: list[Any] = [1]

    @ag.function
    def f(x: Any) -> Any:
        log.append(log[-1])
        return x + log[0]

    assert [float(f(rt.constant(0.5))) for _ in range(3)] == [1.5, 1.5, 1.5]
    log[:] = [0.25, 1]
    assert float(f(rt.constant(0.5))) == 0.75
    assert log == [0.25, 1, 1] and [type(each) for each in log] == [float, int, int]


def test_a_failed_call_leaves_the_list_unchanged() -> None:
    log: list[int] = []

    @ag.function
    def f(x: Any) -> Any:
        log.append(len(log))
        if len(log) > 3:
            raise ValueError("full")
        return x

    for _ in range(3):
        f(rt.constant(0))
    with pytest.raises(ValueError, match="full"):
        f(rt.constant(0))
    assert log == [0, 1, 2]


def test_a_list_of_many_that_keeps_its_length_is_one_input() -> None:
    window = list(range(300))

    @ag.function
    def f(x: Any) -> Any:
        window.append(window.pop(0) + 1)
        return x + window[-1]

    assert [int(f(rt.constant(0))) for _ in range(4)] == [1, 2, 3, 4]
    assert f.experimental_get_tracing_count() <= 2
    assert window == [*range(4, 300), 1, 2, 3, 4]


def test_a_tape_watches_an_item(recwarn: pytest.WarningsRecorder) -> None:
    kept: list[Any] = []

    @ag.function
    def f(x: Any) -> Any:
        kept.append(x)
        with rt.GradientTape() as tape:
            tape.watch(kept[0])
            y = kept[0] * kept[0]
        return tape.gradient(y, kept[0])

    assert [float(f(rt.constant(3.0))) for _ in range(3)] == [6.0, 6.0, 6.0]
    assert [] == [each for each in recwarn if each.category is UnwatchedWarning]


def test_a_list_that_grows_on_one_path_and_in_a_loop_of_another_is_one_input() -> None:
    class Best:
        def __init__(self) -> None:
            self.log: list[Any] = []
            self.best: Any = None

        @ag.function
        def add(self, xs: Any) -> None:
            for x in xs:
                if self.best is None:
                    self.best = x
                self.log.append(x)

    kept = Best()
    for _ in range(6):
        kept.add(rt.constant([1.0, 2.0]))
    assert kept.add.experimental_get_tracing_count() <= 3
    assert [float(each) for each in kept.log] == [1.0, 2.0] * 6


@pytest.mark.filterwarnings("default::autograph.errors.RetracingWarning")
def test_a_list_that_is_replaced_by_a_longer_one_has_the_remedy() -> None:
    class Log:
        items: list[Any] = []

        @ag.function
        def add(self, x: Any) -> Any:
            self.items = [*self.items, 1]
            return x

    log = Log()
    with pytest.warns(ag.errors.RetracingWarning, match="append items of one type to the list"):
        for _ in range(6):
            log.add(rt.constant(1.0))
