"""Variables agree with TensorFlow, eagerly and in graphs."""

from __future__ import annotations

import copy
import operator
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.core.creation_hooks import init_scope
from runtime.core.dtypes import float32, int32
from runtime.core.spec import TensorSpec
from runtime.core.tensor import EagerTensor, SymbolicTensor, Tensor
from runtime.errors import DTypeError, FailedPreconditionError, ShapeError, SymbolicTensorError
from runtime.executors import run
from runtime.graph import Graph
from runtime.ops.constant import constant, convert_to_tensor
from runtime.ops.elementwise.arithmetic import add
from runtime.state.variable import Variable


def test_attributes_of_a_variable() -> None:
    v = Variable([1.0, 2.0], name="v", trainable=False)
    assert (v.name, v.dtype, v.shape, v.trainable) == ("v:0", float32, (2,), False)
    assert repr(v) == (
        "<rt.Variable 'v:0' shape=(2,) dtype=float32, numpy=array([1., 2.], dtype=float32)>"
    )
    assert repr(Variable(2.0)) == "<rt.Variable 'Variable:0' shape=() dtype=float32, numpy=2.0>"
    assert Variable(1).name == "Variable:0" and Variable(1).trainable
    assert not isinstance(v, Tensor) and isinstance(v.value(), EagerTensor)


def test_dtype_and_initial_functions() -> None:
    assert Variable(1, dtype=float32).dtype is float32
    assert Variable(lambda: constant([1, 2])).shape == (2,)
    assert Variable(np.arange(3.0)).dtype.name == "float64"
    assert Variable(Variable([7])).numpy().tolist() == [7]


def test_assignments_return_the_variable() -> None:
    v = Variable([1.0, 2.0])
    assert v.assign([3.0, 4.0]) is v
    assert v.assign_add([1.0, 1.0]).numpy().tolist() == [4.0, 5.0]
    assert v.assign_sub(constant([4.0, 4.0])).numpy().tolist() == [0.0, 1.0]
    assert v.assign([1, 2]).numpy().tolist() == [1.0, 2.0]


def test_a_value_read_before_does_not_change() -> None:
    source = np.array([1.0, 2.0], np.float32)
    v = Variable(source)
    before = v.read_value()
    source[0] = 50.0
    v.assign_add([10.0, 10.0])
    returned = v.numpy()
    returned[0] = 99.0
    assert before.numpy().tolist() == [1.0, 2.0] and v.numpy().tolist() == [11.0, 12.0]


@pytest.mark.parametrize("method", ["assign", "assign_add", "assign_sub"])
@pytest.mark.parametrize(
    ("value", "error"),
    [
        ([1.5, 2.5], DTypeError),
        (constant([1.0, 2.0]), DTypeError),
        ("text", DTypeError),
        ([1, 2, 3], ShapeError),
        (1, ShapeError),
    ],
)
def test_mismatched_values_are_refused_and_change_nothing(
    method: str, value: Any, error: type[Exception]
) -> None:
    v = Variable([1, 2], name="steps")
    with pytest.raises(error, match="variable 'steps'"):
        getattr(v, method)(value)
    assert v.numpy().tolist() == [1, 2]
    graph = Graph("f")
    with graph.recording(), pytest.raises(error, match="variable 'steps'"):
        getattr(v, method)(value)


def test_a_declared_shape_allows_others() -> None:
    v = Variable([[1.0, 2.0]], shape=(None, 2))
    assert v.shape == (None, 2)
    v.assign([[1.0, 2.0], [3.0, 4.0]])
    with pytest.raises(ShapeError):
        v.assign([[1.0]])
    with pytest.raises(ShapeError, match="must have shape"):
        Variable([1.0], shape=(2,))
    with pytest.raises(ShapeError):
        v.assign_add([[1.0, 1.0]] * 3)
    assert v.numpy().shape == (2, 2)


@pytest.mark.parametrize(
    "op",
    [
        operator.add,
        operator.sub,
        operator.mul,
        operator.truediv,
        operator.floordiv,
        operator.mod,
        operator.pow,
        operator.lt,
        operator.ge,
        operator.eq,
        operator.ne,
    ],
)
@pytest.mark.parametrize("other", [3, 1.5, np.float32(2.0)])
def test_operators_work_through_the_value(op: Callable[..., Any], other: Any) -> None:
    array = np.array([1.0, 4.0], np.float32)
    v = Variable(array)
    np.testing.assert_allclose(np.asarray(op(v, other)), op(array, other), rtol=1e-6)
    np.testing.assert_allclose(np.asarray(op(other, v)), op(other, array), rtol=1e-6)
    np.testing.assert_allclose(np.asarray(op(constant(array), v)), op(array, array), rtol=1e-6)


