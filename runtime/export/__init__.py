"""Export of graphs in the formats of other projects, and import of GraphDefs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from runtime.export.graphdef.importer import import_graph_def as import_graph_def
    from runtime.export.graphdef.messages import GraphDef as GraphDef
    from runtime.export.graphdef.to_graphdef import graph_def as graph_def
    from runtime.export.graphdef.to_graphdef import shown_graph_def as shown_graph_def
else:
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__,
        {
            "runtime.export.graphdef.importer": "import_graph_def",
            "runtime.export.graphdef.messages": "GraphDef",
            "runtime.export.graphdef.to_graphdef": "graph_def shown_graph_def",
        },
    )
