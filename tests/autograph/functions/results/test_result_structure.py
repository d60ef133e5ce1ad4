"""Structures of results: flattened by the trace and rebuilt by every call."""

from __future__ import annotations

from collections import OrderedDict

import numpy as np
import pytest

import runtime as rt
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.undefined import Undefined
from autograph.functions.decorator import function
from autograph.functions.results.object_templates import ObjectTemplates
from autograph.functions.results.result_structure import ResultStructure, as_tensors, collect
from runtime.core.spec import TensorSpec


def maybe(name, defined, value):
    return PossiblyUnbound(name, defined, value, "undefined", lambda self: None)


def test_recipes_follow_the_order_of_leaves():
    tensors = []
    templates = ObjectTemplates(tensors, frozenset())
    structure = collect(OrderedDict(b=[rt.constant(1), None], a=2), templates, "f")
    assert isinstance(structure, ResultStructure)
    assert [int(t) for t in tensors] == [2, 1]
    result = structure.make([np.array(20), np.array(10)])
    assert list(result) == ["b", "a"]
    assert (int(result["b"][0]), result["b"][1], int(result["a"])) == (10, None, 20)
    assert structure.spec([TensorSpec((), "int64"), TensorSpec(())]) == OrderedDict(
        b=[TensorSpec(()), None], a=TensorSpec((), "int64")
    )


def test_an_optional_value_is_none_where_its_flag_is_false():
    @function
    def f(x):
        return {"m": OptionalValue(rt.greater(x, 0), (x, 7)), "x": x}

    there, not_there = f(rt.constant(3)), f(rt.constant(-3))
    assert [int(v) for v in there["m"]] == [3, 7]
    assert not_there["m"] is None and int(not_there["x"]) == -3
    assert f.get_concrete_function(rt.constant(3)).structured_outputs["m"] == (
        TensorSpec((), rt.int32), TensorSpec((), rt.int32),
    )  # fmt: skip


def test_an_unbound_variable_is_an_error_of_the_call_that_returns_it():
    f = function(lambda x: maybe("y", rt.greater(x, 0), x))
    assert int(f(rt.constant(3))) == 3
    with pytest.raises(UnboundLocalError, match="'y'"):
        f(rt.constant(-3))


def test_optional_values_may_nest():
    def build(x):
        return OptionalValue(rt.greater(x, 0), [OptionalValue(rt.greater(x, 5), x), x])

    f = function(build)
    assert f(rt.constant(-1)) is None
    inner, outer = f(rt.constant(2))
    assert inner is None and int(outer) == 2
    assert [int(v) for v in f(rt.constant(9))] == [9, 9]


def test_an_undefined_variable_cannot_be_returned():
    with pytest.raises(UnboundLocalError, match="'y'"):
        function(lambda: Undefined("y"))()


def test_an_optional_value_is_kept_inside_of_a_trace():
    kept = maybe("y", True, 1)
    result = as_tensors((kept, None, 3), "f")
    assert result[0] is kept and result[1] is None and int(result[2]) == 3
