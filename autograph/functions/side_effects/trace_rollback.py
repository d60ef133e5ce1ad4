"""A snapshot of the program's state when a trace begins, restored before the trace is repeated.

It covers all objects that the code can reach: watched ones (`Reach`), and the attributes of this
library's objects: whether a layer is built, the slots of an optimizer, the variables of a metric.
It also covers the random number generators, the names of modules, and the printed text.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from dataclasses import replace
from types import (
    BuiltinFunctionType,
    CellType,
    FunctionType,
    MethodType,
    MethodWrapperType,
    ModuleType,
)
from typing import Any

import numpy as np

from autograph.backends.graph.objects.object_contents import (
    ClassVariables,
    contents_of,
    is_indexed,
    put_contents,
)
from autograph.backends.graph.objects.opaque_state import (
    ContentsSnapshot,
    OpaqueObject,
    is_buffer,
    opaque,
    whole_snapshot,
)
from autograph.backends.graph.source.library_boundary import is_library_class
from autograph.backends.graph.state.change_detection import changed
from autograph.backends.graph.state.object_paths import WatchedObject
from autograph.backends.graph.state.reachability import Reach
from autograph.functions.side_effects.console_output import current_console_output
from autograph.functions.side_effects.irreversible_effects import (
    IrreversibleEffects,
    warn_of_effects,
    written,
)
from autograph.operators.user_classes import is_a, is_of_package
from runtime.core.dtypes import DType
from runtime.core.lazy_imports import lazy_import
from runtime.core.spec import TensorSpec
from runtime.core.stored_attributes import stored_attributes
from runtime.core.tensor import Tensor
from runtime.data.base_types import AnyDataset
from runtime.graph.graph import Graph

reaches = lazy_import("autograph.backends.graph.state.init_scope_changes:reaches")

# Global state, as module and variable: names in use, random number generators.
_NAMES = (("runtime.nn.modules.names", "_USED"), ("os", "environ"))
_STREAMS = (
    ("runtime.nn.seeds", "_Defaults"),
    ("runtime.ops.random.eager_seeds", "STREAMS"),
    ("runtime.state.generator", "_Shared"),
    ("random", "_inst"),
    ("numpy.random.mtrand", "_rand"),
)
_ATOMS = frozenset({int, float, bool, complex, str, bytes, type(None), type, DType, TensorSpec})
# Of larger containers the snapshot has the items, but not the contents of items.
_MOST_ITEMS = 1000
_PLAIN = (list, tuple, dict, set, frozenset)
_MOST_BYTES = 1 << 25
_LIBRARY_ATTRIBUTES = "attributes of ours"
_OF_PYTHON = (CellType, ClassVariables)
_PARTS_ONLY = (tuple, frozenset)
# `append` of a list, `send` of a generator, and `__next__` of an iterator.
_BUILTIN_METHODS = (BuiltinFunctionType, MethodWrapperType)
_UNCHANGING: tuple[Any, ...] = (Tensor, Graph, AnyDataset)


class TraceSnapshot:
    """The objects that a trace can reach, with their contents when the trace began.

    Args:
        reach: the watched objects; ones that are watched later are added when that happens.
        values: the function and its arguments.

    Attributes:
        effects: the effects of the trace that cannot be undone.
    """

    def __init__(self, reach: Reach, values: Iterable[object]) -> None:
        self.effects = IrreversibleEffects()
        self._kept: list[WatchedObject] = []
        self._buffer_snapshots: dict[int, ContentsSnapshot] = {}
        self._bytes = 0
        self._output = current_console_output()
        self._written = 0 if self._output is None else self._output.position
        # The objects are kept alive, so that no other object gets the same identity.
        self._seen: dict[int, object] = {}
        self._kinds: dict[int, type] = {}
        for each in reach:
            self._keep(each)
        inside = [part for each in reach for part in each.contents.values()]
        self.add((*inside, *values, *map(_global_state, _NAMES)))
        count = len(self._kept)
        self.add(map(_global_state, _STREAMS))
        reach.keeper = self
        self._streams = self._kept[count:]
        self._has_used_random = False

    def knows(self, value: object) -> bool:
        """Return whether an object is from before the trace, or created by code that runs once."""
        return id(value) in self._seen

    def check_streams(self, is_once: bool) -> None:
        """Record whether random numbers were drawn since the last call.

        Args:
            is_once: whether code that runs once for all traces has drawn them, which do not count.
        """
        changes = {id(each): now for each, now in changed(self._streams)}
        self._has_used_random |= bool(changes) and not is_once
        self._streams = [
            replace(each, contents=changes[id(each)]) if id(each) in changes else each
            for each in self._streams
        ]

    def has_used_random_numbers(self) -> bool:
        """Return whether the traced code has drawn random numbers, other than in `init_scope`."""
        self.check_streams(is_once=False)
        return self._has_used_random

    def restore(self) -> bool:
        """Restore all contents; return whether all are restored."""
        for each, _ in changed(self._kept):
            put_contents(each.value, each.contents)
        for value in list(self.changed_classes()):
            object.__setattr__(value, "__class__", self._kinds[id(value)])
        if self._output is not None:
            self._output.position = self._written
        warn_of_effects(self.effects.found)
        return not changed(self._kept)

    def has_irreversible_effects(self) -> bool:
        """Return whether the trace has advanced an iterator or had another effect for good."""
        lasting = [each for each in self._kept if not _is_restorable(each)]
        return bool(self.effects.found or changed(lasting))

    def changed_state(self) -> Iterator[tuple[object, ContentsSnapshot]]:
        """Yield the changed opaque objects that are state, with their current contents.

        Random generators are not included: numbers are drawn once a trace.
        """
        state = [
            each
            for each in self._kept
            if type(each.value) is OpaqueObject and each.value.kind.is_state
        ]
        for each, now in changed(state):
            yield each.value.owner, now[""]  # type: ignore[attr-defined, misc]

    def has_changed_counts(self) -> bool:
        """Return whether a Python number in an object of this library has changed."""
        ours = [each for each in self._kept if each.name is _LIBRARY_ATTRIBUTES]
        pairs = (
            (each.contents.get(key), item)
            for each, now in changed(ours)
            for key, item in now.items()
        )
        return any(a is not b and {type(a), type(b)} <= {int, float} for a, b in pairs)

    def buffer_snapshot(self, value: object) -> ContentsSnapshot | None:
        """Return the contents of a buffer or another opaque object when it was first reached."""
        return self._buffer_snapshots.get(id(value))

    def add(self, values: Iterable[object]) -> None:
        """Add values to the snapshot, with all objects in them."""
        waiting = list(values)
        while waiting:
            value = waiting.pop()
            if type(value) not in _ATOMS and id(value) not in self._seen:
                waiting += self._parts(value)

    def note(self, each: WatchedObject) -> None:
        """Add an object to the snapshot, with the objects in its contents."""
        self._keep(each)
        self.add(each.contents.values())

    def changed_classes(self) -> Iterator[object]:
        """Yield the objects whose class has changed."""
        for at, kind in self._kinds.items():
            if type(self._seen[at]) is not kind:
                yield self._seen[at]

    def _keep(self, each: WatchedObject) -> None:
        self._seen[id(each.value)] = each.value
        self._kinds[id(each.value)] = type(each.value)
        self._kept.append(each)
        self._keep_opaque(each.value)

    def _keep_opaque(self, value: object) -> None:
        if (inside := opaque(value) or written(value)) is not None:
            held = whole_snapshot(value) if is_buffer(value) else inside.snapshot()
            self._buffer_snapshots[id(value)] = held
            self._kept.append(WatchedObject("", inside, {"": held}))

    def _parts(self, value: Any) -> Iterable[object]:
        """Add the contents of one object to the snapshot; return its parts."""
        self._seen[id(value)] = value
        kind = type(value)
        if kind is FunctionType:
            defaults = (*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values())
            return (*(value.__closure__ or ()), *defaults, vars(value))
        if kind is MethodType:
            return (value.__self__, value.__func__)
        if kind in _BUILTIN_METHODS:
            return () if type(value.__self__) is ModuleType else (value.__self__,)
        if kind is functools.partial:
            return (value.func, *value.args, *value.keywords.values())
        if is_a(value, _PARTS_ONLY):
            return _inside(list(value))
        if is_of_package(kind, "runtime"):
            return self._parts_of_library_object(value)
        return self._parts_of_user_object(value)

    def _parts_of_library_object(self, value: Any) -> Iterable[object]:
        own = stored_attributes(value)
        if type(own) is not dict or is_a(value, _UNCHANGING):
            return ()
        self._keep(WatchedObject(_LIBRARY_ATTRIBUTES, own, contents := dict(own)))
        # No array of a tensor or variable is ever changed.
        return [each for each in contents.values() if type(each) is not np.ndarray]

    def _parts_of_user_object(self, value: Any) -> Iterable[object]:
        if is_a(value, (np.ndarray,)):
            self._bytes += value.nbytes
            if self._bytes > _MOST_BYTES:
                return ()
        is_librarys = is_library_class(type(value)) and type(value) not in _OF_PYTHON
        contents = None if is_librarys and not is_indexed(value) else contents_of(value)
        if contents is None:
            self._keep_opaque(value)
            return ()
        self._keep(WatchedObject("", value, contents))
        return _inside(list(contents.values()))


def existed_before_trace(value: object) -> bool:
    """Return whether the snapshot of a trace in progress has an object; True outside of traces.

    >>> existed_before_trace(object())
    True
    """
    keepers = [reach.keeper for reach in reaches() if reach.keeper is not None]
    return not keepers or any(keeper.knows(value) for keeper in keepers)


def _is_restorable(each: WatchedObject) -> bool:
    """Return whether the contents of an object can be restored."""
    if type(each.value) is OpaqueObject:
        return each.value.kind.is_restorable
    return type(each.value) is not ContextVar or bool(each.contents)


def _global_state(shared: tuple[str, str]) -> object:
    module, name = shared
    found = getattr(sys.modules.get(module), name, None)
    return ClassVariables(found) if isinstance(found, type) else found


def _inside(items: list[object]) -> list[object]:
    if len(items) <= _MOST_ITEMS:
        return items
    return [each for each in items if type(each) not in _PLAIN]
