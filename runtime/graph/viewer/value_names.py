"""The names of values for a reader of the user's source.

Parameters of regions are named after the user's variables, with a number if a graph has the name
already, or stand for something that the conversion made: the flag of a `break`, the position of a
loop. A value without a name is called by its op.
"""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from runtime.core.context import Origin
from runtime.core.fork_safety import cached_property
from runtime.core.tensor import SymbolicTensor, Tensor
from runtime.graph.callee import called_graphs
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.graph.text import attrs_text, spec_text

# Names that the conversion and library loops give to inputs of regions.
_MADE = {
    "break": "break taken",
    "caught": "exception",
    "continue": "continue taken",
    "do_return": "return taken",
    "loop_var": "loop variable",
    "retval": "returned value",
    "take": "yielded",
}
_OPERATORS: Mapping[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Div: "divide",
    ast.FloorDiv: "floordiv",
    ast.MatMult: "matmul",
    ast.Mod: "floormod",
    ast.Mult: "multiply",
    ast.Pow: "pow",
    ast.Sub: "subtract",
}
_DESCRIBED = "the_value_of_"
_NUMBERED = re.compile(r"(.+?)_(\d+)")
_ITEM = re.compile(r"(.+?)_(\d+)__(.+)")
_WORD = re.compile(r"[^\W\d]\w*")
_PLACE = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*|\[[^\[\]]{1,40}\])+")


class ValueNames:
    """The names of all inputs and loop variables in a graph, its regions and the graphs it calls.

    >>> import autograph.runtime as rt
    >>> graph = rt.Graph("f")
    >>> x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
    >>> names = ValueNames(graph)
    >>> names.of(x), names.title(x)
    ('x', 'x')
    """

    def __init__(self, graph: Graph) -> None:
        self._names: dict[int, str] = {}
        self._graph = graph
        self._assigned: dict[int, str] = {}
        for each in (graph, *(called.graph for called in called_graphs(graph))):
            self._add_graph(each)

    def of(self, tensor: SymbolicTensor) -> str:
        """Return the name of a value, "" if it has none."""
        return self._names.get(id(tensor)) or self._assigned.get(id(tensor), "")

    def assigned(self, node: Node) -> str:
        """Return the variable that the user's line assigns the result of a node to, or ""."""
        return self._assigned.get(id(node.outputs[0]), "") if len(node.outputs) == 1 else ""

    def title(self, tensor: SymbolicTensor) -> str:
        """Return the name of a value, or its op."""
        return self.of(tensor) or tensor.node.op.name

    @cached_property
    def _places(self) -> Mapping[str, str]:
        """The names and places, such as `box.last`, in the files whose lines recorded the nodes.

        The key of a place is its name as an input of a graph: `box_last`.
        """
        called = (called.graph for called in called_graphs(self._graph))
        nodes = (node for graph in (self._graph, *called) for node in graph.walk())
        files = {node.origin.filename for node in nodes if node.origin}
        lines = [line for file in sorted(files) for line in linecache.getlines(file)]
        places = (place for line in lines for place in _PLACE.findall(line))
        words = (word for line in lines for word in _WORD.findall(line))
        found = {re.sub(r"\W", "_", place).strip("_"): place for place in places}
        return {**found, **{word: word for word in words}}

    def _add_graph(self, graph: Graph) -> None:
        self._add_inputs(graph, None)
        for node in graph.walk():
            for region in node.regions:
                self._add_inputs(region, node)
            if node.op.name == "while_loop":
                self._add_loop(node)
            elif node.regions:
                self._pass_inward(node)

    def _add_inputs(self, graph: Graph, owner: Node | None) -> None:
        self._assigned.update(assignments(graph.nodes))
        names = [each.node.name for each in graph.parameters]
        shown = self._distinct([self._cleaned(name, names) for name in names])
        self._names.update(zip(map(id, graph.parameters), shown))
        if owner is not None and owner.op.name == "while_loop":
            self._name_flags(graph, owner)
            self._name_range_item(graph, names, owner)
        for outer, inner in graph.captures:
            self._names[id(inner)] = self._captured(outer)

    def _captured(self, outer: object) -> str:
        if isinstance(outer, SymbolicTensor):
            is_constant = outer.node.op.name == "constant"
            return constant_title(outer.node) if is_constant else self.title(outer)
        if isinstance(outer, Tensor):
            return f"captured {spec_text(outer.spec)}"
        return str(getattr(outer, "handle_name", "captured"))

    def _cleaned(self, name: str, beside: Iterable[str]) -> str:
        """Return a parameter's name as the user writes it."""
        if name.startswith(_DESCRIBED):
            words = _without_number(name).removeprefix(_DESCRIBED)
            return re.sub("^(this|these|the)_", "", words).replace("_", " ")
        if name in self._places:
            return self._places[name]
        item = _ITEM.fullmatch(name)
        if item and item[1] in self._places:
            return f"{self._places[item[1]]}[{item[2]}].{item[3]}"
        base = _without_number(name)
        if made := _made_name(base.rstrip("_")):
            return made
        if base == name or base not in self._places:
            return name
        written = self._places[base]
        return written if base in beside else f"{written}[{name[len(base) + 1 :]}]"

    def _distinct(self, names: list[str]) -> list[str]:
        """Number the names that the conversion made, if there are several of one kind."""
        return [
            f"{name} {names[: at + 1].count(name)}"
            if names.count(name) > 1 and name not in self._places.values()
            else name
            for at, name in enumerate(names)
        ]

    def _name_flags(self, region: Graph, loop: Node) -> None:
        exits = loop.attrs["exits"]
        assert isinstance(exits, tuple)
        for position, kind in exits:
            self._names[id(region.parameters[position])] = f"{kind} taken"

    def _name_range_item(self, region: Graph, names: list[str], loop: Node) -> None:
        """Give the position of a loop over `range` the name of the loop's variable."""
        hidden = [at for at, name in enumerate(names) if _without_number(name) == "hidden"]
        target = _range_target(loop.origin)
        if target and len(hidden) == 1 and names[hidden[0]] not in self._places:
            self._names[id(region.parameters[hidden[0]])] = target

    def _add_loop(self, loop: Node) -> None:
        body = loop.regions[1]
        for parameter, output, after in zip(body.parameters, loop.outputs, body.outputs):
            self._names[id(output)] = self.of(parameter)
            self._name_result(after, self.of(parameter))

    def _pass_inward(self, node: Node) -> None:
        """Name the results of branches that become a named result of a statement."""
        for region in node.regions:
            for inner, output in zip(region.outputs, node.outputs):
                self._name_result(inner, self.of(output))

    def _name_result(self, tensor: SymbolicTensor, name: str) -> None:
        """Name a result of a statement after the variable that it becomes."""
        if name and tensor.node.regions:
            self._names.setdefault(id(tensor), name)


