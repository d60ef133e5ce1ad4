"""Tensors and variables as arguments of JAX's own functions, beside arrays of NumPy."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.device_tensor import DeviceTensor
from runtime.core.tensor import EagerTensor

jax = pytest.importorskip("jax")
jnp = jax.numpy

from jax.flatten_util import ravel_pytree  # noqa: E402

VALUES = np.array([0.5, 1.5, -2.0], np.float32)


same = ag.function(lambda x: x * 1.0, executor="jax")


def computed() -> Any:
    found = same(rt.constant(VALUES))
    assert type(found) is DeviceTensor
    return found


OPERANDS: dict[str, Callable[[], Any]] = {
    "computed": computed,
    "eager": lambda: rt.constant(VALUES),
    "variable": lambda: rt.Variable(VALUES),
}
FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "sum": lambda x: jnp.sum(x),
    "sin": lambda x: jnp.sin(x),
    "asarray": lambda x: jnp.asarray(x),
    "lax": lambda x: jax.lax.exp(x),
    "jit": lambda x: jax.jit(lambda a: a + 1)(x),
    "jit of a dict": lambda x: jax.jit(lambda d: d["a"] * 2)({"a": x}),
    "grad": lambda x: jax.grad(lambda a: (a**3).sum())(x),
    "vmap": lambda x: jax.vmap(lambda a: a * a)(x),
    "scan": lambda x: jax.lax.scan(lambda c, a: (c + a, c), 0.0, x)[1],
    "closure": lambda x: jax.jit(lambda a: a + jnp.cos(x))(jnp.ones(3)),
    "device_put": lambda x: jax.device_put(x),
    "jvp": lambda x: jax.jvp(jnp.sin, (x,), (x,))[1],
    "jacobian": lambda x: jax.jacfwd(jnp.sin)(x) + jax.jacrev(jnp.sin)(x),
    "hessian": lambda x: jax.hessian(lambda a: jnp.sum(a**3))(x),
    "ravel": lambda x: ravel_pytree({"a": x})[0],
    "linear": lambda x: jax.linearize(jnp.sin, x)[1](x),
}


@pytest.mark.parametrize("operand", OPERANDS)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_of_jax_takes_a_tensor_as_it_takes_an_array(function: str, operand: str) -> None:
    found = FUNCTIONS[function](OPERANDS[operand]())
    assert isinstance(found, jax.Array)
    expected = FUNCTIONS[function](VALUES)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("operand", ["computed", "eager"])
def test_functions_that_check_their_operands_take_tensors(operand: str) -> None:
    x = OPERANDS[operand]()
    np.testing.assert_array_equal(jnp.where(x > 0, x, 0), np.where(VALUES > 0, VALUES, 0))
    np.testing.assert_array_equal(jnp.stack([x, x]), np.stack([VALUES, VALUES]))


def test_numbers_of_statements_may_be_tensors() -> None:
    one, xs = rt.constant(1), jnp.arange(4.0)
    assert jax.lax.cond(rt.constant(True), lambda: 1, lambda: 2) == 1
    assert jax.lax.fori_loop(0, rt.constant(3), lambda k, c: c + k, 0) == 3
    np.testing.assert_array_equal(jax.lax.dynamic_slice(xs, (one,), (2,)), [1, 2])
    assert jnp.zeros(2, rt.float16).dtype == np.float16


_ORDERS = {
    "jax first": ("import jax, runtime as rt", "jax.grad(lambda a: (a * a).sum())(x)"),
    "jax after": ("import runtime as rt, jax", "jax.jit(lambda a: 2 * a)(x)"),
    "variable": ("import runtime as rt, jax", "jax.jit(lambda a: 2 * a)(rt.Variable([1.0, 3.0]))"),
    "grad": ("import runtime as rt, jax", "jax.grad(lambda a: (a * a).sum())(x)"),
    "jvp": ("import runtime as rt, jax", "jax.jvp(lambda a: a * a, (x,), (x / x,))[1]"),
    "grad of a variable": (
        "import runtime as rt; from jax import numpy as jnp; import jax",
        "jax.grad(lambda a: jnp.sum(a * a))(rt.Variable([1.0, 3.0]))",
    ),
    "sum": ("import runtime as rt, jax", "jax.numpy.cumsum(x) * jax.numpy.array([2, 1.5])"),
}


@pytest.mark.parametrize("order", _ORDERS)
def test_no_graph_has_to_run_before(order: str) -> None:
    imports, call = _ORDERS[order]
    program = f"{imports}; x = rt.constant([1.0, 3.0]); print({call})"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert found.stdout == "[2. 6.]\n", found.stderr


def test_the_array_of_a_result_is_not_copied() -> None:
    x = computed()
    assert jnp.asarray(x) is x._held


def test_a_later_assignment_of_a_variable_does_not_reach_the_array() -> None:
    v = rt.Variable(VALUES)
    taken = jnp.asarray(v) + 0, jax.jit(lambda a: a)(v), jax.device_put(v)
    v.assign_add([1.0, 1.0, 1.0])
    for each in taken:
        np.testing.assert_array_equal(each, VALUES)
    np.testing.assert_array_equal(jax.jit(lambda a: a)(v), VALUES + 1)


def test_64_bits_are_jaxs_own_choice() -> None:
    x = ag.function(lambda a: a + a, executor="jax")(rt.constant([1, 2], rt.int64))
    assert x.dtype == rt.int64
    assert jax.jit(lambda a: a + 1)(x).dtype == jax.jit(lambda a: a + 1)(np.array([2, 4])).dtype


@pytest.mark.parametrize("operate", [lambda a, x: a + x, lambda a, x: x + a, lambda a, x: a * x])
def test_an_operator_with_a_tracer_is_jaxs(operate: Callable[[Any, Any], Any]) -> None:
    x = rt.constant(VALUES)
    found = jax.jit(lambda a: operate(a, x))(jnp.full(3, 2.0))
    np.testing.assert_array_equal(found, operate(np.full(3, 2.0, np.float32), VALUES))


def test_a_tape_records_an_operator_of_an_array_and_a_tensor() -> None:
    x = rt.constant(VALUES)
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = jnp.full(3, 2.0) * x
    assert isinstance(y, EagerTensor)
    np.testing.assert_array_equal(tape.gradient(y, x), [2.0, 2.0, 2.0])


def test_a_text_is_no_array() -> None:
    with pytest.raises(TypeError):
        jnp.sum(rt.constant("text"))
