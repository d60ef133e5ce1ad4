"""The bound of a loop: what counts as one, the loops that have it, and one that is too small."""

from __future__ import annotations

from typing import Any

import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402
from jax.experimental import checkify  # noqa: E402

import autograph.jax as agj  # noqa: E402
from autograph.directives import set_loop_options  # noqa: E402
from autograph.errors import ConversionError, StagingError  # noqa: E402


def halved(x: Any) -> Any:
    while x > 1:
        x = x * 0.5
    return x


def counted(x: Any) -> Any:
    for _ in range(jnp.int32(x)):
        x = x * 0.5
    return x


def added_in_its_test(x: Any) -> Any:
    while (x := x * 0.5) > 0.5:
        x = x * 1.0
    return x


def in_a_branch(x: Any) -> Any:
    if x > 0:
        while x > 1:
            x = x * 0.5
    return x


@pytest.mark.parametrize("most", [-1, "3", True, 2.5])
def test_a_bound_is_a_number_of_iterations(most: Any) -> None:
    with pytest.raises(ConversionError, match="give an int, 0 or more"):
        agj.convert(halved, maximum_iterations=most)

    def bounded(x: Any) -> Any:
        while x > 1:
            set_loop_options(maximum_iterations=most)
            x = x * 0.5
        return x

    with pytest.raises(StagingError, match="give an int, 0 or more"):
        jax.jit(agj.convert(bounded))(9.0)


def test_the_bound_of_a_function_leaves_loops_of_a_known_length_alone() -> None:
    def total(xs: Any) -> Any:
        found = 0.0
        for x in xs:
            found += x
        return found

    assert jax.jit(agj.convert(total, maximum_iterations=2))(jnp.ones(4)) == 4


@pytest.mark.parametrize("function", [halved, counted, added_in_its_test, in_a_branch])
@pytest.mark.parametrize(
    "transformed",
    [
        lambda f: checkify.checkify(jax.jit(f)),
        lambda f: jax.jit(checkify.checkify(f)),
        lambda f: checkify.checkify(jax.grad(f)),
        lambda f: checkify.checkify(lambda x: jax.vmap(f)(jnp.stack([x, 0 * x, -x]))),
        lambda f: checkify.checkify(lambda x: jax.lax.map(f, jnp.stack([x, 0 * x, -x]))),
    ],
)
def test_checkify_finds_a_bound_that_is_too_small(function: Any, transformed: Any) -> None:
    found = {}
    for most in (2, 9):
        error, _ = transformed(agj.convert(function, maximum_iterations=most))(jnp.float32(8))
        found[most] = error.get()
    assert found[9] is None
    assert "this loop goes on after maximum_iterations=2" in found[2]
    assert (
        f"{__file__}:{function.__code__.co_firstlineno + 1 + (function is in_a_branch)}" in found[2]
    )


def test_checkify_finds_rows_after_the_bound() -> None:
    def first_rows(xs: Any, ends: Any) -> Any:
        total = 0.0
        for x in xs:
            set_loop_options(maximum_iterations=2)
            if ends and x > 1:
                break
            total += x
        return total

    run = checkify.checkify(jax.jit(agj.convert(first_rows), static_argnums=1))
    for ends, xs in ((False, jnp.ones(2)), (True, jnp.array([0.0, 2.0, 5.0]))):
        assert run(xs, ends)[0].get() is None
    for ends in (False, True):
        error, found = run(jnp.ones(3), ends)
        assert found == 2
        assert "goes on after maximum_iterations=2" in (error.get() or "")


def test_without_checkify_a_loop_ends_with_its_bound() -> None:
    bounded = agj.convert(halved, maximum_iterations=2)
    assert jax.jit(bounded)(8.0) == 2
    exported = jax.export.export(jax.jit(bounded))(jnp.float32(8))
    assert jax.export.deserialize(exported.serialize()).call(jnp.float32(8)) == 2
