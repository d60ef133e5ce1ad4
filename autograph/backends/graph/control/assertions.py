"""Staging of `assert`: a failing assertion computes its message at run time.

assert x > 0, text(x)      ->      cond(x > 0)
                                     then():
                                     else(): raise AssertionError(text(x))
"""

from __future__ import annotations

from autograph.backends.graph.state import change_detection as watch
from autograph.backends.graph.tracing.regions import new_region, run_body
from autograph.backends.graph.tracing.trace_exceptions import stage_error
from autograph.backends.graph.values.truth import truth
from autograph.backends.protocol import Thunk
from runtime.graph.control_flow import record_cond
from runtime.graph.graph import Graph
from runtime.ops.effects.checks import assert_


def staged_assert(test: object, message: Thunk | None) -> None:
    """Record an AssertionError that is raised at run time if `test` does not hold."""
    pred = truth(test, "the condition of this `assert`")
    if message is None:
        return assert_(pred)
    failing, fixed = _traced(message)
    if fixed is not None:
        return assert_(pred, fixed)
    record_cond(pred, new_region("then"), failing)
    return None


def _traced(message: Thunk) -> tuple[Graph, object]:
    """Return the region that raises the AssertionError, and the message if it is a fixed text."""
    failing, made = new_region("else"), list[object]()
    watched = watch.watch(message)
    try:
        with failing.recording():
            if run_body(lambda: made.append(message())) and not _is_text(made[0], failing):
                stage_error(AssertionError(made[0]))
    finally:
        watch.restore(watched)
    return failing, None if failing.nodes else made[0]


def _is_text(value: object, region: Graph) -> bool:
    return type(value) is str and not region.nodes
