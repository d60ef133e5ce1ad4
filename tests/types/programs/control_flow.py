"""Python's control flow over tensors is ordinary Python for a checker."""

from __future__ import annotations

from typing_extensions import assert_type

import autograph as ag
import autograph.runtime as rt
from autograph.runtime import Tensor


@ag.function
def collatz(n: Tensor) -> Tensor:
    steps = rt.constant(0)
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


@ag.function
def norms(rows: Tensor, limit: Tensor) -> tuple[Tensor, Tensor]:
    count = rt.constant(0)
    lengths: list[Tensor] = []
    for row in rows:
        length = rt.sqrt(rt.reduce_sum(row**2))
        if length > limit and not length > 100.0:
            continue
        lengths.append(length)
        count += 1
    return rt.stack(lengths), count


@ag.function
def total(n: Tensor) -> Tensor:
    found = rt.constant(0)
    for i in range(n):
        found += i if i % 2 == 0 else -i
    assert found >= 0, "never negative"
    return found


assert_type(collatz(rt.constant(27)), Tensor)
assert_type(norms(rt.constant([[3.0, 4.0], [6.0, 8.0]]), rt.constant(7.0)), tuple[Tensor, Tensor])
assert_type(total(rt.constant(5)), Tensor)
assert_type(rt.cond(rt.constant(True), lambda: rt.constant(1), lambda: rt.constant(2)), Tensor)
assert_type(rt.map_fn(collatz, rt.constant([3, 4])), Tensor)
assert_type(rt.while_loop(lambda i: i < 3, lambda i: (i + 1,), (rt.constant(0),)), tuple[Tensor])


def cubed(x: Tensor) -> Tensor:
    return x * x * x


def paired(x: Tensor, y: Tensor) -> Tensor:
    return x * y


two = rt.constant(2.0)
assert_type(rt.vectorized_map(cubed, rt.constant([1.0])), Tensor)
assert_type(rt.value_and_grad(cubed)(two)[0], Tensor)
assert_type(rt.hessian(cubed, two), Tensor)
assert_type(rt.recompute_grad(cubed)(two), Tensor)
assert_type(rt.Variable([[1.0]]).T, Tensor)


def mistakes() -> None:
    collatz()  # error
    collatz([rt.constant(1)])  # error
    norms(rt.constant([[1.0]]))  # error
    total(rt.constant(5)).item()  # error
    rt.cond(rt.constant(True), rt.constant(1))  # error
    rt.grad(cubed)(two, two)  # error
    rt.recompute_grad(paired)(two)  # error
