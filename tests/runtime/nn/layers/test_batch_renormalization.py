"""Batch renormalization: sketches (see sketches.py) recorded from Keras 3.15.

Weights are `weight_values`; one step on `some((4, 3), 5)`, then one on `some((4, 3), 0)`, of which
the output and its gradients are, weighted with `output_weights`; then the output untrained.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.nn.layers import BatchNormalization
from tests.runtime.nn.layers.sketches import output_weights, path_of, sketch, some, weight_values


class Renormalized(NamedTuple):
    """Arguments, and the results of Keras."""

    arguments: dict[str, Any]
    output: list[float]
    gradients: list[list[float]]
    averages: list[list[float]]
    afterwards: list[float]


AVERAGES = [
    [-0.14837, 1.62575, 0.205314],
    [0.422169, 5.70489, 2.64112],
    [0.0911459, 2.72004, 0.807746],
    [-0.164957, 0.0495207, -0.617662],
    [-0.0845181, 1.27986, -0.273392],
]
CASES = [
    Renormalized(
        {"momentum": 0.8, "renorm_momentum": 0.5},
        [7.68499, 9.60407, -5.49301],
        [
            [0.133767, 1.84714, 0.701066],
            [-1.41087, 18.5563, 15.4478],
            [-0.217507, 7.71455, 5.8469],
        ],
        AVERAGES,
        [7.85558, 10.3503, -8.6852],
    ),
    Renormalized(
        {
            "momentum": 0.8,
            "renorm_momentum": 0.5,
            "renorm_clipping": {"rmax": 1.1, "rmin": 0.9, "dmax": 0.2},
        },
        [14.6845, 8.9461, -6.90538],
        [
            [0.103897, 1.78507, 0.590086],
            [-1.32083, 19.7901, 16.0598],
            [-0.217507, 7.71455, 5.8469],
        ],
        AVERAGES,
        [7.85558, 10.3503, -8.6852],
    ),
    Renormalized(
        {"renorm_momentum": 0.9, "renorm_clipping": {"dmax": 0.1}},
        [13.3602, 12.9481, -6.59616],
        [
            [0.907967, 3.88199, 1.78983],
            [-1.43102, 50.5875, 43.0313],
            [-0.217507, 7.71455, 5.8469],
        ],
        [
            [-0.15407, 2.61384, 0.506408],
            [0.687456, 6.86606, 3.79503],
            [0.174956, 3.37743, 1.48253],
            [-0.1592, 0.817358, -1.00116],
            [-0.141548, 0.917948, 0.0759616],
        ],
        [-4.19261, 14.9774, -4.72953],
    ),
]


@pytest.mark.parametrize("in_graph", [False, True])
@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.arguments))
def test_corrections_agree_with_keras(case: Renormalized, in_graph: bool) -> None:
    layer = BatchNormalization(renorm=True, **case.arguments)
    layer = BatchNormalization.from_config(layer.get_config())
    layer.build((None, 3))
    layer.set_weights(weight_values([tuple(each.shape) for each in layer.weights]))

    def step(x: Any) -> Any:
        with rt.GradientTape() as tape:
            tape.watch(x)
            output = layer(x, training=True)
            total = rt.reduce_sum(output * output_weights((4, 3)))
        return output, tape.gradient(total, [x, *layer.trainable_weights])

    run = ag.function(step) if in_graph else step
    run(rt.constant(some((4, 3), 5)))
    output, gradients = run(rt.constant(some((4, 3), 0)))
    np.testing.assert_allclose(sketch(output), case.output, rtol=2e-5)
    found = np.array([sketch(each) for each in gradients])
    np.testing.assert_allclose(found, case.gradients, rtol=2e-5, atol=2e-5)
    averages = np.array([sketch(each) for each in layer.non_trainable_weights])
    np.testing.assert_allclose(averages, case.averages, rtol=2e-5)
    np.testing.assert_allclose(sketch(layer(some((4, 3), 0))), case.afterwards, rtol=2e-5)


def test_initial_deviations_follow_the_initial_variance() -> None:
    layer = BatchNormalization(
        renorm=True, moving_variance_initializer=rt.nn.initializers.Constant(4.0)
    )
    layer.build((None, 2))
    names = [path_of(each).split("/")[1] for each in layer.non_trainable_weights]
    expected = ["moving_mean", "moving_variance", "moving_stddev", "renorm_mean", "renorm_stddev"]
    assert expected == names
    values = [each.numpy()[0] for each in layer.non_trainable_weights]
    np.testing.assert_array_equal([0.0, 4.0, 2.0, 0.0, 2.0], values)
