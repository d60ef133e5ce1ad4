"""Elementwise functions of the engine's `jnp` record the primitives that `jax.numpy` records."""

from __future__ import annotations

from typing import Any
from unittest import mock

import numpy as np
import pytest

from runtime.executors.jax.rules import jax_modules
from tests.each import for_each

jax = pytest.importorskip("jax")

DTYPES = "bool int32 uint8 float16 float64 complex64".split()


@for_each("name, dtype", [(name, dtype) for name in jax_modules._primitives() for dtype in DTYPES])
def test_functions_record_what_jax_numpy_records(name: str, dtype: str) -> None:
    operands = [np.ones(3, dtype)] * getattr(np, name).nin
    expected = recorded(getattr(jax.numpy, name), operands)
    assert expected == recorded(getattr(jax_modules.jnp, name), operands)


def recorded(function: Any, operands: Any) -> str:
    """Return the text of the jaxpr of a function, or the kind of its error."""
    try:
        with jax_modules.with_64_bits():
            return str(jax.make_jaxpr(lambda *given: function(*given))(*operands))
    except (TypeError, ValueError) as error:
        return type(error).__name__


def test_operands_that_agree_go_to_the_primitive() -> None:
    function, x = mock.Mock(), np.ones(3, np.float32)
    multiply = jax_modules._direct(function, jax.lax.mul, "f")
    assert [1.0, 1.0, 1.0] == multiply(x, x).tolist()
    function.assert_not_called()
    for others in ((2.0,), (x[:1],), (x.astype(np.float64),)):
        multiply(x, *others)
    assert 3 == function.call_count
