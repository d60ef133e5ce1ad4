"""Random numbers: reproducible streams and the shapes of their distributions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import DTypeError, InvalidArgumentError

DRAWS = [
    lambda: rt.random.uniform([3]),
    lambda: rt.random.normal([3]),
    lambda: rt.random.truncated_normal([3]),
    lambda: rt.random.shuffle(rt.range(20)),
    lambda: rt.random.uniform([3], maxval=1000, dtype="int32"),
    lambda: rt.random.uniform([3], seed=4),
]


@pytest.mark.parametrize("draw", DRAWS)
def test_a_seed_brings_the_same_numbers_and_another_others(draw: Any) -> None:
    runs = []
    for seed in (1, 1, 2):
        rt.random.set_seed(seed)
        runs.append([draw().numpy().tolist() for _ in range(2)])
    assert runs[0] == runs[1] != runs[2] and runs[0][0] != runs[0][1]


def test_the_numbers_of_a_seed_never_change() -> None:
    rt.random.set_seed(42)
    philox = np.random.Generator(np.random.Philox(np.random.SeedSequence([42, 0])))
    np.testing.assert_array_equal(rt.random.uniform([4]).numpy(), philox.random(4, np.float32))


def test_op_seeds_have_streams_of_their_own() -> None:
    rt.random.set_seed(1)
    first = [rt.random.uniform([2], seed=s).numpy().tolist() for s in (5, 6)]
    rt.random.set_seed(1)
    rt.random.uniform([100])
    assert [rt.random.uniform([2], seed=s).numpy().tolist() for s in (5, 6)] == first
    assert first[0] != first[1]


def test_bounds_and_dtypes() -> None:
    whole = rt.random.uniform([1000], 3, 6, "int64").numpy()
    assert set(whole) == {3, 4, 5} and whole.dtype == np.int64
    real = rt.random.uniform([1000], -1.0, 1.0, "float64").numpy()
    assert -1 <= real.min() < -0.9 and 0.9 < real.max() < 1 and real.dtype == np.float64
    assert abs(rt.random.truncated_normal([1000]).numpy()).max() <= 2
    bell = rt.random.normal([4000], 5.0, 2.0).numpy()
    assert abs(bell.mean() - 5) < 0.2 and abs(bell.std() - 2) < 0.2


def test_bad_bounds() -> None:
    with pytest.raises(InvalidArgumentError, match="Must specify maxval for integer dtype int32"):
        rt.random.uniform([1], dtype="int32")
    with pytest.raises(InvalidArgumentError, match="Need minval < maxval, got 5 >= 5"):
        rt.random.uniform([1], 5, 5, "int32")
    with pytest.raises(DTypeError, match="floats or integers, not bool"):
        rt.random.uniform([1], dtype="bool")


def test_stateless_numbers_depend_on_the_seed_alone() -> None:
    a = rt.random.stateless_uniform([3], [1, 2]).numpy().tolist()
    rt.random.uniform([5])
    assert a == rt.random.stateless_uniform([3], rt.constant([1, 2])).numpy().tolist()
    assert a != rt.random.stateless_uniform([3], [2, 1]).numpy().tolist()
    assert rt.random.stateless_normal([2], [0, 0], mean=100.0).numpy().min() > 50
    with pytest.raises(InvalidArgumentError, match="two numbers"):
        rt.random.stateless_uniform([3], [1])


def test_shuffling_keeps_the_rows() -> None:
    rows = rt.random.shuffle([[1, 2], [3, 4], [5, 6]]).numpy().tolist()
    assert sorted(rows) == [[1, 2], [3, 4], [5, 6]]


def test_generators_are_independent() -> None:
    a, b = (rt.random.Generator.from_seed(3) for _ in range(2))
    rt.random.set_seed(0)
    assert a.uniform([2]).numpy().tolist() == b.uniform([2]).numpy().tolist()
    assert a.normal([2]).numpy().tolist() == b.normal([2]).numpy().tolist()
    other = rt.random.Generator.from_non_deterministic_state()
    assert other.uniform([2], maxval=9, dtype="int32").dtype is rt.int32


def test_recorded_with_an_effect() -> None:
    graph = rt.Graph("f")
    with graph.recording():
        drawn = rt.random.normal([2, 3])
    assert drawn.shape == (2, 3) and drawn.node.op.effects == "random"
