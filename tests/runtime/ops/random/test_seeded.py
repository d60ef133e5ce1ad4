"""Random numbers by seeds: TensorFlow's eager numbers, streams, and the shapes of distributions.

What is recorded was printed by TensorFlow 2.21 after `tf.random.set_seed(42)`, if nothing else is
said, by the calls that stand here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import DTypeError, InvalidArgumentError, ShapeError

random = rt.random
DRAWS = [
    lambda: random.uniform([3]),
    lambda: random.normal([3]),
    lambda: random.truncated_normal([3]),
    lambda: random.shuffle(rt.range(20)),
    lambda: random.uniform([3], maxval=1000, dtype="int32"),
    lambda: random.uniform([3], seed=4),
    lambda: random.categorical([[0.0, 0.0, 0.0]], 40),
    lambda: random.gamma([3], 2.0),
    lambda: random.poisson([30], 2.0),
]


@pytest.fixture(autouse=True)
def seeded() -> None:
    random.set_seed(42)


def shown(*tensors: rt.Tensor) -> list[Any]:
    return [tensor.numpy().tolist() for tensor in tensors]


def close(expected: list[Any], *tensors: rt.Tensor, tolerance: float = 1e-6) -> None:
    for numbers, tensor in zip(expected, tensors, strict=True):
        np.testing.assert_allclose(numbers, tensor.numpy(), rtol=tolerance)


@pytest.mark.parametrize("draw", DRAWS)
def test_a_seed_determines_the_numbers(draw: Any) -> None:
    runs = []
    for seed in (1, 1, 2):
        random.set_seed(seed)
        runs.append([draw().numpy().tolist() for _ in range(2)])
    assert runs[0] == runs[1] != runs[2] and runs[0][0] != runs[0][1]


UNIFORM = {
    "float16": [
        [0.0927734375, 0.7275390625, 0.8134765625, 0.041015625, 0.74609375],
        [[-0.974609375, 2.25390625, 1.53125], [2.578125, 1.06640625, 2.59375]],
    ],
    "float64": [
        [0.3164974682796873, 0.8230606475183415, 0.26928379327929086, 0.9209402033545906]
        + [0.8106113955810608],
        [
            [0.5156526405781401, 0.23977926422084694, 2.246160945785867],
            [0.8699312894543083, 1.9702532118855283, -1.53583911343158],
        ],
    ],
}


@pytest.mark.parametrize("dtype", UNIFORM)
def test_uniform_floats_are_the_recorded_ones(dtype: str) -> None:
    expected = UNIFORM[dtype]
    drawn = random.uniform([5], dtype=dtype), random.uniform([2, 3], -2.0, 3.0, dtype=dtype)
    assert expected == shown(*drawn)


def test_the_first_numbers_of_a_seed_are_the_recorded_ones() -> None:
    expected = [
        [0.6645621061325073, 0.44100677967071533, 0.3528825044631958],
        [0.6878912448883057, 0.4844788312911987, 0.9309943914413452],
    ]
    assert np.float32(expected).tolist() == shown(random.uniform([3]), random.uniform([3]))


def test_whole_numbers_are_the_recorded_ones() -> None:
    bounds = [(0, 10, 6), (-5, 1000000, 6), (-(2**31), 2**31 - 1, 4)]
    expected = {
        "int32": [
            [7, 9, 1, 6, 2, 4],
            [99933, 576728, 733224, 490549, 577187, 17443],
            [2011096356, 22049844, 1568815529, 1437330476],
        ],
        "int64": [
            [1, 7, 6, 1, 7, 2],
            [438961, 140943, 266720, 875926, 273865, 414154],
            [-114337447, 858662358, 124892882, -1349772440],
        ],
    }
    for dtype, numbers in expected.items():
        random.set_seed(42)
        drawn = [random.uniform([n], low, high, dtype) for low, high, n in bounds]
        assert numbers == shown(*drawn)
    random.set_seed(7)
    wide = random.uniform([3], -(2**62), 2**62, "int64")
    assert [[-2909924639257211038, -430664847610308497, -2560133903500781316]] == shown(wide)


def test_normal_numbers_are_the_recorded_ones() -> None:
    close(
        [
            [0.32746851444244385, -0.8426257967948914, 0.31943368911743164, -1.407551884651184],
            [[-1.7473262548446655, -4.582711219787598], [-0.8656308650970459, -2.0155887603759766]],
        ],
        random.normal([4]),
        random.normal([2, 2], -2.0, 3.0),
    )
    random.set_seed(42)
    close(
        [[-1.3598275767565153, 0.6721227823730763, -0.7719790981854914]],
        random.normal([3], dtype="float64"),
        tolerance=1e-14,
    )


def test_truncated_numbers_are_the_recorded_ones() -> None:
    close(
        [
            [0.32746851444244385, -0.8426257967948914, 0.31943368911743164, -1.407551884651184]
            + [-0.5677412152290344, 0.06361792981624603, 0.8765010237693787, 1.1462079286575317]
            + [0.34531348943710327]
        ],
        random.truncated_normal([9]),
    )
    random.set_seed(42)
    close(
        [[-1.3598275767565153, 0.6721227823730763, 0.3117719410137968, 1.1205097819541383]],
        random.truncated_normal([4], dtype="float64"),
        tolerance=1e-14,
    )


def test_orders_are_the_recorded_ones() -> None:
    rows = [[i, i] for i in range(5)]
    assert [
        [7, 6, 3, 0, 8, 9, 5, 4, 1, 2],
        [[3, 3], [4, 4], [1, 1], [0, 0], [2, 2]],
        [1],
        [],
        [2, 4, 5, 0, 6, 3, 1],
    ] == shown(
        random.shuffle(list(range(10))),
        random.shuffle(rows),
        random.shuffle([1]),
        random.shuffle(rt.zeros([0])),
        random.shuffle(list(range(7))),
    )


def test_classes_are_the_recorded_ones() -> None:
    odd = [[0.0, float("-inf"), float("nan"), float("inf")]]
    assert [
        [[1, 2, 1, 2, 2, 2, 0], [0, 0, 0, 0, 0, 0, 0]],
        [[1, 2, 2, 0, 2, 2, 2]],
        [[2, 2, 2, 1, 0, 2, 2]],
        [[0, 0, 0, 0]],
    ] == shown(
        random.categorical([[0.0, 1.0, 2.0], [3.0, 0.0, -1.0]], 7),
        random.categorical([[0.0, 1.0, 2.0]], 7, dtype="int32", seed=3),
        random.categorical([[0.0, 1.0, 2.0]], 7, dtype="int32", seed=3),
        random.categorical(odd, 4),
    )


def test_gamma_and_poisson_numbers_are_the_recorded_ones() -> None:
    close(
        [
            [2.69366717338562, 2.094008684158325, 0.9814205169677734, 0.2744981050491333],
            [[0.23910531401634216, 0.7753950357437134], [2.9030885696411133, 3.5112743377685547]],
            [0.14975135028362274, 2.735537052154541, 2.4722557067871094],
            [0.5511856925454179, 1.6150119182048162, 0.5181379980524436, 0.8606582331952982],
        ],
        random.gamma([4], 2.0),
        random.gamma([3], [0.5, 3.0])[:2],
        random.gamma([3], 1.0),
        random.gamma([4], 2.5, 3.0, dtype="float64"),
    )
    random.set_seed(42)
    expected = [[3, 3, 3, 1, 2], [[0, 30], [0, 36], [0, 35]]]
    assert expected == shown(random.poisson([5], 2.0), random.poisson([3], [0.5, 30.0]))


def test_op_seeds_continue_per_kind_of_op() -> None:
    floats = [
        [0.15012848377227783, 0.6399253606796265, 0.8178777694702148],
        [0.48287808895111084, 0.2024402618408203, 0.22027122974395752],
        [0.9878127574920654, 0.3620727062225342, 0.8680832386016846],
        [0.6645621061325073, 0.44100677967071533, 0.3528825044631958],
        [0.01177215576171875, 0.025296568870544434, 0.060124754905700684],
        [0.20102799057946608, 0.54302283440851, 0.9729556956170642],
    ]
    assert floats == shown(
        random.uniform([3], seed=1),
        random.uniform([3], seed=1),
        random.uniform([3], seed=2),
        random.uniform([3]),
        random.uniform([3], seed=1),
        random.uniform([3], seed=1, dtype="float64"),
    )
    close(
        [[-1.49994695186615, -1.2420494556427002], [1.153165578842163, 0.35523390769958496]],
        random.normal([3], seed=1)[:2],
        random.normal([3], seed=1)[:2],
    )
    assert [[6, 2], [0, 5]] == shown(
        *(random.uniform([2], maxval=9, dtype="int32", seed=1) for _ in range(2))
    )
    assert [[1, 5, 4, 2, 0, 6, 3, 7], [1, 2, 0, 4, 5, 3, 6, 7]] == shown(
        *(random.shuffle(list(range(8)), seed=1) for _ in range(2))
    )


def test_seeds_of_all_sizes_agree_with_recorded_numbers() -> None:
    expected = {
        0: [0.29197514057159424, 0.2065664529800415, 0.5353907346725464],
        -5: [0.5703092813491821, 0.9237961769104004, 0.053114891052246094],
        2**40 + 3: [0.9888933897018433, 0.5550177097320557, 0.3140603303909302],
    }
    for seed, numbers in expected.items():
        random.set_seed(seed)
        assert [numbers] == shown(random.uniform([3]))
    random.set_seed(0)
    assert [
        [0.01975703239440918, 0.0070421695709228516, 0.189872145652771],
        [0.4683527946472168, 0.8424971103668213, 0.2852461338043213],
    ] == shown(random.uniform([3], seed=0), random.uniform([3], seed=2**31 - 1))
    random.set_seed(-5)
    assert [[0.17478418350219727, 0.1961153745651245, 0.16183936595916748]] == shown(
        random.uniform([3], seed=-1)
    )


def test_unseeded_draws_differ() -> None:
    random.set_seed(None)
    assert random.uniform([4]).numpy().tolist() != random.uniform([4]).numpy().tolist()


def test_moments_agree_with_the_distributions() -> None:
    whole = random.uniform([1000], 3, 6, "int64").numpy()
    assert set(whole) == {3, 4, 5} and whole.dtype == np.int64
    real = random.uniform([1000], -1.0, 1.0, "float64").numpy()
    assert -1 <= real.min() < -0.9 and 0.9 < real.max() < 1 and real.dtype == np.float64
    assert abs(random.truncated_normal([1000]).numpy()).max() < 2
    bell = random.normal([4000], 5.0, 2.0).numpy()
    assert abs(bell.mean() - 5) < 0.2 and abs(bell.std() - 2) < 0.2
    for alpha in (0.3, 1.0, 4.5):
        drawn = random.gamma([20000], alpha, 2.0).numpy()
        assert abs(drawn.mean() - alpha / 2) < 0.03 * alpha + 0.01
        assert abs(drawn.var() - alpha / 4) < 0.05 * alpha + 0.02
    for mean in (0.2, 9.0, 10.5, 300.0):
        counts = random.poisson([20000], mean, dtype="int32").numpy()
        assert abs(counts.mean() - mean) < 0.03 * mean + 0.01
        assert abs(counts.var() - mean) < 0.05 * mean + 0.02
    shares = np.bincount(random.categorical([np.log([0.1, 0.6, 0.3])], 20000).numpy()[0]) / 20000
    np.testing.assert_allclose([0.1, 0.6, 0.3], shares, atol=0.02)


def test_bad_bounds() -> None:
    with pytest.raises(InvalidArgumentError, match="Must specify maxval for integer dtype int32"):
        random.uniform([1], dtype="int32")
    with pytest.raises(InvalidArgumentError, match="Need minval < maxval, got 5 >= 5"):
        random.uniform([1], 5, 5, "int32")
    for dtype in ("bool", "int8"):
        with pytest.raises(ValueError, match=f"float64, int32, int64, not {dtype}"):
            random.uniform([1], dtype=dtype)
    assert random.uniform([0], 5, 5, "int32").shape == (0,)


def test_bad_arguments() -> None:
    with pytest.raises(ShapeError, match="must be a matrix"):
        random.categorical([1.0, 2.0], 3)
    with pytest.raises(DTypeError, match="a seed must be an int"):
        random.uniform([1], seed=1.5)
    with pytest.raises(DTypeError, match="a seed must be an int"):
        random.set_seed(1.5)
    with pytest.raises(ShapeError, match="negative"):
        random.normal([-2])
    with pytest.raises(ShapeError, match="negative"):
        random.uniform([-1])
    with pytest.raises(ValueError, match="num_samples must be at least 0, not -1"):
        random.categorical([[1.0]], -1)
    with pytest.raises(DTypeError):
        random.normal([2], mean=rt.constant(1, "int32"))


def test_nan_parameters_give_nan() -> None:
    odd = np.array([np.nan, np.inf, -1.0])
    assert np.isnan(random.gamma([2], odd, dtype="float64").numpy()).all()
    drawn = random.poisson([], odd).numpy()
    np.testing.assert_equal(drawn, [np.nan, np.inf, 0])


def test_shuffling_keeps_the_rows() -> None:
    rows = random.shuffle([[1, 2], [3, 4], [5, 6]]).numpy().tolist()
    assert sorted(rows) == [[1, 2], [3, 4], [5, 6]]


def test_recorded_with_an_effect() -> None:
    graph = rt.Graph("f")
    with graph.recording():
        size = rt.identity(3)
        drawn, sized = random.normal([2, 3]), random.gamma([size], [1.0, 2.0])
    assert drawn.shape == (2, 3) and drawn.node.op.effects == "random"
    assert sized.shape.rank == 2


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32", "int64"])
def test_few_numbers_are_the_first_of_many(dtype: str) -> None:
    """Few are made by Python's numbers, many by NumPy's arrays."""
    for seed in ([1, 2], [-5, 2**31 - 1]):
        top = (5, 1000) if dtype.startswith("int") else (5.0, 1000.0)
        many = random.stateless_uniform([200], seed, *top, dtype).numpy()
        bells = random.stateless_normal([200], seed, dtype=dtype).numpy() if "f" in dtype else many
        for count in (0, 1, 3, 32, 33):
            assert many[:count].tobytes() == (
                random.stateless_uniform([count], seed, *top, dtype).numpy().tobytes()
            )
            if dtype.startswith("float"):
                few = random.stateless_normal([count], seed, dtype=dtype).numpy()
                assert bells[:count].tobytes() == few.tobytes()
        one = random.stateless_uniform([], seed, *top, dtype).numpy()
        assert many[0] == one and one.shape == ()
