"""Custom objects: user classes and functions that configs name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from runtime.core.argument_checks import dict_argument, plain_text
from runtime.errors import DTypeError

# Classes and functions by their names in configs.
_KNOWN: dict[str, Any] = {}


class FunctionName(str):
    """The name of a user's function in a config, with the function itself.

    >>> FunctionName(len), FunctionName(len).function is len
    ('len', True)
    """

    function: Any

    def __new__(cls, function: Any) -> FunctionName:
        made = super().__new__(cls, function.__name__)
        made.function = function
        return made

    def __reduce__(self) -> Any:
        return str, (str(self),)

    def __deepcopy__(self, memo: Any) -> FunctionName:
        return self


Registered = TypeVar("Registered")


def register_keras_serializable(
    package: str = "Custom", name: str | None = None
) -> Callable[[Registered], Registered]:
    """Decorate a class or function so that configs and files may name it.

    >>> @register_keras_serializable()
    ... def doubled(x): return 2 * x
    >>> known_object("doubled") is known_object("Custom>doubled") is doubled
    True
    """

    def registered(kind: Any) -> Any:
        called = name or kind.__name__
        _KNOWN.update(dict.fromkeys((called, f"{package}>{called}"), kind))
        return kind

    return registered


@contextmanager
def custom_object_scope(custom_objects: Mapping[str, Any] | None) -> Iterator[None]:
    """In a `with` block, let configs name these classes and functions.

    >>> with custom_object_scope({"halved": lambda x: x / 2}):
    ...     known_object("halved")(4.0)
    2.0
    """
    given = dict(dict_argument(custom_objects, "custom_objects"))
    before = {name: _KNOWN[name] for name in given if name in _KNOWN}
    _KNOWN.update(given)
    try:
        yield
    finally:
        for name in given:
            _KNOWN.pop(name, None)
        _KNOWN.update(before)


def known_object(name: str) -> Any:
    """Return the class or function of a name, or None.

    >>> known_object("nothing of this name")
    """
    return _KNOWN.get(name)


def get_custom_objects() -> dict[str, Any]:
    """Return the dict of classes and functions by name; a program may add to it.

    >>> get_custom_objects()["tripled"] = lambda x: 3 * x
    >>> known_object("tripled")(2)
    6
    """
    return _KNOWN


def get_registered_name(obj: object) -> str:
    """Return the name under which a class or function is registered, else its own.

    Raises:
        DTypeError: `obj` is neither.

    >>> get_registered_name(len)
    'len'
    """
    names = [name for name, known in _KNOWN.items() if known is obj]
    name = max(names, key=len, default=getattr(obj, "__name__", None))
    if name is None:
        raise DTypeError(f"only classes and functions are registered, not {obj!r:.60}")
    return name


def get_registered_object(
    name: str, custom_objects: Mapping[str, Any] | None = None, module_objects: Any = None
) -> Any:
    """Return the class or function of a name: registered, or in one of these dicts, or None.

    Raises:
        DTypeError: `name` is not a text.

    >>> get_registered_object("length", {"length": len}) is len
    True
    """
    plain_text(name, "a registered name")
    given = (
        dict_argument(custom_objects, "custom_objects"),
        dict_argument(module_objects, "module_objects"),
    )
    for known in (_KNOWN, *given):
        if name in known:
            return known[name]
    return None
