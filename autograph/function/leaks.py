"""Tensors of a graph that are left where no call of the graph could put a value instead.

    globals()["total"] = x     the module has a variable that no code names
    logger.last = x            an object of a library, whose attributes are its own affair

Such a place is given back what it held, and the user told of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from autograph.backends.graph.contents import Globals
from autograph.backends.graph.reach import Reach
from autograph.function.templates import LeakError
from runtime.tensor import SymbolicTensor

Namespace = dict[str, Any]


def left_behind(reach: Reach, modules: Iterable[tuple[Namespace, Namespace]]) -> list[str]:
    """Give back what a trace has put into modules and objects of libraries, as it ends.

    Args:
        reach: what the code could reach.
        modules: the variables of modules, each with what they were.

    Returns:
        The places that held a tensor of the graph, as the user writes them.
    """
    named: dict[int, set[str]] = {}
    for each in reach:
        if type(each.value) is Globals:
            named.setdefault(id(each.value.namespace), set()).update(each.value.names)
    pairs = [(str(now.get("__name__")), now, before) for now, before in modules]
    found = []
    for name, now, before in (*pairs, *reach.unwatched):
        known = named.get(id(now), ())
        left = [k for k, v in list(now.items()) if type(v) is SymbolicTensor and k not in known]
        for key in left:
            found.append(f"{name}.{key}")
            if key in before:
                now[key] = before[key]
            else:
                del now[key]
    return found


def refuse_left_behind(places: Sequence[str]) -> None:
    """Refuse a trace that has left tensors of its graph somewhere.

    Raises:
        LeakError: there is such a place.
    """
    if places:
        raise LeakError(
            f"'{places[0]}' is left holding a tensor of the graph, which has a value only while "
            "the graph runs: assign it by name, as in `global total; total = x`, or return it"
        )
