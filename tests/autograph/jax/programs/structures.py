"""Programs whose variables are pytrees or objects, each beside its `lax` form."""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from tests.autograph.jax.program import Program

f32, i32 = jnp.float32, jnp.int32
XS = jnp.array([0.5, 1.5, -1.0, 3.0], f32)


def tuple_in_loop(x: Any) -> Any:
    pair = (x, jnp.float32(1))
    while pair[0] > 1:
        pair = (pair[0] / 2, pair[1] * 3)
    return pair


def tuple_in_loop_lax(x: Any) -> Any:
    return lax.while_loop(lambda p: p[0] > 1, lambda p: (p[0] / 2, p[1] * 3), (x, f32(1)))


def new_dict_in_branch(x: Any) -> Any:
    state = {"a": x, "b": x + 1}
    if x > 0:
        state = {"a": x * 2, "b": x}
    return state


def new_dict_in_branch_lax(x: Any) -> Any:
    y = x + 1
    return lax.cond(x > 0, lambda: {"a": x * 2, "b": x}, lambda: {"a": x, "b": y})


def item_of_dict(x: Any) -> Any:
    state = {"total": 0.0, "count": 0}
    while x > 1:
        state["total"] += x
        state["count"] += 1
        x = x / 2
    return state


def item_of_dict_lax(x: Any) -> Any:
    def body(carry: Any) -> Any:
        x, total, count = carry
        return x / 2, total + x, count + 1

    _, total, count = lax.while_loop(lambda c: c[0] > 1, body, (x, f32(0), 0))
    return {"total": total, "count": count}


def item_of_list(x: Any) -> Any:
    pair = [x, x]
    if x > 0:
        pair[0] = x * 2
    return pair


def item_of_list_lax(x: Any) -> Any:
    return [lax.cond(x > 0, lambda: x * 2, lambda: x), x]


class Particle(NamedTuple):
    place: Any
    speed: Any


def named_tuple_in_scan(p: Any, pushes: Any) -> Any:
    for push in pushes:
        p = Particle(p.place + p.speed, p.speed + push)
        if p.place > 2:
            p = p._replace(speed=-p.speed)
    return p


def named_tuple_in_scan_lax(p: Any, pushes: Any) -> Any:
    def step(p: Any, push: Any) -> Any:
        p = Particle(p.place + p.speed, p.speed + push)
        speed = lax.cond(p.place > 2, lambda: -p.speed, lambda: p.speed)
        return Particle(p.place, speed), None

    return lax.scan(step, p, pushes)[0]


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Interval:
    low: Any
    high: Any


def dataclass_in_loop(x: Any) -> Any:
    found = Interval(0.0 * x, x)
    while found.high - found.low > 0.01:
        middle = (found.low + found.high) / 2
        if middle * middle > x:
            found = dataclasses.replace(found, high=middle)
        else:
            found = dataclasses.replace(found, low=middle)
    return found


def dataclass_in_loop_lax(x: Any) -> Any:
    def body(found: Any) -> Any:
        middle = (found.low + found.high) / 2
        return lax.cond(
            middle * middle > x,
            lambda: Interval(found.low, middle),
            lambda: Interval(middle, found.high),
        )

    return lax.while_loop(lambda f: f.high - f.low > 0.01, body, Interval(0.0 * x, x))


class Counter:
    def __init__(self) -> None:
        self.count, self.total = 0, 0.0

    def add(self, x: Any) -> None:
        if x > 0:
            self.count += 1
            self.total += x


def object_in_loop(xs: Any) -> Any:
    counter = Counter()
    for x in xs:
        counter.add(x)
    return counter.count, counter.total


def object_in_loop_lax(xs: Any) -> Any:
    def step(carry: Any, x: Any) -> Any:
        count, total = carry
        return lax.cond(x > 0, lambda: (count + 1, total + x), lambda: (count, total)), None

    return lax.scan(step, (0, f32(0)), xs)[0]


def nonlocal_in_loop(xs: Any) -> Any:
    most = xs[0]

    def note(x: Any) -> None:
        nonlocal most
        if x > most:
            most = x

    for x in xs:
        note(x)
    return most


def nonlocal_in_loop_lax(xs: Any) -> Any:
    def step(most: Any, x: Any) -> Any:
        return lax.cond(x > most, lambda: x, lambda: most), None

    return lax.scan(step, xs[0], xs)[0]


def key_in_loop(seed: Any, n: Any) -> Any:
    key = jax.random.key(seed)
    total = jnp.float32(0)
    for _ in range(n):
        key, own = jax.random.split(key)
        total += jax.random.uniform(own)
    return total


def key_in_loop_lax(seed: Any, n: Any) -> Any:
    limit = jnp.maximum(n, 0)

    def body(carry: Any) -> Any:
        i, key, total = carry
        key, own = jax.random.split(key)
        return i + 1, key, total + jax.random.uniform(own)

    start = (0, jax.random.key(seed), f32(0))
    return lax.while_loop(lambda c: c[0] < limit, body, start)[2]


def gradient_descent(w: Any, x: Any) -> Any:
    def loss(w: Any) -> Any:
        return jnp.sum((w * x - 1.0) ** 2)

    steps = 0
    while steps < 20 and loss(w) > 0.05:
        w = w - 0.05 * jax.grad(loss)(w)
        steps += 1
    return w, steps


def gradient_descent_lax(w: Any, x: Any) -> Any:
    def loss(w: Any) -> Any:
        return jnp.sum((w * x - 1.0) ** 2)

    def test(carry: Any) -> Any:
        return jnp.logical_and(carry[1] < 20, loss(carry[0]) > 0.05)

    def body(carry: Any) -> Any:
        w, steps = carry
        return w - 0.05 * jax.grad(loss)(w), steps + 1

    return lax.while_loop(test, body, (w, 0))


PROGRAMS = [
    Program(tuple_in_loop, tuple_in_loop_lax, [(f32(9),), (f32(0.5),)], unbounded=True),
    Program(new_dict_in_branch, new_dict_in_branch_lax, [(f32(2),), (f32(-2),)]),
    Program(item_of_dict, item_of_dict_lax, [(f32(9),), (f32(0.5),)], unbounded=True),
    Program(item_of_list, item_of_list_lax, [(f32(2),), (f32(-2),)]),
    Program(
        named_tuple_in_scan,
        named_tuple_in_scan_lax,
        [(Particle(f32(0), f32(1)), XS), (Particle(f32(3), f32(-1)), -XS)],
    ),
    Program(dataclass_in_loop, dataclass_in_loop_lax, [(f32(9),), (f32(2),)], unbounded=True),
    Program(object_in_loop, object_in_loop_lax, [(XS,), (-XS,)]),
    Program(nonlocal_in_loop, nonlocal_in_loop_lax, [(XS,), (-XS,)]),
    Program(key_in_loop, key_in_loop_lax, [(i32(1), i32(4)), (i32(2), i32(0))]),
    Program(gradient_descent, gradient_descent_lax, [(f32(2), XS), (f32(0.4), XS)], unbounded=True),
]
