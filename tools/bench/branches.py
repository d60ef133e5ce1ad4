"""The time of independent branches of large graphs in parallel, relative to serial runs.

It is wall time, unlike in the table `speed`, since other cores save only that. Both modes take
turns, and the best turn of each counts. The first row shows the capacity of a busy machine: the
chain of the next row in plain NumPy, in one thread and in two. Results are compared bit by bit.
Products of large matrices are left to BLAS, which has threads of its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

import autograph as ag
import runtime as rt
from tools.bench import clock
from tools.bench.lines import Line, ratio, row

Run = Callable[[], object]


@dataclass(frozen=True)
class Branches:
    """A function with branches, and the arrays it is called with."""

    name: str
    function: Callable[..., Any]
    arrays: tuple[Any, ...]


def _chain(x: Any, shift: float) -> Any:
    for _ in range(4):
        x = rt.tanh(x * x + shift) * 0.5 - rt.sin(x)
    return x


def chains(*arrays: Any) -> Any:
    """A chain of elementwise operations on each array, and their sum."""
    return rt.add_n([_chain(each, 0.25) for each in arrays])


def products(x: Any, y: Any) -> Any:
    """Two products of matrices after each other, twice."""
    return (x @ x) @ x - (y @ y) @ y


def sorts(x: Any, y: Any) -> Any:
    """Two sorts, which no chain of blocks runs."""
    return rt.sort(x) + rt.sort(y)


def workloads(size: int) -> list[Branches]:
    """Return the workloads, for arrays of about `size` elements."""
    arrays = np.random.default_rng(0).normal(size=(4, size)).astype(np.float32)
    side = int(size**0.5)
    squares = arrays[:2, : side * side].reshape(2, side, side)
    return [
        Branches("two chains", chains, tuple(arrays[:2])),
        Branches("four chains", chains, tuple(arrays[:, : size // 2])),
        Branches("two sorts", sorts, tuple(arrays[:2])),
        Branches("products of matrices", products, tuple(squares)),
        Branches("two chains of 100 numbers", chains, tuple(arrays[:2, :100])),
    ]


def lines(size: int, rounds: int) -> Iterator[Line]:
    """Measure all with arrays of some size and yield the table."""
    yield Line(row("branches, wall time", "alone", "side by side", "ratio", "functions"))
    array = np.random.default_rng(0).normal(size=size).astype(np.float32)
    with ThreadPoolExecutor(1) as other:
        yield _told("plain NumPy", *_by_numpy(array, other), rounds)
    for each in workloads(size):
        yield _measured(each, rounds)


def _by_numpy(x: Any, other: ThreadPoolExecutor) -> tuple[Run, Run]:
    def once() -> Any:
        y = x
        for _ in range(4):
            y = np.tanh(y * y + np.float32(0.25)) * np.float32(0.5) - np.sin(y)
        return y

    def both() -> Any:
        waits = other.submit(once)
        return once(), waits.result()

    return (lambda: (once(), once())), both


def _measured(work: Branches, rounds: int) -> Line:
    given = tuple(map(rt.constant, work.arrays))
    alone, parts = (ag.function(work.function, parallel=each) for each in (False, 2))
    one, two = alone(*given).numpy(), parts(*given).numpy()
    (concrete,) = parts.traces.traces()
    handed_out = concrete.executable.source.count("def ") - 1
    told = _told(work.name, lambda: alone(*given), lambda: parts(*given), rounds, str(handed_out))
    return told if one.tobytes() == two.tobytes() else Line(told.text, (f"{work.name}: differs",))


def _told(name: str, alone: Run, parts: Run, rounds: int, *more: str) -> Line:
    one, two = clock.best_in_turn([lambda: _seconds(alone), lambda: _seconds(parts)], rounds)
    return Line(row(name, clock.readable(one), clock.readable(two), ratio(two / one), *more))


def _seconds(run: Run) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began
