"""Checks that everything a traced function reaches besides its arguments is unchanged.

scale = 2
inner(x): x * scale      ->   the graph multiplies by 2, and may be called while `scale` is 2

A call inside another trace must see the values that Python would have there: if the function's
environment has changed, its graph is not called.
"""

from __future__ import annotations

import functools
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from types import BuiltinFunctionType, CellType, FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from autograph.backends.graph.arrays.staged_array import as_tensor_operand
from autograph.backends.graph.objects.object_contents import (
    ClassVariables,
    Globals,
    contents_of,
    is_indexed,
)
from autograph.backends.graph.objects.opaque_state import opaque
from autograph.backends.graph.source.library_boundary import is_library_class
from autograph.backends.graph.state.object_paths import (
    WatchedObject,
    function_inside,
    without_cells,
)
from autograph.backends.graph.state.reachability import DEEPEST, Reach
from autograph.functions.effect_analysis.reached_objects import all_reached
from autograph.functions.effect_analysis.state_uses import CodeUses
from autograph.functions.effect_analysis.written_names import changed_names
from autograph.functions.state.kinds import LISTS
from autograph.operators.call_listeners import notify_call
from autograph.operators.user_classes import is_a, is_of_package, own_attributes
from runtime import nest
from runtime.core.tensor import EagerTensor, SymbolicTensor

# The dict of a module, and the names of its variables that code mentions.
Mentioned = tuple[dict[str, Any], frozenset[str]]

_ATOMS = (bool, int, str, bytes, type(None), complex)
# Types of values that are compared by identity alone.
_BY_IDENTITY = (type, ModuleType, FunctionType, BuiltinFunctionType, EagerTensor)
_METHODS = (FunctionType, property, staticmethod, classmethod)
# Larger arrays, in bytes, are not compared at each call.
_MOST_BYTES = 1 << 16
_OURS = ("runtime", "autograph", "numpy")
_OF_A_TRACE = "autograph.backends."


class _Unreadable(Exception):
    """A value of a graph, or one whose contents cannot be compared later."""


class _IdentityRef:
    """An object compared by identity, referenced weakly."""

    __slots__ = ("_get",)

    def __init__(self, value: object) -> None:
        try:
            self._get: Callable[[], object] = weakref.ref(value)
        except TypeError:
            self._get = lambda: value

    def __eq__(self, other: object) -> bool:
        found = self._get()
        return isinstance(other, _IdentityRef) and found is not None and other._get() is found

    def __hash__(self) -> int:
        return 0


class EnvironmentSnapshot(NamedTuple):
    """A snapshot of the objects that a function reaches.

    Attributes:
        objects: the objects.
        held: for each object, a key of its class and keys of its contents.
    """

    objects: Sequence[WatchedObject]
    held: Sequence[tuple[object, dict[object, object]]]


class EnvironmentGuards(NamedTuple):
    """The objects that one trace depended on, compared before later calls.

    Attributes:
        mentioned: the module variables that the executed code mentions.
        held: as in `EnvironmentSnapshot`, when the trace was finished.
        functions: the executed functions, without their closures.
        classes: the classes whose variables are reachable.
    """

    mentioned: tuple[Mentioned, ...]
    held: Sequence[tuple[object, dict[object, object]]]
    functions: tuple[FunctionType, ...]
    classes: tuple[weakref.ref[type], ...]

    def notify_listeners(self) -> None:
        """Tell the listeners of surrounding traces the functions and classes that a call uses."""
        for each in self.functions:
            notify_call(each)
        for reference in self.classes:
            if (kind := reference()) is not None:
                notify_call(kind)

    def are_unchanged(self, function: Callable[..., object], given: Iterable[object]) -> bool:
        """Return whether the function's environment is the same as in its trace.

        Args:
            function: the user's function.
            given: its arguments.
        """
        now = environment_snapshot(function, given, self.mentioned)
        if now is None or len(now.held) != len(self.held):
            return False
        pairs = zip(now.objects, now.held, self.held)
        return all(a == b or self._is_unread(each, a, b, now) for each, a, b in pairs)

    def _is_unread(
        self, each: WatchedObject, now: Any, then: Any, snapshot: EnvironmentSnapshot
    ) -> bool:
        """Return whether the code does not read a change: that of a log, or of a counter."""
        if now[0] != then[0]:
            return False
        if is_a(each.value, (*LISTS, set)):
            return CodeUses(self.functions, snapshot.objects).only_appended_to(each)
        if list(now[1]) != list(then[1]):
            return False
        pairs = zip(each.contents, now[1].values(), then[1].values())
        return all(a == b or self._is_counted(each, key, snapshot) for key, a, b in pairs)

    def _is_counted(self, each: WatchedObject, key: object, snapshot: EnvironmentSnapshot) -> bool:
        """Return whether the code uses a number only to count it up."""
        name = each.name.rpartition(".")[2] if type(each.value) is CellType else key
        if not is_indexed(each.value) and name not in changed_names(self.functions):
            return False
        return CodeUses(self.functions, snapshot.objects).only_counted(each, key)


