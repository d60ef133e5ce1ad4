"""Networks whose layers, optimizers and steps keep state in Python attributes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.compat import tensorflow as tf
from tests.autograph.functions.state.network_state_scenarios import Held, Program, compiled

keras = tf.keras


# -- layers ----------------------------------------------------------------------------------------


class Counted(keras.layers.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.calls = 0
        self.by_name = {"calls": 0}
        self.log: list[Any] = []

    def call(self, inputs: Any) -> Any:
        self.calls += 1
        self.by_name["calls"] += 1
        self.log.append("called")
        return inputs


class Growing(keras.layers.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def call(self, inputs: Any) -> Any:
        self.calls += 1
        return inputs * self.calls


class Running(keras.layers.Layer):
    """Keeps a running mean in an attribute, which trains apart."""

    def __init__(self) -> None:
        super().__init__()
        self.mean = 0.0

    def call(self, inputs: Any, training: bool = False) -> Any:
        if training:
            self.mean = 0.9 * self.mean + 0.1 * tf.stop_gradient(tf.reduce_mean(inputs))
        return inputs - self.mean


class Once(keras.layers.Layer):
    """Does something else in its first call than later on."""

    def __init__(self) -> None:
        super().__init__()
        self.is_first = True
        self.scale: Any = 1.0

    def call(self, inputs: Any) -> Any:
        if self.is_first:
            self.scale = 1.0 / (1.0 + tf.reduce_max(tf.abs(inputs)))
            self.is_first = False
        return inputs * self.scale


class Built(keras.layers.Layer):
    """Has attributes that `build` sets, and a counter beside them."""

    def __init__(self) -> None:
        super().__init__()
        self.width, self.calls = 1.0, 0

    def build(self, input_shape: Any) -> None:
        self.width = float(input_shape[-1])
        self.kernel = self.add_weight(name="k", shape=(int(self.width),), initializer="ones")

    def call(self, inputs: Any) -> Any:
        self.calls += 1
        return inputs * self.kernel / self.width + 0.01 * self.calls


def layer_program(kind: Any, held: Callable[[Any], Any]) -> Program:
    def program(eagerly: bool) -> tuple[Any, Held]:
        layer = kind()
        return compiled(layer, eagerly=eagerly), lambda: held(layer)

    return program


def functional(eagerly: bool) -> tuple[Any, Held]:
    layers = [Growing(), Running()]
    x = keras.Input((2,))
    y = keras.layers.Dense(1, kernel_initializer="ones")(layers[1](layers[0](x)))
    model = keras.Model(x, y)
    layers[0].calls, layers[1].mean = 0, 0.0
    return compiled(model=model, eagerly=eagerly), lambda: (layers[0].calls, layers[1].mean)


class Nested(keras.Model):
    def __init__(self) -> None:
        super().__init__()
        self.inner = keras.Sequential([Growing(), keras.layers.Dense(1, kernel_initializer="ones")])
        self.blocks = [Counted(), keras.Sequential([keras.Sequential([Running()])])]
        self.calls = 0

    def call(self, inputs: Any, training: bool = False) -> Any:
        self.calls += 1
        for block in self.blocks:
            inputs = block(inputs, training=training) if block is self.blocks[1] else block(inputs)
        return self.inner(inputs)


def nested(eagerly: bool) -> tuple[Any, Held]:
    model = compiled(model=Nested(), eagerly=eagerly)
    return model, lambda: (
        model.calls,
        model.inner.layers[0].calls,
        model.blocks[0].calls,
        model.blocks[1].layers[0].layers[0].mean,
    )


def of_functions(eagerly: bool) -> tuple[Any, Held]:
    """An activation, a regularizer, a constraint and a Lambda that count their calls."""
    counts = {"activation": 0, "regularizer": 0, "constraint": 0, "lambda": 0}

    def counted(name: str, value: Callable[[Any, int], Any]) -> Any:
        def called(x: Any) -> Any:
            counts[name] += 1
            return value(x, counts[name])

        return called

    layers = [
        keras.layers.Lambda(counted("lambda", lambda x, n: x + 0.01 * n)),
        keras.layers.Dense(
            2,
            activation=counted("activation", lambda x, n: x * (1.0 + 0.1 * n)),
            kernel_initializer="ones",
            kernel_regularizer=counted("regularizer", lambda x, n: 0.01 * n * tf.reduce_sum(x)),
            kernel_constraint=counted("constraint", lambda x, n: x - 0.001 * n),
        ),
    ]
    model = compiled(*layers, eagerly=eagerly)
    model.build((None, 2))
    for name in counts:
        counts[name] = 0
    return model, lambda: dict(counts)


# -- optimizers ------------------------------------------------------------------------------------


class Decaying(keras.optimizers.SGD):
    def __init__(self) -> None:
        super().__init__(0.1)
        self.applied = 0

    def apply_gradients(self, grads_and_vars: Any, *args: Any, **kwargs: Any) -> Any:
        self.applied += 1
        pairs = [(gradient / self.applied, v) for gradient, v in grads_and_vars]
        return super().apply_gradients(pairs, *args, **kwargs)


def own_optimizer(eagerly: bool) -> tuple[Any, Held]:
    optimizer = Decaying()
    return compiled(optimizer=optimizer, eagerly=eagerly), lambda: optimizer.applied


class CountingSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, step: Any) -> Any:
        self.calls += 1
        return 0.05 / (1.0 + tf.cast(step, tf.float32))


def own_schedule(eagerly: bool) -> tuple[Any, Held]:
    schedule = CountingSchedule()
    optimizer = keras.optimizers.SGD(schedule)
    return compiled(optimizer=optimizer, eagerly=eagerly), lambda: schedule.calls > 0


# -- steps of the user's ---------------------------------------------------------------------------


class Stepping(keras.Model):
    """Has a `train_step` that counts, logs and applies each second gradient twice as much."""

    def __init__(self) -> None:
        super().__init__()
        self.dense = keras.layers.Dense(1, kernel_initializer="ones")
        self.steps, self.losses_seen, self.mean = 0, [], keras.metrics.Mean(name="loss")

    def call(self, inputs: Any) -> Any:
        return self.dense(inputs)

    @property
    def metrics(self) -> list[Any]:
        return [self.mean]

    def train_step(self, data: Any) -> dict[str, Any]:
        x, y = data
        self.steps += 1
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(y - self(x, training=True)))
            if self.steps % 2 == 0:
                loss = loss * 2.0
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        self.losses_seen.append(loss)
        self.mean.update_state(loss)
        return {"loss": self.mean.result(), "steps": self.steps}

    def test_step(self, data: Any) -> dict[str, Any]:
        x, y = data
        self.mean.update_state(tf.reduce_mean(tf.abs(y - self(x, training=False))))
        return {"loss": self.mean.result()}


def own_step(eagerly: bool) -> tuple[Any, Held]:
    model = Stepping()
    model.compile(keras.optimizers.SGD(0.05), run_eagerly=eagerly)
    return model, lambda: (model.steps, model.losses_seen)


class Accumulating(keras.Model):
    """Sums gradients in a list of Python's, and applies them after every third step."""

    def __init__(self) -> None:
        super().__init__()
        self.dense = keras.layers.Dense(1, kernel_initializer="ones")
        self.summed: Any = None
        self.count = 0

    def call(self, inputs: Any) -> Any:
        return self.dense(inputs)

    def train_step(self, data: Any) -> dict[str, Any]:
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compute_loss(x, y, self(x, training=True))
        found = tape.gradient(loss, self.trainable_variables)
        self.summed = found if self.summed is None else [a + b for a, b in zip(self.summed, found)]
        self.count += 1
        if self.count == 3:
            self.optimizer.apply_gradients(zip(self.summed, self.trainable_variables))
            self.summed, self.count = None, 0
        return {"loss": loss}


def accumulating(eagerly: bool) -> tuple[Any, Held]:
    model = compiled(model=Accumulating(), eagerly=eagerly)
    return model, lambda: model.count


def counted_in_a_closure(eagerly: bool) -> tuple[Any, Held]:
    """A loss that counts its calls outside of any object, where a callback looks at them alone."""
    calls = 0

    def counting(y_true: Any, y_pred: Any) -> Any:
        nonlocal calls
        calls += 1
        return tf.reduce_mean(tf.square(y_true - y_pred))

    return compiled(loss=counting, eagerly=eagerly), lambda: calls


PROGRAMS: dict[str, Program] = {
    "Counted": layer_program(Counted, lambda each: (each.calls, each.by_name, each.log)),
    "Growing": layer_program(Growing, lambda each: each.calls),
    "Running": layer_program(Running, lambda each: each.mean),
    "Once": layer_program(Once, lambda each: (each.is_first, each.scale)),
    "Built": layer_program(Built, lambda each: (each.width, each.calls)),
    "functional": functional,
    "nested": nested,
    "functions": of_functions,
    "own optimizer": own_optimizer,
    "own schedule": own_schedule,
    "own step": own_step,
    "accumulating": accumulating,
}