def test_a_variable_converts_indexes_and_iterates() -> None:
    v = Variable([1, 2, 3])
    assert convert_to_tensor(v).numpy().tolist() == [1, 2, 3]
    assert add(v, v).numpy().tolist() == [2, 4, 6]
    assert constant([v[0], 5]).numpy().tolist() == [1, 5]
    assert v[-1].numpy() == 3 and len(v) == 3 and [int(x) for x in v] == [1, 2, 3]
    assert np.asarray(v).tolist() == [1, 2, 3] and np.array(v, np.float64).dtype == np.float64
    assert int(Variable(5)) == 5 and float(Variable(0.5)) == 0.5 and not Variable(0)
    assert [10, 20][Variable(1)] == 20 and (-Variable(2)).numpy() == -2


def test_augmented_assignment_is_refused_with_a_remedy() -> None:
    v = Variable(1.0, name="v")
    with pytest.raises(TypeError, match=r"v\.assign_add\(x\)"):
        v += 1.0
    with pytest.raises(TypeError, match=r"v\.assign_sub\(x\)"):
        v -= 1.0


def test_a_variable_is_not_hashable_but_has_a_reference() -> None:
    v, w = Variable(1.0), Variable(1.0)
    with pytest.raises(TypeError, match=r"\.ref\(\)"):
        hash(v)
    assert {v.ref(): "v"}[v.ref()] == "v" and v.ref() != w.ref() and v.ref().deref() is v


def test_a_variable_in_a_graph_is_a_handle() -> None:
    graph = Graph("f")
    v = Variable([1, 2], name="v")
    x = graph.add_input(TensorSpec((2,), int32), "x")
    with graph.recording():
        assert isinstance(v.read_value(), SymbolicTensor)
        assert repr(v) == "<rt.Variable 'v:0' shape=(2,) dtype=int32>"
        with pytest.raises(SymbolicTensorError):
            v.numpy()
        assert v.assign_add(x) is v
        graph.set_outputs([v * 2])
    assert len(graph.captures) == 1 and v.numpy().tolist() == [1, 2]
    (found,) = run(graph, [np.array([10, 20], np.int32)])
    assert found.tolist() == [22, 44] and v.numpy().tolist() == [11, 22]


def test_a_shape_unknown_while_tracing_is_checked_when_run() -> None:
    graph = Graph("f")
    v = Variable([1, 2], name="v")
    x = graph.add_input(TensorSpec((None,), int32), "x")
    with graph.recording():
        v.assign(x)
    run(graph, [np.array([3, 4], np.int32)])
    with pytest.raises(ShapeError, match="variable 'v' must have shape") as caught:
        run(graph, [np.array([3], np.int32)])
    assert __file__ in str(caught.value) and v.numpy().tolist() == [3, 4]


def test_a_scalar_is_formatted_as_its_value() -> None:
    assert f"{Variable(1.234):.2f}" == f"{constant(1.234):.2f}" == "1.23"
    assert f"{Variable(1)}" == "1"


def test_a_graph_lists_the_variables_created_while_recording() -> None:
    graph = Graph("f")
    with graph.recording():
        kept = Variable(1.0)
        Variable(2.0)
    first, second = graph.created_variables
    assert first() is kept and second() is None


def test_creating_a_variable_in_a_region_is_refused() -> None:
    graph = Graph("f")
    with graph.recording(), Graph("body", graph).recording():
        with pytest.raises(FailedPreconditionError, match="kept over all calls") as caught:
            Variable(1.0)
        with init_scope():
            assert Variable(1.0).dtype is float32
    assert caught.value.origin is not None and caught.value.origin.filename == __file__


# -- making, copying, asking -----------------------------------------------------------------------


def test_positional_arguments_have_tensorflows_order() -> None:
    clip = abs
    v = Variable([1], None, True, "/cpu:0", "v", None, "float32", "scope", clip)
    assert (v.name, v.dtype, v.trainable, v.constraint) == ("v:0", float32, True, clip)
    assert v.synchronization is rt.VariableSynchronization.AUTO
    assert v.aggregation is rt.VariableAggregation.NONE
    on_read = rt.VariableSynchronization.ON_READ
    assert not Variable(1, synchronization=on_read).trainable
    assert Variable(1, synchronization=on_read, trainable=True).trainable


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"initial_value": None}, "needs an initial value"),
        ({"initial_value": 1, "variable_def": object()}, "variable_def is not supported"),
        ({"initial_value": 1, "constraint": 3}, "constraint must be a function"),
        ({"initial_value": 1, "aggregation": "mean"}, "rt.VariableAggregation"),
        ({"initial_value": 1, "synchronization": "auto"}, "rt.VariableSynchronization"),
    ],
)
def test_arguments_that_are_not_of_their_kind(options: dict[str, Any], match: str) -> None:
    with pytest.raises(ValueError, match=match):
        Variable(**options)


