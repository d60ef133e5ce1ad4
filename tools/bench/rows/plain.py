"""The workloads in plain Python and NumPy: the side everything else is checked against."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tools.bench.rows import data, sources
from tools.bench.rows.data import generator_arrays

Run = Callable[[], Any]


def power() -> Run:
    """Multiply a matrix a hundred times."""
    x = generator_arrays("power")["x"]

    def run() -> Any:
        result = np.eye(10, dtype=np.int32)
        for _ in range(data.POWER):
            result = np.matmul(x, result)
        return result

    return run


def seq_model() -> Run:
    """Two layers on flattened images."""
    a = generator_arrays("seq_model")
    x, w1, b1, w2, b2 = (a[name] for name in ("x", "w1", "b1", "w2", "b2"))

    def run() -> Any:
        hidden = np.maximum(x.reshape(-1, data.WIDTH) @ w1 + b1, 0)
        return hidden @ w2 + b2

    return run


def get_mse() -> Run:
    """Mean of squared differences, of integers."""
    a = generator_arrays("get_mse")
    truth, guess = a["truth"], a["guess"]
    return lambda: np.sum((truth - guess) ** 2) // 5


def simple_relu() -> Run:
    """One choice on a Python number."""
    x = 3.0

    def run() -> Any:
        if x > 0:
            return x
        return 0.0

    return run


def dispatch_1() -> Run:
    """One addition on an array of one number."""
    x, one = generator_arrays("dispatch_1")["x"], np.asarray(1.0, np.float32)
    return lambda: np.add(x, one)


def one_op_100() -> Run:
    """One addition of two arrays."""
    a = generator_arrays("one_op_100")
    x, y = a["x"], a["y"]
    return lambda: np.add(x, y)


def collatz_steps(n: int) -> int:
    """Count the steps of all numbers up to `n`, on Python numbers."""
    total = 0
    k = 1
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


def collatz() -> Run:
    """The steps of the numbers up to 200."""
    return lambda: collatz_steps(data.COLLATZ_UP_TO)


def newton_root(a: float) -> float:
    """The square root by Newton's method, on Python numbers."""
    x = a
    while abs(x * x - a) > 1e-5 * a:
        x = 0.5 * (x + a / x)
    return x


def newton() -> Run:
    """A square root."""
    return lambda: newton_root(612.0)


def newton_roots(n: float) -> float:
    """The sum of the square roots up to `n`, each by Newton's method, on Python numbers."""
    total = 0.0
    a = 1.0
    while a <= n:
        x = a
        while abs(x * x - a) > 1e-5 * a:
            x = 0.5 * (x + a / x)
        total = total + x
        a = a + 1.0
    return total


def newton_64() -> Run:
    """The square roots of the numbers up to 200."""
    return lambda: newton_roots(data.ROOTS_UP_TO)


def chained(x: Any) -> Any:
    """Ten elementwise operations, near to a gelu."""
    y = x * x
    y = y * x
    y = y * 0.044715
    y = y + x
    y = y * 0.7978845608
    y = np.tanh(y)
    y = y + 1.0
    y = y * x
    y = y * 0.5
    return y - 0.1


def chain_100() -> Run:
    """The chain on a hundred numbers."""
    x = generator_arrays("chain_100")["x"]
    return lambda: chained(x)


def chain_1e6() -> Run:
    """The chain on a million numbers."""
    x = generator_arrays("chain_1e6")["x"]
    return lambda: chained(x)


def lstm() -> Run:
    """An LSTM's last state."""
    a = generator_arrays("lstm")
    x, wx, wh, b = a["x"], a["wx"], a["wh"], a["b"]

    def run() -> Any:
        h, c = np.zeros((32, 64), np.float32), np.zeros((32, 64), np.float32)
        for t in range(len(x)):
            i, f, g, o = np.split(x[t] @ wx + h @ wh + b, 4, axis=1)
            c = _sigmoid(f) * c + _sigmoid(i) * np.tanh(g)
            h = _sigmoid(o) * np.tanh(c)
        return h

    return run


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def logreg_step() -> Run:
    """A step of logistic regression, its gradient by hand."""
    a = generator_arrays("logreg_step")
    x, y, w = a["x"], a["y"], a["w"].copy()

    def run() -> Any:
        nonlocal w
        z = x @ w
        loss = np.mean(np.maximum(z, 0) - z * y + np.log1p(np.exp(-np.abs(z))))
        w = w - np.float32(data.SMALL_RATE) * ((_sigmoid(z) - y) @ x / np.float32(len(x)))
        return loss, w

    return run


