"""Activations, constraints and regularizers: values recorded from Keras 3.15 on the same inputs."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as rt

X = [-4.0, -1.5, -0.5, 0.0, 0.5, 2.0, 7.0]
# keras.activations.get(name)(X), float32.
ACTIVATIONS = {
    "elu": [-0.981684387, -0.776869833, -0.393469334, 0.0, 0.5, 2.0, 7.0],
    "exponential": [
        0.0183156393,
        0.223130167,
        0.606530666,
        1.0,
        1.64872122,
        7.38905621,
        1096.63318,
    ],
    "gelu": [-0.000126685016, -0.100210831, -0.154268771, 0.0, 0.345731229, 1.95449972, 7.0],
    "hard_sigmoid": [0.0, 0.25, 0.416666657, 0.5, 0.583333313, 0.833333313, 1.0],
    "hard_silu": [-0.0, -0.375, -0.208333328, 0.0, 0.291666657, 1.66666663, 7.0],
    "hard_tanh": [-1.0, -1.0, -0.5, 0.0, 0.5, 1.0, 1.0],
    "leaky_relu": [-0.800000012, -0.300000012, -0.100000001, 0.0, 0.5, 2.0, 7.0],
    "linear": [-4.0, -1.5, -0.5, 0.0, 0.5, 2.0, 7.0],
    "mish": [-0.0725917369, -0.298099756, -0.220743775, 0.0, 0.375245243, 1.943959, 6.99998903],
    "relu": [0.0, 0.0, 0.0, 0.0, 0.5, 2.0, 7.0],
    "relu6": [0.0, 0.0, 0.0, 0.0, 0.5, 2.0, 6.0],
    "selu": [-1.72589862, -1.36581433, -0.691758156, 0.0, 0.525350511, 2.10140204, 7.35490704],
    "sigmoid": [0.0179862101, 0.182425514, 0.377540678, 0.5, 0.622459352, 0.880797088, 0.999088943],
    "silu": [-0.0719448403, -0.273638278, -0.188770339, 0.0, 0.311229676, 1.76159418, 6.99362278],
    "softmax": [
        1.65375404e-05,
        0.000201468472,
        0.000547648058,
        0.000902919099,
        0.00148866198,
        0.00667171925,
        0.990171015,
    ],
    "softplus": [
        0.0181499291,
        0.201413289,
        0.474076986,
        0.693147182,
        0.974076986,
        2.12692809,
        7.00091171,
    ],
    "softsign": [-0.800000012, -0.600000024, -0.333333343, 0.0, 0.333333343, 0.666666687, 0.875],
    "tanh": [-0.999329269, -0.905148327, -0.462117136, 0.0, 0.462117136, 0.964027584, 0.999998331],
    "log_softmax": [
        -11.0098772,
        -8.5098772,
        -7.50987768,
        -7.00987768,
        -6.50987768,
        -5.00987768,
        -0.00987761281,
    ],
}
W = [[3.0, -1.0], [4.0, 2.0]]
# keras.constraints.<name>()(W).
CONSTRAINTS = {
    "MaxNorm": [[1.20000005, -0.89442718], [1.60000002, 1.78885436]],
    "MinMaxNorm": [
        [0.600000024, -0.44721359],
        [0.800000012, 0.89442718],
    ],
    "NonNeg": [[3.0, 0.0], [4.0, 2.0]],
    "UnitNorm": [[0.600000024, -0.44721359], [0.800000012, 0.89442718]],
}


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations_agree_with_keras(name: str) -> None:
    found = rt.nn.activations.get(name)(rt.constant(X)).numpy()
    np.testing.assert_allclose(found, ACTIVATIONS[name], rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_constraints_agree_with_keras(name: str) -> None:
    found = getattr(rt.nn.constraints, name)()(rt.constant(W)).numpy()
    np.testing.assert_allclose(found, CONSTRAINTS[name], rtol=1e-6)


def test_regularizers_agree_with_keras() -> None:
    kinds = rt.nn.regularizers
    found = [float(each(rt.constant(W))) for each in (kinds.L1(), kinds.L2(), kinds.L1L2(0.1, 0.2))]
    np.testing.assert_allclose(found, [0.1, 0.3, 7.0], rtol=1e-6)


NAMESPACES = ["activations", "constraints", "initializers", "regularizers"]


@pytest.mark.parametrize("namespace", NAMESPACES)
def test_an_unknown_name_is_refused(namespace: str) -> None:
    with pytest.raises(rt.errors.ArgumentValueError, match="there is no .* 'nowhere'"):
        getattr(rt.nn, namespace).get("nowhere")


def test_an_unknown_name_suggests_a_similar_one() -> None:
    with pytest.raises(rt.errors.ArgumentValueError, match="did you mean 'relu'"):
        rt.nn.activations.get("rellu")


def test_an_object_is_restored_from_its_config() -> None:
    made = rt.nn.initializers.VarianceScaling(2.0, "fan_out", "uniform", seed=3)
    config = rt.nn.initializers.serialize(made)
    again = rt.nn.initializers.deserialize(config)
    assert config == rt.nn.initializers.serialize(again)
    assert (made((3, 4)).numpy() == again((3, 4)).numpy()).all()
