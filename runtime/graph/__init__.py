"""Graphs: recording, control flow, effects, checking, and readable forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes
from runtime.graph.verify import verify as verify

if TYPE_CHECKING:
    from runtime.graph.capture import Capture as Capture
    from runtime.graph.control_flow import record_cond as record_cond
    from runtime.graph.control_flow import record_switch as record_switch
    from runtime.graph.control_flow import record_while as record_while
    from runtime.graph.dot import graph_dot as graph_dot
    from runtime.graph.graph import Graph as Graph
    from runtime.graph.html_page import graph_page as graph_page
    from runtime.graph.node import Node as Node
    from runtime.graph.structured_control_flow import cond as cond
    from runtime.graph.structured_control_flow import switch_case as switch_case
    from runtime.graph.structured_control_flow import while_loop as while_loop
    from runtime.graph.text import graph_text as graph_text
else:
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__,
        {
            "runtime.graph.capture": "Capture",
            "runtime.graph.control_flow": "record_cond record_switch record_while",
            "runtime.graph.dot": "graph_dot",
            "runtime.graph.graph": "Graph",
            "runtime.graph.node": "Node",
            "runtime.graph.html_page": "graph_page",
            "runtime.graph.structured_control_flow": "cond switch_case while_loop",
            "runtime.graph.text": "graph_text",
        },
    )
