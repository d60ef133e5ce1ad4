"""Variable arguments of traced functions: one trace for all variables of a kind.

def step(v):                    graph step(%v: variable float32[]) {
    v.assign_add(1.0)     ->      assign_add_variable(%v, %constant)
                                }

While the function is traced, a placeholder variable stands for the argument; it is an input of the
graph. If the function depends on the identity of the variable, the trace serves that one alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from autograph.backends.graph.state.reachability import Reach
from autograph.functions.arguments.trace_key import Key
from autograph.functions.effect_analysis.reached_objects import reach_into
from runtime.graph.graph import Graph
from runtime.state.variable import Variable


class _AllVariables(frozenset[int]):
    def __contains__(self, identity: object) -> bool:
        return True

    def __bool__(self) -> bool:
        return True


# The identities of all variables matter.
ALL: Collection[int] = _AllVariables()


class IdentityMatters(Exception):
    """A traced function depends on the identity of a variable among its arguments."""


class PlaceholderVariables:
    """The placeholders for variables among the arguments, while one function is traced.

    Args:
        graph: the graph whose inputs they are.
        specialized_variables: the identities of the variables that get no placeholders.
    """

    def __init__(self, graph: Graph, specialized_variables: Collection[int]) -> None:
        self._graph = graph
        self._specialized = specialized_variables
        self._made: dict[int, Variable] = {}
        self._is_identified = False

    def placeholder_for(self, variable: Variable, path: str) -> Variable:
        """Add an input for a variable to the graph; return its placeholder, or itself."""
        if id(variable) in self._specialized:
            self._graph.add_input(variable.handle_spec, path)
            return variable
        made = self._made.get(id(variable))
        if made is None:
            made = self._made[id(variable)] = Variable.placeholder_for(variable, self._identified)
        self._graph.add_handle(made, path)
        return made

    @property
    def identities(self) -> Collection[int]:
        """The identities of the placeholders."""
        return {id(each) for each in self._made.values()}

    def check(self, is_left: bool) -> None:
        """Raise IdentityMatters if the function has used the identity of a placeholder.

        Args:
            is_left: whether the function has stored a placeholder in state.
        """
        if self._made and (self._is_identified or is_left):
            raise IdentityMatters

    def _identified(self) -> None:
        self._is_identified = True


def variables_in(objects: Iterable[object]) -> list[Variable]:
    """Return the variables among the objects of a key."""
    return [each for each in objects if isinstance(each, Variable)]


def reached_variables(python_function: Any) -> frozenset[int]:
    """Return the identities of the variables that a function reaches without its arguments.

    If one of them is an argument, too, `v is self.v` and `v in self.variables` must hold.
    """
    with Graph("reach").recording():
        reach = Reach([], sees_opaque=False)
        reach_into(reach, python_function)
    parts = (part for each in reach for part in each.contents.values())
    return frozenset(id(part) for part in parts if isinstance(part, Variable))


def identities_of(variables: Iterable[Variable], specialized: Collection[int]) -> Key:
    """Return for each variable its identity if it is in `specialized`, else 0."""
    different = dict.fromkeys(map(id, variables))
    return tuple([each if each in specialized else 0 for each in different])


def as_objects(key: Key, variables: Iterable[Variable]) -> Key:
    """Return a key with the identities of variables in place of their specs.

    Args:
        key: any key.
        variables: its variables, in order.
    """
    return _as_objects(key, iter(variables))


def _as_objects(key: Any, variables: Any) -> Any:
    if not isinstance(key, tuple) or not key:
        return key
    if key[0] == "variable" and len(key) == 4:
        return ("object", id(next(variables)))
    if isinstance(key[-1], tuple):
        return (*key[:-1], tuple(_as_objects(part, variables) for part in key[-1]))
    return key
