"""Sessions, which run parts of a graph and hold the values of its variables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from types import SimpleNamespace
from typing import Any

from runtime import nest
from runtime.core.argument_checks import shown
from runtime.core.context import recording
from runtime.core.random_streams import using_streams
from runtime.core.tensor import Array, EagerTensor, SymbolicTensor
from runtime.errors import (
    ArgumentValueError,
    ClosedError,
    DTypeError,
    FailedPreconditionError,
    OpError,
    ShapeError,
)
from runtime.executors.interpreter import run
from runtime.graph.fetches import FetchGroup
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.convert import to_tensor
from runtime.passes.prune import Needed, copy_nodes, needs_inside
from runtime.session.default_graph import get_default_graph
from runtime.state.variable import Variable


class _ValueStorage:
    """The storage of a variable's value in a session."""

    def __init__(self, variable: Variable) -> None:
        self._variable = variable
        self._held: Array | None = None

    @property
    def _array(self) -> Array:
        if self._held is None:
            raise FailedPreconditionError(
                f"variable '{self._variable._name}' has no value in this session: run "
                "global_variables_initializer() first"
            )
        return self._held

    def store(self, array: Array) -> None:
        """Replace the value."""
        if not self._variable.shape.contains(array.shape):
            raise ShapeError(
                f"variable '{self._variable._name}' must have shape {self._variable.shape}, "
                f"not {array.shape}"
            )
        self._held = array


