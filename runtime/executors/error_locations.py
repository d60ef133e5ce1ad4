"""Adds the user's line of the failed node to a run-time error.

The line is added to the message, and the traceback ends at it.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.core.lazy_imports import lazy_import
from runtime.diagnostics.traceback_lines import show_lines, without_internal_frames
from runtime.errors import OpError, is_refusal
from runtime.graph.node import Node
from runtime.ops.op import fails_as_python

name_expression = lazy_import("runtime.diagnostics.operand_names:name_expression")

# Ops whose errors come from the user's own Python code, which has its own traceback.
OPAQUE = ("py_function",)


def locate(error: BaseException, node: Node) -> None:
    """Add the user's line of `node` to `error`, unless an inner node has added its line.

    An error of the runtime gets an origin, any other exception a note.
    """
    if node.op.name in OPAQUE:
        _mark(error)
    if node.origin is None or getattr(error, "_located", False):
        return
    if isinstance(error, OpError):
        error.origin = error.origin or node.origin
        is_python = any(each.weak for each in node.outputs)  # such as a sum of two Python ints
        if not is_python and not fails_as_python(node.op, node.attrs):
            name_expression(error, node.origin, node.op.name)
    else:
        add_note(error, f"  at {node.origin}")
    show_lines(error, [*node.origin.calls, node.origin])
    _mark(error)


def add_note(error: BaseException, note: str) -> None:
    """Add a note to an exception, also where Python (3.10) has no `add_note` yet."""
    attributes = object.__getattribute__(error, "__dict__")
    attributes["__notes__"] = [*attributes.get("__notes__", []), note]


def handler_for(
    error: BaseException, kinds: Sequence[tuple[type[BaseException], ...]]
) -> int | None:
    """Return the index of the handler that catches a located error, None if none does.

    A refusal of the compiler (`is_refusal`) is never caught.
    """
    if is_refusal(error):
        return None
    return next((at for at, each in enumerate(kinds) if isinstance(error, each)), None)


def prepare_caught(error: BaseException) -> None:
    """Turn a located error into the exception that its handler sees.

    The caller stores the error in an array. So the frames of the run, which would keep that array
    alive, are removed from the error's traceback.
    """
    remove_marks(error)
    error.__traceback__ = without_internal_frames(error.__traceback__)


def remove_marks(error: BaseException) -> None:
    """Remove the marks of a located error before it goes back to the user."""
    attributes = object.__getattribute__(error, "__dict__")
    for mark in ("_located", "_raised_again", "operand_shapes"):
        attributes.pop(mark, None)


def set_handler_context(error: BaseException, handled: BaseException) -> None:
    """Set the context of an error that a handler raised, as Python does.

    If the handler raised the handled exception again, its context stays as it was.
    """
    if object.__getattribute__(error, "__dict__").pop("_raised_again", False):
        error.__context__ = handled.__context__
        return
    each: BaseException | None = handled
    while each is not None and each is not error:
        each = each.__context__
    if each is None and error.__context__ is None:
        error.__context__ = handled


def _mark(error: BaseException) -> None:
    # Write to the dict itself: the error's class may forbid setting attributes.
    object.__getattribute__(error, "__dict__")["_located"] = True
