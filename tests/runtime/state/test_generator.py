"""Generators: TensorFlow's numbers and states, and their place in graphs.

What is recorded was printed by TensorFlow 2.21 by the calls that stand here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import DTypeError, InvalidArgumentError, ShapeError

Generator = rt.random.Generator


def shown(*tensors: Any) -> list[Any]:
    return [tensor.numpy().tolist() for tensor in tensors]


def test_numbers_and_states_are_the_recorded_ones() -> None:
    g = Generator.from_seed(1234, alg="philox")
    bell = [[0.9356608986854553, 1.0854305028915405, -0.937883734703064]]
    bell += [[-0.5061547160148621, 1.3169702291488647, 0.7137578725814819]]
    np.testing.assert_allclose(bell, g.normal([2, 3]).numpy(), rtol=1e-6)
    assert [[2770, 0, 0]] == shown(g.state)
    assert [
        [0.6512613296508789, 0.9295905828475952, 0.508733868598938],
        [2, 4, 7],
        [6684997737015905965, -571774197512731970, 7017644057421106535],
        [5394157901782015838, 17192996849532768131, 16034445036496181321],
        [-69199931, -401206638, 477802429],
    ] == shown(
        g.uniform([3]),
        g.uniform([3], maxval=10, dtype="int32"),
        g.uniform([3], None, None, dtype="int64"),
        g.uniform_full_int([3]),
        g.uniform_full_int([3], dtype="int32"),
    )
    cut = [-0.8347868919372559, 0.8408687114715576, -1.410402774810791, 0.24854294955730438]
    np.testing.assert_allclose(cut, g.truncated_normal([5]).numpy()[:4], rtol=1e-6)
    assert [[[-3474735750219672632, 6002889772828618313], [0, 0]]] == shown(g.make_seeds(2))
    assert [[8402, 0, 0]] == shown(g.state)


def test_keys_counters_and_skips_are_the_recorded_ones() -> None:
    g = Generator.from_key_counter(42, [0, 7], "philox")
    assert [[0.8627676963806152, 0.6567625999450684, 0.9905458688735962]] == shown(g.uniform([3]))
    assert 0.36975772851298927 == pytest.approx(g.normal([], dtype="float64").numpy(), rel=1e-14)
    assert [[1024, 7, 42]] == shown(g.skip(2))
    assert [[1536, 7, 42], 42] == shown(g.state, g.key)
    high = Generator.from_key_counter(2**64 - 1, [2**64 - 1, 2**63], "philox")
    assert [[0.7478837966918945, 0.4210240840911865]] == shown(high.uniform([9])[:2])
    assert [[2303, -9223372036854775807, -1]] == shown(high.state)


def test_seeds_become_the_recorded_states() -> None:
    expected = {
        1: [1, 0, 0],
        -1: [-1, -1, -1],
        2**130 + 2**64 * 5 + 2**63 + 1: [-9223372036854775807, 5, 4],
    }
    for seed, state in expected.items():
        assert [state] == shown(Generator.from_seed(seed).state)
    assert [[1, 2, 3]] == shown(Generator.from_seed([1, 2, 3, 4]).state)
    assert [[0, 0, 1]] == shown(Generator.from_seed([1]).state)
    children = Generator.from_seed(7).split(2)
    states = [[0, 0, 784853886890614065], [0, 0, 8349095772848317176]]
    assert states == shown(*(child.state for child in children))


def test_reset_restores_the_state() -> None:
    g = Generator.from_seed(5)
    first = g.uniform([2]).numpy().tolist()
    g.reset_from_seed(5)
    assert [first] == shown(g.uniform([2]))
    g.reset([5, 0, 0])
    assert [first] == shown(g.uniform([2]))
    g.reset_from_key_counter(0, [5, 0])
    copy = Generator(copy_from=g)
    assert [first, first] == shown(g.uniform([2]), copy.uniform([2]))


def test_generators_are_independent_of_seeds() -> None:
    a, b = (Generator.from_seed(3) for _ in range(2))
    rt.random.set_seed(0)
    assert shown(a.uniform([2]), a.normal([2])) == shown(b.uniform([2]), b.normal([2]))
    other, another = (Generator.from_non_deterministic_state() for _ in range(2))
    assert shown(other.uniform([4])) != shown(another.uniform([4]))
    assert other.binomial([3], 5.0, 1.0).numpy().tolist() == [5, 5, 5]


def test_the_global_generator_can_be_replaced() -> None:
    before = rt.random.get_global_generator()
    rt.random.set_global_generator(Generator.from_seed(1234))
    first = rt.random.get_global_generator().uniform([1])
    assert first.numpy() == Generator.from_seed(1234).uniform([1]).numpy()
    rt.random.set_global_generator(before)


def test_a_function_continues_the_generator_state() -> None:
    g, plain = Generator.from_seed(9), Generator.from_seed(9)

    @ag.function
    def draw(n: Any) -> Any:
        total = rt.zeros([2])
        for _ in range(n):
            total += g.uniform([2])
        return total + g.normal([2])

    def drawn(n: int) -> Any:
        total = rt.zeros([2])
        for _ in range(n):
            total += plain.uniform([2])
        return total + plain.normal([2])

    for n in (3, 0, 2):
        np.testing.assert_array_equal(drawn(n).numpy(), draw(rt.constant(n)).numpy())
    assert shown(g.state) == shown(plain.state)


def test_a_function_draws_the_numbers_of_eager_calls() -> None:
    def draw(g: Generator, n: Any) -> Any:
        total = g.uniform([2])
        for _ in range(n):
            total += g.normal([2]) + rt.random.stateless_uniform([2], [3, 4])
        return total

    staged = ag.function(draw)
    runs = []
    for function, n in ((draw, 3), (staged, rt.constant(3)), (staged, rt.constant(3))):
        g = Generator.from_seed(8)
        runs.append(shown(function(g, n), function(g, n)))
    assert runs[0] == runs[1] == runs[2] and runs[0][0] != runs[0][1]


def test_numbers_of_dynamic_shapes() -> None:
    g, plain = Generator.from_seed(9), Generator.from_seed(9)

    @ag.function(input_signature=[rt.TensorSpec([None], rt.float32)])
    def like(x: Any) -> Any:
        return g.uniform(rt.shape(x))

    for size in (3, 5):
        assert shown(plain.uniform([size])) == shown(like(rt.zeros([size])))


def test_bad_arguments() -> None:
    with pytest.raises(ShapeError, match=r"must have shape \(3,\), not \(2,\)"):
        Generator.from_state([1, 2], "philox")
    with pytest.raises(ShapeError, match="the counter of a generator"):
        Generator.from_key_counter(1, [1, 2, 3], "philox")
    with pytest.raises(InvalidArgumentError, match="give state and alg"):
        Generator()
    with pytest.raises(DTypeError, match="the state of a generator must be int64, not float32"):
        Generator(state=rt.Variable([1.0, 2.0, 3.0]), alg=1)
    with pytest.raises(ValueError, match="no algorithm"):
        Generator.from_seed(1, alg="dice")


def test_skips_are_multiplied_in_64_bits() -> None:
    g, states = Generator.from_seed(1), []
    for count in (-1, 1, 2**60, 2**56 - 1, 2**56 - 1):
        g.skip(count)
        states.append(g.state.numpy().tolist())
    assert [[-255, 0, 0], [1, 1, 0], [1, 1, 0], [-255, 1, 0], [-511, 1, 0]] == states


@pytest.mark.parametrize(
    "draw",
    [
        lambda g: g.uniform([-2]),
        lambda g: g.uniform([2], 0, "x"),
        lambda g: g.uniform([2], dtype=rt.string),
        lambda g: g.uniform([2], dtype=rt.int32),
        lambda g: g.normal([2], mean=[1.0, 2.0, 3.0]),
        lambda g: g.truncated_normal([2], dtype=rt.int32),
        lambda g: g.binomial([2], [1.0, 2.0, 3.0], [0.5]),
        lambda g: g.make_seeds(-3),
    ],
)
def test_a_failed_draw_keeps_the_generator_state(draw: Any) -> None:
    g = Generator.from_seed(1)
    before = g.state.numpy().tolist()
    with pytest.raises(InvalidArgumentError):
        draw(g)
    assert before == g.state.numpy().tolist()
