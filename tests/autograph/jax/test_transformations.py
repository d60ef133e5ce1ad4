"""`autograph.jax.convert` under and over JAX's transformations."""

from __future__ import annotations

import functools
import inspect
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402
from jax import lax  # noqa: E402

import autograph as ag  # noqa: E402
import autograph.jax as agj  # noqa: E402
from autograph.errors import ConversionError, StagingError  # noqa: E402


def halvings(x: Any) -> Any:
    n = 0
    while x > 1:
        x = x / 2
        n += 1
    return n


def signed(x: Any) -> Any:
    if x > 0:
        return x * 2
    return x * x


XS = jnp.array([3.0, -2.0, 0.5])


def test_under_jit() -> None:
    assert 5 == jax.jit(agj.convert(halvings))(20.0)


@pytest.mark.parametrize("options", [{}, {"maximum_iterations": 30}])
def test_a_result_wraps_the_function(options: dict[str, Any]) -> None:
    def shown(x: float, *, most: int = 3) -> float:
        """A documentation."""
        return x if x > most else -x

    made = agj.convert(**options)(shown)
    assert made is not shown and made.__wrapped__ is shown
    assert not hasattr(shown, "__wrapped__")
    for _ in range(2):  # before and after the first call
        assert inspect.signature(shown) == inspect.signature(made)
        for name in ("__name__", "__qualname__", "__doc__", "__module__", "__annotations__"):
            assert getattr(shown, name) == getattr(made, name)
        assert "staged" in str(agj.explain(made))
        assert jax.jit(made)(2.0) == -2.0
    assert agj.convert(maximum_iterations=2)(made.__wrapped__)(5.0) == 5.0


def test_over_jit() -> None:
    @agj.convert
    @jax.jit
    def inner(x: Any) -> Any:
        while x > 1:
            x = x / 2
        return x

    assert 0.625 == inner(20.0)
    assert "while" in str(inner.trace(20.0).jaxpr)


def test_over_vmap_grad_and_checkpoint() -> None:
    def one(x: Any) -> Any:
        if x > 0:
            return x * 2
        return x * x

    over = agj.convert(jax.vmap(jax.grad(jax.checkpoint(one))))
    np.testing.assert_allclose([2.0, -4.0, 2.0], over(XS))


def test_over_a_partial_and_a_method() -> None:
    class Scale:
        def __init__(self, by: float) -> None:
            self.by = by

        def apply(self, x: Any, least: Any) -> Any:
            if x > least:
                return x * self.by
            return x

    bound = functools.partial(Scale(3.0).apply, least=1.0)
    assert 6.0 == agj.convert(jax.jit(bound))(2.0)
    assert 6.0 == jax.jit(agj.convert(Scale(3.0).apply))(2.0, 1.0)


def test_a_closure_over_variables_is_converted_in_place() -> None:
    limit = jnp.float32(4)

    def capped(x: Any) -> Any:
        return limit if x > limit else x

    assert [4.0, 2.0] == [float(agj.convert(jax.jit(capped))(x)) for x in (9.0, 2.0)]


def test_grad_through_known_and_unknown_values() -> None:
    under = agj.convert(signed)
    for x, slope in ((3.0, 2.0), (-3.0, -6.0)):
        assert slope == jax.grad(under)(x)
        assert slope == jax.jit(jax.grad(under))(x)
        assert slope == jax.grad(jax.jit(under))(x)
        assert slope == jax.jvp(jax.jit(under), (x,), (1.0,))[1]


def test_python_loops_stay_python_while_values_are_known() -> None:
    """Without jit, a `while` has a reverse gradient: Python runs it on known values."""

    def shrunk(x: Any) -> Any:
        while x > 1:
            x = x * 0.5
        return x

    assert 0.0625 == jax.grad(agj.convert(shrunk))(9.0)
    under, several = agj.convert(shrunk), jnp.array([9.0, 3.0])
    reverse = (
        (jax.grad(jax.jit(under)), 9.0),
        (jax.jit(jax.grad(under)), 9.0),
        (jax.vmap(jax.grad(under)), several),
        (jax.grad(lambda xs: jnp.sum(jax.vmap(under)(xs))), several),
    )
    for slope, argument in reverse:
        with pytest.raises(ValueError, match="say how many iterations") as caught:
            slope(argument)
        assert "while x > 1:" in str(caught.value)
    assert 0.0625 == jax.jacfwd(jax.jit(under))(9.0)
    assert [0.0625, 0.25] == jax.jit(jax.vmap(jax.jacfwd(under)))(several).tolist()
    assert 0.0 == jax.jit(jax.jacfwd(jax.jacfwd(under)))(9.0)
    assert 0.5625 == jax.grad(jax.jit(lambda x: x * under(jax.lax.stop_gradient(x))))(9.0)
    bounded = agj.convert(shrunk, maximum_iterations=6)
    assert 0.0625 == jax.grad(jax.jit(bounded))(9.0)


