"""Variables that traced code makes for objects of its own: a metric, a layer, an optimizer.

m = rt.nn.metrics.Mean()      ->    %total = new_variable(%zero)
m.update_state(x)                   assign_add_variable(%total, ...)

Each run of the graph makes them anew, as each call of the plain function does. Where something
outlives the call that holds them, the trace serves that call alone: the next one finds them, or is
refused, as where it makes a Variable itself.
"""

from __future__ import annotations

import gc
import weakref
from collections.abc import Collection
from contextvars import ContextVar, Token
from typing import Any

from runtime.context import Origin, caller_origin
from runtime.errors import VariableCreationError
from runtime.graph.capture import Capture
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.state import ASSIGN_VARIABLE, NEW_VARIABLE
from runtime.records import dataclass
from runtime.tensor import EagerTensor, SymbolicTensor


@dataclass(frozen=True, eq=False)
class Made:
    """One variable that was made.

    Attributes:
        variable: refers to it, as long as somebody else holds it.
        handle: what it is in the graph that it was made in.
        origin: the user's line.
        name: the variable's.
    """

    variable: weakref.ref[Any]
    handle: SymbolicTensor
    origin: Origin | None
    name: str

    @property
    def is_inside(self) -> bool:
        """Whether that graph is a branch or the body of a loop."""
        return self.handle.graph.outer is not None


class OwnVariables:
    """Notes the variables that are made while a function is traced.

    Attributes:
        kept: those that outlive a call, by the nodes that made them.
        lines: the lines that have made one which calls cannot make anew.
    """

    def __init__(self) -> None:
        self._made: list[Made] = []
        self.kept: dict[Node, Any] = {}
        self.lines: set[Origin | None] = set()

    def __enter__(self) -> OwnVariables:
        self._token: Token[OwnVariables | None] = _NOTING.set(self)
        return self

    def __exit__(self, *error: object) -> None:
        _NOTING.reset(self._token)

    def add(self, graph: Any, variable: Any) -> None:
        """Have each run make a variable at the point that the trace has come to."""
        if graph.runs_by_fetches:
            return
        dims = variable.shape.as_list() if variable.shape.rank is not None else None
        first = EagerTensor(variable._array)
        shape = None if dims is None else tuple(dims)
        name = variable.handle_name
        (handle,) = graph.record(NEW_VARIABLE, (first,), {"shape": shape}, name=name)
        home = handle.graph
        home._given[id(variable)] = Capture(variable, handle)
        home._outer_of[id(handle)] = variable
        self._made.append(Made(weakref.ref(variable), handle, caller_origin(), name))

    def has(self, variable: object) -> bool:
        """Tell whether a variable is one of these."""
        return any(each.variable() is variable for each in self._made)

    def settle(self, graph: Graph, has_drawn: bool) -> None:
        """Find out what becomes of the variables.

        Args:
            graph: what was traced.
            has_drawn: whether first values may be random numbers, which other calls would not draw.

        Raises:
            VariableCreationError: one that is kept, or random, was made by a branch or a loop, or
                at a line that has made one before.
        """
        if not self._made:
            return
        _let_go(self._made)
        here = set(map(id, graph.nodes))
        for each in self._made:
            variable = each.variable()
            if variable is None and not has_drawn:
                continue
            if each.is_inside:
                raise _refused_inside(each)
            if id(each.handle.node) not in here:
                continue
            if each.origin in graph.closed_lines:
                raise _refused_again(each, graph.name)
            self.lines |= {each.origin} - {None}
            if variable is not None:
                self.kept[each.handle.node] = variable


_NOTING: ContextVar[OwnVariables | None] = ContextVar("own_variables", default=None)


def makes(graph: Any, variable: Any) -> None:
    """Note a variable that was made beside a graph, if a function is traced."""
    noting = _NOTING.get()
    if noting is not None:
        noting.add(graph, variable)


def stores(graph: Any, variable: Any) -> None:
    """Have each run give a variable that it has made the value that it was given beside a graph."""
    noting = _NOTING.get()
    if noting is not None and noting.has(variable):
        graph.record(ASSIGN_VARIABLE, (variable, EagerTensor(variable._array)), {})


def _let_go(made: Collection[Made]) -> None:
    """Let the variables be gone that only graphs hold."""
    for each in made:
        home, variable = each.handle.graph, each.variable()
        home._given.pop(id(variable), None)
        home._outer_of.pop(id(each.handle), None)
    del variable
    gc.collect()


def _refused_inside(made: Made) -> VariableCreationError:
    return VariableCreationError(
        f"the variable '{made.name}' is made by a branch or loop that is staged, and kept by "
        "something that is not: make what holds it outside of the function, or before the "
        "statement and only if there is none yet",
        made.origin,
    )


def _refused_again(made: Made, name: str) -> VariableCreationError:
    return VariableCreationError(
        f"'{name}' makes the variable '{made.name}' again at a line that has made one in an "
        "earlier call, and a graph makes none that is kept, or that begins with random numbers: "
        "make what holds it in the first call only, as after `if self.layer is None:`, or outside "
        "of the function",
        made.origin,
    )
