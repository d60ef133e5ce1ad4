"""Finds where a program made a Python number of a tensor, which gradient tapes do not record.

total = float(loss) * 2             float(loss) left the tape
tape.gradient(total, w)
"""

from __future__ import annotations

import ast
from types import FrameType

import numpy as np

from runtime.core.context import Origin, call_by_user, line_of
from runtime.diagnostics.source_expressions import (
    assignments_in,
    expression_in,
    operand_nodes,
    text_of,
)

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
