"""Random graphs over large arrays: joined branches, products, views, failures, loops."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import numpy as np

import runtime as rt
from autograph import do_not_convert
from runtime.errors import OpError
from runtime.executors.compile_options import CompileOptions, set_compile_options
from runtime.executors.optimizations import elementwise_fusion
from runtime.executors.optimizations import parallel_regions as independent
from runtime.graph.graph import Graph

# So large that results are written over operands.
SIDE = 48
_UNARY = (rt.tanh, rt.sin, rt.exp, rt.abs, rt.square, rt.sigmoid, rt.nn.relu)
_BINARY = (rt.add, rt.subtract, rt.multiply, rt.maximum, rt.matmul)


@contextmanager
def everything_counts() -> Iterator[None]:
    """Let each node be worth a thread, and short chains be run in blocks."""
    before = independent.MIN_WORK, independent.work_of, elementwise_fusion.MIN_ELEMENTS
    independent.MIN_WORK, elementwise_fusion.MIN_ELEMENTS = 1, 1000
    independent.work_of = lambda node: 1.0  # type: ignore[assignment]
    try:
        yield
    finally:
        independent.MIN_WORK, independent.work_of, elementwise_fusion.MIN_ELEMENTS = before  # type: ignore[assignment]


def large_graph(seed: int, parallel: bool | int = 3) -> tuple[Graph, list[Any]]:
    """Return a graph, and arrays for its parameters."""
    random, arrays = Random(seed), np.random.default_rng(seed)
    graph = Graph("large")
    spec = rt.TensorSpec((SIDE, SIDE), rt.float64)
    inputs = [graph.add_input(spec, name) for name in "xyz"]
    index = graph.add_input(rt.TensorSpec((), rt.int32), "at")
    with graph.recording():
        values = _Writer(random, index).nodes([*inputs], random.randint(6, 30))
        graph.set_outputs(random.sample(values, min(len(values), random.randint(1, 4))))
    set_compile_options(graph, CompileOptions(parallel=parallel))
    given = [arrays.normal(size=(SIDE, SIDE)) for _ in inputs]
    return graph, [*given, np.array(random.choice((0, 1, 2, SIDE, -SIDE - 1)), np.int32)]


class _Writer:
    def __init__(self, random: Random, index: Any, depth: int = 0) -> None:
        self._random, self._index, self._depth = random, index, depth

    def nodes(self, values: list[Any], count: int) -> list[Any]:
        """Write nodes that use values, of which there are some from the start; return all."""
        heads = list(values)
        for _ in range(count):
            at = self._random.randrange(len(heads))
            try:
                heads[at] = self._one(heads[at], self._random.choice(heads))
            except OpError:
                continue
            values.append(heads[at])
        return values

    def _one(self, x: Any, y: Any) -> Any:
        chance = self._random.random()
        if chance < 0.45:
            return self._random.choice(_UNARY)(x)
        if chance < 0.65:
            return self._random.choice(_BINARY)(x, y)
        if chance < 0.75:
            return rt.transpose(x) * 0.5
        if chance < 0.82:
            return x + x[self._index]  # An index that may be out of bounds.
        if chance < 0.87:
            return x / rt.reduce_sum(y)
        if self._depth > 1:
            return x - 1.0
        return self._choice(x, y) if chance < 0.94 else self._loop(x, y)

    def _choice(self, x: Any, y: Any) -> Any:
        count = self._random.randint(1, 5)
        then = do_not_convert(lambda: self._last(x, y, count))
        return rt.cond(rt.reduce_sum(x) > 0.0, then, do_not_convert(lambda: x * 2.0))

    def _loop(self, x: Any, y: Any) -> Any:
        count = self._random.randint(3, 8)

        def body(i: Any, v: Any, w: Any) -> list[Any]:
            values = _Writer(self._random, self._index, self._depth + 1).nodes([v, w, y], count)
            return [i + 1, values[-1], values[-2]]

        start = [rt.constant(0), x, y]
        test = do_not_convert(lambda i, v, w: i < 3)
        return rt.while_loop(test, do_not_convert(body), start)[1 + count % 2]

    def _last(self, x: Any, y: Any, count: int) -> Any:
        return _Writer(self._random, self._index, self._depth + 1).nodes([x, y], count)[-1]
