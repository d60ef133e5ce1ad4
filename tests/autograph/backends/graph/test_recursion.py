"""Detection of recursion, and recursion that cannot be traced."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.backends.graph.tracing.trace_call_stack import active_calls
from autograph.errors import StagingError
from runtime.executors import run
from runtime.graph import Graph, verify


def text_of(function: Callable[..., Any], *arguments: Any) -> str:
    return str(ag.function(function).get_concrete_function(*arguments).graph.as_text())


def one(n: int = 1) -> Any:
    return rt.constant(n)


# -- who decides -----------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", [0, 4, 30])
def test_recursion_that_python_numbers_end_is_unrolled(depth: int) -> None:
    def down(x: Any, depth: Any) -> Any:
        if depth == 0:
            return x
        return down(x - 1, depth - 1) if x > 0 else x

    assert "recursion" not in text_of(down, one(), depth)
    staged = ag.function(down)
    assert [int(staged(one(x), depth)) for x in (-2, 2, 50)] == [-2, max(2 - depth, 0), 50 - depth]


def test_python_numbers_without_an_end_become_tensors() -> None:
    def count(n: Any, counted: int = 0) -> Any:
        return counted if n == 0 else count(n - 1, counted + 1)

    assert "count(%n: int32, %counted: weak int32):" in text_of(count, one())
    assert int(ag.function(count)(one(500))) == 500


def test_python_numbers_become_tensors_where_unrolling_fails() -> None:
    def last(tokens: Any, at: int) -> Any:
        return at if tokens[at] == 0 else last(tokens, at + 1)

    staged = ag.function(lambda tokens: last(tokens, 0))
    assert int(staged(rt.constant([4, 5, 0]))) == 2
    assert int(staged(rt.constant([0, 5, 0]))) == 0


def test_endless_recursion_raises_though_its_result_is_unused() -> None:
    def climb(n: Any) -> Any:
        return climb(n + 1) if n > 0 else 0

    staged = ag.function(lambda n: climb(n) + 1)
    assert int(staged(one(0))) == 1
    with pytest.raises(RecursionError):
        staged(one(1))


def test_recursion_on_python_values_stays_python() -> None:
    def down(n: int) -> int:
        return 0 if n == 0 else 1 + down(n - 1)

    def in_branch(x: Any) -> Any:
        return x + down(700) if x > 0 else x

    assert int(ag.function(in_branch)(one(1))) == 701
    assert int(ag.function(lambda x: x + down(700))(one(1))) == 701


def test_each_constant_python_value_has_a_body() -> None:
    def fold(n: Any, how: str) -> Any:
        if n == 0:
            return 1
        return fold(n - 1, how) + n if how == "add" else fold(n - 1, how) * n

    text = text_of(lambda n: (fold(n, "add"), fold(n, "multiply")), one())
    assert text.count("= recursion(") == 2
    added, multiplied = ag.function(lambda n: (fold(n, "add"), fold(n, "multiply")))(one(4))
    assert (int(added), int(multiplied)) == (11, 24)


def test_python_values_that_alternate() -> None:
    def hanoi(n: Any, a: str, b: str, c: str) -> Any:
        return 0 if n == 0 else hanoi(n - 1, a, c, b) + 1 + hanoi(n - 1, c, b, a)

    staged = ag.function(lambda n: hanoi(n, "a", "b", "c"))
    assert [int(staged(one(n))) for n in (0, 1, 5)] == [0, 1, 31]


def test_a_swallowed_signal_is_noticed() -> None:
    def careless(n: Any) -> Any:
        try:
            if n == 0:
                return 5
            return careless(n - 1) + 1
        except:  # noqa: E722
            return 0

    assert int(ag.function(careless)(one(4))) == 9


def test_recursion_in_a_try() -> None:
    ended = rt.Variable(0)

    def down(n: Any) -> Any:
        try:
            if n == 0:
                raise ValueError("end")
            return down(n - 1) + 1
        except ValueError:
            return 0
        finally:
            ended.assign_add(1)

    def failing(n: Any) -> Any:
        if n == 0:
            raise KeyError("end")
        return failing(n - 1)

    def caught(n: Any) -> Any:
        try:
            return failing(n)
        except KeyError:
            return n + 100

    staged = ag.function(down)
    assert [int(staged(one(n))) for n in (4, 0)] == [4, 0]
    assert ended.numpy() == 6
    assert int(ag.function(caught)(one(3))) == 103


# -- limits and errors -----------------------------------------------------------------------------


def test_recursion_is_deeper_than_in_python() -> None:
    def count(n: Any) -> Any:
        return 0 if n == 0 else 1 + count(n - 1)

    assert int(ag.function(count)(one(5000))) == 5000


def test_too_deep_recursion_raises_at_the_users_line() -> None:
    def past(n: Any) -> Any:
        if n == 100:
            return n
        return past(n + 2)

    staged = ag.function(past)
    with pytest.raises(RecursionError, match="^maximum recursion depth exceeded") as error:
        staged(one(1))
    line = past.__code__.co_firstlineno + 3
    assert f"test_recursion.py:{line}, in past" in error.value.__notes__[0]  # type: ignore[attr-defined]
    assert int(staged(one(0))) == 100


@pytest.mark.parametrize("n", [3, 300])
def test_endless_recursion_raises_recursion_error(n: int) -> None:
    def never(n: Any) -> Any:
        return never(n + 1) if n > 100 else never(n + 2)

    def at_once(n: Any) -> Any:
        return at_once(n)

    for function in (never, at_once):
        with pytest.raises(RecursionError, match="^maximum recursion depth exceeded"):
            ag.function(function)(one(n))


def test_a_new_object_argument_in_each_call_is_refused_by_name() -> None:
    def continued(n: Any, then: Callable[[Any], Any]) -> Any:
        return then(1) if n == 0 else continued(n - 1, lambda value: then(value * n))

    with pytest.raises(StagingError, match="'continued' calls itself .* Python object as 'then'"):
        ag.function(lambda n: continued(n, lambda value: value))(one(3))


def test_a_tracing_error_is_rolled_back() -> None:
    def broken(n: Any) -> Any:
        if n == 0:
            return one()
        rest = broken(n - 1)
        return rt.concat([rest, rest], 3)

    kept: list[Any] = [one(7)]

    def writing(n: Any) -> Any:
        kept[0] = kept[0] + n
        return broken(n) if n > 0 else writing(n - 1)

    for function in (broken, writing):
        with pytest.raises(rt.errors.InvalidArgumentError, match="concat"):
            ag.function(function)(one(3))
        assert active_calls() is None

    def fine(n: Any) -> Any:
        return 0 if n == 0 else fine(n - 1)

    assert int(ag.function(fine)(one(3))) == 0


def test_wrong_arguments_raise_pythons_type_error() -> None:
    def lacking(n: Any, more: Any) -> Any:
        return n if n == 0 else lacking(n - 1)  # type: ignore[call-arg]

    with pytest.raises(TypeError, match=r"lacking\(\) missing 1 required positional argument"):
        ag.function(lacking)(one(3), one(3))


# -- the trace -------------------------------------------------------------------------------------


def test_the_body_is_traced_three_times(capsys: pytest.CaptureFixture[str]) -> None:
    def halved(n: Any) -> Any:
        print("traced")
        return one() if n == 0 else halved(n - 1) * 2

    ag.function(halved)(one(3))
    # Until the second call is met; with nothing known of the result; with the result known.
    assert ["traced"] * 3 == capsys.readouterr().out.split()


def test_effects_of_a_discarded_trace_are_removed(capfd: pytest.CaptureFixture[str]) -> None:
    calls = rt.Variable(0)

    def counted(n: Any) -> Any:
        calls.assign_add(1)
        rt.print("call")
        return 0 if n == 0 else counted(n - 1)

    ag.function(counted)(one(2))
    assert calls.numpy() == 3
    assert capfd.readouterr().err.split() == ["call"] * 3


def test_the_first_call_outside_of_a_function_is_traced_separately() -> None:
    def count(n: Any) -> Any:
        return one() if n == 0 else count(n - 1) * 2

    graph = Graph("main")
    n = graph.add_input(rt.TensorSpec((), rt.int32), "n")
    with graph.recording():
        result = ag.to_graph(count)(n)
    graph.set_outputs([result])
    assert run(verify(graph), [np.int32(5)]) == [32]
    assert [node.op.name for node in graph if node.regions] == ["cond"]


def test_threads_trace_at_the_same_time() -> None:
    def make_recursive(k: int) -> Callable[[Any], Any]:
        def sum_down(n: Any) -> Any:
            return k if n <= 0 else sum_down(n - 1) + n

        return sum_down

    results: dict[int, int] = {}

    def work(k: int) -> None:
        results[k] = int(ag.function(make_recursive(k))(one(10)))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {k: 55 + k for k in range(6)}
