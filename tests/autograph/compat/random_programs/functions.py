"""Functions, branches, loops and sessions that draw random numbers."""

from __future__ import annotations

from typing import Any

from tests.autograph.compat.random_programs.program import one, program


@program
def two_ops_of_a_function(tf: Any) -> Any:
    tf.random.set_seed(1)
    f = tf.function(lambda: (one(tf), one(tf)))
    return f(), f(), one(tf), one(tf)


@program
def functions_begin_alike(tf: Any) -> Any:
    tf.random.set_seed(1)
    f, g = tf.function(lambda: one(tf)), tf.function(lambda: (one(tf), one(tf)))
    return f(), g(), f(), g()


@program
def a_seed_resets_functions(tf: Any) -> Any:
    tf.random.set_seed(1)
    f = tf.function(lambda: (one(tf), one(tf, 5)))
    first = f(), f()
    tf.random.set_seed(1)
    second = f()
    tf.random.set_seed(2)
    return first, second, f(), tf.function(lambda: one(tf))()


@program
def eager_counter_around_calls(tf: Any) -> Any:
    tf.random.set_seed(7)
    f = tf.function(lambda: one(tf))
    return one(tf), f(), one(tf), f(), one(tf)


@program
def seeds_of_ops(tf: Any) -> Any:
    tf.random.set_seed(1)
    f = tf.function(lambda: (one(tf, 7), one(tf, 7), one(tf, 8), one(tf), one(tf)))
    return f(), f(), one(tf, 7), one(tf, 7), one(tf, 8)


@program
def seeds_of_ops_without_a_global_one(tf: Any) -> Any:
    tf.random.set_seed(None)
    f = tf.function(lambda: (one(tf, 7), one(tf, 8)))
    return one(tf, 7), f(), f(), one(tf, 7)


@program
def zero_seeds(tf: Any) -> Any:
    tf.random.set_seed(0)
    f = tf.function(lambda: (one(tf), one(tf, 0)))
    return f(), f(), one(tf, 0)


@program
def each_trace_has_its_own(tf: Any) -> Any:
    tf.random.set_seed(1)
    # An argument that is not read makes no trace of its own here.
    f = tf.function(lambda x: (one(tf), one(tf)) if x is not None else ())
    return f(1), f(1), f(2), f(tf.constant(1)), f(tf.constant(1.0)), f(1)


@program
def branches(tf: Any) -> Any:
    tf.random.set_seed(1)

    @tf.function
    def f(x: Any) -> Any:
        a = one(tf)
        if x > 0:
            b = one(tf)
        elif x < -5:
            b = one(tf) + one(tf)
        else:
            b = one(tf) + 10.0
        return a, b, one(tf)

    return [f(tf.constant(x)) for x in (1, -1, 1, -9, -9, 1)]


@program
def a_loop_in_order(tf: Any) -> Any:
    tf.random.set_seed(1)

    @tf.function
    def f(n: Any) -> Any:
        total, first = 0.0, one(tf)
        for _ in tf.range(n):
            tf.autograph.experimental.set_loop_options(parallel_iterations=1)
            total = total * 10.0 + one(tf)
            total += one(tf, 3)
        return first, total, one(tf)

    return f(tf.constant(3)), f(tf.constant(2)), f(tf.constant(0))


@program
def a_while_loop_with_a_branch(tf: Any) -> Any:
    tf.random.set_seed(4)

    @tf.function
    def f(n: Any) -> Any:
        total = 0.0
        while n > 0:
            tf.autograph.experimental.set_loop_options(parallel_iterations=1)
            if n % 2 == 0:
                total = total * 2.0 + one(tf)
            total += one(tf)
            n -= 1
        return total

    return f(tf.constant(4)), f(tf.constant(3))


@program
def mapped_in_order(tf: Any) -> Any:
    tf.random.set_seed(1)
    draw = lambda x: one(tf)
    f = tf.function(lambda: tf.map_fn(draw, tf.zeros([3]), parallel_iterations=1))
    return f(), f(), tf.map_fn(draw, tf.zeros([2]))


@program
def functions_in_functions(tf: Any) -> Any:
    tf.random.set_seed(1)
    inner = tf.function(lambda: (one(tf), one(tf)))
    outer = tf.function(lambda: (one(tf), inner(), inner(), one(tf)))
    return outer(), outer(), inner(), outer(), inner()


@program
def functions_called_before(tf: Any) -> Any:
    tf.random.set_seed(1)
    inner = tf.function(lambda x: one(tf) * x)
    outer = tf.function(lambda x: (inner(x), inner(x), one(tf)))
    return inner(tf.constant(1.0)), outer(tf.constant(1.0)), inner(tf.constant(1.0))


