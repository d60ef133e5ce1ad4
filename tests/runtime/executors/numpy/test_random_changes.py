"""Random loops that write into arrays agree, printed, with the interpreter."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.executors import run
from runtime.executors.numpy.printed_function import printed_function
from runtime.graph import Graph
from runtime.ops.containers import lists
from tests.runtime.executors.graphs import outcome
from tests.runtime.executors.numpy.random_writer import RandomWriter
from tests.suite_length import IS_LONG

SEEDS = range(3000 if IS_LONG else 40)
ROWS, COLUMNS = 4, 3


class _Writer(RandomWriter):
    """Writes statements on some arrays, a number and a list, which are its state."""

    def condition(self) -> Any:
        return self.number() > self.number()

    def number(self) -> Any:
        """Return a number: the state's, an element, or a constant."""
        x = self.state[self.array()]
        ways = (
            lambda: self.state[3],
            lambda: x[self.random.randrange(ROWS), self.random.randrange(COLUMNS)],
            lambda: x[self.state[3] % ROWS, 0],
            lambda: rt.reduce_sum(x),
            lambda: rt.constant(self.random.randrange(-2, 4), rt.int32),
        )
        return self.random.choice(ways)()

    def place(self, size: int) -> Any:
        return self.number() if self.random.random() < 0.03 else rt.abs(self.number()) % size

    def row(self) -> Any:
        x = self.state[self.array()]
        ways = (
            lambda: x[self.place(ROWS)],
            lambda: rt.gather(x, self.place(ROWS)),
            lambda: x[0] + x[1],
            lambda: rt.reduce_max(x, 0),
            lambda: rt.fill([COLUMNS], self.number()),
        )
        return self.random.choice(ways)()

    def put(self) -> None:
        at, count = self.array(), self.random.choice((1, 1, 1, 2))
        if self.random.random() < 0.6:
            rows = [rt.stack([self.place(ROWS), self.place(COLUMNS)]) for _ in range(count)]
            new = [self.number() for _ in range(count)]
        else:
            rows = [rt.stack([self.place(ROWS)]) for _ in range(count)]
            new = [self.row() for _ in range(count)]
        name = self.random.choice(("update", "update", "update", "add", "max"))
        change = getattr(rt, f"tensor_scatter_nd_{name}")
        self.state[at] = change(self.state[at], rt.stack(rows), rt.stack(new))

    def assign_item(self) -> None:
        at = self.array()
        # That a constant is out of bounds would be told before there is a graph.
        row, column = (self.place(size) + self.state[3] * 0 for size in (ROWS, COLUMNS))
        ways = (
            lambda: ((row, column), self.number()),
            lambda: (row, self.row()),
            lambda: ((self.random.randrange(ROWS), slice(None, column)), self.number()),
            lambda: ((slice(None), column), self.state[self.array()][:, 0]),
            lambda: (slice(row, None), self.row()),
            lambda: ((-1, self.random.randrange(COLUMNS)), self.number()),
            lambda: (self.state[self.array()] > self.number(), self.number()),
        )
        index, new = self.random.choice(ways)()
        self.state[at] = rt.set_item(self.state[at], index, new)

    def made(self) -> None:
        x, y = self.state[self.array()], self.state[self.array()]
        ways = (lambda: x + y, lambda: rt.reverse(x, [0]), lambda: rt.reshape(x, [ROWS, COLUMNS]))
        self.state[self.array()] = self.random.choice(ways)()

    def counted(self) -> None:
        self.state[3] = self.state[3] + self.number()

    def listed(self) -> None:
        self.state[4] = lists.list_append(self.state[4], self.row())

    def statement(self, is_inside: bool = False) -> None:
        ways = (
            [self.put] * 4
            + [self.assign_item] * 3
            + [self.handed_on, self.swapped, self.made, self.counted]
        )
        ways += [self.branched] + [self.listed] * (self.random.random() < 0.3)
        ways += [self.looped] * (1 if is_inside else 8)
        self.random.choice(ways)()


def _graph(seed: int) -> Graph:
    graph, random = Graph("changed"), Random(seed)
    given = [graph.add_input(rt.TensorSpec((ROWS, COLUMNS), rt.int32), f"x{i}") for i in range(2)]
    n = graph.add_input(rt.TensorSpec((), rt.int32), "n")
    with graph.recording():
        third = random.choice((rt.zeros([ROWS, COLUMNS], rt.int32), given[0]))
        writer = _Writer(random, [*given, third, n, lists.list_new()])
        for _ in range(4):
            writer.statement()
        items = lists.list_length(writer.state[4])
        kept = [given[0]] if random.random() < 0.3 else []
        graph.set_outputs([*writer.state[:4], items, writer.state[4], *kept])
    return graph


@pytest.mark.parametrize("block", range(0, len(SEEDS), 40))
def test_random_array_writes_agree_with_the_interpreter(block: int) -> None:
    for seed in SEEDS[block : block + 40]:
        graph = _graph(seed)
        for n in (0, 3, -1):
            rows = np.random.default_rng(seed).integers(-5, 9, (2, ROWS, COLUMNS), np.int32)
            arrays = [*rows, np.array(n, np.int32)]
            wanted = outcome(lambda given: run(graph, given), arrays)
            assert outcome(printed_function(graph).run, arrays) == wanted, seed
