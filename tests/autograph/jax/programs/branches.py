"""Programs with conditionals, each beside the form that one writes with `lax` by hand."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from tests.autograph.jax.program import Program

f32, i32 = jnp.float32, jnp.int32


def relu(x: Any) -> Any:
    if x > 0:
        y = x
    else:
        y = 0.0 * x
    return y


def relu_lax(x: Any) -> Any:
    return lax.cond(x > 0, lambda: x, lambda: 0.0 * x)


def early_return(x: Any) -> Any:
    if x > 3:
        return x * x
    return x - 1


def early_return_lax(x: Any) -> Any:
    return lax.cond(x > 3, lambda: x * x, lambda: x - 1)


def elif_chain(x: Any) -> Any:
    if x > 10:
        y = x / 10
    elif x > 5:
        y = x / 5
    elif x > 0:
        y = x
    else:
        y = -x
    return y


def elif_chain_lax(x: Any) -> Any:
    def small() -> Any:
        return lax.cond(x > 0, lambda: x, lambda: -x)

    def middle() -> Any:
        return lax.cond(x > 5, lambda: x / 5, small)

    return lax.cond(x > 10, lambda: x / 10, middle)


def guard_clauses(x: Any) -> Any:
    if x < 0:
        return -1.0
    if x == 0:
        return 0.0
    return jnp.sqrt(x)


def guard_clauses_lax(x: Any) -> Any:
    def rest() -> Any:
        return lax.cond(x == 0, lambda: jnp.float32(0.0), lambda: jnp.sqrt(x))

    return lax.cond(x < 0, lambda: jnp.float32(-1.0), rest)


def conditional_expression(x: Any) -> Any:
    return x + 1 if x > 0 else x - 1


def conditional_expression_lax(x: Any) -> Any:
    return lax.cond(x > 0, lambda: x + 1, lambda: x - 1)


def and_or(x: Any) -> Any:
    return 1 if x > 0 and x < 5 or x == 9 else 0


def and_or_lax(x: Any) -> Any:
    return lax.cond(jnp.logical_or(jnp.logical_and(x > 0, x < 5), x == 9), lambda: 1, lambda: 0)


class _Count:
    def __init__(self) -> None:
        self.calls = 0

    def above(self, x: Any, limit: float) -> Any:
        self.calls += 1
        return x > limit


def and_or_with_changes(x: Any) -> Any:
    count = _Count()
    y = 1.0 if x > 0 and count.above(x, 5) or count.above(x, 3) else 2.0
    return x * y, count.calls


def and_or_with_changes_lax(x: Any) -> Any:
    is_large, calls = lax.cond(x > 0, lambda: (x > 5, 1), lambda: (False, 0))
    is_above, calls = lax.cond(is_large, lambda: (True, calls), lambda: (x > 3, calls + 1))
    return x * lax.cond(is_above, lambda: 1.0, lambda: 2.0), calls


def chained_comparison(x: Any) -> Any:
    if 0 < x <= 5:
        x = x * 10
    return x


def chained_comparison_lax(x: Any) -> Any:
    return lax.cond(jnp.logical_and(0 < x, x <= 5), lambda: x * 10, lambda: x)


def negation(x: Any) -> Any:
    if not x > 1:
        return x + 10
    return x


def negation_lax(x: Any) -> Any:
    return lax.cond(jnp.logical_not(x > 1), lambda: x + 10, lambda: x)


def nested_if(x: Any, y: Any) -> Any:
    if x > 0:
        if y > 0:
            z = x * y
        else:
            z = x - y
    else:
        z = y
    return z


def nested_if_lax(x: Any, y: Any) -> Any:
    def inner() -> Any:
        return lax.cond(y > 0, lambda: x * y, lambda: x - y)

    return lax.cond(x > 0, inner, lambda: y)


def two_variables(x: Any, y: Any) -> Any:
    if x > y:
        x, y = y, x
    return x, y


def two_variables_lax(x: Any, y: Any) -> Any:
    return lax.cond(x > y, lambda: (y, x), lambda: (x, y))


def walrus(x: Any) -> Any:
    if (y := x * 2) > 4:
        return y
    return y + 1


def walrus_lax(x: Any) -> Any:
    y = x * 2
    return lax.cond(y > 4, lambda: y, lambda: y + 1)


def match_numbers(x: Any) -> Any:
    match x:
        case 0:
            y = 10
        case 1 | 2:
            y = 20
        case _ if x > 5:
            y = 30
        case _:
            y = 40
    return y


def match_numbers_lax(x: Any) -> Any:
    def large() -> Any:
        return lax.cond(x > 5, lambda: 30, lambda: 40)

    def small() -> Any:
        return lax.cond(jnp.logical_or(x == 1, x == 2), lambda: 20, large)

    return lax.cond(x == 0, lambda: 10, small)


def called_function(x: Any) -> Any:
    return _clipped(x, 1.0) + _clipped(x + 1, 2.0)


def _clipped(x: Any, most: Any) -> Any:
    if x > most:
        return most
    return x


def called_function_lax(x: Any) -> Any:
    one = lax.cond(x > 1.0, lambda: jnp.float32(1.0), lambda: x)
    z = x + 1
    return one + lax.cond(z > 2.0, lambda: jnp.float32(2.0), lambda: z)


def branch_on_flag_array(flags: Any, x: Any) -> Any:
    if jnp.any(flags):
        return jnp.sum(x)
    return jnp.max(x)


def branch_on_flag_array_lax(flags: Any, x: Any) -> Any:
    return lax.cond(jnp.any(flags), lambda: jnp.sum(x), lambda: jnp.max(x))


def function_by_index(i: Any, x: Any) -> Any:
    functions = [jnp.sin, jnp.cos, lambda v: v * 2]
    return functions[i](x)


def function_by_index_lax(i: Any, x: Any) -> Any:
    return lax.switch(i, [jnp.sin, jnp.cos, lambda v: v * 2], x)


def largest_of_three(a: Any, b: Any, c: Any) -> Any:
    return max(a, b, c) - min(a, b, c)


def largest_of_three_lax(a: Any, b: Any, c: Any) -> Any:
    most = jnp.where(b > a, b, a)
    most = jnp.where(c > most, c, most)
    least = jnp.where(b < a, b, a)
    return most - jnp.where(c < least, c, least)


def membership(x: Any) -> Any:
    return x * 2 if x in (1, 4, 9) else x


def membership_lax(x: Any) -> Any:
    is_in = jnp.logical_or(jnp.logical_or(1 == x, 4 == x), 9 == x)
    return lax.cond(is_in, lambda: x * 2, lambda: x)


def safe_division(x: Any, y: Any) -> Any:
    return x / y if y != 0 else 0.0


def safe_division_lax(x: Any, y: Any) -> Any:
    return lax.cond(y != 0, lambda: x / y, lambda: jnp.float32(0.0))


def bool_of_sum(xs: Any) -> Any:
    if xs.sum():
        return xs / xs.sum()
    return xs


def bool_of_sum_lax(xs: Any) -> Any:
    return lax.cond(xs.sum() != 0, lambda: xs / xs.sum(), lambda: xs)


def python_flag(x: Any, double: bool = True) -> Any:
    if double:
        x = x * 2
    if x > 3 and double:
        x = x + 1
    return x


def python_flag_lax(x: Any) -> Any:
    y = x * 2
    return lax.cond(y > 3, lambda: y + 1, lambda: y)


def branch_in_vmapped_function(xs: Any) -> Any:
    def one(x: Any) -> Any:
        if x > 0:
            return x * 3
        return x

    return jax.vmap(one)(xs)


def branch_in_vmapped_function_lax(xs: Any) -> Any:
    return jax.vmap(lambda x: lax.cond(x > 0, lambda: x * 3, lambda: x))(xs)


def branch_in_scan(xs: Any) -> Any:
    def step(total: Any, x: Any) -> Any:
        if x > 1:
            total = total + x
        return total, total

    return lax.scan(step, f32(0), xs)


def branch_in_scan_lax(xs: Any) -> Any:
    def step(total: Any, x: Any) -> Any:
        total = lax.cond(x > 1, lambda: total + x, lambda: total)
        return total, total

    return lax.scan(step, f32(0), xs)


def loss_and_gradient(w: Any, x: Any) -> Any:
    def loss(w: Any) -> Any:
        error = w * x - 1.0
        if error > 0.5:
            return error
        return error * error

    return jax.value_and_grad(loss)(w)


def loss_and_gradient_lax(w: Any, x: Any) -> Any:
    def loss(w: Any) -> Any:
        error = w * x - 1.0
        return lax.cond(error > 0.5, lambda: error, lambda: error * error)

    return jax.value_and_grad(loss)(w)


def _numbers(*values: float) -> list[tuple[Any, ...]]:
    return [(f32(value),) for value in values]


XS = jnp.array([0.5, 2.0, -1.0, 3.0], f32)

PROGRAMS = [
    Program(relu, relu_lax, _numbers(2, -2)),
    Program(early_return, early_return_lax, _numbers(5, 1)),
    Program(elif_chain, elif_chain_lax, _numbers(20, 7, 2, -3)),
    Program(guard_clauses, guard_clauses_lax, _numbers(4, 0, -1)),
    Program(conditional_expression, conditional_expression_lax, _numbers(3, -3)),
    Program(and_or, and_or_lax, _numbers(3, 9, 7, -1)),
    Program(and_or_with_changes, and_or_with_changes_lax, _numbers(6, 4, 2, -1)),
    Program(chained_comparison, chained_comparison_lax, _numbers(3, 0, 6)),
    Program(negation, negation_lax, _numbers(3, 0)),
    Program(nested_if, nested_if_lax, [(f32(1), f32(2)), (f32(1), f32(-2)), (f32(-1), f32(2))]),
    Program(two_variables, two_variables_lax, [(f32(1), f32(2)), (f32(3), f32(2))]),
    Program(walrus, walrus_lax, _numbers(5, 1)),
    Program(match_numbers, match_numbers_lax, [(i32(k),) for k in (0, 1, 2, 7, 4)]),
    Program(called_function, called_function_lax, _numbers(0, 1.5, 5)),
    Program(
        branch_on_flag_array,
        branch_on_flag_array_lax,
        [(jnp.array([False, flag]), XS) for flag in (True, False)],
    ),
    Program(function_by_index, function_by_index_lax, [(i32(k), f32(0.5)) for k in range(3)]),
    Program(
        largest_of_three,
        largest_of_three_lax,
        [(f32(1), f32(2), f32(3)), (f32(5), f32(2), f32(3))],
    ),
    Program(membership, membership_lax, _numbers(4, 9, 5)),
    Program(safe_division, safe_division_lax, [(f32(1), f32(2)), (f32(1), f32(0))]),
    Program(bool_of_sum, bool_of_sum_lax, [(XS,), (jnp.zeros(4, f32),)]),
    Program(python_flag, python_flag_lax, _numbers(3, 1)),
    Program(branch_in_vmapped_function, branch_in_vmapped_function_lax, [(XS,)], eager=False),
    Program(branch_in_scan, branch_in_scan_lax, [(XS,)], eager=False),
    Program(loss_and_gradient, loss_and_gradient_lax, [(f32(2), f32(3)), (f32(0.1), f32(3))]),
]
