"""Export of graphs in the formats of other projects."""

from __future__ import annotations

from runtime.export.graphdef.messages import GraphDef as GraphDef
from runtime.export.graphdef.to_graphdef import graph_def as graph_def
from runtime.export.graphdef.to_graphdef import shown_graph_def as shown_graph_def
