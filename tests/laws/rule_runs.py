"""Runs the rules of the JAX engine on arrays, beside the NumPy kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from runtime.core.spec import TensorSpec
from runtime.errors import OpError
from runtime.executors.jax.rules import RULES
from runtime.executors.jax.rules.jax_modules import with_64_bits
from runtime.executors.jax.values.bounds import Bounds
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.op import REGISTRY, apply, run_kernel
from runtime.passes.node_traits import kernel_op


class Case(NamedTuple):
    """Operands of an op.

    Attributes:
        is_weak: whether they represent Python's ints.
        has_to_run: whether the rule may not leave it to the NumPy executor.
        known: whether the integers among the operands are known while JAX traces.
    """

    op: str
    arrays: tuple[np.ndarray, ...]
    attrs: dict[str, Any]
    is_weak: bool = False
    has_to_run: bool = False
    known: bool = False

    def __str__(self) -> str:
        shown = ", ".join(f"{each.dtype}{each.tolist()}" for each in self.arrays)
        return f"{self.op}({shown}) {self.attrs}{' weak' * self.is_weak}{' known' * self.known}"


class Found(NamedTuple):
    """The outputs of a rule, and whether it ended the run."""

    outputs: tuple[np.ndarray, ...]
    failed: bool


class Checks:
    """The run of a rule: it notes whether a condition held that ends the run."""

    def __init__(self) -> None:
        self.failed: Any = False
        self.bounds = Bounds()

    def fail(self, condition: Any) -> None:
        import jax.numpy as jnp

        self.failed = jnp.any(condition) | self.failed


def node_of(case: Case) -> Node | None:
    """Return a node of a new graph; None if the op refuses the operands, or makes a text."""
    graph = Graph("law")
    inputs = [
        graph.add_input(TensorSpec.of_array(each), f"x{at}", weak=case.is_weak)
        for at, each in enumerate(case.arrays)
    ]
    try:
        with graph.recording():
            apply(REGISTRY[case.op], inputs, **case.attrs)
    except OpError:
        return None
    node = graph.nodes[-1]
    if any(each.dtype.kind == "O" for each in node.outputs):
        return None
    for each in node.outputs if case.is_weak else ():
        each.weak = True
    return node


def run_kernel_of(node: Node, arrays: Sequence[np.ndarray]) -> tuple[np.ndarray, ...] | None:
    """Return the outputs of a node's kernel; None if it raises."""
    try:
        return run_kernel(kernel_op(node), arrays, node.attrs)
    except (OpError, ArithmeticError, ValueError):
        return None


def run_rules(cases: Sequence[tuple[Case, Node]]) -> list[Found | Exception]:
    """Run the rule of each node under one `jax.jit`; known operands are constants.

    Returns:
        The result for each node, or the exception that the rule raises while JAX traces.
    """
    import jax

    raised: dict[int, Exception] = {}

    def traced(every: Any) -> Any:
        results = []
        for number, ((case, node), given) in enumerate(zip(cases, every)):
            checks = Checks()
            operands = [
                array if _is_known(case, array) else tracer
                for array, tracer in zip(case.arrays, given)
            ]
            try:
                outputs = RULES[case.op](checks, node, *operands)
            except Exception as reason:
                raised[number], outputs = reason, ()
            outputs = outputs if isinstance(outputs, tuple) else (outputs,)
            results.append((outputs, checks.failed))
        return results

    with with_64_bits():
        found = jax.jit(traced)([case.arrays for case, _ in cases])
        return [
            raised.get(number) or Found(tuple(map(np.asarray, outputs)), bool(failed))
            for number, (outputs, failed) in enumerate(found)
        ]


def _is_known(case: Case, array: np.ndarray) -> bool:
    return case.known and array.dtype.kind in "iub"
