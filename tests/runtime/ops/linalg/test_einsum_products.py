"""Equations of two arrays as products of matrices, against NumPy's loops over all labels."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.ops.linalg.einsum import einsum_product

_LABELS = "abcde"


@pytest.mark.parametrize("seed", range(5))
def test_random_equations(seed: int) -> None:
    numbers = np.random.default_rng(seed)
    products = 0
    for _ in range(300):
        sizes = dict(zip(_LABELS, numbers.integers(0, 5, len(_LABELS)), strict=True))
        terms = ["".join(numbers.permutation([*_LABELS])[: numbers.integers(1, 5)]) for _ in "xy"]
        known = numbers.permutation(sorted(set("".join(terms))))
        equation = f"{','.join(terms)}->{''.join(known[: numbers.integers(0, len(known) + 1)])}"
        x, y = (numbers.standard_normal([sizes[label] for label in term]) for term in terms)
        found = einsum_product(equation, x, y)
        if found is not None:
            products += 1
            expected = np.einsum(equation, x, y)
            assert found.shape == expected.shape, equation
            np.testing.assert_allclose(found, expected, 1e-12, 1e-12, err_msg=equation)
    assert products > 10


@pytest.mark.parametrize(
    "equation, x, y",
    [
        ("ij,ij->ij", (2, 3), (2, 3)),  # nothing is summed over
        ("ij,k->i", (2, 3), (4,)),  # what is summed over is in one operand alone
        ("ii,ij->j", (2, 2), (2, 3)),  # a diagonal
        ("...j,j->...", (2, 3), (3,)),
        ("ij,jk->ik", (2, 1), (3, 4)),  # one element stands for three
    ],
)
def test_equations_without_a_matrix_product_are_left_to_numpy(
    equation: str, x: tuple[int, ...], y: tuple[int, ...]
) -> None:
    assert einsum_product(equation, np.ones(x), np.ones(y)) is None


def test_eager_attention_agrees_with_a_graph() -> None:
    numbers = np.random.default_rng(0)
    q, k, v = (numbers.standard_normal((3, 17, 4, 16)).astype("float32") for _ in range(3))

    def attend(q: rt.Tensor, k: rt.Tensor, v: rt.Tensor) -> rt.Tensor:
        weights = rt.nn.softmax(rt.einsum("bqhd,bkhd->bhqk", q, k))
        return rt.einsum("bhqk,bkhd->bqhd", weights, v)

    at_once = attend(rt.constant(q), rt.constant(k), rt.constant(v)).numpy()
    assert ag.function(attend)(q, k, v).numpy().tobytes() == at_once.tobytes()
    scores = np.einsum("bqhd,bkhd->bhqk", q.astype("float64"), k)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    np.testing.assert_allclose(at_once, np.einsum("bhqk,bkhd->bqhd", weights, v), 1e-4, 1e-5)