def environment_guards(
    function: Callable[..., object], given: Iterable[object], reach: Reach
) -> EnvironmentGuards | None:
    """Return the guards of a finished trace; None if the objects cannot be compared.

    Args:
        function: the user's function.
        given: its arguments; tensors among them are not compared.
        reach: the objects that were watched during the trace.
    """
    variables = [each.value for each in reach if type(each.value) is Globals]
    mentioned = _joined([(each.namespace, each.names) for each in variables])
    snapshot = environment_snapshot(function, given, mentioned)
    if snapshot is None:
        return None
    ran = {each.__code__: each for each in (*reach.functions, *_functions_in(function))}
    classes = [each.value.owner for each in reach if type(each.value) is ClassVariables]
    return EnvironmentGuards(
        mentioned,
        snapshot.held,
        tuple(map(without_cells, ran.values())),
        tuple(map(weakref.ref, classes)),
    )


def environment_snapshot(
    function: Callable[..., object], given: Iterable[object], mentioned: Iterable[Mentioned] = ()
) -> EnvironmentSnapshot | None:
    """Return a snapshot of a function's environment; None if it cannot be compared later.

    Example:
        >>> scale = 2
        >>> environment_snapshot(lambda: scale, [(1, 2)]) is None
        False
    """
    reach = Reach([], sees_opaque=False)
    inside, roots = _inside(function)
    for value in roots:
        reach.add("self", value, DEEPEST)
    if isinstance(inside, FunctionType):
        reach.add_outer(inside, DEEPEST, is_traced=True)
        reach.add_mentioned(inside, DEEPEST)
    else:
        reach.add("self", inside, DEEPEST)
    for value in given:
        for leaf in nest.flatten(value):
            reach.add("argument", leaf, DEEPEST)
    for namespace, names in mentioned:
        reach._add_variables(str(namespace.get("__name__")), namespace, names, DEEPEST)
    try:
        for value in roots:
            if not reach.knows(value):
                _seen(value, reach)
        held = [_held(each, reach) for each in reach]
    except _Unreadable:
        return None
    return EnvironmentSnapshot(list(reach), held)


def is_visible(function: Callable[..., object], given: Iterable[object]) -> bool:
    """Return whether a snapshot of all objects that a function reaches can be taken.

    Example:
        >>> numbers = iter([1, 2])
        >>> is_visible(lambda: next(numbers), []), is_visible(lambda: 1, [])
        (False, True)
    """
    # `all_reached` does not search the arguments that a partial holds.
    if isinstance(function, functools.partial) and environment_snapshot(function, given) is None:
        return False
    return is_comparable(all_reached(function, given)[0])


def is_comparable(reach: Reach) -> bool:
    """Return whether a snapshot of all watched objects can be taken."""
    try:
        for each in reach:
            _held(each, reach)
    except _Unreadable:
        return False
    return True


