"""Bounds of integers: checks that cannot fail are no part of a program, all others are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import EngineWarning

pytest.importorskip("jax")

from runtime.executors.jax.values.bounds import Bounds

pytestmark = pytest.mark.filterwarnings(f"error::{EngineWarning.__module__}.EngineWarning")


def both(function: Any, *arguments: Any) -> tuple[Any, Any]:
    """Return the result or error that two executors agree on, and the program of the engine."""
    found, made = [], None
    for executor in ("numpy", "jax"):
        f = ag.function(function, executor=executor)
        try:
            found.append(np.asarray(f(*arguments)).tolist())
        except Exception as error:
            found.append(repr(error))
        made = f.get_concrete_function(*arguments).executable.run.__self__
    assert found[0] == found[1]
    return found[1], made


def can_fail(made: Any) -> bool:
    (form,) = made._program._forms.values()
    return bool(form._has_numbers)


def batches(x: Any) -> Any:
    total = rt.constant(0.0)
    for i in rt.range(20):
        total = total + rt.reduce_sum(rt.nn.softmax(x[i * 3 : i * 3 + 3]) * rt.cast(i, rt.float32))
    return total


def test_a_slice_in_a_loop_has_one_length_if_it_is_inside() -> None:
    found, made = both(batches, rt.constant(np.arange(120.0, dtype=np.float32).reshape(60, 2)))
    assert found == 570.0
    assert (
        not can_fail(made) and made.source.count("while[") == 1 and "dynamic_slice" in made.source
    )


@pytest.mark.parametrize("rows", [59, 58, 57, 40])
def test_a_slice_that_is_cut_off_has_its_own_length(rows: int) -> None:
    x = rt.constant(np.arange(2.0 * rows, dtype=np.float32).reshape(rows, 2))
    assert both(batches, x)[1].reruns == 0


def from_below(x: Any) -> Any:
    total = rt.constant(0.0)
    for i in rt.range(3):
        total = total + rt.reduce_sum(x[i - 1 : i + 1])
    return total


def test_a_slice_that_begins_below_zero_is_that_of_python() -> None:
    both(from_below, rt.constant([1.0, 2.0, 4.0, 8.0]))


def counted(n: Any) -> Any:
    total = 0.0
    for _ in range(n):
        total = total + 1.5
    return total


def test_a_counter_needs_no_check() -> None:
    for n in (0, 5):
        found, made = both(counted, rt.constant(n))
        assert found == 1.5 * n and not can_fail(made)


def item_of_each(x: Any) -> Any:
    total = rt.constant(0)
    for i in rt.range(20):
        total = total + x[i]
    return total


def test_an_index_below_the_size_needs_no_check() -> None:
    assert not can_fail(both(item_of_each, rt.constant(range(20)))[1])
    found, made = both(item_of_each, rt.constant(range(19)))
    assert "out of" in found and can_fail(made)


def moving_limit(n: Any) -> Any:
    i, turns = 0, 0
    while i < n:
        n = n + n
        i += 1
        turns += 1
        if turns > 40:
            break
    return n


def steep(n: Any) -> Any:
    i = 0
    while i <= n:
        i += 1
    return i


def leap(n: Any) -> Any:
    i = 1
    while i < n:
        i += 2000000000
    return i


def product(n: Any) -> Any:
    total = 0
    for i in range(n):
        total = i * i * 3
    return total


def down(n: Any) -> Any:
    i, total = n, 0
    while i > 0:
        i -= 1
        total += i
    return total


def changed(n: Any) -> Any:
    i = 0
    while i < n:
        if n == 3:
            i -= 1
            n = n - 1
        i += 1
    return i


CASES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "a limit that moves": (moving_limit, (1,)),
    "up to the limit itself": (steep, (7,)),
    "a step beyond the dtype": (leap, (2147483647,)),
    "a product that does not fit": (product, (40000,)),
    "a product that fits": (product, (2000,)),
    "down": (down, (9,)),
    "a counter that goes back": (changed, (3,)),
}


@pytest.mark.parametrize("name", CASES)
def test_loops_end_as_in_python(name: str) -> None:
    function, arguments = CASES[name]
    both(function, *map(rt.constant, arguments))


def test_a_tensor_that_wraps_around_has_no_bounds() -> None:
    def wrapped(x: Any) -> Any:
        i, total = rt.constant(2147483640), rt.constant(0.0)
        while i < 2147483647:
            total = total + x[i - rt.constant(2147483640)]
            i = i + rt.constant(5)
        return total

    found, _ = both(wrapped, rt.constant([1.0] * 7))
    assert "out of" in found


def test_intervals_of_sums_and_products() -> None:
    bounds, node = Bounds(), type("Node", (), {"op": type("Op", (), {"name": "multiply"})})
    x, y = np.array([-3, 2]), np.array([-5, 4])
    assert bounds.result(node, [x, y]) == (-12, 15)
    node.op.name = "subtract"
    assert bounds.result(node, [x, y]) == (-7, 7)
    assert bounds.fits(node, [x.astype(np.int8), y])
    node.op.name = "divide"
    assert bounds.result(node, [x, y]) is None
    assert not bounds.are_inside(x, -2, 3) and not bounds.are_inside(x, -3, 2)
    assert bounds.are_inside(x, -3, 3)
