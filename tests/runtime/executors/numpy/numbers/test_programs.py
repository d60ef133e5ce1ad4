"""Random scalar programs agree with the interpreter, and values lie in their ranges."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor
from runtime.errors import OpError
from runtime.executors import run
from runtime.executors.numpy.numbers.range_analysis import Ranges
from runtime.executors.numpy.numbers.runtime_helpers import wrap_of
from runtime.graph import Graph, cond, while_loop
from tests.runtime.executors.numpy.numbers.small_printer import SmallPrinter
from tests.suite_length import sample

DTYPES = (rt.int32, rt.int8, rt.uint8, rt.int64, rt.int16)
TWO = (
    "add",
    "subtract",
    "multiply",
    "maximum",
    "minimum",
    "bitwise_and",
    "bitwise_xor",
    "bitwise_or",
)
ONE = ("negative", "abs", "square", "invert", "identity", "sign")
ORDERS = (rt.less, rt.less_equal, rt.greater, rt.greater_equal, rt.equal, rt.not_equal)


class Maker:
    """Records a random program of whole numbers on `values`, of one dtype."""

    def __init__(self, seed: int, dtype: Any) -> None:
        self.pick, self.dtype = random.Random(seed), dtype

    def number(self, near: tuple[int, ...] = (-3, -1, 0, 1, 2, 3, 5, 100)) -> Tensor:
        value = self.pick.choice(near)
        return rt.constant(max(value, 0) if self.dtype.is_unsigned else value, self.dtype)

    def operand(self, values: list[Tensor]) -> Tensor:
        return self.pick.choice(values) if self.pick.random() < 0.75 else self.number()

    def computed(self, values: list[Tensor]) -> Tensor:
        choice, x = self.pick.random(), self.operand(values)
        if choice < 0.2:
            return self.unary(x)
        if choice < 0.35:
            divisor = self.number((1, 2, 3, 7, -2, -1, 10))
            if self.dtype.is_unsigned:
                divisor = rt.maximum(divisor, rt.constant(1, self.dtype))
            return self.pick.choice((rt.floordiv, rt.floormod, rt.truncatediv, rt.truncatemod))(
                x, divisor
            )
        if choice < 0.42:
            count = rt.constant(self.pick.choice((0, 1, 3)), self.dtype)
            return self.pick.choice((rt.bitwise.left_shift, rt.bitwise.right_shift))(x, count)
        if choice < 0.47:
            other = self.pick.choice(DTYPES)
            return rt.cast(rt.add(rt.cast(x, other), rt.cast(x, other)), self.dtype)
        if choice < 0.55:
            return rt.where(self.test(values), x, self.operand(values))
        op = rt.ops.op.REGISTRY[self.pick.choice(TWO)]
        return rt.ops.op.apply(op, (x, self.operand(values)))

    def unary(self, x: Tensor) -> Tensor:
        return rt.ops.op.apply(rt.ops.op.REGISTRY[self.pick.choice(ONE)], (x,))

    def test(self, values: list[Tensor]) -> Tensor:
        result = self.pick.choice(ORDERS)(self.operand(values), self.operand(values))
        if self.pick.random() < 0.3:
            join = self.pick.choice((rt.logical_and, rt.logical_or))
            result = join(result, self.test(values))
        return rt.logical_not(result) if self.pick.random() < 0.15 else result

    def block(self, values: list[Tensor], depth: int) -> list[Tensor]:
        """Return the values after some statements."""
        values = list(values)
        for _ in range(self.pick.randint(1, 4)):
            at, choice = self.pick.randrange(len(values)), self.pick.random()
            if depth and choice < 0.3:
                values = self.branches(values, depth)
            elif depth and choice < 0.55:
                values = self.iterations(values, depth)
            else:
                values[at] = self.computed(values)
        return values

    def branches(self, values: list[Tensor], depth: int) -> list[Tensor]:
        found = cond(
            self.test(values),
            lambda: self.block(values, depth - 1),
            lambda: self.block(values, depth - 1),
        )
        return list(found)

    def iterations(self, values: list[Tensor], depth: int) -> list[Tensor]:
        step = self.pick.choice((1, 1, 2, 3))
        start, limit = (self.pick.choice((0, 1, 3, 20)) for _ in range(2))
        bounds = self.operand(values) if self.pick.random() < 0.4 else None
        down = self.pick.random() < 0.3 and not self.dtype.is_unsigned
        first = rt.constant(limit if down else start, self.dtype)
        fuel = rt.constant(0, rt.int64)

        def go_on(fuel: Tensor, i: Tensor, *values: Tensor) -> Tensor:
            bound = rt.constant(0 if down else limit, self.dtype) if bounds is None else bounds
            inside = rt.greater(i, bound) if down else rt.less(i, bound)
            if self.extra:
                inside = rt.logical_and(inside, self.test([*values, i]))
            return rt.logical_and(inside, rt.less(fuel, 30))

        def iteration(fuel: Tensor, i: Tensor, *values: Tensor) -> list[Tensor]:
            changed = self.block([*values, i], depth - 1)[: len(values)]
            moved = i - step if down else i + step
            return [fuel + 1, moved, *changed]

        self.extra = self.pick.random() < 0.4
        fuel, i, *values = while_loop(go_on, iteration, [fuel, first, *values])
        return [*values[:-1], values[-1] + i]


def graph_of(seed: int, dtype: Any, is_small: bool = False) -> Graph:
    """A program; of small ones each goes another way, and few values meet in one variable."""
    graph, maker = Graph("random"), Maker(seed, dtype)
    inputs = [graph.add_input(TensorSpec((), dtype), name) for name in "abc"]
    with graph.recording():
        known = [rt.constant(0, dtype), rt.constant(1, dtype)]
        if is_small:
            results = maker.iterations([inputs[0], *known], 1)
        else:
            results = maker.block(maker.block([*inputs, *known], 3), 2)
    graph.set_outputs(results)
    return graph


def outcome(compute: Callable[..., Any]) -> Any:
    try:
        return [(each.dtype, each.item()) for each in compute()]
    except OpError as error:
        return type(error).__name__, error.message


def arguments(seed: int, dtype: Any) -> Iterator[list[np.ndarray]]:
    ends = [dtype.min, dtype.max, 0, 1, 2, 7, dtype.max // 2, dtype.max - 20]
    pick = random.Random(seed)
    for _ in range(8):
        yield [np.array(pick.choice(ends), dtype.np_dtype) for _ in range(3)]


@pytest.mark.parametrize("seed", sample(range(40), 7))
def test_random_programs_agree_with_the_interpreter(seed: int) -> None:
    dtype = DTYPES[seed % len(DTYPES)]
    graph = graph_of(seed, dtype)
    printer = SmallPrinter(graph)
    compute = printer.function()
    for arrays in arguments(seed, dtype):
        expected = outcome(lambda arrays=arrays: run(graph, arrays))
        assert expected == outcome(lambda arrays=arrays: compute(*arrays)), printer.source


@pytest.mark.parametrize("first", sample(range(0, 400, 50), 4))
def test_small_random_programs_agree_with_the_interpreter(first: int) -> None:
    for seed in range(first, first + 50):
        dtype = (rt.int8, rt.uint8, rt.int32)[seed % 3]
        graph = graph_of(seed, dtype, is_small=True)
        printer = SmallPrinter(graph)
        compute = printer.function()
        for arrays in arguments(seed, dtype):
            expected = outcome(lambda arrays=arrays: run(graph, arrays))
            assert expected == outcome(lambda arrays=arrays: compute(*arrays)), printer.source


@pytest.mark.parametrize("seed", sample(range(40), 4))
def test_every_integer_is_in_its_range(seed: int) -> None:
    dtype = DTYPES[seed % len(DTYPES)]
    printer = SmallPrinter(graph_of(seed, dtype), watch=True)
    ranges = Ranges(printer.graph)
    said = [(ranges.of(each), ranges.is_loose(each), each.dtype.name) for each in printer.watched]

    def seen(position: int, number: int) -> None:
        where, is_loose, name = said[position]
        number = wrap_of(name)(number) if is_loose else number
        assert number in where, (printer.watched[position], number, where)

    compute = printer.function(seen)
    for arrays in arguments(seed, dtype):
        compute(*arrays)
