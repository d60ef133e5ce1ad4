"""Matrices against NumPy."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.spec import TensorSpec
from runtime.core.tensor import EagerTensor
from runtime.errors import ArgumentValueError, DTypeError, InvalidArgumentError, ShapeError
from runtime.ops.op import REGISTRY

RNG = np.random.default_rng(0)
A, B = RNG.normal(size=(2, 3)), RNG.normal(size=(3, 4))
SQUARE = RNG.normal(size=(3, 3)) + 3 * np.eye(3)


def test_products_against_numpy() -> None:
    np.testing.assert_allclose(rt.matmul(A, B).numpy(), A @ B)
    np.testing.assert_allclose((rt.constant(A) @ B).numpy(), A @ B)
    np.testing.assert_allclose((A @ rt.constant(B)).numpy(), A @ B)
    np.testing.assert_allclose(rt.matmul(A.T, B, transpose_a=True).numpy(), A @ B)
    np.testing.assert_allclose(rt.matmul(A, B.T, transpose_b=True).numpy(), A @ B)
    batch = RNG.normal(size=(5, 2, 3))
    np.testing.assert_allclose(rt.matmul(batch, B).numpy(), batch @ B)


def test_products_of_integers() -> None:
    result = rt.matmul([[1, 2], [3, 4]], rt.eye(2, dtype="int32"))
    assert result.dtype is rt.int32 and result.numpy().tolist() == [[1, 2], [3, 4]]


def test_a_matrix_product_needs_compatible_matrices() -> None:
    with pytest.raises(ShapeError, match=r"matmul: shapes \(2, 3\) and \(2, 3\) do not multiply"):
        rt.matmul(A, A)
    with pytest.raises(ShapeError, match=r"shapes \(2, 3\) and \(3,\) are not both matrices"):
        rt.matmul(A, A[0])
    with pytest.raises(DTypeError):
        rt.matmul([[True]], [[True]])


def test_matrix_times_vector() -> None:
    np.testing.assert_allclose(rt.linalg.matvec(A, B[:, 0]).numpy(), A @ B[:, 0])
    np.testing.assert_allclose(
        rt.linalg.matvec(A, A[:, 0], transpose_a=True).numpy(), A.T @ A[:, 0]
    )


def test_transposes() -> None:
    cube = RNG.normal(size=(2, 3, 4))
    assert rt.transpose(cube).shape == (4, 3, 2)
    np.testing.assert_array_equal(rt.transpose(cube, [1, 0, 2]).numpy(), cube.transpose(1, 0, 2))
    np.testing.assert_array_equal(rt.linalg.matrix_transpose(cube).numpy(), np.swapaxes(cube, 1, 2))
    with pytest.raises(ShapeError, match="does not name each axis"):
        rt.transpose(cube, [0, 0, 1])


def test_eye() -> None:
    assert rt.eye(2).numpy().tolist() == [[1, 0], [0, 1]] and rt.eye(2).dtype is rt.float32
    np.testing.assert_array_equal(rt.eye(2, 3, dtype="int64").numpy(), np.eye(2, 3))
    assert rt.eye(2, batch_shape=[5]).shape == (5, 2, 2)


def test_factorisations_against_numpy() -> None:
    spd = SQUARE @ SQUARE.T
    np.testing.assert_allclose(rt.linalg.inv(SQUARE).numpy() @ SQUARE, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(rt.linalg.det(SQUARE).numpy(), np.linalg.det(SQUARE))
    lower = rt.linalg.cholesky(spd).numpy()
    np.testing.assert_allclose(lower @ lower.T, spd)
    np.testing.assert_allclose(SQUARE @ rt.linalg.solve(SQUARE, B).numpy(), B)
    with pytest.raises(InvalidArgumentError, match="rt.linalg.inv: a matrix is singular"):
        rt.linalg.inv([[0.0, 0.0], [0.0, 0.0]])
    with pytest.raises(ShapeError, match="square"):
        rt.linalg.det(A)


@pytest.mark.parametrize(
    "equation, operands",
    [
        ("ij,jk->ik", (A, B)),
        ("ij->ji", (A,)),
        ("ij,ij->", (A, A)),
        ("ij,jk", (A, B)),
        ("...ij,jk->...ik", (RNG.normal(size=(5, 2, 3)), B)),
        ("ii->i", (SQUARE,)),
        ("i,j->ij", (A[0], B[0])),
        ("ab,bc,cd->ad", (A, B, B.T)),
        ("...ii->...", (RNG.normal(size=(5, 3, 3)),)),
        ("iij->ij", (RNG.normal(size=(3, 3, 2)),)),
        ("aij,bjk,kc->abic", (RNG.normal(size=(2, 3, 3)), RNG.normal(size=(4, 3, 4)), B.T)),
        ("ij,jk->ik", (RNG.normal(size=(40, 50)), RNG.normal(size=(50, 30)))),
    ],
)
def test_einsum_against_numpy(equation: str, operands: tuple[np.ndarray, ...]) -> None:
    expected = np.einsum(equation, *operands)
    result = rt.einsum(equation, *operands)
    np.testing.assert_allclose(result.numpy(), expected)
    assert result.shape == expected.shape


@pytest.mark.parametrize(
    ("equation", "words"),
    [
        ("ij->ii", "the result has 'i' more than once"),
        ("ij->k", "the result has 'k', no operand has it"),
        ("i1->i", "an axis must be a letter, not '1'"),
        ("ij->i->j", "an axis must be a letter, not '-'"),
        ("......j->j", "an axis must be a letter, not '.'"),
    ],
)
def test_equations_are_refused_before_a_graph_runs(equation: str, words: str) -> None:
    spec = TensorSpec(None, rt.float32)
    with pytest.raises(ArgumentValueError, match=re.escape(f"einsum: {equation!r}: {words}")):
        rt.einsum(equation, A)
    with pytest.raises(ArgumentValueError, match=re.escape(words)):
        REGISTRY["einsum"].infer(spec, equation=equation)


def test_einsum_errors() -> None:
    with pytest.raises(ShapeError, match="the axis 'j' is both 3 and 2"):
        rt.einsum("ij,jk->ik", A, A)
    with pytest.raises(InvalidArgumentError, match="has 2 operands, got 1"):
        rt.einsum("ij,jk->ik", A)
    with pytest.raises(InvalidArgumentError, match="needs operands, got none"):
        rt.einsum("i->i")


@pytest.mark.parametrize("axes", [1, 0, [[1], [0]], [[-1], [0]]])
def test_tensordot_against_numpy(axes: object) -> None:
    np.testing.assert_allclose(rt.tensordot(A, B, axes).numpy(), np.tensordot(A, B, axes))


Z = np.array([[1 + 1j, 2], [3, 4 - 2j]])


def test_complex_numbers_are_conjugated() -> None:
    turned = np.conj(Z.T)
    np.testing.assert_array_equal(rt.matmul(Z, Z, adjoint_a=True).numpy(), turned @ Z)
    np.testing.assert_array_equal(rt.matmul(Z, Z, adjoint_b=True).numpy(), Z @ turned)
    mixed = rt.matmul(Z, Z, transpose_a=True, adjoint_b=True).numpy()
    np.testing.assert_array_equal(mixed, Z.T @ turned)
    np.testing.assert_array_equal(rt.transpose(Z, conjugate=True).numpy(), turned)
    np.testing.assert_array_equal(rt.linalg.matrix_transpose(Z, conjugate=True).numpy(), turned)
    vector = rt.linalg.matvec(Z, Z[0], adjoint_a=True).numpy()
    np.testing.assert_array_equal(vector, turned @ Z[0])
    np.testing.assert_allclose(rt.linalg.inv(Z, adjoint=True).numpy(), np.linalg.inv(turned))
    solved = rt.linalg.solve(Z, Z, adjoint=True).numpy()
    np.testing.assert_allclose(solved, np.linalg.solve(turned, Z))
    triangle = rt.linalg.triangular_solve(Z, Z, adjoint=True).numpy()
    np.testing.assert_allclose(triangle, np.linalg.solve(np.conj(np.tril(Z).T), Z))


def test_transposed_and_adjoint_are_one_or_the_other() -> None:
    with pytest.raises(InvalidArgumentError, match="transpose_a and adjoint_a"):
        rt.matmul(Z, Z, transpose_a=True, adjoint_a=True)


def test_a_product_may_be_computed_in_another_dtype() -> None:
    bytes_ = rt.constant([[100, 100]], rt.int8)
    found = rt.matmul(bytes_, bytes_, transpose_b=True, output_type=rt.int32)
    assert ("int32", [[20000]]) == (found.dtype.name, found.numpy().tolist())


@pytest.mark.parametrize("function", [rt.linalg.inv, rt.linalg.det, rt.linalg.cholesky])
def test_short_floats_are_refused_before_a_graph_runs(function: Callable[[Any], Any]) -> None:
    graph = rt.Graph()
    x = graph.add_input(TensorSpec((2, 2), rt.float16), "x")
    with graph.recording(), pytest.raises(DTypeError, match="not on float16: write rt.cast"):
        function(x)
    with pytest.raises(DTypeError, match="not on float16: write rt.cast"):
        function(rt.eye(2, dtype=rt.float16))


def _layouts(array: np.ndarray) -> Iterator[np.ndarray]:
    """The same numbers, as they may lie in memory."""
    wide = np.zeros([2 * size for size in array.shape], array.dtype)
    wide[::2, ::2] = array
    yield from (array, np.asfortranarray(array), wide[::2, ::2])
    yield np.ascontiguousarray(array[::-1, ::-1])[::-1, ::-1]


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "uint8", "int64", "complex64"])
def test_products_in_graphs_agree_for_all_memory_layouts(dtype: str) -> None:
    product = ag.function(lambda x, y: rt.linalg.matmul(x, y))
    numbers = np.random.default_rng(0)
    for rows, inner, columns in [(1, 3, 4), (3, 1, 1), (5, 7, 5), (2, 0, 3), (33, 20, 9)]:
        x = (numbers.standard_normal((rows, inner)) * 50).astype(dtype)
        y = (numbers.standard_normal((inner, columns)) * 50).astype(dtype)
        for one, other in itertools.product(_layouts(x), _layouts(y)):
            given = EagerTensor.over(one), EagerTensor.over(other)
            at_once = rt.linalg.matmul(*given).numpy()
            assert product(*given).numpy().tobytes() == at_once.tobytes()
            np.testing.assert_allclose(at_once, np.einsum("ij,jk", x, y), 1e-4, 1e-3)
