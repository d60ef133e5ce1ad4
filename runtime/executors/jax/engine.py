"""The engine "jax": graphs run by XLA through JAX, on CPUs and accelerators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from runtime.core.fork_safety import run_before_fork
from runtime.core.tensor import Array
from runtime.errors import UnimplementedError
from runtime.executors.engine import Refusal
from runtime.executors.jax.operands import register
from runtime.executors.jax.program import JaxProgram
from runtime.executors.jax.rules.jax_modules import jax, with_64_bits
from runtime.executors.jax.rules.table import UNSUPPORTED
from runtime.executors.jax.sharding import on_mesh
from runtime.graph.callee import called_graphs
from runtime.graph.graph import Graph
from runtime.passes.manager import LICM, LICM_OF_ARRAYS, Pass


@run_before_fork
def _finish_runs() -> None:
    """Wait for all runs: a forked child has no threads that could end them."""
    for each in jax.live_arrays() if JaxEngine.has_compiled else ():
        each.block_until_ready()


class JaxEngine:
    """Runs graphs with JAX.

    Attributes:
        name: "jax".
        moves_streams: True, since random streams move on after a good run.
        array_types: the classes of arrays that it takes and returns besides NumPy's.
        own_passes: passes in the place of others; XLA moves what is invariant, too.
        has_compiled: whether an engine of this class has compiled a graph in this process.
    """

    name = "jax"
    moves_streams = True
    own_passes: Mapping[Pass, Pass] = {LICM: LICM_OF_ARRAYS}
    has_compiled = False

    def __init__(self) -> None:
        try:
            import jax as library
        except ImportError:
            raise UnimplementedError(
                'the executor "jax" needs JAX: pip install "autograph-py[jax]"'
            ) from None
        register()
        self.array_types: tuple[Any, ...] = (library.Array,)

    def refusals(self, graph: Graph) -> Sequence[Refusal]:
        """Return the nodes of ops that have no rule; others are refused at their shapes."""
        graphs = [graph, *(called.graph for called in called_graphs(graph))]
        return [
            Refusal(node.op.name, UNSUPPORTED[node.op.name], node.origin)
            for each in graphs
            for node in each.walk()
            if node.op.name in UNSUPPORTED and node.op.effects != "none"
        ]

    def to_device(self, array: Array) -> Any:
        """Return a copy of a NumPy array as an array of JAX's.

        >>> JaxEngine().to_device(np.zeros(2)).dtype  # doctest: +SKIP
        dtype('float64')
        """
        with with_64_bits():
            # Where JAX shares the memory of an array, it is that of this copy.
            return jax.device_put(np.array(array))

    def on_mesh(self, given: Any) -> Any:
        """Return an array, or the value of a variable, on the devices of the current mesh."""
        return on_mesh(given)

    def compile(self, graph: Graph) -> JaxProgram:
        """Return a graph as a program of JAX's."""
        JaxEngine.has_compiled = True
        return JaxProgram(graph)
