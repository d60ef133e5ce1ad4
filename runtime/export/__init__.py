"""Graphs in the formats of others."""

from __future__ import annotations

from runtime.export.graphdef import GraphDef as GraphDef
from runtime.export.lowering import graph_def as graph_def
from runtime.graph.graph import Graph

# The graph is on a lower floor than its forms; so the method comes to it from here.
Graph.as_graph_def = graph_def  # type: ignore[assignment, method-assign]
