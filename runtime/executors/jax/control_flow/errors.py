"""Errors: `raise`, `assert` and other checks, and the parts of `try`.

An error ends the run with a status: the NumPy executor then runs the call again and raises it. So
messages are not computed, and the handlers of a `try` are left to the NumPy executor.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.executors.jax.dynamic_shapes.padded import valid
from runtime.executors.jax.rules.jax_modules import jnp
from runtime.executors.jax.rules.table import Unsupported
from runtime.executors.jax.run_state import RunState
from runtime.executors.jax.value_rules import core_rule
from runtime.executors.jax.values.pytrees import Padded, UnsupportedValue, is_known, traced


@core_rule("raise", "raise_again")
def _raise(run: RunState, node: Any, *inputs: Any) -> Any:
    run.fail(True)
    return ()


@core_rule("assert", "assert_data", "check", "refuse")
def _check(run: RunState, node: Any, condition: Any, *message: Any) -> Any:
    if isinstance(condition, UnsupportedValue):
        raise Unsupported(condition.reason)
    if isinstance(condition, Padded) or condition.ndim:
        raise Unsupported("no test of several values")
    run.fail(np.logical_not(condition) if is_known(condition) else jnp.logical_not(condition))
    return ()


_RELATIONS = {
    "==": "equal",
    "!=": "not_equal",
    "<": "less",
    "<=": "less_equal",
    ">": "greater",
    ">=": "greater_equal",
}


@core_rule("assert_relation")
def _relation(run: RunState, node: Any, x: Any, y: Any) -> Any:
    symbol, _, zero = node.attrs["relation"].partition(" ")
    compared = getattr(jnp, _RELATIONS[symbol])
    if isinstance(x, Padded) and (zero or np.ndim(y) == 0):
        run.fail(~compared(x.array, y) & x.mask())
        return ()
    if isinstance(x, Padded) or isinstance(y, Padded):
        raise Unsupported("no assertion on arrays whose length only a run knows")
    run.fail(~compared(*map(traced, (x, y))))
    return ()


@core_rule("check_numerics")
def _numerics(run: RunState, node: Any, x: Any) -> Any:
    run.fail(~jnp.isfinite(valid(x, 0)))
    return x


@core_rule("assert_rank", "assert_shapes")
def _shapes(run: RunState, node: Any, *inputs: Any) -> Any:
    if not all(hasattr(each, "shape") for each in inputs):
        raise Unsupported("no assertion on arrays whose length only a run knows")
    try:
        # Such an op looks at shapes only.
        node.op.kernel(*[np.empty(x.shape, x.dtype) for x in inputs], **node.attrs)
    except Exception:
        run.fail(True)
    return ()


@core_rule("make_error", "from_exception")
def _error(run: RunState, node: Any, *inputs: Any) -> Any:
    return [UnsupportedValue("no exceptions as values")] * len(node.outputs)


@core_rule("leave_try", "note_state")
def _nothing(run: RunState, node: Any, *inputs: Any) -> Any:
    return ()


@core_rule("try_except")
def _try(run: RunState, node: Any, *inputs: Any) -> Any:
    captured = inputs[node.attrs["noted"] :]
    return run.results(node.regions[0], [UnsupportedValue("no exceptions as values"), *captured])
