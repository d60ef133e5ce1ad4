"""Wrong values in place of valid ones: other dtypes, ranks, shapes, sizes and types."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

import runtime as rt
from runtime.core.tensor import EagerTensor
from tests.laws.wrong_inputs.examples import Call

DTYPES = "bool int8 uint8 int32 int64 float16 float64 complex64"

# For any argument: what is no number, no tensor, or none of what was meant.
STRANGE: tuple[tuple[str, Any], ...] = (
    ("None", None),
    ("a text", "wrong"),
    ("bytes", b"wrong"),
    ("a dict", {}),
    ("a ragged list", [[1, 2], [3]]),
    ("a list with None", [1, None]),
    ("an object", object()),
    ("a class", object),
    ("an object array", np.array([1, None, "x"], object)),
    ("a date", np.array("2020-01-01", "datetime64[D]")),
    ("a set", {1}),
)
NUMBERS: tuple[tuple[str, Any], ...] = (
    ("-1", -1),
    ("0", 0),
    ("-7", -7),
    ("99", 99),
    ("2**40", 2**40),
    ("2**70", 2**70),
    ("1.5", 1.5),
    ("nan", float("nan")),
    ("True", True),
    ("a float tensor", rt.constant(1.5)),
    ("a vector", [0, 1]),
    ("twice", [0, 0]),
    ("twice the same axis", (0, -1, 0)),
    ("nothing", []),
    ("a matrix", np.array([[1, 2]])),
)
Mistake = tuple[str, Any]


def mistakes_in(call: Call) -> Iterator[tuple[str, Call]]:
    """Every wrong form of a call, with words for it."""
    yield "as it is", call
    for words, wrong in _wrong_forms(call):
        if call.source or any(isinstance(each, (rt.Tensor, rt.Variable)) for each in wrong.args):
            yield words, wrong


def _wrong_forms(call: Call) -> Iterator[tuple[str, Call]]:
    for position, value in enumerate(call.args):
        for words, wrong in wrong_values(value):
            args = (*call.args[:position], wrong, *call.args[position + 1 :])
            yield f"argument {position}: {words}", replace(call, args=args)
    for key, value in call.kwargs.items():
        for words, wrong in wrong_values(value):
            yield f"{key}: {words}", replace(call, kwargs=call.kwargs | {key: wrong})
    for key in _other_parameters(call):
        for words, wrong in (*NUMBERS, *STRANGE):
            yield f"{key}: {words}", replace(call, kwargs=call.kwargs | {key: wrong})
    if call.args:
        yield "one argument less", replace(call, args=call.args[:-1])
        yield "one argument more", replace(call, args=(*call.args, 1, 2, 3, 4, 5, 6, 7, 8, 9))
    yield "a name there is not", replace(call, kwargs=call.kwargs | {"nonsense": 1})


def _other_parameters(call: Call) -> list[str]:
    """Names of arguments that the example leaves out."""
    try:
        signature = inspect.signature(call.function)
        given = signature.bind_partial(*call.args, **call.kwargs).arguments
    except (TypeError, ValueError):
        return []
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    found = [p.name for p in signature.parameters.values() if p.kind in kinds]
    return [name for name in found if name not in given and name != "name"]


def wrong_values(value: Any) -> Iterator[Mistake]:
    """Yield the values that may stand in the place of a right one by mistake."""
    array = _array_of(value)
    if array is not None:
        yield from wrong_arrays(array)
    if isinstance(value, (int, float)) or array is None:
        yield from NUMBERS
    if isinstance(value, (list, tuple)):
        yield from _wrong_lists(value)
    if isinstance(value, str) or isinstance(value, rt.DType):
        yield from (("another name", "float16"), ("an empty name", ""), ("a dtype", rt.string))
    if isinstance(value, Callable):
        yield from (
            ("a function of none", lambda: 1),
            ("a function of three", lambda x, y, z: x),
            ("a function that gives None", lambda *x: None),
            ("a function that gives text", lambda *x: "text"),
            ("a function that gives a vector", lambda *x: rt.constant([1, 2, 3, 4, 5, 6, 7])),
        )
    yield from STRANGE


def _array_of(value: Any) -> np.ndarray | None:
    if isinstance(value, EagerTensor):
        array = value._array
    elif isinstance(value, (np.ndarray, bool, int, float, complex, list, tuple, str, bytes)):
        try:
            array = rt.constant(value)._array
        except rt.errors.OpError:
            return None
    else:
        return None
    return array if array.dtype.kind in "biufcO" and array.dtype.fields is None else None


def wrong_arrays(array: np.ndarray) -> Iterator[tuple[str, EagerTensor]]:
    """Tensors of another dtype, rank or shape, or with other values, than this array."""
    for words, wrong in _wrong_dtypes(array):
        yield words, rt.constant(wrong)
    for words, wrong in _wrong_shapes(array):
        yield words, EagerTensor(np.ascontiguousarray(wrong).reshape(wrong.shape))
    if array.dtype.kind in "iuf" and array.size:
        for words, number in (("-3", -3), ("99", 99), ("0", 0)):
            yield f"all {words}", EagerTensor(np.full(array.shape, number).astype(array.dtype))
        first = np.ravel(array).copy()
        first[0] = 77
        yield "one element too large", EagerTensor(first.reshape(array.shape))
    if array.dtype.kind in "fc" and array.size:
        for number in (float("nan"), float("inf"), 1e30):
            yield str(number), EagerTensor(np.full(array.shape, number).astype(array.dtype))


def _wrong_dtypes(array: np.ndarray) -> Iterator[Mistake]:
    if array.dtype.kind == "O":
        numbers = np.arange(array.size).reshape(array.shape)
        yield from ((d, numbers.astype(d)) for d in ("int32", "float32"))
        return
    for dtype in DTYPES.split():
        if array.dtype != dtype:
            with np.errstate(all="ignore"):
                yield dtype, array.real.astype(dtype)
    texts = np.empty(array.shape, object)
    texts[...] = b"7"
    yield "string", texts


def _wrong_shapes(array: np.ndarray) -> Iterator[Mistake]:
    yield "one rank more", array[None]
    yield "one rank more behind", array[..., None]
    yield "three ranks more", array[None, None, None]
    yield "empty", np.zeros((0, *array.shape[1:]), array.dtype)
    yield "empty vector", np.zeros((0,), array.dtype)
    if array.size:
        yield "a scalar", array.ravel()[:1].reshape(())
        yield "flat", array.ravel()
    if array.ndim and array.size:
        yield "one rank less", array[0, ...]
        yield "one row", array[:1]
        yield "a row more", np.concatenate([array, array[:1]])
        yield "twice as long at the end", np.concatenate([array, array], -1)
        yield "empty at the end", array[..., :0]
        yield "turned around", array.T


def _wrong_lists(value: Any) -> Iterator[Mistake]:
    kind = type(value) if type(value) in (list, tuple) else list
    yield "empty list", kind()
    yield "longer", kind([*value, *value[-1:]])
    yield "longer by three", kind([*value, 1, 1, 1])
    yield "shorter", kind(value[:-1])
    if value:
        for words, wrong in (
            ("-1", -1), ("-5", -5), ("0", 0), ("50", 50), ("2**40", 2**40), ("1.5", 1.5),
            ("None", None), ("text", "x"), ("list", [1]), ("True", True),
        ):  # fmt: skip
            yield f"with {words} first", kind([wrong, *value[1:]])
            yield f"with {words} last", kind([*value[:-1], wrong])
