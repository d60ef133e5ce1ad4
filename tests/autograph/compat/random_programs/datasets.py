"""Datasets that draw random numbers."""

from __future__ import annotations

from typing import Any

from tests.autograph.compat.random_programs.program import numbers, one, program


@program
def shuffled_with_a_seed(tf: Any) -> Any:
    tf.random.set_seed(None)
    sizes = (1, 2, 3, 9, 10, 11, 100)
    made = [tf.data.Dataset.range(10).shuffle(size, seed=1) for size in sizes]
    return [[numbers(each) for _ in range(3)] for each in made]


@program
def shuffled_once(tf: Any) -> Any:
    tf.random.set_seed(None)
    made = tf.data.Dataset.range(10).shuffle(4, seed=1, reshuffle_each_iteration=False)
    return numbers(made), numbers(made), numbers(made.repeat(2))


@program
def shuffled_by_the_global_seed(tf: Any) -> Any:
    tf.random.set_seed(5)
    first = tf.data.Dataset.range(10).shuffle(4)
    second = tf.data.Dataset.range(10).shuffle(20, seed=2)
    third = tf.data.Dataset.range(10).shuffle(5)
    drawn = [numbers(each) for each in (first, second, third, first)]
    return drawn, one(tf), one(tf)


@program
def shuffled_among_other_steps(tf: Any) -> Any:
    tf.random.set_seed(5)
    source = tf.data.Dataset.range(5)
    made = [
        source.shuffle(4, seed=2).repeat(3),
        source.repeat(3).shuffle(4, seed=2),
        source.shuffle(5, seed=1).shuffle(3, seed=7),
        source.filter(lambda x: x != 2).shuffle(3, seed=2),
        source.shuffle(9, seed=2).batch(2).unbatch(),
        source.cache().shuffle(6, seed=1).repeat(2),
        source.shuffle(6, seed=1).cache(),
        source.map(lambda x: x * 2).shuffle(3, seed=3).take(3),
        source.flat_map(lambda x: source.shuffle(4)),
        source.shuffle(5, seed=1).prefetch(2).skip(1),
    ]
    return [[numbers(each), numbers(each)] for each in made]


@program
def shuffled_by_two_iterators(tf: Any) -> Any:
    tf.random.set_seed(5)
    made = tf.data.Dataset.range(8).shuffle(8, seed=1)
    first, second = iter(made), iter(made)
    drawn = [float(next(each)) for _ in range(5) for each in (first, second)]
    tf.random.set_seed(5)
    return drawn, numbers(first), numbers(made)


@program
def shuffled_from_odd_seeds(tf: Any) -> Any:
    tf.random.set_seed(0)
    made = [tf.data.Dataset.range(8).shuffle(8, seed=seed) for seed in (0, -3, 2**40, 2**31 - 1)]
    return [numbers(each) for each in made]


@program
def shuffled_in_a_function(tf: Any) -> Any:
    tf.random.set_seed(5)
    outside = tf.data.Dataset.range(6).shuffle(6)

    @tf.function
    def f() -> Any:
        made, kept = tf.constant(0, tf.int64), tf.constant(0, tf.int64)
        for x in tf.data.Dataset.range(6).shuffle(6):
            made = made * 10 + x
        for x in outside:
            kept = kept * 10 + x
        return made, kept

    return f(), f(), one(tf)


@program
def shuffled_rows(tf: Any) -> Any:
    tf.random.set_seed(9)
    rows = tf.data.Dataset.from_tensor_slices(([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [0, 1, 2]))
    return [(x, y) for x, y in rows.shuffle(2).batch(2)]


@program
def many_shuffled(tf: Any) -> Any:
    tf.random.set_seed(None)
    return numbers(tf.data.Dataset.range(3000).shuffle(700, seed=3))[::50]


@program
def random_datasets(tf: Any) -> Any:
    tf.random.set_seed(5)
    random = tf.data.Dataset.random
    made = [
        random(seed=4).take(3),
        random().take(3),
        random(seed=4, rerandomize_each_iteration=True).take(3),
        random(seed=4, rerandomize_each_iteration=False).take(9),
    ]
    return [[numbers(each), numbers(each)] for each in made], one(tf)


@program
def sampled_datasets(tf: Any) -> Any:
    tf.random.set_seed(5)
    parts = [tf.data.Dataset.range(6), tf.data.Dataset.range(10, 16)]
    sample = tf.data.Dataset.sample_from_datasets
    made = [
        sample(parts, seed=3),
        sample(parts),
        sample(parts, weights=[0.2, 0.8], seed=3),
        sample(parts, seed=3, rerandomize_each_iteration=True),
        sample([*parts, parts[0]], weights=[0.5, 0.0, 0.5], seed=3, stop_on_empty_dataset=True),
    ]
    return [[numbers(each), numbers(each)] for each in made]


@program
def draws_of_mapped_functions(tf: Any) -> Any:
    tf.random.set_seed(1)
    source = tf.data.Dataset.range(3)
    made = [
        source.map(lambda x: one(tf)),
        source.map(lambda x: one(tf)).repeat(2),
        source.map(lambda x: one(tf, 5) + one(tf) + one(tf)),
        source.flat_map(lambda x: tf.data.Dataset.from_tensors(one(tf)).repeat(2)),
        source.flat_map(lambda x: source.map(lambda y: one(tf))),
        source.filter(lambda x: one(tf) > 0.6).map(lambda x: one(tf)),
        source.map(lambda x: one(tf)).cache().repeat(2),
        source.map(tf.function(lambda x: one(tf))),
    ]
    return [[numbers(each), numbers(each)] for each in made], one(tf)


@program
def a_mapped_function_in_a_function(tf: Any) -> Any:
    tf.random.set_seed(1)
    outside = tf.data.Dataset.range(2).map(lambda x: one(tf))

    @tf.function
    def f() -> Any:
        total = 0.0
        for x in outside:
            total = total * 10.0 + x
        for x in tf.data.Dataset.range(2).map(lambda x: one(tf)):
            total = total * 10.0 + x
        return total

    return f(), f(), one(tf)
