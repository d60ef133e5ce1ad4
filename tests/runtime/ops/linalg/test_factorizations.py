"""Factorizations multiply to the matrix, and gradients are right, also complex ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import DTypeError, InvalidArgumentError, ShapeError, UnimplementedError

RNG = np.random.default_rng(7)
REAL = RNG.normal(size=(2, 3, 3))
COMPLEX = RNG.normal(size=(3, 3)) + 1j * RNG.normal(size=(3, 3))
TALL = RNG.normal(size=(4, 2)) + 1j * RNG.normal(size=(4, 2))
MATRICES = [REAL, COMPLEX, TALL, TALL.T, TALL.real]


def hermitian(x: np.ndarray) -> np.ndarray:
    return np.conj(np.swapaxes(x, -1, -2))


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("a", MATRICES, ids=lambda a: f"{a.dtype}{a.shape}")
def test_qr_and_svd_multiply_to_the_matrix(a: np.ndarray, full: bool) -> None:
    q, r = (x.numpy() for x in rt.linalg.qr(a, full_matrices=full))
    np.testing.assert_allclose(q @ r, a, atol=1e-12)
    np.testing.assert_allclose(np.tril(r, -1), 0, atol=1e-14)
    s, u, v = (x.numpy() for x in rt.linalg.svd(a, full_matrices=full))
    k = s.shape[-1]
    np.testing.assert_allclose(
        (u[..., :k] * s[..., None, :]) @ hermitian(v[..., :k]), a, atol=1e-12
    )
    np.testing.assert_allclose(
        hermitian(u) @ u, np.eye(u.shape[-1]) + 0 * s[..., :1, None], atol=1e-12
    )
    alone = rt.linalg.svd(a, compute_uv=False).numpy()
    np.testing.assert_allclose(alone, np.linalg.svd(a, compute_uv=False))


def test_eigenvalues_and_vectors_belong_together() -> None:
    for a in (REAL, COMPLEX):
        values, vectors = (x.numpy() for x in rt.linalg.eig(a))
        assert np.iscomplexobj(values) and np.iscomplexobj(vectors)
        np.testing.assert_allclose(a @ vectors, vectors * values[..., None, :], atol=1e-12)
        np.testing.assert_allclose(rt.linalg.eigvals(a).numpy(), np.linalg.eigvals(a))
        both = a + hermitian(a)
        values, vectors = (x.numpy() for x in rt.linalg.eigh(both))
        np.testing.assert_allclose(both @ vectors, vectors * values[..., None, :], atol=1e-12)
        np.testing.assert_allclose(rt.linalg.eigvalsh(both).numpy(), np.linalg.eigvalsh(both))


def test_real_matrices_have_complex_eigenvalues_of_their_width() -> None:
    assert "complex64" == rt.linalg.eigvals(REAL.astype(np.float32)).dtype.name
    assert "complex128" == rt.linalg.eig(REAL)[1].dtype.name
    assert "float32" == rt.linalg.eigvalsh(REAL.astype(np.complex64)).dtype.name


def gradient(loss: Callable[[Any], Any], at: np.ndarray) -> np.ndarray:
    """dL/dx + i dL/dy by central differences."""
    found, step = np.zeros_like(at), 1e-6
    for place in np.ndindex(*at.shape):
        for axis in (1.0, 1j) if at.dtype.kind == "c" else (1.0,):
            bump = np.zeros_like(at)
            bump[place] = step * axis
            up, down = (float(loss(rt.constant(at + sign * bump))) for sign in (1, -1))
            found[place] += axis * (up - down) / (2 * step)
    return found


def weighted(x: Any) -> Any:
    """A number made of a tensor, whose phases count for nothing."""
    size = rt.math.real(x) ** 2 + rt.math.imag(x) ** 2 if x.dtype.is_complex else x * x
    return rt.reduce_sum(size * np.cos(np.arange(x.numpy().size)).reshape(x.shape))


def projector(x: Any) -> Any:
    """The same for all phases of the first column."""
    first = x[..., :1]
    return rt.math.real(rt.matmul(first, first, adjoint_b=True) * (0.4 - 0.3j))


def of_svd(x: Any) -> Any:
    s, u, v = rt.linalg.svd(x)
    part = rt.matmul(u[:, :1], v[:, :1], adjoint_b=True)
    return weighted(s) + weighted(projector(u)) + rt.math.real(rt.reduce_sum(part * (1 + 2j)))


def of_qr(x: Any) -> Any:
    q, r = rt.linalg.qr(x)
    return rt.math.real(rt.reduce_sum(q * (0.3 + 1j)) + rt.reduce_sum(r * r * (1 - 0.5j)))


def of_eigh(x: Any) -> Any:
    values, vectors = rt.linalg.eigh(x + rt.linalg.adjoint(x))
    return weighted(values) + weighted(projector(vectors))


def of_eig(x: Any) -> Any:
    values, vectors = rt.linalg.eig(x)
    order = np.lexsort((values.numpy().imag, values.numpy().real))
    ordered = rt.gather(values, order), rt.gather(vectors, order, axis=1)
    return weighted(ordered[0] * (1 + 0.5j) + 0.3j) + weighted(ordered[1])


def of_eigvals(x: Any) -> Any:
    values = rt.linalg.eigvals(x)
    return rt.math.real(rt.reduce_sum(values * values * (1 + 0.5j)))


def of_lu(x: Any) -> Any:
    return rt.math.real(rt.reduce_sum(rt.linalg.lu(x).lu * (0.3 + 1j)))


def of_slogdet(x: Any) -> Any:
    sign, size = rt.linalg.slogdet(x)
    return size + rt.math.real(sign * (0.4 + 2j))


def of(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def loss(x: Any) -> Any:
        y = function(x)
        weights = np.exp(1j * np.arange(y.numpy().size)).reshape(y.shape)
        return rt.reduce_sum(rt.math.real(y * weights))

    return loss


LOSSES = [
    *((of_svd, a) for a in (COMPLEX, TALL, TALL.T)),
    *((of_qr, a) for a in (COMPLEX, TALL, TALL.T)),
    *((loss, COMPLEX) for loss in (of_eigh, of_eig, of_eigvals, of_lu, of_slogdet)),
    *((loss, REAL[0]) for loss in (of_eig, of_eigvals)),
    *((of(f), COMPLEX) for f in (rt.linalg.expm, rt.linalg.sqrtm, rt.linalg.inv)),
    *((of(rt.linalg.pinv), a) for a in (COMPLEX, TALL, TALL.T)),
    (of(lambda x: rt.linalg.solve(x, x * x, adjoint=True)), COMPLEX),
    (of(lambda x: rt.transpose(x, conjugate=True) @ x), COMPLEX),
]


@pytest.mark.parametrize("loss, at", LOSSES)
def test_gradients_agree_with_finite_differences(
    loss: Callable[[Any], Any], at: np.ndarray
) -> None:
    x = rt.constant(at)
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = loss(x)
    np.testing.assert_allclose(
        tape.gradient(y, x).numpy(), gradient(loss, at), rtol=2e-6, atol=2e-7
    )


def test_the_gradient_of_equal_eigenvalues_is_finite() -> None:
    x = rt.constant(np.eye(3))
    with rt.GradientTape() as tape:
        tape.watch(x)
        values, vectors = rt.linalg.eigh(x)
        y = rt.reduce_sum(vectors * values @ rt.transpose(vectors))
    # Such vectors may turn as they like, and what they lose by that counts as nothing.
    np.testing.assert_allclose(tape.gradient(y, x).numpy(), np.eye(3), atol=1e-12)


# What TensorFlow 2.21 gives of [[2, 1], [1, 3]], in float32.
S = rt.constant([[2.0, 1.0], [1.0, 3.0]])
RECORDED = [
    (lambda x: rt.linalg.eigvalsh(x), [[1, 0], [0, 1]]),
    (
        lambda x: rt.linalg.eigh(x)[0] * [1.0, 2.0],
        [[1.276393175125122, 0.0], [0.8944271206855774, 1.7236065864562988]],
    ),
    (
        lambda x: rt.linalg.qr(x),
        [[0.3577709197998047, -1.341640591621399], [-2.9516098499298096, 0.44721361994743347]],
    ),
    (lambda x: rt.linalg.slogdet(x)[1], [[0.6, -0.2], [-0.2, 0.4]]),
    (lambda x: rt.linalg.pinv(x), [[-0.16, -0.08], [-0.08, -0.04]]),
    (lambda x: rt.norm(x, 2, axis=[0, 1]), [[0.27639323, 0.44721365], [0.44721365, 0.72360688]]),
    (
        lambda x: rt.linalg.sqrtm(x),
        [[0.3000980019569397, 0.26760604977607727], [0.2676060199737549, 0.24278438091278076]],
    ),
]


@pytest.mark.parametrize("function, expected", RECORDED)
def test_gradients_agree_with_tensorflow(function: Any, expected: Any) -> None:
    with rt.GradientTape() as tape:
        tape.watch(S)
        y = function(S)
    np.testing.assert_allclose(tape.gradient(y, S).numpy(), expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("factor", [rt.linalg.qr, rt.linalg.svd])
def test_undetermined_vectors_have_no_gradient(factor: Any) -> None:
    x = rt.constant(TALL.real)
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = factor(x, full_matrices=True)
    with pytest.raises(UnimplementedError, match=r"of shape \(4, 2\) with full_matrices=True"):
        tape.gradient(y, x)


FUNCTIONS = "qr svd eigh eigvalsh eig eigvals lu expm sqrtm slogdet pinv matrix_rank"


@pytest.mark.parametrize("name", FUNCTIONS.split())
def test_invalid_matrices_are_refused(name: str) -> None:
    function = getattr(rt.linalg, name)
    with pytest.raises(DTypeError, match="not on int32"):
        function([[1, 2], [3, 4]])
    with pytest.raises(DTypeError, match="32 bits or more, not on float16"):
        function(rt.constant([[1.0]], rt.float16))
    with pytest.raises(ShapeError, match="rank 2 or more"):
        function([1.0, 2.0])
    if name in ("eigh", "eigvalsh", "eig", "eigvals", "lu", "expm", "sqrtm", "slogdet"):
        with pytest.raises(ShapeError, match="square"):
            function([[1.0, 2.0]])


def test_a_matrix_without_inverse_has_no_lu() -> None:
    with pytest.raises(InvalidArgumentError, match="not invertible"):
        rt.linalg.lu([[1.0, 2.0], [2.0, 4.0]])


GRAPHED = [
    (lambda x: rt.linalg.qr(x).r, (4, 2)),
    (lambda x: rt.linalg.qr(x).r, (2, 4)),
    (lambda x: rt.linalg.svd(x)[0], (4, 2)),
    (lambda x: rt.linalg.eigh(x)[0], (3, 3)),
    (lambda x: rt.linalg.lu(x).lu, (3, 3)),
    (rt.linalg.expm, (2, 3, 3)),
    (rt.linalg.sqrtm, (2, 3, 3)),
    (rt.linalg.pinv, (4, 2)),
    (lambda x: rt.linalg.set_diag(x, x[0, :2], k=1), (2, 4)),
]


@pytest.mark.parametrize("function, shape", GRAPHED)
def test_gradients_have_static_shapes(function: Any, shape: tuple[int, ...]) -> None:
    graph = rt.Graph("slopes")
    x = graph.add_input(rt.TensorSpec(shape, "float64"), "x")
    with graph.recording():
        assert shape == rt.gradients(function(x), x)[0].shape


def test_matrices_without_elements() -> None:
    assert (0, 0) == rt.linalg.lu(np.zeros((0, 0))).lu.shape
    assert (0,) == rt.linalg.svd(np.zeros((0, 3)))[0].shape
    assert (3, 0) == rt.linalg.pinv(np.zeros((0, 3))).shape
    assert (0, 2, 2) == rt.linalg.sqrtm(np.zeros((0, 2, 2))).shape
