"""The containers and objects that the code of a statement may change in place.

A statement of Python changes lists, dicts, objects and variables of other functions. While JAX
traces a path, such a change happens at once. So the contents are recorded before, compared after,
and put back; the changes become outputs of the path, as its variables are.
"""

from __future__ import annotations

import dis
import functools
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import Enum
from types import (
    BuiltinMethodType,
    CellType,
    CodeType,
    FunctionType,
    MethodType,
    ModuleType,
    SimpleNamespace,
)
from typing import Any

import jax

from autograph.backends.backend_registry import record_missing
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.undefined import Undefined
from autograph.conversion.rules import INSTALLED_FOLDERS, INSTALLED_NAMES, STANDARD_FOLDERS
from autograph.jax.forms import is_numeric_member
from autograph.jax.internals import Tracer
from autograph.jax.optional_values import TracedOptional, present
from runtime.core.lazy_imports import loaded_classes
from runtime.core.stored_attributes import stored_attributes

Contents = dict[Any, Any]
_OF_LINEN = "flax.linen.module:Module", "flax.core.scope:Variable"
_VARIABLE_OF_NNX = "flax.nnx.variablelib:Variable"
_MODULE_OF_NNX = "flax.nnx.pytreelib:Pytree"
_STATE_OF_NNX = "flax.nnx.statelib:State"
# The most objects that are looked at for one statement.
_MOST = 20_000


class HeapObject:
    """A container, object or variable, with its contents by key.

    Attributes:
        name: the source text that reaches it, for errors.
        owner: the object.
        before: its contents when the statement began.
    """

    __slots__ = ("name", "owner", "before")

    def __init__(self, name: str, owner: Any) -> None:
        self.name, self.owner = name, owner
        self.before = self.read()

    def read(self) -> Contents:
        """Return the contents."""
        owner = self.owner
        if isinstance(owner, (list, deque)):
            return dict(enumerate(owner))
        if isinstance(owner, dict):
            return dict(owner)
        if isinstance(owner, set):
            return dict.fromkeys(owner)
        if isinstance(owner, CellType):
            return {"": owner.cell_contents} if _is_bound(owner) else {}
        if isinstance(owner, _Global):
            return {"": owner.space[owner.name]} if owner.name in owner.space else {}
        if _is_variable_of_nnx(owner):
            return {"": owner.get_raw_value()}
        if type(owner) is functools.partial:
            return {**dict(enumerate(owner.args)), **owner.keywords}
        owner = owner.owner if isinstance(owner, _Attributes) else owner
        attributes = dict(stored_attributes(owner))
        for name in _slots_of(owner):
            if hasattr(owner, name):
                attributes[name] = getattr(owner, name)
        return attributes

    def write(self, contents: Contents) -> None:
        """Put contents into the object."""
        owner = self.owner
        for key, value in contents.items():
            if type(value) is PossiblyUnbound and is_users_object(owner):
                record_missing(value, owner, key, is_indexed=False)
        if isinstance(owner, list):
            owner[:] = contents.values()
        elif isinstance(owner, deque):
            owner.clear()
            owner.extend(contents.values())
        elif isinstance(owner, (dict, set)):
            owner.clear()
            owner.update(contents)
        elif isinstance(owner, CellType):
            if contents:
                owner.cell_contents = contents[""]
        elif isinstance(owner, _Global):
            if contents:
                owner.space[owner.name] = contents[""]
        elif _is_variable_of_nnx(owner):
            object.__setattr__(owner, "_raw_value", contents[""])
        elif type(owner) is functools.partial:
            args = tuple(value for key, value in contents.items() if type(key) is int)
            keywords = {key: value for key, value in contents.items() if type(key) is str}
            state: Any = owner
            state.__setstate__((owner.func, args, keywords, vars(owner)))
        else:
            owner = owner.owner if isinstance(owner, _Attributes) else owner
            slots = _slots_of(owner)
            for name in slots:
                if name in contents:
                    object.__setattr__(owner, name, contents[name])
                elif hasattr(owner, name):
                    object.__delattr__(owner, name)
            held = stored_attributes(owner)
            held.clear()
            held.update({key: value for key, value in contents.items() if key not in slots})

    def part(self, key: object) -> str:
        """Return the source text of a part, for errors."""
        if isinstance(self.owner, (CellType, _Global)) or _is_variable_of_nnx(self.owner):
            return self.name
        is_object = not isinstance(self.owner, (list, dict, deque))
        return f"{self.name}.{key}" if is_object else f"{self.name}[{key!r}]"


