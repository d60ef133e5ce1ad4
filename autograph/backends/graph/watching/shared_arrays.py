"""NumPy arrays that become tensors where a statement is staged, which no other name shows.

    w = z = np.zeros(3)
    for i in range(n):       z is a tensor in the body: it gets other values, w keeps the array
        z[i % 3] = i         Python would change w as well: refused

An array nobody else can see may be changed: the variable has the result.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator, Mapping, Sequence
from types import FrameType
from typing import Any, NoReturn

import numpy as np

import runtime as rt
from autograph.backends.graph.program.opaque import Opaque
from autograph.backends.graph.program.places import user_place
from autograph.backends.graph.values.mismatch import RESULT, VALUE
from autograph.backends.graph.watching.slots import Seeds, Slots
from autograph.backends.graph.watching.watched import Watched
from autograph.errors import ContainerMutationError
from runtime.context import is_internal_frame
from runtime.graph.graph import Graph
from runtime.weak_tables import IdentityTable

# What the user calls them, by the graph they are in.
_NAMES: IdentityTable[Graph, dict[int, str]] = IdentityTable()


class SharedArray(rt.SymbolicTensor):
    """What stands in a loop for an array that is seen under another name, too."""

    __slots__ = ()
    # In messages it is what it is for the user.
    __module__ = rt.SymbolicTensor.__module__

    def refuse(self, *others: object) -> NoReturn:
        """Raise ContainerMutationError: it is changed in place."""
        name = _NAMES.by_id[id(self.graph)][id(self)]
        nameless = name.startswith((VALUE, RESULT))
        copy = "np.array(...)" if nameless else f"{name} = np.array({name})"
        raise ContainerMutationError(
            f"{'this' if nameless else repr(name)} is a NumPy array that another name, a list or "
            "a view shows, too, on some path, and is changed in place where it is a tensor of its "
            f"own: copy it first, as in {copy}",
            user_place(),
        )

    __iadd__ = __isub__ = __imul__ = __itruediv__ = __ifloordiv__ = __imod__ = refuse
    __ipow__ = __imatmul__ = __iand__ = __ior__ = __ixor__ = __ilshift__ = __irshift__ = refuse


SharedArray.__name__ = rt.SymbolicTensor.__name__


def shared_names(slots: Slots, values: tuple[object, ...] | None = None) -> dict[int, str]:
    """Return the variables that hold an array which something else refers to as well.

    Args:
        slots: the variables of a statement.
        values: what they hold now; by default what they held before.

    Returns:
        Their names by their positions.
    """
    held = slots.initial if values is None else values
    return {at: name for at, name in enumerate(slots.names) if _is_shared(held, at)}


def mark_shared(tensors: Sequence[object], shared: Mapping[int, str]) -> None:
    """Let the tensors that stand for shared arrays refuse to be changed in place."""
    for at, name in shared.items():
        tensor = tensors[at]
        if type(tensor) is rt.SymbolicTensor:
            tensor.__class__ = SharedArray
            _NAMES.get_or_put(tensor.graph, {})[id(tensor)] = name


def _is_shared(values: tuple[object, ...], at: int) -> bool:
    if not isinstance(values[at], np.ndarray):
        return isinstance(values[at], SharedArray)
    # The variable itself is one; what else refers to it is of the statements around this one.
    if _references(values, at) - _BY_ASKING - 1 > _count_of_ours(values[at], values):
        return True
    base = getattr(values[at], "base", None)
    if base is None:
        return False
    held = (base,)
    del base
    # Its view is one.
    return _references(held, 0) - _BY_ASKING - 1 > _count_of_ours(held[0], held)


def _references(values: tuple[object, ...], at: int) -> int:
    return sys.getrefcount(values[at])


_BY_ASKING = _references((object(),), 0)


def _count_of_ours(value: object, besides: object) -> int:
    """Return how often what we have noted refers to a value, apart from one tuple."""
    noted = sum(isinstance(each, Opaque) for each in gc.get_referrers(value))
    # Kept, so that no two have the same identity.
    holders = {id(holder): holder for holder in _holders()}
    held = (item for holder in holders.values() if holder is not besides for item in holder)
    # One is the argument of this function.
    return noted + sum(item is value for item in held) - 1


def _holders() -> Iterator[Any]:
    """Yield what holds values for our functions, or in the notes of the statements around."""
    for each in gc.get_objects():
        if type(each) is Slots:
            yield each.initial
            yield each._initial
        elif type(each) is Watched:
            yield list(each.contents.values())
        elif type(each) is Seeds:
            yield each
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if is_internal_frame(frame):
            yield list(frame.f_locals.values())
        frame = frame.f_back
