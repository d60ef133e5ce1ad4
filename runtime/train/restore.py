"""Restoring a checkpoint into existing objects, and into later ones when they appear."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from typing import Any

from runtime.core.context import recording
from runtime.core.creation_hooks import DEFERRED_RESTORES
from runtime.core.dtypes import dtype_of_array
from runtime.core.shapes import TensorShape
from runtime.core.tensor import Array
from runtime.errors import DTypeError, FailedPreconditionError, ShapeError
from runtime.state.variable import Variable
from runtime.train.object_graph import TrackedObject, keeps_state, objects_in, state_of

# The name of the variable that counts the saves, beside the user's objects.
SAVE_COUNTER = "save_counter"

Node = Mapping[str, Any]
Parts = Callable[[], "Mapping[str, Any] | None"]


def check_nodes(nodes: Any, arrays: Mapping[str, Array]) -> None:
    """Raise ValueError, KeyError or TypeError unless the data is a list of objects."""
    if not isinstance(nodes, list) or not nodes:
        raise ValueError("there are no objects in it")
    for node in nodes:
        for name, place in node["parts"].items():
            if type(place) is not int or not 0 <= place < len(nodes):
                raise ValueError(f"{name!r:.60} is not one of its objects")
        if "key" in node and node["state"] is None:
            arrays[node["key"]]
        elif "key" in node:
            str.encode(node["key"])
            state_of(node["state"]["of"], arrays)


class Restoration:
    """One checkpoint during its restoration into objects.

    Args:
        prefix: its path.
        nodes: its objects; the first one is the root.
        arrays: their values by key.
        parts: returns the children of the root, or None after the root is gone.
    """

    def __init__(
        self, prefix: str, nodes: list[Node], arrays: Mapping[str, Array], parts: Parts
    ) -> None:
        self.prefix, self._nodes, self._arrays, self._parts = prefix, nodes, arrays, parts
        # The restored objects of each node. They are kept alive, so that no new object has their
        # id.
        self._filled: dict[int, dict[int, Any]] = {}

    def advance(self) -> bool:
        """Restore the objects that exist by now; return False if no more can follow.

        Raises:
            DTypeError, ShapeError: a value does not match its variable; no variable has changed.
        """
        parts = self._parts()
        if parts is None:
            return False
        pairs = self._pairs(objects_in(parts))
        due = [pair for pair in pairs if id(pair[0]) not in self._filled.get(pair[1], ())]
        for value, place in due:
            self._check(value, self._nodes[place])
        # Objects that may reject their state come first, before any variable changes.
        for value, place in sorted(due, key=lambda pair: isinstance(pair[0], Variable)):
            self._filled.setdefault(place, {})[id(value)] = value
            self._fill(value, self._nodes[place])
        return bool(self.missing())

    def missing(self) -> list[str]:
        """Return the keys of values that no object received."""
        filled = self._filled
        return [
            str(n["key"]) for at, n in enumerate(self._nodes) if "key" in n and at not in filled
        ]

    def untouched(self) -> list[TrackedObject]:
        """Return the objects that have a value and got none."""
        filled = {identity for each in self._filled.values() for identity in each}
        found = objects_in(self._parts() or {})
        return [each for each in found if each.has_value and id(each.value) not in filled]

    def has_match(self) -> bool:
        """Return whether an object has got a value, other than the number of saves."""
        return bool(self._filled.keys() - {self._nodes[0]["parts"].get(SAVE_COUNTER)})

    def _pairs(self, found: list[TrackedObject]) -> list[tuple[Any, int]]:
        """Walk the objects and the file from the root, and pair those with the same names."""
        seen, pairs = {(0, 0)}, []
        waiting = [(0, 0)]
        while waiting:
            at, place = waiting.pop()
            node = self._nodes[place]
            if "key" in node and found[at].has_value:
                pairs.append((found[at].value, place))
            for name, part in found[at].parts.items():
                step = (part, node["parts"].get(name))
                if step[1] is not None and step not in seen:
                    seen.add(step)
                    waiting.append(step)
        return pairs

    def _check(self, value: Any, node: Node) -> None:
        key = node["key"]
        if isinstance(value, Variable) != (node["state"] is None):
            raise DTypeError(f"'{key}' of '{self.prefix}' is of another kind than the object there")
        if not isinstance(value, Variable):
            return
        array = self._arrays[key]
        dtype, shape = dtype_of_array(array), TensorShape.of(array.shape)
        if dtype is not value.dtype:
            raise DTypeError(
                f"'{key}' of '{self.prefix}' is {dtype.name}, and variable '{value.name}' is "
                f"{value.dtype.name}: make it with dtype=rt.{dtype.name}"
            )
        if not value.shape.contains(shape):
            raise ShapeError(
                f"'{key}' of '{self.prefix}' has shape {shape}, and variable '{value.name}' has "
                f"shape {value.shape}"
            )

    def _fill(self, value: Any, node: Node) -> None:
        if isinstance(value, Variable):
            vars(value).pop("_first_array", None)
            value.store(self._arrays[node["key"]])
        elif keeps_state(value):
            with recording(None):
                value.restore(state_of(node["state"]["of"], self._arrays))


def kept_parts(root: Any, parts: Mapping[str, Any]) -> Parts:
    """Return a function that returns the parts of an object.

    After the object is gone, it returns the parts that other objects refer to, or None.
    """
    owner = weakref.ref(root)
    held = {name: _reference(part) for name, part in parts.items()}

    def current() -> Mapping[str, Any] | None:
        whole = owner()
        if whole is not None:
            found: Mapping[str, Any] = whole.checkpoint_parts()
            return found
        alive = {name: part for name, get in held.items() if (part := get()) is not None}
        return alive or None

    return current


def _reference(part: Any) -> Callable[[], Any]:
    try:
        return weakref.ref(part)
    except TypeError:
        return lambda: part


class LoadStatus:
    """The status of a restore, which asserts that all values have been restored, now or later."""

    def __init__(self, restoration: Restoration | None, owner: object = None) -> None:
        self._restoration = restoration
        # This keeps the restored objects alive as long as the status is in use.
        self._owner = owner

    def assert_consumed(self) -> LoadStatus:
        """Return this; AssertionError unless all values, and all objects, have found each other."""
        restoration = self._settled()
        missing = restoration.missing()
        if missing:
            raise AssertionError(
                f"'{restoration.prefix}' has values that no object has got: {_listed(missing)}"
            )
        return self.assert_existing_objects_matched()

    def assert_existing_objects_matched(self) -> LoadStatus:
        """Return this; AssertionError if an object there is has got no value."""
        restoration = self._settled()
        untouched = [each.key for each in restoration.untouched()]
        if untouched:
            raise AssertionError(
                f"'{restoration.prefix}' has no values for these objects: {_listed(untouched)}"
            )
        return self

    def assert_nontrivial_match(self) -> LoadStatus:
        """Return this; AssertionError if nothing but the number of saves has got a value."""
        restoration = self._settled()
        if not restoration.has_match() and restoration.missing():
            raise AssertionError(f"'{restoration.prefix}' has nothing in common with the objects")
        return self

    def expect_partial(self) -> LoadStatus:
        """Return this status; unused values are expected."""
        return self

    def initialize_or_restore(self, session: Any = None) -> None:
        """Do nothing: values have been restored, and variables have them from the start."""

    run_restore_ops = initialize_or_restore

    def _settled(self) -> Restoration:
        if self._restoration is None:
            raise AssertionError("no checkpoint was given, so nothing is restored")
        self._restoration.advance()
        return self._restoration


def begin(restoration: Restoration, before: Restoration | None) -> None:
    """Restore the existing objects, and wait for the rest; `before` stops waiting."""
    unfinished = restoration.advance()
    if before is not None and before.advance in DEFERRED_RESTORES:
        DEFERRED_RESTORES.remove(before.advance)
    if unfinished:
        DEFERRED_RESTORES.append(restoration.advance)


def refuse_in_graph(recorder: object, what: str) -> None:
    """Raise FailedPreconditionError where a graph is recorded."""
    if recorder is not None:
        raise FailedPreconditionError(
            f"a checkpoint is {what} outside of a Function: a graph has no values of variables yet"
        )


def _listed(keys: list[str]) -> str:
    shown = ", ".join(f"'{key}'" for key in keys[:5])
    return shown if len(keys) <= 5 else f"{shown} and {len(keys) - 5} more"
