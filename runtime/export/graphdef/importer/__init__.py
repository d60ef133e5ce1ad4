"""The import of TensorFlow's GraphDefs: of nodes, and of functions of a library."""

from __future__ import annotations

from runtime.export.graphdef.importer.graph_import import function_graphs as function_graphs
from runtime.export.graphdef.importer.graph_import import graph_between as graph_between
from runtime.export.graphdef.importer.graph_import import import_graph_def as import_graph_def
