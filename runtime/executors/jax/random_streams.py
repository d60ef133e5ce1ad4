"""Random numbers by seeds in a program of JAX: the streams of a graph are variables of the run.

    random_normal(seed=5)      reads the position of the stream, draws there, and moves it on

A position is three numbers of uint64: both halves of the counter, the lower one first, and the key.
The streams themselves move on when a run is good.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from runtime.core.tensor import Array
from runtime.executors.jax.rules import RULES
from runtime.executors.jax.rules.jax_modules import jnp
from runtime.executors.jax.rules.table import Unsupported
from runtime.executors.jax.run_state import RunState
from runtime.executors.jax.value_rules import core_rule
from runtime.executors.jax.values.pytrees import VariableKey, is_array
from runtime.graph.callee import called_graphs
from runtime.graph.graph import Graph
from runtime.ops.op import REGISTRY
from runtime.ops.random.eager_seeds import RESERVED, unpredictable_position
from runtime.ops.random.graph_seeds import NodeSeeds
from runtime.ops.random.philox import StreamPosition

# The op that draws at a position, of each op that draws by seeds, and its operands before the key.
_STATELESS = {
    "random_uniform": ("stateless_uniform", 0),
    "random_uniform_int": ("stateless_uniform_int", 2),
    "random_normal": ("stateless_normal", 0),
    "truncated_normal": ("stateless_truncated_normal", 0),
    "random_gamma": ("stateless_gamma", 1),
    "random_poisson": ("stateless_poisson", 1),
    "random_shuffle": ("stateless_shuffle", 1),
    "random_categorical": ("stateless_categorical", 1),
}
_FULL = 2**64


def streams_of(graph: Graph) -> list[NodeSeeds]:
    """Return the streams from which a graph, or one that it calls, draws by seeds."""
    graphs = [graph, *(called.graph for called in called_graphs(graph))]
    seeds: list[Any] = [
        node.attrs["seed"] for each in graphs for node in each.walk() if node.op.name in _STATELESS
    ]
    return list({id(each): each for each in seeds}.values())


def stream_key(stream: NodeSeeds) -> str:
    """Return the key of a stream among the variables of a run."""
    return f"stream {id(stream)}"


def position_of(stream: NodeSeeds) -> Array:
    """Return the position of the next number; one that nobody can predict without a seed."""
    start = stream.reserve(0) or unpredictable_position()
    return np.array([start.counter % _FULL, start.counter >> 64, start.key], np.uint64)


def move_on(stream: NodeSeeds, before: Array, after: Any) -> None:
    """Move a stream on by the blocks that lie between two positions."""
    stream.reserve((_counter(np.asarray(after)) - _counter(before)) % 2**128)


def _counter(position: Array) -> int:
    return StreamPosition.of_arrays(position[2:], position[:2]).counter


@core_rule(*_STATELESS)
def _draw(run: RunState, node: Any, *inputs: Any) -> Any:
    if not all(map(is_array, inputs)):
        raise Unsupported("no random numbers of a shape that only a run knows")
    stream = stream_key(node.attrs["seed"])
    position = run.read(stream)
    name, count = _STATELESS[node.op.name]
    attrs = {key: value for key, value in node.attrs.items() if key != "seed"}
    at_position = SimpleNamespace(op=REGISTRY[name], attrs=attrs, outputs=node.outputs)
    place = (position[2:], position[:2])
    found = RULES[name](run, at_position, *inputs[:count], *place, *inputs[count:])
    run.variables[stream] = _after(position, np.uint64(_taken(node, inputs, found) % _FULL))
    return found


def _taken(node: Any, inputs: Sequence[Any], found: Any) -> int:
    """Return the number of blocks that a draw reserves, as the kernel does."""
    if node.op.name == "random_shuffle":
        x = inputs[0]
        return 0 if math.prod(x.shape) <= 1 else -(-(x.shape[0] - 1) // 4)
    if node.op.name == "random_categorical":
        samples = -(-node.attrs["num_samples"] // 4) * 4
        return RESERVED * 2 * int(inputs[0].shape[0]) * samples
    return RESERVED * math.prod(found.shape)


def _after(position: Any, blocks: Any) -> Any:
    """Return the position a number of blocks, of uint64, later."""
    low = position[0] + blocks
    high = position[1] + (low < position[0]).astype(np.uint64)
    return jnp.stack([low, high, position[2]])


@core_rule("skip_variable")
def _skip(run: RunState, node: Any, handle: Any, count: Any) -> Any:
    if not isinstance(handle, VariableKey) or not is_array(count):
        raise Unsupported("no generator that a run chooses")
    state = run.read(handle.key)
    position = jnp.asarray(state).astype(np.uint64)
    steps = jnp.reshape(count, ()).astype(np.uint64) * np.uint64(RESERVED)
    low, high, key = _after(position, steps)
    # The carry that the kernel loses, as TensorFlow does.
    word, half = np.uint64(2**32 - 1), np.uint64(32)
    is_lost = (steps >> half == word) & ((position[0] & word) + (steps & word) > word)
    moved = jnp.stack([low, high - is_lost.astype(np.uint64), key])
    run.variables[handle.key] = moved.astype(np.int64)
    return state
