"""Networks whose layers, losses, metrics and steps keep state in Python attributes.

Each program gives a compiled model, and what tells the state of its objects.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.compat import tensorflow as tf

keras = tf.keras
X = np.sin(np.arange(20, dtype=np.float32)).reshape(10, 2)
Y = np.cos(np.arange(10, dtype=np.float32))[:, None]

Held = Callable[[], Any]
Program = Callable[[bool], "tuple[Any, Held]"]


def compiled(
    *layers: Any,
    loss: Any = "mse",
    metrics: Any = (),
    optimizer: Any = None,
    eagerly: bool = False,
    model: Any = None,
) -> Any:
    model = model or keras.Sequential([*layers, keras.layers.Dense(1, kernel_initializer="ones")])
    optimizer = optimizer or keras.optimizers.SGD(0.05)
    model.compile(optimizer, loss, metrics=[*metrics], run_eagerly=eagerly)
    return model


# -- metrics ---------------------------------------------------------------------------------------


class InAttributes(keras.metrics.Metric):
    def __init__(self) -> None:
        super().__init__(name="own")
        self.total, self.count = 0.0, 0

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        self.total += tf.reduce_mean(tf.abs(y_true - y_pred))
        self.count += 1

    def result(self) -> Any:
        return self.total / max(self.count, 1)

    def reset_state(self) -> None:
        self.total, self.count = 0.0, 0


class Batches(InAttributes):
    """Counts batches, and looks at no tensor."""

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        self.count += 1

    def result(self) -> Any:
        return self.count


class InDict(InAttributes):
    def __init__(self) -> None:
        super().__init__()
        self.seen = {"batches": 0, "total": 0.0}

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        self.seen["batches"] += 1
        self.seen["total"] += tf.reduce_sum(y_pred)

    def result(self) -> Any:
        return self.seen["total"] / max(self.seen["batches"], 1)

    def reset_state(self) -> None:
        self.seen = {"batches": 0, "total": 0.0}


class InList(InAttributes):
    def __init__(self) -> None:
        super().__init__()
        self.values: list[Any] = []

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        self.values.append(tf.reduce_max(tf.abs(y_true - y_pred)))

    def result(self) -> Any:
        return tf.add_n(self.values) / len(self.values)

    def reset_state(self) -> None:
        self.values = []


class Best(InAttributes):
    """Keeps the least of all errors, by an `if` on a tensor."""

    def __init__(self) -> None:
        super().__init__()
        self.best = 1e9

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        error = tf.reduce_mean(tf.square(y_true - y_pred))
        if error < self.best:
            self.best = error

    def result(self) -> Any:
        return self.best

    def reset_state(self) -> None:
        self.best = 1e9


class Helper:
    def __init__(self) -> None:
        self.weight, self.sum = 0.0, 0.0

    def add(self, value: Any) -> None:
        self.weight = 0.5 * self.weight + 1.0
        self.sum = 0.5 * self.sum + value


class ByHelper(InAttributes):
    def __init__(self) -> None:
        super().__init__()
        self.helper = Helper()

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        self.helper.add(tf.reduce_mean(y_true - y_pred))

    def result(self) -> Any:
        return self.helper.sum / self.helper.weight

    def reset_state(self) -> None:
        self.helper = Helper()


METRICS = (InAttributes, Batches, InDict, InList, Best, ByHelper)


def metric_program(kind: Any) -> Program:
    def program(eagerly: bool) -> tuple[Any, Held]:
        metric = kind()
        return compiled(metrics=[metric], eagerly=eagerly), lambda: metric.result()

    return program


def counting_function(eagerly: bool) -> tuple[Any, Held]:
    calls = 0

    def shifted(y_true: Any, y_pred: Any) -> Any:
        nonlocal calls
        calls += 1
        return tf.reduce_mean(tf.abs(y_true - y_pred)) + calls

    return compiled(metrics=[shifted], eagerly=eagerly), lambda: calls


# -- losses ----------------------------------------------------------------------------------------


class WarmUp:
    def __init__(self) -> None:
        self.steps = 0

    def __call__(self, y_true: Any, y_pred: Any) -> Any:
        self.steps += 1
        if self.steps <= 2:
            return 0.0 * tf.reduce_mean(y_pred)
        return tf.reduce_mean(tf.square(y_true - y_pred))


class WarmUpLoss(keras.losses.Loss):
    def __init__(self) -> None:
        super().__init__()
        self.warm = WarmUp()

    def call(self, y_true: Any, y_pred: Any) -> Any:
        return self.warm(y_true, y_pred)


class ConstantAtFirst(keras.losses.Loss):
    """Gives a number of Python's in its first steps."""

    def __init__(self) -> None:
        super().__init__()
        self.steps = 0

    def call(self, y_true: Any, y_pred: Any) -> Any:
        self.steps += 1
        return 0.0 if self.steps <= 2 else tf.reduce_mean(tf.square(y_true - y_pred))


class Smoothed(keras.losses.Loss):
    """Weighs by a running mean, which is a tensor after the first step."""

    def __init__(self) -> None:
        super().__init__()
        self.mean: Any = None

    def call(self, y_true: Any, y_pred: Any) -> Any:
        error = tf.reduce_mean(tf.square(y_true - y_pred))
        self.mean = error if self.mean is None else 0.9 * self.mean + 0.1 * error
        return error * (1.0 + tf.stop_gradient(self.mean))


def loss_program(kind: Any, held: Callable[[Any], Any]) -> Program:
    def program(eagerly: bool) -> tuple[Any, Held]:
        loss = kind()
        return compiled(loss=loss, eagerly=eagerly), lambda: held(loss)

    return program


STEPS = {"steps": 0}


def by_global(y_true: Any, y_pred: Any) -> Any:
    STEPS["steps"] += 1
    return tf.reduce_mean(tf.square(y_true - y_pred)) * STEPS["steps"]


def loss_with_global(eagerly: bool) -> tuple[Any, Held]:
    STEPS["steps"] = 0
    return compiled(loss=by_global, eagerly=eagerly), lambda: STEPS["steps"]


def nested_losses(eagerly: bool) -> tuple[Any, Held]:
    x = keras.Input((2,))
    heads = {"a": keras.layers.Dense(1, name="a")(x), "b": keras.layers.Dense(1, name="b")(x)}
    model = keras.Model(x, [heads["a"], heads["b"]])
    losses = [WarmUpLoss(), WarmUp()]
    model.set_weights([np.ones_like(each) for each in model.get_weights()])
    model.compile("sgd", losses, metrics=[[InAttributes()], ["mae"]], run_eagerly=eagerly)
    return model, lambda: (losses[0].warm.steps, losses[1].steps)


PROGRAMS: dict[str, Program] = {
    **{kind.__name__: metric_program(kind) for kind in METRICS},
    "counting function": counting_function,
    "WarmUp": loss_program(WarmUp, lambda loss: loss.steps),
    "WarmUpLoss": loss_program(WarmUpLoss, lambda loss: loss.warm.steps),
    "Smoothed": loss_program(Smoothed, lambda loss: loss.mean),
    "loss with a global": loss_with_global,
    "several losses": nested_losses,
}
