"""Variable arguments of traced functions: one trace for all variables of a kind.

def step(v):                    graph step(%v: variable float32[]) {
    v.assign_add(1.0)     ->      assign_add_variable(%v, %constant)
                                }

While the function is traced, a variable without a value stands for the one that is given, and is
an input of the graph. Where it matters which variable it is, the trace serves that one alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from autograph.backends.graph.state.reachability import Reach
from autograph.function.reachability_roots import reach_into
from autograph.function.trace_key import Key
from runtime.graph.graph import Graph
from runtime.state.variable import Variable


class _AllVariables(frozenset[int]):
    def __contains__(self, identity: object) -> bool:
        return True

    def __bool__(self) -> bool:
        return True


# Of all variables it matters which ones they are.
ALL: Collection[int] = _AllVariables()


class IdentityMatters(Exception):
    """A traced function depends on the identity of a variable among its arguments."""


class PlaceholderVariables:
    """The variables that stand for those given, while one function is traced.

    Args:
        graph: takes them as inputs.
        specialized_variables: the identities of those that are used as they are.
    """

    def __init__(self, graph: Graph, specialized_variables: Collection[int]) -> None:
        self._graph = graph
        self._specialized = specialized_variables
        self._made: dict[int, Variable] = {}
        self._is_identified = False

    def given(self, variable: Variable, path: str) -> Variable:
        """Return the placeholder for a variable, as the next input of the graph."""
        if id(variable) in self._specialized:
            self._graph.add_input(variable.handle_spec, path)
            return variable
        made = self._made.get(id(variable))
        if made is None:
            made = self._made[id(variable)] = Variable.standing_in(variable, self._identified)
        self._graph.add_handle(made, path)
        return made

    @property
    def identities(self) -> Collection[int]:
        """The identities of the variables that stand for others."""
        return {id(each) for each in self._made.values()}

    def check(self, is_left: bool) -> None:
        """Raise IdentityMatters if the function has asked which variable one is, or has kept one.

        Args:
            is_left: whether one of them is left somewhere.
        """
        if self._made and (self._is_identified or is_left):
            raise IdentityMatters

    def _identified(self) -> None:
        self._is_identified = True


def variables_in(objects: Iterable[object]) -> list[Variable]:
    """Return the variables among what counts by identity in a key."""
    return [each for each in objects if isinstance(each, Variable)]


def reached_variables(python_function: Any) -> frozenset[int]:
    """Return the identities of the variables that a function comes to by itself.

    Given one of them, `v is self.v` and `v in self.variables` have to be what they are in Python.
    """
    with Graph("reach").recording():
        reach = Reach([], sees_opaque=False)
        reach_into(reach, python_function)
    parts = (part for each in reach for part in each.contents.values())
    return frozenset(id(part) for part in parts if isinstance(part, Variable))


def identities_of(variables: Iterable[Variable], told: Collection[int]) -> Key:
    """Return of each variable its identity, if it is among those told apart, else 0."""
    different = dict.fromkeys(map(id, variables))
    return tuple([each if each in told else 0 for each in different])


def as_objects(key: Key, variables: Iterable[Variable]) -> Key:
    """Return a key in which variables count by identity.

    Args:
        key: any key.
        variables: those it was made of, in order.
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
