"""Programs that assign items of arrays or append to lists, each beside its `lax` form."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
from jax import lax

from tests.autograph.jax.program import Program

f32, i32 = jnp.float32, jnp.int32
XS = jnp.array([3.0, 1.0, 2.0, -4.0], f32)
YS = jnp.array([0.5, 2.5, -1.0, 1.0], f32)


def item_in_branch(xs: Any, x: Any) -> Any:
    if x > 0:
        xs[0] = x
    else:
        xs[1] += x
    return xs


def item_in_branch_lax(xs: Any, x: Any) -> Any:
    return lax.cond(x > 0, lambda: xs.at[0].set(x), lambda: xs.at[1].set(xs[1] + x))


def squares(n: Any) -> Any:
    out = jnp.zeros(5)
    for i in range(n):
        out[i] = i * i
    return out


def squares_lax(n: Any) -> Any:
    limit = jnp.maximum(n, 0)

    def body(carry: Any) -> Any:
        i, out = carry
        return i + 1, out.at[i].set(i * i)

    return lax.while_loop(lambda carry: carry[0] < limit, body, (0, jnp.zeros(5)))[1]


def prefix_sums(xs: Any) -> Any:
    for i in jnp.arange(1, xs.shape[0]):
        xs[i] += xs[i - 1]
    return xs


def prefix_sums_lax(xs: Any) -> Any:
    def step(xs: Any, i: Any) -> Any:
        return xs.at[i].set(xs[i] + xs[i - 1]), None

    return lax.scan(step, xs, jnp.arange(1, xs.shape[0]))[0]


def bubble_pass(xs: Any) -> Any:
    for i in jnp.arange(xs.shape[0] - 1):
        if xs[i] > xs[i + 1]:
            xs[i], xs[i + 1] = xs[i + 1], xs[i]
    return xs


def bubble_pass_lax(xs: Any) -> Any:
    def step(xs: Any, i: Any) -> Any:
        def swapped() -> Any:
            a, b = xs[i + 1], xs[i]
            return xs.at[i].set(a).at[i + 1].set(b)

        return lax.cond(xs[i] > xs[i + 1], swapped, lambda: xs), None

    return lax.scan(step, xs, jnp.arange(xs.shape[0] - 1))[0]


def insertion_sort(xs: Any) -> Any:
    for i in jnp.arange(1, xs.shape[0]):
        j = i
        while j > 0 and xs[j - 1] > xs[j]:
            a, b = xs[j - 1], xs[j]
            xs[j] = a
            xs[j - 1] = b
            j -= 1
    return xs


def insertion_sort_lax(xs: Any) -> Any:
    def step(xs: Any, i: Any) -> Any:
        def test(carry: Any) -> Any:
            xs, j = carry
            return jnp.logical_and(j > 0, xs[j - 1] > xs[j])

        def body(carry: Any) -> Any:
            xs, j = carry
            a, b = xs[j - 1], xs[j]
            return xs.at[j].set(a).at[j - 1].set(b), j - 1

        return lax.while_loop(test, body, (xs, i))[0], None

    return lax.scan(step, xs, jnp.arange(1, xs.shape[0]))[0]


def doubled_items(xs: Any) -> Any:
    out = []
    for x in xs:
        out.append(x * 2)
    return jnp.stack(out)


def doubled_items_lax(xs: Any) -> Any:
    return lax.scan(lambda _, x: (None, x * 2), None, xs)[1]


def running_totals(xs: Any) -> Any:
    out, total = [], 0.0
    for x in xs:
        total += x
        out.append(total)
    return jnp.array(out)


def running_totals_lax(xs: Any) -> Any:
    def step(total: Any, x: Any) -> Any:
        total = total + x
        return total, total

    return lax.scan(step, f32(0), xs)[1]


def trajectory(x: Any, v: Any) -> Any:
    places = []
    for _ in jnp.arange(6):
        v = v - 0.1 * x
        x = x + 0.1 * v
        if x < 0:
            x, v = -x, -v
        places.append((x, v))
    return places[-1], jnp.asarray([p for p, _ in places])


def trajectory_lax(x: Any, v: Any) -> Any:
    def step(carry: Any, _: Any) -> Any:
        x, v = carry
        v = v - 0.1 * x
        x = x + 0.1 * v
        x, v = lax.cond(x < 0, lambda: (-x, -v), lambda: (x, v))
        return (x, v), (x, v)

    xs, vs = lax.scan(step, (x, v), jnp.arange(6))[1]
    return (xs[-1], vs[-1]), jnp.asarray([xs[k] for k in range(6)])


def filtered_total(xs: Any) -> Any:
    kept = []
    for x in xs:
        if x > 0:
            kept.append(x)
    total = 0.0
    for x in kept:
        total += x
    return total, len(kept)


def filtered_total_lax(xs: Any) -> Any:
    def step(carry: Any, x: Any) -> Any:
        buffer, length = carry
        new = lambda: (buffer.at[length].set(x), length + 1)
        return lax.cond(x > 0, new, lambda: (buffer, length)), None

    buffer, length = lax.scan(step, (jnp.zeros(4, f32), 0), xs)[0]

    def body(carry: Any) -> Any:
        i, total = carry
        return i + 1, total + buffer[i]

    return lax.while_loop(lambda c: c[0] < length, body, (0, f32(0)))[1], length


def item_of_python_list(i: Any, x: Any) -> Any:
    rates = [0.1, 0.5, 0.9]
    return x * rates[i]


def item_of_python_list_lax(i: Any, x: Any) -> Any:
    rates = jnp.stack([0.1, 0.5, 0.9])
    return x * rates[jnp.where(i < 0, i + 3, i)]


def index_of_largest(xs: Any) -> Any:
    best = 0
    for i, x in enumerate(xs):
        if x > xs[best]:
            best = i
    return best


def index_of_largest_lax(xs: Any) -> Any:
    def step(best: Any, pair: Any) -> Any:
        i, x = pair
        return lax.cond(x > xs[best], lambda: i, lambda: best), None

    return lax.scan(step, 0, (0 + jnp.arange(4), xs))[0]


def two_sum(xs: Any, wanted: Any) -> Any:
    n = xs.shape[0]
    for i in jnp.arange(n):
        for j in jnp.arange(n):
            if i < j and xs[i] + xs[j] == wanted:
                return i, j
    return -1, -1


def two_sum_lax(xs: Any, wanted: Any) -> Any:
    n = xs.shape[0]

    def inner(i: Any, carry: Any) -> Any:
        def step(carry: Any, j: Any) -> Any:
            def run() -> Any:
                is_sum = jnp.logical_and(i < j, xs[i] + xs[j] == wanted)
                return lax.cond(is_sum, lambda: (True, i, j), lambda: carry)

            return lax.cond(carry[0], lambda: carry, run), None

        return lax.scan(step, carry, jnp.arange(n))[0]

    def step(carry: Any, i: Any) -> Any:
        return lax.cond(carry[0], lambda: carry, lambda: inner(i, carry)), None

    done, i, j = lax.scan(step, (False, i32(0), i32(0)), jnp.arange(n))[0]
    return lax.cond(done, lambda: (i, j), lambda: (i32(-1), i32(-1)))


def polynomial_features(x: Any) -> Any:
    features = [x]
    for _ in range(3):
        features.append(features[-1] * x)
    if x > 1:
        features[0] = x * 0.0
    return jnp.stack(features)


def polynomial_features_lax(x: Any) -> Any:
    features = [x]
    for _ in range(3):
        features.append(features[-1] * x)
    features[0] = lax.cond(x > 1, lambda: x * 0.0, lambda: x)
    return jnp.stack(features)


def row_normalised(matrix: Any) -> Any:
    for i, row in enumerate(matrix):
        total = row.sum()
        if total != 0:
            matrix[i] = row / total
    return matrix


def row_normalised_lax(matrix: Any) -> Any:
    def step(out: Any, pair: Any) -> Any:
        i, row = pair
        total = row.sum()
        new = lax.cond(total != 0, lambda: out.at[i].set(row / total), lambda: out)
        return new, None

    return lax.scan(step, matrix, (jnp.arange(matrix.shape[0]), matrix))[0]


MATRIX = jnp.array([[1.0, 3.0], [2.0, -2.0]], f32)

PROGRAMS = [
    Program(item_in_branch, item_in_branch_lax, [(XS, f32(5)), (XS, f32(-5))], eager=False),
    Program(squares, squares_lax, [(i32(3),), (i32(0),)], eager=False),
    Program(prefix_sums, prefix_sums_lax, [(XS,), (YS,)], eager=False),
    Program(bubble_pass, bubble_pass_lax, [(XS,), (YS,)], eager=False),
    Program(insertion_sort, insertion_sort_lax, [(XS,), (YS,)], eager=False, unbounded=True),
    Program(doubled_items, doubled_items_lax, [(XS,), (YS,)]),
    Program(running_totals, running_totals_lax, [(XS,), (YS,)]),
    Program(trajectory, trajectory_lax, [(f32(1), f32(-2)), (f32(1), f32(0))]),
    Program(filtered_total, filtered_total_lax, [(XS,), (-YS,)]),
    Program(item_of_python_list, item_of_python_list_lax, [(i32(k), f32(2)) for k in range(3)]),
    Program(index_of_largest, index_of_largest_lax, [(YS,), (XS,)]),
    Program(two_sum, two_sum_lax, [(XS, f32(3)), (XS, f32(99)), (XS, f32(-1))]),
    Program(polynomial_features, polynomial_features_lax, [(f32(3),), (f32(0.5),)]),
    Program(row_normalised, row_normalised_lax, [(MATRIX,), (MATRIX * 2,)], eager=False),
]
