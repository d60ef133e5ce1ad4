"""Layer classes for random programs: variables of `build`, reads and writes of `call`."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Feature:
    """One thing a layer may have.

    Attributes:
        init: the lines of it in `__init__`.
        build: the lines of it in `build`, where `width` is the size of the last dimension.
        call: the lines of it in `call`, where `x` is a matrix of three columns.
    """

    init: tuple[str, ...] = ()
    build: tuple[str, ...] = ()
    call: tuple[str, ...] = ()


FEATURES = {
    "number": Feature(
        ("self.dim = 1.0",), ("self.dim = float(width)",), ("x = x * self.dim / 4.0",)
    ),
    "weight": Feature(
        (),
        ("self.w = self.add_weight(shape=(width,), initializer='ones', name='w')",),
        ("x = x * self.w",),
    ),
    "kernel": Feature(
        (),
        ("self.kernel = self.add_weight(shape=(width, 3), initializer='glorot_uniform')",),
        ("x = tf.matmul(x, self.kernel)",),
    ),
    "variable": Feature(
        (),
        ("self.scale = tf.Variable(2.0, trainable=False)",),
        ("x = x * self.scale", "self.scale.assign_add(1.0)"),
    ),
    "list of layers": Feature(
        ("self.parts = []",),
        ("for _ in range(2):", "    self.parts.append(keras.layers.Dense(3))"),
        ("for part in self.parts:", "    x = part(x)"),
    ),
    "layer": Feature(
        ("self.inner = None",),
        ("self.inner = keras.layers.Dense(3, activation='tanh')",),
        ("x = self.inner(x)",),
    ),
    "dict": Feature(
        ("self.info = {}",),
        ("self.info['width'] = width", "self.info['built'] = True"),
        ("x = x + len(self.info) + self.info['width']",),
    ),
    "sizes": Feature(
        ("self.sizes = []",),
        ("self.sizes.append(width)", "self.sizes += [1, 2]"),
        ("x = x + sum(self.sizes)",),
    ),
    "flag": Feature(
        ("self.is_ready = False",),
        ("self.is_ready = True",),
        ("if self.is_ready:", "    x = x * 2.0"),
    ),
    "count of builds": Feature(
        ("self.builds = 0",), ("self.builds += 1",), ("x = x + self.builds",)
    ),
    "helper object": Feature(
        ("self.helper = None",), ("self.helper = Shift(width)",), ("x = self.helper.moved(x)",)
    ),
    "count of calls": Feature(("self.calls = 0",), (), ("self.calls += 1", "x = x / self.calls")),
    "sum": Feature(
        ("self.seen = tf.zeros(())",), (), ("self.seen = self.seen + tf.reduce_sum(x)",)
    ),
    "weight made late": Feature(
        ("self.late = None",),
        (),
        (
            "if self.late is None:",
            "    self.late = self.add_weight(shape=(), initializer='ones', name='late')",
            "x = x + self.late",
        ),
    ),
    "layer made late": Feature(
        ("self.proj = None",),
        (),
        ("if self.proj is None:", "    self.proj = keras.layers.Dense(3)", "x = self.proj(x)"),
    ),
    "normalization": Feature(
        ("self.norm = keras.layers.BatchNormalization()",), (), ("x = self.norm(x, training=True)",)
    ),
    "dropout": Feature(
        ("self.drop = keras.layers.Dropout(0.5, seed=3)",), (), ("x = self.drop(x, training=True)",)
    ),
    "metric": Feature(
        ("self.mean = keras.metrics.Mean()",), (), ("x = x + self.mean(tf.reduce_mean(x))",)
    ),
}
# What ends a `build`.
_ENDS = ("self.built = True", "super().build(input_shape)", "")


class LayerWriter:
    """Writes one class.

    >>> LayerWriter(random.Random(1)).text("A") == LayerWriter(random.Random(1)).text("A")
    True
    """

    def __init__(self, choice: random.Random) -> None:
        self._random = choice

    def text(self, name: str) -> list[str]:
        """Return the lines of a class of this name."""
        chosen = self._random.sample(sorted(FEATURES), self._random.randrange(1, 5))
        features = [FEATURES[each] for each in chosen]
        build = [line for each in features for line in each.build]
        end = self._random.choice(_ENDS)
        return [
            f"class {name}(keras.layers.Layer):",
            "    def __init__(self):",
            "        super().__init__()",
            *(f"        {line}" for each in features for line in each.init),
            "",
            *(["    def build(self, input_shape):"] if build else []),
            *(
                [f"        print('build {name}')", "        width = input_shape[-1]"]
                if build
                else []
            ),
            *(f"        {line}" for line in build),
            *([f"        {end}"] if build and end else []),
            "",
            "    def call(self, inputs):",
            "        x = inputs",
            *(f"        {line}" for each in features for line in each.call),
            "        return tf.tanh(x)",
            "",
            "",
        ]
