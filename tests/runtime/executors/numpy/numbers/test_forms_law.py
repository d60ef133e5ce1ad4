"""Every op that is computed on Python numbers is bit-identical to its kernel.

The ops are found in the registry: whichever has an expression is tried on all pairs of values that
are apt to go wrong, with operands that are unknown, and constant.
"""

from __future__ import annotations

import functools
import itertools
import math
import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from runtime.core.array_value import ArrayValue
from runtime.core.dtypes import BY_NAME, DType, bool_
from runtime.core.spec import TensorSpec
from runtime.executors.numpy.numbers import Expression, Numbers
from runtime.executors.numpy.numbers.expression import CHOICE
from runtime.executors.numpy.numbers.representation import INTEGERS, KEPT
from runtime.graph.graph import Graph
from runtime.ops.op import REGISTRY, Op, run_kernel
from runtime.ops.python.exact_integers import exact
from tests.each import for_each
from tests.laws.op_samples import SAMPLES
from tests.suite_length import IS_LONG, sample

_FLOATS = (
    (0.0, -0.0, 1.0, -1.0, 0.5, 1.5, -2.5, 2.0, 3.0, 7.3, -7.3, 1e-3, math.nan, math.inf, -math.inf)
    + (127.9, 255.5, -0.9, 65536.0, 2147483647.0, 2147483648.0, -2147483649.0, 4294967296.0)
    + (9.223372036854775807e18, -9.3e18, 1.8446744073709551e19, 1e30, -1e30)
)
_DTYPES = sorted(KEPT)


