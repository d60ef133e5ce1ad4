"""Kernels divided by their largest singular value: sketches (see sketches.py) from Keras 3.15.

The input is `some((2, *shape), 0)`, weights are `weight_values`; recorded are the output without
training, then with it, the weights after that, and the gradients weighted with `output_weights`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import ArgumentValueError
from runtime.nn.layers import Conv2D, Dense, Embedding, ReLU, SpectralNormalization, Wrapper
from tests.runtime.nn.layers.sketches import output_weights, path_of, sketch, some, weight_values


class Divided(NamedTuple):
    """A layer, the shape of its input, and the results of Keras."""

    make: Any
    iterations: int
    shape: tuple[int, ...]
    before: list[float]
    output: list[float]
    weights: list[list[float]]
    gradients: list[list[float]]


def _dense() -> Any:
    return Dense(3, name="inside")


def _image() -> Any:
    return Conv2D(3, 2, name="inside")


BIAS = [-0.15468, 2.6711, 0.523239]
CASES = [
    Divided(
        _dense,
        1,
        (4,),
        [14.7693, 2.49328, -9.06946],
        [7.08371, 4.04854, -1.01148],
        [[3.97818, 0.0980036, -0.403891], [-0.0420084, 0.41837, -0.268514], BIAS],
        [[-6.56857, 33.9543, 1.26829], [0.447279, 7.01377, 5.45657]],
    ),
    Divided(
        _dense,
        2,
        (4,),
        [14.7693, 2.49328, -9.06946],
        [7.0604, 4.05326, -0.987037],
        [[3.93245, 0.0968769, -0.399248], [-0.0715381, 0.421004, -0.271953], BIAS],
        [[-6.56857, 33.9543, 1.26829], [0.447279, 7.01377, 5.45657]],
    ),
    Divided(
        _image,
        1,
        (4, 4, 2),
        [19.5926, 6.82227, 0.654304],
        [19.5726, 4.07023, -0.402345],
        [[2.31445, 0.0753536, -0.281672], [-0.0362041, 0.400238, -0.282093], BIAS],
        [[-2.14363, 34.9432, 0.929657], [0.477877, 5.05812, 3.96902]],
    ),
]


@pytest.mark.parametrize("in_graph", [False, True])
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.make.__name__} {case.iterations}")
def test_the_kernel_is_divided_as_in_keras(case: Divided, in_graph: bool) -> None:
    made = SpectralNormalization(case.make(), case.iterations, name="outside")
    layer = SpectralNormalization.from_config(made.get_config())
    x = rt.constant(some((2, *case.shape), 0))
    layer(x)
    names = [path_of(each).split("/")[-1] for each in layer.weights]
    assert ["kernel", "vector_u", "bias"] == names
    layer.set_weights(weight_values([tuple(each.shape) for each in layer.weights]))
    np.testing.assert_allclose(sketch(layer(x)), case.before, rtol=2e-5)

    def step(given: Any, training: Any) -> Any:
        with rt.GradientTape() as tape:
            output = layer(given, training=training)
            total = rt.reduce_sum(output * output_weights(tuple(output.shape)))
        return output, tape.gradient(total, layer.trainable_weights)

    if in_graph:
        output, gradients = ag.function(step)(x, rt.constant(True))
    else:
        output, gradients = step(x, True)
    np.testing.assert_allclose(sketch(output), case.output, rtol=2e-5)
    np.testing.assert_allclose([sketch(g) for g in gradients], case.gradients, rtol=2e-5)
    np.testing.assert_allclose([sketch(w) for w in layer.weights], case.weights, rtol=2e-5)
    np.testing.assert_allclose(sketch(layer(x)), case.output, rtol=2e-5)


def test_embeddings_are_divided_too() -> None:
    layer = SpectralNormalization(Embedding(5, 3), power_iterations=50)
    layer([[1, 2]], training=True)
    largest = np.linalg.svd(layer.layer.embeddings.numpy(), compute_uv=False)[0]
    np.testing.assert_allclose(largest, 1.0, rtol=1e-3)


def test_layers_without_a_kernel_are_refused() -> None:
    with pytest.raises(ArgumentValueError, match="no kernel"):
        SpectralNormalization(ReLU())([[1.0]])
    with pytest.raises(ArgumentValueError, match="power_iterations"):
        SpectralNormalization(Dense(1), power_iterations=0)
    with pytest.raises(ArgumentValueError, match="takes a layer"):
        Wrapper(3)
    with pytest.raises(ArgumentValueError, match="there is no layer 'Nothing'"):
        Wrapper.from_config({"layer": {"class_name": "Nothing", "config": {}}})
