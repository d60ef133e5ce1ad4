"""Variables that have a value on some paths only, and are read on these."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402

import autograph.jax as agj  # noqa: E402
from autograph import errors  # noqa: E402
from autograph.directives import set_loop_options  # noqa: E402


def under_one_condition(xs: Any) -> Any:
    is_high = xs[0] > 1
    if is_high:
        high = xs[0] * 2
    else:
        low = xs[0]
    total = xs[1]
    if is_high:
        total += high
    if not is_high:
        total -= low
    return total


def under_the_same_test(xs: Any) -> Any:
    if xs[0] > 1:
        high = xs[0] * 2
    return high if xs[0] > 1 else xs[1]


def under_a_stronger_test(xs: Any) -> Any:
    first = xs[0]
    if first > 0:
        high = first * 2
    if not first >= -1:
        low = xs[1]
    if first > 1:
        return high
    return low if first < -2 else xs[1]


def under_the_test_in_a_loop(xs: Any) -> Any:
    first, total = xs[0], 0.0
    if first > 0:
        high = first * 2
    for x in xs:
        if first > 0:
            total += high * x
        if 1.0 < first:
            total -= high
    return total


def under_two_conditions(xs: Any) -> Any:
    first, second = xs[0] > 1, xs[1] > 1
    if first:
        if second:
            high = xs[0]
    return high if first and second else xs[1]


def under_a_flag(xs: Any) -> Any:
    if xs[0] > 0:
        if xs[0] > 1:
            high, is_high = xs[0], True
        else:
            is_high = False
    else:
        is_high = False
    return high if is_high else 0.0


def with_containers(xs: Any) -> Any:
    is_high = xs[0] > 1
    if is_high:
        pair = (xs[0], {"double": xs[0] * 2})
    if is_high:
        pair[1]["double"] += 1
    return pair[1]["double"] if is_high else xs[1]


def deleted(xs: Any) -> Any:
    is_high = xs[0] > 1
    low = xs[0]
    if is_high:
        del low
    return 0.0 if is_high else low


def after_a_handler(xs: Any) -> Any:
    try:
        if xs[0] < 1:
            raise ValueError
        root, is_found = jnp.sqrt(xs[0]), True
    except ValueError:
        is_found = False
    return root if is_found else -1.0


def found_in_a_loop(xs: Any) -> Any:
    is_found = False
    for x in xs:
        if x > 2:
            found, is_found = x * 2, True
            break
    return found if is_found else -1.0


def found_or_else(xs: Any) -> Any:
    for x in xs:
        if x > 2:
            found = x * 2
            break
    else:
        found = -1.0
    return found


def changed_once_found(xs: Any) -> Any:
    is_found = False
    for x in xs:
        if x > 2:
            best, is_found = x, True
        elif is_found:
            best = best + x
    return best if is_found else 0.0


def found_once_a_flag_is_set(xs: Any) -> Any:
    x, is_done = xs[0], False
    while not is_done:
        set_loop_options(maximum_iterations=9)
        if x < 1:
            found, is_done = x * xs[1], True
        x = x / 2
    return found if is_done else 0.0


def found_once_a_flag_is_cleared(xs: Any) -> Any:
    x, n, is_searching = xs[0], 0, True
    while is_searching and n < 3:
        set_loop_options(maximum_iterations=9)
        if x < 1:
            found, is_searching = x * xs[1], False
        x, n = x / 2, n + 1
    return 0.0 if is_searching else found


def found_while_a_flag_holds(xs: Any) -> Any:
    is_searching = True
    for x in xs:
        if is_searching:
            if x > 2:
                found, is_searching = x, False
    return found if not is_searching else 0.0


def found_in_the_last_of_some_turns(xs: Any) -> Any:
    for k in range(3):
        is_found = False
        if xs[k] > 0:
            found, is_found = xs[k] * 2, True
    return found if is_found else -1.0


def an_attribute_under_a_condition(xs: Any) -> Any:
    held = SimpleNamespace()
    is_high = xs[0] > 1
    if is_high:
        held.total = xs[0] * 2
    if is_high:
        for x in xs:
            held.total = held.total + x
    return held.total if is_high else xs[1]


def an_attribute_changed_in_a_loop(xs: Any) -> Any:
    held = SimpleNamespace()
    is_high = xs[0] > 1
    if is_high:
        held.total = xs[0]
    else:
        held.low = xs[1]
    for x in xs:
        if is_high:
            held.total += x
        else:
            held.low -= x
    return held.total if is_high else held.low


def an_attribute_under_two_conditions(xs: Any) -> Any:
    held = SimpleNamespace()
    if xs[0] > 1:
        held.high = xs[0]
    if xs[1] > 1:
        held.high = xs[1]
    return held.high if xs[1] > 1 else xs[2]


def an_attribute_by_its_name(xs: Any) -> Any:
    held = SimpleNamespace(low=xs[1])
    if xs[0] > 1:
        held.high = xs[0] * 2
        del held.low
    if hasattr(held, "low"):
        return held.low
    return getattr(held, "high", 3.0) + getattr(held, "low", 5.0)


def a_variable_of_an_enclosing_function(xs: Any) -> Any:
    def assign(x: Any) -> None:
        nonlocal high
        if x > 1:
            high = x

    assign(xs[0])
    if xs[0] > 1:
        return high  # noqa: F821
    high = xs[1]
    return high


def carried_under_a_condition(xs: Any) -> Any:
    is_high = xs[0] > 1
    if is_high:
        total = 0.0
    for x in xs:
        if is_high:
            total += x
    return total if is_high else -1.0


def read_after_the_first_turn(xs: Any) -> Any:
    total, is_first = 0.0, True
    for x in xs:
        if is_first:
            last, is_first = x, False
        else:
            total += x * last
            last = x
    return total


PROGRAMS: list[Callable[[Any], Any]] = [
    *(under_one_condition, under_the_same_test, under_two_conditions, under_a_flag),
    *(under_a_stronger_test, under_the_test_in_a_loop),
    *(with_containers, deleted, after_a_handler, found_in_a_loop, found_or_else),
    *(found_once_a_flag_is_set, found_once_a_flag_is_cleared, found_while_a_flag_holds),
    *(found_in_the_last_of_some_turns, an_attribute_under_a_condition, an_attribute_by_its_name),
    *(an_attribute_changed_in_a_loop, an_attribute_under_two_conditions),
    *(a_variable_of_an_enclosing_function,),
    *(changed_once_found, carried_under_a_condition, read_after_the_first_turn),
]
ROWS = jnp.array([[3.0, 2.0, 1.0], [0.5, 3.0, 4.0], [0.5, 0.5, -1.0], [-1.0, 2.0, 0.5]])


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_variable_is_read_where_it_has_a_value(program: Callable[[Any], Any]) -> None:
    converted = agj.convert(program)
    expected = np.array([program(row) for row in ROWS])
    np.testing.assert_allclose(jax.jit(jax.vmap(converted))(ROWS), expected)
    np.testing.assert_allclose(jax.vmap(converted)(ROWS), expected)
    compiled, gradient = jax.jit(converted), jax.jit(jax.grad(converted))
    for row, value in zip(ROWS, expected):
        np.testing.assert_allclose(compiled(row), value)
        np.testing.assert_allclose(gradient(row), jax.grad(program)(row))


def found_by_a_loop_without_a_bound(xs: Any) -> Any:
    x, is_done = xs[0], False
    while not is_done:
        if x < 1:
            found, is_done = x * xs[1], True
        x = x / 2
    return found


def at_a_break_or_else(xs: Any) -> Any:
    for i in range(jnp.int32(xs[0] + 1)):
        if xs[i] < 2:
            break
    else:
        return -1.0
    return xs[i] * 2


def at_a_flag_of_the_program(xs: Any) -> Any:
    is_found = False
    for i in range(jnp.int32(xs[0] + 1)):
        place = 2 * i
        if xs[i] < 2:
            is_found = True
            break
    if is_found:
        return place + i
    return -1


def at_a_break_of_a_while(xs: Any) -> Any:
    k = jnp.int32(xs[0])
    while k > 0:
        last = xs[k - 1]
        k -= 1
        if last > 1.5:
            break
    else:
        last = 0.0
    return last


def at_a_break_of_an_inner_loop(xs: Any) -> Any:
    total = 0.0
    for x in xs:
        for i in range(jnp.int32(xs[0])):
            if xs[i] < x:
                break
        else:
            continue
        total += i + x
    return total


@pytest.mark.parametrize(
    "program",
    [
        *(found_by_a_loop_without_a_bound, at_a_break_or_else, at_a_flag_of_the_program),
        *(at_a_break_of_a_while, at_a_break_of_an_inner_loop),
    ],
    ids=lambda program: program.__name__,
)
def test_a_loop_that_ends_by_a_flag_leaves_a_value(program: Any) -> None:
    converted = agj.convert(program)
    expected = np.array([program(row) for row in ROWS])
    np.testing.assert_allclose(jax.jit(jax.vmap(converted))(ROWS), expected)
    for row, value in zip(ROWS, expected):
        np.testing.assert_allclose(jax.jit(converted)(row), value)


def other_condition(xs: Any) -> Any:
    if xs[0] > 1:
        high = xs[0]
    return high if xs[1] > 1 else 0.0


def weaker_test(xs: Any) -> Any:
    if xs[0] > 1:
        high = xs[0]
    return high if xs[0] > 0 else 0.0


def other_half_or_nan(xs: Any) -> Any:
    if xs[0] > 1:
        high = xs[0]
    return 0.0 if xs[0] <= 1 else high


def attribute_of_one_path(xs: Any) -> Any:
    held = SimpleNamespace()
    if xs[0] > 1:
        held.total = xs[0]
    return held.total


def attribute_changed_under_another_condition(xs: Any) -> Any:
    held = SimpleNamespace()
    if xs[0] > 1:
        held.total = xs[0]
    for x in xs:
        if xs[1] > 1:
            held.total = x
    return xs[0]


def flag_of_another(xs: Any) -> Any:
    is_found = False
    for x in xs:
        if x > 2:
            found = x
        if x > 1:
            is_found = True
    return found if is_found else 0.0


def first_turn_without(xs: Any) -> Any:
    n, i = xs[0], 0
    while i < n:
        if xs[i] > 1:
            i += last  # noqa: F821
        last = 2  # noqa: F841
        i += 1
    return i


def of_the_last_turn(xs: Any) -> Any:
    for i in range(jnp.int32(xs[0])):
        if xs[i] > 2:
            break
    return xs[i]


def of_a_turn_after_another_flag(xs: Any) -> Any:
    is_high = xs[1] > 1
    for i in range(jnp.int32(xs[0])):
        if xs[i] > 2:
            is_high = True
            break
    return xs[i] if is_high else 0.0


REFUSED = {
    of_the_last_turn: "'i' has no value if the loop has no iteration",
    of_a_turn_after_another_flag: "'i' has no value if the loop has no iteration",
    other_condition: "'high' has no value where the condition of this `if` does not hold",
    weaker_test: "'high' has no value where the condition of this `if` does not hold",
    other_half_or_nan: "'high' has no value where the condition of this `if` does not hold",
    attribute_of_one_path: "'held.total' has no value where the condition of this `if` does not",
    attribute_changed_under_another_condition: "held.total is new or gone after an iteration of",
    flag_of_another: "'found' has no value",
    first_turn_without: "'last' has no value in the first iteration of this loop: give it one",
}


@pytest.mark.parametrize("program", REFUSED, ids=lambda program: program.__name__)
def test_other_reads_are_refused(program: Callable[[Any], Any]) -> None:
    with pytest.raises(errors.AutographError) as raised:
        jax.jit(agj.convert(program))(ROWS[0])
    assert REFUSED[program] in str(raised.value)
