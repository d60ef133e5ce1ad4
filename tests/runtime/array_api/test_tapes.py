"""Functions of the array API under a tape agree with NumPy and finite differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.array_api.names import FFT
from runtime.errors import UnimplementedError
from runtime.executors import run
from tests.each import for_each

A = np.array([[2.1, 0.52, 0.3], [0.4, 3.2, 0.23], [0.7, 0.17, 1.6]])
xp = rt.constant(A).__array_namespace__()
PLACES = np.array([[2, 0, 1]])


def of_one(name: str) -> Callable[[Any], Any]:
    return lambda x: getattr(xp, name)(x * 0.3 if name in SMALL else x)


def of_two(name: str) -> Callable[[Any], Any]:
    return lambda x: getattr(xp, name)(x, x[::-1] * 0.7 + 0.6)


# Functions of one operand, or of one and itself turned round.
ONE = """
asin acos atan asinh atanh ceil conj cos cosh exp expm1 floor imag log log10
log1p log2 matrix_transpose max min negative positive prod real reciprocal round sign sin sinh
sort sqrt square std sum tan tanh tril triu trunc var
"""
SMALL = "asin acos atanh".split()
TWO = """
add atan2 divide hypot logaddexp matmul maximum minimum multiply pow remainder subtract tensordot
vecdot
"""
CALLS: dict[str, Callable[[Any], Any]] = {
    **{name: of_one(name) for name in ONE.split()},
    **{name: of_two(name) for name in TWO.split()},
    "abs": lambda x: xp.abs(x - 1),
    "acosh": lambda x: xp.acosh(x + 2),
    "broadcast_arrays": lambda x: xp.broadcast_arrays(x, x[:1])[1],
    "broadcast_to": lambda x: xp.broadcast_to(x, (2, 3, 3)),
    "clip": lambda x: xp.clip(x, 0.25, 1.75),
    "concat": lambda x: xp.concat([x, x * x], axis=1),
    "cumulative_prod": lambda x: xp.cumulative_prod(x, axis=1),
    "cumulative_sum": lambda x: xp.cumulative_sum(x, axis=0, include_initial=True),
    "diff": lambda x: xp.diff(x, axis=0),
    "expand_dims": lambda x: xp.expand_dims(x, axis=1),
    "fft.fft": lambda x: xp.real(xp.fft.fft(x) * (0.4 - 0.9j)),
    "fft.fftshift": lambda x: xp.fft.fftshift(x),
    "fft.ifftn": lambda x: xp.imag(xp.fft.ifftn(x)),
    "fft.irfft": lambda x: xp.fft.irfft(xp.fft.rfft(x, axis=0), n=5, axis=0),
    "flip": lambda x: xp.flip(x, axis=0),
    "mean": lambda x: xp.mean(x, axis=(0, 1), keepdims=True),
    "moveaxis": lambda x: xp.moveaxis(xp.broadcast_to(x, (2, 3, 3)), 0, -1),
    "permute_dims": lambda x: xp.permute_dims(x, (1, 0)),
    "repeat": lambda x: xp.repeat(x, 2, axis=1),
    "reshape": lambda x: xp.reshape(x, (9,)),
    "roll": lambda x: xp.roll(x, 1, axis=0),
    "squeeze": lambda x: xp.squeeze(x[:1], axis=0),
    "stack": lambda x: xp.stack([x, x * 2]),
    "take": lambda x: xp.take(x, xp.asarray([1, 0]), axis=0),
    "take_along_axis": lambda x: xp.take_along_axis(x, xp.asarray(PLACES), axis=0),
    "tile": lambda x: xp.tile(x, (2, 1)),
    "unstack": lambda x: xp.unstack(x, axis=1)[1],
    "where": lambda x: xp.where(x > 1, x * x, x),
    "linalg.cholesky": lambda x: xp.linalg.cholesky(x @ x.mT),
    "linalg.cross": lambda x: xp.linalg.cross(x, x * x[::-1]),
    "linalg.det": lambda x: xp.linalg.det(x),
    "linalg.diagonal": lambda x: xp.linalg.diagonal(x, offset=1),
    "linalg.eigh": lambda x: xp.linalg.eigh(x + x.mT).eigenvalues,
    "linalg.eigvalsh": lambda x: xp.linalg.eigvalsh(x + x.mT),
    "linalg.inv": lambda x: xp.linalg.inv(x),
    "linalg.matmul": lambda x: xp.linalg.matmul(x, x[0]),
    "linalg.matrix_norm": lambda x: xp.linalg.matrix_norm(x, ord=2),
    "linalg.matrix_power": lambda x: xp.linalg.matrix_power(x, -3),
    "linalg.outer": lambda x: xp.linalg.outer(x[0], x[1]),
    "linalg.pinv": lambda x: xp.linalg.pinv(x[:, :2]),
    "linalg.qr": lambda x: xp.linalg.qr(x).R,
    "linalg.slogdet": lambda x: xp.linalg.slogdet(x).logabsdet,
    "linalg.solve": lambda x: xp.linalg.solve(x, x * x),
    "linalg.svd": lambda x: xp.linalg.svd(x, full_matrices=False).S,
    "linalg.svdvals": lambda x: xp.linalg.svdvals(x),
    "linalg.tensordot": lambda x: xp.linalg.tensordot(x, x, axes=1),
    "linalg.trace": lambda x: xp.linalg.trace(x, offset=-1),
    "linalg.vecdot": lambda x: xp.linalg.vecdot(x, x * x, axis=0),
    "linalg.vector_norm": lambda x: xp.linalg.vector_norm(x, axis=1),
}


@for_each("name", CALLS)
def test_taped_functions_agree_with_numpy_and_finite_differences(name: str) -> None:
    call, x = CALLS[name], rt.constant(A)
    plain = call(x).numpy()
    weights = np.cos(np.arange(plain.size)).reshape(plain.shape)
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = call(x)
        total = rt.reduce_sum(y * weights)
    np.testing.assert_allclose(y.numpy(), plain, rtol=1e-12, atol=1e-12)
    assert plain.dtype == y.numpy().dtype
    found = tape.gradient(total, x, unconnected_gradients="zero").numpy()
    expected, step = np.zeros_like(A), 1e-6
    for place in np.ndindex(3, 3):
        bump = np.zeros_like(A)
        bump[place] = step
        ends = [np.sum(call(rt.constant(A + sign * bump)).numpy() * weights) for sign in (1, -1)]
        expected[place] = (ends[0] - ends[1]) / (2 * step)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)


@for_each("name", CALLS)
def test_functions_in_graphs_agree_with_eager_results(name: str) -> None:
    graph = rt.Graph("names")
    x = graph.add_input(rt.TensorSpec((3, 3), "float64"), "x")
    with graph.recording():
        graph.set_outputs([CALLS[name](x)])
    np.testing.assert_allclose(run(graph, [A])[0], CALLS[name](rt.constant(A)).numpy(), atol=1e-12)


@pytest.mark.parametrize("name", ["fft.hfft", "fft.rfftn", "fft.ihfft", "copysign", "nextafter"])
def test_functions_without_ops_are_refused_under_a_tape(name: str) -> None:
    assert name.partition(".")[2] in FFT.split() or "." not in name
    function: Any = xp
    for part in name.split("."):
        function = getattr(function, part)
    args = (1.0,) if name in ("copysign", "nextafter") else ()
    x = rt.constant(A)
    with rt.GradientTape() as tape:
        tape.watch(x)
        with pytest.raises(UnimplementedError, match="no op that a tape could note"):
            function(x, *args)
        with tape.stop_recording():
            assert 2 == function(x, *args).shape.rank
        # What the tape does not watch is computed as ever.
        function(rt.constant(A), *args)


def test_functions_without_gradients_run_under_a_tape() -> None:
    x = rt.constant(A)
    with rt.GradientTape() as tape:
        tape.watch(x)
        found = [xp.argmax(x), xp.isfinite(x), xp.signbit(x), xp.nonzero(x)[0], xp.argsort(x)]
        assert xp.result_type(x, xp.float32) is rt.float64
    assert ["int64", "bool", "bool", "int64", "int64"] == [each.dtype.name for each in found]
