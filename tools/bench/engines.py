"""The executor jax against functions that are written by hand with JAX, in one process, in turns.

Both take arrays that are on the device, here held by tensors, leave their results there, and are
waited for by `jax.block_until_ready`. Weights by hand are results that are the next arguments, here
variables. In the last rows both take new NumPy arrays in each call. A figure is the processor's
time of all threads: wall time on a shared machine is noise.
"""

from __future__ import annotations

import importlib
import importlib.util
import math
import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from tools.bench import clock
from tools.bench.lines import Line, ratio, row

# Rows of the table `speed`.
_SHARED = (
    *("dispatch_1", "one_op_100", "simple_relu", "collatz", "newton", "chain_1e6", "lstm"),
    *("grad_while", "logreg_step", "mlp_step", "train"),
)
_ONE_THREAD = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
Run = Callable[[], Any]


def lines(rounds: int) -> Iterator[Line]:
    """Yield the table: times per call, and the time of compilation."""
    if importlib.util.find_spec("jax") is None:
        yield Line("the executor jax is not measured: pip install 'autograph-py[jax]'")
        return
    os.environ.setdefault("XLA_FLAGS", _ONE_THREAD)
    yield Line(row("executor jax, us a call", "jax by hand", "here", "ratio", "more", "compile"))
    ratios = []
    for name, hand, ours in _pairs():
        first = [_cpu_seconds(run, 1) for run in (hand, ours)]
        # Of threads that still run, the system counts the time with a delay of milliseconds.
        calls = max(1, int(0.03 / min(_cpu_seconds(ours, 1) for _ in range(4))))
        timed = [lambda run=run, calls=calls: _cpu_seconds(run, calls) for run in (hand, ours)]
        best = [1e6 * each for each in clock.best_in_turn(timed, rounds)]
        ratios.append(best[1] / best[0])
        cells = (f"{best[0]:.1f}", f"{best[1]:.1f}", ratio(ratios[-1]), f"{best[1] - best[0]:.1f}")
        yield Line(row(name, *cells, ratio(first[1] / first[0])))
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    yield Line(row("geometric mean", "", "", ratio(mean)))


def _cpu_seconds(run: Run, calls: int) -> float:
    began = time.process_time()
    for _ in range(calls):
        run()
    return (time.process_time() - began) / calls


def _pairs() -> Iterator[tuple[str, Run, Run]]:
    """Yield names, and functions without arguments: by hand, and here."""
    hand = importlib.import_module("tools.bench.rows.side_jax")
    ours = importlib.import_module("tools.bench.rows.side_ours")
    for name in _SHARED:
        yield name, hand.MODES["jax"][name](), _waited(ours.in_engine(name, "jax"))
    yield from _own_pairs()


def _own_pairs() -> Iterator[tuple[str, Run, Run]]:
    jax, ag = importlib.import_module("jax"), importlib.import_module("autograph")
    jnp, side_jax = map(importlib.import_module, ("jax.numpy", "tools.bench.rows.side_jax"))
    rt, np = importlib.import_module("runtime"), importlib.import_module("numpy")
    c = (np.linspace(-2, 1, 64)[None, :] + 1j * np.linspace(-1, 1, 64)[:, None]).astype("c8")
    n = np.array(500, np.int32)
    of_c, of_n = rt.constant(c), rt.constant(n)
    hand, ours = jax.jit(_escapes_by_hand), ag.function(_escapes, executor="jax")
    c, n = jnp.asarray(c), jnp.asarray(n)
    yield "mandelbrot", _waited(lambda: hand(c)), _waited(lambda: ours(of_c))
    by_hand, appended = jax.jit(_squares_by_hand), ag.function(_squares, executor="jax")
    yield "append_500", _waited(lambda: by_hand(n)), _waited(lambda: appended(of_n))
    for name, size in (("new_numpy_100", 100), ("new_numpy_1e6", 1_000_000)):
        x = np.linspace(-2, 2, size, dtype=np.float32)
        chain, chained = jax.jit(lambda x: side_jax._chain(x)), ag.function(_chain, executor="jax")
        yield name, _waited(partial(chain, x)), _waited(partial(chained, x))


def _waited(run: Run) -> Run:
    wait = importlib.import_module("jax").block_until_ready
    return lambda: wait(run())


def _escapes(c: Any) -> Any:
    rt = importlib.import_module("runtime")
    z, count = c * 0, rt.zeros(rt.shape(c), rt.int32)
    for _ in rt.range(50):
        inside = rt.abs(z) < 2.0
        z = rt.where(inside, z * z + c, z)
        count += rt.cast(inside, rt.int32)
    return count


def _chain(x: Any) -> Any:
    rt = importlib.import_module("runtime")
    inner = (x * x * x * 0.044715 + x) * 0.7978845608
    return (rt.tanh(inner) + 1.0) * x * 0.5 - 0.1


def _escapes_by_hand(c: Any) -> Any:
    jnp, lax = importlib.import_module("jax.numpy"), importlib.import_module("jax.lax")

    def body(_: Any, state: Any) -> Any:
        z, count = state
        inside = jnp.abs(z) < 2.0
        return jnp.where(inside, z * z + c, z), count + inside.astype(jnp.int32)

    return lax.fori_loop(0, 50, body, (c * 0, jnp.zeros(c.shape, jnp.int32)))[1]


def _squares(n: Any) -> Any:
    rt = importlib.import_module("runtime")
    found: list[Any] = []
    for i in range(n):
        found.append(i * i)
    return rt.stack(found)


def _squares_by_hand(n: Any) -> Any:
    jnp, lax = importlib.import_module("jax.numpy"), importlib.import_module("jax.lax")
    return lax.fori_loop(0, n, lambda i, kept: kept.at[i].set(i * i), jnp.zeros(1024, jnp.int32))[
        :500
    ]