@program
def helpers_count_with_their_caller(tf: Any) -> Any:
    tf.random.set_seed(1)
    helper = lambda: one(tf)
    return tf.function(lambda: (helper(), one(tf), helper()))(), helper()


@program
def a_concrete_function(tf: Any) -> Any:
    tf.random.set_seed(1)
    f = tf.function(lambda: one(tf))
    concrete = f.get_concrete_function()
    return concrete(), f(), concrete()


@program
def kinds_of_ops(tf: Any) -> Any:
    tf.random.set_seed(1)
    random = tf.random
    f = tf.function(
        lambda: (
            random.normal([2]),
            random.truncated_normal([2]),
            random.uniform([3], 0, 100, tf.int32),
            random.shuffle([1, 2, 3, 4, 5]),
            random.categorical([[0.0, 0.0, 0.0]], 6),
            random.poisson([4], 3.0),
            tf.nn.dropout(tf.ones([8]), 0.5),
            random.normal([2], 5.0, 2.0, seed=3),
            random.uniform([2], dtype=tf.float64),
            random.gamma([2], 2.0),
        )
    )
    return f(), f()


@program
def a_seed_set_in_a_function(tf: Any) -> Any:
    tf.random.set_seed(1)

    @tf.function
    def f() -> Any:
        first = one(tf)
        tf.random.set_seed(5)
        return first, one(tf)

    return f(), f(), one(tf)


@program
def methods_of_two_objects(tf: Any) -> Any:
    tf.random.set_seed(3)

    class Model(tf.Module):  # type: ignore[misc, name-defined]
        @tf.function
        def __call__(self) -> Any:
            return one(tf)

    a, b = Model(), Model()
    return a(), b(), a(), b()


@program
def gradients_of_draws(tf: Any) -> Any:
    tf.random.set_seed(3)

    @tf.function
    def f(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * one(tf) + x * x * one(tf)
        return y, tape.gradient(y, x)

    return f(tf.constant(2.0)), f(tf.constant(2.0))


@program
def statements_that_jump(tf: Any) -> Any:
    tf.random.set_seed(3)

    @tf.function
    def early(x: Any) -> Any:
        if x > 0:
            return one(tf)
        a = one(tf)
        if x < -5:
            return a + one(tf)
        return a * one(tf)

    @tf.function
    def in_a_loop(n: Any) -> Any:
        total = 0.0
        for _ in range(3):
            total = total * 10.0 + one(tf)
        while n > 0:
            tf.autograph.experimental.set_loop_options(parallel_iterations=1)
            n -= 1
            if n == 2:
                continue
            total = total * 10.0 + one(tf)
            if n == 1:
                break
        return total

    return [early(tf.constant(x)) for x in (1, -1, -9)], in_a_loop(tf.constant(5))


@program
def a_try_counts_on(tf: Any) -> Any:
    tf.random.set_seed(3)

    @tf.function
    def f() -> Any:
        try:
            a = one(tf)
        except ValueError:
            a = one(tf) * 10.0
        return a, one(tf)

    return f(), f()


@program
def branches_by_number(tf: Any) -> Any:
    tf.random.set_seed(3)
    branches = [lambda: one(tf), lambda: one(tf) + one(tf), lambda: one(tf, 9)]
    f = tf.function(lambda i: (tf.switch_case(i, branches), one(tf)))
    return [f(tf.constant(i)) for i in (1, 2, 1, 0)]


@program
def python_code_draws_eagerly(tf: Any) -> Any:
    tf.random.set_seed(3)
    f = tf.function(lambda: tf.py_function(lambda: one(tf), [], tf.float32))
    return f(), f(), one(tf)


@program
def sessions_begin_alike(tf: Any) -> Any:
    v1 = tf.compat.v1
    with tf.Graph().as_default():
        v1.set_random_seed(3)
        fetched = [v1.random_uniform([]), v1.random_uniform([], seed=2), v1.random_uniform([])]
        drawn = []
        for _ in range(2):
            with v1.Session() as session:
                drawn += [session.run(fetched), session.run(fetched)]
    return drawn


@program
def stateless_ops_and_generators(tf: Any) -> Any:
    tf.random.set_seed(3)
    generator = tf.random.Generator.from_seed(5)
    draws = lambda: (
        tf.random.stateless_uniform([2], [1, 2]),
        tf.random.stateless_normal([2], [1, 2]),
        generator.normal([2]),
        generator.uniform([2]),
    )
    return draws(), tf.function(draws)(), draws(), one(tf)
