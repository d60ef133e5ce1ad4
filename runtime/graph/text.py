"""The readable text of a graph: one line per node, regions indented; deterministic.

    graph f(%x: int32[2]) {
      %constant = constant() {value=1: int32} : int32
      %add = add(%x, %constant) : int32[2]
      return %add
    }

A value is written `%node`, or `%node:1` for the second result of a node. The inputs of a region are
its parameters, then its captures, each with its outer value: `%x: int32 = %x`. Called graphs
(`function_call`) are printed once each, after the calling graph.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from runtime.core.context import Origin
from runtime.core.dtypes import DType
from runtime.core.source_names import line_name
from runtime.core.spec import TensorSpec
from runtime.core.tensor import EagerTensor, SymbolicTensor, Tensor
from runtime.graph.callee import CalledGraph, called_graphs, names_of
from runtime.graph.capture import Capture, Outer
from runtime.graph.graph import Graph
from runtime.graph.node import Node

REGION_NAMES = {"cond": ("then", "else"), "while_loop": ("test", "body")}
MAX_VALUE_LENGTH = 60
# The names of called graphs, by identity.
Names = Mapping[int, str]


class BareWord(str):
    """A text that is printed without quotes."""

    __slots__ = ()


def graph_text(graph: Graph, origins: bool = False) -> str:
    """Return `graph` as text; with `origins`, node lines end with the user's `# file.py:12`.

    >>> import autograph.runtime as rt
    >>> graph = rt.Graph("double")
    >>> x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
    >>> with graph.recording():
    ...     graph.set_outputs([x + x])
    >>> print(graph_text(graph), end="")
    graph double(%x: int32) {
      %add = add(%x, %x) : int32
      return %add
    }
    """
    called = called_graphs(graph)
    names = names_of(called, graph.name)
    programs = [(graph, graph.name), *((each.graph, names[id(each.graph)]) for each in called)]
    return "\n".join(_program_text(each, name, names, origins) for each, name in programs)


def _program_text(graph: Graph, name: str, names: Names, origins: bool) -> str:
    lines = [f"graph {name}({_signature(graph)}) {{"]
    lines += _body_lines(graph, "  ", names, origins)
    lines.append("}")
    return "\n".join(map(in_one_line, lines)) + "\n"


def in_one_line(text: str) -> str:
    """Return a text whose names contain no line breaks and no terminal control characters.

    >>> in_one_line("%x\\x1b[31m = add()")
    '%x\\\\x1b[31m = add()'
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)


def spec_text(spec: TensorSpec) -> str:
    """Return dtype and shape in short: `float32`, `int32[2, ?]`, `bool[*]` for an unknown rank."""
    if spec.shape.rank is None:
        return f"{spec.dtype.name}[*]"
    if spec.shape.rank == 0:
        return spec.dtype.name
    dims = ", ".join("?" if dim is None else str(dim) for dim in spec.shape.as_list())
    return f"{spec.dtype.name}[{dims}]"


def type_text(tensor: SymbolicTensor) -> str:
    """Return the spec of a value, marked if the value stands for a Python number or a variable."""
    kind = getattr(tensor.spec, "kind", "")
    words = [kind, "weak" if tensor.weak else "", spec_text(tensor.spec)]
    return " ".join(word for word in words if word)


def value_name(tensor: SymbolicTensor) -> str:
    """Return `node`, or `node:index` for other results than the first."""
    return f"{tensor.node.name}:{tensor.index}" if tensor.index else tensor.node.name


def region_names(node: Node) -> Sequence[str]:
    """Return a label for each region of `node`, such as `then`, `test`, `try` or `branch 0`."""
    if node.op.name in REGION_NAMES:
        return REGION_NAMES[node.op.name]
    if node.op.name == "recursion":
        return [region.name for region in node.regions]
    if node.op.name == "try_except":
        return ["try", *(f"except {_kinds_text(kinds)}" for kinds in node.attrs["kinds"])]  # type: ignore[attr-defined]
    return [f"branch {number}" for number in range(len(node.regions))]


