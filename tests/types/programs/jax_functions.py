"""Functions of JAX that are converted keep their signatures."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from typing_extensions import assert_type

import autograph.jax


@autograph.jax.convert
def collatz(n: jax.Array) -> jax.Array:
    steps = jnp.zeros((), jnp.int32)
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps = steps + 1
    return steps


@autograph.jax.convert(maximum_iterations=5)
def power(x: jax.Array, n: int = 2) -> jax.Array:
    found = x
    for _ in range(n - 1):
        found = found * x
    return found


assert_type(collatz(jnp.asarray(6)), jax.Array)
assert_type(power(jnp.asarray(2.0), n=3), jax.Array)
assert_type(autograph.jax.to_code(collatz), str)


def mistakes() -> None:
    collatz()  # error
    power(jnp.asarray(2.0), m=3)  # error
    autograph.jax.conver(collatz)  # error
    autograph.jax.convert(collatz, maximum_iteration=3)  # error
