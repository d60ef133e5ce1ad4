"""Steps of networks: the graphs of `model.fit`, `evaluate` and `predict`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeGuard

import numpy as np

from autograph.functions.concrete_functions.concrete_function import ConcreteFunction
from autograph.functions.function import Function
from autograph.functions.options import FunctionOptions
from autograph.functions.side_effects.trace_time_effects import are_trace_time_effects
from autograph.functions.state.fast_guards import Check, unchanged
from autograph.functions.state.guards import AnyGuard, Guard
from runtime.core.weak_tables import IdentityTable

# Larger arrays, in bytes, are not compared again.
_MOST_BYTES = 1 << 16


class TracedStep(Function):
    """A step of training, evaluation or prediction, which is traced once for batches of a kind.

    Python values that it only reads are constants of its graph. The training loop calls
    `is_outdated` once an epoch, and where callbacks may have changed these values.
    """

    def is_outdated(self, callbacks: Sequence[object] = ()) -> bool:
        """Return whether a place that a trace has read has another value now.

        Large arrays and the shapes of state are not compared. New callbacks may outdate a step.

        Args:
            callbacks: new callbacks. If one reads a value that the step changed as a trace-time
                effect, the value is state from now on, and the step is outdated.

        >>> import autograph.runtime as rt
        >>> scale = [2]
        >>> step = traced_step(lambda x: x * scale[0], (rt.TensorSpec((), rt.int32),))
        >>> int(step(rt.constant(1))), step.is_outdated()
        (2, False)
        >>> scale[0] = 3
        >>> step.is_outdated()
        True
        """
        checks: IdentityTable[ConcreteFunction, Check | None] = self.__dict__.setdefault(
            "_checks", IdentityTable()
        )
        for each in self.traces.traces():
            if each.python_changes and not are_trace_time_effects(each.python_changes, callbacks):
                return True
            if each not in checks:
                guards = [guard for guard in each.guards if _is_looked_at_again(guard)]
                if any(guard.now() != guard.seen for guard in guards):
                    return True
                checks.put(each, unchanged(guards))
            check = checks.get(each)
            if check is not None and not check():
                return True
        return False


def _is_looked_at_again(guard: AnyGuard) -> TypeGuard[Guard]:
    """Return whether a guard is on a value that is fast to compare: no large array, no shape."""
    if not isinstance(guard, Guard):
        return False
    value = guard.place.value()
    return not isinstance(value, np.ndarray) or value.nbytes <= _MOST_BYTES


def traced_step(step: Callable[..., Any], specs: tuple[Any, ...]) -> TracedStep:
    """Return a function with a single trace, for arguments of known kinds.

    >>> import autograph.runtime as rt
    >>> specs = ({"x": rt.TensorSpec((None,), rt.int32)},)
    >>> double = traced_step(lambda batch: batch["x"] * 2, specs)
    >>> double({"x": rt.constant([1, 2])}).numpy().tolist()
    [2, 4]
    """
    return TracedStep(step, FunctionOptions(specs, of_network=True))
