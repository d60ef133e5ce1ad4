"""Stateless random numbers agree with TensorFlow, in all dtypes.

What is recorded was printed by TensorFlow 2.21 with the seed [1, 2], by the calls that stand here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import DTypeError, InvalidArgumentError, ShapeError, UnimplementedError

random = rt.random
SEED = [1, 2]


def shown(*tensors: rt.Tensor) -> list[Any]:
    return [tensor.numpy().tolist() for tensor in tensors]


def test_uniform_numbers_are_the_recorded_ones() -> None:
    first = [0.8440604209899902, 0.19204533100128174, 0.9962232112884521, 0.16038739681243896]
    assert [first] == shown(random.stateless_uniform([4], SEED))
    assert [3.9084229469299316] == shown(random.stateless_uniform([5], SEED, -2.0, 5.0)[0])
    assert [[0, 9, 4, 9, 7], [4, 8, 7, 3, 3]] == shown(
        *(random.stateless_uniform([5], SEED, 0, 10, d) for d in ("int32", "int64"))
    )


def test_whole_numbers_of_all_sizes_are_the_recorded_ones() -> None:
    expected = {
        "int32": [1105988140, 1738052849, -335576002],
        "int64": [7464880146280614444, 1591045637757961278, -1057468755545501549],
        "uint32": [1105988140, 1738052849, 3959391294],
        "uint64": [7464880146280614444, 1591045637757961278, 17389275318164050067],
    }
    for dtype, numbers in expected.items():
        assert [numbers] == shown(random.stateless_uniform([3], SEED, None, None, dtype))


def test_normal_numbers_are_the_recorded_ones() -> None:
    bell = [0.544110119342804, 0.20738030970096588, 0.0735643208026886, 0.04643455147743225]
    np.testing.assert_allclose(bell, random.stateless_normal([4], SEED).numpy(), rtol=1e-6)
    cut = [*bell, 0.16820591688156128, -1.6850333213806152, 0.24202857911586761]
    found = random.stateless_truncated_normal([7], SEED).numpy()
    np.testing.assert_allclose(cut, found, rtol=1e-6)


def test_orders_classes_and_seeds_are_the_recorded_ones() -> None:
    assert [[0, 3, 8, 1, 5, 4, 9, 7, 6, 2]] == shown(
        random.experimental.stateless_shuffle(list(range(10)), SEED)
    )
    assert [[[2, 2, 1, 2, 2, 2, 2], [0, 0, 0, 0, 0, 0, 0]]] == shown(
        random.stateless_categorical([[0.0, 1.0, 2.0], [3.0, 0.0, -1.0]], 7, SEED)
    )
    assert [[[1105988140, 1738052849], [-335576002, 370444179]]] == shown(random.split(SEED))
    assert [[1105988140, 5]] == shown(random.fold_in(SEED, 5))


def test_a_shape_ends_with_that_of_the_parameters() -> None:
    assert random.stateless_gamma([4, 2], SEED, [1.0, 2.0]).shape == (4, 2)
    with pytest.raises(ShapeError, match="does not end with the parameters' shape"):
        random.stateless_poisson([4], SEED, [1.0, 2.0])
    with pytest.raises(ShapeError, match="does not end with the parameters' shape"):
        random.stateless_binomial([4], SEED, [1.0, 2.0], [[0.5], [0.2]])


def test_binomial_numbers_have_the_moments_they_should() -> None:
    for count, chance in ((10.0, 0.3), (1000.0, 0.3), (50.0, 0.95), (7.0, 0.0), (7.0, 1.0)):
        drawn = random.stateless_binomial([20000], SEED, count, chance).numpy()
        mean, variance = count * chance, count * chance * (1 - chance)
        assert abs(drawn.mean() - mean) < 0.01 * mean + 0.01
        assert abs(drawn.var() - variance) < 0.05 * variance + 0.001
    odd = random.stateless_binomial([3], SEED, [-1.0, 3.0, 3.0], [0.5, 2.0, np.nan], "float32")
    np.testing.assert_equal(odd.numpy(), [0, 3, np.nan])
    assert random.stateless_poisson([2], SEED, -1.0).numpy().tolist() == [0, 0]


def test_stateless_numbers_depend_on_the_seed_alone() -> None:
    a = random.stateless_uniform([3], SEED).numpy().tolist()
    random.uniform([5])
    assert a == random.stateless_uniform([3], rt.constant(SEED)).numpy().tolist()
    assert a == random.stateless_uniform([3], SEED, alg="philox").numpy().tolist()
    assert a != random.stateless_uniform([3], [2, 1]).numpy().tolist()
    assert random.stateless_normal([2], [0, 0], mean=100.0).numpy().min() > 50


def test_a_graph_draws_the_same_numbers() -> None:
    graph = rt.Graph("f")
    with graph.recording():
        drawn = random.stateless_normal([3], SEED, dtype="float64")
    expected = random.stateless_normal([3], SEED, dtype="float64").numpy().tolist()
    assert expected == graph.known_value(drawn).tolist()


def test_bad_arguments() -> None:
    with pytest.raises(InvalidArgumentError, match="two numbers"):
        random.stateless_uniform([3], [1])
    with pytest.raises(DTypeError, match="the seed must be integers"):
        random.stateless_uniform([3], [1.0, 2.0])
    with pytest.raises(ValueError, match="both minval and maxval"):
        random.stateless_uniform([3], SEED, None, 5, "int32")
    with pytest.raises(DTypeError, match="int32 or int64, not uint32"):
        random.stateless_uniform([3], SEED, 0, 5, "uint32")
    with pytest.raises(UnimplementedError, match="ThreeFry"):
        random.stateless_uniform([3], SEED, alg="threefry")
    with pytest.raises(ValueError, match="no algorithm 'foo'"):
        random.stateless_uniform([3], SEED, alg="foo")


@pytest.mark.parametrize(
    ("shape", "seed", "counts", "probs", "recorded"),
    [
        ([3], [1, 2], 10.0, 0.5, [6, 6, 7]),
        ([3], [5, 0], 10.0, 0.4, [5, 3, 4]),
        ([3], [1, 2], 10.0, 0.9, [7, 9, 8]),
        ([8], [1, 2], 3.0, 0.5, [3, 2, 2, 2, 3, 2, 2, 0]),
        ([3, 2], [1, 2], [10.0, 20.0], [0.5, 0.3], [[6, 7], [6, 7], [7, 7]]),
        ([3], [1, 2], 100.0, 0.5, [56, 53, 57]),
        ([3], [1, 2], 10.0, 1.5, [10, 10, 10]),
        ([3], [1, 2], 10.0, -0.1, [0, 0, 0]),
        ([3], [1, 2], -1.0, 0.5, [0, 0, 0]),
    ],
)
def test_binomial_numbers_agree_with_tensorflow(
    shape: list[int], seed: list[int], counts: object, probs: object, recorded: list[int]
) -> None:
    found = rt.random.stateless_binomial(shape, seed, counts, probs)
    assert found.numpy().tolist() == recorded
