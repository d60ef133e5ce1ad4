"""Runs the rules of the JAX engine on arrays, beside the NumPy kernels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from runtime.core.spec import TensorSpec
from runtime.executors.jax.rules import RULES
from runtime.executors.jax.rules.library import with_64_bits
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.op import REGISTRY, apply, run_kernel
from runtime.passes.node_traits import kernel_op


class Recorded(NamedTuple):
    """The outputs of a rule, and whether it ended the run."""

    outputs: tuple[Any, ...]
    failed: bool


class Checks:
    """The run of a rule: it notes whether a condition held that ends the run."""

    def __init__(self) -> None:
        self.failed: Any = False

    def fail(self, condition: Any) -> None:
        import jax.numpy as jnp

        self.failed = jnp.any(condition) | self.failed


def node_of(
    op: str, arrays: Sequence[np.ndarray], attrs: dict[str, Any], weak: bool = False
) -> Node:
    """Return a node of a new graph whose inputs have the specs of arrays."""
    graph = Graph("law")
    inputs = [
        graph.add_input(TensorSpec.of_array(each), f"x{at}", weak=weak)
        for at, each in enumerate(arrays)
    ]
    with graph.recording():
        apply(REGISTRY[op], inputs, **attrs)
    node = graph.nodes[-1]
    if weak:
        for each in node.outputs:
            each.weak = True
    return node


def run_rule(
    node: Node,
    arrays: Sequence[np.ndarray],
    is_known: Callable[[np.ndarray], bool] = lambda array: False,
    wrap: Callable[..., Any] | None = None,
) -> Recorded:
    """Run a node's rule under `jax.jit`; known arrays are constants, all others are traced."""
    import jax

    known = [is_known(each) for each in arrays]

    def traced(*given: Any) -> Any:
        left, checks = iter(given), Checks()
        inputs = [each if at else next(left) for each, at in zip(arrays, known)]
        outputs = RULES[node.op.name](checks, node, *inputs)
        return outputs if isinstance(outputs, tuple) else (outputs,), checks.failed

    with with_64_bits():
        given = [each for each, at in zip(arrays, known) if not at]
        outputs, failed = jax.jit(traced)(*given)
        return Recorded(tuple(map(np.asarray, outputs)), bool(failed))


def run_numpy(node: Node, arrays: Sequence[np.ndarray]) -> tuple[np.ndarray, ...] | None:
    """Run a node's kernel; None if it raises."""
    try:
        return run_kernel(kernel_op(node), arrays, node.attrs)
    except Exception:
        return None