def assignments(nodes: Sequence[Node]) -> Iterator[tuple[int, str]]:
    """Yield the results of nodes that a line such as `y = rt.exp(x)` assigns to a variable.

    The last node of a line is its result if its op is the outermost call or operator: earlier ones
    may be arguments, as both additions of `y = f(x + 1) + 1` are nodes of the line.

    >>> list(assignments([]))
    []
    """
    last = {node.origin: node for node in nodes}
    for origin, node in last.items():
        target, op = _assignment(statement_of(origin))
        if target and node.op.name == op and len(node.outputs) == 1:
            yield id(node.outputs[0]), target


@lru_cache(maxsize=4096)
def _assignment(line: str) -> tuple[str, str]:
    """Return the variable that a line assigns to, and the op of the assigned expression."""
    for statement in _parsed(line) if "=" in line else ():
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            return _identifier(statement.targets[0]), _op_of(statement.value)
        if isinstance(statement, ast.AugAssign):
            return _identifier(statement.target), _OPERATORS.get(type(statement.op), "")
    return "", ""


def _identifier(target: ast.expr) -> str:
    return target.id if isinstance(target, ast.Name) else ""


def _op_of(value: ast.expr) -> str:
    if isinstance(value, ast.BinOp):
        return _OPERATORS.get(type(value.op), "")
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        return "" if _identifier(value.func.value) == "self" else value.func.attr
    return ""


def statement_of(origin: Origin | None) -> str:
    """Return the text of the user's line, without a comment's or a block's end; "" if unknown.

    >>> statement_of(None)
    ''
    """
    if origin is None or not origin.line:
        return ""
    return origin.line_text().rstrip(":").rstrip()


def constant_title(node: Node) -> str:
    """Return the value of a constant's node in short.

    >>> import autograph.runtime as rt
    >>> graph = rt.Graph("f")
    >>> with graph.recording():
    ...     _ = rt.constant(2.5)
    >>> constant_title(graph.nodes[0])
    '2.5'
    """
    return attrs_text(node.attrs).removeprefix("value=").rpartition(": ")[0]


def _made_name(base: str) -> str:
    """Return the description of a name that the conversion made, also after a function's."""
    if base in _MADE:
        return _MADE[base]
    ends = [end for end in _MADE if base.endswith(f"_{end}")]
    return f"{_MADE[ends[0]]} in {base.removesuffix(f'_{ends[0]}')}" if ends else ""


def _without_number(name: str) -> str:
    found = _NUMBERED.fullmatch(name)
    return found[1] if found else name


def _range_target(origin: Origin | None) -> str:
    """Return `i` for a line `for i in range(...):`, "" for any other line."""
    for loop in _parsed(f"{statement_of(origin)}: pass"):
        if isinstance(loop, ast.For) and isinstance(loop.target, ast.Name):
            call = loop.iter
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "range":
                return loop.target.id
    return ""


def _parsed(text: str) -> Iterator[ast.stmt]:
    try:
        yield from ast.parse(text).body
    except SyntaxError:
        return
