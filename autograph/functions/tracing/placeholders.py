"""Puts placeholders in the state that a function is known to write, while it is traced."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from types import FunctionType, MethodType
from typing import Any

import numpy as np

from autograph.backends.graph.arrays.staged_array import root_of, set_input
from autograph.backends.graph.objects.object_contents import (
    Contents,
    contents_of,
    is_indexed,
    item_of,
    put_contents,
    put_entry,
)
from autograph.conversion.wrappers import wrapped_by
from autograph.errors import StagingError
from autograph.functions.arguments.copies import named_items, refill
from autograph.functions.arguments.key_relations import has_python_inputs, spec_of
from autograph.functions.arguments.trace_key import CONTAINERS, Key
from autograph.functions.results.object_templates import ATOMS, parts_inside
from autograph.functions.state.list_inputs import in_graph
from autograph.functions.state.places import WHOLE, StatePlace, put
from autograph.operators.call_listeners import TRACE_INPUTS
from autograph.operators.user_classes import is_a
from runtime.core.dtypes import as_dtype
from runtime.core.lazy_imports import lazy_import
from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor
from runtime.graph.graph import Graph

_of_value = lazy_import("runtime.data.graph_inputs:of_value")


# Code that leads to more values than these counts as one that reaches all.
_MOST_LOOKED_AT = 10_000


@dataclass(slots=True, eq=False, repr=False)
class StatePlaceholder:
    """A place whose value was replaced by a placeholder, or by a tuple of placeholders.

    Attributes:
        owner: the owner of the place.
        key: the key of the place in it.
        value: the program's value.
        lifted: the value in the trace.
    """

    HOLDS_FOR_TRACE = True

    owner: Any
    key: Any
    value: object
    lifted: object


class StatePlaceholders:
    """Puts placeholders into places before a trace, and the program's values back after it.

    Lists, dicts and objects stay the same objects; placeholders replace the values in them.

    Args:
        graph: the graph; the placeholders are inputs of it.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._put: list[StatePlaceholder] = []
        # The containers with dynamic items, with their contents in the trace.
        self._runs: list[tuple[Any, Contents]] = []
        self._arrays: list[tuple[Any, SymbolicTensor]] = []
        self._held: list[Contents] = []
        self._tuples: list[object] = []

    def lift(self, places: Sequence[StatePlace], keys: Sequence[Key]) -> None:
        """Put placeholders into the places, in the order of the tensors in `keys`."""
        values = [place.value() for place in places]
        for place, key, value in zip(places, keys, values):
            if key[0] == "run":
                self._runs.append((value, in_graph(place, key, self._graph)))
                continue
            if key[0] == "array":
                self._arrays.append((value, self._graph.add_input(spec_of(key), place.name)))
                continue
            lifted = self._lifted(value, key, place.name)
            if lifted is not value and place.key is not WHOLE:
                self._replace(place.owner(), place.key, value, lifted)
        # `undo` restores these contents first, before it takes out other placeholders.
        self._held = [contents_of(value) or {} for value, _ in self._runs]
        for value, runs in self._runs:
            put_contents(value, runs)
        if has_python_inputs(keys):
            TRACE_INPUTS[id(self)] = self

    def begin_arrays(self) -> None:
        """Set placeholders as the elements of arrays; called when the trace tracks arrays."""
        for value, tensor in self._arrays:
            set_input(value, tensor)

    def check_use(self, function: Any, given: Iterable[object]) -> None:
        """Raise a StagingError if unconverted code reaches a container that is an input.

        It would see the array's elements before the call, or one item in place of the list's items.
        """
        arrays = (root_of(value) for value, _ in self._arrays)
        containers = {id(value) for value in (*arrays, *(value for value, _ in self._runs))}
        if containers and reaches_any([function, *given], containers):
            name = getattr(function, "__qualname__", repr(function))
            raise StagingError(
                f"{name}() is not converted, and looks at an array or list of which only the graph "
                "knows the elements"
            )

    def is_substitute(self, value: object) -> bool:
        """Return whether a value is a tuple of placeholders that replaces one of the program."""
        return any(each is value for each in self._tuples)

    def undo(self) -> None:
        """Restore the program's values in the places that still hold their placeholders."""
        TRACE_INPUTS.pop(id(self), None)
        for (value, runs), held in zip(self._runs, self._held):
            if contents_of(value) == runs:
                put_contents(value, held)
        for each in reversed(self._put):
            try:
                now = item_of(each.owner, each.key)
            except (LookupError, AttributeError, ValueError):
                continue
            if now is each.lifted:
                put(each.owner, each.key, each.value)

    def _replace(self, owner: Any, key: Any, value: object, lifted: object) -> None:
        self._put.append(StatePlaceholder(owner, key, value, lifted))
        put_entry(owner, key, lifted)

    def _lifted(self, value: Any, key: Key, path: str) -> Any:
        if key[0] == "number":
            spec = TensorSpec((), as_dtype(key[2]))
            return self._graph.add_input(spec, path, weak=True)
        if key[0] == "tensor":
            tensor = self._graph.add_input(spec_of(key), path)
            if type(value) is not np.ndarray:
                return tensor
            self._arrays.append((value, tensor))
            return value
        if key[0] == "dataset":
            return _of_value(key[1], self._graph.add_input(spec_of(key), path))
        if key[0] not in CONTAINERS:
            return value
        names, items = named_items(value, key)
        parts = [
            self._lifted(item, part, f"{path}/{name}")
            for name, item, part in zip(names, items, key[-1])
        ]
        if not (is_indexed(value) or (key[0] == "record" and not isinstance(value, tuple))):
            same = all(a is b for a, b in zip(parts, items))
            if same:
                return value
            self._tuples.append(refill(value, key, names, parts))
            return self._tuples[-1]
        for name, item, part in zip(names, items, parts):
            if part is not item:
                self._replace(value, name, item, part)
        return value


def reaches_any(values: Iterable[object], containers: Collection[int]) -> bool:
    """Return whether functions and other values lead to one of some containers.

    Args:
        values: the values; very large structures count as leading there.
        containers: the identities of lists, sets, dicts, and of arrays, also reached by views.
    """
    waiting, seen = list(values), dict[int, object]()
    while waiting:
        each = waiting.pop()
        found = root_of(each) if type(each) is np.ndarray else each
        if id(found) in containers:
            return True
        if id(each) in seen or is_a(each, ATOMS):
            continue
        seen[id(each)] = each
        waiting.extend(parts_inside(each))
        if type(each) is MethodType:
            waiting.append(each.__func__)
        if type(each) is FunctionType:
            if (wrapper := wrapped_by(each)) is not None:
                waiting.append(wrapper.target())
            known = each.__globals__
            waiting.extend(known[name] for name in each.__code__.co_names if name in known)
        if len(seen) > _MOST_LOOKED_AT:
            return True
    return False
