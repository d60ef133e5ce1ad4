"""Graphs as modules of TensorFlow's dialect: the input of litert-converter, without it."""

from __future__ import annotations

import re
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from runtime.errors import GraphError, UnimplementedError
from runtime.export.tflite.writing import LoweredModule, prepared
from runtime.export.traces import Signature

INT = rt.TensorSpec((), rt.int32)
FLOATS = rt.TensorSpec((None,), rt.float32)


def lowered(function: Any, *specs: Any) -> LoweredModule:
    graph = ag.function(function).get_concrete_function(*specs).graph
    return LoweredModule([prepared(Signature.of(graph))])


def module(function: Any, *specs: Any) -> str:
    return lowered(function, *specs).request["module"]


def ops(text: str) -> list[str]:
    return re.findall(r'"tf\.(\w+)"', text)


def scaled(x):
    return x * 2.0


def test_a_module_has_types_and_locations() -> None:
    expected = """\
module {
  func.func @signature_0(%v1: tensor<?xf32>) -> (tensor<?xf32>) {
    %v2 = "tf.Const"() {value = dense<"0x00000040"> : tensor<f32>} : () -> (tensor<f32>) loc("0")
    %v3 = "tf.Mul"(%v1, %v2) {} : (tensor<?xf32>, tensor<f32>) -> (tensor<?xf32>) loc("1")
    func.return %v3 : tensor<?xf32>
  }
}
"""
    assert expected == module(scaled, FLOATS)


def settled(x, limit):
    steps = 0
    while rt.reduce_max(x) > limit:
        x = x / 2.0
        steps += 1
    return x, steps


def test_a_loop_names_its_functions() -> None:
    text = module(settled, FLOATS, rt.TensorSpec((), rt.float32))
    assert 1 == text.count('"tf.While"') and "is_stateless = true" in text
    assert {"while_cond", "while_body"} <= {
        name.rpartition("_")[0].rpartition("_")[0]
        for name in re.findall(r"func private @(\w+)", text)
    }


def checked(n):
    if n < 0:
        raise ValueError("negative")
    assert n < 9
    rt.print(n)
    return n + 1


def test_checks_and_prints_are_left_out() -> None:
    found = lowered(checked, INT)
    named = [each.subject for each in found.omissions()]
    assert ["assert", "print", "raise ValueError"] == sorted(named)
    assert all(each.origin is not None for each in found.omissions())
    assert set() == {"Assert", "PrintV2"} & set(ops(found.request["module"]))


def first_and(x, i):
    return x[0] + x[i]


def counted(x):
    total = 0.0
    for i in range(len(x)):
        x[i] = x[i] * 2.0
        total += x[i]
    return total, x


def counted_while(x):
    i = 0
    while i < rt.size(x) and x[i] < 9.0:
        i += 1
    return i


def counted_on(x):
    total = 0.0
    for i in range(len(x)):
        total += x[i + 1]
    return total


def counted_of_another(x, y):
    total = 0.0
    for i in range(len(x)):
        total += y[i]
    return total


def counted_from(x, start):
    total = 0.0
    for i in range(start, len(x)):
        total += x[i]
    return total


def counted_to_three(x):
    total = 0.0
    for i in rt.range(3):
        total += x[i]
    return total


def shrinking(x):
    total = 0.0
    for i in range(len(x)):
        total += x[i]
        x = x[:-1]
    return total


def caught(x, i):
    try:
        return x[i]
    except IndexError:
        return 0.0


def caught_in_a_loop(x, places):
    total = 0.0
    for i in places:
        try:
            total += x[i]
        except IndexError:
            break
    return total


def guarded(x, i):
    if 0 <= i < len(x):
        return x[i]
    return 0.0


def guarded_before(x, i):
    if i < -len(x) or i >= len(x):
        return -1.0
    return x[i]


def guarded_by_a_loop(x, i):
    total = 0.0
    while i >= 0 and i < len(x):
        total += x[i]
        i += 2
    return total


