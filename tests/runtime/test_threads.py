"""Several threads that change one variable: all changes are applied."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from threading import Thread

import pytest

import autograph as ag
import runtime as rt
from runtime.state.variable import Variable


@pytest.fixture(autouse=True)
def restless() -> Iterator[None]:
    """Have Python go from thread to thread as often as it can."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def _in_threads(work: Callable[[], object], times: int, threads: int = 4) -> None:
    running = [Thread(target=lambda: [work() for _ in range(times)]) for _ in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()


def test_concurrent_assign_adds_are_all_applied() -> None:
    v = Variable(0)
    _in_threads(lambda: v.assign_add(1), 500)
    assert 2000 == v.numpy()


def test_concurrent_assignments_of_graphs_are_all_applied() -> None:
    v = Variable([0, 0])

    @ag.function
    def count() -> None:
        v.assign_add([1, 0])
        v.scatter_nd_add([[1]], [1])

    count()
    _in_threads(count, 200)
    assert [801, 801] == v.numpy().tolist()


def test_concurrent_draws_of_a_generator_differ() -> None:
    generator = rt.random.Generator.from_seed(1)
    drawn: list[float] = []
    _in_threads(lambda: drawn.append(float(generator.uniform([], dtype=rt.float64))), 200)
    assert 800 == len(set(drawn))
