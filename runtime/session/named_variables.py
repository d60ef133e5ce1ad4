"""`get_variable`: variables of a graph by name, shared in variable scopes."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from runtime.core.argument_checks import shown
from runtime.core.dtypes import DTypeLike, as_dtype, float32
from runtime.core.name_scopes import name_scope
from runtime.core.shapes import ShapeLike, as_shape
from runtime.core.tensor import TensorLike
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.nn.initializers import GlorotUniform
from runtime.nn.registry import Identifier
from runtime.ops.arrays.creation import zeros
from runtime.ops.convert import is_tensor_like
from runtime.session.default_graph import get_default_graph
from runtime.state.variable import Variable


class Reuse(enum.Enum):
    """The treatment of an existing name in a scope: AUTO_REUSE returns or creates the variable."""

    AUTO_REUSE = 1


AUTO_REUSE = Reuse.AUTO_REUSE


class VariableScope:
    """The name prefix of `get_variable`, and the choice to create or to reuse variables.

    Attributes:
        name: the enclosing scopes, without a `/` at the end.
        reuse: True to reuse, False to create, AUTO_REUSE for either.
        initializer: the default initializer of variables; None for the library's.
        dtype: the default dtype of variables.

    Example:
        >>> import autograph.runtime as rt
        >>> with rt.Graph().as_default(), variable_scope("layer") as scope:
        ...     scope.reuse_variables()
        ...     scope
        <VariableScope 'layer', reuse=True>
    """

    def __init__(
        self,
        name: str,
        reuse: Any,
        initializer: Identifier | None = None,
        dtype: DTypeLike = float32,
    ) -> None:
        self.name = name
        self.reuse = reuse
        self.initializer = initializer
        self.dtype = dtype
        self.original_name_scope = f"{name}/" if name else ""

    def reuse_variables(self) -> None:
        """Reuse variables from now on, instead of creating them."""
        self.reuse = True

    def __repr__(self) -> str:
        return f"<VariableScope {self.name!r}, reuse={self.reuse}>"


_SCOPE: ContextVar[VariableScope | None] = ContextVar("variable_scope", default=None)


def get_variable_scope() -> VariableScope:
    """Return the current scope.

    >>> get_variable_scope().name
    ''
    """
    return _SCOPE.get() or VariableScope("", False)


@contextmanager
def variable_scope(
    name_or_scope: Any,
    default_name: str | None = None,
    values: TensorLike | None = None,
    initializer: Identifier | None = None,
    reuse: Any = None,
    dtype: DTypeLike | None = None,
    auxiliary_name_scope: bool = True,
) -> Iterator[VariableScope]:
    """Return a context manager that prefixes the names of variables and nodes.

    Args:
        name_or_scope: a name, which follows the enclosing ones, or a scope to enter again.
        default_name: a name that is made unique, used if `name_or_scope` is None.
        values: no effect here.
        initializer: the default initializer of variables in the scope.
        reuse: True to reuse variables, AUTO_REUSE to create missing ones; None inherits from the
            enclosing scope.
        dtype: the default dtype of variables in the scope.
        auxiliary_name_scope: whether the names of nodes get the prefix, too.

    Raises:
        ArgumentValueError: neither a name nor a scope is given.

    >>> import autograph.runtime as rt
    >>> with rt.Graph().as_default(), variable_scope("layer"):
    ...     get_variable("w", [2]).name
    'layer/w:0'
    """
    around = get_variable_scope()
    if isinstance(name_or_scope, VariableScope):
        entered = name_or_scope
        scope = VariableScope(entered.name, entered.reuse, entered.initializer, entered.dtype)
        short = scope.name.rpartition("/")[2]
    else:
        short = _name_of(around, name_or_scope, default_name)
        full = f"{around.name}/{short}" if around.name else short
        scope = VariableScope(full, around.reuse, around.initializer, around.dtype)
    scope.reuse = reuse or scope.reuse
    scope.initializer = initializer or scope.initializer
    scope.dtype = dtype or scope.dtype
    token = _SCOPE.set(scope)
    try:
        if auxiliary_name_scope and short:
            with name_scope(short) as scope.original_name_scope:
                yield scope
        else:
            yield scope
    finally:
        _SCOPE.reset(token)


def _name_of(around: VariableScope, name: Any, default_name: Any) -> str:
    if name is None and isinstance(default_name, str):
        taken = get_default_graph().fetch_state
        front = f"{around.name}/" if around.name else ""
        used = set() if taken is None else {each.split("/")[0] for each in _behind(taken, front)}
        number = 0
        while (found := f"{default_name}_{number}" if number else default_name) in used:
            number += 1
        return found
    if not isinstance(name, str):
        raise ArgumentValueError(f"the name of variable_scope must be a string, not {shown(name)}")
    return name


def _behind(fetch_state: Any, front: str) -> list[str]:
    return [name[len(front) :] for name in fetch_state.variables if name.startswith(front)]


def get_variable(
    name: str,
    shape: ShapeLike | None = None,
    dtype: DTypeLike | None = None,
    initializer: Identifier | None = None,
    trainable: bool | None = None,
    use_resource: bool | None = None,
) -> Variable:
    """Return the variable of a name in the current graph, or create it.

    Args:
        name: the name, which follows those of the enclosing variable scopes.
        shape: the shape; not needed if the initializer is a value.
        dtype: the dtype; by default that of the scope, or of the value.
        initializer: a value, or a function of a shape and a dtype; by default Glorot's uniform
            distribution for floats and zeros for others.
        trainable: whether it is trainable.
        use_resource: no effect here, since all variables are of one kind.

    Raises:
        GraphError: there is no current graph.
        ArgumentValueError: the variable exists and the scope does not reuse variables, or it is
            missing and the scope does not create them; or it needs a shape and has none; or the
            graph is not one that sessions run.
        ShapeError, DTypeError: the existing variable has another shape or dtype.

    >>> import autograph.runtime as rt
    >>> with rt.Graph().as_default():
    ...     get_variable("w", [2, 3]).shape
    TensorShape([2, 3])
    """
    fetch_state = get_default_graph().fetch_state
    if fetch_state is None or not isinstance(name, str):
        raise ArgumentValueError(f"get_variable({shown(name)}): give a name, in a session's graph")
    scope = get_variable_scope()
    full = f"{scope.name}/{name}" if scope.name else name
    known = fetch_state.variables.get(full)
    if known is None:
        if scope.reuse is True:
            raise ArgumentValueError(
                f"there is no variable '{full}' to reuse: make it before, or write reuse=AUTO_REUSE"
            )
        with name_scope(""):
            known = _made(full, scope, shape, dtype, initializer, trainable)
        fetch_state.variables[full] = known
        return known
    if not scope.reuse:
        raise ArgumentValueError(
            f"there is a variable '{full}' already: write variable_scope(..., reuse=True) or "
            "reuse=AUTO_REUSE to reuse it"
        )
    return _fitting(known, full, shape, dtype)


def _fitting(known: Variable, full: str, shape: Any, dtype: Any) -> Variable:
    if shape is not None and not known.shape.is_compatible_with(as_shape(shape)):
        raise ShapeError(f"variable '{full}' has shape {known.shape}, not {as_shape(shape)}")
    if dtype is not None and known.dtype is not as_dtype(dtype):
        raise DTypeError(
            f"variable '{full}' has dtype {known.dtype.name}, not {as_dtype(dtype).name}"
        )
    return known


def _made(
    full: str, scope: VariableScope, shape: Any, dtype: Any, initializer: Any, trainable: Any
) -> Variable:
    first: Any = scope.initializer if initializer is None else initializer
    if isinstance(first, type):
        first = first()
    if first is not None and (is_tensor_like(first) or not callable(first)):
        return Variable(first, trainable, name=full, dtype=dtype)
    if shape is None:
        raise ArgumentValueError(f"variable '{full}' has no shape: give one, or a first value")
    sizes, kind = as_shape(shape).as_list(), as_dtype(scope.dtype if dtype is None else dtype)
    if first is None:
        first = GlorotUniform() if kind.is_floating else zeros
    return Variable(lambda: _first(first, sizes, kind), trainable, name=full, dtype=kind)


def _first(initializer: Any, sizes: Any, dtype: Any) -> Any:
    """Call an initializer with a shape and a dtype, or without arguments."""
    try:
        return initializer(sizes, dtype=dtype)
    except TypeError as error:
        if "argument" not in str(error):
            raise
        return initializer()
