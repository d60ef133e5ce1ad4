"""The workloads on tensors, without training: written once, with TensorFlow's names.

`tf` is set in this module before it runs: TensorFlow, or `autograph.compat.tensorflow`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tools.bench.rows import data

tf: Any = globals().get("tf")


@dataclass(frozen=True)
class Made:
    """A function to stage, and its arguments.

    Attributes:
        function: the Python function.
        args: the arguments: tensors, and Python numbers that are not inputs of the graph.
    """

    function: Callable[..., Any]
    args: tuple[Any, ...] = ()


def _tensors(row: str, *names: str) -> tuple[Any, ...]:
    arrays = data.generator_arrays(row)
    return tuple(tf.constant(arrays[name]) for name in names or ("x",))


def power() -> Made:
    """Multiply a matrix a hundred times."""

    def power(x: Any, y: Any) -> Any:
        result = tf.eye(10, dtype=tf.int32)
        for _ in range(y):
            result = tf.matmul(x, result)
        return result

    return Made(power, (*_tensors("power"), data.POWER))


def seq_model() -> Made:
    """Two layers on flattened images."""
    weights = _tensors("seq_model", "w1", "b1", "w2", "b2")
    w1, b1, w2, b2 = map(tf.Variable, weights)

    def seq_model(x: Any) -> Any:
        flat = tf.reshape(x, [-1, data.WIDTH])
        hidden = tf.nn.relu(tf.matmul(flat, w1) + b1)
        return tf.matmul(hidden, w2) + b2

    return Made(seq_model, _tensors("seq_model"))


def get_mse() -> Made:
    """Mean of squared differences, of integers."""

    def get_mse(truth: Any, guess: Any) -> Any:
        difference = tf.pow(truth - guess, 2)
        return tf.reduce_mean(difference)

    return Made(get_mse, _tensors("get_mse", "truth", "guess"))


def simple_relu() -> Made:
    """One choice."""

    def simple_relu(x: Any) -> Any:
        if tf.greater(x, 0.0):
            return x
        else:
            return 0.0

    return Made(simple_relu, _tensors("simple_relu"))


def dispatch_1() -> Made:
    """One addition on one number."""

    def dispatch_1(x: Any) -> Any:
        return x + 1.0

    return Made(dispatch_1, _tensors("dispatch_1"))


def one_op_100() -> Made:
    """One addition of two vectors."""

    def one_op_100(x: Any, y: Any) -> Any:
        return x + y

    return Made(one_op_100, _tensors("one_op_100", "x", "y"))


def collatz() -> Made:
    """The steps of the numbers up to some number."""

    def collatz(n: Any) -> Any:
        total = tf.constant(0)
        k = tf.constant(1)
        while k <= n:
            v = k
            while v != 1:
                if v % 2 == 0:
                    v = v // 2
                else:
                    v = 3 * v + 1
                total = total + 1
            k = k + 1
        return total

    return Made(collatz, _tensors("collatz"))


def newton() -> Made:
    """A square root by Newton's method."""

    def newton(a: Any) -> Any:
        x = a
        while tf.abs(x * x - a) > 1e-5 * a:
            x = 0.5 * (x + a / x)
        return x

    return Made(newton, _tensors("newton"))


def newton_64() -> Made:
    """Many square roots by Newton's method, in float64."""

    def newton_64(n: Any) -> Any:
        total = tf.constant(0.0, tf.float64)
        a = tf.constant(1.0, tf.float64)
        while a <= n:
            x = a
            while tf.abs(x * x - a) > 1e-5 * a:
                x = 0.5 * (x + a / x)
            total = total + x
            a = a + 1.0
        return total

    return Made(newton_64, _tensors("newton_64"))


def _chain(x: Any) -> Any:
    y = x * x
    y = y * x
    y = y * 0.044715
    y = y + x
    y = y * 0.7978845608
    y = tf.tanh(y)
    y = y + 1.0
    y = y * x
    y = y * 0.5
    return y - 0.1


def chain_100() -> Made:
    """Ten elementwise operations on a hundred numbers."""
    return Made(_chain, _tensors("chain_100"))


def chain_1e6() -> Made:
    """Ten elementwise operations on a million numbers."""
    return Made(_chain, _tensors("chain_1e6"))


def lstm() -> Made:
    """An LSTM in a loop whose length depends on a tensor."""
    wx, wh, b = map(tf.Variable, _tensors("lstm", "wx", "wh", "b"))

    def lstm(x: Any) -> Any:
        h = tf.zeros([32, 64])
        c = tf.zeros([32, 64])
        t = tf.constant(0)
        while t < tf.shape(x)[0]:
            gates = tf.matmul(x[t], wx) + tf.matmul(h, wh) + b
            i, f, g, o = tf.split(gates, 4, axis=1)
            c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
            h = tf.sigmoid(o) * tf.tanh(c)
            t = t + 1
        return h

    return Made(lstm, _tensors("lstm"))


def grad_while() -> Made:
    """The gradient through a loop whose length depends on its values."""

    def grad_while(w: Any, x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([w, x])
            y = x
            while tf.reduce_sum(y * y) > 1e-3:
                y = tf.tanh(tf.linalg.matvec(w, y)) * 0.9
            loss = tf.reduce_sum(y * y)
        return tape.gradient(loss, [w, x])

    return Made(grad_while, _tensors("grad_while", "w", "x"))


MAKERS: dict[str, Callable[[], Made]] = {
    each.__name__: each
    for each in (
        *(power, seq_model, get_mse, simple_relu, dispatch_1, one_op_100, collatz),
        *(newton, newton_64, chain_100, chain_1e6, lstm, grad_while),
    )
}