def test_read_value_false_returns_none() -> None:
    v = Variable([1.0])
    assert v.assign([2.0], use_locking=True, name="set", read_value=False) is None
    assert v.assign_add([1.0], False, None, False) is v.assign_sub([4.0], read_value=False) is None
    assert [-1.0] == v.numpy().tolist()


def test_any_shape_may_be_declared() -> None:
    v = Variable([1.0, 2.0], shape=rt.TensorShape(None))
    assert v.shape.rank is None and v.assign([[1.0, 2.0]]).assign_add([[1.0, 1.0]]) is v
    assert [[2.0, 3.0]] == v.numpy().tolist() and v.shape.rank is None
    with pytest.raises(ShapeError):
        v.assign_add([1.0])


def test_a_deep_copy_is_a_new_variable_and_a_shallow_one_is_not() -> None:
    v = Variable([1.0, 2.0], name="v", trainable=False, shape=(None,))
    assert copy.copy(v) is v
    model = {"first": v, "again": v}
    copied = copy.deepcopy(model)
    other = copied["first"]
    assert other is copied["again"] and other is not v
    other.assign([5.0])
    assert [1.0, 2.0] == v.numpy().tolist() and [5.0] == other.numpy().tolist()
    assert (other.name, other.trainable, other.shape) == ("v:0", False, (None,))


def test_a_copy_in_a_trace_is_a_created_variable() -> None:
    v, graph = Variable([1.0]), Graph("f")
    with graph.recording():
        other = copy.deepcopy(v)
    assert graph.created_variables[0]() is other


def test_a_pickle_holds_the_value() -> None:
    v = Variable([[1, 2]], name="v", shape=(None, 2))
    other = pickle.loads(pickle.dumps(v))
    v.assign([[5, 6]])
    assert [[1, 2]] == other.numpy().tolist()
    assert (other.name, other.dtype, other.shape) == ("v:0", int32, (None, 2))
    assert other.assign_add([[1, 1]]).numpy().tolist() == [[2, 3]]


def test_methods_of_a_variable() -> None:
    v = Variable([[1.0, 2.0]])
    assert v.ndim == 2 and v.get_shape() == (1, 2) and bool(v.is_initialized())
    assert v.device == constant(1).device and "CPU:0" in v.device
    assert v.experimental_ref() == v.ref()
    v.set_shape((None, 2))
    with pytest.raises(ShapeError):
        v.set_shape((2, 2))


def test_set_shape_is_checked_on_assignment() -> None:
    v = Variable([1.0, 2.0], shape=(None,))
    with pytest.raises(ShapeError, match=r"has a value of shape \(2,\) now, not \(3,\)"):
        v.set_shape([3])
    v.set_shape([2])
    assert (2,) == v.shape
    with pytest.raises(ShapeError):
        v.assign([1.0, 2.0, 3.0])


@pytest.mark.parametrize("name", ["op", "load", "to_proto", "count_up_to", "initializer"])
def test_attributes_of_tensorflow_1_name_a_remedy(name: str) -> None:
    with pytest.raises(AttributeError, match=f"no attribute '{name}': write "):
        getattr(Variable(1.0), name)
    assert not hasattr(Variable(1.0), "unheard_of")


@pytest.mark.parametrize("symbol", "+ - * / // % ** @ & | ^".split())
def test_in_place_operators_are_refused(symbol: str) -> None:
    with pytest.raises(TypeError, match=r"ambiguous for a variable: write v\.assign"):
        exec(f"v {symbol}= 2", {"v": Variable(1, name="v")})


@pytest.mark.parametrize("is_staged", [False, True])
@pytest.mark.parametrize(
    ("values", "method", "advice"),
    [
        ([True], "assign_sub", "a bool variable cannot be subtracted from: write .*logical_xor"),
        ([True], "assign_add", "a bool variable cannot be added to: write .*logical_or"),
        (["a"], "assign_sub", "a string variable cannot be subtracted from: write .*replace"),
    ],
)
def test_assign_add_of_non_numbers_is_refused(
    values: list[Any], method: str, advice: str, is_staged: bool
) -> None:
    v, delta, graph = Variable(values, name="kept"), constant(values), Graph()
    with pytest.raises(DTypeError, match=f"variable 'kept': .*{advice}"):
        if is_staged:
            with graph.recording():
                getattr(v, method)(delta)
        else:
            getattr(v, method)(delta)
    assert [*values] == [each.decode() if isinstance(each, bytes) else each for each in v.numpy()]


def test_a_variable_without_a_name_is_named_as_the_program_does():
    count = rt.Variable(0)
    with pytest.raises(rt.errors.DTypeError, match="^0.5 cannot be made int32 .*; count is int32"):
        count.assign_add(0.5)
    with pytest.raises(rt.errors.ShapeError, match="^count.assign: .*; count is "):
        count.assign([1, 2])
