"""Arguments that a function never reads are not part of trace keys."""

from __future__ import annotations

import sys
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.functions.effect_analysis.parameter_uses import unread_parameters

X = 2.0


def unread(x: Any, seed: Any) -> Any:
    return x * 2.0


def with_rest(x: Any, seed: Any = 3, *rest: Any, flag: bool = False, **named: Any) -> Any:
    return x + 1.0


def shadowed(x: Any, seed: Any) -> Any:
    return x * float(sum([seed * 2 for seed in (1, 2)]))


def in_locals(x: Any, seed: Any) -> Any:
    return x * float(locals()["seed"])


def in_eval(x: Any, seed: Any) -> Any:
    return x * float(eval("seed"))


def in_a_function_inside(x: Any, seed: Any) -> Any:
    def factor() -> float:
        return float(seed)

    return x * factor()


def in_a_default(x: Any, seed: Any) -> Any:
    return (lambda factor=seed: x * float(factor))()


def in_a_text(x: Any, seed: Any) -> Any:
    return x * float(len(f"{seed}"))


def deleted(x: Any, seed: Any) -> Any:
    del seed
    return x


def reassigned(x: Any, seed: Any) -> Any:
    seed = seed or 1
    return x * float(seed)


def look_up() -> Any:
    return sys._getframe(1).f_locals["seed"]


def in_a_frame(x: Any, seed: Any) -> Any:
    return x * float(look_up())


def passed_on(x: Any, seed: Any) -> Any:
    return unread(x, seed)


READING = [in_locals, in_eval, in_a_function_inside, in_a_default, in_a_text, deleted, reassigned]
READING += [in_a_frame, passed_on]


def traces(function: Any, *calls: tuple[Any, ...]) -> int:
    """Return the number of traces that calls make, after comparing their results with Python's."""
    traced = ag.function(function)
    for call in calls:
        assert float(function(*call)) == float(traced(*call))
    return int(traced.experimental_get_tracing_count())


@pytest.mark.parametrize("function", [unread, with_rest])
def test_one_trace_serves_all_values(function: Any) -> None:
    x = rt.constant(X)
    others = ("a", None, [1, 2], {"k": object()}, object(), iter([1]), with_rest)
    assert 1 == traces(function, *((x, seed) for seed in (*range(100), *others)))
    assert 1 == traces(unread_again := shadowed, *((x, seed) for seed in range(5))), unread_again


@pytest.mark.filterwarnings("ignore::autograph.errors.RetracingWarning")
@pytest.mark.parametrize("function", READING)
def test_a_parameter_that_is_read_retraces(function: Any) -> None:
    assert 3 == traces(function, *((rt.constant(X), seed) for seed in (1, 2, 3)))


def test_unread_rest_parameters() -> None:
    traced = ag.function(with_rest)
    for n in range(4):
        traced(rt.constant(X), n, n, n, flag=n > 1, other=n)
    assert 1 == traced.experimental_get_tracing_count()
    assert {"seed", "rest", "flag", "named"} == unread_parameters(with_rest)


def test_a_tensor_keeps_its_place() -> None:
    x, other = rt.constant(X), rt.constant([1.0, 2.0])
    assert 3 == traces(unread, (x, 1), (x, x), (x, other), (x, 2), (x, x + 1.0))
    assert 2 == traces(unread, (x, [1, x]), (x, [2, x]))


def test_methods_and_super() -> None:
    class Base:
        def scale(self) -> float:
            return 3.0

    class Agent(Base):
        @ag.function
        def act(self, x: Any, seed: Any) -> Any:
            return x * self.scale()

        @ag.function
        def act_as_base(self, x: Any, seed: Any) -> Any:
            return x * super().scale()

    agent = Agent()
    for seed in range(3):
        assert 6.0 == float(agent.act(rt.constant(X), seed))
        assert 6.0 == float(agent.act_as_base(rt.constant(X), seed))
    assert 1 == agent.act.experimental_get_tracing_count()


def test_calls_inside_of_a_trace() -> None:
    inner = ag.function(unread)

    @ag.function
    def outer(x: Any) -> Any:
        return inner(x, 1) + inner(x, 2) + inner(x, "a")

    assert 12.0 == float(outer(rt.constant(X)))
    assert 1 == inner.experimental_get_tracing_count()


def test_a_concrete_function_takes_any_value() -> None:
    traced = ag.function(unread)
    concrete = traced.get_concrete_function(rt.TensorSpec((), rt.float32), 1)
    assert [4.0, 4.0] == [float(concrete(rt.constant(X))), float(concrete(rt.constant(X), seed=7))]
    assert ((rt.TensorSpec((), rt.float32, name="x"), 1), {}) == concrete.structured_input_signature
    traced(rt.constant(X), 5)
    assert 1 == traced.experimental_get_tracing_count()


def test_unread_arguments_are_not_kept_alive() -> None:
    import gc
    import weakref

    class Big:
        pass

    traced, big = ag.function(unread), Big()
    traced(rt.constant(X), big)
    traced(rt.constant(X), [big])
    gone = weakref.ref(big)
    del big
    gc.collect()
    assert gone() is None
    assert 1 == traced.experimental_get_tracing_count()
