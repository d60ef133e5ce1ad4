"""Graphs the old way: written down first, then run by a session for what one asks for.

    with rt.Graph().as_default() as graph:
        x = rt.session.placeholder(rt.float32, (None,), "x")
        y = x * 2
    with rt.session.Session(graph=graph) as session:
        session.run(y, {x: [1.0, 2.0]})

Python's own control flow is not converted in such graphs; `autograph.convert` does that.
"""

from __future__ import annotations

from runtime.session.default import disable_eager_execution as disable_eager_execution
from runtime.session.default import get_default_graph as get_default_graph
from runtime.session.default import placeholder as placeholder
from runtime.session.initializer import global_variables as global_variables
from runtime.session.initializer import (
    global_variables_initializer as global_variables_initializer,
)
from runtime.session.initializer import variables_initializer as variables_initializer
from runtime.session.session import Session as Session
