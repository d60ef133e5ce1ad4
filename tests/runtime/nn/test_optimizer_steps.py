"""Steps of all optimizers agree with Keras 3.15, eagerly and in a graph.

Recorded by the loop of `_vector` and `_matrix` with `keras.Variable` and `keras.optimizers`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt

GRADIENTS = np.array([[1.0, -2.0, 0.5], [0.1, 3.0, -1.0], [0.0, 0.2, 2.0]], np.float32)
STRONG = (
    "Ftrl(0.1, l1_regularization_strength=0.1, l2_regularization_strength=0.2, "
    "l2_shrinkage_regularization_strength=0.3, beta=0.5)"
)
OFTEN = "Adam(0.1, use_ema=True, ema_momentum=0.5, ema_overwrite_frequency=2)"
VECTORS = [
    ("Adam(0.1)", [0.7686563730239868, 2.0525708198547363, 2.894645929336548]),
    ("Adamax(0.1)", [0.8140389323234558, 2.06318736076355, 2.9011800289154053]),
    ("Nadam(0.1)", [0.8678352236747742, 2.0164835453033447, 2.8906612396240234]),
    ("AdamW(0.1, weight_decay=0.1)", [0.7416861653327942, 1.9914268255233765, 2.807166814804077]),
    (OFTEN, [0.805696427822113, 2.064955711364746, 2.8763411045074463]),
    ("RMSprop(0.1)", [0.6506227254867554, 2.0302181243896484, 2.689499616622925]),
    (
        "RMSprop(0.1, rho=0.8, momentum=0.5, centered=True)",
        [0.5208334922790527, 2.1301276683807373, 2.667440176010132],
    ),
    ("Adagrad(0.1)", [0.8951621651649475, 2.010368585586548, 2.915083408355713]),
    ("Adadelta(0.5, rho=0.8)", [0.9995908737182617, 1.9998832941055298, 2.99951171875]),
    ("Ftrl(0.1)", [0.593650758266449, 1.6980212926864624, 1.3115159273147583]),
    (STRONG, [0.32188886404037476, 1.2448217868804932, 0.47662219405174255]),
    ("Lion(0.1)", [0.6999999284744263, 1.8999998569488525, 2.9000000953674316]),
    ("Lamb(0.1)", [0.19068589806556702, 2.000457763671875, 2.7331228256225586]),
    ("Adafactor(0.1)", [0.7519469857215881, 1.9539997577667236, 2.741062879562378]),
    (
        "Adafactor(0.1, relative_step=False, weight_decay=0.1)",
        [0.7296134233474731, 1.8959640264511108, 2.6596500873565674],
    ),
    (
        "SGD(0.1, momentum=0.9, gradient_accumulation_steps=2)",
        [0.9449999928474426, 1.9500000476837158, 3.0250000953674316],
    ),
    (
        "Adam(0.1, gradient_accumulation_steps=3, clipnorm=0.5)",
        [0.9000019431114197, 1.9000017642974854, 2.9000015258789062],
    ),
    (
        "SGD(0.1, weight_decay=0.5, use_ema=True, ema_momentum=0.9)",
        [0.7576249837875366, 1.590250015258789, 2.42199969291687],
    ),
    ("SGD(0.1, loss_scale_factor=4.0)", [0.9725000262260437, 1.96999990940094, 2.9625000953674316]),
    (
        "SGD(optimizers.schedules.ExponentialDecay(0.5, 2, 0.5))",
        [0.4646446704864502, 1.8893399238586426, 2.603553295135498],
    ),
    # As SGD(0.1, momentum=0.9).
    ("Momentum(0.1, 0.9)", [0.7099999785423279, 1.9519999027252197, 2.8545000553131104]),
]
MATRICES = [
    (
        "Lamb(0.1)",
        [
            [0.37718233466148376, 1.998794436454773, 2.763589859008789],
            [-1.1982076168060303, -1.0717755556106567, -1.9054285287857056],
        ],
    ),
    (
        "Adafactor(0.1)",
        [
            [0.7705630660057068, 1.9313769340515137, 2.800990343093872],
            [-0.9103825092315674, -1.123104453086853, -1.8552985191345215],
        ],
    ),
]
# What finalize_variable_values makes of the three steps.
MEANS = [
    (
        "Adam(0.1, use_ema=True, ema_momentum=0.5)",
        [0.8158086538314819, 2.0700924396514893, 2.9064760208129883],
    ),
    (OFTEN, [0.8343286514282227, 2.076284885406494, 2.8973236083984375]),
    (
        "SGD(0.1, weight_decay=0.5, use_ema=True, ema_momentum=0.9)",
        [0.8360373973846436, 2.0125749111175537, 2.7585999965667725],
    ),
]


def _vector() -> tuple[rt.Variable, list[np.ndarray]]:
    return rt.Variable([1.0, 2.0, 3.0]), list(GRADIENTS)


def _matrix() -> tuple[rt.Variable, list[np.ndarray]]:
    first = np.outer([1.0, -0.5], [1.0, 2.0, 3.0]).astype(np.float32)
    steps = [np.outer([1.0, 0.25], each).astype(np.float32) + np.float32(0.1) for each in GRADIENTS]
    return rt.Variable(first), steps


def _stepped(text: str, variable: rt.Variable, steps: list[np.ndarray], graph: bool) -> Any:
    optimizer = eval(f"optimizers.{text}", {"optimizers": rt.nn.optimizers})
    traces = []

    def step(gradient: Any) -> None:
        traces.append(1)
        optimizer.apply_gradients([(gradient, variable)])

    run: Callable[[Any], None] = ag.function(step) if graph else step
    for each in steps:
        run(rt.constant(each))
    assert (1 if graph else 3) == len(traces)
    assert 3 // (optimizer.gradient_accumulation_steps or 1) == int(optimizer.iterations)
    return optimizer


@pytest.mark.parametrize("graph", [False, True], ids=["eager", "graph"])
@pytest.mark.parametrize(("text", "expected"), VECTORS)
def test_three_steps_of_a_vector(text: str, expected: list[float], graph: bool) -> None:
    variable, steps = _vector()
    _stepped(text, variable, steps, graph)
    np.testing.assert_allclose(variable.numpy(), expected, rtol=3e-6)


@pytest.mark.parametrize("graph", [False, True], ids=["eager", "graph"])
@pytest.mark.parametrize(("text", "expected"), MATRICES)
def test_three_steps_of_a_matrix(text: str, expected: list[list[float]], graph: bool) -> None:
    variable, steps = _matrix()
    _stepped(text, variable, steps, graph)
    np.testing.assert_allclose(variable.numpy(), expected, rtol=3e-6)


@pytest.mark.parametrize(("text", "expected"), MEANS)
def test_averaged_weights_are_assigned_at_the_end(text: str, expected: list[float]) -> None:
    variable, steps = _vector()
    optimizer = _stepped(text, variable, steps, graph=False)
    optimizer.finalize_variable_values([variable])
    np.testing.assert_allclose(variable.numpy(), expected, rtol=3e-6)


@pytest.mark.parametrize("text", [text for text, _ in VECTORS])
def test_an_optimizer_is_restored_from_its_config(text: str) -> None:
    made = eval(f"optimizers.{text}", {"optimizers": rt.nn.optimizers})
    again = rt.nn.optimizers.deserialize(rt.nn.optimizers.serialize(made))
    assert type(made) is type(again)
    assert made.get_config() == again.get_config()


@pytest.mark.parametrize("dtype", ["float16", "float64"])
@pytest.mark.parametrize("name", ["Adam", "Nadam", "Ftrl", "Adafactor", "RMSprop", "Lion", "SGD"])
def test_variables_of_other_dtypes_get_the_same_steps(name: str, dtype: str) -> None:
    found = []
    for each in ("float32", dtype):
        variable = rt.Variable([1.0, 2.0, 3.0], dtype=each)
        optimizer = rt.nn.optimizers.get(name)
        optimizer.learning_rate = 0.25
        for gradient in GRADIENTS:
            optimizer.apply_gradients([(rt.constant(gradient), variable)])
        assert each == variable.dtype.name
        found.append(variable.numpy())
    # 1 - 0.999 ** n has but few of the digits a dtype has.
    np.testing.assert_allclose(found[0], found[1], rtol=2e-5 if dtype == "float64" else 2e-2)
