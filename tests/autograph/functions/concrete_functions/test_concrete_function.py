"""Concrete functions: one graph, called with the arguments of its signature only."""

from __future__ import annotations

import pickle

import pytest

import runtime as rt
from autograph.errors import SignatureError
from autograph.functions.decorator import function
from runtime.core.spec import TensorSpec
from runtime.errors import GraphError, InvalidArgumentError


@function
def scaled(x, n, y):
    return x * n + y


def traced():
    specs = TensorSpec((2,), rt.int32), TensorSpec((), rt.int32, "off")
    return scaled.get_concrete_function(specs[0], 3, specs[1])


ONES, FIVE = rt.constant([1, 1]), rt.constant(5)


@pytest.mark.parametrize(
    "args, kwargs",
    [
        ((ONES, 3, FIVE), {}),
        ((ONES, FIVE), {}),
        ((ONES,), {"y": FIVE}),
        ((), {"x": ONES, "y": FIVE}),
        ((), {"x": ONES, "n": 3, "y": 5}),
        (([1, 1], 3, 5), {}),
    ],
)
def test_python_values_of_a_concrete_function_may_be_omitted(args, kwargs):
    assert traced()(*args, **kwargs).numpy().tolist() == [8, 8]


@pytest.mark.parametrize(
    "args, kwargs, error, words",
    [
        ((rt.constant([1.0, 1.0]), 3, FIVE), {}, InvalidArgumentError, "'x' .*int32.*float32"),
        ((rt.constant([1, 1, 1]), 3, FIVE), {}, InvalidArgumentError, r"'x' .*\(2,\).*\(3,\)"),
        ((ONES, 4, FIVE), {}, SignatureError, "another 'n' than 4"),
        ((ONES, 3.0, FIVE), {}, SignatureError, "another 'n' than 3.0"),
        ((ONES, 3), {"z": FIVE}, SignatureError, "no parameter 'z'"),
        ((ONES,), {}, SignatureError, "missing the tensor 'y'"),
        ((ONES, 3, FIVE, 1), {}, SignatureError, "takes 3"),
        ((ONES, 3, FIVE), {"x": ONES}, SignatureError, "'x' twice"),
    ],
)
def test_other_arguments_are_refused(args, kwargs, error, words):
    with pytest.raises(error, match=words):
        traced()(*args, **kwargs)


def test_attributes_of_a_concrete_function():
    concrete = traced()
    assert concrete.structured_input_signature == (
        (TensorSpec((2,), rt.int32, "x"), 3, TensorSpec((), rt.int32, "off")),
        {},
    )
    assert concrete.structured_outputs == TensorSpec((2,), rt.int32)
    assert [t.name for t in concrete.inputs] == ["x:0", "off:0"]
    assert [t.spec for t in concrete.outputs] == [TensorSpec((2,), rt.int32)]
    assert concrete.captured_inputs == []
    assert repr(concrete) == "<ConcreteFunction scaled(x, n=3, y)>"
    assert str(concrete) == (
        "ConcreteFunction scaled(x, n=3, y)\n"
        "  Args:\n"
        "    x: int32 Tensor, shape=(2,)\n"
        "    y: int32 Tensor, shape=()\n"
        "  Returns:\n"
        "    int32 Tensor, shape=(2,)"
    )


def test_equal_arguments_return_the_same_concrete_function():
    f = function(lambda x: x)
    one = f.get_concrete_function(rt.constant(1))
    assert f.get_concrete_function(rt.constant(2)) is one
    assert f.get_concrete_function(TensorSpec((), rt.int32)) is one
    assert f.get_concrete_function(1) is not f.get_concrete_function(2)


def test_structures_keep_their_places():
    @function
    def f(d, *rest):
        return [d["b"] - d["a"], {"r": rest[1]}, None]

    concrete = f.get_concrete_function(
        {"b": TensorSpec((), rt.int32), "a": TensorSpec((), rt.int32)}, 1, TensorSpec((), rt.bool)
    )
    assert [t.name for t in concrete.inputs] == ["d/a:0", "d/b:0", "rest/1:0"]
    given = {"a": rt.constant(1), "b": rt.constant(5)}
    first, second, third = concrete(given, 1, rt.constant(True))
    assert (int(first), bool(second["r"]), third) == (4, True, None)
    with pytest.raises(InvalidArgumentError, match="keys 'a', 'b'"):
        concrete({"a": rt.constant(1)}, 1, rt.constant(True))
    assert str(concrete).splitlines()[1:] == [
        "  Args:",
        "    d: {'a': <1>, 'b': <2>}",
        "      <1>: int32 Tensor, shape=()",
        "      <2>: int32 Tensor, shape=()",
        "    *rest: (1, <1>)",
        "      <1>: bool Tensor, shape=()",
        "  Returns:",
        "    [<1>, {'r': <2>}, None]",
        "      <1>: int32 Tensor, shape=()",
        "      <2>: bool Tensor, shape=()",
    ]


def test_captures_and_variables_are_listed():
    v, frozen, t = rt.Variable(2.0), rt.Variable(3.0, trainable=False), rt.constant(1.0)
    concrete = function(lambda x: x * v + frozen + t).get_concrete_function(rt.constant(1.0))
    assert concrete.variables == (v, frozen)
    assert concrete.trainable_variables == (v,)
    assert {id(thing) for thing in concrete.captured_inputs} == {id(v), id(frozen), id(t)}
    assert len(concrete.inputs) == 4


def test_unused_work_is_not_in_the_graph():
    @function
    def f(x):
        rt.gather(x, [1])
        return x

    assert len(f.get_concrete_function(rt.constant([0.0])).graph) == 0
    assert f(rt.constant([0.0])).numpy().tolist() == [0.0]


def test_shapes_and_dtypes_of_the_result_are_in_its_structure():
    @function
    def parts(x):
        return {"row": x[0], "all": [x, (x / 2, None)]}

    concrete = parts.get_concrete_function(rt.TensorSpec([None, 3], rt.int32))
    row, rows = rt.TensorShape([3]), rt.TensorShape([None, 3])
    assert {"row": row, "all": [rows, (rows, None)]} == concrete.output_shapes
    dtypes = {"row": rt.int32, "all": [rt.int32, (rt.float64, None)]}
    assert dtypes == concrete.output_dtypes


def test_pickling_a_concrete_function_names_a_remedy() -> None:
    concrete = function(lambda x: x + 1).get_concrete_function(rt.constant(1))
    with pytest.raises(GraphError, match="cannot be pickled: pickle the Function"):
        pickle.dumps(concrete)
