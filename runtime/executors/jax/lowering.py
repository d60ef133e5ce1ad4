"""Traces a graph with JAX, node by node.

    all operands known while JAX traces     the kernel of the op computes the node
    lists, variables, statements, errors    `core_rules`
    arrays                                  `rules`
    padded arrays                           `padded`, then `rules`

A node that JAX cannot compute is an `UnsupportedValue` if nothing but messages of errors uses its
result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from runtime.core.item_list import ItemList
from runtime.core.spec import TensorSpec
from runtime.core.variant import unboxed
from runtime.errors import OpError
from runtime.executors.engine import Refusal
from runtime.executors.jax.dynamic_shapes.padded import on_padded
from runtime.executors.jax.dynamic_shapes.results import TAKES_DIMS
from runtime.executors.jax.rules import RULES, UNSUPPORTED, Unsupported
from runtime.executors.jax.rules.jax_modules import jax, jnp
from runtime.executors.jax.rules.table import operand_spec
from runtime.executors.jax.run_state import RunState
from runtime.executors.jax.value_rules import CORE_RULES, PASS
from runtime.executors.jax.values.pytrees import (
    Dims,
    FixedList,
    Padded,
    UnsupportedValue,
    VariableKey,
    absent_for,
    is_array,
    is_known,
)
from runtime.graph.graph import Graph
from runtime.ops.op import NEVER, Op, run_kernel
from runtime.passes.node_traits import is_total, kernel_op

# Ops that use their operands for the message of an error only, besides the first.
_MESSAGES = frozenset(
    "assert assert_data raise raise_again make_error from_exception note_state leave_try".split()
)
# Ops that make texts of anything and never fail.
_TEXTS = frozenset("format_values as_string string_format make_error from_exception".split())


class Refused(Exception):
    """A graph that JAX cannot run, with the node and the reason."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal


def walk(run: RunState, graph: Graph, inputs: Sequence[Any]) -> list[Any]:
    """Trace a graph on the values of its inputs, and return its outputs.

    Raises:
        Refused: JAX cannot run a node.
    """
    values = dict(zip(map(id, graph.inputs), inputs))
    for node in graph.nodes:
        results = results_of(run, node, [values[id(each)] for each in node.inputs])
        values.update(zip(map(id, node.outputs), results))
    found = [values[id(each)] for each in graph.outputs]
    return [each.array() if isinstance(each, Dims) else each for each in found]


def results_of(run: RunState, node: Any, inputs: list[Any]) -> Sequence[Any]:
    """Trace a node and return its results.

    Raises:
        Refused: JAX cannot run it.
    """
    try:
        return _results_of(run, node, inputs)
    except Unsupported as error:
        reason = error.reason
    except Exception as error:
        if not _asks_for_value(error):
            raise
        reason = "no rule for it where a value that only a run knows decides a shape"
    if _is_droppable(node):
        return [UnsupportedValue(reason)] * len(node.outputs)
    raise Refused(Refusal(node.op.name, reason, node.origin))


def _asks_for_value(error: Exception) -> bool:
    """Return whether an error is JAX's where a rule asks for the value of a traced array."""
    errors = jax.errors
    kinds = (
        errors.ConcretizationTypeError,
        errors.NonConcreteBooleanIndexError,
        errors.TracerArrayConversionError,
        errors.TracerIntegerConversionError,
    )
    # That of a shape has no class of its own.
    return isinstance(error, kinds) or (isinstance(error, TypeError) and "concrete" in str(error))


def _is_droppable(node: Any) -> bool:
    """Return whether nobody notices if a node is not computed, other than by its results."""
    return bool(node.outputs) and (node.op.name in _TEXTS or is_total(node))


def _results_of(run: RunState, node: Any, inputs: list[Any]) -> Sequence[Any]:
    name = node.op.name
    if name == "constant":
        return (known_value(node.attrs["value"].array),)
    passes_on = bool(node.regions) or "callee" in node.attrs or name in _MESSAGES
    if not passes_on:
        for each in inputs:
            if isinstance(each, UnsupportedValue):
                raise Unsupported(each.reason)
    if name not in TAKES_DIMS:
        inputs = [each.array() if isinstance(each, Dims) else each for each in inputs]
    if inputs and all(map(is_known, inputs)) and _has_kernel(node):
        return _known_results(run, node, inputs)
    if not passes_on and not name.startswith("list_"):
        _check_numbers(inputs)
    found: Any = CORE_RULES[name](run, node, *inputs) if name in CORE_RULES else PASS
    if found is PASS:
        found = _by_rule(run, node, inputs)
    results = found if type(found) in (tuple, list) else (found,)
    if results:
        run.bounds.record_results(node, inputs, results)
    return results


def _check_numbers(inputs: Sequence[Any]) -> None:
    """Raise Unsupported if a known operand is a text, which only lists may contain."""
    for each in inputs:
        absent = absent_for(each.dtype) if is_known(each) else None
        if absent is not None:
            raise Unsupported(absent.reason)


def _has_kernel(node: Any) -> bool:
    op = node.op
    if op.kernel is None or op.effects != "none" or op.kernel_runs_ops:
        return False
    return not any(each.dtype.is_variant for each in node.outputs)


def _known_results(run: RunState, node: Any, inputs: Sequence[Any]) -> Sequence[Any]:
    """Compute a node while JAX traces; its error is one of each run that gets here."""
    try:
        return run_kernel(kernel_op(node), list(map(np.asarray, inputs)), node.attrs)
    except Exception:
        run.fail(True)
        return [blank(each.spec) for each in node.outputs]


def blank(spec: TensorSpec) -> Any:
    """Return a value of a spec for the nodes after a failed one, where it is without effect.

    Raises:
        Unsupported: the shape is not known.
    """
    if spec.dtype.is_variant or spec.dtype.kind == "O":
        return UnsupportedValue("no value after an error")
    if not spec.shape.is_fully_defined():
        raise Unsupported("no shape for the result of an op that fails")
    return jnp.zeros(spec.shape.dims, spec.dtype.np_dtype)


def known_value(array: Any) -> Any:
    """Return the value of a constant: a NumPy array, or the list in it."""
    if array.dtype.names is None:
        return array
    held = unboxed(array)
    if type(held) is ItemList:
        return FixedList(tuple(tuple(map(known_value, item)) for item in held.items()))
    return UnsupportedValue("no objects of Python's")


def _by_rule(run: RunState, node: Any, inputs: Sequence[Any]) -> Any:
    name = node.op.name
    if name in UNSUPPORTED:
        raise Unsupported(UNSUPPORTED[name])
    if name not in RULES:
        raise Unsupported("no rule for it")
    if any(isinstance(each, Padded) for each in inputs):
        return on_padded(run, node, inputs)
    inputs = [each.array() if isinstance(each, Dims) else each for each in inputs]
    for each in inputs:
        if not is_array(each):
            held = "variables" if isinstance(each, VariableKey) else "lists"
            raise Unsupported(f"no rule for {held} in it")
    if not _is_accepted(node.op, inputs, node.attrs):
        run.fail(True)
        return [blank(each.spec) for each in node.outputs]
    return RULES[name](run, node, *inputs)


def _is_accepted(op: Op, inputs: Sequence[Any], attrs: Mapping[str, Any]) -> bool:
    """Return whether an op takes operands of these dtypes and shapes; a kernel checks it, too."""
    if op.operand_checks is NEVER or not inputs:
        return True
    try:
        op.infer(*map(operand_spec, inputs), **attrs)
    except OpError:
        return False
    return True
