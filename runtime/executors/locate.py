"""Telling the user where: a run-time error gets the line of the node that raised it."""

from __future__ import annotations

from runtime.errors import OpError
from runtime.graph.node import Node

# What these raise comes from the user's own Python, which has its own traceback.
OPAQUE = ("py_function",)


def locate(error: Exception, node: Node) -> None:
    """Add the user's line of `node` to `error`, in place; the innermost node counts.

    Errors of the runtime carry an origin; any other exception gets a note.
    """
    if node.op.name in OPAQUE:
        _mark(error)
    if node.origin is None or getattr(error, "_located", False):
        return
    if isinstance(error, OpError):
        error.origin = error.origin or node.origin
    else:
        add_note(error, f"  at {node.origin}")
    _mark(error)


def add_note(error: BaseException, note: str) -> None:
    """Add a note to an exception, also where Python (3.10) has no `add_note` yet."""
    if hasattr(error, "add_note"):
        error.add_note(note)
    else:
        error.__notes__ = [*getattr(error, "__notes__", []), note]


def leave(error: BaseException) -> None:
    """Take the mark of a located error off again, as it goes back to the user."""
    vars(error).pop("_located", None)


def _mark(error: Exception) -> None:
    error._located = True  # type: ignore[attr-defined]
