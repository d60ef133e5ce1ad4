"""Functions of the user's that the runtime calls: converted where a graph records what they do.

layer(x)                the layer's own code runs as it is, the `call` of the user's converted
rt.map_fn(f, rows)      f may have an `if` on tensors, as any function that is called
rt.custom_gradient(f)   and so may what f returns for the gradient
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeGuard

import numpy as np

from autograph.function.concrete import ConcreteFunction
from autograph.function.fast_guards import Check, unchanged
from autograph.function.function import Function
from autograph.function.guards import AnyGuard, Guard
from autograph.function.options import FunctionOptions
from autograph.function.trace_time_effects import are_tallies
from runtime.core.weak_tables import IdentityTable

# Arrays with more bytes are not looked through again.
_MOST_BYTES = 1 << 16


class StepFunction(Function):
    """A step of training, evaluation or prediction, which is traced once for batches of a kind.

    Python's values that it only reads are constants of its graph. Who calls it asks from time to
    time whether they still are what they were: once an epoch, and where callbacks may change them.
    """

    def is_outdated(self, callbacks: Sequence[object] = ()) -> bool:
        """Tell whether something that a trace has read holds another value by now.

        Args:
            callbacks: new ones. If one looks at what only told of traces, it is state from now on.

        >>> import runtime as rt
        >>> scale = [2]
        >>> step = as_graphs(lambda x: x * scale[0], (rt.TensorSpec((), rt.int32),))
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
            if each.python_changes and not are_tallies(each.python_changes, callbacks):
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
    """Tell whether a guard is on a value, and on one that is soon compared."""
    if not isinstance(guard, Guard):
        return False
    value = guard.place.value()
    return not isinstance(value, np.ndarray) or value.nbytes <= _MOST_BYTES


def as_graphs(step: Callable[..., Any], specs: tuple[Any, ...]) -> StepFunction:
    """Return a function as one that has a single trace, for arguments of known kinds.

    >>> import runtime as rt
    >>> double = as_graphs(lambda batch: batch["x"] * 2, ({"x": rt.TensorSpec((None,), rt.int32)},))
    >>> double({"x": rt.constant([1, 2])}).numpy().tolist()
    [2, 4]
    """
    return StepFunction(step, FunctionOptions(specs, of_network=True))
