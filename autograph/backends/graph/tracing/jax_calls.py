"""Calls of functions of JAX with a tensor, which has no value while tracing.

jnp.sin(x)      write np.sin(x), which takes tensors; or convert the program by
                autograph.jax.convert, which leaves it to JAX
"""

from __future__ import annotations

import ast
from types import FrameType, FunctionType, ModuleType, TracebackType
from typing import Any, NamedTuple

import numpy as np

import runtime as rt
from autograph.backends.graph.source.library_boundary import is_library_file
from autograph.backends.graph.source.source_location import SourceLocation
from autograph.errors import UnconvertedUseError
from autograph.operators.frames import is_internal_code
from runtime.core.lazy_imports import load
from runtime.diagnostics.source_expressions import (
    expression_at,
    expressions_in_line,
    position_of,
)
from runtime.errors import SymbolicTensorError

# Packages whose functions compute with arrays of JAX.
_PACKAGES = frozenset(("jax", "jaxlib", "flax", "optax", "equinox", "diffrax"))
# The transformations and statements of JAX, and their counterparts.
_INSTEAD = {
    "grad": "rt.grad",
    "value_and_grad": "rt.value_and_grad",
    "vmap": "rt.vectorized_map",
    "cond": "an `if` statement",
    "switch": "an `if` statement",
    "while_loop": "a `while` statement",
    "fori_loop": "a `for` statement",
    "scan": "a `for` statement",
    "select": "rt.where",
    "set": "x[i] = value",
    "add": "x[i] += value",
    "multiply": "x[i] *= value",
}
_NUMPY_FUNCTIONS = "runtime.interop.numpy.protocol:FUNCTIONS"
# The namespaces that are searched for functions that NumPy lacks.
_NAMESPACES = ("", "math.", "nn.", "linalg.")
_OTHER = "for a program of JAX, write autograph.jax.convert in the place of ag.function"


def error_of_jax(error: BaseException) -> UnconvertedUseError | None:
    """Return the error for a call of JAX that raised `error`, since it got a tensor; else None.

    The call is in the innermost line of the user's.
    """
    if isinstance(error, UnconvertedUseError):
        return None
    if not isinstance(error, SymbolicTensorError) and "Tensor" not in str(error):
        return None
    entry = _entry_of_user(error.__traceback__)
    function = None if entry is None else _called(entry, str(error))
    if entry is None or function is None:
        return None
    code = entry.tb_frame.f_code
    return UnconvertedUseError(
        f"{function.text}() computes with arrays of JAX, and was given a tensor, which has no "
        f"value while tracing: {_remedy(function)}",
        SourceLocation(code.co_filename, entry.tb_lineno, code.co_name),
    )


def _entry_of_user(traceback: TracebackType | None) -> TracebackType | None:
    found = None
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if not is_internal_code(code) and not is_library_file(code.co_filename):
            found = traceback
        traceback = traceback.tb_next
    return found


class _Function(NamedTuple):
    """A function that a call names.

    Attributes:
        text: its source.
        name: its name.
        module: the name of its module; of a method, that of its object's class.
    """

    text: str
    name: str
    module: str


def _called(entry: TracebackType, error: str) -> _Function | None:
    """Return the function of JAX that an entry of a traceback calls; None without one."""
    frame = entry.tb_frame
    position = position_of(frame.f_code, entry.tb_lasti)
    node = expression_at(frame.f_code.co_filename, position, None, frame.f_globals)
    in_line = expressions_in_line(frame.f_code.co_filename, entry.tb_lineno, frame.f_globals)
    nodes = [node] if isinstance(node, ast.Call) else in_line
    functions = [_function(each.func, frame) for each in nodes if isinstance(each, ast.Call)]
    found = [each for each in functions if each.module.partition(".")[0] in _PACKAGES]
    named = [each for each in found if each.name in error]
    return next(iter([*named, *found]), None)


def _function(node: ast.expr, frame: FrameType) -> _Function:
    if isinstance(node, ast.Call):  # jax.grad(f)(x)
        made = _function(node.func, frame)
        return made._replace(text=f"{made.text}(...)")
    value = _value(node, frame)
    module = str(getattr(value, "__module__", None) or type(value).__module__)
    is_method = isinstance(node, ast.Attribute) and not isinstance(value, FunctionType)
    name = node.attr if is_method else getattr(value, "__name__", "")  # type: ignore[attr-defined]
    return _Function(ast.unparse(node), name, module)


def _value(node: ast.expr, frame: FrameType) -> Any:
    """Return the value of a name, or of a name in a module; for other attributes, their owner."""
    if isinstance(node, ast.Name):
        spaces = (frame.f_locals, frame.f_globals)
        return next((space[node.id] for space in spaces if node.id in space), None)
    if not isinstance(node, (ast.Attribute, ast.Subscript)):
        return None
    owner = _value(node.value, frame)
    if isinstance(owner, ModuleType) and isinstance(node, ast.Attribute):
        return getattr(owner, node.attr, None)
    return owner


def _remedy(function: _Function) -> str:
    instead = _counterpart(function.name, function.module)
    return _OTHER if instead is None else f"write {instead}; {_OTHER}"


def _counterpart(name: str, module: str) -> str | None:
    """Return the code in the place of a function of JAX; None if there is none."""
    if ".random" in module:
        is_known = hasattr(rt.random, f"stateless_{name}")
        return f"rt.random.stateless_{name}(shape, seed=key)" if is_known else None
    if name in _INSTEAD and ".numpy" not in module:
        return _INSTEAD[name]
    function = getattr(np, name, None)
    if isinstance(function, np.ufunc) or function in load(_NUMPY_FUNCTIONS):
        return f"np.{name}"
    paths = (f"{each}{name}" for each in _NAMESPACES)
    return next((f"rt.{path}" for path in paths if _is_function(path)), None)


def _is_function(path: str) -> bool:
    found: Any = rt
    for name in path.split("."):
        found = getattr(found, name, None)
    return callable(found)
