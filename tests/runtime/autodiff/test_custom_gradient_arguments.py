"""`custom_gradient` with keywords, defaults and `self`; recorded from TensorFlow 2.21.

In TensorFlow keywords work where nothing is recorded: "default", "keyword", "mode" and "method" are
what it gives. A tensor given by keyword has no gradient there, or an error.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from runtime.errors import ArgumentValueError

V = rt.Variable(3.0)


@rt.custom_gradient
def scaled(x: Any, scale: Any = 2.0) -> Any:
    return x * scale, lambda dy: dy * scale * 100.0


@rt.custom_gradient
def by_keyword(x: Any, *, scale: Any) -> Any:
    return x * scale, lambda dy: dy * scale * 100.0


@rt.custom_gradient
def of_both(x: Any, y: Any = 5.0) -> Any:
    return x + y, lambda dy: (dy * 5.0, dy * 6.0)


@rt.custom_gradient
def of_mode(x: Any, mode: str = "a") -> Any:
    return x * 1.0, lambda dy: dy * 10.0 if mode == "a" else dy * 20.0


@rt.custom_gradient
def with_variable(x: Any, factor: Any = 1.0) -> Any:
    def grad(dy: Any, variables: Any = None) -> Any:
        return dy * V * 10.0, [dy * x * 10.0 for _ in variables]

    return x * V * factor, grad


@rt.custom_gradient
def with_a_choice(x: Any, plain: bool = True) -> Any:
    y = x * 2 if x > 0 else x * 3
    return y, lambda dy, upstream=None: dy * (7.0 if plain else 8.0)


class Owner:
    @rt.custom_gradient
    def method(self, x: Any, times: Any = 9.0) -> Any:
        return x * 2.0, lambda dy: dy * times


CALLS: dict[str, tuple[Callable[[Any], Any], list[float]]] = {
    "default": (lambda x: scaled(x), [4.0, 200.0]),
    "keyword": (lambda x: scaled(x, scale=3.0), [6.0, 300.0]),
    "number by position": (lambda x: scaled(x, 3.0), [6.0, 300.0]),
    "all by keyword": (lambda x: scaled(scale=3.0, x=x), [6.0, 300.0]),
    "tensor by keyword": (lambda x: scaled(x, scale=rt.constant(3.0)), [6.0, 300.0]),
    "keyword only": (lambda x: by_keyword(x, scale=3.0), [6.0, 300.0]),
    "a gradient for each": (lambda x: of_both(x, y=x), [4.0, 11.0]),
    "and for the default": (lambda x: of_both(x), [7.0, 5.0]),
    "the other way around": (lambda x: of_both(y=x, x=x * x), [6.0, 26.0]),
    "mode": (lambda x: of_mode(x, mode="b"), [2.0, 20.0]),
    "variables": (lambda x: with_variable(x, factor=2.0), [12.0, 30.0]),
    "a choice": (lambda x: with_a_choice(x, plain=False), [4.0, 8.0]),
    "method": (lambda x: Owner().method(x), [4.0, 9.0]),
    "method and keyword": (lambda x: Owner().method(x, times=4.0), [4.0, 4.0]),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("staged", [False, True])
def test_the_custom_gradient_is_used(name: str, staged: bool) -> None:
    call, expected = CALLS[name]

    def value_and_gradient(x: Any) -> Any:
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = call(x)
        return y, tape.gradient(y, x)

    both = ag.function(value_and_gradient) if staged else value_and_gradient
    assert expected == [float(each) for each in both(rt.constant(2.0))]


def test_the_gradient_of_a_variable_beside_keywords() -> None:
    def gradient(x: Any) -> Any:
        with rt.GradientTape() as tape:
            y = with_variable(x, factor=2.0)
        return tape.gradient(y, V)

    x = rt.constant(2.0)
    assert [20.0, 20.0] == [float(gradient(x)), float(ag.function(gradient)(x))]


def test_a_wrong_number_of_gradients_is_refused() -> None:
    @rt.custom_gradient
    def wrong(x: Any, y: Any, z: Any = 1.0) -> Any:
        return x + y, lambda dy: [dy] * 5

    x = rt.constant(1.0)
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = wrong(x, x)
    with pytest.raises(ArgumentValueError, match="grad returns 5 gradients for 2 arguments"):
        tape.gradient(y, x)
