"""The array API: every function of the standard against NumPy, and the methods of tensors."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.array_api import signatures
from runtime.array_api.names import FFT, LINALG, NUMPY_FUNCTIONS, OWN_FUNCTIONS
from runtime.errors import ArgumentValueError, DTypeError, ShapeError, SymbolicTensorError
from tests.each import for_each

X = np.array([[0.5, -1.5, 2.0], [3.0, 0.25, -0.75]])
Y = np.array([[2.0, 1.0, 0.5], [1.5, -2.0, 4.0]])
UNIT, BIG = X / 4, np.abs(X) + 1.5
I, J = np.array([[6, 3, 1], [2, 7, 5]]), np.array([[1, 2, 3], [4, 1, 2]])
B = X > 0
C = X + 1j * Y
S = np.array([[4.0, 1.0], [1.0, 3.0]])
V, W = X[0], Y[0]
SHAPE = (2, 3)

ONE = "abs ceil conj cos cosh exp expm1 floor isfinite isinf isnan negative positive round sign"
ONE += " signbit sin sinh square tan tanh trunc asinh atan reciprocal sum prod mean std var max min"
ONE += " argmax argmin all any count_nonzero cumulative_sum cumulative_prod diff flip"
ONE += " matrix_transpose nonzero squeeze tril triu unique_all unique_counts unique_inverse"
ONE += " unique_values unstack zeros_like ones_like empty_like"
TWO = "add subtract multiply divide floor_divide remainder pow atan2 copysign equal not_equal less"
TWO += " less_equal greater greater_equal hypot logaddexp maximum minimum nextafter vecdot"
ALONG = {"cumulative_sum", "cumulative_prod"}

CASES: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(ONE.split(), (X,)),
    **dict.fromkeys(TWO.split(), (X, Y)),
    **dict.fromkeys(("acos", "asin", "atanh"), (UNIT,)),
    **dict.fromkeys(("acosh", "log", "log10", "log1p", "log2", "sqrt"), (BIG,)),
    **{f"bitwise_{name}": (I, J) for name in ("and", "or", "xor", "left_shift", "right_shift")},
    **{f"logical_{name}": (B, Y > 1) for name in ("and", "or", "xor")},
    **dict.fromkeys(("imag", "real"), (C,)),
    "logical_not": (B,),
    "bitwise_invert": (I,),
    "pow": (BIG, Y),
    "arange": (1, 7, 2),
    "broadcast_arrays": (V, X),
    "broadcast_to": (V, SHAPE),
    "clip": (X, -1.0, 1.0),
    "concat": ([X, Y],),
    "empty": (SHAPE,),
    "expand_dims": (X,),
    "eye": (3,),
    "full": (SHAPE, 7.0),
    "full_like": (X, 7.0),
    "linspace": (0.0, 1.0, 5),
    "matmul": (X, Y.T.copy()),
    "meshgrid": (V, W),
    "moveaxis": (X, 0, 1),
    "ones": (SHAPE,),
    "permute_dims": (X, (1, 0)),
    "repeat": (X, 2),
    "reshape": (X, (3, 2)),
    "result_type": (X, I),
    "roll": (X, 1),
    "searchsorted": (np.sort(V), W),
    "squeeze": (X[None], 0),
    "stack": ([X, Y],),
    "take": (X, np.array([2, 0])),
    "take_along_axis": (X, np.array([[2, 0], [1, 1]])),
    "tensordot": (X, Y),
    "tile": (X, (2, 1)),
    "where": (B, X, Y),
    "zeros": (SHAPE,),
    "tril": (X,),
}
OPTIONS: dict[str, dict[str, Any]] = {
    **dict.fromkeys(ALONG, {"axis": 1}),
    **dict.fromkeys(("expand_dims", "concat", "stack", "take", "take_along_axis"), {"axis": 1}),
    **dict.fromkeys(("sum", "mean", "std", "max", "argmax"), {"axis": 0}),
    "tensordot": {"axes": ((0, 1), (0, 1))},
}
LINALG_CASES: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(LINALG.split(), (S,)),
    "cross": (V, W),
    "matmul": (S, S),
    "matrix_power": (S, 3),
    "outer": (V, W),
    "solve": (S, S[0]),
    "tensordot": (S, S),
    "vecdot": (X, Y),
}
FFT_CASES = {**dict.fromkeys(FFT.split(), (X,)), "fftfreq": (4,), "rfftfreq": (4,)}


def as_tensors(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return rt.array_api.asarray(value)
    if isinstance(value, list):
        return [as_tensors(each) for each in value]
    return value


def assert_alike(expected: Any, actual: Any, with_values: bool) -> None:
    if isinstance(expected, (tuple, list)):
        assert type(expected) is type(actual) and len(expected) == len(actual)
        for one, other in zip(expected, actual):
            assert_alike(one, other, with_values)
    elif isinstance(expected, int):
        # Before NumPy 2.3 `count_nonzero` gives an int of Python's.
        assert_alike(np.int64(expected), actual, with_values)
    elif isinstance(expected, np.dtype):
        assert rt.as_dtype(expected) is actual
    else:
        assert isinstance(actual, rt.Tensor) and expected.dtype == actual.dtype.np_dtype
        assert np.shape(expected) == tuple(actual.shape)
        if with_values:
            np.testing.assert_array_equal(expected, actual.numpy())


def check(space: Any, numpy: Any, name: str, args: tuple[Any, ...], options: Any) -> None:
    expected = getattr(numpy, name)(*args, **options)
    actual = getattr(space, name)(*map(as_tensors, args), **options)
    assert_alike(expected, actual, with_values=not name.startswith("empty"))


@for_each("name", NUMPY_FUNCTIONS.split())
def test_main_functions(name: str) -> None:
    check(rt.array_api, np, name, CASES[name], OPTIONS.get(name, {}))


@pytest.mark.parametrize("name", LINALG.split())
def test_functions_of_linalg(name: str) -> None:
    check(rt.array_api.linalg, np.linalg, name, LINALG_CASES[name], {})


@pytest.mark.parametrize("name", FFT.split())
def test_functions_of_fft(name: str) -> None:
    check(rt.array_api.fft, np.fft, name, FFT_CASES[name], {})


def test_every_name_has_a_test() -> None:
    # As counted in the standard of 2024.12, of which the info object's methods are not functions.
    assert (134, 23, 14) == (
        len({*NUMPY_FUNCTIONS.split(), *OWN_FUNCTIONS.split()}),
        len(LINALG.split()),
        len(FFT.split()),
    )


def test_the_namespace_of_a_tensor() -> None:
    x = rt.constant(X)
    xp = x.__array_namespace__()
    assert (
        xp is x.__array_namespace__(api_version="2024.12") and "2024.12" == xp.__array_api_version__
    )
    assert xp.bool is rt.bool and xp.float32 is rt.float32 and xp.pi == np.pi
    with pytest.raises(ArgumentValueError, match="at most 2024.12"):
        x.__array_namespace__(api_version="2030.1")


def test_attributes_of_tensors() -> None:
    x = rt.constant(X)
    assert X.T.tolist() == x.T.numpy().tolist() and 6 == x.size and 2 == x.ndim
    assert (2, 3, 2) == rt.constant(np.zeros((2, 2, 3))).mT.shape
    assert x.to_device("cpu") is x is x.to_device(x.device)
    with pytest.raises(ShapeError, match=r"x\.T is for matrices"):
        _ = rt.constant(V).T
    with pytest.raises(ArgumentValueError, match="device must be .*CPU:0"):
        x.to_device("cuda")


def test_dtypes_and_isdtype() -> None:
    xp = rt.array_api
    assert (
        xp.asarray(1).dtype is rt.int64 and xp.asarray([0.5], dtype=rt.float32).dtype is rt.float32
    )
    x = xp.asarray([1.5, -1.5])
    assert [1, -1] == xp.astype(x, rt.int8).numpy().tolist() and xp.asarray(x) is x
    assert xp.asarray(x, copy=True) is not x and xp.astype(x, rt.float64, copy=False) is x
    assert xp.can_cast(rt.int32, rt.int64) and not xp.can_cast(x, rt.float32)
    assert (32, 127) == (xp.finfo(rt.complex64).bits, xp.iinfo(rt.int8).max)
    assert xp.isdtype(rt.uint8, ("bool", "integral")) and not xp.isdtype(rt.uint8, "signed integer")
    info = xp.__array_namespace_info__()
    assert {"bool": rt.bool} == info.dtypes(kind="bool") and 13 == len(info.dtypes())
    assert rt.float64 is info.default_dtypes()["real floating"]
    assert info.devices() == [info.default_device()] and info.capabilities()["boolean indexing"]
    for call in (lambda: xp.finfo(rt.int8), lambda: xp.iinfo(rt.float32)):
        with pytest.raises(DTypeError):
            call()
    with pytest.raises(DTypeError, match="imaginary"):
        xp.astype(xp.asarray(1j), rt.float32)
    with pytest.raises(ArgumentValueError, match="the kind of a dtype must be one of"):
        xp.isdtype(rt.int8, "number")


def test_errors_are_ours() -> None:
    xp = rt.array_api
    with pytest.raises(ArgumentValueError, match="^reshape: "):
        xp.reshape(rt.constant(X), (4,))
    with pytest.raises(ArgumentValueError, match="^inv: "):
        xp.linalg.inv(rt.zeros([2, 2]))
    with pytest.raises(DTypeError, match="^bitwise_and: "):
        xp.bitwise_and(rt.constant(X), rt.constant(X))


@pytest.mark.parametrize("value", ["a", object(), [None], np.array("2020", "M8[D]")])
def test_non_numeric_values_are_refused(value: Any) -> None:
    with pytest.raises(DTypeError):
        rt.array_api.asarray(value)


def test_variables_and_tensors_of_a_graph() -> None:
    xp = rt.array_api
    assert X.sum() == xp.sum(rt.Variable(X)).numpy()

    @ag.function
    def f(x: Any) -> Any:
        return xp.sum(xp.exp(x), axis=0), x.T

    found, turned = f(rt.constant(X))
    np.testing.assert_allclose(np.exp(X).sum(0), found.numpy())
    assert X.T.tolist() == turned.numpy().tolist()
    with pytest.raises(SymbolicTensorError, match="has no op"):
        ag.function(lambda x: xp.fft.hfft(x))(rt.constant(X))
    with pytest.raises(AttributeError, match=r"rt\.size\(x\)"):
        ag.function(lambda x: x.size, input_signature=[rt.TensorSpec(None)])(rt.constant([1.0]))


def test_a_missing_name_raises_attribute_error() -> None:
    with pytest.raises(AttributeError, match="the array API of version .* has no 'foo'"):
        _ = rt.constant(1.0).__array_namespace__().foo


@pytest.mark.parametrize("axis", [-1, 0])
def test_sorting_keeps_the_order_of_equal_elements(axis: int) -> None:
    """The standard asks for it by default, and for both directions."""
    xp = rt.array_api
    rows = np.random.default_rng(0).integers(0, 4, (40, 30))

    def order(values: list[int], descending: bool) -> list[int]:
        return sorted(range(len(values)), key=lambda at: -values[at] if descending else values[at])

    for descending in (False, True):
        expected = np.apply_along_axis(lambda row: order(row.tolist(), descending), axis, rows)
        for x in (rt.constant(rows), rt.constant(rows, rt.float32)):
            for call in (xp.argsort, ag.function(xp.argsort)):
                found = call(x, axis=axis, descending=descending)
                np.testing.assert_array_equal(found, expected)
            values = np.take_along_axis(rows, expected, axis)
            np.testing.assert_array_equal(xp.sort(x, axis=axis, descending=descending), values)


def test_the_types_name_the_functions_and_parameters() -> None:
    """The declared parameters are those of NumPy's functions."""
    for module, functions in ((rt.array_api, np), (rt.array_api.linalg, np.linalg),
                              (rt.array_api.fft, np.fft)):  # fmt: skip
        tree = ast.parse(Path(module.__file__).read_text())
        block = next(each for each in tree.body if isinstance(each, ast.If))
        declared = {each.target.id: ast.unparse(each.annotation) for each in block.body
                    if isinstance(each, ast.AnnAssign)}  # fmt: skip
        imported = {a.name for each in block.body if isinstance(each, ast.ImportFrom)
                    for a in each.names if a.asname == a.name}  # fmt: skip
        modules = {"linalg", "fft", "__array_api_version__"}
        assert {*declared, *imported} | modules == {*module.__all__} | modules
        for name, kind in declared.items():
            if not kind.startswith("of."):
                continue
            called = getattr(signatures, kind.removeprefix("of.")).__call__
            parameters = inspect.signature(called).parameters.values()
            try:
                real = inspect.signature(getattr(functions, name)).parameters
            except ValueError:
                continue
            named = [each.name for each in parameters if each.kind is each.KEYWORD_ONLY]
            assert [] == [each for each in named if each not in real], name
