"""Gradients of `py_function` nodes, from a tape that records each call.

    %y = py_function(%x)     ->      %y, %tape = py_function(%x)
                                     %dx = py_function(%tape, %dy)

A tape that is open while a graph is traced cannot record the ops of the function, which runs later.
So the node also returns a tape of each call, which a second Python function uses. Ops on NumPy
arrays are not recorded, so they have no gradient.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from runtime.autodiff.backward import Gradients, fitted, zeros_for
from runtime.autodiff.tape import GradientTape
from runtime.autodiff.tape_steps import is_differentiable
from runtime.core.context import current_recorder, recording
from runtime.core.dtypes import DType, variant
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, EagerTensor, SymbolicTensor
from runtime.core.variant import boxed, unboxed
from runtime.errors import UnimplementedError, of_tracing
from runtime.graph.extra_outputs import add_output
from runtime.graph.node import Node
from runtime.ops.effects.python_calls import PY_FUNCTION, PythonCall, results_of
from runtime.ops.op import apply


@dataclass(frozen=True)
class _Taped:
    """A Python function that returns, after its results, the tape of the call with its values."""

    call: PythonCall
    dtypes: tuple[DType, ...]
    is_one: bool

    def __call__(self, arrays: Sequence[Array]) -> list[Any]:
        inputs = list(map(EagerTensor.over, arrays))
        floats = [each for each in inputs if is_differentiable(each.dtype)]
        with recording(None):
            with GradientTape(persistent=True, watch_accessed_variables=False) as tape:
                tape.watch(floats)
                outputs = results_of(self.call, arrays, self.dtypes, self.is_one)
        targets = [each for each in outputs if is_differentiable(each.dtype)]
        return [*outputs, EagerTensor(boxed((tape, targets, floats)))]

    def __str__(self) -> str:
        return str(self.call)


@dataclass(frozen=True)
class _CallGradient:
    """The gradient function of a call, computed from the tape that the call returned."""

    call: PythonCall

    def __call__(self, arrays: Sequence[Array]) -> list[Any]:
        kept, *dys = arrays
        tape, targets, sources = unboxed(kept)
        with recording(None):
            given = list(map(EagerTensor.over, dys))
            return list(tape.gradient(targets, sources, given, "zero"))

    def __str__(self) -> str:
        return f"the gradient of {self.call}"


def python_function_gradient(node: Node, dys: Gradients, wanted: Sequence[bool]) -> Gradients:
    """Return the gradients of the operands of a `py_function`.

    Raises:
        UnimplementedError: the node is itself such a gradient.
    """
    function: Any = node.attrs["function"]
    if isinstance(function, _CallGradient):
        raise of_tracing(
            UnimplementedError(
                f"a gradient would go through {function}, which Python computes when the graph "
                "runs: open the outer tape where nothing is traced, or write the function in ops",
                node.origin,
            )
        )
    if isinstance(function, PythonCall) and function.with_arrays:
        return [None] * len(node.inputs)
    kept = _kept(node)
    given = [
        zeros_for(output) if dy is None else fitted(dy, output)
        for output, dy in zip(node.outputs[:-1], dys, strict=False)
        if is_differentiable(output.dtype)
    ]
    sources = [each for each in node.inputs if is_differentiable(each.dtype)]
    recorder: Any = current_recorder()
    gradient = _CallGradient(node.attrs["function"].call)  # type: ignore[attr-defined]
    dtypes = tuple(each.dtype for each in sources)
    found = iter(
        apply(PY_FUNCTION, (recorder.capture(kept), *given), function=gradient, Tout=dtypes)
    )
    return [
        fitted(next(found), each) if is_differentiable(each.dtype) else None for each in node.inputs
    ]


def _kept(node: Node) -> SymbolicTensor:
    """Return the node's output with the tapes of its calls; it is added at the first request."""
    function: Any = node.attrs["function"]
    if not isinstance(function, _Taped):
        Tout: Any = node.attrs["Tout"]
        is_one = isinstance(Tout, DType)
        dtypes = (Tout,) if is_one else tuple(Tout)
        taped = _Taped(function, dtypes, is_one)
        node.attrs = {**node.attrs, "function": taped, "Tout": (*dtypes, variant)}
        add_output(node, TensorSpec(None, variant))
    return node.outputs[-1]
