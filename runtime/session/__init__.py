"""Graphs in TensorFlow 1 style: written first, then run by a session for its fetches.

    with rt.Graph().as_default() as graph:
        x = rt.session.placeholder(rt.float32, (None,), "x")
        y = x * 2
    with rt.session.Session(graph=graph) as session:
        session.run(y, {x: [1.0, 2.0]})

Python's own control flow is not converted in such graphs; `autograph.convert` does that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from runtime.session import evaluation as evaluation
    from runtime.session import optimizers as optimizers
    from runtime.session.assignment import assign as assign
    from runtime.session.assignment import assign_add as assign_add
    from runtime.session.assignment import assign_sub as assign_sub
    from runtime.session.assignment import get_global_step as get_global_step
    from runtime.session.assignment import get_or_create_global_step as get_or_create_global_step
    from runtime.session.default_graph import disable_eager_execution as disable_eager_execution
    from runtime.session.default_graph import get_default_graph as get_default_graph
    from runtime.session.default_graph import placeholder as placeholder
    from runtime.session.default_graph import placeholder_with_default as placeholder_with_default
    from runtime.session.default_graph import reset_default_graph as reset_default_graph
    from runtime.session.initializer import GraphKeys as GraphKeys
    from runtime.session.initializer import add_to_collection as add_to_collection
    from runtime.session.initializer import get_collection as get_collection
    from runtime.session.initializer import global_variables as global_variables
    from runtime.session.initializer import (
        global_variables_initializer as global_variables_initializer,
    )
    from runtime.session.initializer import no_initializer as no_initializer
    from runtime.session.initializer import trainable_variables as trainable_variables
    from runtime.session.initializer import variables_initializer as variables_initializer
    from runtime.session.named_variables import AUTO_REUSE as AUTO_REUSE
    from runtime.session.named_variables import VariableScope as VariableScope
    from runtime.session.named_variables import get_variable as get_variable
    from runtime.session.named_variables import get_variable_scope as get_variable_scope
    from runtime.session.named_variables import variable_scope as variable_scope
    from runtime.session.saver import Saver as Saver
    from runtime.session.session import ConfigProto as ConfigProto
    from runtime.session.session import InteractiveSession as InteractiveSession
    from runtime.session.session import Session as Session
    from runtime.session.session import get_default_session as get_default_session
else:
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__,
        {
            "runtime.session": "evaluation optimizers",
            "runtime.session.assignment": (
                "assign assign_add assign_sub get_global_step get_or_create_global_step"
            ),
            "runtime.session.default_graph": (
                "disable_eager_execution get_default_graph placeholder "
                "placeholder_with_default reset_default_graph"
            ),
            "runtime.session.initializer": (
                "GraphKeys add_to_collection get_collection global_variables "
                "global_variables_initializer no_initializer trainable_variables "
                "variables_initializer"
            ),
            "runtime.session.named_variables": (
                "AUTO_REUSE VariableScope get_variable get_variable_scope variable_scope"
            ),
            "runtime.session.saver": "Saver",
            "runtime.session.session": "ConfigProto InteractiveSession Session get_default_session",
        },
    )
