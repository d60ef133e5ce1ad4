"""Detects changes of lists, dicts, arrays and other arguments of a traced function.

A trace runs the Python function once, so `d["a"] = x + 1` would change the caller's dict in the
first call and in no later one. The function gets copies of its arguments and must not change them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from autograph.backends.graph.source.source_location import SourceLocation
from autograph.conversion.rules import function_behind
from autograph.errors import ArgumentMutationError, TraceEffectWarning
from autograph.functions.effect_analysis.state_uses import line_of_change
from runtime import nest
from runtime.core.source_names import warn_at
from runtime.core.tensor import SymbolicTensor
from runtime.graph.graph import Graph
from runtime.graph.node import Node


class ArgumentWatch:
    """The arguments of one traced call, with their contents before it.

    Args:
        arguments: the parameters' names, with the function's arguments.
    """

    def __init__(self, arguments: Iterable[tuple[str, object]]) -> None:
        self._before = [(name, value, _items(value)) for name, value in arguments]

    def check(self, function_name: str, python_function: Callable[..., object]) -> None:
        """Raise an ArgumentMutationError if the function has changed an argument.

        Args:
            function_name: the name of the function, with its parameters, for the error.
            python_function: the user's callable, in which the line of the change is searched.
        """
        changed = [name for name, value, before in self._before if _differ(before, _items(value))]
        if not changed:
            return
        names = ", ".join(repr(name) for name in changed)
        noun = "argument" if len(changed) == 1 else "arguments"
        first = next(value for name, value, _ in self._before if name == changed[0])
        copied = type(first).__name__ if _is_flat(first) else "copy.deepcopy"
        raise ArgumentMutationError(
            f"{function_name} changes its {noun} {names}; "
            f"change a copy: {changed[0]} = {copied}({changed[0]})",
            _place(python_function, changed[0]),
        )


def _place(python_function: Callable[..., object], name: str) -> SourceLocation | None:
    """Return the location of a change of a parameter's value, or else of the function's `def`."""
    function = function_behind(python_function)
    if function is None:
        return None
    code = function.__code__
    line = line_of_change(code, name) or code.co_firstlineno
    return SourceLocation(code.co_filename, line, code.co_name)


def _is_flat(value: Any) -> bool:
    """Return whether a value is a list, dict or set in which a shallow copy shares no container."""
    if type(value) not in (list, dict, set):
        return False
    parts = value.values() if isinstance(value, dict) else value
    return not any(nest.is_nested(part) for part in parts)


def _items(value: Any) -> list[object]:
    """Return the containers and leaves of a structure, and the keys of dicts, in order."""
    if isinstance(value, set):
        return [value, *value]
    if not nest.is_nested(value):
        return [value]
    listed: list[object] = [value]
    if isinstance(value, dict):
        listed.extend(value)
        parts: Iterable[Any] = value.values()
    elif isinstance(value, (list, tuple)):
        parts = value
    else:
        parts = _fields(value)
    for part in parts:
        listed.extend(_items(part))
    return listed


def _fields(value: Any) -> Iterable[Any]:
    return vars(value).values() if hasattr(value, "__dict__") else nest.flatten(value)


def _differ(before: list[object], after: list[object]) -> bool:
    return len(before) != len(after) or any(a is not b for a, b in zip(before, after))


# -- views -----------------------------------------------------------------------------------------


# The ops of NumPy's views; `gather` is one if its index is a number.
_VIEWS = frozenset("strided_slice gather transpose reshape expand_dims squeeze".split())


def warn_of_changed_views(graph: Graph, arrays: Iterable[SymbolicTensor]) -> None:
    """Warn of items that are assigned to parts of array arguments which are read afterwards.

    After `row = grid[0]`, NumPy's `row[0] = 7.0` changes the grid, too; the graph makes a new row.

    Args:
        graph: the graph of a trace, with all its nodes.
        arrays: its inputs that stand for NumPy arrays.
    """
    sources = {id(each): each for each in arrays}
    for position, node in enumerate(graph.nodes) if sources else ():
        for change, array in _changes(node, sources):
            if _is_read(array, graph, graph.nodes[position:]):
                name = array.node.name
                message = (
                    f"an item is assigned to a view or another name of the NumPy array '{name}', "
                    f"and the graph would not change '{name}': assign to '{name}' itself, as in "
                    f"{name}[i, j] = v"
                )
                warn_at(change.origin, message, TraceEffectWarning)


def _changes(
    node: Node, sources: dict[int, SymbolicTensor]
) -> Iterator[tuple[Node, SymbolicTensor]]:
    """Yield the nodes that assign items of views, with the arrays; add views to `sources`."""
    array = sources.get(id(node.inputs[0])) if node.inputs else None
    if array is not None and node.op.name == "set_item":
        yield node, array
    elif array is not None and _is_view(node):
        sources[id(node.outputs[0])] = array
    for region in node.regions:
        # Captures are last, in both.
        pairs = zip(reversed(region.inputs), reversed(node.inputs))
        inside = {id(own): sources[id(each)] for own, each in pairs if id(each) in sources}
        for inner in region.nodes if inside else ():
            yield from _changes(inner, inside)


def _is_view(node: Node) -> bool:
    return node.op.name in _VIEWS and (node.op.name != "gather" or node.inputs[1].shape.rank == 0)


def _is_read(array: SymbolicTensor, graph: Graph, nodes: Sequence[Node]) -> bool:
    """Return whether an array is a result, or read after the first of some nodes.

    A later `array[i] = view` puts the changed view back.
    """
    changed = {id(each) for each in nodes[0].outputs}
    for node in nodes[1:]:
        if any(each is array for each in node.inputs):
            is_back = node.op.name == "set_item" and id(node.inputs[1]) in changed
            return not is_back
        if any(id(each) in changed for each in node.inputs):
            changed.update(map(id, node.outputs))
    return any(each is array for each in graph.outputs)
