"""The formats of exported programs: a registry."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from runtime.core.lazy_imports import lazy_import
from runtime.export.report import ExportReport


class Format(NamedTuple):
    """A format of exported programs.

    Attributes:
        name: its name.
        write: writes an `ExportedProgram` to a path, and returns the report.
    """

    name: str
    write: Callable[..., ExportReport]

    @staticmethod
    def of(graph: Graph) -> Signature:
        """Return a signature of a graph with the names of its own parameters.

        >>> Signature.of(Graph("f"))
        Signature(name='f', graph=<Graph 'f': 0 inputs, 0 nodes, 0 outputs>, inputs=(), outputs=())
        """
        inputs = tuple([each.node.name for each in graph.parameters])
        outputs = tuple([f"output_{number}" for number in range(len(graph.outputs))])
        return Signature(graph.name, graph, inputs, outputs)


FORMATS: Mapping[str, Format] = {
    "saved_model": Format(
        "saved_model", lazy_import("runtime.export.saved_model.writer:write_saved_model")
    ),
}