class Session:
    """Runs a graph for its fetches; each session has its own values of variables.

    Args:
        target: no effect here.
        graph: the graph; by default the current one.

    Raises:
        GraphError: no graph is given, and there is no current one.
        DTypeError: `graph` is not a graph, or `target` not a text.

    Example:
        >>> import autograph.runtime as rt
        >>> with rt.Graph().as_default() as graph:
        ...     x = rt.session.placeholder(rt.float32, (None,), "x")
        ...     y = x * 2
        >>> with Session(graph=graph) as session:
        ...     session.run({"y": y}, feed_dict={x: [1.0, 2.0]})
        {'y': array([2., 4.], dtype=float32)}
    """

    def __init__(
        self,
        target: str = "",
        graph: Graph | None = None,
        config: Mapping[str, object] | None = None,
    ) -> None:
        if not isinstance(target, (str, bytes)):
            raise DTypeError(f"target must be text, not {shown(target)}: write Session(graph=...)")
        if graph is not None and not isinstance(graph, Graph):
            raise DTypeError(f"a session runs a Graph, not {shown(graph)}")
        self.graph = get_default_graph() if graph is None else graph
        self._places: dict[int, _ValueStorage] = {}
        self._streams: dict[object, Any] = {}
        self._is_closed = False
        self._entered: list[ExitStack] = []

    def run(self, fetches: Any, feed_dict: Any = None) -> Any:
        """Run the fetches, and return values in the same structure.

        Only the nodes that the fetches need run. A node with effects runs only if it is fetched, or
        if a fetched node depends on it. Nodes run in the order in which they were recorded.

        Args:
            fetches: tensors, nodes, variables, or names (`"x:0"` of tensors, `"x"` of nodes), alone
                or in lists, tuples and dicts. A node gives None.
            feed_dict: values by tensor or by its name; any tensor of the graph may be fed.

        Raises:
            ClosedError: the session is closed.
            ArgumentValueError: a needed placeholder is not fed, or an argument belongs to another
                graph.
            DTypeError, ShapeError: a fed value does not match its tensor.
            DTypeError: a fetch, or the argument `feed_dict`, is of the wrong kind.
            MissingNameError: no tensor or node has a given name.
            FailedPreconditionError: a variable has no value yet.
        """
        if self._is_closed:
            raise ClosedError("this session is closed: make another one")
        leaves = [self._found(each) for each in nest.flatten(fetches)]
        fed = self._fed({} if feed_dict is None else feed_dict)
        tensors = [each for each in leaves if isinstance(each, SymbolicTensor)]
        with using_streams(self._streams):
            results = iter(self._run(tensors, leaves, fed))
        values = [self._value(each, results) for each in leaves]
        return nest.pack_sequence_as(fetches, values) if nest.is_nested(fetches) else values[0]

    def close(self) -> None:
        """Delete the values of variables; the session can no longer run."""
        self._is_closed = True
        self._places.clear()

    @contextmanager
    def as_default(self) -> Iterator[Session]:
        """Return a context manager inside which `eval()` and `run()` use this session.

        Its graph is the current one there. The session stays open.
        """
        with self.graph.as_default():
            token = _SESSION.set(self)
            try:
                yield self
            finally:
                _SESSION.reset(token)

    def __enter__(self) -> Session:
        with ExitStack() as stack:
            stack.enter_context(self.as_default())
            self._entered.append(stack.pop_all())
        return self

    def __exit__(self, *exception: object) -> None:
        self._entered.pop().close()
        self.close()

    def storage_of(self, variable: Variable) -> _ValueStorage:
        """Return the storage of a variable's value in the session."""
        return self._places.setdefault(id(variable), _ValueStorage(variable))

    # -- parts -------------------------------------------------------------------------------------

    def _run(self, wanted: Any, leaves: Any, fed: dict[int, Any]) -> list[Array]:
        nodes = [each for each in leaves if isinstance(each, Node)]
        nodes += [node for each in leaves if isinstance(each, FetchGroup) for node in each.nodes]
        part = part_of(self.graph, wanted, nodes, [tensor for tensor, _ in fed.values()])
        inputs: list[Any] = [array for _, array in fed.values()]
        for held in part.captures:
            outer: Any = held.outer
            inputs.append(
                outer._array if isinstance(outer, EagerTensor) else self.storage_of(outer)
            )
        with recording(None):
            return run(part, inputs)

    def _value(self, leaf: Any, results: Any) -> Any:
        if isinstance(leaf, Variable):
            return EagerTensor(self.storage_of(leaf)._array).numpy()
        if isinstance(leaf, SymbolicTensor):
            return EagerTensor(next(results)).numpy()
        return None

    def _found(self, fetch: Any) -> Any:
        """Return the object that a fetch names, which is of this graph."""
        if isinstance(fetch, str):
            has_index = ":" in fetch
            find = self.graph.get_tensor_by_name if has_index else self.graph.get_operation_by_name
            return find(fetch)
        if isinstance(fetch, Variable):
            return fetch
        if not isinstance(fetch, (SymbolicTensor, Node, FetchGroup)):
            raise DTypeError(
                f"{fetch!r} cannot be fetched: give tensors, nodes or variables of the graph, "
                "or their names"
            )
        if self._graph_of(fetch) is not self.graph:
            raise ArgumentValueError(
                f"{fetch!r} belongs to another graph than that of this session"
            )
        return fetch

    def _graph_of(self, fetch: Any) -> Any:
        if not isinstance(fetch, Node):
            return fetch.graph
        if fetch.outputs:
            return fetch.outputs[0].graph
        return self.graph if any(fetch is node for node in self.graph.nodes) else None

    def _fed(self, feed_dict: Any) -> dict[int, Any]:
        if not hasattr(feed_dict, "items"):
            raise DTypeError(f"feed_dict must be a dict from tensors to values, not {feed_dict!r}")
        fed: dict[int, Any] = {}
        for key, value in feed_dict.items():
            tensor = self._found(key)
            if not isinstance(tensor, SymbolicTensor):
                raise DTypeError(f"{key!r} cannot be fed: give a tensor of the graph, or its name")
            fed[id(tensor)] = tensor, _array_for(tensor, value)
        return fed


_SESSION: ContextVar[Session | None] = ContextVar("session", default=None)


