"""Tracing: placeholders, user errors, unchanged arguments."""

from __future__ import annotations

import sys
import traceback
from collections import namedtuple

import pytest

import runtime as rt
from autograph.errors import ArgumentMutationError, AutographError
from autograph.functions.decorator import function

Point = namedtuple("Point", "x y")


class Trouble(Exception):
    def __init__(self, code, why):
        super().__init__(why)
        self.code = code


def test_placeholders_are_named_after_parameters():
    seen = []
    names = lambda d, p, *rest: (d["a"].name, p.y.name, rest[0].name)
    f = function(lambda d, p, *rest: seen.extend(names(d, p, *rest)) or p.x)
    f({"a": rt.constant(1)}, Point(rt.constant(1.5), rt.constant("s")), rt.constant(True))
    assert seen == ["d/a:0", "p/y:0", "rest/0:0"]


def test_python_arguments_are_passed_unchanged():
    thing, seen = object(), []

    class Box:
        pass

    box = Box()
    function(lambda *args: seen.extend(args))(1, "a", None, box, len, int)
    assert seen[:3] == [1, "a", None] and seen[3] is box and seen[4:] == [len, int]
    assert thing is not None


def test_an_error_of_the_user_stays_the_same_object():
    error = Trouble(7, "no luck")

    @function
    def f(x, n=3):
        raise error

    with pytest.raises(Trouble) as caught:
        f(rt.constant([1.0, 2.0]))
    assert caught.value is error
    assert error.__notes__ == ["while tracing f(x: float32[2], n=3)"]
    frames = traceback.extract_tb(error.__traceback__)
    assert frames[-1].filename == __file__ and frames[-1].name == "f"
    if sys.version_info >= (3, 11):  # 3.10 puts back the frames a bare `raise` went through
        assert {frame.filename for frame in frames} == {__file__}


def test_a_failed_trace_is_not_cached():
    fail = [True]

    @function
    def f(x):
        if fail:
            raise KeyError("first")
        return x

    with pytest.raises(KeyError):
        f(rt.constant(1))
    assert f.experimental_get_tracing_count() == 0
    fail.clear()
    assert int(f(rt.constant(1))) == 1


def test_after_a_failed_trace_ops_are_eager_again():
    with pytest.raises(ZeroDivisionError):
        function(lambda x: 1 / 0)(rt.constant(1))
    assert int(rt.constant(1) + 1) == 2


def change_item(d):
    d["a"] = 1


def add_item(d):
    d["new"] = 1


def drop_item(d):
    del d["a"]


def change_below(d):
    d["l"].append(3)


@pytest.mark.parametrize("change", [change_item, add_item, drop_item, change_below])
def test_changing_a_dict_argument_is_an_error(change):
    given = {"a": rt.constant(0), "l": [1]}

    @function
    def f(x, d):
        change(d)
        return x

    with pytest.raises(
        ArgumentMutationError, match=r"f\(x, d\) changes its argument 'd'"
    ) as caught:
        f(rt.constant(1), given)
    assert isinstance(caught.value, ValueError)
    assert list(given) == ["a", "l"] and given["l"] == [1] and int(given["a"]) == 0


@pytest.mark.parametrize("method, args", [("append", (1,)), ("pop", ()), ("reverse", ())])
def test_changing_a_list_argument_is_an_error(method, args):
    given = [1, 2]
    f = function(lambda values: getattr(values, method)(*args))
    with pytest.raises(ArgumentMutationError, match="'values'"):
        f(given)
    assert given == [1, 2]


def test_a_change_in_an_inner_function_has_its_line():
    def f(x, values):
        def take():
            return values.pop()

        return x + take()

    with pytest.raises(ArgumentMutationError, match=r"return values\.pop\(\)"):
        function(f)(rt.constant(1), [rt.constant(1), rt.constant(2)])


def test_changing_a_copy_is_fine():
    @function
    def f(d):
        d = dict(d)
        d["b"] = d["a"] + 1
        return d

    result = f({"a": rt.constant(1)})
    assert {name: int(value) for name, value in result.items()} == {"a": 1, "b": 2}


@pytest.mark.parametrize("value", [object(), frozenset((1, 2)), len, int])
def test_a_result_that_is_no_tensor_is_named(value):
    with pytest.raises(TypeError, match=f"returned a value of type {type(value).__name__}") as got:
        function(lambda: value)()
    assert isinstance(got.value, AutographError)


def test_results_may_be_any_tensor_like_values():
    v = rt.Variable([1, 2])
    results = function(lambda: (1, 2.5, True, "s", None, v, [v[0]], Point(1, 2)))()
    assert [str(r.dtype.name) for r in results[:4]] == ["int32", "float32", "bool", "string"]
    assert results[4] is None
    assert results[5].numpy().tolist() == [1, 2]
    assert isinstance(results[7], Point) and int(results[7].y) == 2


def test_a_tensor_of_a_finished_trace_is_refused():
    tensor = rt.Graph("finished").add_input(rt.TensorSpec((), rt.int32), "x")
    with pytest.raises(TypeError, match="graph"):
        function(lambda x: x)(tensor)


def test_an_op_that_refuses_its_operands_names_the_users_line():
    @function
    def f(x):
        y = x + 1
        return y + 1.5

    with pytest.raises(rt.errors.DTypeError) as caught:
        f(rt.constant(1))
    line = f.python_function.__code__.co_firstlineno + 3
    assert str(caught.value).endswith(f"\n  at {__file__}:{line}, in f")


def test_a_variable_created_while_tracing_must_be_stored():
    @function
    def forgets(x):
        v = rt.Variable(1.0)
        v.assign_add(x)
        return v.read_value()

    for _ in range(2):
        with pytest.raises(
            rt.errors.FailedPreconditionError, match="creates a Variable in every call"
        ):
            forgets(rt.constant(1.0))
    kept = []

    @function
    def keeps(x):
        if not kept:
            kept.append(rt.Variable(1.0))
        return kept[0].assign_add(x)

    assert [float(keeps(rt.constant(1.0))) for _ in range(3)] == [2.0, 3.0, 4.0]
