"""Lists a function beside its converted form, the stages of a call, and a graph after each pass.

def relu(x):        | def tf__relu(x):
    if x > 0:       |     ...
        return x    |             retval_ = ag__.ld(x)

Every converted line has the number of its source line.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os.path import basename
from typing import Any, Generic, TypeVar

from autograph.cli.highlighting import graph_in_colours, python_in_colours
from autograph.cli.terminal import Style
from autograph.conversion.convert import compiled_code
from autograph.conversion.explanation import definition_lines
from autograph.conversion.to_code import code_text
from autograph.converters.pipeline import convert_function
from autograph.functions.function import Function
from autograph.options import ConversionOptions
from autograph.syntax import FunctionSource, source_of, walk
from runtime.executors.compile_options import compile_options_of
from runtime.graph.callee import called_graphs
from runtime.graph.graph import Graph
from runtime.passes.manager import DEFAULT, optimize, select_passes

Names = Mapping[str, object]
F = TypeVar("F")


@dataclass(frozen=True)
class Listing:
    """Source and converted code of one function.

    Attributes:
        source: the lines of the source.
        first_line: the number of the first line in the user's file.
        converted: the lines of the converted form.
        origins: the number of the source line of each converted line.
        filename: the name of the user's file, without folders.
    """

    source: tuple[str, ...]
    first_line: int
    converted: tuple[str, ...]
    origins: tuple[int, ...]
    filename: str = ""

    @property
    def code(self) -> str:
        """The converted form as text."""
        return "\n".join(self.converted)

    @property
    def source_text(self) -> str:
        """The source as text."""
        return "\n".join(self.source)

    def rows(self) -> Iterator[tuple[str, str]]:
        """Yield pairs of lines: each source line is beside its first converted line."""
        shown = 0
        for line, origin in zip(self.converted, self.origins):
            wanted = min(origin - self.first_line + 1, len(self.source))
            while shown < wanted - 1:
                yield self.source[shown], ""
                shown += 1
            if shown < wanted:
                yield self.source[shown], line
                shown += 1
            else:
                yield "", line
        for line in self.source[shown:]:
            yield line, ""


def listing_of(python_function: Any) -> Listing:
    """Convert a function, and return its listing.

    Raises:
        SourceError: the source cannot be found.
        ConversionError: it cannot be converted.
    """
    trees: list[Any] = []

    def keep(source: FunctionSource, options: ConversionOptions, names: Names) -> Any:
        trees.append(convert_function(source, options, names))
        return trees[-1]

    text = code_text(python_function, ConversionOptions(user_requested=True), keep)
    converted = tuple(text.rstrip("\n").split("\n"))
    source = source_of(python_function)
    first, lines = definition_lines(source)
    origins = _origins(text, len(converted), trees[0], first)
    return Listing(lines, first, converted, origins, basename(source.filename))


def _origins(text: str, count: int, tree: Any, first: int) -> tuple[int, ...]:
    """Return the source line of each printed line: that of the statement that it is part of."""
    starts = dict(_statement_lines(text, tree))
    origins = []
    current = first
    for number in range(1, count + 1):
        current = starts.get(number, current)
        origins.append(current)
    return tuple(origins)


def _statement_lines(text: str, tree: Any) -> Iterator[tuple[int, int]]:
    """Yield the printed line and the source line of each statement."""
    printed = [node for node in _in_order(ast.parse(text)) if isinstance(node, ast.stmt)]
    made = [node for node in walk(tree) if hasattr(node, "lineno") and _is_statement(node)]
    if len(printed) != len(made):
        return
    for shown, node in zip(printed, made):
        yield shown.lineno, node.lineno


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        yield child
        yield from _in_order(child)


def _is_statement(node: Any) -> bool:
    return any(base.__name__ == "stmt" for base in type(node).__mro__)


# -- the stages of a call --------------------------------------------------------------------------


class Stages:
    """The stages of a call, from the source to the result.

    Args:
        function: the called function.
        python_function: its Python function.
    """

    def __init__(self, function: Function, python_function: Callable[..., Any]) -> None:
        self._function = function
        self._python_function = python_function

    def show(self, args: Sequence[Any], kwargs: Mapping[str, Any], style: Style) -> Any:
        """Print every form of a call's function, then the result, and return it."""
        listing = listing_of(self._python_function)
        _section(style, "source", python_in_colours(listing.source_text, style))
        _section(style, "converted code", python_in_colours(listing.code, style))
        compiled = compiled_code(self._python_function).rstrip()
        _section(style, "compiled code", python_in_colours(compiled, style))
        concrete = self._function.get_concrete_function(*args, **kwargs)
        _section(style, "trace key", concrete.call_text())
        _section(style, "graph", _graph_section(concrete.graph, style))
        _section(style, "optimized graph", _graph_section(concrete.optimized_graph, style))
        printed = concrete.executable.source.rstrip()
        _section(style, "function that runs", python_in_colours(printed, style))
        result = self._function(*args, **kwargs)
        _section(style, "result", str(result))
        return result


