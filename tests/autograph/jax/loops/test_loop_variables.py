"""Variables of loops that change their form, keep other containers, or grow by addition."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402

import autograph.jax as agj  # noqa: E402
from autograph import errors  # noqa: E402
from autograph.directives import set_loop_options  # noqa: E402
from autograph.jax.growing_lists import PreallocatedList, StackedList  # noqa: E402

# -- members of an enum of ints --------------------------------------------------------------------


class Mode(IntEnum):
    LOW = 0
    HIGH = 1
    OVER = 2


def states_by_ifs(xs: Any) -> Any:
    mode, count = Mode.LOW, 0
    for x in xs:
        if mode == Mode.LOW:
            mode = Mode.HIGH if x > 0 else mode
        elif x < 0:
            mode = Mode.OVER
            count += 1
        else:
            mode = Mode.LOW
    return mode, count


def states_in_a_tuple(xs: Any) -> Any:
    state = (Mode.LOW, 0.0)
    for x in xs:
        mode, total = state
        if mode == Mode.LOW and x > 0:
            state = (Mode.HIGH, total + x)
        elif mode != Mode.LOW:
            state = (Mode.LOW, total - x)
    return state


@pytest.mark.parametrize("program", [states_by_ifs, states_in_a_tuple])
def test_members_of_an_enum_of_ints_are_numbers(program: Callable[[Any], Any]) -> None:
    for row in ([1.0, -1.0, 2.0, 3.0, -3.0, 1.0], [-1.0, -1.0]):
        xs = jnp.array(row)
        found = jax.jit(agj.convert(program))(xs)
        assert [float(x) for x in found] == [float(x) for x in program(xs)]


# -- the first iteration gives a variable its form -------------------------------------------------


def first_total(xs: Any) -> Any:
    total = 0
    for x in xs:
        total = total + jnp.stack([x, 1.0])
    return total


def first_best(xs: Any) -> Any:
    best = None
    for x in xs:
        if best is None or x > best:
            best = x
    return best


def first_previous(xs: Any) -> Any:
    previous, total = None, 0.0
    for x in xs:
        if previous is not None:
            total += x * previous
        previous = x
        if total > 1:
            break
    return total, previous


def first_list(xs: Any) -> Any:
    held: list[Any] = []
    for x in xs:
        held = [x] if len(held) == 0 else [held[0] * 2 + x]
    return held


def first_containers(xs: Any) -> Any:
    for x in xs:
        row = [x]
        row.append(x * 2)
        options = {"scale": 3, "rows": (row, None)}
    return row, options["scale"] * options["rows"][0][1]


def first_function(xs: Any) -> Any:
    for x in xs:
        double = lambda v: v * 2
        scaled = lambda v: v * x
    return double(xs[0]) + scaled(xs[1])


# -- containers within tuples ----------------------------------------------------------------------


def kept_in_a_tuple(xs: Any) -> Any:
    a = [xs[0]]
    pair = (a, 0.0)
    for x in xs:
        a[0] = a[0] * 2 + x
        pair = (a, pair[1] + 1.0)
    return pair[0][0] + pair[1], pair[0] is a


def kept_in_a_dict(xs: Any) -> Any:
    a = [xs[0]]
    held: dict[str, Any] = {"a": a, "n": 0}
    for k in jnp.arange(3):
        a[0] = a[0] * 2
        held = {"a": held["a"], "n": held["n"] + k}
    a[0] += 1
    return held["a"][0], held["n"]


def kept_on_both_paths(xs: Any) -> Any:
    a = [xs[0]]
    pair = (a, 1.0) if xs[1] > 0 else (a, 2.0)
    a[0] = 5.0
    return pair[0][0] + pair[1]


def copied_on_the_paths(xs: Any) -> Any:
    a, b = [xs[0]], [xs[1]]
    pair = (a, 1.0) if xs[1] > 0 else (b, 2.0)
    return pair[0][0] + pair[1]


# -- lists -----------------------------------------------------------------------------------------


def added_in_each_turn(xs: Any) -> Any:
    out: Any = []
    for x in xs:
        out = out + [x * 2, x]
    return jnp.stack(out), len(out)


def added_to_a_tuple(xs: Any) -> Any:
    out: Any = (1.0,)
    for x in xs:
        out = out + (x * 2,)
    return jnp.stack(out)


def added_on_a_condition(xs: Any) -> Any:
    out: Any = []
    for x in xs:
        if x > 0:
            out = out + [x]
    return out, len(out)


def added_in_two_loops(xs: Any) -> Any:
    out: Any = []
    for x in xs:
        for y in xs:
            out = out + [x - y]
    return out


def added_in_two_loops_on_a_condition(xs: Any) -> Any:
    out: Any = []
    for x in xs:
        for y in xs:
            if x > y:
                out = out + [x - y]
    return out


def added_before_a_break(xs: Any) -> Any:
    out: Any = []
    for x in xs:
        if x < -1.5:
            break
        out = out + [(x, 2 * x)]
    return out


def added_in_a_while(xs: Any) -> Any:
    out: Any = []
    k = jnp.int32(0)
    while k < 3:
        set_loop_options(maximum_iterations=5)
        out = out + [xs[k]]
        k += 1
    return out


def the_last_item_is_read(xs: Any) -> Any:
    out = [xs[0]]
    for x in xs:
        out.append(out[-1] * 0.5 + x)
    return jnp.stack(out), len(out)


def items_are_read_and_assigned(xs: Any) -> Any:
    out = [1.0, 1.0]
    for x in xs:
        out.append(out[-1] + out[-2] * x)
        if len(out) > 3:
            out[0] = out[1] * 2
    return out[0], out[-1]


def the_last_item_is_in_a_condition(xs: Any) -> Any:
    out = [xs[1]]
    for x in xs:
        if out[-1] < x:
            out.append(x)
    return out, len(out)


def all_items_are_read(xs: Any) -> Any:
    out: list[Any] = []
    for x in xs:
        out.append(x)
        total = 0.0
        for y in out:
            total += y
        out.append(total)
    return jnp.stack(out)


def a_sum_is_read(xs: Any) -> Any:
    out: list[Any] = []
    for x in xs:
        out.append(x + sum(out))
    return jnp.stack(out)


def a_sum_is_read_in_the_only_turn(xs: Any) -> Any:
    out: list[Any] = []
    for x in xs[:1]:
        out.append(x + sum(out))
    return out


def an_item_is_assigned_under_an_index(xs: Any) -> Any:
    counts, pairs = [0.0] * 3, [[1.0, 2.0], [3.0, 4.0]]
    for k in jnp.arange(3):
        if xs[k] > 0:
            counts[k] += xs[k]
        counts[k - 1] += 1
    pairs[jnp.argmax(xs) % 2] = [xs[0], xs[1]]
    return counts, pairs


FUNCTIONS = [
    each
    for name, each in globals().items()
    if name.startswith(
        ("first_", "kept_", "copied_", "added_", "the_", "items_", "all_", "a_", "an_")
    )
    and callable(each)
]
CASES = [jnp.array(each) for each in ([1.0, -2.0, 3.0], [0.5, 2.0, 0.25], [-1.0, -2.0, -3.0])]


def leaves(value: Any) -> list[Any]:
    if isinstance(value, (list, tuple, StackedList, PreallocatedList)):
        return [leaf for each in value for leaf in leaves(each)]
    return [np.asarray(value)]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: each.__name__)
def test_a_loop_has_pythons_results(function: Callable[[Any], Any]) -> None:
    compiled = jax.jit(agj.convert(function))
    for case in CASES:
        expected, found = leaves(function(case)), leaves(compiled(case))
        assert len(expected) == len(found)
        for one, other in zip(expected, found):
            np.testing.assert_allclose(one, other, rtol=1e-5)


def test_a_list_that_grows_by_as_many_items_in_each_turn_is_stacked() -> None:
    def last(xs: Any) -> Any:
        out = [xs[0]]
        for x in xs:
            out.append(out[-1] + x)
        return out

    def longest(xs: Any) -> Any:
        out = [xs[0]]
        for x in xs:
            if out[-1] < x:
                out.append(x)
        return out

    assert type(jax.jit(agj.convert(last))(CASES[0])) is StackedList
    assert type(jax.jit(agj.convert(longest))(CASES[0])) is PreallocatedList


def test_gradients_go_through_items_that_are_read() -> None:
    total = agj.convert(lambda xs: jnp.sum(the_last_item_is_read(xs)[0]))
    for case in CASES:
        expected = jax.grad(lambda xs: jnp.sum(the_last_item_is_read(xs)[0]))(case)
        np.testing.assert_allclose(expected, jax.jit(jax.grad(total))(case), rtol=1e-6)


def test_a_list_that_is_made_anew_in_a_while_is_no_growth() -> None:
    def anew(x: Any) -> Any:
        held: list[Any] = []
        while x > 1:
            held = [x]
            x = x / 2
        return held

    with pytest.raises(errors.LoopMismatch, match="'held' changes its length"):
        jax.jit(agj.convert(anew))(9.0)
