"""Many threads, many signatures, freed objects: right results and bounded memory."""

from __future__ import annotations

import gc
import random
import sys
import threading
import tracemalloc
import warnings
import weakref

import pytest

import autograph as ag
import runtime as rt
from tests.suite_length import IS_LONG, sample

pytestmark = pytest.mark.filterwarnings("ignore::autograph.errors.RetracingWarning")
THREADS, SIGNATURES, CALLS = 8, 50, 4000 if IS_LONG else 50
SHAPES = [(), (1,), (2,), (3,), (1, 2), (2, 2), (0,)]


def run_in_threads(work):
    """Run `work(random numbers)` in all threads at once, and raise an error of one of them."""
    started, errors = threading.Barrier(THREADS), []

    def run(seed):
        try:
            started.wait()
            work(random.Random(seed))
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
        assert not thread.is_alive(), "a call waits for another one without an end"
    if errors:
        raise errors[0]


class Layer:
    """Has a traced method and a number that its results show."""

    def __init__(self, factor):
        self.factor = factor

    @ag.function
    def call(self, x, shift=0):
        if rt.reduce_sum(x) > 1:
            return x * self.factor + shift
        return x - self.factor


def plain_call(layer, x, shift):
    values = x.numpy()
    return (values * layer.factor + shift if values.sum() > 1 else values - layer.factor).tolist()


def test_threads_that_call_and_trace_one_function():
    traced = []

    @ag.function
    def scale(x, k, mode="times"):
        traced.append((str(x.dtype), tuple(x.shape), k, mode))
        total = x * 0
        while rt.reduce_sum(total) < 3:
            total = total + x * k + 1
        return total if mode == "times" else -total

    def plain(x, k, mode):
        total = x.numpy() * 0
        while total.sum() < 3:
            total = total + x.numpy() * k + 1
        return (total if mode == "times" else -total).tolist()

    signatures = [
        (rt.ones(shape, dtype), k, mode)
        for shape in SHAPES[:-1]
        for dtype in (rt.int32, rt.float32)
        for k in (1, 2, 3)
        for mode in ("times", "minus")
    ][:SIGNATURES]
    assert len(signatures) == SIGNATURES

    def work(numbers):
        for _ in range(CALLS):
            args = numbers.choice(signatures)
            assert scale(*args).numpy().tolist() == plain(*args)

    run_in_threads(work)
    assert len(traced) == len(set(traced)) == scale.experimental_get_tracing_count()
    assert len(traced) <= SIGNATURES
    assert len(scale.traces.traces()) == len(traced)
    assert scale.traces.calls == THREADS * CALLS


def test_methods_of_objects_freed_between_calls():
    shared = [Layer(n) for n in (2, 3, 5)]
    born = []

    def work(numbers):
        own = Layer(7)
        for _ in range(CALLS):
            if numbers.random() < 0.1:
                born.append(weakref.ref(own))
                own = Layer(numbers.randrange(2, 9))
            layer = numbers.choice([*shared, own])
            x, shift = rt.ones(numbers.choice(SHAPES)), numbers.choice([0, 1])
            assert layer.call(x, shift).numpy().tolist() == plain_call(layer, x, shift)

    run_in_threads(work)
    gc.collect()
    assert born and all(each() is None for each in born)
    for layer in shared:
        assert layer.call.experimental_get_tracing_count() <= len(SHAPES) * 2
        assert len(layer.call.traces.traces()) == layer.call.experimental_get_tracing_count()
    assert len(Layer.call._instances) <= len([o for o in gc.get_objects() if type(o) is Layer])


