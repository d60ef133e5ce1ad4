"""Operands brought to one dtype: tensors, literals, NumPy values and weak symbolic tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import DTypeError, InvalidArgumentError, ShapeError


@pytest.mark.parametrize(
    "literal, dtype",
    [
        (1, "float32"),
        (1, "int64"),
        (1, "uint8"),
        (1, "complex64"),
        (1.5, "float16"),
        (1.5, "complex128"),
        (True, "int32"),
        (True, "bool"),
        ("b", "string"),
        (2**40, "int64"),
    ],
)
def test_a_literal_adopts_the_dtype_of_the_tensor(literal: Any, dtype: str) -> None:
    x = rt.constant(b"a" if dtype == "string" else True if dtype == "bool" else 1, dtype)
    for result in (rt.equal(x, literal), rt.equal(literal, x)):
        assert result.dtype is rt.bool
    stacked = rt.stack([literal, x])
    assert stacked.dtype == dtype


@pytest.mark.parametrize(
    "literal, dtype, message",
    [
        (1.5, "int32", "int32 tensor and Python float 1.5: write rt.cast"),
        (1.5, "int64", r"rt\.cast\(x, rt\.float32\)"),
        (1j, "float32", r"rt\.cast\(x, rt\.complex128\)"),
        (1, "bool", "bool tensor and Python int 1"),
        ("a", "int32", "do not mix"),
        (1, "string", "do not mix"),
    ],
)
def test_a_literal_of_a_wider_kind_is_an_error(literal: Any, dtype: str, message: str) -> None:
    x = rt.zeros([], dtype)
    for call in (lambda: rt.add(x, literal), lambda: rt.equal(literal, x)):
        with pytest.raises(DTypeError, match=message):
            call()


def test_a_literal_must_fit() -> None:
    with pytest.raises(DTypeError, match="300 does not fit int8"):
        rt.constant(1, "int8") + 300
    with pytest.raises(DTypeError, match="-1 does not fit uint8"):
        rt.constant(1, "uint8") - -1


def test_an_int_of_any_size_may_stand_beside_floats() -> None:
    x = rt.constant([3.0, -1.0])
    for call in (
        lambda x: x / 2**64,
        lambda x: 2**70 * x,
        lambda x: x < 2**70,
        lambda x: rt.maximum(x, 2**70),
        lambda x: rt.where(x > 0.0, x, -(2**70)),
    ):
        expected = np.asarray(call(rt.constant([3.0, -1.0], rt.float64)))
        np.testing.assert_array_equal(call(x), expected)
        np.testing.assert_array_equal(ag.function(call)(x), expected)


def test_the_error_for_a_large_int_names_the_remedy() -> None:
    count = rt.constant([1, 2])
    for call in (lambda count: count + 2**40, lambda count: rt.set_item(count, 0, 2**40)):
        for each in (call, ag.function(call)):
            with pytest.raises(DTypeError, match=r"fit int32: write rt.cast\(count, rt.int64\)"):
                each(count)
    with pytest.raises(DTypeError, match="300 does not fit uint8: it needs rt.int32"):
        rt.constant(300, rt.uint8)
    for make in (lambda: count * 2**70, lambda: rt.constant(2**70)):
        with pytest.raises(DTypeError, match=r"int64 ends at \d+; write float"):
            make()
    for make in (lambda: rt.constant(10**5000), lambda: rt.constant([10**5000])):
        with pytest.raises(DTypeError, match="does not fit|do not fit"):
            make()


def test_tensors_of_two_dtypes_do_not_mix() -> None:
    with pytest.raises(DTypeError, match=r"add: int32 tensor and float32 tensor: write rt\.cast"):
        rt.constant(1) + rt.constant(1.0)
    with pytest.raises(TypeError):
        rt.maximum(rt.constant(1), rt.constant(1, "int64"))


def test_numpy_values_adopt_the_dtype_of_a_tensor_operand() -> None:
    assert rt.constant(np.float64(1)).dtype is rt.float64
    assert rt.add(np.float64(1), np.ones(2)).dtype is rt.float64
    assert rt.add(np.float64(1), 2).dtype is rt.float64
    assert (rt.ones([2]) + np.ones(2)).dtype is rt.float32
    assert (np.arange(2) + rt.constant([1, 2])).dtype is rt.int32
    with pytest.raises(DTypeError, match="int32 tensor and NumPy float64"):
        rt.constant(1) + np.float64(1.5)
    with pytest.raises(DTypeError, match="NumPy int64 and NumPy float64"):
        rt.add(np.arange(2), np.ones(2))


def test_only_literals_take_the_widest_kind() -> None:
    assert rt.add(1, 2).dtype is rt.int32 and rt.add(1, 2.5).dtype is rt.float32
    assert rt.add(1, 2**40).dtype is rt.int64 and rt.add(True, True).numpy() == 2
    assert rt.add([1, 2], [0.5, 1.5]).dtype is rt.float32


def test_lists_with_tensors_inside_are_packed() -> None:
    x = rt.constant(1.0)
    packed = rt.constant([[x, 2], [3, x]])
    assert packed.dtype is rt.float32 and packed.numpy().tolist() == [[1, 2], [3, 1]]
    assert rt.convert_to_tensor([x, 2], "float32").numpy().tolist() == [1, 2]
    assert (rt.constant([5.0, 6.0]) + [x, 1]).numpy().tolist() == [6, 7]
    with pytest.raises(DTypeError):
        rt.constant([x, rt.constant(1)])
    with pytest.raises(ShapeError, match=r"\(\) and \(2,\) cannot be stacked"):
        rt.constant([x, rt.constant([1.0, 2.0])])


def test_variables_are_read() -> None:
    v = rt.Variable([1.0, 2.0])
    assert (v + 1).numpy().tolist() == [2, 3] and rt.reduce_sum(v).numpy() == 3
    assert rt.stack([v, v]).shape == (2, 2) and rt.is_tensor(v)


# -- symbolic ----------------------------------------------------------------------------------


def graph_of(*kinds: str) -> tuple[rt.Graph, list[rt.SymbolicTensor]]:
    """A graph with scalar inputs: `i` `f` `b` strong, `wi` `wf` `wb` weak."""
    dtypes = {"i": rt.int32, "f": rt.float32, "b": rt.bool, "d": rt.float64, "l": rt.int64}
    graph = rt.Graph("f")
    inputs = [
        graph.add_input(rt.TensorSpec((), dtypes[kind[-1]]), "x", weak=kind[0] == "w")
        for kind in kinds
    ]
    return graph, inputs


def recorded(fn: Callable[..., Any], *kinds: str, literal: Any = None) -> tuple[Any, list[str]]:
    graph, inputs = graph_of(*kinds)
    operands = [*inputs, *([] if literal is None else [literal])]
    with graph.recording():
        result = fn(*operands)
    return result, [node.op.name for node in graph]


@pytest.mark.parametrize(
    "x, y, dtype, weak, casts",
    [
        ("wi", "f", rt.float32, False, 1),
        ("wi", "d", rt.float64, False, 1),
        ("wi", "l", rt.int64, False, 1),
        ("wi", "i", rt.int32, False, 0),
        ("wb", "i", rt.int32, False, 1),
        ("wf", "d", rt.float64, False, 1),
        ("wi", "wi", rt.int32, True, 0),
        ("wi", "wf", rt.float32, True, 1),
        ("wb", "wi", rt.int32, True, 1),
        ("wb", "wb", rt.int32, True, 2),
        ("f", "f", rt.float32, False, 0),
    ],
)
def test_weak_operands_behave_as_the_literal_would(
    x: str, y: str, dtype: rt.DType, weak: bool, casts: int
) -> None:
    for pair in ((x, y), (y, x)):
        result, names = recorded(rt.multiply, *pair)
        assert (result.dtype, result.weak, names.count("cast")) == (dtype, weak, casts)


@pytest.mark.parametrize(
    "kind, literal, dtype, weak",
    [
        ("wi", 1, rt.int32, True),
        ("wi", 0.5, rt.float32, True),
        ("wb", 1, rt.int32, True),
        ("wf", 2, rt.float32, True),
        ("i", 1, rt.int32, False),
        ("f", 1, rt.float32, False),
        ("wi", np.float64(1), rt.float64, False),
        ("wi", np.int64(1), rt.int64, False),
    ],
)
def test_weak_operands_beside_literals(
    kind: str, literal: Any, dtype: rt.DType, weak: bool
) -> None:
    result, _ = recorded(rt.add, kind, literal=literal)
    assert (result.dtype, result.weak) == (dtype, weak)


def test_a_weak_float_beside_a_strong_int_is_the_literals_error() -> None:
    with pytest.raises(DTypeError, match="stands for a Python float: write rt.cast"):
        recorded(rt.add, "wf", "i")


def test_only_arithmetic_stays_weak() -> None:
    assert recorded(rt.negative, "wi")[0].weak and recorded(rt.maximum, "wi", "wi")[0].weak
    for fn, kinds in (
        (rt.less, ("wi", "wi")),
        (rt.identity, ("wi",)),
        (rt.reduce_sum, ("wi",)),
        (lambda x: rt.cast(x, "int32"), ("wi",)),
        (lambda *x: rt.stack(x), ("wi",)),
        (rt.equal, ("wi", "f")),
        (rt.range, ("wi",)),
    ):
        assert not recorded(fn, *kinds)[0].weak


def test_true_division_of_ints_is_float64_and_of_weak_ints_weak() -> None:
    weak, _ = recorded(rt.divide, "wi", "wi")
    strong, _ = recorded(rt.divide, "wi", "i")
    assert (weak.dtype, weak.weak) == (rt.float64, True)
    assert (strong.dtype, strong.weak) == (rt.float64, False)


def test_creation_ops_are_recorded_while_recording() -> None:
    graph = rt.Graph("f")
    with graph.recording():
        results = [
            rt.constant(1),
            rt.range(3),
            rt.eye(2),
            rt.zeros([2]),
            rt.add(1, 2),
            rt.random.uniform([2]),
            rt.constant([rt.constant(1), 2]),
            -rt.constant([1.0]),
        ]
    assert all(isinstance(result, rt.SymbolicTensor) for result in results)


def test_conversion_to_a_wanted_dtype_casts_only_weak_tensors() -> None:
    cast, names = recorded(lambda x: rt.convert_to_tensor(x, rt.float32), "wi")
    assert cast.dtype is rt.float32 and not cast.weak and names == ["cast"]
    with pytest.raises(DTypeError, match=r"is not float32: write rt\.cast\(x, rt\.float32\)"):
        recorded(lambda x: rt.convert_to_tensor(x, rt.float32), "i")
    with pytest.raises(TypeError):
        rt.convert_to_tensor(rt.constant(1), rt.float32)


def test_unsuitable_values_name_themselves() -> None:
    for value in (None, object(), {1}, {"a": 1}, [None], [1, "a"]):
        with pytest.raises(InvalidArgumentError):
            rt.constant(value)


def test_an_empty_list_adopts_any_dtype() -> None:
    ints, words = rt.constant([1, 2]), rt.constant(["a"])
    assert rt.concat([ints, []], 0).dtype is rt.int32 and rt.concat([[], words], 0).shape == (1,)
    assert rt.concat([[1], []], 0).dtype is rt.int32 and rt.concat([[], []], 0).shape == (0,)
    assert (rt.constant([1]) + []).dtype is rt.int32 and ([] + rt.constant([1])).shape == (0,)


@pytest.mark.filterwarnings("error")
def test_a_too_large_number_with_a_tensor_becomes_infinite() -> None:
    assert (rt.constant(1.0) + 1e40).numpy() == np.inf
    assert (rt.constant(1.0, "float16") * 10**5).numpy() == np.inf
    assert rt.cast(rt.constant(1e300, "float64"), "float32").numpy() == np.inf


def test_data_are_cast_to_the_dtype_of_a_variable() -> None:
    weights = rt.Variable(rt.ones([2, 2]))

    @ag.function
    def f(data: Any) -> Any:
        return data @ weights

    with pytest.raises(DTypeError, match=r"write rt.cast\(data, rt.float32\) for the float64"):
        f(np.ones([2, 2]))