def _kinds_text(kinds: Sequence[type]) -> str:
    return " or ".join(kind.__name__ for kind in kinds)


def location_text(origin: Origin) -> str:
    """Return `file.py:12`, or a cell's line; without folders, it depends on no machine."""
    return line_name(origin.filename, origin.line, folders=False)


def attrs_text(attrs: Mapping[str, object]) -> str:
    """Return attributes as `name=value, ...`, sorted by name, without None, False and ()."""
    shown = sorted((name, value) for name, value in attrs.items() if not _is_unset(value))
    return ", ".join(f"{name}={_attr_text(value)}" for name, value in shown)


def outer_text(value: Outer) -> str:
    """Return a capture's outer value: `%x`, or a description of an eager tensor or a variable."""
    if isinstance(value, SymbolicTensor):
        return f"%{value_name(value)}"
    if isinstance(value, EagerTensor):
        return f"eager {_attr_text(value.numpy())}"
    return f"variable {value.handle_name}" if not isinstance(value, Tensor) else "eager"


def _signature(graph: Graph) -> str:
    inputs = [f"%{value_name(tensor)}: {type_text(tensor)}" for tensor in graph.parameters]
    return ", ".join([*inputs, *map(_capture_text, graph.captures)])


def _capture_text(capture: Capture) -> str:
    return f"%{value_name(capture.inner)}: {type_text(capture.inner)} = {outer_text(capture.outer)}"


def _body_lines(graph: Graph, indent: str, names: Names, origins: bool) -> list[str]:
    lines: list[str] = []
    for node in graph.nodes:
        lines.append(indent + _node_text(node, names, origins))
        for word, region in zip(region_names(node), node.regions, strict=True):
            lines.append(f"{indent}  {word}({_signature(region)}):")
            lines += _body_lines(region, indent + "    ", names, origins)
    returned = ", ".join(f"%{value_name(tensor)}" for tensor in graph.outputs)
    lines.append(f"{indent}return {returned}".rstrip())
    return lines


def _node_text(node: Node, names: Names, origins: bool) -> str:
    results = ", ".join(f"%{value_name(tensor)}" for tensor in node.outputs)
    operands = ", ".join(f"%{value_name(tensor)}" for tensor in node.inputs)
    attrs = attrs_text({key: _named(value, names) for key, value in node.attrs.items()})
    before = ", ".join(f"%{earlier.name}" for earlier in node.control)
    parts = [
        f"{results or '%' + node.name} = {node.op.name}({operands})",
        f" {{{attrs}}}" if attrs else "",
        f" : {', '.join(map(type_text, node.outputs))}" if node.outputs else "",
        f" after {before}" if before else "",
        f"  # {location_text(node.origin)}" if origins and node.origin else "",
    ]
    return "".join(parts)


def _named(value: object, names: Names) -> object:
    """Return an attribute's value; for a called graph, its name in this text."""
    return BareWord(names[id(value.graph)]) if isinstance(value, CalledGraph) else value


def _is_unset(value: object) -> bool:
    return value is None or value is False or (isinstance(value, tuple) and not value)


def _attr_text(value: object) -> str:
    if isinstance(value, TensorSpec):
        text = spec_text(value)
    elif isinstance(value, DType):
        text = value.name
    elif isinstance(value, np.ndarray):
        text = repr(value.tolist())
    elif isinstance(value, tuple):
        comma = "," if len(value) == 1 else ""
        text = f"({', '.join(map(_attr_text, value))}{comma})"
    elif callable(value) and hasattr(value, "__name__"):
        text = value.__name__
    elif type(value) is BareWord:
        text = str(value)
    elif isinstance(value, (str, int, float, complex, bytes)):
        text = repr(value)
    else:
        text = str(value)
    return text if len(text) <= MAX_VALUE_LENGTH else text[: MAX_VALUE_LENGTH - 3] + "..."
