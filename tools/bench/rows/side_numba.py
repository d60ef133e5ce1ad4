"""Numba's side: the loops and arrays it was made for, compiled before they are measured."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba  # type: ignore[import-not-found,import-untyped,unused-ignore]
import numpy as np

from tools.bench.rows import data, plain
from tools.bench.rows.data import generator_arrays

Run = Callable[[], Any]
_jit = numba.njit(cache=False)
_collatz = _jit(plain.collatz_steps)
_newton = _jit(plain.newton_root)
_roots = _jit(plain.newton_roots)


@_jit
def _chain(x: Any) -> Any:
    out = np.empty_like(x)
    for at in range(x.size):
        it = x[at]
        inner = np.float32(0.7978845608) * (it + np.float32(0.044715) * it * it * it)
        half = np.float32(0.5) * it
        out[at] = half * (np.float32(1) + np.tanh(inner)) - np.float32(0.1)
    return out


@_jit
def _power(x: Any, times: int) -> Any:
    n = x.shape[0]
    result = np.eye(n).astype(np.int32)
    for _ in range(times):
        product = np.zeros((n, n), np.int32)
        for i in range(n):
            for k in range(n):
                for j in range(n):
                    product[i, j] += x[i, k] * result[k, j]
        result = product
    return result


@_jit
def _seq_model(x: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
    hidden = np.maximum(x.reshape(x.shape[0], 784) @ w1 + b1, np.float32(0))
    return hidden @ w2 + b2


@_jit
def _mse(truth: Any, guess: Any) -> Any:
    total = 0
    for at in range(truth.size):
        total += (truth[at] - guess[at]) ** 2
    return total // truth.size


@_jit
def _relu(x: Any) -> Any:
    return x if x > 0 else 0.0


@_jit
def _increment(x: Any) -> Any:
    return x + np.float32(1)


@_jit
def _add(x: Any, y: Any) -> Any:
    return x + y


@_jit
def _sigmoid(x: Any) -> Any:
    return np.float32(1) / (np.float32(1) + np.exp(-x))


@_jit
def _lstm(x: Any, wx: Any, wh: Any, b: Any) -> Any:
    h, c = np.zeros((32, 64), np.float32), np.zeros((32, 64), np.float32)
    for t in range(x.shape[0]):
        gates = x[t] @ wx + h @ wh + b
        i, f, g, o = gates[:, :64], gates[:, 64:128], gates[:, 128:192], gates[:, 192:]
        c = _sigmoid(f) * c + _sigmoid(i) * np.tanh(g)
        h = _sigmoid(o) * np.tanh(c)
    return h


def _on_arrays(row: str, function: Any, *names: str) -> Callable[[], Run]:
    def make() -> Run:
        arrays = generator_arrays(row)
        args = [arrays[name] for name in names]
        return lambda: function(*args)

    return make


_WEIGHTS = ("w1", "b1", "w2", "b2")
MODES: dict[str, dict[str, Callable[[], Run]]] = {
    "numba": {
        "power": lambda: lambda: _power(generator_arrays("power")["x"], data.POWER),
        "seq_model": _on_arrays("seq_model", _seq_model, "x", *_WEIGHTS),
        "get_mse": _on_arrays("get_mse", _mse, "truth", "guess"),
        "simple_relu": lambda: lambda: _relu(3.0),
        "dispatch_1": lambda: lambda: _increment(np.float32(3)),
        "one_op_100": _on_arrays("one_op_100", _add, "x", "y"),
        "collatz": lambda: lambda: _collatz(data.COLLATZ_UP_TO),
        "newton": lambda: lambda: _newton(612.0),
        "newton_64": lambda: lambda: _roots(float(data.ROOTS_UP_TO)),
        "chain_100": _on_arrays("chain_100", _chain, "x"),
        "chain_1e6": _on_arrays("chain_1e6", _chain, "x"),
        "lstm": _on_arrays("lstm", _lstm, "x", "wx", "wh", "b"),
    }
}
VERSIONS = {"numba": numba.__version__, "numpy": np.__version__}
