"""Finds unconverted code that reaches a container whose contents only the graph has."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from types import FunctionType, MethodType

import numpy as np

from autograph.backends.graph.program.arrays import root_of
from autograph.backends.graph.program.object_contents import is_a
from autograph.conversion.wrappers import wrapped_by
from autograph.functions.results.object_templates import ATOMS, parts_inside

_MOST_LOOKED_AT = 10_000


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