def test_maximum_iterations_ends_a_loop() -> None:
    assert 3 == jax.jit(agj.convert(halvings, maximum_iterations=3))(1000.0)
    with pytest.raises(ConversionError, match="goes under the transformation"):
        agj.convert(jax.jit(halvings), maximum_iterations=3)


def test_functions_given_to_transformations_are_converted() -> None:
    @jax.jit
    @agj.convert
    def both(xs: Any) -> Any:
        mapped = jax.vmap(signed)(xs)
        total = lax.fori_loop(0, 3, lambda i, t: t + 1 if i > 0 else t, 0)
        return mapped, total

    mapped, total = both(XS)
    np.testing.assert_allclose([6.0, 4.0, 1.0], mapped)
    assert 2 == total


def _scanned(xs: Any) -> Any:
    def body(total: Any, x: Any) -> Any:
        if x > 0:
            total += x
        return total, signed(x)

    return lax.scan(body, 0.0, xs)


def _mapped(xs: Any) -> Any:
    return lax.map(signed, xs)


class _Scaled:
    factor = 2.0

    def one(self, x: Any) -> Any:
        return x * self.factor if x > 0 else -x


TRANSFORMED = {
    "vmap": lambda xs: jax.vmap(lambda x: x * 2 if x > 0 else x * x)(xs),
    "checkpoint": lambda xs: jax.checkpoint(signed)(xs[1]),
    "grad": lambda xs: jax.grad(lambda each: jnp.sum(jax.vmap(signed)(each)))(xs),
    "jit": lambda xs: [jax.jit(signed)(x) for x in xs],
    "fori_loop": lambda xs: lax.fori_loop(0, 3, lambda i, total: total + signed(xs[i]), 0.0),
    "a partial": lambda xs: jax.vmap(functools.partial(lambda k, x: x if x > k else -x, 1.0))(xs),
    "a method": lambda xs: jax.vmap(_Scaled().one)(xs),
    "a called function": lambda xs: (_scanned(xs), _mapped(xs)),
    "tree_map": lambda xs: jax.tree_util.tree_map(jax.vmap(signed), {"a": xs}),
}


@pytest.mark.parametrize("name", TRANSFORMED)
def test_functions_are_converted_that_a_call_outside_of_a_trace_gives_to_jax(name: str) -> None:
    function = agj.convert(TRANSFORMED[name])
    found, wanted = function(XS), jax.jit(function)(XS)
    jax.tree_util.tree_map(np.testing.assert_allclose, found, wanted)


def test_a_jitted_function_is_converted_when_called() -> None:
    @jax.jit
    def inner(x: Any) -> Any:
        return x + 1 if x > 0 else x

    @jax.jit
    @agj.convert
    def outer(x: Any) -> Any:
        return inner(x) * 2

    assert 6.0 == outer(2.0)


def test_inside_shard_map() -> None:
    mesh = jax.sharding.Mesh(np.array(jax.devices()[:1]), ("i",))
    spec = jax.sharding.PartitionSpec("i")

    def total(xs: Any) -> Any:
        found = 0.0
        for x in xs:
            if x > 0:
                found += x
        return jnp.full_like(xs, found)

    shard_map = getattr(jax, "shard_map", None)
    if shard_map is None:
        pytest.skip("this JAX has another shard_map")
    mapped = shard_map(agj.convert(total), mesh=mesh, in_specs=spec, out_specs=spec)
    np.testing.assert_allclose([3.5, 3.5, 3.5], jax.jit(mapped)(XS))


def test_custom_derivatives_of_converted_functions() -> None:
    @jax.custom_jvp
    @agj.convert
    def clipped(x: Any) -> Any:
        return 1.0 if x > 1 else x

    clipped.defjvp(lambda primals, tangents: (clipped(*primals), 7.0 * tangents[0]))
    assert 7.0 == jax.grad(clipped)(2.0)
    assert 1.0 == jax.jit(clipped)(2.0)


def test_the_rules_of_a_custom_derivative_are_converted_where_it_is_called() -> None:
    @jax.custom_vjp
    def clipped(x: Any) -> Any:
        return 1.0 if x > 1 else x

    clipped.defvjp(lambda x: (clipped(x), x), lambda x, g: (7.0 * g if x > 1 else g,))
    gradient = jax.jit(jax.grad(agj.convert(lambda x: 2 * clipped(x))))
    assert (14.0, 2.0) == (gradient(2.0), gradient(0.5))


