"""`vars(o)`, `o.__dict__` and `dir(o)` of objects with attributes set on some paths only."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any, TypeVar

from autograph.backends.backend_registry import check_contents_of
from autograph.backends.graph.program.source_location import user_location
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.errors import StagingError
from runtime.core.stored_attributes import stored_attributes

T = TypeVar("T")
# The exceptions whose handlers are being traced.
HANDLED: ContextVar[tuple[BaseException, ...]] = ContextVar("handled", default=())


def namespace(owner: Any, found: T) -> T:
    """Return `found`: the attributes of an object, their names, or an exception's cause.

    Raises:
        StagingError: if the set of attributes depends on the path, or the owner is an exception
            that the graph handles, whose cause only a run knows.
    """
    if any(owner is each for each in HANDLED.get()):
        raise StagingError(
            "`__cause__` and `__context__` of an exception that is caught when the graph runs are "
            "known only then: keep the values that you need in its arguments",
            user_location(),
        )
    held = stored_attributes(owner)
    perhaps = [name for name, value in held.items() if type(value) is PossiblyUnbound]
    if perhaps and not isinstance(found, dict):
        is_class, name = issubclass(type(owner), type), perhaps[0]
        what = f"class {owner.__name__}" if is_class else f"this {type(owner).__name__} object"
        raise StagingError(
            f"whether {what} has {name!r} is known when the graph runs, so its own "
            f"attributes cannot be listed: give it {name!r} on every path, as in __init__",
            user_location(),
        )
    if perhaps:
        check_contents_of(dict)
    return found
