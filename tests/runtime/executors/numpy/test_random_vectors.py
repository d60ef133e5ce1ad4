"""Random loops that write elements of vectors, with variables assigned and read in between."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.executors import run
from runtime.executors.numpy.printed_function import printed_function
from runtime.graph import Graph
from tests.runtime.executors.graphs import outcome
from tests.runtime.executors.numpy.random_writer import RandomWriter
from tests.suite_length import IS_LONG

SEEDS = range(4000 if IS_LONG else 100)
DTYPES = ("int32", "int64", "uint8", "float32", "float64", "bool")
SIZE = 4


class _Writer(RandomWriter):
    """Writes statements on three vectors and a number, which are its state, and two variables."""

    def __init__(self, random: Random, state: list[Any], variables: list[Any]) -> None:
        super().__init__(random, state)
        self.variables = variables

    def condition(self) -> Any:
        return self.element() == self.element()

    def place(self) -> Any:
        if self.random.random() < 0.4:
            return self.random.randrange(-SIZE, SIZE)
        bound = SIZE + (self.random.random() < 0.03)
        return (self.state[3] + self.random.randrange(SIZE)) % bound

    def element(self) -> Any:
        return self.state[self.array()][self.place()]

    def put(self) -> None:
        at = self.array()
        self.state[at] = rt.set_item(self.state[at], self.place(), self.element())

    def exchanged(self) -> None:
        at, one, other = self.array(), self.place(), self.place()
        first, second = self.state[at][one], self.state[at][other]
        self.state[at] = rt.set_item(self.state[at], one, second)
        self.state[at] = rt.set_item(self.state[at], other, first)

    def assign_slice(self) -> None:
        at, start = self.array(), self.random.randrange(SIZE)
        part = slice(start, None)
        self.state[at] = rt.set_item(self.state[at], part, self.state[self.array()][part])

    def made(self) -> None:
        x, y = self.state[self.array()], self.state[self.array()]
        ways = (lambda: rt.reverse(x, [0]), lambda: rt.where(x == y, x, y), lambda: x[:])
        self.state[self.array()] = self.random.choice(ways)()

    def counted(self) -> None:
        self.state[3] = self.state[3] + rt.cast(self.element() == self.element(), rt.int32)

    def assigned(self) -> None:
        self.random.choice(self.variables).assign(self.state[self.array()])

    def read(self) -> None:
        self.state[self.array()] = self.random.choice(self.variables).read_value()

    def statement(self, is_inside: bool = False) -> None:
        ways = [self.put] * 4 + [self.exchanged] * 2
        ways += [self.assign_slice, self.handed_on, self.swapped, self.made, self.counted]
        ways += [self.assigned, self.read, self.branched] + [self.looped] * (
            2 if not is_inside else self.random.random() < 0.2
        )
        self.random.choice(ways)()


def _program(seed: int) -> tuple[Graph, list[Any], list[Any]]:
    random = Random(seed)
    dtype = random.choice(DTYPES)
    values = np.random.default_rng(seed).integers(0, 3, (5, SIZE)).astype(dtype)
    variables = [rt.Variable(values[3]), rt.Variable(values[4])]
    graph = Graph("program")
    spec = rt.TensorSpec((SIZE,), dtype)
    state = [graph.add_input(spec, name) for name in "xyz"]
    state.append(graph.add_input(rt.TensorSpec((), rt.int32), "n"))
    writer = _Writer(random, state, variables)
    with graph.recording():
        for _ in range(random.randrange(2, 7)):
            writer.statement()
        graph.set_outputs(writer.state)
    return graph, [*values[:3], np.array(seed % 3, np.int32)], variables


def _observed_runs(graph: Graph, given: list[Any], variables: list[Any], run_one: Any) -> Any:
    before = [each.numpy().copy() for each in variables]
    found = [outcome(run_one, given) for _ in range(2)]
    after = [each.numpy().tolist() for each in variables]
    for variable, value in zip(variables, before):
        variable.assign(value)
    return found, after


@pytest.mark.parametrize("block", range(0, len(SEEDS), 20))
def test_vectors_and_variables_agree_with_the_interpreter(block: int) -> None:
    for seed in SEEDS[block : block + 20]:
        graph, given, variables = _program(seed)
        wanted = _observed_runs(
            graph, given, variables, lambda arrays, graph=graph: run(graph, arrays)
        )
        assert wanted == _observed_runs(graph, given, variables, printed_function(graph).run), seed


def test_some_vectors_are_written_through_memoryviews() -> None:
    assert any("_memory[" in printed_function(_program(seed)[0]).source for seed in range(40))