def test_static_arguments_stay_pythons() -> None:
    @functools.partial(jax.jit, static_argnames="steps")
    @agj.convert
    def repeated(x: Any, steps: int) -> Any:
        for _ in range(steps):
            x = x * 2
        return x

    assert "while" not in str(repeated.trace(1.0, steps=3).jaxpr)
    assert 8.0 == repeated(1.0, steps=3)


def test_to_code_and_explain_see_the_function_within() -> None:
    for fn in (halvings, agj.convert(halvings), jax.jit(halvings), agj.convert(jax.jit(signed))):
        assert "ag__." in agj.to_code(fn)
    assert agj.to_code(halvings) == ag.to_code(halvings)
    assert "while" in str(agj.explain(jax.jit(halvings)))
    with pytest.raises(ConversionError, match="not a call: print jax.make_jaxpr"):
        agj.explain(halvings, 3.0)


def test_a_function_of_a_library_alone_is_refused() -> None:
    with pytest.raises(ConversionError, match="no function of yours"):
        agj.convert(jax.jit(len))


def test_64_bits() -> None:
    with jax.enable_x64(True) if hasattr(jax, "enable_x64") else jax.experimental.enable_x64():
        assert np.dtype("int64") == jax.jit(agj.convert(halvings))(20.0).dtype


def of_open_length(xs: Any) -> Any:
    total, doubled = 0.0, []
    for k, (x, y) in enumerate(zip(xs, 2 * xs)):
        doubled.append(x + y)
        total += x * k
    for k in range(xs.shape[0]):
        if xs[k] > 0:
            total += xs[k]
    for k in range(len(xs)):
        if total > 50:
            break
        total += xs[-k - 1]
    return total, jnp.stack(doubled)


def in_comprehensions(xs: Any) -> Any:
    positive = [x for x in xs if x > 0]
    doubled = [2 * x for x in xs]
    total = sum(x for x in xs) + sum(positive) + sum(x * y for x, y in zip(xs, doubled))
    return total, doubled[0], max(x * x for x in xs), len(doubled), sorted(xs)[-1]


def in_a_first_iteration(xs: Any) -> Any:
    best, previous, total = None, None, 0
    for x in xs:
        if best is None or x > best:
            best = x
        if previous is not None:
            total = total + x * previous
        total, previous = total + jnp.stack([x, x]), x
    for x, y in zip(xs, xs[1:]):
        total = total + x * y
    return total, previous


@pytest.mark.parametrize("program", [of_open_length, in_comprehensions, in_a_first_iteration])
def test_an_export_leaves_the_length_of_a_loop_open(program: Any) -> None:
    export = pytest.importorskip("jax.export")
    (length,) = export.symbolic_shape("n")
    form = jax.ShapeDtypeStruct((length,), jnp.float32)
    exported = export.export(jax.jit(agj.convert(program)))(form)
    for xs in ([1.0, -2.0, 3.0, 0.5], [20.0, 40.0], [1.0]):
        found, expected = exported.call(jnp.array(xs)), program(jnp.array(xs))
        for one, other in zip(found, expected):
            np.testing.assert_allclose(one, other)


def by_length(xs: Any) -> Any:
    return xs[0] if len(xs) > 3 else xs[-1]


def test_a_condition_on_an_open_length_is_refused() -> None:
    export = pytest.importorskip("jax.export")
    form = jax.ShapeDtypeStruct(export.symbolic_shape("n"), jnp.float32)
    with pytest.raises(StagingError, match=r"jax.export leaves open(.|\n)*if len\(xs\) > 3"):
        export.export(jax.jit(agj.convert(by_length)))(form)


def exchanged(xs: Any, held: list[Any]) -> Any:
    xs[0], xs[1] = xs[1], xs[0]
    (xs[2], last), held[0] = (xs[0], xs[2]), xs[1]
    return xs, last, held


def test_items_of_arrays_are_exchanged_with_and_without_a_transformation() -> None:
    converted = agj.convert(exchanged)
    for function in (converted, jax.jit(converted)):
        xs, last, (kept,) = function(jnp.array([3, 1, 2]), [0])
        assert [1, 3, 1, 2, 3] == [*map(int, xs), int(last), int(kept)]


def assigned_in_blocks(xs: Any) -> Any:
    total = jnp.zeros(2)
    for row in [xs, xs + 1]:
        row[0] = 7
        if row[1] > 1:
            shown = row * 2
            shown[1] += 1
            total += shown
        total += row
    return total


def test_items_of_arrays_bound_in_blocks_are_assigned_without_a_transformation() -> None:
    converted = agj.convert(assigned_in_blocks)
    for xs in (jnp.array([3.0, 1.0]), jnp.array([3.0, -4.0])):
        assert jax.jit(converted)(xs).tolist() == converted(xs).tolist()
