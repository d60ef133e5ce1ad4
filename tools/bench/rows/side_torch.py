"""PyTorch's side: workloads without control flow under `torch.compile`, the others eagerly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch  # type: ignore[import-not-found,import-untyped,unused-ignore]

from tools.bench.rows import data
from tools.bench.rows.data import generator_arrays

Run = Callable[[], Any]
_WEIGHTS = ("w1", "b1", "w2", "b2")
torch.set_num_threads(1)


def _power(x: Any) -> Any:
    result = torch.eye(10, dtype=torch.int32)
    for _ in range(data.POWER):
        result = torch.matmul(x, result)
    return result


def _layers(x: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
    return torch.relu(x.reshape(-1, data.WIDTH) @ w1 + b1) @ w2 + b2


def _mse(truth: Any, guess: Any) -> Any:
    return torch.sum((truth - guess) ** 2) // 5


def _chain(x: Any) -> Any:
    inner = (x * x * x * 0.044715 + x) * 0.7978845608
    return (torch.tanh(inner) + 1.0) * x * 0.5 - 0.1


def _lstm(x: Any, wx: Any, wh: Any, b: Any) -> Any:
    h, c = torch.zeros(32, 64), torch.zeros(32, 64)
    for t in range(x.shape[0]):
        i, f, g, o = torch.split(x[t] @ wx + h @ wh + b, 64, dim=1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
    return h


def _grad_while(w: Any, x: Any) -> Any:
    w, x = w.detach().requires_grad_(), x.detach().requires_grad_()
    y = x
    while torch.sum(y * y) > 1e-3:
        y = torch.tanh(w @ y) * 0.9
    return torch.autograd.grad(torch.sum(y * y), [w, x])


def _run(row: str, function: Any, names: tuple[str, ...], compiled: bool) -> Callable[[], Run]:
    def make() -> Run:
        arrays = generator_arrays(row)
        args = [torch.from_numpy(np.array(arrays[name])) for name in names]
        called = torch.compile(function, dynamic=False) if compiled else function
        return lambda: called(*args)

    return make


def mlp_step() -> Run:
    """A step of two layers."""
    a = generator_arrays("mlp_step")
    w = [torch.from_numpy(np.array(a[name])).requires_grad_() for name in _WEIGHTS]
    x, y = torch.from_numpy(a["x"]), torch.from_numpy(a["y"]).long()

    def loss_of(w: Any, x: Any, y: Any) -> Any:
        return torch.nn.functional.cross_entropy(_layers(x, *w), y)

    compiled = torch.compile(loss_of, dynamic=False)

    def run() -> Any:
        loss = compiled(w, x, y)
        gradients = torch.autograd.grad(loss, w)
        with torch.no_grad():
            for each, gradient in zip(w, gradients):
                each -= data.SMALL_RATE * gradient
        return loss, w[3]

    return run


def _row(row: str, function: Any, *names: str, compiled: bool = True) -> dict[str, Any]:
    return {row: _run(row, function, names or ("x",), compiled)}


MODES: dict[str, dict[str, Callable[[], Run]]] = {
    "torch": {
        **_row("power", _power, compiled=False),
        **_row("seq_model", _layers, "x", *_WEIGHTS),
        **_row("get_mse", _mse, "truth", "guess"),
        **_row("simple_relu", lambda x: torch.where(x > 0, x, 0.0)),
        **_row("dispatch_1", lambda x: x + 1.0),
        **_row("one_op_100", lambda x, y: x + y, "x", "y"),
        **_row("chain_100", _chain),
        **_row("chain_1e6", _chain),
        **_row("lstm", _lstm, "x", "wx", "wh", "b", compiled=False),
        **_row("grad_while", _grad_while, "w", "x", compiled=False),
        "mlp_step": mlp_step,
    }
}
VERSIONS = {"torch": torch.__version__, "numpy": np.__version__}
