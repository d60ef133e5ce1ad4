"""Data classes whose methods are written when they are first asked for, not when they are imported.

from runtime.records import dataclass

@dataclass(frozen=True)
class Point:
    x: int
    y: int = 0

`dataclasses.dataclass` compiles half a dozen methods for each class, most of which no program ever
calls, and that was a quarter of what importing cost. This one leaves descriptors in their places.
The first instance writes `__init__`, the first comparison `__eq__`, and so on; what looks at the
fields (`dataclasses.fields`, `replace`, a subclass by the standard decorator) finds them as ever.
`field` with `default`, `default_factory`, `compare` and `repr` means what it means there, and so
does `ClassVar`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, FrozenInstanceError
from dataclasses import dataclass as standard
from functools import partial
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, TypeVar

from runtime.core.fork_safety import fork_safe_lock

Kind = TypeVar("Kind", bound=type)
_LOCK = fork_safe_lock()
_ABOUT = ("__dataclass_fields__", "__dataclass_params__")
# Where a class keeps its own fields and how it was asked to be made.
_WRITTEN = "__written_later__"


class _Factory:
    """What stands for a value that a factory is to make, as signatures show it."""

    def __repr__(self) -> str:
        return "<factory>"


_MISSING = _Factory()


class Later:
    """A method that is not written yet: whoever asks for it gets it written first."""

    def __init__(self, kind: type, name: str, write: Callable[[type], Any]) -> None:
        self.kind, self.name, self.write = kind, name, write

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        with _LOCK:
            # Another thread may have written it while this one waited.
            if vars(self.kind).get(self.name) is self:
                setattr(self.kind, self.name, self.write(self.kind))
        found = vars(self.kind)[self.name]
        bind = getattr(type(found), "__get__", None)
        return found if bind is None else bind(found, instance, owner)


def _record(kind: Kind, *, frozen: bool, eq: bool, slots: bool) -> Kind:
    own = _own_fields(kind)
    kind = _with_slots(kind, own) if slots else _without_fields(kind, own)
    options = {"frozen": frozen, "eq": eq}
    methods: dict[str, Callable[[type], Any]] = {"__init__": _init, "__repr__": _repr}
    methods["__match_args__"] = _names
    methods.update({name: partial(_about, name) for name in _ABOUT})
    if eq:
        methods["__eq__"] = _eq
    if eq and frozen:
        methods["__hash__"] = _hash
    for name, write in methods.items():
        if name not in vars(kind) or name == "__hash__" and _unhashable_by_eq(kind):
            setattr(kind, name, Later(kind, name, write))
    if frozen:
        _freeze(kind, own)
    elif eq and "__hash__" not in vars(kind):
        kind.__hash__ = None  # type: ignore[assignment]
    setattr(kind, _WRITTEN, (own, options))
    return kind


def _unhashable_by_eq(kind: type) -> bool:
    # Python puts None there for an `__eq__` in the class's own text.
    return vars(kind)["__hash__"] is None and "__eq__" in vars(kind)


def _own_fields(kind: type) -> dict[str, Any]:
    """Return the fields a class itself names with their defaults, or MISSING."""
    annotations = vars(kind).get("__annotations__", {})
    return {
        name: vars(kind).get(name, MISSING)
        for name, text in annotations.items()
        if not str(text).startswith(("ClassVar", "typing.ClassVar"))
    }


def _without_fields(kind: Kind, own: Mapping[str, Any]) -> Kind:
    for name, default in own.items():
        if isinstance(default, Field):
            delattr(kind, name)
            if default.default is not MISSING:
                setattr(kind, name, default.default)
    return kind


def _with_slots(kind: Kind, own: Mapping[str, Any]) -> Kind:
    inherited = {name for base in kind.__mro__[1:-1] for name in getattr(base, "__slots__", ())}
    namespace = {name: value for name, value in vars(kind).items() if name not in own}
    for name in ("__dict__", "__weakref__"):
        namespace.pop(name, None)
    namespace["__slots__"] = tuple(name for name in own if name not in inherited)
    namespace["__qualname__"] = kind.__qualname__
    namespace.setdefault("__getstate__", _state)
    namespace.setdefault("__setstate__", _put_state)
    made: Kind = type(kind)(kind.__name__, kind.__bases__, namespace)
    return made


def _state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in _fields(type(self))]


def _put_state(self: Any, state: list[Any]) -> None:
    for name, value in zip(_fields(type(self)), state):
        object.__setattr__(self, name, value)


def _freeze(kind: type, own: Mapping[str, Any]) -> None:
    holder: Any = kind

    def refuse(self: Any, name: str, words: str) -> None:
        if type(self) is kind or name in own:
            raise FrozenInstanceError(f"cannot {words} field {name!r}")

    def put(self: Any, name: str, value: Any) -> None:
        refuse(self, name, "assign to")
        super(holder, self).__setattr__(name, value)

    def delete(self: Any, name: str) -> None:
        refuse(self, name, "delete")
        super(holder, self).__delattr__(name)

    kind.__setattr__ = put  # type: ignore[assignment]
    kind.__delattr__ = delete  # type: ignore[assignment]


def _fields(kind: type) -> dict[str, Any]:
    """Return all fields of a class with their defaults, those of its bases first."""
    found: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        if _WRITTEN in vars(base):
            found.update(vars(base)[_WRITTEN][0])
        elif "__dataclass_fields__" in vars(base):
            found.update({name: _default(field) for name, field in _given(base).items()})
    return found


def _names(kind: type) -> tuple[str, ...]:
    return tuple(_fields(kind))


def _given(kind: type) -> dict[str, Field[Any]]:
    fields: dict[str, Field[Any]] = vars(kind)["__dataclass_fields__"]
    return fields


def _default(field: Field[Any]) -> Any:
    return field if field.default is MISSING else field.default


def _init(kind: type) -> Callable[..., None]:
    frozen = vars(kind)[_WRITTEN][1]["frozen"]
    names: dict[str, Any] = {"__put": object.__setattr__, "__missing": _MISSING}
    arguments, lines = ["self"], []
    for name, default in _fields(kind).items():
        value, argument = name, name
        if isinstance(default, Field) and default.default_factory is not MISSING:
            names[f"__make_{name}"], argument = default.default_factory, f"{name}=__missing"
            value = f"__make_{name}() if {name} is __missing else {name}"
        elif (plain := default.default if isinstance(default, Field) else default) is not MISSING:
            names[f"__default_{name}"], argument = plain, f"{name}=__default_{name}"
        arguments.append(argument)
        lines.append(f"__put(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(kind, "__post_init__"):
        lines.append("self.__post_init__()")
    return _function(kind, f"__init__({', '.join(arguments)})", lines or ["pass"], names)


def _eq(kind: type) -> Callable[..., Any]:
    names = _compared(kind)
    both = [f"({''.join(f'{side}.{name},' for name in names)})" for side in ("self", "other")]
    lines = [
        "if other.__class__ is self.__class__:",
        f"    return {both[0]} == {both[1]}",
        "return NotImplemented",
    ]
    return _function(kind, "__eq__(self, other)", lines, {})


def _hash(kind: type) -> Callable[..., Any]:
    values = "".join(f"self.{name}," for name in _compared(kind))
    return _function(kind, "__hash__(self)", [f"return hash(({values}))"], {})


def _compared(kind: type) -> list[str]:
    fields = _fields(kind).items()
    return [name for name, each in fields if not isinstance(each, Field) or each.compare]


def _repr(kind: type) -> Callable[[Any], str]:
    fields = _fields(kind).items()
    names = [name for name, each in fields if not isinstance(each, Field) or each.repr]

    def text(self: Any) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({shown})"

    text.__name__, text.__qualname__ = "__repr__", f"{kind.__qualname__}.__repr__"
    return recursive_repr()(text)


def _function(
    kind: type, head: str, lines: list[str], names: Mapping[str, Any]
) -> Callable[..., Any]:
    """Compile a method; what it uses is in a closure, and its globals are its module's."""
    body = "\n".join(f"  {line}" for line in lines)
    word = head.partition("(")[0]
    text = f"def _make({', '.join(names)}):\n def {head}:\n{body}\n return {word}"
    made: dict[str, Any] = {}
    exec(text, vars(sys.modules[kind.__module__]), made)
    function: Callable[..., Any] = made["_make"](**names)
    function.__qualname__ = f"{kind.__qualname__}.{word}"
    return function


def _about(name: str, kind: type) -> Any:
    """Ask the standard decorator what the fields are, and keep all that it says."""
    own, options = vars(kind)[_WRITTEN]
    namespace = {each: default for each, default in own.items() if default is not MISSING}
    namespace["__annotations__"] = {each: vars(kind)["__annotations__"][each] for each in own}
    namespace.update(__module__=kind.__module__, __doc__=kind.__doc__)
    bases = tuple(base for base in kind.__mro__[1:] if _WRITTEN in vars(base)) or (object,)
    asked: Any = standard(**options)(type(kind.__name__, bases, namespace))
    for each in _ABOUT:
        setattr(kind, each, vars(asked)[each])
    return vars(asked)[name]


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(kind=None, /, *, frozen=False, eq=True, slots=False):
        """Make a data class of `kind`, as `dataclasses.dataclass` does, but later.

        >>> @dataclass(frozen=True)
        ... class Size:
        ...     width: int
        ...     height: int = 1
        >>> Size(3), Size(3) == Size(3, 1)
        (Size(width=3, height=1), True)
        """
        if kind is None:
            return lambda made: _record(made, frozen=frozen, eq=eq, slots=slots)
        return _record(kind, frozen=frozen, eq=eq, slots=slots)
