"""Trace-time effects: changes of Python state that happen once a trace, since no code reads them.

log.append("traced")      a log of traces, in which each trace appears once
items.append(2)           if another traced function reads the items, each call of the first must
                          append one
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from types import CellType, FunctionType

from autograph.backends.graph.objects.object_contents import (
    ClassVariables,
    Contents,
    Globals,
    StoredAttributes,
    is_indexed,
    users_classes,
)
from autograph.backends.graph.state.object_paths import WatchedObject
from autograph.backends.graph.state.reachability import Reach
from autograph.functions.effect_analysis.reached_objects import all_reached
from autograph.functions.effect_analysis.state_uses import CodeUses, only_logged
from autograph.functions.state.kinds import LISTS
from autograph.functions.state.places import WHOLE
from autograph.operators.user_classes import functions_of, is_a

_OF_FUNCTIONS = (CellType, Globals, ClassVariables, StoredAttributes)


class TraceTimeEffects:
    """Finds the state that a function only counts up or appends to, and that no code reads.

    For a step of training, evaluation or prediction (`of_network`), callbacks and other methods of
    layers, losses and metrics count as readers, and counters in attributes are always state.

    Args:
        reach: the objects that the function can reach.
        of_network: whether the function is such a step.
    """

    def __init__(self, reach: Reach, of_network: bool) -> None:
        self._reach, self._of_network = reach, of_network
        self._others: list[FunctionType] | None = None
        self._code: tuple[object, CodeUses] | None = None

    def has(self, each: WatchedObject, key: object, functions: Sequence[FunctionType]) -> bool:
        """Return whether a change of a place is a trace-time effect.

        Args:
            each: the owner of the place.
            key: its key; `WHOLE` for all items.
            functions: the functions that may read or change it.
        """
        if self._of_network:
            root = each.value if each.path is None else each.path.root
            if not is_a(root, _OF_FUNCTIONS):
                return False
            functions = [*functions, *self._readers()]
        code = self.code_of(functions)
        return code.only_appended_to(each) if key is WHOLE else code.only_counted(each, key)

    def forget(self) -> None:
        """Drop the references to functions, so that they can be freed."""
        self._code = self._others = None

    def only_appended_to(self, each: WatchedObject, functions: Sequence[FunctionType]) -> bool:
        """Return whether functions name a list only to add items to it."""
        return self.code_of(functions).only_appended_to(each)

    def code_of(self, functions: Sequence[FunctionType]) -> CodeUses:
        """Return the uses that the code of functions makes of the objects in reach."""
        code_key = (len(self._reach), *map(id, functions))
        if self._code is None or self._code[0] != code_key:
            self._code = code_key, CodeUses(functions, self._reach)
        return self._code[1]

    def is_appended_by_step(self, each: WatchedObject, functions: Sequence[FunctionType]) -> bool:
        """Return whether a step appends to a list that it does not read, but other code may."""
        if not self._of_network or not self.only_appended_to(each, functions):
            return False
        return not self.has(each, WHOLE, functions)

    def _readers(self) -> list[FunctionType]:
        if self._others is None:
            kinds = {kind for each in self._reach for kind in users_classes(each.value)}
            methods = [function for kind in kinds for function in functions_of(kind)]
            own = [e.value.owner for e in self._reach if type(e.value) is StoredAttributes]
            self._others = [*methods, *(each for each in own if type(each) is FunctionType)]
        return self._others


def names_of_changes(changes: Iterable[tuple[WatchedObject, Contents]]) -> frozenset[str]:
    """Return the names by which user code refers to the places that a trace has changed.

    Args:
        changes: the owners of the places, with their current contents.
    """
    return frozenset(name for each, now in changes for name in _names(each, now))


def _names(each: WatchedObject, now: Contents) -> Iterator[str]:
    own = each.name.rpartition(".")[2].partition("[")[0]
    if type(each.value) is CellType or is_indexed(each.value) or is_a(each.value, (*LISTS, set)):
        yield own
        return
    keys = dict.fromkeys((*each.contents, *now))
    yield from (str(key) for key in keys if each.contents.get(key, keys) is not now.get(key, keys))


def are_trace_time_effects(names: Iterable[str], functions: Iterable[object]) -> bool:
    """Return whether changes under some names are trace-time effects: no function reads them.

    >>> log = []
    >>> def noting(x): log.append(x)
    >>> def looking(x): return len(log)
    >>> [are_trace_time_effects(["log"], each) for each in ([noting], [noting, looking])]
    [True, False]
    """
    found = [each for function in functions for each in all_reached(function)[1]]
    return all(name.isidentifier() and only_logged(name, found) for name in names)
