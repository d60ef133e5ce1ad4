"""Random graphs: regions, captures, calls, effects, errors and numbers of many dtypes.

`random_graph(seed)` is the same each time. What passes look for is frequent in it: constants that
change nothing, nodes that are there before, loops that do not turn, results that nobody uses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

import runtime as rt
from autograph import do_not_convert
from runtime.core.context import Origin
from runtime.core.tensor import SymbolicTensor
from runtime.errors import OpError
from runtime.graph import Graph
from runtime.graph.function_calls import as_called_graph, record_function_call
from runtime.ops.containers import lists
from runtime.ops.convert import constant_tensor
from runtime.ops.op import REGISTRY, apply
from runtime.state.variable import Variable
from tests.runtime.passes import random_tries
from tests.runtime.passes.random_arrays import arranged, listed, scattered

SHAPES: tuple[tuple[int, ...], ...] = ((), (), (), (3,), (2, 3), (1,))
INTS, FLOATS = ("int32", "int64", "uint8"), ("float32", "float64")
DTYPES = (*INTS, *FLOATS, "bool", "int32", "float32")
SPECIAL: dict[str, tuple[Any, ...]] = {
    "int32": (0, 1, -1, 2, 7, -(2**31)),
    "int64": (0, 1, -1, 3, 2**40),
    "uint8": (0, 1, 2, 255),
    "float32": (0.0, -0.0, 1.0, -1.0, 0.5, np.nan, np.inf, 1e38),
    "float64": (0.0, -0.0, 1.0, -1.0, 2.5, np.nan, -np.inf),
    "bool": (True, False),
}
BOTH = ("add", "subtract", "multiply", "maximum", "minimum")
OF_INTS = ("floordiv", "floormod", "truncatediv", "bitwise_and", "bitwise_or", "bitwise_xor")
SHIFTS = ("left_shift", "right_shift")
COMPARED = ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal")
OF_BOOLS = ("logical_and", "logical_or", "logical_xor")
OF_FLOATS = ("tanh", "sqrt", "exp", "floor", "sign")


@dataclass
class RandomGraph:
    """A generated graph with arguments to run it on.

    Attributes:
        graph: the graph.
        cases: arrays for its parameters.
        variables: the variables that it reads and writes, each with its initial value.
    """

    graph: Graph
    cases: list[list[Any]]
    variables: list[tuple[Variable, Any]]

    def restore_variables(self) -> None:
        """Give the variables their initial values again."""
        for variable, array in self.variables:
            variable.store(array)


@dataclass
class _Maker:
    """Writes one graph.

    Attributes:
        pool: the values that can be used where the next node is, those of graphs around it first.
        left: how many more nodes it may have.
        records: the `try` statements around, and what their handlers are to find.
        recursions: how many functions that call themselves there are so far.
    """

    random: Random
    variables: list[Variable]
    called: list[Any]
    pool: list[Any] = field(default_factory=list)
    left: int = 30
    depth: int = 0
    records: list[Any] = field(default_factory=list)
    recursions: int = 0
    tries: bool = False

    # -- values ------------------------------------------------------------------------------------

    def one(self, dtype: str | None = None, shape: tuple[int, ...] | None = None) -> Any:
        """Return a value, one that is there or a constant."""
        if self.random.random() < 0.25 and dtype != "variant":
            return self.constant(dtype or self.random.choice(DTYPES), shape or ())
        fitting = [each for each in self.pool if _fits(each, dtype, shape)]
        if dtype == "variant" and not fitting:
            return lists.list_new()
        if not fitting:
            return self.constant(dtype or "int32", shape or ())
        return self.random.choice(fitting[-12:] if self.random.random() < 0.7 else fitting)

    def constant(self, dtype: str, shape: tuple[int, ...]) -> Any:
        values = self.random.choices(SPECIAL[dtype], k=1 if self.random.random() < 0.7 else 6)
        array = np.resize(np.array(values, dtype), shape)
        return constant_tensor(array, weak=shape == () and self.random.random() < 0.1)

    def keep(self, *values: Any) -> None:
        self.pool += [each for each in values if isinstance(each, SymbolicTensor)]

    # -- nodes -------------------------------------------------------------------------------------

    def nodes(self, count: int) -> None:
        """Write some nodes; a node that does not fit its operands is left out."""
        for _ in range(count):
            if self.left <= 0:
                return
            self.left -= 1
            kinds = STATEMENTS if self.depth < 3 else SIMPLE
            kinds = (*kinds, *TRYING[: 4 if self.depth < 3 else 0]) if self.tries else kinds
            try:
                self.random.choices(kinds, [_WEIGHTS.get(each, 3) for each in kinds])[0](self)
            except OpError:
                continue

    def binary(self) -> None:
        x = self.one()
        y = self.one(x.dtype.name, self.random.choice((tuple(x.shape.dims or ()), ())))
        kind = x.dtype.kind
        if kind == "b":
            names: Sequence[str] = OF_BOOLS
        else:
            of_kind = (*OF_INTS, *SHIFTS) if kind in "iu" else ("divide",)
            names = (*BOTH, *BOTH, *COMPARED, *of_kind)
        name = self.random.choice(names)
        pair = (x, y) if self.random.random() < 0.7 else (y, x)
        self.keep(_weakly(apply(REGISTRY[name], pair), pair, name))

    def neutral(self) -> None:
        """Write a node of little or no change: a sum with 0, a product with 1, a difference."""
        x = self.one()
        kind = x.dtype.kind
        values = {"b": (True, False), "f": (0.0, -0.0, 1.0)}.get(kind, (0, 1))
        y = constant_tensor(np.array(self.random.choice(values), x.dtype.np_dtype))
        if self.random.random() < 0.2:
            y = x
        names = {"b": OF_BOOLS, "f": (*BOTH, "divide")}.get(kind, (*BOTH, *OF_INTS))
        pair = (x, y) if self.random.random() < 0.7 else (y, x)
        self.keep(apply(REGISTRY[self.random.choice(names)], pair))

    def negated(self) -> None:
        """Write that two numbers do not compare in some way."""
        x = self.one(self.random.choice((*FLOATS, "int32")))
        y = self.one(x.dtype.name, ())
        compared = apply(REGISTRY[self.random.choice(COMPARED)], (x, y))
        self.keep(compared, rt.logical_not(compared))

    def unary(self) -> None:
        x = self.one()
        kind = x.dtype.kind
        names = ["identity", "stop_gradient", "shape", "size"]
        names += ["logical_not"] * 4 if kind == "b" else ["negative", "negative", "abs", "square"]
        names += ["invert", "invert"] if kind in "iu" else []
        names += OF_FLOATS if kind == "f" else []
        name = self.random.choice(names)
        attrs = {"out_type": rt.int32} if name in ("shape", "size") else {}
        self.keep(_weakly(apply(REGISTRY[name], (x,), **attrs), (x,), name))

    def again(self) -> None:
        """Write once more a node that is there, here or outside."""
        others = [each.node for each in self.pool if each.node.op.kernel is not None]
        if not others:
            return
        node = self.random.choice(others)
        if node.op.effects not in ("none", "read") or node.op.name == "placeholder":
            return
        found = apply(node.op, node.inputs, **node.attrs)
        found = found if isinstance(found, tuple) else (found,)
        for old, new in zip(node.outputs, found):
            new.weak = old.weak
        self.keep(*found)

    def cast(self) -> None:
        x = self.one()
        there = apply(REGISTRY["cast"], (x,), dtype=rt.as_dtype(self.random.choice(DTYPES)))
        self.keep(there)
        if self.random.random() < 0.6:
            self.keep(apply(REGISTRY["cast"], (there,), dtype=x.dtype))

    def selected(self) -> None:
        x = self.one()
        shape = tuple(x.shape.dims or ())
        y = x if self.random.random() < 0.3 else self.one(x.dtype.name, shape)
        self.keep(rt.where(self.one("bool", self.random.choice(((), shape))), x, y))

    def picked(self) -> None:
        self.keep(rt.gather(self.one(shape=(3,)), self.one("int32", ())))

    # -- effects -----------------------------------------------------------------------------------

    def printed(self) -> None:
        rt.print(f"line {self.random.randrange(100)}", self.one())

    def stored(self) -> None:
        variable = self.random.choice(self.variables)
        value = self.one(variable.dtype.name, tuple(variable.shape.dims or ()))
        if self.random.random() < 0.5:
            variable.assign(value)
        else:
            variable.assign_add(value)

    def read(self) -> None:
        variable = self.random.choice(self.variables)
        self.keep(variable.read_value())
        if self.random.random() < 0.4:
            self.keep(variable.read_value())

    def drawn(self) -> None:
        self.keep(rt.random.uniform([3]))

    def asserted(self) -> None:
        x = self.one("int32", ())
        rt.debugging.assert_less(x, rt.cast(6, "int32"), message=f"at {self.random.randrange(99)}")

    # -- regions -----------------------------------------------------------------------------------

    def _inside(self, results: Callable[[], Any], more: Sequence[Any] = ()) -> Any:
        """Write nodes in a region that is recording, and return results from there."""
        before = len(self.pool)
        self.keep(*more)
        self.depth += 1
        try:
            self.nodes(self.random.randrange(5))
            return results()
        finally:
            self.depth -= 1
            del self.pool[before:]

    def branched(self) -> None:
        specs = [(each.dtype.name, each.shape.dims or ()) for each in map(self._any, range(3))]
        specs = specs[: self.random.randrange(4)] + [("variant", ())] * self.random.randrange(2)

        @do_not_convert
        def branch() -> list[Any]:
            return self._inside(lambda: [rt.identity(self.one(*spec)) for spec in specs])

        @do_not_convert
        def plain() -> list[Any]:
            return self._inside(lambda: [self.one(*spec) for spec in specs])

        ways = [self.random.choice((branch, plain)) for _ in range(3)]
        if self.random.random() < 0.7:
            found = rt.cond(self.one("bool", ()), ways[0], ways[1])
        else:
            found = rt.switch_case(self.one("int32", ()), ways)
        self.keep(*found)

    def looped(self) -> None:
        limit = self.one("int32", ())
        state = [rt.constant(0, "int32"), *map(self._any, range(self.random.randrange(4)))]
        state += [self.one("variant", ())] * (self.random.random() < 0.4)
        kept = [self.random.random() < 0.3 for _ in state]
        odd = self.random.random() < 0.3

        @do_not_convert
        def test(i: Any, *others: Any) -> Any:
            def verdict() -> Any:
                less = rt.less(i, rt.minimum(limit, self.random.randrange(4)))
                return rt.logical_and(less, self.one("bool", ())) if odd else less

            return self._inside(verdict, [i, *others])

        @do_not_convert
        def loop_body(i: Any, *others: Any) -> list[Any]:
            def following() -> list[Any]:
                values = [
                    each if is_kept else self.one(each.dtype.name, tuple(each.shape.dims or ()))
                    for each, is_kept in zip(others, kept)
                ]
                return [i + 1, *values]

            return self._inside(following, [i, *others])

        self.keep(*rt.while_loop(test, loop_body, state))

    def calls(self) -> None:
        called = self.random.choice(self.called)
        given = [self.one(each.dtype.name, each.shape.dims) for each in called.graph.parameters]
        self.keep(*record_function_call(called, given))

    def _any(self, _: object = None) -> Any:
        return self.one()


SIMPLE: tuple[Callable[[_Maker], None], ...] = (
    _Maker.binary,
    _Maker.neutral,
    _Maker.negated,
    _Maker.unary,
    _Maker.again,
    _Maker.cast,
    arranged,
    _Maker.selected,
    _Maker.picked,
    scattered,
    listed,
    _Maker.printed,
    _Maker.stored,
    _Maker.read,
    _Maker.drawn,
    _Maker.asserted,
)
STATEMENTS = (*SIMPLE, _Maker.branched, _Maker.looped, _Maker.calls)
TRYING = (random_tries.tried, random_tries.raised, random_tries.note, random_tries.recursed)
_WEIGHTS = {
    _Maker.binary: 12,
    _Maker.neutral: 7,
    _Maker.unary: 8,
    _Maker.again: 6,
    _Maker.picked: 1,
    scattered: 2,
    listed: 2,
    _Maker.printed: 2,
    _Maker.drawn: 1,
    _Maker.asserted: 1,
    _Maker.branched: 4,
    _Maker.looped: 5,
    _Maker.calls: 2,
}


def random_graph(seed: int, cases: int = 4, tries: bool = False) -> RandomGraph:
    """Return a graph of up to a few dozen nodes, and arguments for it; maybe with `try`s in it."""
    random = Random(seed)
    variables = [Variable(np.float32(1.5), name="v"), Variable(np.array([1, 2, 3]), name="w")]
    called: list[Any] = []
    for number in range(2):
        inner = _graph(random, f"called_{number}", variables, called, nodes=6)
        called.append(as_called_graph(inner))
    graph = _graph(random, "random", variables, called, 24, tries)
    given = [[_argument(random, each) for each in graph.parameters] for _ in range(cases)]
    return RandomGraph(graph, given, [(each, each.numpy()) for each in variables])


def _graph(
    random: Random,
    name: str,
    variables: list[Variable],
    called: list[Any],
    nodes: int,
    tries: bool = False,
) -> Graph:
    graph = Graph(name)
    maker = _Maker(random, variables, list(called), left=2 * nodes, tries=tries)
    for number in range(random.randrange(2, 5)):
        dtype, shape = random.choice(DTYPES), random.choice(SHAPES)
        weak = shape == () and dtype in ("int32", "float32") and random.random() < 0.2
        maker.keep(graph.add_input(rt.TensorSpec(shape, dtype), f"x{number}", weak))
    with graph.recording():
        if not called:
            maker.called.append(_nothing())
        maker.nodes(nodes)
        results = random.choices(maker.pool, k=random.randrange(3, 11))
        graph.set_outputs(results)
    for number, node in enumerate(graph.walk()):
        if random.random() < 0.8:
            node.origin = Origin(f"{name}.py", number + 1, name)
        else:
            node.origin = None
    return graph


def _nothing() -> Any:
    graph = Graph("nothing")
    x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
    graph.outputs = [x]
    return as_called_graph(graph)


def _argument(random: Random, parameter: SymbolicTensor) -> Any:
    dtype, shape = parameter.dtype.name, tuple(parameter.shape.dims or ())
    if dtype == "int32" and random.random() < 0.6:
        return np.resize(np.array(random.choices(range(-1, 6), k=6), dtype), shape)
    return np.resize(np.array(random.choices(SPECIAL[dtype], k=6), dtype), shape)


def _fits(tensor: SymbolicTensor, dtype: str | None, shape: tuple[int, ...] | None) -> bool:
    is_fit = tensor.dtype.name == dtype or (dtype is None and not tensor.dtype.is_variant)
    return is_fit and (shape is None or tensor.shape.dims == tuple(shape))


def _weakly(result: Any, operands: Sequence[Any], name: str) -> Any:
    result.weak = name not in (*COMPARED, "shape", "size") and all(x.weak for x in operands)
    return result
