"""Slices with traced bounds whose length the source shows, beside NumPy's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402

import autograph.jax as agj  # noqa: E402
from autograph.errors import StagingError  # noqa: E402

VALUES = np.array([3.0, -1.0, 4.0, -1.0, 5.0, 9.0], np.float32)
WIDTH = 2


def by_a_number(xs: Any, i: Any) -> Any:
    return xs[i : i + 2]


def around(xs: Any, i: Any) -> Any:
    return xs[i - 1 : i + 2] * xs[-1 + i : 2 + i]


def by_a_known_variable(xs: Any, i: Any, width: int = 3) -> Any:
    one = xs[WIDTH * i : WIDTH * i + width]
    return one, xs[(i + 1) * WIDTH - 1 : (i + 2) * WIDTH - 1]


def assigned(xs: Any, i: Any) -> Any:
    xs = xs * 1
    xs[i : i + 2] = 7
    xs[i + 1 : i + 4] += xs[i : i + 3]
    xs[i + 3 : i + 4] *= 0.5
    return xs


def in_a_loop(xs: Any, i: Any) -> Any:
    total, xs = 0.0, xs * 1
    k = i * 0
    while k < 4:
        if xs[k] > 0:
            xs[k : k + 2] = xs[k + 1 : k + 3]
        total = total + xs[k : k + 3 - 1].sum()
        k += 1
    return total, xs


def of_rows(xs: Any, i: Any) -> Any:
    rows = xs.reshape(3, 2)
    return rows[i : i + 2], rows[i : i + 2 : 1]


def of_numpy(xs: Any, i: Any) -> Any:
    return np.arange(6)[i : i + 2] + xs[:2]


COMPUTED = [by_a_number, around, by_a_known_variable, assigned, in_a_loop, of_rows, of_numpy]


@pytest.mark.parametrize("function", COMPUTED)
def test_a_slice_of_a_length_that_the_source_shows(function: Callable[..., Any]) -> None:
    found = jax.jit(agj.convert(function))(jnp.asarray(VALUES), 1)
    expected = function(VALUES, 1)
    for one, other in zip(jax.tree.leaves(expected), jax.tree.leaves(found)):
        np.testing.assert_array_equal(other, one)


def test_it_has_a_gradient_and_rows_of_a_vmap() -> None:
    xs = jnp.asarray(VALUES)
    square = agj.convert(lambda xs, i: (xs[i : i + 2] ** 2).sum())
    np.testing.assert_array_equal(jax.jit(jax.grad(square))(xs, 1), [0, -2, 8, 0, 0, 0])
    rows = jax.vmap(agj.convert(by_a_number), (None, 0))(xs, jnp.arange(3))
    np.testing.assert_array_equal(rows, [VALUES[k : k + 2] for k in range(3)])


def without_an_end(xs: Any, i: Any) -> Any:
    return xs[i:]


def of_two_variables(xs: Any, i: Any) -> Any:
    j = i + 2
    return xs[i:j]


def not_linear(xs: Any, i: Any) -> Any:
    return xs[i : i * i + 1]


def too_long(xs: Any, i: Any) -> Any:
    return xs[i : i + 9]


def with_a_step(xs: Any, i: Any) -> Any:
    return xs[i : i + 4 : 2]


def empty(xs: Any, i: Any) -> Any:
    xs[i : i - 1] = 0
    return xs


def of_columns(xs: Any, i: Any) -> Any:
    return xs.reshape(2, 3)[:, i : i + 2]


REFUSED = [without_an_end, of_two_variables, not_linear, too_long, with_a_step, empty, of_columns]


@pytest.mark.parametrize("function", REFUSED)
def test_other_slices_are_refused_at_their_line(function: Callable[..., Any]) -> None:
    with pytest.raises(StagingError, match="of this one only a run knows it: write") as raised:
        jax.jit(agj.convert(function))(jnp.asarray(VALUES), 1)
    place = raised.value.origin
    assert place is not None and ":" in place.describe().splitlines()[-1]
    assert __file__ in place.describe() and f"in {function.__name__}" in place.describe()
