"""Random programs in which one object trains others, and keeps Python's values and tensors."""

from __future__ import annotations

import random

from tests.parity.stateful_objects.layers import LayerWriter

HEAD = """\
from collections import Counter, defaultdict

TOTAL = 0
TABLE = {"calls": 0}


class Shift:
    def __init__(self, amount):
        self.amount = amount
        self.uses = 0

    def moved(self, x):
        self.uses += 1
        return x + self.amount


class Gauge:
    uses = 0

    def __init__(self):
        self._level = 1.0

    @property
    def level(self):
        return self._level

    @level.setter
    def level(self, value):
        Gauge.uses += 1
        self._level = value / 2.0


class Child:
    def __init__(self):
        self.factor = 1.0
        self.seen = []
        self.mean = keras.metrics.Mean()

    def step(self, x):
        self.factor = self.factor + 0.5
        return x * self.factor


def counted(owner, x):
    owner.step += 1
    return x + owner.step


"""
# The attributes of a trainer.
ATTRIBUTES = """\
self.step = 0
self.best = 100.0
self.worst = None
self.last = tf.zeros((2, 3))
self.counts = {}
self.marks = {"a": 1.0, "b": tf.constant(2.0)}
self.items = [1.0, 2.0]
self.history = []
self.seen = set()
self.name = "none"
self.child = Child()
self.twin = self.child
self.spare = Child()
self.active = self.child
self.gauge = Gauge()
self.scalar = np.float32(1.0)
self.tally = Counter()
self.groups = defaultdict(list)
self.metric = keras.metrics.Mean()
self.sum = keras.metrics.Sum()
self.made = None
self.made_metric = None
self.rate = tf.Variable(0.5)"""
STATEMENTS = (
    ("self.step += 1",),
    ("self.step += 1", "x = x + self.step"),
    ("self.step += 1", "x = x * float(self.step)"),
    ("x = x + self.step",),
    ("x = counted(self, x)",),
    ("if s < self.best:", "    self.best = s"),
    ("self.best = min(self.best, float(s))",),
    ("if self.worst is None or s > self.worst:", "    self.worst = s"),
    ("self.last = self.last + x", "x = x + self.last"),
    ("self.counts['calls'] = self.counts.get('calls', 0) + 1", "x = x + self.counts['calls']"),
    ("self.counts['late'] = self.step",),
    ("self.marks['a'] += 1.0", "x = x * self.marks['a']"),
    ("self.marks['b'] = self.marks['b'] + s",),
    ("self.items[0] = self.items[0] + self.items[1]", "x = x + self.items[0]"),
    ("self.history.append(s)", "x = x + self.history[-1]"),
    ("self.history.append(s)", "x = x + len(self.history)"),
    ("self.name = 'odd' if self.step % 2 else 'even'",),
    ("x = x * (2.0 if self.name == 'odd' else 0.5)",),
    ("x = self.child.step(x)",),
    ("self.twin.factor = self.child.factor + 1.0", "x = x * self.child.factor"),
    ("x = x + self.metric(x)",),
    ("self.metric.update_state(s)", "x = x + self.metric.result()"),
    ("self.sum.update_state(x)", "self.child.mean.update_state(s)"),
    ("if self.step % 2 == 0:", "    self.metric.reset_state()"),
    ("self.rate.assign_add(0.25)", "x = x * self.rate"),
    ("global TOTAL", "TOTAL += 1", "x = x + TOTAL"),
    ("TABLE['calls'] += 1", "x = x + TABLE['calls']"),
    ("if self.made is None:", "    self.made = Shift(2)", "x = self.made.moved(x)"),
    (
        "if self.made_metric is None:",
        "    self.made_metric = keras.metrics.Sum()",
        "x = x + self.made_metric(s)",
    ),
    ("self.active = self.spare if self.step % 2 else self.child",),
    ("x = self.active.step(x)",),
    ("if x.shape[0] == 3:", "    self.active = self.spare"),
    ("if x.shape[0] == 3:", "    self.scalar = np.float32(2.0)"),
    ("self.gauge.level = self.gauge.level + 3.0", "x = x * self.gauge.level + Gauge.uses"),
    ("x = x * self.scalar",),
    ("self.scalar = self.scalar + np.float32(0.5)", "x = x * self.scalar"),
    ("self.tally['calls'] += 1", "x = x + self.tally['calls']"),
    ("self.tally.update(['a', 'b'])", "x = x + len(self.tally)"),
    ("self.groups['s'].append(s)", "x = x + len(self.groups['s'])"),
    ("shift = Shift(self.step)", "x = shift.moved(shift.moved(x)) + shift.uses"),
)
# Objects with variables that live as long as one call.
INSIDE = (
    ("m = keras.metrics.Mean()", "m.update_state(x)", "x = x + m.result()"),
    ("m = keras.metrics.Sum()", "x = x + m(x)", "x = x + m(x)"),
    ("m = fresh_metric()", "m.update_state(s)", "m.update_state(s + 1.0)", "x = x + m.result()"),
    (
        "m = keras.metrics.BinaryAccuracy()",
        "m.update_state([1.0, 0.0, 1.0], x[0])",
        "x = x + m.result()",
    ),
    ("m = keras.metrics.MeanSquaredError()", "m.update_state(x, x + 1.0)", "x = x + m.result()"),
    ("ms = [keras.metrics.Mean(), keras.metrics.Sum()]", "x = x + sum([m(x) for m in ms])"),
    ("m = Tally()", "m.add(s)", "m.add(s)", "x = x + m.result()"),
    ("tally = Tally()", "for _ in range(3):", "    tally.add(s)", "x = x + tally.result()"),
    ("m = keras.metrics.Mean()", "if s > 0.0:", "    m.update_state(x)", "x = x + m.result()"),
    ("m = keras.metrics.Mean()", "for row in x:", "    m.update_state(row)", "x = x + m.result()"),
    ("x = keras.layers.BatchNormalization()(x, training=True)",),
    (
        "norm = keras.layers.BatchNormalization()",
        "norm(x, training=True)",
        "x = norm(x) + norm.moving_mean",
    ),
    (
        "ones = {'kernel_initializer': 'ones', 'recurrent_initializer': 'ones'}",
        "rnn = keras.layers.SimpleRNN(3, stateful=True, **ones)",
        "x = rnn(x[:, None]) + rnn(x[:, None])",
    ),
    ("x = keras.layers.Dense(3, kernel_initializer='ones')(x)",),
    ("layer = {layer}()", "x = layer(x)", "x = layer(x)"),
    (
        "opt = keras.optimizers.SGD(0.1, momentum=0.9)",
        *("trained(opt, self.weight, x)",) * 2,
        "x = x + self.weight",
    ),
    (
        "opt = keras.optimizers.Adam(0.1)",
        *("trained(opt, self.weight, x)",) * 2,
        "x = x * self.weight",
    ),
    ("self.kept = keras.metrics.Mean()", "self.kept.update_state(x)", "x = x + self.kept.result()"),
    ("seeds = keras.layers.Dropout(0.5, seed=3)", "x = x + seeds(x, training=True)"),
)
INSIDE_HEAD = """\
def fresh_metric():
    return keras.metrics.Mean()


class Tally:
    def __init__(self):
        self.total = keras.metrics.Sum()
        self.count = 0

    def add(self, value):
        self.total.update_state(value)
        self.count += 1

    def result(self):
        return self.total.result() / self.count


def trained(optimizer, weight, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(x * weight - 1.0))
    optimizer.apply_gradients([(tape.gradient(loss, weight), weight)])


"""
INDENT = "    "


