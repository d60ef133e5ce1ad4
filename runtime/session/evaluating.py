"""What tensors, variables and nodes of a graph do with the session around: eval() and run()."""

from __future__ import annotations

from typing import Any

from runtime.context import current_recorder
from runtime.errors import ArgumentValueError
from runtime.graph.fetched import Group
from runtime.graph.node import Node
from runtime.session.initializer import variables_initializer
from runtime.session.session import Session, get_default_session
from runtime.settings import shown
from runtime.tensor import SymbolicTensor
from runtime.variable import Variable


def _session(given: Any) -> Session:
    session = get_default_session() if given is None else given
    if session is None:
        raise ArgumentValueError(
            "there is no session around: write `with Session(graph=graph):` around it, or "
            "session.run(tensor); a value that is computed at once has .numpy()"
        )
    if not isinstance(session, Session):
        raise ArgumentValueError(f"the session that runs it is a Session, not {shown(session)}")
    return session


def _eval(self: Any, feed_dict: Any = None, session: Any = None) -> Any:
    """Return the value it has in a session; by default in the one around."""
    return _session(session).run(self, feed_dict)


def _eval_variable(self: Variable, session: Any = None) -> Any:
    """Return the value the variable has in a session; by default in the one around."""
    return _session(session).run(self)


def _run(self: Any, feed_dict: Any = None, session: Any = None) -> None:
    """Run it in a session; by default in the one around."""
    _session(session).run(self, feed_dict)


def _initializer(self: Variable) -> Group:
    """What gives the variable its first value in a session."""
    if getattr(current_recorder(), "fetched", None) is None:
        raise AttributeError("initializer")
    return variables_initializer([self], f"{self.name.partition(':')[0]}/Assign")


def _op(self: Variable) -> Node:
    """The node of the graph that stands for the variable."""
    graph: Any = current_recorder()
    if getattr(graph, "fetched", None) is None:
        raise AttributeError("op")
    node: Node = graph.capture(self).node
    return node


def install() -> None:
    """Give tensors, variables and nodes what asks a session for them."""
    SymbolicTensor.eval = _eval  # type: ignore[attr-defined]
    Variable.eval = _eval_variable  # type: ignore[attr-defined]
    Variable.op = property(_op)  # type: ignore[attr-defined]
    Variable.initializer = property(_initializer)  # type: ignore[attr-defined]
    Node.run = Group.run = _run  # type: ignore[attr-defined]


install()
