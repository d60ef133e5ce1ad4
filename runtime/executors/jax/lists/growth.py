"""Growth of lists in loops: the number of items that an iteration appends.

    for row in x:                  one or two more in each iteration
        out.append(row)
        if c: out.append(-row)

With the number of iterations it gives the capacity that a list needs, also in a program to export.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple


class ListGrowth(NamedTuple):
    """A loop variable that is a list to which iterations only append.

    Attributes:
        at: the number of the loop variable.
        least: the least number of items that an iteration appends.
        most: the largest number.
        nodes: the nodes that append them.
    """

    at: int
    least: int
    most: int
    nodes: frozenset[Any]


def growths(body: Any) -> Iterator[ListGrowth]:
    """Yield the lists that an iteration appends to."""
    for at, result in enumerate(body.outputs):
        found = _appended(result) if result.dtype.is_variant else None
        if found is not None and found.source is body.parameters[at] and found.nodes:
            yield ListGrowth(at, found.least, found.most, found.nodes)


class _Appended(NamedTuple):
    """A list expressed as another one with items appended.

    Attributes:
        source: the list before, an input of the graph.
    """

    source: Any
    least: int
    most: int
    nodes: frozenset[Any]


def _appended(tensor: Any) -> _Appended | None:
    """Return a list as an input of its graph with more items; None if it is no such list."""
    node = tensor.node
    if node.op.name == "placeholder":
        return _Appended(tensor, 0, 0, frozenset())
    if node.op.name in ("cond", "switch_case"):
        return _append_on_paths(node, next(at for at, x in enumerate(node.outputs) if x is tensor))
    more = _more(node)
    before = None if more is None else _appended(node.inputs[0])
    if more is None or before is None:
        return None
    nodes = before.nodes | {node} if more else before.nodes
    return _Appended(before.source, before.least + more, before.most + more, nodes)


def _more(node: Any) -> int | None:
    """Return the number of items that a node appends; None if it does something else."""
    if node.op.name == "list_append":
        return 1
    if node.op.name == "list_set":
        return 0
    if node.op.name == "list_extend" and node.inputs[1].node.op.name == "list_of":
        made = node.inputs[1].node
        return len(made.inputs) // made.attrs["width"] if made.inputs else 0
    return None


def _append_on_paths(node: Any, position: int) -> _Appended | None:
    """Return the list that branches leave, all of which begin with the same one."""
    paths = []
    for region in node.regions:
        inside = _appended(region.outputs[position])
        own = len(node.inputs) - len(region.captures)
        outer = {id(held.inner): at for at, held in enumerate(region.captures, own)}
        if inside is None or id(inside.source) not in outer:
            return None
        before = _appended(node.inputs[outer[id(inside.source)]])
        if before is None:
            return None
        least, most = before.least + inside.least, before.most + inside.most
        paths.append(_Appended(before.source, least, most, before.nodes | inside.nodes))
    if any(path.source is not paths[0].source for path in paths):
        return None
    nodes = frozenset().union(*(path.nodes for path in paths))
    least, most = min(path.least for path in paths), max(path.most for path in paths)
    return _Appended(paths[0].source, least, most, nodes)