def counted_of_a_copy(x):
    found = rt.zeros_like(x)
    for i in range(len(x)):
        found[i] = x[i] * 2.0
    return found


def guarded_too_late(x, i):
    if 0 <= i and i <= len(x):
        return x[i]
    return 0.0


def guarded_elsewhere(x, i):
    if 0 <= i < len(x):
        return 0.0
    return x[i]


THREE = rt.TensorSpec((3,), rt.float32)


@pytest.mark.parametrize(
    ("function", "specs", "count"),
    [
        (first_and, (FLOATS, INT), 1),
        (first_and, (THREE, INT), 1),
        (lambda x: x[0] + x[-3], (THREE,), 0),
        (lambda x: x[-1], (FLOATS,), 1),
        (lambda x: x[:, -1], (rt.TensorSpec((None, 2), rt.float32),), 0),
        (lambda x, i: x[..., i], (rt.TensorSpec((None, 2), rt.float32), INT), 1),
        (lambda x, i: x[i : i + 2], (FLOATS, INT), 0),
        (lambda x, i: x[i], (FLOATS, rt.TensorSpec((None,), rt.int32)), 0),
        (counted, (FLOATS,), 0),
        (counted, (THREE,), 0),
        (counted_while, (THREE,), 1),
        (counted_on, (FLOATS,), 1),
        (counted_of_another, (FLOATS, FLOATS), 1),
        (counted_of_another, (THREE, THREE), 0),
        (counted_from, (FLOATS, INT), 1),
        (counted_to_three, (THREE,), 0),
        (counted_to_three, (FLOATS,), 1),
        (shrinking, (FLOATS,), 1),
        (caught, (FLOATS, INT), 0),
        (caught_in_a_loop, (FLOATS, rt.TensorSpec((None,), rt.int32)), 0),
        (guarded, (FLOATS, INT), 0),
        (guarded, (THREE, INT), 0),
        (guarded_before, (FLOATS, INT), 0),
        (guarded_by_a_loop, (FLOATS, INT), 0),
        (counted_of_a_copy, (FLOATS,), 0),
        (guarded_too_late, (FLOATS, INT), 1),
        (guarded_elsewhere, (FLOATS, INT), 1),
    ],
)
def test_an_index_that_may_be_out_of_bounds_is_left_out(
    function: Any, specs: Any, count: int
) -> None:
    named = [each.subject for each in lowered(function, *specs).omissions()]
    assert count == named.count("index out of bounds")


def test_an_item_that_is_written_may_be_out_of_bounds() -> None:
    held = rt.Variable([1.0, 2.0], name="held")

    def put(x: Any, i: Any) -> Any:
        x[i] = 1.0
        held[i].assign(2.0)
        return x

    found = {(x.subject, x.origin.line_text()) for x in lowered(put, FLOATS, INT).omissions()}
    lines = ["x[i] = 1.0", "held[i].assign(2.0)"]
    assert {("index out of bounds", line) for line in lines} == found


def test_an_unused_op_that_may_fail_has_its_own_line() -> None:
    def settle(n: Any, x: Any) -> Any:
        _ = 10 // n
        return x * 2.0

    found = [(x.subject, x.origin.line_text()) for x in lowered(settle, INT, FLOATS).omissions()]
    assert [("floordiv", "_ = 10 // n")] == found


def test_a_size_that_is_not_negative_has_no_line() -> None:
    assert [] == lowered(lambda x: rt.one_hot([0, 1], rt.size(x)), FLOATS).omissions()
    (left,) = lowered(lambda n: rt.one_hot([0, 1], n), INT).omissions()
    assert "assert" == left.subject


def test_a_check_of_a_result_is_left_out() -> None:
    (left,) = lowered(lambda x: int(x), rt.TensorSpec((), rt.float32)).omissions()
    assert "python_int" == left.subject and "LiteRT has no exceptions" in left.reason


def collected(n):
    found = [0]
    for i in range(n):
        found.append(i * i)
    return found


