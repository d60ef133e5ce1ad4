"""Reports of attribute reads by the user's code while a function is traced.

Converted code reports its uses of lists and dicts, but Python itself reads `o.x`. So, during a
trace, the class of an object that may be an alias has a `__getattribute__` that reports reads.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextvars import ContextVar
from types import FrameType, MemberDescriptorType, SimpleNamespace
from typing import Any, TypeVar

from autograph.backends.backend_registry import check_contents_of
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.errors import StagingError
from autograph.operators.frames import is_internal_code
from autograph.operators.user_classes import class_attribute, own_attributes
from runtime.core.fork_safety import fork_safe_lock
from runtime.core.stored_attributes import stored_attributes

_NAME = "__getattribute__"
_OF_PYTHON = (object.__getattribute__, SimpleNamespace.__getattribute__)
_IMMUTABLE = 1 << 8
_HEAP = 1 << 9
_LOCK = fork_safe_lock()
# The number of traces that watch a class, by its identity, with the class.
_LOOKED_AT: dict[int, tuple[type, int]] = {}
T = TypeVar("T")
# The exceptions whose handlers are being traced.
HANDLED: ContextVar[tuple[BaseException, ...]] = ContextVar("handled", default=())


class AttributeReadTracker:
    """The watched classes of a trace: `look` is called before an attribute of an object is read.

    Args:
        look: takes the object; it may raise, and then the read does not happen.
    """

    def __init__(self, look: Callable[[object], object]) -> None:
        self.look = look
        self.busy = False
        self._kinds = dict[int, type]()

    def add(self, kind: type) -> None:
        """Watch objects of a class from now on, if it is a user class with Python's own reads."""
        if id(kind) not in self._kinds and _can_watch(kind):
            self._kinds[id(kind)] = kind
            _begin(kind)

    def sees(self, kind: type) -> bool:
        """Return whether objects of a class are watched."""
        return id(kind) in self._kinds

    def count(self) -> int:
        """Return the number of watched classes."""
        return len(self._kinds)

    def end(self) -> None:
        """Restore the classes."""
        for kind in self._kinds.values():
            _end(kind)
        self._kinds.clear()


READS: ContextVar[AttributeReadTracker | None] = ContextVar("reads", default=None)


def report_read(value: object) -> None:
    """Report that the user's code reads an attribute of an object, during a trace."""
    reads = READS.get()
    if reads is not None and not reads.busy:
        reads.busy = True
        try:
            reads.look(value)
        finally:
            reads.busy = False


def report_user_read(*values: object) -> None:
    """Report objects of which the caller reads an attribute, if it does so for the user's code.

    The `__getattr__` of a stand-in passes such a read on to the object.
    """
    if READS.get() is None:
        return
    frame: FrameType | None = sys._getframe(2)
    while (
        frame is not None
        and frame.f_code.co_name == "__getattr__"
        and is_internal_code(frame.f_code)
    ):
        frame = frame.f_back
    if frame is not None and not is_internal_code(frame.f_code):
        for each in values:
            report_read(each)


def is_read_by_python(kind: type, name: str) -> bool:
    """Return whether Python reads a stored attribute of a class's objects without other code.

    >>> is_read_by_python(object, "size"), is_read_by_python(object, "__class__")
    (True, False)
    >>> is_read_by_python(SimpleNamespace, "size")
    True
    """
    found = class_attribute(kind, name)
    is_computed = class_attribute(type(found), "__set__") is not None
    return _has_pythons_reads(kind) and (type(found) is MemberDescriptorType or not is_computed)


def _has_pythons_reads(kind: type) -> bool:
    return class_attribute(kind, _NAME) in (*_OF_PYTHON, _read)


def _can_watch(kind: type) -> bool:
    """Return whether a class can be given a `__getattribute__`, and has none of its own."""
    is_open = bool(kind.__flags__ & _HEAP) and not kind.__flags__ & _IMMUTABLE
    return is_open and _has_pythons_reads(kind) and type(kind).__setattr__ is type.__setattr__


def _begin(kind: type) -> None:
    with _LOCK:
        count = _LOOKED_AT.get(id(kind), (kind, 0))[1]
        _LOOKED_AT[id(kind)] = kind, count + 1
        if not count:
            type.__setattr__(kind, _NAME, _read)


def _end(kind: type) -> None:
    with _LOCK:
        count = _LOOKED_AT[id(kind)][1]
        if count > 1:
            _LOOKED_AT[id(kind)] = kind, count - 1
            return
        del _LOOKED_AT[id(kind)]
        if own_attributes(kind).get(_NAME) is _read:
            type.__delattr__(kind, _NAME)


def _read(self: object, name: str) -> Any:
    report_user_read(self)
    return object.__getattribute__(self, name)


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