class _Attributes:
    """The attributes of a list, dict or set of a class of the user's."""

    def __init__(self, owner: Any) -> None:
        self.owner = owner


class _Global:
    """A global variable."""

    def __init__(self, space: dict[str, Any], name: str) -> None:
        self.space, self.name = space, name


class _OfAnyTrace:
    """The trace state of an NNX module that may change: it is valid in any trace."""

    @staticmethod
    def is_valid() -> bool:
        return True


class Heap:
    """The objects that functions can reach.

    Args:
        functions: the parts of the statement.
        values: the values of its variables, by name.

    Attributes:
        objects: the objects.
        methods: the names of methods of builtin classes among them, by the identity of the owner.
    """

    def __init__(
        self, functions: Iterable[Callable[..., object] | None], values: dict[str, object]
    ) -> None:
        self.objects: list[HeapObject] = []
        self.methods: dict[int, str] = {}
        self._seen: set[int] = set()
        self._kept: list[Any] = []
        self._narrowed: dict[int, Contents] = {}
        functions = list(functions)
        for name, value in values.items():
            self.add(name, value)
        for function in functions:
            # Other functions that share a variable of the statement have its cell, too.
            if isinstance(function, FunctionType):
                for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
                    if name in values:
                        self._record(cell)
        for function in functions:
            if isinstance(function, FunctionType):
                self._add_closure(function)
            else:
                self.add("a function", function)

    @property
    def is_cut(self) -> bool:
        """True if there are more objects than are looked at."""
        return len(self._seen) > _MOST

    def changes(self) -> dict[int, Contents]:
        """Return the new contents of the objects that have changed, by position."""
        found = {}
        for at, place in enumerate(self.objects):
            now = place.read()
            for key, value in self._narrowed.get(at, {}).items():
                if now.get(key) is value:
                    now[key] = place.before[key]
            if not same_contents(now, place.before):
                found[at] = now
        return found

    def restore(self) -> None:
        """Put the contents from before the statement back."""
        for at in {*self.changes(), *self._narrowed}:
            self.objects[at].write(self.objects[at].before)
        self._narrowed.clear()

    def narrow(self) -> None:
        """Put the values in the place of optional ones that this path knows to be there."""
        for at, place in enumerate(self.objects):
            known = {key: present(value) for key, value in place.before.items()}
            # A read of an attribute that is not there raises its error.
            missing = {k: v for k, v in place.before.items() if type(known[k]) is Undefined}
            known.update(missing)
            if any(now is not place.before[key] for key, now in known.items()):
                self._narrowed[at] = known
                place.write(dict(known))

    def widen(self) -> None:
        """Put the optional values back, and keep the changes."""
        for at, known in self._narrowed.items():
            place = self.objects[at]
            before = place.before
            now = place.read().items()
            place.write({k: before[k] if v is known.get(k) else v for k, v in now})
        self._narrowed.clear()

    def add(self, name: str, value: Any) -> None:
        """Add the objects that a value leads to."""
        kind: Any = type(value)
        if id(value) in self._seen or self.is_cut or isinstance(value, jax.Array):
            return
        if isinstance(value, (list, dict, set, deque)):
            self._record(value)
            place = HeapObject(name, value)
            self.objects.append(place)
            for key, item in place.before.items():
                self.add(f"{name}[{key!r}]", item)
            if is_users_object(value):
                self._add_attributes(name, _Attributes(value))
        elif kind in (TracedOptional, PossiblyUnbound):
            self._record(value)
            self.add(name, value.value)
        elif hasattr(kind, "HOLDS_ITEMS"):
            self._record(value)
            self.objects.append(HeapObject(name, value))
        elif isinstance(value, tuple):
            self._record(value)
            for at, item in enumerate(value):
                self.add(f"{name}[{at}]", item)
        elif kind is FunctionType:
            if is_users_file(value.__code__.co_filename):
                self._record(value)
                self._add_closure(value)
            else:
                self.add(name, getattr(value, "__wrapped__", None))
        elif kind is MethodType:
            self.add(name, value.__self__)
            self.add(name, value.__func__)
        elif kind is BuiltinMethodType:
            self.methods.setdefault(id(value.__self__), value.__name__)
            self.add(name, value.__self__)
        elif kind is functools.partial:
            self._record(value)
            self.add(name, value.func)
            self._add_attributes(name, value)
        elif isinstance(value, type) and _is_users_class(value) and not issubclass(value, Enum):
            self._record(value)
            for key, item in vars(value).items():
                if isinstance(item, (list, dict, set, deque)):
                    self.add(f"{name}.{key}", item)
        elif is_users_object(value):
            self._record(value)
            self._add_attributes(name, value)
        elif _is_class_of(kind, _STATE_OF_NNX):
            self.add(name, value.raw_mapping)
        else:
            self._add_of_linen(name, value)

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Let modules and variables of NNX change in the traces of this statement, too."""
        owners = (each.owner for each in self.objects)
        # A module has an object beside it that knows the trace that it is of.
        holders = [getattr(each, "_pytree__state", each) for each in owners if _is_of_nnx(each)]
        states = [(each, each._trace_state) for each in holders if each._trace_state.is_valid()]
        for each, _ in states:
            object.__setattr__(each, "_trace_state", _OfAnyTrace)
        try:
            yield
        finally:
            for each, state in states:
                object.__setattr__(each, "_trace_state", state)

    def _add_of_linen(self, name: str, value: Any) -> None:
        """Add the variables of the network that a module of Flax belongs to."""
        is_part = isinstance(value, loaded_classes(*_OF_LINEN))
        scope = value.scope if is_part else value
        if isinstance(scope, loaded_classes("flax.core.scope:Scope")):
            self.add(f"{name}.variables", scope.root._variables)  # type: ignore[attr-defined]

    def _add_attributes(self, name: str, owner: Any) -> None:
        place = HeapObject(name, owner)
        self.objects.append(place)
        for key, item in place.before.items():
            self.add(f"{name}.{key}", item)

    def keeps(self, value: object) -> bool:
        """Return whether a value is a container of the heap, which stays the same object."""
        is_container = isinstance(value, (list, dict, set, deque)) or is_users_object(value)
        return is_container and id(value) in self._seen

    def holds(self, value: object) -> bool:
        """Return whether an object is among those of the heap."""
        return id(value) in self._seen

    def is_in_tuple(self, value: object) -> bool:
        """Return whether a tuple has an object as an item."""
        tuples = (each for each in self._kept if isinstance(each, tuple))
        return any(item is value for each in tuples for item in each)

    def _record(self, value: object) -> None:
        self._seen.add(id(value))
        self._kept.append(value)  # So that no other object gets its identity.

    def _add_closure(self, function: FunctionType) -> None:
        code = function.__code__
        for name, cell in zip(code.co_freevars, function.__closure__ or ()):
            if id(cell) not in self._seen:
                self._record(cell)
                self.objects.append(HeapObject(name, cell))
                if _is_bound(cell):
                    self.add(name, cell.cell_contents)
        space = function.__globals__
        names, stored = _globals_of(code)
        for name in names:
            if name in space:
                self.add(name, space[name])
        for name in stored:
            self.objects.append(HeapObject(name, _Global(space, name)))


def same_contents(one: Contents, other: Contents) -> bool:
    """Return whether both hold the same objects under the same keys.

    >>> same_contents({0: None}, {0: None}), same_contents({0: None}, {})
    (True, False)
    """
    if len(one) != len(other):
        return False
    missing = object()
    return all(other.get(key, missing) is value for key, value in one.items())


@functools.cache
def _is_class_of(kind: Any, name: str) -> bool:
    """Return whether a class derives from one of a package that may not be imported."""
    return issubclass(kind, loaded_classes(name))


def _is_variable_of_nnx(value: Any) -> bool:
    """Return whether an object is a variable of NNX that holds an array itself."""
    kind: Any = type(value)
    # Before Flax 0.12 it has no such method, and is not changed on a path.
    is_variable = _is_class_of(kind, _VARIABLE_OF_NNX) and hasattr(kind, "get_raw_value")
    return is_variable and not (value.hijax or value.ref)


def _is_of_nnx(value: Any) -> bool:
    """Return whether an object is a module of NNX, or a variable that holds an array itself."""
    kind: Any = type(value)
    return _is_variable_of_nnx(value) or _is_class_of(kind, _MODULE_OF_NNX)


def _is_bound(cell: CellType) -> bool:
    try:
        _ = cell.cell_contents
    except ValueError:
        return False
    return True


@functools.cache
def _globals_of(code: CodeType) -> tuple[frozenset[str], frozenset[str]]:
    """Return the global names that a code may read, and those that it assigns."""
    names, stored = set(code.co_names), set()
    for each in dis.get_instructions(code):
        if each.opname == "STORE_GLOBAL":
            stored.add(each.argval)
    for inner in _codes_in(code):
        more, assigned = _globals_of(inner)
        names |= more
        stored |= assigned
    return frozenset(names), frozenset(stored)


def _codes_in(code: CodeType) -> Iterator[CodeType]:
    return (each for each in code.co_consts if isinstance(each, CodeType))


@functools.cache
def is_users_file(file: str) -> bool:
    """Return whether a file of code is the user's, and no installed package's."""
    if file.startswith((*INSTALLED_FOLDERS, *STANDARD_FOLDERS)):
        return False
    return not any(name in file for name in INSTALLED_NAMES)


def is_users_object(value: Any) -> bool:
    """Return whether an object of a class of the user's, or of NNX, stores attributes."""
    kind: Any = type(value)
    if isinstance(value, (type, ModuleType)):
        return False
    if not _is_users_class(kind):
        return _is_of_nnx(value)
    if is_numeric_member(value):
        return False
    return isinstance(getattr(value, "__dict__", None), dict) or bool(_slots_of(value))


