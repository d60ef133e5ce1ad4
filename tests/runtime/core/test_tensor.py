"""Tensors: printing, use as Python values, and refusals of symbolic tensors."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import DTypeError, InvalidArgumentError, OutOfScopeError, SymbolicTensorError


def symbolic(shape: Any = (), dtype: Any = rt.int32) -> rt.SymbolicTensor:
    return rt.Graph("f").add_input(rt.TensorSpec(shape, dtype), "x")


@pytest.mark.parametrize(
    "value, text, form",
    [
        (
            5.5,
            "rt.Tensor(5.5, shape=(), dtype=float32)",
            "<rt.Tensor: shape=(), dtype=float32, numpy=5.5>",
        ),
        (
            29,
            "rt.Tensor(29, shape=(), dtype=int32)",
            "<rt.Tensor: shape=(), dtype=int32, numpy=29>",
        ),
        (
            True,
            "rt.Tensor(True, shape=(), dtype=bool)",
            "<rt.Tensor: shape=(), dtype=bool, numpy=True>",
        ),
        (
            "a",
            "rt.Tensor(b'a', shape=(), dtype=string)",
            "<rt.Tensor: shape=(), dtype=string, numpy=b'a'>",
        ),
        (
            [7, 2, 7],
            "rt.Tensor([7 2 7], shape=(3,), dtype=int32)",
            "<rt.Tensor: shape=(3,), dtype=int32, numpy=array([7, 2, 7], dtype=int32)>",
        ),
        (
            [1.0, 0.0],
            "rt.Tensor([1. 0.], shape=(2,), dtype=float32)",
            "<rt.Tensor: shape=(2,), dtype=float32, numpy=array([1., 0.], dtype=float32)>",
        ),
        (
            ["a", "b"],
            "rt.Tensor([b'a' b'b'], shape=(2,), dtype=string)",
            "<rt.Tensor: shape=(2,), dtype=string, numpy=array([b'a', b'b'], dtype=object)>",
        ),
        (
            [[1], [2]],
            "rt.Tensor(\n[[1]\n [2]], shape=(2, 1), dtype=int32)",
            "<rt.Tensor: shape=(2, 1), dtype=int32, numpy=\n"
            "array([[1],\n       [2]], dtype=int32)>",
        ),
        (
            0.1,
            "rt.Tensor(0.1, shape=(), dtype=float32)",
            "<rt.Tensor: shape=(), dtype=float32, numpy=0.1>",
        ),
    ],
)
def test_printing(value: Any, text: str, form: str) -> None:
    tensor = rt.constant(value)
    assert str(tensor) == text and repr(tensor) == form


@pytest.mark.parametrize("value", [5, 0.1, True, b"a", "é", b"\xff", "", [7, 2], [["a"]], [[0.5]]])
def test_a_tensor_is_formatted_as_its_numpy_value(value: Any) -> None:
    """As in TensorFlow a string is shown as bytes; a float32 by its shortest digits."""
    tensor = rt.constant(value)
    array = tensor.numpy()
    assert str(array) == f"{tensor}" == "{}".format(tensor) == format(tensor)  # noqa: UP032
    padded = format(str(array) if isinstance(array, (bytes, np.ndarray)) else array, ">9")
    assert f"{tensor:>9}" == padded == f"{rt.Variable(value):>9}"


def test_scalars_become_python_numbers() -> None:
    assert int(rt.constant(3)) == 3 and float(rt.constant(2.5)) == 2.5
    assert bool(rt.constant(0.0)) is False and bool(rt.constant([[True]])) is True
    assert [10, 20][rt.constant(1)] == 20 and list(range(rt.constant(2))) == [0, 1]
    assert complex(rt.constant(1.5)) == 1.5 and round(rt.constant(2.5)) == 2
    assert f"{rt.constant(2.5):.2f}" == "2.50" and type(round(rt.constant(2.7))) is int


def test_several_elements_have_no_truth_value_and_no_number() -> None:
    with pytest.raises(InvalidArgumentError, match="rt.reduce_any"):
        bool(rt.constant([True, False]))
    with pytest.raises(InvalidArgumentError, match="takes one element"):
        int(rt.constant([1, 2]))
    with pytest.raises(TypeError, match="cannot be used as an index"):
        [1, 2][rt.constant(1.0)]


def test_numpy_returns_scalars_and_copies() -> None:
    assert type(rt.constant(1.5).numpy()) is np.float32
    assert rt.constant("a").numpy() == b"a"
    tensor = rt.constant([1, 2])
    tensor.numpy()[0] = 99
    assert tensor.numpy().tolist() == [1, 2]
    with pytest.raises(ValueError):
        np.asarray(tensor)[0] = 99


def test_changing_the_source_array_changes_no_tensor() -> None:
    source = np.array([1, 2], np.int32)
    tensor, other = rt.constant(source), rt.convert_to_tensor(source)
    source[0] = 99
    assert tensor.numpy().tolist() == other.numpy().tolist() == [1, 2]


def test_numpy_functions_take_tensors() -> None:
    tensor = rt.constant([1.0, 4.0])
    assert np.sum(tensor) == 5.0 and np.sqrt(tensor).tolist() == [1.0, 2.0]
    assert np.asarray(tensor, np.float64).dtype == np.float64
    assert np.array(tensor).flags.writeable


def test_arrays_leave_the_operator_to_the_tensor() -> None:
    array = np.array([1.0, 2.0], np.float32)
    for result in (array + rt.constant([1.0, 2.0]), array[0] * rt.constant(2.0)):
        assert isinstance(result, rt.Tensor) and result.dtype is rt.float32
    assert isinstance(array < rt.constant(1.5), rt.Tensor)


def test_rows_length_and_membership() -> None:
    tensor = rt.constant([[1, 2], [3, 4]])
    assert [row.numpy().tolist() for row in tensor] == [[1, 2], [3, 4]] and len(tensor) == 2
    assert 3 in tensor and 9 not in tensor and "a" in rt.constant(["a", "b"])
    for call in (len, iter):
        with pytest.raises(TypeError, match="scalar"):
            call(rt.constant(1))


def test_tensors_are_not_hashable_but_references_are() -> None:
    tensor = rt.constant(1)
    with pytest.raises(TypeError, match=r"tensor\.ref\(\)"):
        hash(tensor)
    assert {tensor.ref(): "a"}[tensor.ref()] == "a" and tensor.ref().deref() is tensor
    assert tensor.ref() != rt.constant(1).ref()


def test_attributes_and_copies() -> None:
    tensor = rt.constant([[1.0, 2.0]])
    assert tensor.shape == (1, 2) and tensor.dtype is rt.float32 and tensor.ndim == 2
    assert tensor.spec == rt.TensorSpec((1, 2)) and tensor.name is None
    for duplicate in (copy.deepcopy(tensor), pickle.loads(pickle.dumps(tensor))):
        assert isinstance(duplicate, rt.EagerTensor) and duplicate.numpy().tolist() == [[1.0, 2.0]]
    assert isinstance(tensor, rt.Tensor) and isinstance(symbolic(), rt.Tensor)


@pytest.mark.parametrize(
    "use",
    [
        bool,
        int,
        float,
        complex,
        iter,
        len,
        np.asarray,
        lambda x: x.numpy(),
        lambda x: [1, 2][x],
        lambda x: 1 in x,
    ],
)
def test_a_symbolic_tensor_refuses_to_be_a_python_value(use: Callable[[Any], Any]) -> None:
    with pytest.raises(SymbolicTensorError) as caught:
        use(symbolic((None,)))
    message = str(caught.value)
    said, *where = message.splitlines()
    assert 'Tensor("x:0", shape=(None,), dtype=int32)' in said and "rt." in said
    assert len(where) == 1 and f"at {__file__}:" in where[0]


def test_an_item_of_a_set_is_refused_with_the_name_of_the_set() -> None:
    seen: set[object] = set()
    with pytest.raises(SymbolicTensorError, match=r"such as seen\[x\] = True\n"):
        seen.add(symbolic(()))


def test_a_symbolic_tensor_has_static_properties() -> None:
    x = symbolic((3, None))
    assert len(x) == 3 and x.ndim == 2 and x.name == "x:0" and not x.weak
    assert repr(x) == str(x) == 'Tensor("x:0", shape=(3, None), dtype=int32)'
    with pytest.raises(SymbolicTensorError, match="is used as a key"):
        hash(x)
    with pytest.raises(SymbolicTensorError, match="cannot be changed in place"):
        x[0] = 1


def test_a_symbolic_tensor_outside_its_graph_is_out_of_scope() -> None:
    with pytest.raises(OutOfScopeError, match="has no value outside the graph"):
        rt.add(symbolic(), 1)


def test_iterating_over_a_scalar_raises_an_error_with_advice():
    with pytest.raises(TypeError, match=r"no rows to iterate over: write `for i in range\(n\)`"):
        first, second = rt.constant(3)


def test_values_do_not_make_a_tensor_by_its_class() -> None:
    with pytest.raises(DTypeError, match="write rt.constant"):
        rt.Tensor([1, 2])


@pytest.mark.parametrize("make", [rt.constant, rt.Variable])
def test_an_item_is_not_deleted(make: Callable[[Any], Any]) -> None:
    def shorter(x: Any) -> Any:
        del x[0]
        return x

    for call in (shorter, ag.function(shorter)):
        with pytest.raises(DTypeError, match="does not support item deletion.*write x = rt.concat"):
            call(make([1.0, 2.0]))


def test_a_format_of_several_elements_names_a_remedy() -> None:
    message = r"the format '.2f' takes one element, and x has shape \(2,\): write np.round\(x, 2\)"
    for call in (lambda x: f"{x:.2f}", ag.function(lambda x: f"{x:.2f}")):
        with pytest.raises(ValueError, match=message):
            call(rt.constant([1.0, 2.0]))
