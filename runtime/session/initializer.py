"""Initializers of graph variables in a session."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from runtime.core.name_scopes import scoped
from runtime.core.tensor import TensorLike
from runtime.graph.fetches import FetchGroup
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.constant import constant
from runtime.ops.effects.variables import ASSIGN_VARIABLE
from runtime.session.default_graph import get_default_graph
from runtime.state.variable import Variable


def global_variables(scope: str | None = None) -> list[Variable]:
    """Return the variables of the current graph.

    Args:
        scope: a regular expression for the beginning of their names; None for all.

    >>> with Graph().as_default():
    ...     v, w = Variable(1.0, name="v"), Variable(2.0, name="w")
    ...     [each.name for each in global_variables("w")]
    ['w:0']
    """
    found = (reference() for reference in get_default_graph().created_variables)
    made = [each for each in found if isinstance(each, Variable)]
    return [each for each in made if scope is None or re.match(scope, each.name)]


def trainable_variables(scope: str | None = None) -> list[Variable]:
    """Return the trainable variables of the current graph.

    Args:
        scope: a regular expression for the beginning of their names; None for all.

    >>> with Graph().as_default():
    ...     v, n = Variable(1.0, name="v"), Variable(0, trainable=False, name="n")
    ...     [each.name for each in trainable_variables()]
    ['v:0']
    """
    return [each for each in global_variables(scope) if each.trainable]


def global_variables_initializer() -> FetchGroup:
    """Return the operation that initializes all variables of the current graph.

    An initial value, even a random one, is computed once, when the variable is created.

    >>> import autograph.runtime as rt
    >>> with Graph().as_default(), rt.session.Session() as session:
    ...     v = Variable(3.0)
    ...     session.run(global_variables_initializer())
    ...     float(session.run(v))
    3.0
    """
    return variables_initializer(global_variables())


def no_initializer() -> FetchGroup:
    """Return an empty operation: there are no local variables and no tables here.

    >>> import autograph.runtime as rt
    >>> with Graph().as_default(), rt.session.Session() as session:
    ...     session.run(no_initializer())
    """
    return variables_initializer([])


def variables_initializer(var_list: Iterable[Variable], name: str = "init") -> FetchGroup:
    """Return the operation that initializes variables.

    Args:
        var_list: variables of the current graph.
        name: the name of the operation.

    >>> import autograph.runtime as rt
    >>> with Graph().as_default(), rt.session.Session() as session:
    ...     v = Variable([1, 2])
    ...     session.run(variables_initializer([v]))
    ...     session.run(v).tolist()
    [1, 2]
    """
    graph = get_default_graph()
    assignments = [_assignment(graph, each) for each in var_list]
    if graph.fetch_state is None:
        return FetchGroup(graph, assignments, name)
    return graph.fetch_state.group(assignments, scoped(name))


def _assignment(graph: Graph, variable: Variable) -> Node:
    first = constant(variable._array)
    graph.record(ASSIGN_VARIABLE, (variable, first), {})  # type: ignore[arg-type]
    return graph.nodes[-1]


class GraphKeys:
    """The names of the predefined collections of graphs.

    >>> GraphKeys.TRAINABLE_VARIABLES
    'trainable_variables'
    """

    GLOBAL_VARIABLES = "variables"
    TRAINABLE_VARIABLES = "trainable_variables"
    LOSSES = "losses"
    SUMMARIES = "summaries"
    TRAIN_OP = "train_op"
    UPDATE_OPS = "update_ops"
    REGULARIZATION_LOSSES = "regularization_losses"
    GLOBAL_STEP = "global_step"


def add_to_collection(name: str, value: TensorLike) -> None:
    """Add a value to a collection of the current graph.

    >>> with Graph().as_default():
    ...     add_to_collection("mine", 3)
    ...     get_collection("mine")
    [3]
    """
    fetch_state = get_default_graph().fetch_state
    if fetch_state is not None:
        fetch_state.collections.setdefault(name, []).append(value)


def get_collection(key: str, scope: str | None = None) -> list[Any]:
    """Return the items of a collection of the current graph; two hold its variables.

    Args:
        key: its name, such as those of GraphKeys.
        scope: a regular expression for the beginning of names; None for all.

    >>> with Graph().as_default():
    ...     v = Variable(1.0, name="v")
    ...     [each.name for each in get_collection(GraphKeys.GLOBAL_VARIABLES)]
    ['v:0']
    """
    if key == GraphKeys.GLOBAL_VARIABLES:
        return global_variables(scope)
    if key == GraphKeys.TRAINABLE_VARIABLES:
        return trainable_variables(scope)
    fetch_state = get_default_graph().fetch_state
    found = [] if fetch_state is None else fetch_state.collections.get(key, [])
    return [each for each in found if scope is None or re.match(scope, getattr(each, "name", ""))]
