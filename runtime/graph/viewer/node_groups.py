"""Nodes of a graph in groups, so that a large graph opens as a few boxes.

A group contains neighbours in recording order, so that groups depend on each other without cycles:
nodes of one name scope; in a long list also nodes of one source line, and then runs of lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import ceil, log
from typing import NamedTuple, TypeAlias

from runtime.graph.node import Node
from runtime.graph.text import location_text
from runtime.graph.viewer.value_names import statement_of

# A taller list of boxes does not fit on a screen.
MOST_ITEMS = 12


class NodeGroup(NamedTuple):
    """Neighbouring nodes under one title.

    Attributes:
        kind: `scope`, `line`, or `lines`.
        title: the scope, the text of the line, or the scopes or lines of a run.
        items: the nodes and groups inside.
    """

    kind: str
    title: str
    items: tuple[Item, ...]


Item: TypeAlias = "Node | NodeGroup"


def grouped(nodes: Sequence[Node]) -> tuple[Item, ...]:
    """Return nodes with groups in place of those that belong together.

    >>> import autograph.runtime as rt
    >>> graph = rt.Graph("f")
    >>> with graph.recording(), rt.name_scope("layer"):
    ...     _ = rt.constant(1.0) + rt.constant(2.0)
    >>> [each.title for each in grouped(graph.nodes)]
    ['layer']
    """
    return tuple(_by_scope([(_scopes(node), node) for node in nodes]))


def nodes_of(item: Item) -> Iterator[Node]:
    """Yield the nodes of an item in order."""
    if isinstance(item, Node):
        yield item
        return
    for each in item.items:
        yield from nodes_of(each)


def _scopes(node: Node) -> tuple[str, ...]:
    """Return the name scopes around a node; names of sessions are paths in the same form."""
    return tuple(node.label.split("/")[:-1])


def _by_scope(rows: Sequence[tuple[tuple[str, ...], Node]]) -> list[Item]:
    items: list[Item] = []
    for scope, run in groupby(rows, lambda row: row[0][:1]):
        members = list(run)
        if not scope:
            items += [node for _, node in members]
            continue
        inner = _by_scope([(path[1:], node) for path, node in members])
        items += inner if len(members) == 1 else [_scope_group(scope[0], inner)]
    return _shortened(items)


def _scope_group(title: str, items: Sequence[Item]) -> NodeGroup:
    """Return a group for a scope; a scope that holds only another one is joined with it."""
    only = items[0]
    if len(items) == 1 and isinstance(only, NodeGroup) and only.kind == "scope":
        return only._replace(title=f"{title}/{only.title}")
    return NodeGroup("scope", title, tuple(items))


def _shortened(items: list[Item]) -> list[Item]:
    if height(items) <= MOST_ITEMS:
        return items
    lines = {line for line in map(_line_of, items) if line}
    return _in_runs(_by_line(items) if len(lines) > 1 else items)


def height(items: Sequence[Item]) -> int:
    """Return the number of items that may take a row each: constants stand beside their users.

    >>> height([])
    0
    """
    return sum(1 for each in items if isinstance(each, NodeGroup) or each.op.name != "constant")


def _by_line(items: Sequence[Item]) -> list[Item]:
    """Group neighbours of one source line; boxes with an inside of their own stay apart."""
    found: list[Item] = []
    for line, run in groupby(items, _line_of):
        members = tuple(run)
        is_group = line is not None and 1 < len(members) < len(items)
        if line and is_group:
            found.append(NodeGroup("line", line[1], tuple(_in_runs([*members]))))
        else:
            found += members
    return found


def _line_of(item: Item) -> tuple[str, str] | None:
    if isinstance(item, NodeGroup) or item.regions or item.origin is None:
        return None
    place = location_text(item.origin)
    return place, statement_of(item.origin) or place


def _in_runs(items: list[Item]) -> list[Item]:
    """Group a long list in runs, until it is short; a few loops and branches stay apart."""
    runs = [(apart, list(run)) for apart, run in groupby(items, _has_regions)]
    between = sum(1 for apart, _ in runs if not apart)
    room = MOST_ITEMS - sum(len(run) for apart, run in runs if apart)
    if height(items) <= MOST_ITEMS or len(runs) == 1 or room < between:
        return _in_equal_runs(items)
    most, found = room // between, list[Item]()
    for apart, run in runs:
        if apart or height(run) <= most:
            found += run
        else:
            size = ceil(len(run) / most)
            found += _titled([run[at : at + size] for at in range(0, len(run), size)])
    return found


def _has_regions(item: Item) -> bool:
    return isinstance(item, Node) and bool(item.regions)


def _in_equal_runs(items: list[Item]) -> list[Item]:
    levels = ceil(log(max(height(items), 2), MOST_ITEMS))
    size = max(2, ceil(len(items) ** (1 / levels)))
    while height(items) > MOST_ITEMS:
        items = _titled([items[at : at + size] for at in range(0, len(items), size)])
    return items


def _titled(parts: Sequence[list[Item]]) -> list[Item]:
    """Return a group for each part that has several items."""
    texts = list(map(_title_of_run, parts))
    return [
        part[0]
        if len(part) == 1
        else NodeGroup("lines", _numbered(texts, at), tuple(_in_runs(part)))
        for at, part in enumerate(parts)
    ]


def _numbered(texts: Sequence[str], at: int) -> str:
    """Return a text with its number among equal ones."""
    count = texts.count(texts[at])
    return (
        texts[at] if count == 1 else f"{texts[at]}, {texts[: at + 1].count(texts[at])} of {count}"
    )


def _title_of_run(items: Sequence[Item]) -> str:
    """Return the scopes, or the source lines, that a run of items covers."""
    scopes = [x.title for x in items if isinstance(x, NodeGroup) and x.kind == "scope"]
    if len(scopes) > 1:
        return f"{scopes[0]} to {scopes[-1]}"
    origins = [node.origin for item in items for node in nodes_of(item) if node.origin]
    lines = sorted({each.line for each in origins if each.line})
    if not lines or len({each.filename for each in origins}) > 1:
        return "nodes of several files" if lines else "nodes"
    return f"line {lines[0]}" if len(lines) == 1 else f"lines {lines[0]}-{lines[-1]}"
