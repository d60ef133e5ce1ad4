"""Results of exported functions: lists are tensors with rows, and nothing else changes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.errors import SignatureError
from autograph.functions.concrete_functions.result_tensors import result_tensors
from runtime.executors.interpreter import run

N = rt.TensorSpec((), rt.int32)


def exported(function: Any, *values: Any) -> tuple[Any, tuple[str, ...]]:
    """Return the result of an exported function, and its notes."""
    tensors = [rt.constant(value) for value in values]
    specs = [rt.TensorSpec(each.shape, each.dtype) for each in tensors]
    made = result_tensors(ag.function(function).get_concrete_function(*specs))
    outputs = run(made.graph, [each.numpy() for each in tensors])
    return _filled(made.result, [np.asarray(each).tolist() for each in outputs]), made.notes


def _filled(like: Any, outputs: list[Any]) -> Any:
    if isinstance(like, dict):
        return {key: _filled(each, outputs) for key, each in like.items()}
    if isinstance(like, (list, tuple)):
        return type(like)([_filled(each, outputs) for each in like])
    return None if like is None else outputs[like]


def evens(n: Any) -> Any:
    found = []
    for i in rt.range(n):
        if i % 2 == 0:
            found.append(i)
    return found


def pairs(n: Any) -> Any:
    found = []
    for i in rt.range(n):
        found.append({"number": i, "row": rt.stack([i, i * i])})
    return found, n


def triangle(n: Any) -> Any:
    rows = []
    for i in rt.range(n):
        row = []
        for j in rt.range(i):
            row.append((j, rt.cast(i, rt.float32)))
        rows.append(row)
    return rows


def cube(n: Any) -> Any:
    outer = []
    for i in rt.range(n):
        middle = []
        for _ in rt.range(i):
            inner = []
            for k in rt.range(i):
                inner.append(k)
            middle.append(inner)
        outer.append(middle)
    return outer


def first_over(n: Any) -> Any:
    found = None
    for i in rt.range(n):
        if i * i > 10 and found is None:
            found = i
    return {"found": found, "n": n}


def known_and_grown(n: Any) -> Any:
    found = [7, 8]
    for i in rt.range(n):
        found.append(i)
    return [found, None, "text"]


def test_a_list_is_a_tensor_with_rows() -> None:
    rows = ("a list is a tensor with an item in each row",)
    assert exported(evens, 5) == ([0, 2, 4], rows)
    assert exported(evens, 0) == ([], rows)


def test_items_with_parts_are_a_tensor_for_each_part() -> None:
    found, _ = exported(pairs, 3)
    assert found == ({"number": [0, 1, 2], "row": [[0, 0], [1, 1], [2, 4]]}, 3)
    found, _ = exported(pairs, 0)
    assert found == ({"number": [], "row": []}, 0)


def test_python_floats_are_tensors_of_32_bits() -> None:
    def means(n: Any) -> Any:
        found, total = [], 0.0
        for i in range(3):
            if i < n:
                total = total + 0.5
                found.append(total / (i + 1))
        return found

    concrete = ag.function(means).get_concrete_function(N)
    (spec,) = [each.spec for each in result_tensors(concrete).graph.outputs]
    assert {each.dtype for each in ag.function(means)(rt.constant(2))} == {spec.dtype}


def test_a_text_in_each_item_is_repeated() -> None:
    def labelled(n: Any) -> Any:
        found = []
        for i in rt.range(n):
            found.append(("k", i))
        return found

    assert exported(labelled, 2)[0] == ([b"k", b"k"], [0, 1])
    assert exported(labelled, 0)[0] == ([], [])


def test_a_list_of_lists_is_values_and_row_lengths() -> None:
    found, notes = exported(triangle, 4)
    values = ([0, 0, 1, 0, 1, 2], [1.0, 2.0, 2.0, 3.0, 3.0, 3.0])
    assert found == {"values": values, "row_lengths": [0, 1, 2, 3]}
    assert "a list of lists is a dict of its values and row_lengths" in notes
    assert exported(triangle, 0)[0] == {"values": ([], []), "row_lengths": []}


def test_lists_nest() -> None:
    found, _ = exported(cube, 3)
    inner = {"values": [0, 0, 1, 0, 1], "row_lengths": [1, 2, 2]}
    assert found == {"values": inner, "row_lengths": [0, 1, 2]}


def test_a_value_that_may_be_none_is_has_value_and_value() -> None:
    found, notes = exported(first_over, 6)
    assert found == {"found": {"has_value": True, "value": 4}, "n": 6}
    assert notes == ("a value that may be None is a dict of has_value and value",)
    found, _ = exported(first_over, 2)
    assert found["found"]["has_value"] is False


def test_known_items_come_first_and_other_parts_stay() -> None:
    found, _ = exported(known_and_grown, 2)
    assert found == [[7, 8, 0, 1], None, b"text"]


def test_a_result_of_tensors_keeps_its_graph() -> None:
    concrete = ag.function(lambda n: (n, [n + 1])).get_concrete_function(N)
    made = result_tensors(concrete)
    assert made.graph is concrete.graph
    assert (made.result, made.notes) == ((0, [1]), ())


def test_variables_are_captured_again() -> None:
    total = rt.Variable(3)

    def counted(n: Any) -> Any:
        found = []
        for i in rt.range(n):
            total.assign_add(i)
            found.append(total.read_value())
        return found

    assert exported(counted, 3)[0] == [3, 4, 6]
    assert int(total) == 6


class Point:
    def __init__(self, x: Any) -> None:
        self.x = x


def test_objects_are_refused() -> None:
    def points(n: Any) -> Any:
        found = []
        for i in rt.range(n):
            found.append(Point(i))
        return found

    for function in (points, lambda n: Point(n)):
        concrete = ag.function(function).get_concrete_function(N)
        with pytest.raises(SignatureError, match="return what it holds, such as its attributes"):
            result_tensors(concrete)


def test_items_of_unknown_rank_are_refused() -> None:
    def rows(x: Any, n: Any) -> Any:
        found = []
        for _ in rt.range(n):
            found.append(x)
        return found

    concrete = ag.function(rows).get_concrete_function(rt.TensorSpec(None, rt.float32), N)
    with pytest.raises(SignatureError, match=r"give them a shape, as in rt.ensure_shape"):
        result_tensors(concrete)