class TrainerWriter:
    """Writes one program of a trainer, its layers and its actions in each call.

    Args:
        seed: says which.
        has_inside: whether calls make objects with variables, too.
    """

    def __init__(self, seed: int, has_inside: bool) -> None:
        self._random = random.Random(seed)
        self._inside = INSIDE if has_inside else ()
        self._layers = [f"Layer{at}" for at in range(self._random.randrange(1, 4))]

    def text(self) -> str:
        """Return the text of the module after its imports; `entry` is the function to call."""
        writer = LayerWriter(self._random)
        classes = [line for name in self._layers for line in writer.text(name)]
        return (
            HEAD + (INSIDE_HEAD if self._inside else "") + "\n".join([*classes, *self._trainer()])
        )

    def _trainer(self) -> list[str]:
        made = [f"self.layer{at} = {name}()" for at, name in enumerate(self._layers)]
        if self._random.random() < 0.3:
            made.append("self.layer0.shared = self.child")
        if self._random.random() < 0.3:
            made.append("self.child.layer = self.layer0")
        body = self._body()
        step = "def run(self, x):"
        return [
            "class Trainer:",
            "    def __init__(self):",
            *(f"        {line}" for line in (*ATTRIBUTES.splitlines(), *made)),
            "        self.weight = tf.Variable(1.5)",
            *(f"        self.opt{at} = {self._optimizer()}" for at in range(len(self._layers))),
            "        self.kept = None",
            "",
            f"    {step}",
            *(f"        {line}" for line in body),
            "        return x, s",
            "",
            "",
            "trainer = Trainer()",
            "",
            "",
            "def entry(x):",
            "    return trainer.run(x)",
            "",
        ]

    def _optimizer(self) -> str:
        decay = "SGD(keras.optimizers.schedules.ExponentialDecay(0.1, 2, 0.5))"
        options = ("SGD(0.1)", "SGD(0.1, momentum=0.9)", "Adam(0.1)", decay)
        return f"keras.optimizers.{self._random.choice(options)}"

    def _body(self) -> list[str]:
        lines = ["print('run')", "s = tf.reduce_mean(x)"]
        count = self._random.randrange(2, 7)
        for _ in range(count):
            lines += self._statement()
            if self._random.random() < 0.3:
                lines.append("s = tf.reduce_mean(x)")
        scopes = [line for line in lines if line.startswith("global ")]
        return [*dict.fromkeys(scopes), *(line for line in lines if line not in scopes)]

    def _statement(self) -> list[str]:
        kind = self._random.random()
        if self._inside and kind < 0.35:
            chosen = self._random.choice(self._inside)
            return [line.replace("{layer}", self._random.choice(self._layers)) for line in chosen]
        if kind < 0.65:
            return [f"x = self.layer{self._random.randrange(len(self._layers))}(x)"]
        if kind < 0.72:
            return self._training()
        lines = list(self._random.choice(STATEMENTS))
        return self._around(lines) if kind > 0.93 else lines

    def _training(self) -> list[str]:
        at = self._random.randrange(len(self._layers))
        layer = f"self.layer{at}"
        return [
            "with tf.GradientTape() as tape:",
            f"    loss = tf.reduce_sum(tf.square({layer}(x) * self.weight))",
            f"variables = [self.weight, *{layer}.trainable_variables]",
            "grads = tape.gradient(loss, variables)",
            "pairs = [(g, v) for g, v in zip(grads, variables) if g is not None]",
            f"self.opt{at}.apply_gradients(pairs)",
            "x = x * self.weight",
        ]

    def _around(self, lines: list[str]) -> list[str]:
        """Put a statement into one that a graph may decide."""
        scopes = [line for line in lines if line.startswith("global ")]
        lines = [line for line in lines if line not in scopes]
        heads = ("if s > 0.5:", "for _ in range(2):", "if self.step % 2 == 0:")
        return [*scopes, self._random.choice(heads), *(INDENT + line for line in lines)]