def values_of(dtype: DType) -> list[Any]:
    """Values at which arithmetic goes wrong, if it does."""
    if dtype is bool_:
        return [False, True]
    if dtype.is_integer:
        low, high, near = (
            dtype.min,
            dtype.max,
            (-31, -7, -2, -1, 0, 1, 2, 3, 8, 31, 46341, 3037000500),
        )
        found = {low, low + 1, high // 2, high - 1, high, *(v for v in near if low <= v <= high)}
        return sorted(found)
    limits = np.finfo(dtype.np_dtype)
    ends = [limits.max, limits.min, limits.tiny, limits.smallest_subnormal, limits.eps]
    return [*_FLOATS, *map(float, ends), float(np.nextafter(dtype.np_dtype.type(1), 2))]


def array(value: Any, dtype: DType) -> np.ndarray:
    with np.errstate(all="ignore"):
        return np.array(value, dtype.np_dtype)


def uses() -> Iterator[tuple[str, tuple[str, ...], tuple[tuple[str, Any], ...]]]:
    """Ops with dtypes of operands and attributes for which there is an expression."""
    attrs: dict[str, set[Any]] = {}
    counts: dict[str, set[int]] = {}
    for each in SAMPLES:
        attrs.setdefault(each.op, set()).add(tuple(sorted(each.attrs.items())))
        counts.setdefault(each.op, set()).add(len(each.inputs))
    for dtype in _DTYPES:
        attrs.setdefault("cast", set()).add((("dtype", BY_NAME[dtype]),))
        if dtype in INTEGERS:
            attrs["exact_cast"].add((("dtype", BY_NAME[dtype]),))
        attrs["python_int"] = {(("dtype", BY_NAME[name]),) for name in ("int32", "int64")}
    for name, op in sorted(REGISTRY.items()):
        for dtype, count in itertools.product(_DTYPES, sorted(counts.get(name, ()))):
            dtypes = ("bool", dtype, dtype) if name == "select" else (dtype,) * count
            for given in sorted(attrs[name], key=str) if count < 4 else ():
                if has_form(op, dtypes, dict(given)):
                    yield name, dtypes, given


def graph_of(
    op: Op,
    dtypes: Sequence[str],
    attrs: dict[str, Any],
    constants: Sequence[Any] = (),
    weak: bool = False,
) -> Graph:
    """A graph of one node; `constants` are values of operands that are known, None for others."""
    graph = Graph("one")
    inputs = []
    for position, (dtype, value) in enumerate(
        itertools.zip_longest(map(BY_NAME.__getitem__, dtypes), constants)
    ):
        if value is None:
            inputs.append(graph.add_input(TensorSpec((), dtype), f"x{position}"))
        else:
            held = {"value": ArrayValue(array(value, dtype))}
            inputs.append(graph.record(REGISTRY["constant"], (), held)[0])
    (result,) = graph.record(op, inputs, attrs)
    result.weak = weak
    graph.set_outputs([result])
    return graph


def has_form(op: Op, dtypes: Sequence[str], attrs: dict[str, Any]) -> bool:
    if op.kernel is None or op.effects != "none":
        return False
    try:
        graph = graph_of(op, dtypes, attrs)
    except Exception:  # whatever an op says against operands that it does not take
        return False
    return Numbers(graph).has_expression(graph.nodes[-1])


def compiled(graph: Graph, compound: bool = False) -> Any:
    """The last node of a graph as a function from arrays to an array.

    With `compound` the operands are no names, but texts that bind as loosely as any.
    """
    node, numbers = graph.nodes[-1], Numbers(graph)
    operands, lines = [], []
    for tensor in node.inputs:
        if tensor.node.op.name == "constant":
            operands.append(numbers.constant(tensor.node.attrs["value"]))
        else:
            lines.append(f"{tensor.node.name} = {numbers.from_array(tensor, tensor.node.name)}")
            name = tensor.node.name
            loosely = Expression(f"{name} if True else None", CHOICE)
            operands.append(loosely if compound else Expression.of_name(name))
    found = numbers.expression(node, operands)
    assert found is not None
    lines += found.assigned_to("result")
    lines.append(f"return {numbers.to_array(node.outputs[0], 'result')}")
    names = [tensor.node.name for tensor in graph.parameters]
    source = "\n    ".join([f"def computed({', '.join(names)}):", *lines])
    space = dict(numbers.names)
    exec(source, space)
    space["computed"].source, space["computed"].fails = source, found.fails
    return space["computed"]


def outcome(compute: Any, *arrays: np.ndarray) -> Any:
    try:
        with np.errstate(all="ignore"):
            result = compute(*arrays)
    except Exception as error:
        return type(error).__name__, str(error)
    assert type(result) is np.ndarray and result.shape == ()
    if result.dtype.kind == "f" and np.isnan(result):
        return result.dtype, "nan"
    return result.dtype, result.tobytes()


def check(
    graph: Graph,
    op: Op,
    attrs: dict[str, Any],
    rows: Sequence[Sequence[Any]],
    compound: bool = False,
) -> None:
    node, compute = graph.nodes[-1], compiled(graph, compound)
    for row in rows:
        arrays = [array(value, tensor.dtype) for value, tensor in zip(row, node.inputs)]
        free = [each for each, t in zip(arrays, node.inputs) if t.node.op.name != "constant"]
        expected = outcome(lambda *a: run_kernel(op, a, attrs)[0], *arrays)
        found = outcome(compute, *free)
        assert expected == found, (op, row, compute.source)
        assert compute.fails or not isinstance(found[0], str), compute.source


@functools.cache
def chosen() -> Sequence[Any]:
    return sample(list(uses()), 3)


def with_integers() -> list[Any]:
    return [use for use in chosen() if use[1][0] in INTEGERS]


def label(use: Any) -> str:
    name, dtypes, attrs = use
    return f"{name}({', '.join(dtypes)}){dict(attrs) or ''}"


def rows_of(dtypes: Sequence[str]) -> list[tuple[Any, ...]]:
    """All rows of values; by default some of them, which are the same in each run."""
    rows = list(itertools.product(*(values_of(BY_NAME[dtype]) for dtype in dtypes)))
    most = 5000 if IS_LONG else 150
    return rows if len(rows) <= most else random.Random(0).sample(rows, most)


@for_each("use", chosen, ids=label)
def test_an_expression_agrees_with_the_kernel(use: Any) -> None:
    name, dtypes, attrs = use
    graph = graph_of(REGISTRY[name], dtypes, dict(attrs))
    rows = rows_of(dtypes)
    check(graph, REGISTRY[name], dict(attrs), rows)
    check(graph, REGISTRY[name], dict(attrs), rows[::7], compound=True)


@for_each("use", with_integers, ids=label)
def test_compared_integers_are_wrapped_at_once(use: Any) -> None:
    name, dtypes, attrs = use
    graph = graph_of(REGISTRY[name], dtypes, dict(attrs))
    node = graph.nodes[-1]
    if not node.outputs[0].dtype.is_integer:
        return
    with graph.recording():
        result = node.outputs[0] < node.outputs[0]
    graph.set_outputs([*graph.outputs, result])
    numbers = Numbers(graph)
    found = numbers.expression(node, [Expression(f"x{at}") for at in range(len(dtypes))])
    assert found is not None
    space: dict[str, Any] = {}
    parameters = ", ".join(f"x{at}" for at in range(len(dtypes)))
    lines = [f"def f({parameters}):", *found.assigned_to("result"), "return result"]
    source = "\n    ".join(lines)
    exec(source, numbers.names, space)
    for row in rows_of(dtypes):
        arrays = [array(value, tensor.dtype) for value, tensor in zip(row, node.inputs)]
        expected = outcome(lambda *a: run_kernel(node.op, a, node.attrs)[0], *arrays)
        if isinstance(expected[0], str):
            continue
        given = [each[()] if each.dtype.name == "float32" else each.item() for each in arrays]
        with np.errstate(all="ignore"):
            number = space["f"](*given)
        assert type(number) is int
        assert expected == (expected[0], np.array(number, expected[0]).tobytes()), (row, source)


@for_each("use", lambda: [use for use in chosen() if len(use[1]) == 2], ids=label)
def test_constant_operands_agree_with_the_kernel(use: Any) -> None:
    name, dtypes, attrs = use
    values = values_of(BY_NAME[dtypes[0]])
    known = sorted({values[0], values[-1], *(v for v in (-3, -1, 0, 1, 2, 31) if v in values)})
    for position, value in itertools.product((0, 1), known):
        constants = [None, None]
        constants[position] = value
        graph = graph_of(REGISTRY[name], dtypes, dict(attrs), constants)
        rows = [(other, value) if position else (value, other) for other in values]
        check(graph, REGISTRY[name], dict(attrs), rows)


def with_an_exact_form() -> list[Any]:
    return [use for use in with_integers() if exact(REGISTRY[use[0]]) is not REGISTRY[use[0]]]


@for_each("use", with_an_exact_form, ids=label)
def test_a_weak_integer_that_does_not_fit_is_refused(use: Any) -> None:
    name, dtypes, attrs = use
    op, dtype = exact(REGISTRY[name]), BY_NAME[dtypes[0]]
    values = values_of(dtype)
    check(graph_of(REGISTRY[name], dtypes, {}, weak=True), op, {}, rows_of(dtypes))
    known = [value for value in values if value in (dtype.min, -1, 0, 1, 3)]
    for position, value in itertools.product(range(len(dtypes)), known if len(dtypes) > 1 else ()):
        constants = [None] * len(dtypes)
        constants[position] = value
        rows = [(other, value) if position else (value, other) for other in values]
        check(graph_of(REGISTRY[name], dtypes, {}, constants, weak=True), op, {}, rows)


def test_most_ops_on_scalars_have_an_expression() -> None:
    found = {name for name, dtypes, attrs in uses()}
    assert found >= {"add", "floordiv", "pow", "exp", "select", "cast", "logical_and", "sqrt"}