def get_default_session() -> Session | None:
    """Return the current session, or None.

    >>> get_default_session() is None
    True
    """
    return _SESSION.get()


class ConfigProto:
    """A session's options for devices and threads; they are stored but have no effect here.

    >>> ConfigProto(allow_soft_placement=True).allow_soft_placement
    True
    """

    def __init__(self, **options: Any) -> None:
        self.gpu_options = SimpleNamespace()
        vars(self).update(options)


class InteractiveSession(Session):
    """A session that is the default until it is closed.

    Args:
        target, graph, config: as in Session.

    Example:
        >>> import autograph.runtime as rt
        >>> with rt.Graph().as_default():
        ...     session = InteractiveSession()
        ...     print((rt.constant(2) * 3).eval())
        ...     session.close()
        6
    """

    def __init__(
        self,
        target: str = "",
        graph: Graph | None = None,
        config: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(target, graph, config)
        _SESSION.set(self)

    def close(self) -> None:
        """Delete the values of variables; the session can no longer run."""
        if _SESSION.get() is self:
            _SESSION.set(None)
        super().close()


def _array_for(tensor: SymbolicTensor, value: Any) -> Array:
    if isinstance(value, (SymbolicTensor, Variable)):
        raise DTypeError(
            f"the value for '{tensor.name}' must be known: feed an array, not a tensor of a graph"
        )
    with recording(None):
        try:
            found = to_tensor(value, tensor.dtype)
        except OpError as error:
            raise type(error)(f"the value for '{tensor.name}': {error.message}") from None
    if not tensor.shape.is_compatible_with(found.shape):
        raise ShapeError(
            f"the value for '{tensor.name}' must have shape {tensor.shape}, not {found.shape}"
        )
    array: Array = found._array  # type: ignore[attr-defined]
    return array


# -- the subgraph that computes given fetches from given feeds -------------------------------------


def part_of(
    graph: Graph,
    wanted: Sequence[SymbolicTensor],
    nodes: Iterable[Node],
    fed: Sequence[SymbolicTensor],
) -> Graph:
    """Return a graph from some tensors of another graph to others.

    It has only the nodes that the results need, and the requested ones: other nodes with effects do
    not run.

    Args:
        graph: the whole graph.
        wanted: the results.
        nodes: further nodes to run.
        fed: the inputs; nodes that only compute these do not run.

    Raises:
        ArgumentValueError: a needed placeholder is not fed.
    """
    part = Graph(graph.name)
    values = {id(each): part.add_input(each.spec, each.node.name) for each in fed}
    needed = _needed(wanted, nodes, values)
    for tensor in graph.parameters:
        if id(tensor.node) in needed and id(tensor) not in values:
            raise ArgumentValueError(
                f"a value must be fed for the placeholder '{tensor.node.name}', of dtype "
                f"{tensor.dtype.name} and shape {tensor.shape}",
                tensor.node.origin,
            )
    for held in graph.captures:
        if id(held.inner.node) in needed and id(held.inner) not in values:
            values[id(held.inner)] = part.capture(held.outer, held.inner.node.name)
    nodes = tuple(node for node in graph.nodes if id(node) in needed)
    needs = Needed(nodes, frozenset(), {node: needs_inside(node) for node in nodes})
    fetched = Graph(graph.name)
    fetched.outputs = list(wanted)
    copy_nodes(part, fetched, needs, values)
    return part


def _needed(
    wanted: Iterable[SymbolicTensor], nodes: Iterable[Node], fed: Mapping[int, SymbolicTensor]
) -> set[int]:
    needed: set[int] = set()
    waiting = [*nodes, *(tensor.node for tensor in wanted if id(tensor) not in fed)]
    while waiting:
        node = waiting.pop()
        if id(node) not in needed:
            needed.add(id(node))
            waiting += [tensor.node for tensor in node.inputs if id(tensor) not in fed]
            waiting += node.requires
    return needed