def text_of_new_object(value: Any) -> str:
    """Return the part of an error that tells the remedy for an object made in a statement."""
    if isinstance(value, Enum):
        return (
            f"is another member of {type(value).__name__}, and JAX has numbers only: make it an "
            "enum.IntEnum, and compare its members by =="
        )
    return (
        f"is a new {type(value).__name__} object, whose parts JAX does not know: register its "
        "class as a pytree, as by jax.tree_util.register_dataclass, or assign the attributes of "
        "one object from before"
    )


def has_tracers(value: object) -> bool:
    """Return whether an object leads to a value that only a run knows."""
    parts = Heap((), {"": value}).objects
    return any(isinstance(each, Tracer) for part in parts for each in part.before.values())


def _slots_of(owner: Any) -> tuple[str, ...]:
    """Return the names of the attributes that a user's object keeps outside of a dict."""
    kind: Any = type(owner)
    return _slot_names(kind) if _is_users_class(kind) else ()


@functools.cache
def _slot_names(kind: type) -> tuple[str, ...]:
    named = (vars(each).get("__slots__", ()) for each in kind.__mro__)
    each = [name for names in named for name in ((names,) if type(names) is str else names)]
    return tuple(name for name in each if name not in ("__dict__", "__weakref__"))


@functools.cache
def _is_users_class(kind: type) -> bool:
    if kind is SimpleNamespace:
        return True
    package = kind.__module__.partition(".")[0]
    if package in ("builtins", "autograph", "runtime") or package in sys.stdlib_module_names:
        return False
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return file is None or is_users_file(file)
