"""Variables that traced code creates for its objects: metrics, layers, optimizers.

m = rt.nn.metrics.Mean()      ->    %total = new_variable(%zero)
m.update_state(x)                   assign_add_variable(%total, ...)

Each run of the graph creates them, as each call of the plain function does. If an object that holds
them outlives the call, the trace serves that call alone: the next call finds the variables, or is
refused, as if the function itself created a Variable.
"""

from __future__ import annotations

import gc
import weakref
from collections.abc import Collection
from contextvars import ContextVar, Token
from typing import Any, NamedTuple

from autograph.backends.graph.state.reachability import TIMES, Reach
from runtime.core.context import Origin, caller_origin
from runtime.core.tensor import EagerTensor, SymbolicTensor
from runtime.errors import VariableCreationError
from runtime.graph.capture import Capture
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.effects.variables import ASSIGN_VARIABLE, NEW_VARIABLE


class CreatedVariable(NamedTuple):
    """One variable that was created in a trace.

    Attributes:
        variable: a weak reference to it.
        handle: its handle in the graph that creates it.
        origin: the user's line.
        name: its name.
        has_owner: whether the trace has recorded where its owner was created.
        is_inside: whether it was created in a branch or the body of a loop.
    """

    variable: weakref.ref[Any]
    handle: SymbolicTensor
    origin: Origin | None
    name: str
    has_owner: bool
    is_inside: bool

    @property
    def is_replaceable(self) -> bool:
        """True if each run can create it, if no object outside keeps it."""
        return self.has_owner or not self.is_inside

    @property
    def is_used(self) -> bool:
        """True if the graph reads or changes it."""
        return any(self.handle is each for node in self.handle.graph.nodes for each in node.inputs)


class CreationSite(NamedTuple):
    """The graph and time in which an object was created that creates variables later.

    Attributes:
        owner: a weak reference to the object.
        graph: the graph that creates its variables: the one around it if it is in a branch.
        is_inside: whether it was created in a branch or the body of a loop.
        time: the number of its creation, from `TIMES`.
    """

    owner: weakref.ref[Any]
    graph: Graph
    is_inside: bool
    time: int


class OwnVariables:
    """Records the variables that are created while a function is traced.

    Attributes:
        kept: the variables that outlive the call, by the nodes that create them.
        lines: the lines of variables that later calls may not create again.
    """

    def __init__(self) -> None:
        self._made: list[CreatedVariable] = []
        self._random: set[int] = set()
        self._sites: dict[int, CreationSite] = {}
        self.kept: dict[Node, Any] = {}
        self.lines: set[Origin | None] = set()

    def __enter__(self) -> OwnVariables:
        self._token: Token[OwnVariables | None] = _NOTING.set(self)
        return self

    def __exit__(self, *error: object) -> None:
        _NOTING.reset(self._token)

    def add_creation_site(self, graph: Any, owner: object) -> None:
        """Record the creation of an object that creates variables later."""
        around, is_inside = _around_branches(graph), graph.outer is not None
        self._sites[id(owner)] = CreationSite(weakref.ref(owner), around, is_inside, next(TIMES))

    def creation_graph(self, graph: Any, owner: object) -> Any:
        """Return the graph that an object was created in, if it is around `graph`; else None."""
        site = self._site_of(owner)
        while graph is not None and (site is None or graph is not site.graph):
            graph = graph.outer
        return graph

    def creation_time(self, owner: object) -> int | None:
        """Return the time when an object was created; None if it is from before the trace."""
        site = self._site_of(owner)
        return None if site is None else site.time

    def _site_of(self, owner: object) -> CreationSite | None:
        site = self._sites.get(id(owner))
        return site if site is not None and site.owner() is owner else None

    def add(self, graph: Any, variable: Any, owner: object) -> None:
        """Record a node that creates a variable, in the graph of its owner or else in `graph`.

        A variable that its owner creates in a loop so lives from iteration to iteration.
        """
        if graph.runs_by_fetches:
            return
        dims = variable.shape.as_list() if variable.shape.rank is not None else None
        first = EagerTensor(variable._array)
        shape = None if dims is None else tuple(dims)
        name = variable.handle_name
        made_in, site = self.creation_graph(graph, owner), self._site_of(owner)
        around = _around_branches(graph) if made_in is None else made_in
        is_inside = graph.outer is not None if made_in is None or site is None else site.is_inside
        (handle,) = around.record(NEW_VARIABLE, (first,), {"shape": shape}, name=name)
        handle.graph._handle_captures[id(variable)] = Capture(variable, handle)
        handle.graph._outer_of[id(handle)] = variable
        has_owner = made_in is not None
        self._made.append(
            CreatedVariable(
                weakref.ref(variable),
                handle,
                caller_origin(),
                name,
                has_owner,
                is_inside,
            )
        )

    def mark_random(self, variable: object) -> None:
        """Record that the initial value of a variable has random numbers of its own."""
        made = self.of(variable)
        if made is not None:
            self._random.add(id(made.handle))

    def of(self, variable: object) -> CreatedVariable | None:
        """Return the record of a variable; None if there is none."""
        return next((each for each in self._made if each.variable() is variable), None)

    def decide_lifetimes(self, graph: Graph, is_random: bool, reach: Reach) -> None:
        """Decide for each created variable whether it outlives the call.

        Args:
            graph: the traced graph.
            is_random: whether initial values may be random numbers, which later calls would not
                draw.
            reach: the watcher, which keeps the called functions alive, local ones among them.

        Raises:
            VariableCreationError: a variable that outlives the call, or is random, was created by a
                branch or a loop, or at a line that has created one before.
        """
        if not self._made:
            return
        take_up = reach.let_go()
        _let_go(self._made)
        take_up()
        here = set(map(id, graph.nodes))
        for each in self._made:
            variable, is_inside = each.variable(), each.is_inside
            may_differ = is_random or id(each.handle) in self._random
            if variable is None and not (may_differ and each.is_used) and each.is_replaceable:
                continue
            if is_inside:
                raise _refused_inside(each)
            if id(each.handle.node) not in here:
                continue
            if each.origin in graph.used_creation_lines:
                raise _refused_again(each, graph.name)
            self.lines |= {each.origin} - {None}
            if variable is not None:
                self.kept[each.handle.node] = variable


