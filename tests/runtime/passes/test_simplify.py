"""Rewrite rules are bit-identical, and inexact ones do not exist."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.ops.gradient_rules import BROADCAST_LIKE
from runtime.ops.op import apply
from runtime.passes.dce import dce
from runtime.passes.pattern import parse_pattern
from runtime.passes.simplify import RULES, simplify
from tests.runtime.passes.graphs import BOOL, FLOAT, INT, changed, graph_of, ops

INTS = [[0], [1], [-1], [7], [-(2**31)], [2**31 - 1]]
FLOATS = [[0.0], [-0.0], [1.5], [np.nan], [np.inf], [-np.inf]]


def cases_of(spec: rt.TensorSpec) -> list[list[Any]]:
    return {"i": INTS, "f": FLOATS, "b": [[True], [False]]}[spec.dtype.kind]


@pytest.mark.parametrize(
    ("function", "spec"),
    [
        (lambda x: x + 0, INT),
        (lambda x: 0 + x, INT),
        (lambda x: x + -0.0, FLOAT),
        (lambda x: x - 0.0, FLOAT),
        (lambda x: x * 1, INT),
        (lambda x: 1.0 * x, FLOAT),
        (lambda x: x / 1.0, FLOAT),
        (lambda x: x // 1, INT),
        (lambda x: (x | 0) ^ 0, INT),
        (lambda x: x & -1, INT),
        (lambda x: x << 0 >> 0, INT),
        (lambda x: rt.negative(-x), INT),
        (lambda x: rt.negative(-x), FLOAT),
        (lambda x: ~~x, INT),
        (lambda x: rt.logical_and(x, True), BOOL),
        (lambda x: rt.logical_or(x, x), BOOL),
        (lambda x: rt.logical_not(rt.logical_not(x)), BOOL),
        (lambda x: rt.maximum(x, x), FLOAT),
        (lambda x: rt.cast(rt.cast(x, "int64"), "int32"), INT),
        (lambda x: rt.cast(rt.cast(x, "float64"), "int32"), INT),
        (lambda x: rt.cast(rt.cast(x, "float64"), "float32"), FLOAT),
        (lambda x: rt.identity(rt.stop_gradient(x)), FLOAT),
        (lambda x: rt.where(True, x, x * 2), INT),
        (lambda x: rt.reshape(x, []), INT),
    ],
)
def test_identities_are_removed(function: Callable[..., Any], spec: rt.TensorSpec) -> None:
    graph = graph_of(function, spec)
    assert changed(simplify, graph, *cases_of(spec))
    dce(graph)
    assert [] == ops(graph)
    assert graph.outputs[0] is graph.parameters[0]


@pytest.mark.parametrize(
    ("function", "spec"),
    [
        (lambda x: x + 0.0, FLOAT),
        (lambda x: 0.0 - x, FLOAT),
        (lambda x: x - -0.0, FLOAT),
        (lambda x: x * 0.0, FLOAT),
        (lambda x: 0 - x, INT),
        (lambda x: rt.cast(rt.cast(x, "float32"), "int32"), INT),
        (lambda x: rt.cast(rt.cast(x, "int32"), "float32"), FLOAT),
        (lambda x: rt.logical_not(x < 1.0), FLOAT),
        (lambda x: rt.logical_and(x, False), BOOL),
        # A copy lies in memory without gaps, and what is added up there may round otherwise.
        (lambda x: x * 1.0, rt.TensorSpec((2, 3), "float32")),
        (lambda x: x * rt.ones([1]), rt.TensorSpec(None, "float32")),
    ],
)
def test_inexact_identities_stay(function: Callable[..., Any], spec: rt.TensorSpec) -> None:
    assert not simplify(graph_of(function, spec))


def test_negated_comparisons_are_inverted() -> None:
    graph = graph_of(lambda x: rt.logical_not(x < 3), INT)
    assert changed(simplify, graph, [2], [3], [4])
    dce(graph)
    assert ["greater_equal"] == ops(graph)
    graph = graph_of(lambda x: rt.logical_not(x == 3.0), FLOAT)
    assert changed(simplify, graph, [3.0], [np.nan])
    dce(graph)
    assert ["not_equal"] == ops(graph)


def test_only_cancelling_transposes_are_removed() -> None:
    spec = rt.TensorSpec((2, 3, 4), "float32")
    there_and_back = graph_of(lambda x: rt.transpose(rt.transpose(x, [1, 2, 0]), [2, 0, 1]), spec)
    assert changed(simplify, there_and_back, [np.arange(24).reshape(2, 3, 4)])
    assert not simplify(graph_of(lambda x: rt.transpose(rt.transpose(x, [1, 2, 0])), spec))


def test_a_product_with_one_of_a_fresh_array_is_removed() -> None:
    graph = graph_of(lambda x: rt.tanh(x) * 1.0, rt.TensorSpec((2, 3), "float32"))
    assert changed(simplify, graph, [np.ones((2, 3))])


def test_a_cast_of_a_weak_result_stays() -> None:
    assert not simplify(graph_of(lambda x: rt.cast(x, "int32"), INT, weak=True))
    graph = graph_of(lambda x: rt.cast(x, "int32") * 2, INT, weak=True)
    assert changed(simplify, graph, [4]) and not graph.outputs[0].weak


def words_of(form: Any) -> set[str]:
    if isinstance(form, tuple):
        return {word for each in form[1] for word in words_of(each)}
    return {form} if isinstance(form, str) else set()


def test_every_rule_is_well_formed() -> None:
    for rule in RULES:
        assert isinstance(parse_pattern(rule.pattern), tuple)
        assert words_of(rule.result_form) <= words_of(parse_pattern(rule.pattern))


ROWS, ROW = rt.TensorSpec((3, 4), rt.float32), rt.TensorSpec((4,), rt.float32)
ONE, SOME = rt.TensorSpec((), rt.float32), rt.TensorSpec((None, 4), rt.float32)


def spread(x: Any, like: Any) -> Any:
    return apply(BROADCAST_LIKE, (x, like))


@pytest.mark.parametrize(
    ("function", "specs", "expected"),
    [
        (lambda x, y: spread(x, y) * y, (ONE, ROWS), ["multiply"]),
        (lambda x, y: y - spread(x, y), (ROW, ROWS), ["subtract"]),
        (lambda x, y: spread(x, y) / y, (ROW, ROWS), ["divide"]),
        (lambda x, y: y + spread(x, y), (ONE, ROWS), ["add"]),
        (lambda x, y: spread(x, y) * 2.0 * y, (ONE, ROWS), ["multiply", "multiply"]),
        (lambda x, y: -spread(x, y) * y, (ROW, ROWS), ["negative", "multiply"]),
        (lambda x, y: y * rt.expand_dims(spread(x, y[:, 0]), 1), (ONE, ROWS), ["multiply"]),
        (lambda x, y: rt.where(y > 0.0, spread(x, y), y), (ONE, ROWS), ["greater", "select"]),
        (lambda x, y: rt.where(y > 0.0, y, spread(x, y)), (ROW, ROWS), ["greater", "select"]),
        # What two constants give is known.
        (lambda x, y: spread(rt.constant(0.5), y) * 2.0 * y, (ONE, ROWS), ["multiply"]),
        (lambda x, y: -spread(rt.constant(0.5), y) * y, (ONE, ROWS), ["multiply"]),
        # Here the result has its shape of what is spread, or of a run.
        (lambda x, y: spread(x, y) * y[0], (ONE, ROWS), None),
        (lambda x, y: spread(x, y) * y, (ROW, SOME), None),
        (lambda x, y: spread(x, y) * y[0] * y, (ROW, ROWS), None),
    ],
)
def test_explicit_broadcasts_before_broadcasting_ops_are_removed(
    function: Callable[..., Any], specs: tuple[Any, ...], expected: list[str] | None
) -> None:
    graph = graph_of(function, *specs)
    x = np.array([1.5, -0.0, np.nan, -3.0], np.float32)[: 4 if specs[0].shape.rank else None]
    case = [x if specs[0].shape.rank else x[0], np.arange(-6, 6, dtype="f").reshape(3, 4)]
    assert changed(simplify, graph, case) == (expected is not None)
    if expected is not None:
        dce(graph)
        assert expected == [each for each in ops(graph) if each != "constant"]
