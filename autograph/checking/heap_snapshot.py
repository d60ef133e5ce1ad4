"""Snapshots of all mutable objects that a function reaches, which can be compared and restored."""

from __future__ import annotations

import dis
import types
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from autograph.checking.differences import difference
from autograph.checking.value_snapshot import ValueSnapshot, is_a, snapshot_of
from autograph.functions.function import Function
from autograph.insight.line_follower import is_library
from runtime.core.internal_files import is_internal_file
from runtime.state.variable import Variable

_MOST_OBJECTS = 20_000
_MISSING = object()
_SEQUENCES = (list, deque)


@dataclass(frozen=True, eq=False)
class ObjectSnapshot:
    """A snapshot of a variable or of a mutable object.

    Attributes:
        path: its name for the user: `global total`, `self.count`.
        read: returns its current value; of an object a shallow copy.
        write: restores such a value.
        before: the value at the time of the snapshot.
    """

    path: str
    read: Callable[[], Any]
    write: Callable[[Any], None]
    before: Any

    @property
    def is_changed(self) -> bool:
        """Return whether the value has changed."""
        now, before = self.read(), self.before
        if now is before:
            return False
        if is_a(before, np.ndarray):
            return not _same_array(now, before)
        if is_a(before, dict) and is_a(now, dict):
            return list(before) != list(now) or any(before[k] is not now[k] for k in before)
        if is_a(before, _SEQUENCES) and is_a(now, _SEQUENCES):
            return len(before) != len(now) or any(a is not b for a, b in zip(before, now))
        return not is_a(before, (set, bytearray)) or now != before


class HeapSnapshot:
    """A snapshot of the mutable objects that a function reaches by globals, cells or its object."""

    def __init__(self, function: Any) -> None:
        self._snapshots: list[ObjectSnapshot] = []
        self._seen: dict[int, Any] = {}
        self._globals: set[tuple[int, str]] = set()
        self._visit("the object", function)

    def changes(self) -> dict[str, ValueSnapshot]:
        """Return the changes since the snapshot, by path."""
        changed = (snapshot for snapshot in self._snapshots if snapshot.is_changed)
        pairs = ((snapshot, _snapshot_or_missing(snapshot.read())) for snapshot in changed)
        return {
            snapshot.path: now
            for snapshot, now in pairs
            if difference(_snapshot_or_missing(snapshot.before), now, staged=False) is not None
        }

    def restore(self) -> None:
        """Undo all changes since the snapshot."""
        for snapshot in self._snapshots:
            if snapshot.is_changed:
                snapshot.write(snapshot.before)

    # -- finding objects -----------------------------------------------------------------------

    def _visit(self, path: str, value: Any) -> None:
        stack = [(path, value)]
        while stack and len(self._seen) < _MOST_OBJECTS:
            where, found = stack.pop()
            if id(found) not in self._seen:
                self._seen[id(found)] = found
                try:
                    stack.extend(self._inside(where, found))
                except Exception:
                    continue  # code of the object raised an exception

    def _inside(self, path: str, value: Any) -> Iterator[tuple[str, Any]]:
        if is_a(value, types.MethodType):
            yield from (("self", value.__self__), (path, value.__func__))
        elif is_a(value, types.FunctionType):
            yield from self._inside_function(value)
        elif is_a(value, (*_SEQUENCES, dict, set, bytearray, np.ndarray, Variable)):
            yield from self._inside_container(path, value)
        elif is_a(value, tuple):
            yield from ((f"{path}[{k}]", part) for k, part in enumerate(value))
        elif is_a(value, Function):
            yield path, value.python_function
        elif _is_users_object(value):
            yield from self._inside_object(path, value)

    def _inside_function(self, function: types.FunctionType) -> Iterator[tuple[str, Any]]:
        code = function.__code__
        if is_internal_file(code.co_filename) or is_library(code.co_filename):
            return
        for name, cell in zip(code.co_freevars, function.__closure__ or ()):
            self._add(name, partial(_cell_value, cell), partial(_set_cell, cell))
            yield name, _cell_value(cell)
        for default in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
            yield "a default", default
        if function.__dict__:
            yield f"{function.__name__}.__dict__", function.__dict__
        global_values = function.__globals__
        for name in sorted(_names_in(code)):
            if name in global_values or name in _stored_names(code):
                self._add_global(global_values, name)
                yield f"global {name}", global_values.get(name)

    def _add_global(self, global_values: dict[str, Any], name: str) -> None:
        if (id(global_values), name) not in self._globals:
            self._globals.add((id(global_values), name))
            self._add(
                f"global {name}",
                lambda: global_values.get(name, _MISSING),
                lambda value: _set_global(global_values, name, value),
            )

    def _inside_container(self, path: str, value: Any) -> Iterator[tuple[str, Any]]:
        if is_a(value, Variable):
            self._add(path, value.numpy, lambda old: _assign(value, old))
        elif is_a(value, np.ndarray):
            self._add(path, lambda: np.array(value), lambda old: np.copyto(value, old))
        elif is_a(value, dict):
            self._add(path, lambda: dict(value), lambda old: _refill(value, old))
            yield from ((f"{path}[{key!r}]", part) for key, part in value.items())
        else:
            own = (base for base in _SEQUENCES if is_a(value, base))
            kind: Any = next(own, type(value))
            self._add(path, lambda: kind(value), lambda old: _refill(value, old))
            parts = value if is_a(value, _SEQUENCES) else ()
            yield from ((f"{path}[{k}]", part) for k, part in enumerate(parts))

    def _inside_object(self, path: str, value: Any) -> Iterator[tuple[str, Any]]:
        own = value.__dict__
        if is_a(value, type):
            for name, part in list(own.items()):
                if not name.startswith("__") and not callable(part) and _is_data(part):
                    self._add_attribute(f"{path}.{name}", value, name)
                    yield f"{path}.{name}", part
                elif is_a(part, types.FunctionType):
                    yield path, part
            return
        self._add(path, lambda: dict(own), lambda old: _refill(own, old))
        yield from ((f"{path}.{name}", part) for name, part in own.items())
        yield f"{type(value).__name__}", type(value)

    def _add_attribute(self, path: str, owner: type, name: str) -> None:
        self._add(path, lambda: owner.__dict__.get(name), lambda old: setattr(owner, name, old))

    def _add(self, path: str, read: Callable[[], Any], write: Callable[[Any], None]) -> None:
        self._snapshots.append(ObjectSnapshot(path, read, write, read()))


