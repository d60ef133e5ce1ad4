"""NumPy's functions on symbolic tensors agree with NumPy in value, shape and dtype."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import ArgumentValueError, SymbolicTensorError
from runtime.executors.interpreter import run
from runtime.interop.numpy.functions import FUNCTIONS
from runtime.interop.numpy.protocol import BINARY, TESTS, TRUTHS, UNARY, name_of, recorded_call
from tests.each import for_each

VALUES = {
    "i": np.array([3, -1, 2], np.int32),
    "x": np.array([1.5, 2.5, 0.5], np.float32),
    "m": np.array([[1.0, 2.0], [3.0, 5.0]], np.float32),
    "k": np.array([[1, 2], [3, 4]], np.int32),
    "n": np.array([1.0, np.nan, -np.inf, np.inf, -2.0], np.float32),
}

EXPRESSIONS = """
np.fft.fft(x); np.fft.ifft(m, axis=0); np.fft.fftn(m); np.fft.ifftn(m, axes=(0,)); np.fft.rfft(m, 3)
np.fft.rfft(i); np.fft.irfft(m, axis=0); np.fft.irfft(x, 5); np.fft.fftshift(m)
np.fft.ifftshift(x, axes=0)
np.linalg.qr(m).R; np.linalg.qr(m, mode='complete').Q; np.linalg.svd(m, compute_uv=False)
np.linalg.svd(m)[1]; np.linalg.svd(m, full_matrices=False).S; np.linalg.svdvals(m)
np.linalg.eigh(m @ m.T).eigenvalues; np.linalg.eigvalsh(m @ m.T); np.linalg.eigvalsh(m @ m.T, 'U')
np.linalg.slogdet(m @ m.T).logabsdet; np.linalg.pinv(m); np.linalg.matrix_power(m @ m.T, 5)
np.linalg.matrix_power(m @ m.T, -2); np.linalg.matrix_power(m @ m.T, 0)
np.linalg.matmul(m, m[0]); np.linalg.tensordot(m, m, axes=[[1], [1]])
np.linalg.vecdot(m, m, axis=0)
np.linalg.outer(x, i); np.linalg.cross(x, x * x); np.linalg.matrix_norm(m, ord=1)
np.linalg.vector_norm(m, axis=1, keepdims=True); np.linalg.vector_norm(i, ord=1)
np.linalg.trace(m, offset=1); np.linalg.trace(k); np.linalg.trace(k, dtype=np.float32)
np.trace(np.stack([k, k, k * 2]), -1); np.trace(np.stack([m, m * 2]), axis1=2, axis2=1)
np.linalg.diagonal(m, offset=-1); np.matrix_transpose(m)
np.linalg.matrix_transpose(m); np.moveaxis(m, 0, 1); np.unstack(m, axis=1)[1]
np.broadcast_arrays(m, m[0])[1]; np.linalg.matrix_rank(m)
np.take_along_axis(m, np.array([[1, 0], [1, 1]]), axis=1)
np.cumulative_sum(x); np.cumulative_sum(m, axis=1, include_initial=True)
np.cumulative_prod(i, axis=0); np.real(x); np.imag(x); np.hypot(i, 2); np.logaddexp(x, i)
np.sum(i); np.sum(m, axis=0); np.sum(m, axis=1, keepdims=True); np.sum(i, dtype=np.float32)
np.mean(i); np.mean(m, 0); np.max(x); np.min(m, axis=1); np.amax(i); np.std(x); np.var(i)
np.prod(i); np.any(i > 1); np.all(i); np.argmax(i); np.argmin(m, axis=1); np.cumsum(i)
np.cumsum(m, axis=0); np.cumprod(x); np.where(i > 0, i, 0); np.where(x > 1, x, i); np.clip(x, 1, 2)
np.clip(x, 1, None); np.round(x); np.round(x, 1); np.concatenate([x, x]); np.concatenate([i, x])
np.concatenate([m, m], axis=None); np.concatenate([x, np.ones(2, np.float32)])
np.stack([x, x], axis=1); np.vstack([x, x]); np.hstack([x, x]); np.reshape(m, (4,)); np.ravel(m)
np.reshape(m, -1); np.transpose(m); np.swapaxes(m, 0, 1); np.dot(x, x); np.dot(m, m); np.inner(x, x)
np.outer(x, x); np.matmul(m, m); np.sort(x); np.sort(m, axis=0); np.argsort(x); np.zeros_like(i)
np.ones_like(m); np.full_like(x, 2); np.linalg.norm(x); np.linalg.norm(i)
np.linalg.norm(m, axis=1); np.linalg.inv(m); np.linalg.det(m); np.linalg.solve(m, m)
np.expand_dims(x, 0); np.squeeze(np.expand_dims(x, 0)); np.tile(x, 2); np.tile(x, (2, 2))
np.repeat(x, 2); np.flip(x); np.flip(m, 0); np.roll(x, 1); np.roll(m, 1, axis=1)
np.take(x, [0, -1]); np.diff(x); np.einsum('ij->i', m); np.tensordot(m, m, 1); np.trace(k)
np.diag(x); np.isclose(x, x); np.allclose(x, x + 1); np.array_equal(i, i); np.count_nonzero(i)
np.ptp(x); np.broadcast_to(x, (2, 3)); np.add.reduce(i); np.maximum.reduce(m); np.sum(i) / 3
np.sum(i) / np.sum(i + 1); np.mean(i) / 7; np.add(i, 1.5); np.multiply(x, 2); np.divide(i, 2)
np.power(x, 2); np.maximum(x, 1); np.subtract(i, x); np.arctan2(x, x); np.mod(i, 2)
np.logical_and(i, x); np.logical_not(i); np.bitwise_and(i, 1); np.isfinite(i); np.isnan(x)
np.linalg.cholesky(np.matmul(m, np.transpose(m))); np.matmul(x, x); np.matmul(m, x[:2]); x[:2] @ m
np.append(x, 5.0); np.append(m, m, axis=1); np.column_stack([x, x]); np.split(x, 3)[1]
np.split(x, [1, 2])[2]; np.array_split(x, 2)[0]; np.pad(x, 1); np.pad(m, 1, mode="reflect")
np.pad(i, (1, 0), constant_values=7); np.atleast_1d(x); np.atleast_1d(np.sum(i)); np.atleast_2d(x)
np.fliplr(m); np.flipud(m); np.triu(m); np.tril(k); np.unique(i); np.nonzero(i > 0)[0]
np.select([x > 2, x > 1], [x, -x], 0.0); np.vdot(m, m); np.polyval([1, 2, 3], i); np.polyval(x, 2.0)
np.copy(x); np.empty_like(i) * 0; np.linspace(np.sum(i), 9, 4); np.linspace(0, np.sum(x), 3)
np.logspace(0, np.sum(i), 3); np.meshgrid(x, i)[0]; np.meshgrid(x, i)[1]
np.meshgrid(x, i, indexing="ij")[1]
np.sum(i, dtype=int); np.zeros_like(x, dtype=int)
np.insert(x, 1, 5.0); np.insert(i, -1, 7); np.insert(m, 0, 2.0, axis=0)
np.insert(m, 2, 1.0, axis=1); np.insert(x, 3, 2); np.delete(x, 1); np.delete(i, -1)
np.delete(m, 0, axis=1); np.delete(m, 1)
np.searchsorted(x,1.0); np.searchsorted(np.sort(x),m); np.searchsorted(np.sort(i),2)
np.searchsorted([0.,1.,2.],x,side='right'); np.searchsorted(np.sort(x), 1); np.digitize(x,[1.,2.])
np.digitize(i,[0,2],right=True); np.isin(i,[2,3]); np.isin(m,x,invert=True); np.argwhere(m>1.5)
np.argwhere(i); np.bincount(abs(i)); np.bincount(abs(i),minlength=9)
np.bincount(abs(i),weights=x); np.quantile(x,0.3); np.quantile(m,[0.1,0.9],axis=1)
np.quantile(i,0.5); np.percentile(x,40); np.percentile(m,[10,90],axis=0,keepdims=True)
np.median(x); np.median(m); np.median(m,axis=0); np.median(i); np.median(m,axis=-1,keepdims=True)
np.median(m, keepdims=True); np.median(n); np.quantile(x, x/4); np.average(x)
np.average(x,weights=x); np.average(m,axis=0,weights=x[:2]); np.average(m,axis=1,weights=x[:2])
np.average(i); np.average(i,weights=[1,2,3]); np.average(m, axis=1); np.cov(x); np.cov(m)
np.cov(x,i); np.cov(m,rowvar=False); np.cov(m,ddof=0); np.cov(m,bias=True); np.corrcoef(x,i)
np.corrcoef(m); np.corrcoef(x); np.nansum(n); np.nansum(i); np.nanmean(n); np.nanmax(n)
np.nanmin(n); np.nanmax(i); np.nan_to_num(n); np.nan_to_num(i)
np.nan_to_num(n,nan=2.0,posinf=3.0); np.nansum(m,axis=0); np.nanmean(m,axis=1)
np.interp(1.5,np.sort(x),i); np.interp(x,[0.,1.,2.],[5.,3.,4.]); np.interp(m,[0.,4.],[0.,1.])
np.interp(np.array([-1.,9.]),np.sort(x),x); np.trapezoid(x); np.trapezoid(m,dx=0.5)
np.trapezoid(x,x=i); np.trapezoid(m,axis=0); np.trapezoid(i); np.trapezoid(m, x=x[:2], axis=0)
np.gradient(x); np.gradient(i); np.gradient(x,0.5); np.convolve(x,i); np.convolve(x,x[:2],'same')
np.convolve(x,x[:2],'valid'); np.convolve(x[:2],x,mode='same'); np.convolve(i,i,'same')
np.convolve(x,[1.,0.5]); np.correlate(x,x); np.correlate(x,x[:2]); np.correlate(x,i,'full')
np.correlate(i,x[:2],'full'); np.correlate(x,x[:2],'same'); np.correlate(x[:2],x,'valid')
np.correlate(x[:2],x,'full'); np.correlate(x[:2],x,'same'); np.cross(x,i); np.cross(x,x*x)
np.kron(x,i); np.kron(m,m); np.kron(m,x); np.linalg.solve(m,x[:2]); np.linalg.solve(m,m)
np.deg2rad(x); np.radians(i); np.rad2deg(x); np.degrees(x); np.cbrt(x); np.cbrt(-x); np.degrees(i)
np.add.outer(x,i); np.multiply.outer(x,m); np.add.accumulate(x); np.add.accumulate(m,axis=1)
np.multiply.accumulate(i); np.fix(x); np.square(x, dtype=np.float64)
"""
# What NumPy does not ask tensors about: converted code asks in its place.
MAKING = """
np.array(x); np.asarray(m); np.asanyarray(i); np.ascontiguousarray(x); np.asfortranarray(m)
np.array([x, x]); np.array([[i[0], i[1]], [i[2], i[0]]]); np.array(i, dtype=float)
np.array(x, ndmin=2)
np.array([i[0], x[0]]); np.zeros(i[0]); np.zeros((2, i[0]), int); np.ones((i[0],), np.float32)
np.empty(i[0]) * 0; np.full(i[0], 7); np.full((2, 2), x[0]); np.full((2, i[0]), True)
np.full((2, 3), x)
np.arange(i[0]); np.arange(1, i[0], 2); np.arange(i[0], 0, -1); np.arange(0.0, i[0], 0.5)
np.arange(i[0], dtype=np.float32); np.eye(i[0]); np.eye(2, i[0]); np.identity(i[0], int)
np.bool_(x); np.int8(x); np.int16(x); np.int32(x); np.int64(x); np.uint8(i + 1); np.uint16(i + 1)
np.uint32(i + 1); np.uint64(i + 1); np.float16(x); np.float32(i); np.float64(i); np.complex64(x)
np.complex128(x); np.sum([x, x], axis=0); np.max([x[0], x[1]]); np.add([x[0], x[1]], x[2])
np.maximum.reduce([x, -x]); np.stack([[x[0], x[1]], [x[1], x[2]]])
np.array([i[0], 2]); np.array([[i[0], 2], [3, 2**40]]); np.array([x[0], 2]); np.array([x[0], 2.5])
np.array([i[0] > 0, True]); np.stack([i[0], 2**40]); np.hstack([i[0], 3]); np.append(i, 5)
np.append(i, [5, 6]); np.concatenate([x, [16777217.0, 1, 2]]); np.dot(i, [2**30, 2, 2])
np.inner(i, [4, 2**31, 1]); np.outer(i, [4, 2**31]); np.matmul(i, [2**31, 3, 4])
np.power(i, [40, 2, 1])
np.multiply(i, [2**31, 4, 1]); np.add(i, [2**31, 1, 1]); np.maximum(x, [16777217.0, 0, 0])
np.multiply(i, np.array([2**31 - 1, 4, 1])); np.subtract(5, [i[0], 1]); np.divide(i, [2, 0.5, 4])
np.equal(i, 2**32 + 3); np.less(i, 2**40); np.greater(-(2**40), i); np.where(x > 0, 1, 0.5)
np.where(x > 0, [1, 2, 3], i); np.mean([i[0], 3]); np.mean([x[0], 3]); np.sum([i[0], 3])
np.max([i[0], 2**40]); np.sqrt([i[0], 2]); np.abs([i[0], -2]); np.tile([i[0], 1], 2)
np.sort([i[0], 1, -9]); np.cumsum([i[0], 1]); np.diff([i[0], 10]); np.dot([i[0], 1], [2, 3])
np.vstack([i, [1, 2, 3]]); np.array_equal(i, [3, -4, 1]); np.polyval([1, 2], i)
np.isclose(x, [1, 2, 3])
np.linspace(0, 1, i[0])
np.transpose([[i[0], 1], [2, 3]]); np.reshape([i[0], 1, 2, 3], (2, 2)); np.clip([i[0], 7], 0, 5)
"""
CASES, CASES_OF_MAKING = (
    [case.strip() for line in text.split("\n") for case in line.split(";") if case.strip()]
    for text in (EXPRESSIONS, MAKING)
)


class Calling:
    """NumPy as converted code calls it, or a function of its."""

    def __init__(self, of):
        self._of = of

    def __getattr__(self, name):
        found = getattr(self._of, name)
        is_name = isinstance(found, type) and found not in FUNCTIONS
        return found if is_name or not callable(found) else Calling(found)

    def __call__(self, *args, **kwargs):
        given = [each._of if isinstance(each, Calling) else each for each in args]
        named = {n: each._of if isinstance(each, Calling) else each for n, each in kwargs.items()}
        if not any(map(holds_symbolic, [*given, *named.values()])):
            return self._of(*given, **named)
        return recorded_call(self._of, tuple(given), named)


def holds_symbolic(value):
    if isinstance(value, (list, tuple)):
        return any(map(holds_symbolic, value))
    return isinstance(value, rt.SymbolicTensor)


def staged(function, values):
    graph = rt.Graph("numpy")
    inputs = {
        name: graph.add_input(rt.TensorSpec(v.shape, rt.as_dtype(v.dtype)), name)
        for name, v in values.items()
    }
    with graph.recording():
        result = function(**inputs)
    graph.set_outputs([result])
    arrays = [*values.values(), *(rt.convert_to_tensor(c.outer).numpy() for c in graph.captures)]
    return run(graph, arrays)[0]


@for_each("text", CASES)
def test_functions_agree_with_numpy(text):
    function = eval(f"lambda i, x, m, k, n: {text}")
    expected, found = np.asarray(function(**VALUES)), staged(function, VALUES)
    assert (expected.dtype, expected.shape) == (found.dtype, found.shape)
    np.testing.assert_allclose(expected, found, rtol=1e-5, atol=1e-6)


@for_each("text", CASES_OF_MAKING)
def test_functions_without_the_array_protocol_agree_with_numpy(text):
    code = compile(f"lambda i, x, m, k, n: {text}", text, "eval")
    expected = np.asarray(eval(code)(**VALUES))
    found = staged(eval(code, {"np": Calling(np)}), VALUES)
    assert (expected.dtype, expected.shape) == (found.dtype, found.shape)
    np.testing.assert_allclose(expected, found, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("text", ["np.add(i, 2**40)", "np.where(i > 0, i, 2**40)"])
def test_a_number_that_does_not_fit_raises_as_in_numpy(text):
    with pytest.raises(OverflowError, match="Python integer 1099511627776 out of bounds"):
        staged(eval(f"lambda i: {text}", {"np": Calling(np)}), {"i": VALUES["i"]})


@for_each("name", [*UNARY, *TESTS, *TRUTHS])
@for_each("of", ["x", "i"])
def test_elementwise_functions(name, of):
    ufunc = getattr(np, name)
    if (name, of) in (("invert", "x"), ("reciprocal", "i")):
        return
    values = {of: np.abs(VALUES[of]) / np.array(4, VALUES[of].dtype) if of == "x" else VALUES[of]}
    arguments = 2 if ufunc.nin == 2 else 1
    with np.errstate(all="ignore"):
        expected = ufunc(*[*values.values()] * arguments)
        found = staged(lambda **given: ufunc(*[*given.values()] * arguments), values)
    assert expected.dtype == found.dtype
    np.testing.assert_allclose(expected, found, rtol=1e-5)


@pytest.mark.parametrize(
    "name", [n for n in BINARY if n not in ("matmul", "arctan2", "hypot", "logaddexp")]
)
def test_functions_of_two_arguments(name):
    ufunc = getattr(np, name)
    values = {"a": VALUES["i"], "b": np.array([2, 1, 2], np.int32)}
    expected, found = ufunc(*values.values()), staged(lambda a, b: ufunc(a, b), values)
    assert expected.dtype == found.dtype
    np.testing.assert_array_equal(expected, found)


def test_an_array_beside_a_tensor_adopts_its_dtype_as_it_does_eagerly():
    eager = np.ones(3) * rt.constant(VALUES["x"])
    found = staged(lambda x: np.ones(3) * x - np.float64(1.0), {"x": VALUES["x"]})
    assert eager.dtype.as_numpy_dtype == found.dtype
    np.testing.assert_array_equal((eager - 1.0).numpy(), found)


def test_a_wider_scalar_adapts_to_the_tensor_beside_it():
    eager = rt.constant(VALUES["i"]) - np.sum(rt.constant(VALUES["i"]))
    found = staged(lambda i: i - np.sum(i), {"i": VALUES["i"]})
    assert (eager.dtype.name, eager.numpy().tolist()) == (found.dtype.name, found.tolist())


@pytest.mark.parametrize(
    "text, named",
    [
        ("np.histogram(x)", "np.histogram has no op"),
        ("np.sum(x, where=[True, False, True])", "np.sum with where= has no op"),
        ("np.add(x, x, out=np.zeros(3))", "changed by np.add with a value"),
        ("np.fft.hfft(x)", r"rt.numpy_function\(np.fft.hfft, "),
        (
            "np.pad(x, 1, mode='edge')",
            "np.pad in a graph takes mode 'constant', 'reflect' or 'symmetric'",
        ),
        ("np.heaviside(x, 1.0)", "np.heaviside has no op"),
        ("np.maximum.accumulate(x)", "np.maximum.accumulate has no op"),
        ("np.linalg.eigvals(m)", "np.linalg.eigvals has no op"),
        ("np.array(x)", "the rt op of the same name"),
    ],
)
def test_functions_without_an_op_are_refused_by_name(text, named):
    with pytest.raises((SymbolicTensorError, ArgumentValueError), match=named):
        staged(eval(f"lambda i, x, m, k, n: {text}"), VALUES)


@pytest.mark.parametrize(
    "text, named",
    [
        ("recorded_call(np.random.choice, (i[0],), {})", "np.random.choice has no op .* rt.random"),
        ("recorded_call(np.vectorize(len), (x,), {})", r"np.vectorize\(len\) has no op"),
        ("np.tri(i[0])", "np.tri has no op"),
        ("recorded_call(np.ones(3).fill, (x[0],), {})", r"changed by its .fill\(\) with a value"),
        ("np.put(np.ones(3), 0, x[0])", "changed by np.put with a value"),
    ],
)
def test_functions_without_an_op_are_refused_in_converted_code(text, named):
    with pytest.raises(SymbolicTensorError, match=named):
        names = {"np": Calling(np), "recorded_call": recorded_call}
        staged(eval(f"lambda i, x, m, k, n: {text}", names), VALUES)


def test_shape_ndim_and_size_of_symbolic_tensors():
    graph = rt.Graph("shapes")
    m = graph.add_input(rt.TensorSpec((2, 3), rt.float32), "m")
    with graph.recording():
        assert ((2, 3), 2, 6) == (np.shape(m), np.ndim(m), np.size(m))


def test_every_function_of_the_table_is_tested():
    without_value = {np.shape, np.ndim, np.size, np.around, np.amin}
    texts = EXPRESSIONS + MAKING
    words = set("".join(c if c.isalnum() or c in "._" else " " for c in texts).split())
    names = {
        name_of(f).replace("np.bool", "np.bool_").replace("bool__", "bool_")
        for f in FUNCTIONS
        if f not in without_value
    }
    assert set() == {
        name for name in names if name not in words and name.replace("max", "amax") not in words
    }


@pytest.mark.parametrize("values", [[1.0, np.nan, 3.0], [np.inf, np.nan, -np.inf], [1.0, 2.0, 0.0]])
@pytest.mark.parametrize("function", [np.argmax, np.argmin])
def test_argmax_with_nan_agrees_with_numpy(function, values) -> None:
    x = np.array(values)
    assert function(x) == staged(lambda x: function(x), {"x": x})


@pytest.mark.parametrize("array", [np.array([1.5]), np.float32([1.5]), np.float64(1.5)])
@pytest.mark.parametrize("apply", [lambda a, x: a + x, lambda a, x: a > x, lambda a, x: a * x])
def test_operators_of_arrays_raise_the_errors_of_eager_calls(array: Any, apply: Any) -> None:
    whole = rt.constant([1, 2])
    with pytest.raises(rt.errors.DTypeError):
        apply(array, whole)
    with pytest.raises(rt.errors.DTypeError):
        ag.function(lambda x: apply(array, x))(whole)


def test_the_function_promotes_as_numpy_does() -> None:
    found = ag.function(lambda x: np.add(np.array([1.5]), x))(rt.constant([1, 2]))
    assert (found.dtype, found.numpy().tolist()) == (rt.float64, [2.5, 3.5])


def test_vdot_takes_conjugates_of_the_first_operand() -> None:
    a, b = np.array([1 + 2j, 3 - 1j]), np.array([2 + 0j, 1 + 1j])
    assert np.vdot(a, b) == staged(lambda a, b: np.vdot(a, b), {"a": a, "b": b})