def _inside(function: Any) -> tuple[Any, list[object]]:
    """Return the function that runs when a callable is called, and the objects bound to it."""
    roots: list[object] = []
    while True:
        if isinstance(function, functools.partial):
            roots += [*function.args, *function.keywords.values()]
            function = function.func
        elif isinstance(function, MethodType):
            roots.append(function.__self__)
            function = function.__func__
        elif (inner := function_inside(function)) is not None:
            function = inner
        else:
            return function, roots


def _functions_in(function: Any) -> list[FunctionType]:
    inside, _ = _inside(function)
    return [inside] if isinstance(inside, FunctionType) else []


def _joined(mentioned: Iterable[Mentioned]) -> tuple[Mentioned, ...]:
    found: dict[int, Mentioned] = {}
    for namespace, names in mentioned:
        _, known = found.get(id(namespace), (namespace, frozenset()))
        found[id(namespace)] = namespace, known | names
    return tuple(found.values())


def _held(each: WatchedObject, reach: Reach) -> tuple[object, dict[object, object]]:
    held = {_seen(key, reach): _seen(value, reach) for key, value in each.contents.items()}
    if type(each.value) is ClassVariables:
        return (ClassVariables, _methods(each.value.owner)), held
    return type(each.value), held


def _methods(kind: type) -> tuple[object, ...]:
    """Return a key of the methods of a class, without special methods."""
    own = own_attributes(kind).items()
    named = ((k, v) for k, v in own if not (k.startswith("__") and k.endswith("__")))
    return tuple((k, _IdentityRef(v)) for k, v in named if isinstance(v, _METHODS))


def _seen(value: Any, reach: Reach) -> Any:
    """Return a key of a value; for a watched object, its position among the watched objects."""
    kind = type(value)
    if kind in _ATOMS:
        return kind, value
    if kind is float:
        return kind, value.hex()
    if kind is tuple or (isinstance(value, tuple) and hasattr(kind, "_fields")):
        return (kind, *(_seen(item, reach) for item in value))
    if kind is frozenset:
        return kind, frozenset([_seen(item, reach) for item in value])
    if kind is SymbolicTensor or kind.__module__.startswith(_OF_A_TRACE):
        raise _Unreadable
    if reach.knows(value):
        return "at", reach._at[id(value)]
    if kind is MethodType:
        return kind, _seen(value.__func__, reach), _seen(value.__self__, reach)
    if isinstance(value, functools.partial):
        parts = (value.func, value.args, tuple(value.keywords.items()))
        return (kind, *(_seen(part, reach) for part in parts))
    if issubclass(kind, (np.ndarray, np.generic)):
        return _array_key(value)
    if issubclass(kind, _BY_IDENTITY) or function_inside(value) is not None:
        return _IdentityRef(value)
    if opaque(value) is not None or _has_contents(value):
        raise _Unreadable
    return _library_key(value)


def _library_key(value: object) -> object:
    """Return a key of a library object: its identity, and the values of its attributes."""
    try:
        attributes = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return _IdentityRef(value)
    if type(attributes) is not dict or is_of_package(type(value), *_OURS):
        return _IdentityRef(value)
    return (_IdentityRef(value), *((k, _attribute_key(v)) for k, v in list(attributes.items())))


def _attribute_key(value: object) -> object:
    return (type(value), value) if type(value) in (*_ATOMS, float) else _IdentityRef(value)


def _array_key(value: Any) -> object:
    if value.nbytes > _MOST_BYTES or value.dtype.hasobject or as_tensor_operand(value) is not value:
        raise _Unreadable
    return type(value), value.dtype, value.shape, value.tobytes()


def _has_contents(value: object) -> bool:
    """Return whether a value that is nested too deep to be watched has contents that may change."""
    if is_a(value, (list, dict, set, deque)):
        return bool(value)
    if is_of_package(type(value), *_OURS):
        return False
    return not is_library_class(type(value)) and bool(contents_of(value))