_NOTING: ContextVar[OwnVariables | None] = ContextVar("own_variables", default=None)


def creation_time_of(owner: object) -> int | None:
    """Return the time when an object was created; None if it is from before the trace."""
    noting = _NOTING.get()
    return None if noting is None else noting.creation_time(owner)


def record_owner(graph: Any, owner: object) -> None:
    """Record an object that creates variables later, if a function is traced."""
    noting = _NOTING.get()
    if noting is not None:
        noting.add_creation_site(graph, owner)


def record_creation(graph: Any, variable: Any, owner: object) -> None:
    """Record a variable that was created eagerly, if a function is traced."""
    noting = _NOTING.get()
    if noting is not None:
        noting.add(graph, variable, owner)


def record_initial_draw(variable: Any) -> None:
    """Record that the initial value of a variable is random, if a function is traced."""
    noting = _NOTING.get()
    if noting is not None:
        noting.mark_random(variable)


def record_assignment(graph: Any, variable: Any) -> None:
    """Record the assignment of a value that was assigned eagerly to a variable of the trace."""
    noting = _NOTING.get()
    made = None if noting is None else noting.of(variable)
    if made is not None:
        made_in = made.handle.graph
        made_in.record(ASSIGN_VARIABLE, (variable, EagerTensor(variable._array)), {})


def _around_branches(graph: Graph) -> Graph:
    """Return the innermost graph that is no branch: code after a branch may use its variables."""
    while graph.is_branch and graph.outer is not None:
        graph = graph.outer
    return graph


def _let_go(made: Collection[CreatedVariable]) -> None:
    """Drop the variables that only graphs hold."""
    for each in made:
        made_in, variable = each.handle.graph, each.variable()
        made_in._handle_captures.pop(id(variable), None)
        made_in._outer_of.pop(id(each.handle), None)
    del variable
    gc.collect()


def _refused_inside(made: CreatedVariable) -> VariableCreationError:
    return VariableCreationError(
        f"the variable '{made.name}' is made by a branch or loop that is staged, and is kept by "
        "an object from outside of it, or begins with random numbers: make what holds it outside "
        "of the function, or before the statement and only if there is none yet",
        made.origin,
    )


def _refused_again(made: CreatedVariable, name: str) -> VariableCreationError:
    return VariableCreationError(
        f"'{name}' makes the variable '{made.name}' again at a line that has made one in an "
        "earlier call, and a graph makes none that is kept, or that begins with random numbers: "
        "make what holds it in the first call only, as after `if self.layer is None:`, outside of "
        "the function, or, the weight of a layer, in `def build(self, input_shape)`",
        made.origin,
    )
