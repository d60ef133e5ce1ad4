"""Arrays of JAX that a Function reads, carries, changes and returns, beside arrays of NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.errors import SignatureError, UnconvertedUseError

jax = pytest.importorskip("jax")
jnp = jax.numpy

ARRAY = np.array([0.5, 1.0, 2.0], np.float32)
NUMBER = np.int32(2)
Make = Callable[[Any], Any]


class Box:
    """An object with attributes."""

    def __init__(self, **attributes: Any) -> None:
        vars(self).update(attributes)


def on_one_path(make: Make) -> Callable[[Any], Any]:
    held = make(ARRAY)

    def f(x: Any) -> Any:
        if x > 0:
            y = held + x
        else:
            y = held
        return y

    return f


def carried(make: Make) -> Callable[[Any], Any]:
    start = make(ARRAY)

    def f(x: Any) -> Any:
        y = start
        while x > 0:
            y = y * 2
            x = x - 1
        return y

    return f


def default(make: Make) -> Callable[[Any], Any]:
    def f(x: Any, y: Any = make(ARRAY)) -> Any:  # noqa: B008
        for _ in range(2):
            if x > 0:
                y = y - x
        return y

    return f


def indexed(make: Make) -> Callable[[Any], Any]:
    held = make(ARRAY)

    def f(x: Any) -> Any:
        i, total = 0, 0.0
        while i < 3 and x > 0:
            total += held[i] * x
            i += 1
        return total, i

    return f


def of_a_list(make: Make) -> Callable[[Any], Any]:
    items = [make(ARRAY), make(ARRAY * 2)]

    def f(x: Any) -> Any:
        return items[1 if x > 0 else 0]

    return f


def searched(make: Make) -> Callable[[Any], Any]:
    held = make(ARRAY)

    def f(x: Any) -> Any:
        return 1 if x in held else 0

    return f


def compared(make: Make) -> Callable[[Any], Any]:
    limit = make(NUMBER)

    def f(x: Any) -> Any:
        n = 0
        while x < limit:
            x = x + 1
            n += 1
        return n

    return f


def iterated(make: Make) -> Callable[[Any], Any]:
    held = make(ARRAY)

    def f(x: Any) -> Any:
        total = 0.0
        for row in held:
            if x > 0:
                total += row * x
        return total

    return f


def returned(make: Make) -> Callable[[Any], Any]:
    held = make(ARRAY)

    def f(x: Any) -> Any:
        return {"held": held, "x": x}

    return f


PROGRAMS = [
    on_one_path,
    carried,
    default,
    indexed,
    of_a_list,
    searched,
    compared,
    iterated,
    returned,
]


def plain(value: Any) -> Any:
    return rt.nest.map_structure(lambda each: np.asarray(each).tolist(), value)


@pytest.mark.parametrize("executor", ["numpy", "jax"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_an_array_of_jax_is_a_constant_as_numpys_is(program: Any, executor: str) -> None:
    f = ag.function(program(jnp.asarray), executor=executor)
    for x in (np.float32(2.0), np.float32(-1.0)):
        assert plain(program(np.asarray)(x)) == plain(f(rt.constant(x)))


def test_an_array_that_the_trace_makes_is_carried() -> None:
    @ag.function
    def counted(n: Any) -> Any:
        y, i = jnp.zeros(3), 0
        while i < n:
            y = y + 1
            i += 1
        return y

    assert counted(rt.constant(4)).numpy().tolist() == [4.0, 4.0, 4.0]


@pytest.mark.parametrize("executor", ["numpy", "jax"])
def test_an_attribute_is_state_and_one_trace_serves_all_calls(executor: str) -> None:
    box = Box(total=jnp.zeros(2), count=jnp.int32(0))

    @ag.function(executor=executor)
    def step(x: Any) -> Any:
        while rt.reduce_sum(box.total) < x:
            box.total = box.total + 1
        box.count = box.count + 1
        return box.count

    assert [int(step(rt.constant(x))) for x in (3.0, 7.0, 1.0)] == [1, 2, 3]
    assert np.asarray(box.total).tolist() == [4.0, 4.0]
    assert int(box.count) == 3
    assert step.experimental_get_tracing_count() == 1


def test_a_changed_attribute_is_another_trace_with_guards() -> None:
    box = Box(x=jnp.float32(1))
    f = ag.function(lambda v: v * box.x, guards="retrace")
    assert float(f(rt.constant(2.0))) == 2.0
    box.x = jnp.float32(10)
    assert float(f(rt.constant(2.0))) == 20.0


# -- keys of random numbers ------------------------------------------------------------------------


@pytest.mark.parametrize("new_key", [jax.random.key, jax.random.PRNGKey])
def test_a_key_is_a_tensor_of_its_data(new_key: Callable[[int], Any]) -> None:
    @ag.function
    def draw(key: Any) -> Any:
        return rt.random.stateless_uniform([2], seed=key), key

    for seed in range(3):
        data = np.asarray(jax.random.key_data(new_key(seed)))
        drawn, key = draw(new_key(seed))
        assert key.numpy().tolist() == data.tolist()
        expected = rt.random.stateless_uniform([2], seed=data.astype(np.int64))
        assert drawn.numpy().tolist() == expected.numpy().tolist()
    assert draw.experimental_get_tracing_count() == 1


def test_a_key_of_a_closure_is_used_by_jax_while_tracing() -> None:
    key = jax.random.key(1)
    f = ag.function(lambda x: x + jax.random.uniform(key))
    assert float(f(rt.constant(1.0))) == float(1 + jax.random.uniform(key))


# -- functions of JAX ------------------------------------------------------------------------------

X = np.array([1.0, 4.0], np.float32)
REMEDIES: dict[str, tuple[Callable[[Any], Any], str]] = {
    "jnp.sin": (lambda x: jnp.sin(x), "np.sin"),
    "jnp.sum": (lambda x: jnp.sum(x), "np.sum"),
    "jnp.where": (lambda x: jnp.where(x > 0, x, 0), "np.where"),
    "jnp.asarray": (lambda x: jnp.asarray(x), "np.asarray"),
    "jax.nn.relu": (lambda x: jax.nn.relu(x), "rt.nn.relu"),
    "jax.lax.rsqrt": (lambda x: jax.lax.rsqrt(x), "rt.rsqrt"),
    "jax.lax.while_loop": (
        lambda x: jax.lax.while_loop(lambda c: c[0] < 3, lambda c: c + 1, x),
        "a `while` statement",
    ),
    "jax.grad(...)": (lambda x: jax.grad(lambda a: a)(x), "rt.grad"),
    "jax.vmap(...)": (lambda x: jax.vmap(lambda a: a)(x), "rt.vectorized_map"),
    "jax.random.uniform": (
        lambda x: jax.random.uniform(x),
        "rt.random.stateless_uniform(shape, seed=key)",
    ),
    "held.at[0].set": (lambda x: held.at[0].set(x[0]), "x[i] = value"),
}
held = jnp.zeros(2)


@pytest.mark.parametrize("call", REMEDIES)
def test_a_function_of_jax_is_refused_with_its_counterpart(call: str) -> None:
    function, instead = REMEDIES[call]
    with pytest.raises(UnconvertedUseError) as raised:
        ag.function(function)(rt.constant(X))
    assert raised.value.message.startswith(f"{call}() computes with arrays of JAX")
    assert f"write {instead}; for a program of JAX, write autograph.jax" in raised.value.message
    place = raised.value.origin
    assert place is not None and __file__ in place.describe() and "lambda x" in place.describe()


def test_it_is_refused_on_a_path_too_and_at_its_line() -> None:
    @ag.function
    def f(x: Any) -> Any:
        while x < 100:
            x = x + jnp.sqrt(
                x,
            )
        return x

    with pytest.raises(UnconvertedUseError, match="write np.sqrt;") as raised:
        f(rt.constant(1.0))
    assert "x = x + jnp.sqrt(" in str(raised.value)


@pytest.mark.parametrize("name", ["sin", "sum", "where"])
def test_the_counterpart_computes_the_same(name: str) -> None:
    given = {"where": lambda x: (x > 2, x, 0)}.get(name, lambda x: (x,))
    found = ag.function(lambda x: getattr(np, name)(*given(x)))(rt.constant(X))
    np.testing.assert_allclose(found, getattr(jnp, name)(*given(X)), rtol=1e-6)


def test_errors_of_other_lines_are_unchanged() -> None:
    ones = jnp.ones(2)

    def f(x: Any) -> Any:
        y = jnp.sin(ones)
        return x.no_such_attribute + y

    with pytest.raises(AttributeError, match="no_such_attribute"):
        ag.function(f)(rt.constant(X))


@pytest.mark.parametrize("transform", [jax.grad, jax.vmap, jax.jit])
def test_a_transformation_of_jax_over_a_function_is_refused(transform: Any) -> None:
    f = ag.function(lambda x: x * x)
    with pytest.raises(SignatureError, match="rt.GradientTape.*autograph.jax.convert"):
        transform(f)(jnp.ones(3) if transform is jax.vmap else 3.0)
