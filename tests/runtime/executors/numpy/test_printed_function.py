"""Graphs as printed Python functions."""

from __future__ import annotations

import gc
import linecache
import sys
import threading
from collections import Counter
from types import FrameType

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import DivisionByZeroError
from runtime.executors import run
from runtime.executors.numpy.printed_function import printed_function
from runtime.executors.numpy.runtime_errors import LINE_TABLES
from tests.runtime.executors.graphs import body_of, both, graph_of, source_of


def steps_of_collatz(n):
    steps = rt.constant(0)
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def gelu(x):
    return 0.5 * x * (1.0 + rt.tanh(0.79788456 * (x + 0.044715 * x * x * x)))


def swapped(a, b, n):
    for _ in rt.range(n):
        a, b = b, a + b
    return a, b


def test_a_scalar_loop_is_printed_as_a_user_would_write_it():
    assert body_of(steps_of_collatz, 7) == (
        "    n = n.item()\n"
        "    steps = 0\n"
        "    while n != 1:\n"
        "        if n % 2 == 0:\n"
        "            n = n // 2\n"
        "        else:\n"
        "            n = 3 * n + 1\n"
        "            if n > 1073741823 or n < -1073741823: n = wrap_int32(n)\n"
        "        steps = steps + 1\n"
        "    return (array(wrap_int32(steps), int32_dtype),)\n"
    )


def parts(x):
    a, b = rt.split(x, [1, -1], axis=1)
    top, bottom = rt.unstack(b)
    return a, top - bottom


def test_parts_of_an_array_are_slices():
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert body_of(parts, x) == (
        "    split_0, split_1 = x[:, 0:1], x[:, 1:3]\n"
        "    unstack_0, unstack_1 = split_1[0], split_1[1]\n"
        "    subtract = np_subtract(unstack_0, unstack_1)\n"
        "    return (split_0, subtract)\n"
    )
    printed, interpreted = both(parts, x)
    assert printed == interpreted


def mixed(n):
    x, total, last = n, n * 0, n * 0
    for _ in rt.range(n):
        x = x * 1103515245 + 12345
        total = total + x * 3
        if x > 0:
            last = x - total
    return x, total, last


@pytest.mark.parametrize("n", [0, 1, 2, 5, 40])
def test_integers_wrap_as_arrays_do(n):
    printed, interpreted = both(mixed, n)
    assert printed == interpreted


@pytest.mark.parametrize("n", [1, 2, 27, 97])
def test_integer_loops_agree_with_the_interpreter(n):
    printed, interpreted = both(steps_of_collatz, n)
    assert printed == interpreted


def test_swapped_variables_are_assigned_in_parallel():
    printed, interpreted = both(swapped, 1, 1, 90)
    assert printed == interpreted


@pytest.mark.parametrize("size", [0, 1, 100, 131_071, 131_072, 200_003])
def test_block_loops_agree_with_whole_arrays(size):
    x = np.linspace(-9, 9, size, dtype=np.float32)
    printed, interpreted = both(gelu, x)
    assert printed == interpreted


def test_a_chain_over_a_large_array_is_run_by_blocks():
    body = body_of(gelu, np.zeros(200_000, np.float32))
    assert "for rows in" in body and "np_tanh(" in body
    assert "for rows in" not in body_of(gelu, np.zeros(1000, np.float32))


def with_bias(x, w, b):
    return rt.nn.relu(rt.matmul(x, w) + b) * 0.5


@pytest.mark.parametrize("shape", [(3000, 64), (3, 70_000), (200_000, 1)])
def test_block_loops_over_rows_agree_with_whole_arrays(shape):
    x = np.random.default_rng(0).normal(size=(shape[0], 2)).astype("float32")
    w = np.random.default_rng(1).normal(size=(2, shape[1])).astype("float32")
    printed, interpreted = both(with_bias, x, w, np.ones(shape[1], np.float32))
    assert printed == interpreted


def test_blocks_of_an_array_that_is_not_in_order_of_its_elements():
    x = np.asfortranarray(np.random.default_rng(0).normal(size=(3, 100_000)).astype("float32"))
    graph = graph_of(gelu, x)
    (printed,), (interpreted,) = printed_function(graph).run([x]), run(graph, [x])
    assert np.array_equal(printed, interpreted)


