"""Programs with loops, each beside the form that one writes with `lax` by hand."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import checkify

from autograph.directives import set_loop_options
from tests.autograph.jax.program import Program

f32, i32 = jnp.float32, jnp.int32
XS = jnp.array([0.5, 1.5, -1.0, 3.0], f32)
YS = jnp.array([2.0, -0.5, 1.0, 0.25], f32)


def collatz(n: Any) -> Any:
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def collatz_lax(n: Any) -> Any:
    def body(carry: Any) -> Any:
        n, steps = carry
        n = lax.cond(n % 2 == 0, lambda: n // 2, lambda: 3 * n + 1)
        return n, steps + 1

    return lax.while_loop(lambda carry: carry[0] != 1, body, (n, 0))[1]


def greatest_divisor(a: Any, b: Any) -> Any:
    while b:
        a, b = b, a % b
    return a


def greatest_divisor_lax(a: Any, b: Any) -> Any:
    return lax.while_loop(lambda c: c[1] != 0, lambda c: (c[1], c[0] % c[1]), (a, b))[0]


def newton(x: Any) -> Any:
    guess = x
    while abs(guess * guess - x) > 1e-3:
        guess = (guess + x / guess) / 2
    return guess


def newton_lax(x: Any) -> Any:
    return lax.while_loop(lambda g: abs(g * g - x) > 1e-3, lambda g: (g + x / g) / 2, x)


def sum_of_rows(xs: Any) -> Any:
    total = 0.0
    for x in xs:
        total += x
    return total


def sum_of_rows_lax(xs: Any) -> Any:
    return lax.scan(lambda total, x: (total + x, None), f32(0), xs)[0]


def sum_of_positive(xs: Any) -> Any:
    total = 0.0
    for x in xs:
        if x < 0:
            continue
        total += x
    return total


def sum_of_positive_lax(xs: Any) -> Any:
    def step(total: Any, x: Any) -> Any:
        return lax.cond(x < 0, lambda: total, lambda: total + x), None

    return lax.scan(step, f32(0), xs)[0]


def until_large(xs: Any) -> Any:
    total = 0.0
    for x in xs:
        if total > 1:
            break
        total += x
    return total


def until_large_lax(xs: Any) -> Any:
    def run(total: Any, x: Any) -> Any:
        return lax.cond(total > 1, lambda: (total, False), lambda: (total + x, True))

    def step(carry: Any, x: Any) -> Any:
        total, goes_on = carry
        return lax.cond(goes_on, lambda: run(total, x), lambda: (total, False)), None

    return lax.scan(step, (f32(0), True), xs)[0][0]


def first_above(xs: Any, limit: Any) -> Any:
    for x in xs:
        if x > limit:
            return x
    return -1.0


def first_above_lax(xs: Any, limit: Any) -> Any:
    def run(found: Any, x: Any) -> Any:
        return lax.cond(x > limit, lambda: (True, x), lambda: (False, found))

    def step(carry: Any, x: Any) -> Any:
        done, found = carry
        return lax.cond(done, lambda: (True, found), lambda: run(found, x)), None

    done, found = lax.scan(step, (False, f32(0)), xs)[0]
    return lax.cond(done, lambda: found, lambda: f32(-1.0))


def smallest_root_above(n: Any) -> Any:
    i = 0
    while True:
        if i * i > n:
            return i
        i += 1


def smallest_root_above_lax(n: Any) -> Any:
    def body(carry: Any) -> Any:
        done, found, i = carry
        return lax.cond(i * i > n, lambda: (True, i, i), lambda: (False, found, i + 1))

    return lax.while_loop(lambda carry: jnp.logical_not(carry[0]), body, (False, 0, 0))[1]


def while_with_else(x: Any) -> Any:
    while x > 1:
        x = x - 2
        if x == 4:
            break
    else:
        x = x + 100
    return x


def while_with_else_lax(x: Any) -> Any:
    def test(carry: Any) -> Any:
        x, left = carry
        return jnp.logical_and(jnp.logical_not(left), x > 1)

    def body(carry: Any) -> Any:
        x = carry[0] - 2
        return x, lax.cond(x == 4, lambda: True, lambda: False)

    x, left = lax.while_loop(test, body, (x, False))
    return lax.cond(jnp.logical_not(left), lambda: x + 100, lambda: x)


def sum_to(n: Any) -> Any:
    total = 0
    for i in range(n):
        total += i
    return total


def sum_to_lax(n: Any) -> Any:
    def body(carry: Any) -> Any:
        return carry[0] + 1, carry[1] + carry[0]

    limit = jnp.maximum(n, 0)
    return lax.while_loop(lambda carry: carry[0] < limit, body, (0, 0))[1]


def power_bounded(x: Any, n: Any) -> Any:
    result = 1.0
    for _ in range(n):
        set_loop_options(maximum_iterations=8)
        result = result * x
    return result


def power_bounded_lax(x: Any, n: Any) -> Any:
    limit = jnp.maximum(n, 0)

    def step(carry: Any, _: Any) -> Any:
        i, result = carry
        return lax.cond(i < limit, lambda: (i + 1, result * x), lambda: (i, result)), None

    i, result = lax.scan(step, (0, f32(1.0)), None, length=8)[0]
    checkify.debug_check(i >= limit, "there are more than 8 iterations")
    return result


def decay_bounded(x: Any) -> Any:
    while x > 1:
        x = x * 0.5
    return x


def decay_bounded_lax(x: Any) -> Any:
    def step(x: Any, _: Any) -> Any:
        return lax.cond(x > 1, lambda: x * 0.5, lambda: x), None

    x = lax.scan(step, x, None, length=10)[0]
    checkify.debug_check(jnp.logical_not(x > 1), "there are more than 10 iterations")
    return x


def dot_by_zip(xs: Any, ys: Any) -> Any:
    total = 0.0
    for x, y in zip(xs, ys):
        total += x * y
    return total


def dot_by_zip_lax(xs: Any, ys: Any) -> Any:
    return lax.scan(lambda t, pair: (t + pair[0] * pair[1], None), f32(0), (xs, ys))[0]


def weighted_by_enumerate(xs: Any) -> Any:
    total = 0.0
    for i, x in enumerate(xs):
        total += (i + 1) * x
    return total


def weighted_by_enumerate_lax(xs: Any) -> Any:
    pairs = (jnp.arange(xs.shape[0]), xs)
    return lax.scan(lambda t, pair: (t + (pair[0] + 1) * pair[1], None), f32(0), pairs)[0]


def horner(coefficients: Any, x: Any) -> Any:
    value = 0.0
    for c in reversed(coefficients):
        value = value * x + c
    return value


def horner_lax(coefficients: Any, x: Any) -> Any:
    return lax.scan(lambda v, c: (v * x + c, None), f32(0), jnp.flip(coefficients, 0))[0]


def nested_counts(n: Any) -> Any:
    count, i = 0, 0
    while i < n:
        j = 0
        while j < i:
            count += 1
            j += 1
        i += 1
    return count


def nested_counts_lax(n: Any) -> Any:
    def outer(carry: Any) -> Any:
        count, i = carry
        count, _ = lax.while_loop(lambda c: c[1] < i, lambda c: (c[0] + 1, c[1] + 1), (count, 0))
        return count, i + 1

    return lax.while_loop(lambda carry: carry[1] < n, outer, (0, 0))[0]


def matrix_rows(matrix: Any) -> Any:
    best = jnp.float32(0)
    for row in matrix:
        size = 0.0
        for x in row:
            size += x * x
        if size > best:
            best = size
    return best


def matrix_rows_lax(matrix: Any) -> Any:
    def row_size(row: Any) -> Any:
        return lax.scan(lambda s, x: (s + x * x, None), f32(0), row)[0]

    def step(best: Any, row: Any) -> Any:
        size = row_size(row)
        return lax.cond(size > best, lambda: size, lambda: best), None

    return lax.scan(step, f32(0), matrix)[0]


def fibonacci(n: Any) -> Any:
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def fibonacci_lax(n: Any) -> Any:
    limit = jnp.maximum(n, 0)

    def body(carry: Any) -> Any:
        i, a, b = carry
        return i + 1, b, a + b

    return lax.while_loop(lambda carry: carry[0] < limit, body, (0, 0, 1))[1]


def walrus_in_test(x: Any) -> Any:
    steps = 0
    while (x := x * 0.5) > 1:
        steps += 1
    return x, steps


def walrus_in_test_lax(x: Any) -> Any:
    x = x * 0.5

    def body(carry: Any) -> Any:
        x, steps, _ = carry
        x = x * 0.5
        return x, steps + 1, x > 1

    return lax.while_loop(lambda carry: carry[2], body, (x, 0, x > 1))[:2]


def unrolled_python_range(x: Any) -> Any:
    for i in range(3):
        if x > i:
            x = x * 2
    return x


def unrolled_python_range_lax(x: Any) -> Any:
    for i in range(3):
        x = lax.cond(x > i, lambda x=x: x * 2, lambda x=x: x)
    return x


def last_value(xs: Any) -> Any:
    for x in xs:
        last = x * 2
    return last


def last_value_lax(xs: Any) -> Any:
    return lax.scan(lambda _, x: (x * 2, None), f32(0), xs)[0]


def binary_search(xs: Any, x: Any) -> Any:
    low, high = 0, xs.shape[0]
    while low < high:
        middle = (low + high) // 2
        if xs[middle] < x:
            low = middle + 1
        else:
            high = middle
    return low


def binary_search_lax(xs: Any, x: Any) -> Any:
    def body(carry: Any) -> Any:
        low, high = carry
        middle = (low + high) // 2
        return lax.cond(xs[middle] < x, lambda: (middle + 1, high), lambda: (low, middle))

    return lax.while_loop(lambda c: c[0] < c[1], body, (0, xs.shape[0]))[0]


def is_prime(n: Any) -> Any:
    if n < 2:
        return False
    i = 2
    while i * i <= n:
        if n % i == 0:
            return False
        i += 1
    return True


def is_prime_lax(n: Any) -> Any:
    def search() -> Any:
        def test(carry: Any) -> Any:
            i, has_divisor = carry
            return jnp.logical_and(jnp.logical_not(has_divisor), i * i <= n)

        def body(carry: Any) -> Any:
            i, _ = carry
            return lax.cond(n % i == 0, lambda: (i, True), lambda: (i + 1, False))

        has_divisor = lax.while_loop(test, body, (2, False))[1]
        return lax.cond(jnp.logical_not(has_divisor), lambda: True, lambda: False)

    return lax.cond(n < 2, lambda: False, search)


def power_iteration(matrix: Any) -> Any:
    v = jnp.ones(matrix.shape[0])
    for _ in jnp.arange(5):
        v = matrix @ v
        v = v / jnp.linalg.norm(v)
    return v


def power_iteration_lax(matrix: Any) -> Any:
    def step(v: Any, _: Any) -> Any:
        v = matrix @ v
        return v / jnp.linalg.norm(v), None

    return lax.scan(step, jnp.ones(matrix.shape[0]), jnp.arange(5))[0]


def random_walk(seed: Any) -> Any:
    key = jax.random.key(seed)
    place, steps = f32(0), 0
    while abs(place) < 2:
        key, own = jax.random.split(key)
        place = place + jax.random.normal(own)
        steps += 1
    return steps


def random_walk_lax(seed: Any) -> Any:
    def body(carry: Any) -> Any:
        key, place, steps = carry
        key, own = jax.random.split(key)
        return key, place + jax.random.normal(own), steps + 1

    start = (jax.random.key(seed), f32(0), 0)
    return lax.while_loop(lambda carry: abs(carry[1]) < 2, body, start)[2]


def strided_range(n: Any) -> Any:
    total = 0
    for i in range(2, n, 3):
        total += i
    return total


def strided_range_lax(n: Any) -> Any:
    count = jnp.maximum(-(-(n - 2) // 3), 0)

    def body(carry: Any) -> Any:
        i, total = carry
        return i + 1, total + (2 + i * 3)

    return lax.while_loop(lambda carry: carry[0] < count, body, (0, 0))[1]


def escape_time(c: Any) -> Any:
    z = 0 * c
    for i in range(20):
        z = z * z + c
        if abs(z) > 2.0:
            return i
    return 20


def escape_time_lax(c: Any) -> Any:
    def step(carry: Any, i: Any) -> Any:
        def run() -> Any:
            w = z * z + c
            return lax.cond(abs(w) > 2.0, lambda: (w, True, i), lambda: (w, False, found))

        z, done, found = carry
        return lax.cond(done, lambda: carry, run), None

    _, done, found = lax.scan(step, (0 * c, False, 0), 0 + jnp.arange(20))[0]
    return lax.cond(done, lambda: found, lambda: 20)


def euler_steps(x: Any, time: Any) -> Any:
    for _ in range((time / 0.1).astype(int)):
        x = x + 0.1 * x
    return x


def euler_steps_lax(x: Any, time: Any) -> Any:
    limit = jnp.maximum((time / 0.1).astype(int), 0)

    def body(carry: Any) -> Any:
        return carry[0] + 1, carry[1] + 0.1 * carry[1]

    return lax.while_loop(lambda carry: carry[0] < limit, body, (0, x))[1]


def number_or_default(x: Any) -> Any:
    return (x or 5.0) * 2


def number_or_default_lax(x: Any) -> Any:
    return lax.cond(x != 0, lambda: x, lambda: f32(5.0)) * 2


SQUARE = jnp.array([[2.0, 1.0], [1.0, 3.0]], f32)
SORTED = jnp.array([1.0, 3.0, 5.0, 7.0], f32)
BOUNDED = (("maximum_iterations", 10),)


def _whole(*values: int) -> list[tuple[Any, ...]]:
    return [(i32(value),) for value in values]


PROGRAMS = [
    Program(collatz, collatz_lax, _whole(27, 1, 6)),
    Program(greatest_divisor, greatest_divisor_lax, [(i32(12), i32(18)), (i32(5), i32(0))]),
    Program(newton, newton_lax, [(f32(9),), (f32(1),)], unbounded=True),
    Program(sum_of_rows, sum_of_rows_lax, [(XS,), (YS,)]),
    Program(sum_of_positive, sum_of_positive_lax, [(XS,), (-XS,)]),
    Program(until_large, until_large_lax, [(XS,), (YS,), (-XS,)]),
    Program(first_above, first_above_lax, [(XS, f32(1)), (XS, f32(9))]),
    Program(smallest_root_above, smallest_root_above_lax, _whole(50, 0), longest=1.4),
    Program(
        while_with_else, while_with_else_lax, [(f32(7),), (f32(10),), (f32(0),)], unbounded=True
    ),
    Program(sum_to, sum_to_lax, _whole(10, 0, -3)),
    Program(power_bounded, power_bounded_lax, [(f32(3), i32(4)), (f32(2), i32(0))]),
    Program(decay_bounded, decay_bounded_lax, [(f32(37),), (f32(0.5),)], options=BOUNDED),
    Program(dot_by_zip, dot_by_zip_lax, [(XS, YS), (YS, YS)]),
    Program(weighted_by_enumerate, weighted_by_enumerate_lax, [(XS,), (YS,)]),
    Program(horner, horner_lax, [(XS, f32(2)), (YS, f32(-1))]),
    Program(nested_counts, nested_counts_lax, _whole(5, 0)),
    Program(matrix_rows, matrix_rows_lax, [(SQUARE,), (-2 * SQUARE,)]),
    Program(fibonacci, fibonacci_lax, _whole(10, 0)),
    Program(walrus_in_test, walrus_in_test_lax, [(f32(37),), (f32(1),)], unbounded=True),
    Program(unrolled_python_range, unrolled_python_range_lax, [(f32(1.5),), (f32(-1),)]),
    Program(last_value, last_value_lax, [(XS,), (YS,)]),
    Program(binary_search, binary_search_lax, [(SORTED, f32(4)), (SORTED, f32(9))]),
    Program(is_prime, is_prime_lax, _whole(13, 1, 15, 2)),
    Program(power_iteration, power_iteration_lax, [(SQUARE,), (SQUARE.T * 2,)]),
    Program(random_walk, random_walk_lax, _whole(0, 3)),
    Program(
        escape_time,
        escape_time_lax,
        [(jnp.complex64(c),) for c in (0.4 + 0.4j, 2.5, -1)],
        longest=1.65,
    ),
    Program(euler_steps, euler_steps_lax, [(f32(1), f32(1.05)), (f32(1), f32(0))], unbounded=True),
    Program(number_or_default, number_or_default_lax, [(f32(3),), (f32(0),)]),
    Program(strided_range, strided_range_lax, _whole(12, 2, 0)),
]