def _gradients(x: Any, y: Any, w: list[Any]) -> tuple[Any, list[Any]]:
    """Return loss and gradients of the two layers under cross entropy."""
    w1, b1, w2, b2 = w
    hidden = np.maximum(x @ w1 + b1, 0)
    z = hidden @ w2 + b2
    z = z - z.max(1, keepdims=True)
    exp = np.exp(z)
    total = exp.sum(1, keepdims=True)
    rows = np.arange(len(y))
    loss = np.mean(np.log(total[:, 0]) - z[rows, y])
    dz = exp / total
    dz[rows, y] -= 1
    dz /= np.float32(len(y))
    dh = (dz @ w2.T) * (hidden > 0)
    return loss, [x.T @ dh, dh.sum(0), hidden.T @ dz, dz.sum(0)]


def mlp_step() -> Run:
    """A step of two layers."""
    a = generator_arrays("mlp_step")
    w = [a[name].copy() for name in ("w1", "b1", "w2", "b2")]

    def run() -> Any:
        loss, gradients = _gradients(a["x"], a["y"], w)
        for each, gradient in zip(w, gradients):
            each -= np.float32(data.SMALL_RATE) * gradient
        return loss, w[3]

    return run


def train() -> Run:
    """Twenty steps of Adam, from the same weights each time."""
    return _training("train")


def _training(row: str) -> Run:
    a = generator_arrays(row)

    def run() -> Any:
        w = [a[name].copy() for name in ("w1", "b1", "w2", "b2")]
        m, v = [np.zeros_like(each) for each in w], [np.zeros_like(each) for each in w]
        loss = 0.0
        for step in range(data.STEPS):
            part = slice(step * data.BATCH, (step + 1) * data.BATCH)
            loss, gradients = _gradients(a["x"][part], a["y"][part], w)
            _adam(w, m, v, gradients, step + 1)
        return loss

    return run


def _adam(w: Any, m: Any, v: Any, gradients: Any, step: int) -> None:
    corrected = math.sqrt(1 - data.BETA_2**step) / (1 - data.BETA_1**step)
    rate = np.float32(data.RATE * corrected)
    for each, first, second, gradient in zip(w, m, v, gradients):
        first *= np.float32(data.BETA_1)
        first += np.float32(1 - data.BETA_1) * gradient
        second *= np.float32(data.BETA_2)
        second += np.float32(1 - data.BETA_2) * gradient * gradient
        each -= rate * first / (np.sqrt(second) + np.float32(data.EPSILON))


def grad_while() -> Run:
    """The gradient through a loop, by hand."""
    a = generator_arrays("grad_while")
    w, x = a["w"], a["x"]

    def run() -> Any:
        y, seen = x, []
        while np.sum(y * y) > 1e-3:
            y = np.tanh(w @ y) * np.float32(0.9)
            seen.append(y)
        dy, dw = 2 * y, np.zeros_like(w)
        before = [x, *seen[:-1]]
        for given, out in zip(reversed(before), reversed(seen)):
            inner = out / np.float32(0.9)
            dz = dy * np.float32(0.9) * (1 - inner * inner)
            dw += np.outer(dz, given)
            dy = w.T @ dz
        return dw, dy

    return run


def compile_500() -> Run:
    """The same statements by NumPy: nothing to compile, so that there is only a result."""
    function = sources.fresh(sources.straight_source(), "straight", np)
    x = generator_arrays("compile_500")["x"]
    return lambda: function(x)


def nested_10() -> Run:
    """The nested statements on Python numbers."""
    function = sources.fresh(sources.nested_source(), "nested", np)
    return lambda: function(2)


MODES: dict[str, dict[str, Callable[[], Run]]] = {
    "plain": {
        each.__name__: each
        for each in (
            *(power, seq_model, get_mse, simple_relu, dispatch_1, one_op_100, collatz),
            *(
                newton,
                newton_64,
                chain_100,
                chain_1e6,
                lstm,
                logreg_step,
                mlp_step,
                train,
                grad_while,
            ),
        )
    }
}

# The expected results for every side; these are not measured.
EXPECTED: dict[str, Callable[[], Run]] = {
    **MODES["plain"],
    "seq_keras": seq_model,
    "train_keras": train,
    "dataset_loop": train,
    "compile_500": compile_500,
    "nested_10": nested_10,
}