def test_arguments_and_captures_are_not_written_over():
    held = rt.constant(np.ones(20_000, np.float32))
    f = ag.function(lambda x: (x * 2.0 + held) * held - x)
    x = np.full(20_000, 3, np.float32)
    assert f(x).numpy()[0] == 4 and f(x).numpy()[0] == 4
    assert x[0] == 3 and held.numpy()[0] == 1


def test_a_result_that_is_read_again_is_not_written_over():
    def several(x):
        a = x * 2.0
        b = a + 1.0
        return a, b, rt.reshape(a, [-1]) - b, a[1:]

    printed, interpreted = both(several, np.arange(20_000, dtype=np.float32))
    assert printed == interpreted


def test_results_of_two_calls_share_no_memory():
    f = ag.function(gelu)
    x = rt.constant(np.ones(200_000, np.float32))
    first, second = f(x), f(x)
    assert not np.shares_memory(first._array, second._array)


def quotient(x, y):
    small = x - 1
    return small // y


def test_errors_agree_with_the_interpreter():
    printed, interpreted = both(quotient, 7, 0)
    assert printed == interpreted and printed[0] is DivisionByZeroError
    printed, interpreted = both(quotient, [7, 8], [1, 0])
    assert printed == interpreted


def test_an_error_in_a_called_function_names_the_line_inside():
    inner = ag.function(lambda x, y: x // y)  # here
    outer = ag.function(lambda x, y: inner(x + 1, y) * 2)
    with pytest.raises(DivisionByZeroError) as caught:
        outer(rt.constant([1]), rt.constant([0]))
    assert caught.value.origin.line_text().endswith("# here")


def test_an_index_out_of_bounds_is_explained_as_the_kernel_does():
    def picked(xs, i):
        return xs[i]

    printed, interpreted = both(picked, [1, 2], 5)
    assert printed == interpreted and issubclass(printed[0], IndexError)


def test_numpy_s_own_settings_are_the_user_s_again():
    before = np.geterr()
    with np.errstate(all="raise"):
        f = ag.function(lambda x: x / 0.0)
        assert np.isinf(f(rt.constant(1.0)).numpy())
        assert np.geterr()["divide"] == "raise"
    assert np.geterr() == before


def test_too_deeply_nested_loops_are_interpreted():
    def deep(n, level):
        total = n * 0
        if level == 0:
            return n + 1
        i = n * 0
        while i < 1:
            total = total + deep(n, level - 1)
            i = i + 1
        return total

    assert int(ag.function(lambda n: deep(n, 24))(rt.constant(3))) == 4


def test_many_threads_may_run_one_function():
    f = ag.function(steps_of_collatz)
    wanted = [int(f(rt.constant(n))) for n in range(1, 60)]
    found = [[] for _ in range(4)]

    def work(into):
        into += [int(f(rt.constant(n))) for n in range(1, 60)]

    threads = [threading.Thread(target=work, args=(into,)) for into in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [wanted] * 4


def test_a_freed_function_leaves_no_source_behind():
    gc.collect()
    source_of(lambda x: x + 1, 3)
    gc.collect()
    before = len(LINE_TABLES), len(linecache.cache)
    for _ in range(3):
        source_of(lambda x: x + 1, 3)
        gc.collect()
    # The lines of one that is gone go when the next one is made.
    assert len(LINE_TABLES) <= before[0] and len(linecache.cache) <= before[1]


def test_collection_does_not_change_linecache_during_iteration():
    made = ag.function(lambda x: x * 2).get_concrete_function(rt.TensorSpec([3]))
    assert made.executable.source
    filenames = list(linecache.cache)  # as `linecache.checkcache()` begins
    del made
    gc.collect()
    assert all(filename in linecache.cache for filename in filenames)


def test_the_source_is_that_of_the_executable():
    f = ag.function(gelu)
    concrete = f.get_concrete_function(rt.TensorSpec([3]))
    assert concrete.executable.source.startswith("def gelu(x):\n")
    assert concrete.executable.source == printed_function(concrete.graph).source


def test_a_graph_of_floats_compiles_in_few_questions_about_integers() -> None:
    def sums(x):
        total = x
        for _ in range(50):
            total = total + x
        return total

    graph = ag.function(sums).get_concrete_function(rt.TensorSpec((3,), rt.float32)).graph
    counts = Counter[str]()

    def profile(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            counts[frame.f_code.co_name] += 1

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        printed_function(graph)
    finally:
        sys.setprofile(before)
    assert counts["kernel_op"] <= 7 * 50
    assert counts["find"] == 0
