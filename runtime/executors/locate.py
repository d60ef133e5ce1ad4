"""Telling the user where: a run-time error gets the line of the node that raised it.

It is added to what the error says, and its traceback ends there.
"""

from __future__ import annotations

from runtime.errors import OpError
from runtime.graph.node import Node
from runtime.lines import show_lines

# What these raise comes from the user's own Python, which has its own traceback.
OPAQUE = ("py_function",)


def locate(error: BaseException, node: Node) -> None:
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
    show_lines(error, [node.origin])
    _mark(error)


def add_note(error: BaseException, note: str) -> None:
    """Add a note to an exception, also where Python (3.10) has no `add_note` yet."""
    held = object.__getattribute__(error, "__dict__")
    held["__notes__"] = [*held.get("__notes__", []), note]


def leave(error: BaseException) -> None:
    """Take the mark of a located error off again, as it goes back to the user."""
    object.__getattribute__(error, "__dict__").pop("_located", None)


def _mark(error: BaseException) -> None:
    # By no way of the class, which may be one that lets no attribute be set.
    object.__getattribute__(error, "__dict__")["_located"] = True
