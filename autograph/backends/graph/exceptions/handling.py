"""The handlers of a `try` as they are traced: what they catch, and running one."""

from __future__ import annotations

from typing import Any

from autograph.backends.tried import Handler
from autograph.errors import AutographError
from runtime.diagnostics.exceptions import Standing

Classes = tuple[type[BaseException], ...]


def run_handler(handler: Handler, caught: BaseException) -> None:
    """Trace a handler; an error about the tracing does not tell of what stands for an exception."""
    try:
        raise caught
    except BaseException as raised:
        try:
            handler.run(raised)
        except AutographError as error:
            if isinstance(error.__context__, Standing):
                error.__context__ = None
            raise


def classes_of(handler: Handler) -> Classes:
    """Return the classes of exceptions that a handler catches."""
    kinds: Any = BaseException if handler.kinds is None else handler.kinds()
    return kinds if isinstance(kinds, tuple) else (kinds,)