def test_object_arguments_freed_between_calls():
    @ag.function
    def use(x, layer):
        return x * layer.factor

    def work(numbers):
        for _ in range(CALLS // 2):
            layer = Layer(numbers.randrange(9))
            for _ in range(2):
                assert int(use(rt.constant(3), layer)) == 3 * layer.factor

    run_in_threads(work)
    gc.collect()
    assert use.traces.traces() == [] and use.traces.by_key == {}


def test_functions_that_call_each_other_from_several_threads():
    @ag.function
    def even(x, n):
        return x if n == 0 else odd(x + 1, n - 1)

    @ag.function
    def odd(x, n):
        return -x if n == 0 else even(x + 1, n - 1)

    def work(numbers):
        for _ in range(CALLS // 5):
            n, function = numbers.randrange(6), numbers.choice([even, odd])
            is_even = (function is even) == (n % 2 == 0)
            assert int(function(rt.constant(1), n)) == (1 + n if is_even else -1 - n)

    run_in_threads(work)


def test_variables_that_all_threads_assign():
    total = rt.Variable(0)
    lock = threading.Lock()

    @ag.function
    def add(v, x):
        v.assign_add(x)
        return v

    def work(numbers):
        own, wanted = rt.Variable(0), 0
        for _ in range(CALLS):
            x = numbers.randrange(5)
            wanted += x
            assert int(add(own, rt.constant(x))) == wanted
            with lock:
                add(total, rt.constant(1))

    run_in_threads(work)
    assert int(total) == THREADS * CALLS
    assert add.experimental_get_tracing_count() == 1


def in_use():
    """Return how many bytes are in use once all is freed that can be.

    CPython remembers 4096 look-ups of attributes, by the places of the names in memory. NumPy makes
    a name anew for each method of a scalar that it calls, and the more memory a process uses, the
    more different places they are in: 52 bytes a trace, until there are 4096 of them.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        sys._clear_type_cache()
    for _ in range(3):
        gc.collect()
    return tracemalloc.get_traced_memory()[0]


def assert_no_growth(work, times, most):
    """Check that memory does not grow by `most` bytes each time that `work` runs so often.

    What is freed late, or made once for code that has run often, makes it grow in some rounds; what
    is never freed does so in all of them.
    """
    grown = []
    tracemalloc.start()
    try:
        for _ in range(times):
            work()
        before = in_use()
        while len(grown) < 8 and (not grown or grown[-1] >= most):
            for _ in range(times):
                work()
            before, earlier = in_use(), before
            grown.append(before - earlier)
    finally:
        tracemalloc.stop()
    assert min(grown) < most


def test_a_memory_leak_is_found():
    kept = []
    with pytest.raises(AssertionError):
        assert_no_growth(lambda: kept.append(bytearray(20)), 110, 5_000)
    assert_no_growth(lambda: bytearray(20), 110, 5_000)


def test_calls_leak_no_memory():
    scale, x = ag.function(lambda x, k=2: x * k), rt.constant(3)
    assert_no_growth(lambda: scale(x), 250_000 if IS_LONG else 1500, 5_000)


def test_state_between_calls_leaks_no_memory():
    class Mean:
        total = None

        @ag.function
        def add(self, x):
            self.total = x if self.total is None else self.total + x
            return self.total

    mean, x = Mean(), rt.constant(3.0)
    assert_no_growth(lambda: mean.add(x), 5_000 if IS_LONG else 150, 5_000)


@pytest.mark.parametrize("kind", sample(["an argument", "a function", "a method"], 3))
def test_traces_of_freed_objects_leak_no_memory(kind):
    x, use = rt.constant([1.0]), ag.function(lambda x, layer: x * layer.factor)
    calls = {
        "an argument": lambda: use(x, Layer(2)),
        "a function": lambda: ag.function(lambda x: x + 1)(x),
        "a method": lambda: Layer(2).call(x),
    }
    times, most = (1000, 5_000) if IS_LONG else (20, 900)
    assert_no_growth(calls[kind], times, most)


def test_the_number_of_traces_is_bounded(monkeypatch):
    from autograph.functions.trace_cache import cache as trace_cache

    if not IS_LONG:
        monkeypatch.setattr(trace_cache, "_MOST_TRACES", 16)
    scale, x, numbers = ag.function(lambda x, k: x * k), rt.constant(3), iter(range(100_000))
    assert_no_growth(lambda: scale(x, next(numbers)), 2500 if IS_LONG else 32, 30_000)
    assert len(scale.traces.traces()) == trace_cache._MOST_TRACES
    assert len(scale.traces.by_key) == trace_cache._MOST_TRACES
