"""Fast eager operators agree with the general path, in errors too."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.core.tensor import Tensor
from runtime.ops.overloads import AT_ONCE
from tests.each import for_each

TENSORS: list[Any] = [
    *(rt.constant(3), rt.constant([1, 0]), rt.constant([[1.5, -2.0]]), rt.constant(0.0)),
    *(rt.constant([True, False]), rt.constant("text"), rt.constant([2, 3], rt.uint8)),
    *(rt.constant(1 + 2j, rt.complex64), rt.constant([1.0, 2.0], rt.float16), rt.zeros((2, 3))),
    rt.constant(float("nan")),
]
BESIDE: list[Any] = [
    *TENSORS,
    *(2, -1, 0, 1.5, 0.0, True, 10**6, 2**40, 1e300, 1j, "text", None, [1, 2], object()),
    *(np.array([1, 0], np.int32), np.array([1.5, 2.0]), np.float32(2.0), np.int64(3)),
    *(np.ones((2, 2), np.float32), np.array([2, 3], np.uint8), np.array(["a"])),
]
NAMES = [*AT_ONCE, "eq", "ne", "pow"]


def _outcome_of(call: Callable[[], Any]) -> Any:
    """Return the result of a call, or its failure."""
    try:
        result = call()
    except Exception as error:
        # The end of an error of an op is the expression of the caller.
        return type(error), str(error).partition("; in ")[0]
    if not isinstance(result, Tensor):
        return result
    value: Any = result.numpy()  # type: ignore[attr-defined]
    return result.dtype, result.shape, repr(np.asarray(value).tolist()), type(value)


@pytest.mark.parametrize("name", NAMES)
def test_fast_operators_agree_with_the_general_path(name: str) -> None:
    general = vars(Tensor)
    with np.errstate(all="raise"):
        for x in TENSORS:
            for y in BESIDE:
                for method in (f"__{name}__", f"__r{name}__"):
                    if method in general:
                        quick: Any = getattr(type(x), method)
                        slow: Any = general[method]
                        told, expected = [
                            _outcome_of(lambda: operator(x, y)) for operator in (quick, slow)
                        ]
                        assert expected == told, (x, y)


KEYS: list[Any] = [
    *(0, -1, 1, 5, True, None, ..., (), slice(None), slice(1, None), slice(None, None, -1)),
    *(slice(None, None, 0), slice(9, 1), (0, 1), (0, slice(1)), (0, 1, 2), (..., 0), (0, None)),
    *([0], np.array([0]), rt.constant(0), (rt.constant(1), 0), slice(rt.constant(1)), 1.5, "a"),
    *((True, 0), slice(True), np.int64(0), (slice(0, 1), 7), slice(1.0)),
]


@pytest.mark.parametrize("x", TENSORS, ids=lambda each: f"{each.dtype.name}{each.shape}")
def test_fast_indexing_agrees_with_the_general_path(x: Any) -> None:
    general: Any = vars(Tensor)["__getitem__"]
    for key in KEYS:
        told, expected = [
            _outcome_of(lambda: item(x, key)) for item in (type(x).__getitem__, general)
        ]
        assert expected == told, key


def test_arrays_of_numpy_are_not_kept() -> None:
    given = np.ones(2, np.float32)
    total = rt.constant([1.0, 2.0]) + given
    given += 5
    assert [2.0, 3.0] == total.numpy().tolist()


def test_fast_operators_are_recorded_by_tapes() -> None:
    x = rt.constant([1.0, 2.0])
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = x * x + 3.0 * x[1] - np.ones(2, np.float32)
    assert [2.0, 10.0] == tape.gradient(y, x).numpy().tolist()


def test_results_are_new_arrays() -> None:
    x = rt.constant([1.0, 2.0])
    for y in (x + 0.0, x[0], x[:], rt.identity(x), *x, rt.constant(1.0), rt.stop_gradient(x)):
        assert y._array is not x._array  # type: ignore[attr-defined]
        assert isinstance(y._array, np.ndarray)


@pytest.mark.parametrize("word", ["int", "float", "bool", "index", "round", "complex"])
def test_conversions_to_python_numbers_agree_with_numpy(word: str) -> None:
    asked: dict[str, Callable[[Any], Any]] = {
        "int": int, "float": float, "bool": bool, "index": operator.index, "round": round,
        "complex": complex,
    }  # fmt: skip
    for value in (1, 0, -7, 2.5, 3.5, -0.0, True, [4], [[1.5]]):
        array = np.asarray(rt.constant(value).numpy())  # type: ignore[attr-defined]
        told = _outcome_of(lambda: asked[word](rt.constant(value)))
        if word == "index" and array.dtype.kind != "i":
            assert TypeError is told[0]
        else:
            assert told == asked[word](array.reshape(())[()].item())
            assert type(told) is type(asked[word](array.reshape(())[()].item()))


@for_each("value", [1, 1.5, -0.0, 70000.0, 2**31, 2**63, True, 1e39, float("nan")])
@for_each("dtype", [None, *"int32 int64 uint8 float16 float32 float64 bool".split()])
def test_constants_of_numbers_are_those_of_lists(value: Any, dtype: Any) -> None:
    one = _outcome_of(lambda: rt.constant(value, dtype))
    listed = _outcome_of(lambda: rt.constant([value], dtype)[0])
    if isinstance(one[0], type):
        assert one[0] is listed[0]
    else:
        assert one[:3] == listed[:3]


def test_fast_assignments_check_dtype_and_shape() -> None:
    v = rt.Variable([1.0, 2.0])
    x = rt.constant([1.0, 1.0])
    assert v.assign_add(x) is v and v.assign_sub(x) is v and v.assign(x) is v
    assert v.assign(x, read_value=False) is None
    for wrong in (rt.constant([1, 1]), rt.constant([1.0]), rt.constant([[1.0, 1.0]])):
        with pytest.raises(rt.errors.InvalidArgumentError, match="rt.float32|shape"):
            v.assign_add(wrong)
