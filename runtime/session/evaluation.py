"""`eval()` of tensors and variables, and `run()` of nodes, in the default session."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import shown
from runtime.core.context import current_recorder
from runtime.core.lazy_imports import own_names
from runtime.core.name_scopes import name_scope
from runtime.errors import ArgumentValueError
from runtime.graph.fetches import FetchGroup
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.effects.ordering import control_dependencies, device
from runtime.session.initializer import get_collection, variables_initializer
from runtime.session.session import Session, get_default_session
from runtime.state.variable import Variable


def _session(given: Any) -> Session:
    session = get_default_session() if given is None else given
    if session is None:
        raise ArgumentValueError(
            "eval and run need a session: write `with Session(graph=graph):` around it, or "
            "session.run(tensor); a value that is computed at once has .numpy()"
        )
    if not isinstance(session, Session):
        raise ArgumentValueError(f"session must be a Session, not {shown(session)}")
    return session


def evaluate(self: Any, feed_dict: Any = None, session: object = None) -> Any:
    """Return the value of a tensor in a session, by default in the current one."""
    return _session(session).run(self, feed_dict)


def evaluate_variable(self: Variable, session: object = None) -> Any:
    """Return the value of a variable in a session, by default in the current one."""
    return _session(session).run(self)


def run(self: Any, feed_dict: Any = None, session: object = None) -> None:
    """Run a node in a session, by default in the current one."""
    _session(session).run(self, feed_dict)


def initializer(self: Variable) -> FetchGroup:
    """Return the operation that initializes a variable in a session."""
    if getattr(current_recorder(), "fetch_state", None) is None:
        raise AttributeError("initializer")
    return variables_initializer([self], f"{self.name.partition(':')[0]}/Assign")


def variable_node(self: Variable) -> Node:
    """Return the node of a variable in the current graph."""
    graph: Any = current_recorder()
    if getattr(graph, "fetch_state", None) is None:
        raise AttributeError("op")
    node: Node = graph.capture(self).node
    return node


def as_graph_element(
    self: Graph, obj: Any, allow_tensor: bool = True, allow_operation: bool = True
) -> Any:
    """Return the tensor called `x:0`, the node called `x`, or the argument itself."""
    name = getattr(obj, "name", obj)
    return self.get_tensor_by_name(name) if ":" in name else self.get_operation_by_name(name)


def graph_control_dependencies(self: Graph, control_inputs: Any) -> Any:
    """Return a context manager inside which nodes of this graph wait for others."""
    with self.as_default():
        return control_dependencies(control_inputs)


def graph_collection(self: Graph, name: str, scope: str | None = None) -> list[Any]:
    """Return the items of a collection of this graph."""
    with self.as_default():
        return get_collection(name, scope)


def graph_device(self: Graph, device_name_or_function: Any) -> Any:
    """Return a context manager without effect: there is one device."""
    return device(device_name_or_function)


def graph_name_scope(self: Graph, name: str) -> name_scope:
    """Return a context manager that prefixes the names of nodes and variables."""
    return name_scope(name)


def finalize(self: Graph) -> None:
    """Do nothing: a graph may grow while sessions run it."""


__dir__ = own_names(__name__)
