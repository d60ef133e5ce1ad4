"""Assignment functions and global steps of TensorFlow 1."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import shown
from runtime.core.dtypes import int64
from runtime.core.tensor import TensorLike
from runtime.errors import DTypeError
from runtime.ops.arrays.creation import zeros
from runtime.session.default_graph import get_default_graph
from runtime.session.named_variables import AUTO_REUSE, get_variable, variable_scope
from runtime.state.variable import Variable


def _variable(ref: Any) -> Variable:
    if not isinstance(ref, Variable):
        raise DTypeError(f"ref must be a Variable, not {shown(ref)}")
    return ref


def assign(
    ref: Variable,
    value: TensorLike,
    validate_shape: object = None,
    use_locking: object = None,
    name: str | None = None,
) -> Variable:
    """Assign a value to a variable; in a session's graph, return a tensor of the new value.

    Raises:
        DTypeError: `ref` is no variable, or the value has another dtype.
        ShapeError: the value has another shape.

    >>> assign(Variable(1.0, name="v"), 2.0)
    <rt.Variable 'v:0' shape=() dtype=float32, numpy=2.0>
    """
    return _variable(ref).assign(value)


def assign_add(
    ref: Variable, value: TensorLike, use_locking: object = None, name: str | None = None
) -> Variable:
    """Add to a variable; see `assign`.

    >>> assign_add(Variable(1.0, name="v"), 2.0)
    <rt.Variable 'v:0' shape=() dtype=float32, numpy=3.0>
    """
    return _variable(ref).assign_add(value)


def assign_sub(
    ref: Variable, value: TensorLike, use_locking: object = None, name: str | None = None
) -> Variable:
    """Subtract from a variable; see `assign`.

    >>> assign_sub(Variable(1.0, name="v"), 2.0)
    <rt.Variable 'v:0' shape=() dtype=float32, numpy=-1.0>
    """
    return _variable(ref).assign_sub(value)


def get_global_step(graph: Any = None) -> Variable | None:
    """Return the step counter of a graph, by default the current one, or None.

    >>> import autograph.runtime as rt
    >>> get_global_step(rt.Graph()) is None
    True
    """
    fetch_state = (get_default_graph() if graph is None else graph).fetch_state
    return None if fetch_state is None else fetch_state.variables.get("global_step")


def get_or_create_global_step() -> Variable:
    """Return the step counter of the current graph; create it if there is none.

    >>> import autograph.runtime as rt
    >>> with rt.Graph().as_default():
    ...     get_or_create_global_step().name
    'global_step:0'
    """
    known = get_global_step()
    if known is not None:
        return known
    with variable_scope("", reuse=AUTO_REUSE):
        return get_variable("global_step", [], int64, zeros, trainable=False)