def test_a_list_is_a_tensor_of_its_items() -> None:
    found = lowered(collected, INT)
    used = set(ops(found.request["module"]))
    assert "ConcatV2" in used and not [op for op in used if op.startswith("TensorList")]
    assert ["output_0"] == found.functions[0]["outputs"]
    assert "the list 'output_0' is returned as tensors: output_0" in found.notes


def test_a_list_in_reverse_order_has_a_known_rank() -> None:
    # LiteRT takes places of an unknown rank for one number, if the list has one item.
    def descending(n):
        return sorted(rt.range(n), reverse=True)

    text = module(descending, rt.TensorSpec((), rt.int32))
    assert "tf.TopKV2" in text
    assert "tensor<*x" not in text


def chosen(n, x):
    match n:
        case 0:
            return x
        case 1:
            return x + 1
        case _:
            return x * 2


def test_several_branches_are_nested_choices() -> None:
    def by_index(index: Any, x: Any) -> Any:
        return rt.switch_case(index, [lambda: x, lambda: x + 1, lambda: x * 2])

    used = ops(module(by_index, INT, INT))
    assert 2 == used.count("If") and "Case" not in used


def test_a_variable_that_is_read_is_a_constant() -> None:
    held = rt.Variable([1.0, 2.0], name="held")
    found = lowered(lambda x: x + held, rt.TensorSpec((2,), rt.float32))
    assert "VarHandleOp" not in ops(found.request["module"])
    assert "" == found.request["initializer"] and [] == found.notes


def test_a_variable_that_is_written_has_an_initializer() -> None:
    total = rt.Variable(3, name="total")

    def add(n: Any) -> Any:
        total.assign_add(n)
        return total + 0

    found = lowered(add, INT)
    text = found.request["module"]
    assert "initializer" == found.request["initializer"]
    assert ["AssignVariableOp"] * 2 == [op for op in ops(text) if op.startswith("Assign")]
    assert "'total' begins with its present value" in found.notes[0]


def texts(x):
    return rt.strings.as_string(x)


def random(x):
    return x + rt.random.uniform([])


def groups_of_channels(x):
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = rt.nn.conv2d(x, rt.ones([2, 2, 1, 2]), 1, "VALID") ** 2.0
    return tape.gradient(y, x)


def rows_of_lists(n):
    found = []
    for i in range(n):
        found.append([0] * i)
    return len(found[0])


@pytest.mark.parametrize(
    ("function", "spec", "words"),
    [
        (texts, INT, "text"),
        (random, rt.TensorSpec((), rt.float32), "'random_uniform'.*other random numbers"),
        (groups_of_channels, rt.TensorSpec((None, 4, 4, 2), rt.float32), "no groups of channels"),
        (rows_of_lists, INT, "'list_.*list of lists"),
    ],
)
def test_an_op_without_a_form_is_refused_at_its_line(function: Any, spec: Any, words: str) -> None:
    with pytest.raises(UnimplementedError, match=words) as caught:
        module(function, spec)
    assert "a TensorFlow Lite model" in str(caught.value) and __file__ in str(caught.value)


def test_inputs_that_litert_cannot_have_are_refused() -> None:
    with pytest.raises(UnimplementedError, match=r"'x': LiteRT does not compute with texts"):
        lowered(lambda x: x, rt.TensorSpec((), rt.string))


def test_a_branch_is_no_model() -> None:
    region = rt.Graph("then", rt.Graph("f"))
    with pytest.raises(GraphError, match="'then'"):
        prepared(Signature.of(region))


def test_a_refusal_of_the_converter_names_the_line() -> None:
    found = lowered(scaled, FLOATS)
    error = found.refused({"refused": [(1, "tf.Mul")]})
    assert "'multiply' (`return x * 2.0`)" in str(error) and "TensorFlow's Mul" in str(error)
    error = found.refused({"error": "it is broken"})
    assert "makes no model: it is broken" in str(error)
