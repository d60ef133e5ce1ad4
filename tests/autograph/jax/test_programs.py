"""Programs of JAX against their hand-written forms: values, gradients, vmap, and length."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402

import autograph.jax as agj  # noqa: E402
from tests.autograph.jax.program import Program  # noqa: E402

THEMES = ("branches", "loops", "arrays", "structures")
PROGRAMS: list[Program] = [
    program
    for theme in THEMES
    for program in importlib.import_module(f"tests.autograph.jax.programs.{theme}").PROGRAMS
]


def each_of(programs: list[Program]) -> Any:
    return pytest.mark.parametrize("program", programs, ids=lambda each: each.python.__name__)


def _is_inexact(value: Any) -> bool:
    return all(jnp.issubdtype(each.dtype, jnp.inexact) for each in jax.tree_util.tree_leaves(value))


def _inexact_places(program: Program) -> list[int]:
    return [k for k, each in enumerate(program.cases[0]) if _is_inexact(each)]


def _has_derivative(program: Program) -> bool:
    if not _inexact_places(program):
        return False
    outputs = jax.eval_shape(program.lax, *program.cases[0])
    return any(map(_is_inexact, jax.tree_util.tree_leaves(outputs)))


EACH = each_of(PROGRAMS)
WITH_DERIVATIVE = [each for each in PROGRAMS if _has_derivative(each)]
MAPPED = [each for each in PROGRAMS if not each.no_vmap]


def converted(program: Program, **options: Any) -> Any:
    return agj.convert(program.python, **{**options, **dict(program.options)})


def leaves(value: Any) -> list[Any]:
    return [np.asarray(each) for each in jax.tree_util.tree_leaves(value)]


def assert_same(expected: Any, found: Any, is_loose: bool = False) -> None:
    expected, found = leaves(expected), leaves(found)
    assert len(expected) == len(found)
    for one, other in zip(expected, found):
        if not is_loose:
            assert (one.dtype, one.shape) == (other.dtype, other.shape)
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


@EACH
def test_values_are_those_of_the_lax_form_and_of_python(program: Program) -> None:
    compiled = jax.jit(converted(program))
    for case in program.cases:
        found = compiled(*case)
        assert_same(jax.jit(program.lax)(*case), found)
        if program.eager:
            assert_same(program.python(*case), found, is_loose=True)


@EACH
def test_weak_types_are_those_of_the_lax_form(program: Program) -> None:
    expected, found = (
        jax.make_jaxpr(each)(*program.cases[0]).out_avals
        for each in (program.lax, converted(program))
    )
    assert [each.weak_type for each in expected] == [each.weak_type for each in found]


def _scalar_of(function: Any) -> Any:
    def total(*args: Any) -> Any:
        found = [jnp.asarray(each) for each in jax.tree_util.tree_leaves(function(*args))]
        return sum(jnp.sum(each * 1.5) for each in found if jnp.issubdtype(each.dtype, jnp.inexact))

    return total


@each_of(WITH_DERIVATIVE)
def test_derivatives_are_those_of_the_lax_form(program: Program) -> None:
    places = _inexact_places(program)
    forward = jax.jacfwd(_scalar_of(converted(program)), places)
    # A bound gives a `while` its reverse gradient.
    bounded = converted(program, maximum_iterations=40) if program.unbounded else converted(program)
    reverse = jax.grad(_scalar_of(bounded), places)
    for case in program.cases:
        expected = jax.jacfwd(_scalar_of(program.lax), places)(*case)
        for found in (jax.jit(forward), reverse, jax.jit(reverse)):
            assert_same(expected, found(*case))


@each_of(MAPPED)
def test_vmap_gives_the_results_of_each_case(program: Program) -> None:
    stacked = jax.tree_util.tree_map(lambda *rows: jnp.stack(rows), *program.cases)
    singles = [program.lax(*case) for case in program.cases]
    expected = jax.tree_util.tree_map(lambda *rows: jnp.stack(rows), *singles)
    assert_same(expected, jax.vmap(converted(program))(*stacked), is_loose=True)
    assert_same(expected, jax.jit(jax.vmap(converted(program)))(*stacked), is_loose=True)


@EACH
def test_a_jaxpr_is_not_much_longer_than_that_of_the_lax_form(program: Program) -> None:
    case = program.cases[0]
    expected, found = (length_of(each, case) for each in (program.lax, converted(program)))
    most = program.longest * expected
    # A short program may have one equation more, such as that which names the loop of a gradient.
    assert found <= (max(most, expected + 1) if expected < 10 else most), (expected, found)


def length_of(function: Any, case: Any) -> int:
    """Count the equations, in inner jaxprs as well."""
    jaxpr = jax.make_jaxpr(function)(*case).jaxpr
    if jax.__version_info__ < (0, 7):  # It keeps the equations that nothing needs.
        from jax._src.interpreters import partial_eval

        jaxpr, _ = partial_eval.dce_jaxpr(jaxpr, [True] * len(jaxpr.outvars), instantiate=True)
    return _count(jaxpr)


def _count(jaxpr: Any) -> int:
    total = 0
    for equation in jaxpr.eqns:
        total += 1
        for parameter in jax.tree_util.tree_leaves(
            list(equation.params.values()), is_leaf=lambda each: hasattr(each, "eqns")
        ):
            inner = getattr(parameter, "jaxpr", parameter)
            if hasattr(inner, "eqns"):
                total += _count(inner)
    return total


def test_there_are_at_least_sixty_programs() -> None:
    assert len(PROGRAMS) >= 60
    assert len({each.python.__name__ for each in PROGRAMS}) == len(PROGRAMS)
