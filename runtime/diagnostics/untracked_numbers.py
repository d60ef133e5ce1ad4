"""Finds where values leave gradient tapes: as Python numbers, and in functions of NumPy.

loss = w + float(w * w)             float(w * w) left the tape
tape.gradient(loss, w)

loss = rt.reduce_sum(np.sin(x))     np.sin(x) has no gradient
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from types import FrameType, ModuleType
from typing import Any

import numpy as np

from runtime.core.context import Origin, call_by_user, current_watchers, line_of, origin_of
from runtime.core.source_names import warn_at
from runtime.diagnostics.number_paths import CallPath, leads_to_target, path_from
from runtime.diagnostics.source_expressions import (
    assignments_in,
    expression_in,
    operand_nodes,
    text_of,
)

# NumPy's functions of which programs may want the gradient.
_WITH_GRADIENTS = frozenset(
    """
    abs absolute add amax amin arccos arccosh arcsin arcsinh arctan arctan2 arctanh average
    cbrt clip concatenate convolve cos cosh cross cumprod cumsum diff divide dot einsum exp
    exp2 expm1 fabs hstack hypot inner interp kron linalg.cholesky linalg.det linalg.inv
    linalg.norm linalg.solve log log10 log1p log2 logaddexp matmul max maximum mean median
    min minimum multiply negative outer pad power prod reciprocal sin sinh sqrt square stack
    std subtract sum tan tanh tensordot trace true_divide var vdot vstack where
    """.split()
)
# The lines with a warning.
_WARNED: set[tuple[str, int]] = set()
# What is known of paths: whether they lead to the target of a call, by the call.
_FOUND: dict[object, str | None] = {}
_MOST_FOUND = 1000
_FUNCTIONS = ("float", "int")
_METHODS = ("numpy", "item", "tolist")


def number_left_tape(target: object) -> tuple[str, Origin] | None:
    """Return the conversion that made a number of a tensor, and its position.

    Args:
        target: the number, an argument of the call that the user's frame executes.

    Returns:
        None if the source does not tell, or several conversions fit.
    """
    if not isinstance(target, (int, float, np.ndarray, np.generic)):
        return None
    frame = call_by_user().caller
    try:
        node = None if frame is None else _conversion(target, frame)
    except Exception:  # of hostile source or objects
        return None
    text = None if node is None else text_of(node)
    if frame is None or node is None or text is None:
        return None
    return text, Origin(frame.f_code.co_filename, node.lineno, frame.f_code.co_name)


def note_number(tensor: Any, frame: FrameType, is_array: bool = False) -> None:
    """Tell the open tapes that watch a tensor of a number or array that `frame` makes of it.

    A function of NumPy that has a gradient is warned of at once.
    """
    tapes = [tape for tape in current_watchers() if tape.watches(tensor)]
    if not tapes or (is_array and _warn_of_numpy(frame)):
        return
    path = path_from(frame)
    for tape in tapes if path else ():
        tape.note_number(path)


def _warn_of_numpy(frame: FrameType | None) -> bool:
    """Warn if `frame`, which makes an array of a watched tensor, is in a function of NumPy.

    It is the frame of the user's call or of NumPy's Python code. Return whether there is a warning
    of the line, now or before.
    """
    while frame is not None and _package_of(frame) == "numpy":
        frame = frame.f_back
    if frame is None or _package_of(frame) in ("autograph", "runtime"):
        return False
    place = frame.f_code.co_filename, frame.f_lineno
    if place in _WARNED:
        return True
    try:
        call = expression_in(frame, None)
        if not isinstance(call, ast.Call) or not _has_gradient(call.func, frame):
            return False
        text = text_of(call) or text_of(call.func)
    except Exception:  # of hostile source or objects
        return False
    _WARNED.add(place)
    message = (
        f"{text} is computed by NumPy outside of an ag.function, so the gradient leaves it out: "
        "write it with rt ops, or make the function that computes it an ag.function"
    )
    warn_at(origin_of(frame), message, UserWarning)
    return True


def number_on_path(paths: Iterable[CallPath]) -> tuple[str, Origin] | None:
    """Return the conversion of the first path that leads to the target of a gradient, or None."""
    return next(_numbers_on_paths(paths), None)


def _numbers_on_paths(paths: Iterable[CallPath]) -> Iterator[tuple[str, Origin]]:
    """Yield the conversions of the paths that lead to the target of a gradient.

    Args:
        paths: the paths of the conversions, as `note_number` gave them to the tape.
    """
    frame = call_by_user().caller
    if frame is None:
        return
    for path in paths:
        key = path, frame.f_code, frame.f_lasti
        if key not in _FOUND:
            if len(_FOUND) >= _MOST_FOUND:
                _FOUND.clear()
            try:
                _FOUND[key] = leads_to_target(path, frame)
            except Exception:  # of hostile source
                _FOUND[key] = None
        if (text := _FOUND[key]) is not None:
            yield text, path[0].origin()


def warn_of_numbers(paths: Iterable[CallPath]) -> None:
    """Warn, once at each line, of a number on a path to the target of a gradient."""
    for text, origin in _numbers_on_paths(paths):
        if (place := (origin.filename, origin.line)) in _WARNED:
            continue
        _WARNED.add(place)
        message = (
            f"{text} left the tape, so the gradient leaves it out: compute with the tensor and rt "
            "ops, or write rt.stop_gradient(x) where x is meant to be a constant"
        )
        warn_at(origin, message, UserWarning)


def _package_of(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__")).partition(".")[0]


def _has_gradient(node: ast.expr, frame: FrameType) -> bool:
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.insert(0, node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or ".".join(names) not in _WITH_GRADIENTS:
        return False
    module: Any = frame.f_locals.get(node.id, frame.f_globals.get(node.id))
    return isinstance(module, ModuleType) and module.__name__ == "numpy"


def _conversion(target: object, frame: FrameType) -> ast.Call | None:
    call = expression_in(frame, "gradient")
    if not isinstance(call, ast.Call):
        return None
    for argument in operand_nodes(call)[1:]:
        if isinstance(argument, ast.Name):
            if frame.f_locals.get(argument.id) is target:
                return _only_conversion(_assigned(argument.id, frame))
        elif (found := _only_conversion([argument])) is not None:
            return found
    return None


def _assigned(name: str, frame: FrameType) -> list[ast.expr]:
    """Return the values that a variable was assigned in a function, up to the running line."""
    first, last = frame.f_code.co_firstlineno, line_of(frame)
    return [
        each.value
        for each in assignments_in(frame)
        if first <= each.lineno <= last
        and any(
            isinstance(target, ast.Name) and target.id == name
            for target in (each.targets if isinstance(each, ast.Assign) else [each.target])
        )
    ]


def _only_conversion(values: list[ast.expr]) -> ast.Call | None:
    found = [
        node
        for value in values
        for node in ast.walk(value)
        if isinstance(node, ast.Call) and _is_conversion(node.func)
    ]
    return found[0] if len(found) == 1 else None


def _is_conversion(function: ast.expr) -> bool:
    if isinstance(function, ast.Name):
        return function.id in _FUNCTIONS
    return isinstance(function, ast.Attribute) and function.attr in _METHODS