def _graph_section(graph: Graph, style: Style) -> str:
    return graph_in_colours(graph.as_text(origins=True).rstrip(), style)


def _section(style: Style, title: str, text: str) -> None:
    print(style.heading(title))
    print(f"{text}\n")


# -- the graph after each pass ---------------------------------------------------------------------


@dataclass(frozen=True)
class GraphAfterPass(Generic[F]):
    """A graph after a pass that changed it.

    Attributes:
        name: the name of the pass, or `traced`.
        size: its number of nodes.
        text: its text.
        form: what `form` of `passes_of` returned for it.
    """

    name: str
    size: int
    text: str
    form: F

    @property
    def nodes(self) -> str:
        """The number of its nodes as text."""
        return f"{self.size} node" if self.size == 1 else f"{self.size} nodes"


@dataclass(frozen=True)
class GraphPasses(Generic[F]):
    """The graphs after the passes that changed something, and remarks about the other passes."""

    shown: list[GraphAfterPass[F]]
    remarks: list[str]


def passes_of(graph: Graph, form: Callable[[Graph, str], F]) -> GraphPasses[F]:
    """Run the passes of a graph, and return the graph after each pass that changes its text.

    Args:
        graph: the graph as traced; it is not changed.
        form: returns another form of a graph with this name; passes change it later.
    """
    shown: list[GraphAfterPass[F]] = []

    def note(name: str, better: Graph) -> None:
        text = better.as_text(origins=True)
        if not shown or text != shown[-1].text:
            shown.append(GraphAfterPass(name, _size(better), text, form(better, name)))

    note("traced", graph)
    passes = select_passes(compile_options_of(graph).passes)
    optimize(graph, passes, watch=note, checked=True)
    names = {each.name for each in shown}
    idle = [each.name for each in passes if each.name not in names]
    remarks = [f"changed nothing: {', '.join(idle) or 'none'}"]
    left_out = [each.name for each in DEFAULT if each not in passes]
    if left_out:
        remarks.append(f"switched off by passes=: {', '.join(left_out)}")
    return GraphPasses(shown, remarks)


def passes_text(graph: Graph, style: Style) -> Iterator[str]:
    """Yield the text of a graph after each pass that changes it, with the number of its nodes.

    Args:
        graph: the graph as traced; it is not changed.
        style: the style of the headings.
    """
    passes: GraphPasses[None] = passes_of(graph, lambda better, name: None)
    before = ""
    for each in passes.shown:
        yield style.heading(f"{each.name}: {before}{each.nodes}")
        yield graph_in_colours(each.text, style)
        before = f"{each.size} -> "
    yield from passes.remarks


def _size(graph: Graph) -> int:
    graphs = [graph, *[each.graph for each in called_graphs(graph)]]
    return sum(1 for each in graphs for _ in each.walk())
