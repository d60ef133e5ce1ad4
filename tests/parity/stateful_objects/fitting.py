"""Random programs that train a model whose metrics, loss and layers keep Python values."""

from __future__ import annotations

import random

HEAD = """\
xs = np.arange(24, dtype=np.float32).reshape(8, 3) / 24.0
ys = xs.sum(axis=1, keepdims=True)


"""
METRICS = {
    "total": (
        "self.total, self.count = 0.0, 0",
        ("self.total += tf.reduce_sum(y_pred)", "self.count += 1"),
        "self.total / self.count if self.count else 0.0",
        "self.total, self.count = 0.0, 0",
    ),
    "count": ("self.count = 0", ("self.count += 1",), "float(self.count)", "self.count = 0"),
    "dict": (
        "self.counts = {'n': 0}",
        ("self.counts['n'] += 1", "self.counts['s'] = tf.reduce_sum(y_true)"),
        "self.counts['n'] * self.counts.get('s', 0.0)",
        "self.counts = {'n': 0}",
    ),
    "list": (
        "self.seen = []",
        ("self.seen.append(tf.reduce_mean(y_pred))",),
        "tf.add_n(self.seen) / len(self.seen) if self.seen else 0.0",
        "self.seen = []",
    ),
    "best": (
        "self.best = 100.0",
        ("s = tf.reduce_mean(y_pred)", "if s < self.best:", "    self.best = s"),
        "self.best",
        "self.best = 100.0",
    ),
}
LOSSES = {
    "steps": ("self.steps = 0", ("self.steps += 1", "return 0.0 if self.steps <= 2 else error")),
    "scale": ("self.scale = 1.0", ("self.scale = self.scale * 0.5", "return error * self.scale")),
    "dict": (
        "self.counts = {}",
        ("self.counts['n'] = self.counts.get('n', 0) + 1", "return error / self.counts['n']"),
    ),
    "plain": ("self.nothing = None", ("return error",)),
}
LAYERS = {
    "calls": ("self.calls = 0", ("self.calls += 1", "return x * self.w + 0.1 * self.calls")),
    "dict": (
        "self.counts = {'calls': 0}",
        ("self.counts['calls'] += 1", "return x * self.w / self.counts['calls']"),
    ),
    "built": ("self.width = 1.0", ("return x * self.w * self.width",)),
    "seen": (
        "self.seen = tf.zeros(())",
        ("self.seen = self.seen + tf.reduce_sum(x)", "return x * self.w + self.seen"),
    ),
}


class FittingWriter:
    """Writes one program of a model that is trained, and then evaluated."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def text(self) -> str:
        """Return the text of the module after its imports; `entry` is the function to call."""
        return HEAD + "\n".join([*self._metric(), *self._loss(), *self._layer(), *self._entry()])

    def _metric(self) -> list[str]:
        init, update, result, reset = METRICS[self._random.choice(sorted(METRICS))]
        return [
            "class Counted(keras.metrics.Metric):",
            "    def __init__(self):",
            "        super().__init__(name='counted')",
            f"        {init}",
            "",
            "    def update_state(self, y_true, y_pred, sample_weight=None):",
            *(f"        {line}" for line in update),
            "",
            "    def result(self):",
            f"        return {result}",
            "",
            "    def reset_state(self):",
            f"        {reset}",
            "",
            "",
        ]

    def _loss(self) -> list[str]:
        init, call = LOSSES[self._random.choice(sorted(LOSSES))]
        return [
            "class Error(keras.losses.Loss):",
            "    def __init__(self):",
            "        super().__init__()",
            f"        {init}",
            "",
            "    def call(self, y_true, y_pred):",
            "        error = tf.reduce_mean(tf.square(y_true - y_pred), axis=-1)",
            *(f"        {line}".replace("return 0.0", "return 0.0 * error") for line in call),
            "",
            "",
        ]

    def _layer(self) -> list[str]:
        init, call = LAYERS[self._random.choice(sorted(LAYERS))]
        return [
            "class Own(keras.layers.Layer):",
            "    def __init__(self):",
            "        super().__init__()",
            f"        {init}",
            "",
            "    def build(self, input_shape):",
            "        self.w = self.add_weight(shape=(input_shape[-1],), initializer='ones')",
            "        self.width = float(input_shape[-1])",
            "",
            "    def call(self, x):",
            *(f"        {line}" for line in call),
            "",
            "",
        ]

    def _entry(self) -> list[str]:
        optimizer = self._random.choice(
            ("keras.optimizers.SGD(0.01)", "keras.optimizers.Adam(0.01)")
        )
        subclassed = [
            "class Net(keras.Model):",
            "    def __init__(self):",
            "        super().__init__()",
            "        self.own = own",
            "        self.dense = keras.layers.Dense(1, kernel_initializer='ones')",
            "",
            "    def call(self, x):",
            "        return self.dense(self.own(x))",
            "",
            "",
            "model = Net()",
        ]
        sequential = [
            "model = keras.Sequential([own, keras.layers.Dense(1, kernel_initializer='ones')])"
        ]
        return [
            "own, metric, loss = Own(), Counted(), Error()",
            "",
            "",
            *self._random.choice((subclassed, sequential)),
            f"model.compile(optimizer={optimizer}, loss=loss, metrics=[metric], run_eagerly=EAGER)",
            "",
            "",
            "def entry(epochs):",
            "    options = {'batch_size': 4, 'verbose': 0}",
            "    history = model.fit(xs, ys, epochs=epochs, shuffle=False, **options)",
            "    told = [history.history[name] for name in sorted(history.history)]",
            "    evaluated = model.evaluate(xs, ys, **options)",
            "    return told, evaluated, model.predict(xs, verbose=0)",
            "",
        ]