def _snapshot_or_missing(value: Any) -> ValueSnapshot:
    return ValueSnapshot("object", "nothing") if value is _MISSING else snapshot_of(value)


def _is_users_object(value: Any) -> bool:
    kind = value if is_a(value, type) else type(value)
    module = getattr(kind, "__module__", "")
    if not is_a(module, str) or module.partition(".")[0] in _NOT_USERS:
        return False
    return type(getattr(value, "__dict__", None)) in (dict, types.MappingProxyType)


_NOT_USERS = frozenset(("builtins", "autograph", "runtime", "numpy", "types", "typing", "abc"))


def _is_data(part: Any) -> bool:
    return not is_a(part, (property, staticmethod, classmethod)) and not hasattr(part, "__get__")


def _names_in(code: types.CodeType) -> set[str]:
    inner = (each for each in code.co_consts if is_a(each, types.CodeType))
    return set(code.co_names).union(*map(_names_in, inner))


def _stored_names(code: types.CodeType) -> set[str]:
    """Return the globals that a function writes, and so may create."""
    inner = (each for each in code.co_consts if is_a(each, types.CodeType))
    own = {each.argval for each in dis.get_instructions(code) if each.opname == "STORE_GLOBAL"}
    return own.union(*map(_stored_names, inner))


def _cell_value(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return _MISSING


def _set_cell(cell: types.CellType, value: Any) -> None:
    if value is _MISSING:
        del cell.cell_contents
    else:
        cell.cell_contents = value


def _assign(variable: Variable, value: Any) -> None:
    variable.assign(value)


def _set_global(global_values: dict[str, Any], name: str, value: Any) -> None:
    if value is _MISSING:
        global_values.pop(name, None)
    else:
        global_values[name] = value


def _refill(container: Any, old: Any) -> None:
    if is_a(container, (list, bytearray)):
        container[:] = old
        return
    container.clear()
    if is_a(container, deque):
        container.extend(old)
    else:
        container.update(old)


def _same_array(now: Any, before: np.ndarray) -> bool:
    if now.dtype != before.dtype or now.shape != before.shape:
        return False
    return bool(np.array_equal(now, before, equal_nan=before.dtype.kind in "fc"))
