"""Values in bounds are not reported: counters of loops, and values that conditions bound."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.export.traces import Signature

ort = pytest.importorskip("onnxruntime")
pytest.importorskip("onnx")

from runtime.export.onnx.writing import write_onnx  # noqa: E402

ROWS, INT = rt.TensorSpec((None,), rt.float32), rt.TensorSpec((), rt.int32)


def over_rows(xs):
    total = 0.0
    for x in xs:
        total += x
    return total


def over_range(xs, n):
    total = 0.0
    for i in rt.range(n):
        total += rt.gather(xs, i)
    return total


def over_pairs(xs):
    total = 0.0
    for x, y in zip(xs, xs):
        total += x * y
    return total


def until_found(xs):
    total = 0.0
    for i, x in enumerate(xs):
        if x > 2.0:
            break
        total += x * i
    return total


def chosen_steps(xs, n):
    total, at = 0.0, 0
    for i in range(n):
        total += rt.gather(xs, at)
        if total > 2.0:
            at = i
    return total


def nested(xs, n):
    total = 0.0
    for i in range(n):
        for j in range(i, n):
            total += rt.gather(xs, j)
    return total


def from_the_end(xs, n):
    total, i = 0.0, n - 1
    while i >= 0:
        total += rt.gather(xs, i)
        i -= 1
    return total


def below_zero(xs, n):
    total, at = 0.0, 0
    for _ in range(n):
        total += rt.gather(xs, at)
        at = at - 1 if at > 0 else n - 1
    return total


def by_two(xs, n):
    total = 0.0
    for i in range(0, n, 2):
        total += rt.gather(xs, i)
    return total


def without_limit(xs, n):
    i = 0
    while i * i != n:
        i += 1
    return rt.gather(xs, i)


def added_up(n):
    total = 0
    for i in range(n):
        total += i
    return total


def never_empty(xs, n):
    rows = [xs[:1]]
    for i in range(n):
        if i > 1:
            rows.append(xs[:1] * i)
        rows[0] = rows[-1]
    return rt.reduce_sum(rt.stack(rows[::-1]))


def may_be_empty(xs, n):
    rows = []
    for i in range(n):
        rows.append(xs[:1] * i)
    return rt.reduce_sum(rt.stack(rows))


def emptied(xs, n):
    rows = [xs[:1], xs[:1]]
    for _ in range(n - 3):
        rows.pop()
    return rt.reduce_sum(rt.stack(rows))


def divided(xs, n):
    try:
        return 10 // n
    except ZeroDivisionError:
        return 0


def divided_in_a_loop(xs, n):
    total = 0
    for x in xs:
        try:
            total = n // rt.cast(x, rt.int32)
        except ZeroDivisionError:
            total = 1
    return total


def divided_where_it_can_be(xs, n):
    return 10 % n if n > 0 and xs[0] < 3.0 else 1


def divided_elsewhere(xs, n):
    return 10 // n if n != 0 or xs[0] < 3.0 else 1


def moved_where_it_can_be(xs, n):
    last = n - 1
    if -1 < last:
        return rt.gather(xs, last)
    return 0.0


OVERFLOW, BY_ZERO = "integer overflow", "integer division by zero"
CASES: list[tuple[Callable[..., Any], list[Any], set[str]]] = [
    (over_rows, [ROWS], set()),
    (over_range, [ROWS, INT], set()),
    (over_pairs, [ROWS], set()),
    (until_found, [ROWS], set()),
    (chosen_steps, [ROWS, INT], set()),
    (nested, [ROWS, INT], set()),
    (from_the_end, [ROWS, INT], set()),
    (below_zero, [ROWS, INT], {"gather"}),
    (by_two, [ROWS, INT], {OVERFLOW}),
    (without_limit, [ROWS, INT], {OVERFLOW}),
    (added_up, [INT], {OVERFLOW}),
    (never_empty, [ROWS, INT], set()),
    (may_be_empty, [ROWS, INT], {"an empty list"}),
    (emptied, [ROWS, INT], {"an empty list"}),
    (divided, [ROWS, INT], set()),
    (divided_in_a_loop, [ROWS, INT], set()),
    (divided_where_it_can_be, [ROWS, INT], set()),
    (divided_elsewhere, [ROWS, INT], {BY_ZERO}),
    (moved_where_it_can_be, [ROWS, INT], set()),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_what_is_listed_of_a_loop(case: Any, tmp_path: Path) -> None:
    function, specs, listed = case
    graph = ag.function(function).get_concrete_function(*specs).graph
    path = tmp_path / "f.onnx"
    report = write_onnx(Signature.of(graph), path, strict=not listed)
    assert listed == {each.subject for each in report.omissions}
    xs = np.array([1, 2, 3, 0.5], np.float32)
    arrays = [np.array(4, np.int32) if each is INT else xs for each in specs]
    session = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    names = [each.name for each in session.get_inputs()]
    (found,) = session.run(None, dict(zip(names, arrays)))
    np.testing.assert_array_equal(ag.function(function)(*map(rt.constant, arrays)), found)


def test_an_item_that_is_assigned_is_not_listed_as_read(tmp_path: Path) -> None:
    held = rt.Variable([1.0, 2.0, 3.0])

    @ag.function
    def put(n):
        held[n].assign(5.0)
        return held * 1.0

    signature = Signature.of(put.get_concrete_function(INT).graph)
    assert [] == write_onnx(signature, tmp_path / "f.onnx", strict=True).omissions
