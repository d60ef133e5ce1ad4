"""The graph: a recorded program of nodes, with inputs, captures and outputs.

with graph.recording():          graph f(%x: int32[2]) {
    y = x + x             ->       %add = add(%x, %x) : int32[2]
graph.set_outputs([y])             return %add
                                 }
"""

from __future__ import annotations

import weakref
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

from runtime.core import context
from runtime.core.argument_checks import listed, plain_text, shown
from runtime.core.context import Origin, caller_origin
from runtime.core.lazy_imports import lazy_import
from runtime.core.name_scopes import current_node_scope
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, SymbolicTensor, Tensor
from runtime.errors import (
    DTypeError,
    GraphError,
    OpError,
    VariableCreationError,
)
from runtime.graph.capture import (
    Capture,
    Outer,
    StateHandle,
    TensorAlias,
    check_in_scope,
    input_of,
    output_of,
)
from runtime.graph.constant_values import known_value
from runtime.graph.effects import STRENGTH, EffectOrder, effect_of
from runtime.graph.fetches import FetchState, recording_with_labels
from runtime.graph.may_raise import Kinds, raised_by, with_calls
from runtime.graph.node import Node, infer_specs
from runtime.graph.node_names import CallNames
from runtime.ops.convert import to_tensor
from runtime.ops.op import Op, name_operands

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from runtime.core.name_scopes import name_scope
    from runtime.export.graphdef.messages import GraphDef


def _spec_of(value: Any) -> TensorSpec:
    spec: TensorSpec = value.spec if isinstance(value, Tensor) else value.handle_spec
    return spec


def _infer_placeholder() -> TensorSpec:
    raise GraphError("only a graph knows the spec of its inputs")


# The op behind the inputs of a graph; it is not among the nodes and not in the registry.
PLACEHOLDER = Op("placeholder", kernel=None, infer=_infer_placeholder)


class TryScope(Protocol):
    """A `try` that is being traced, which is notified before nodes that may raise are recorded."""

    def before_node(
        self,
        graph: Graph,
        op: Op,
        inputs: Sequence[Tensor],
        attrs: Mapping[str, Any],
        kinds: Kinds,
    ) -> None:
        """Act before a node of `op`, which may raise one of `kinds`, is recorded in `graph`."""

    def catches(self, kinds: Kinds) -> bool:
        """Return whether a handler of this `try` catches every exception of these kinds."""


class Graph:
    """A program under construction or complete; while `recording()`, ops add their nodes to it.

    Args:
        name: the name, shown in texts and errors.
        outer: the graph around this one if it is a region: a branch, a test, a body.

    Example:
        >>> import autograph.runtime as rt
        >>> graph = rt.Graph("double")
        >>> x = graph.add_input(rt.TensorSpec((2,), rt.int32), "x")
        >>> with graph.recording():
        ...     y = x + x
        >>> graph.set_outputs([y])
        >>> [node.name for node in graph]
        ['add']
    """

    # The forward graph, whose values this graph may use, if this is a backward graph.
    forward_graph: Graph | None = None

    def __init__(self, name: str = "graph", outer: Graph | None = None) -> None:
        self.name = name
        self.outer = outer
        self.parameters: list[SymbolicTensor] = []
        self.captures: list[Capture] = []
        self.nodes: list[Node] = []
        self.outputs: list[SymbolicTensor] = []
        self.effect = "none"
        # True for the graph of a function, which is no region even if it has no node yet.
        self.is_self_contained = False
        self.is_branch = False  # True if it runs at most once in a run of the outer graph.
        self.is_called = False  # True for the region of a recursive function, which its nodes call.
        # Variables created while this graph records; weak, to detect those that the user dropped.
        self.created_variables: list[weakref.ref[object]] = []
        self.created_at: list[Origin | None] = []
        # Variables whose initial values this graph computes; None if that is not allowed.
        self.initialized_variables: list[object] | None = None
        # Lines that created variables in an earlier trace of the function, and must not again.
        self.used_creation_lines: Collection[Origin] = ()
        self._captures_by_id: dict[int, Capture] = {}
        # Handles of variables that are parameters (`add_handle`).
        self._handle_captures: dict[int, Capture] = {}
        # By the identity of an input, its outer value.
        self._outer_of: dict[int, Outer] = {}
        self._next_number: dict[str, int] = {}
        self._order = EffectOrder()
        self._is_finished = False
        self.labels = CallNames(current_node_scope())
        # Not None for a graph whose nodes run only if a session fetches them.
        self.fetch_state: FetchState | None = None
        if not isinstance(outer, (Graph, type(None))):
            raise GraphError(f"the outer of a Graph must be a Graph or None, not {shown(outer)}")
        # The `try` statements around, innermost last, which are notified of nodes that may raise.
        self.try_scopes: tuple[TryScope, ...] = () if outer is None else outer.try_scopes
        # The lines that computed gradients.
        self.gradient_lines: set[tuple[str, int]] = set()
        # The errors of symbolic tensors used as Python bools or iterables, in all regions.
        self.refusals: list[Exception] = [] if outer is None else outer.refusals

    # -- building ------------------------------------------------------------------------------

    def recording(self) -> AbstractContextManager[object]:
        """Return a context manager that records ops in this graph instead of computing them."""
        return recording_with_labels(self)

    @property
    def is_finished(self) -> bool:
        """True for a finished region, to which nothing can be added."""
        return self._is_finished

    @property
    def runs_by_fetches(self) -> bool:
        """True if nodes run only when a session fetches them."""
        return self.fetch_state is not None

    def as_default(self) -> AbstractContextManager[object]:
        """Return a context manager that records ops in this graph, for a Session to run."""
        self.fetch_state = self.fetch_state or FetchState(self)
        self.labels.compares_frames = True
        return recording_with_labels(self)

    def add_input(self, spec: TensorSpec, name: str, weak: bool = False) -> SymbolicTensor:
        """Add a parameter and return its tensor; DTypeError if `spec` is no TensorSpec."""
        if not isinstance(spec, TensorSpec):
            raise DTypeError(f"the spec of an input must be a TensorSpec, not {shown(spec)}")
        tensor = self._placeholder(spec, name, weak)
        self.parameters.append(tensor)
        return tensor

    def add_handle(self, handle: StateHandle, name: str) -> SymbolicTensor:
        """Add a parameter for a variable, which replaces `handle` wherever this graph uses it."""
        tensor = self.add_input(handle.handle_spec, name)
        self._handle_captures.setdefault(id(handle), Capture(handle, tensor))
        self._outer_of[id(tensor)] = handle
        return tensor

    def capture(self, value: Outer, name: str | None = None) -> SymbolicTensor:
        """Return this graph's tensor for `value`, which becomes an input at its first use.

        Args:
            value: a tensor of an enclosing graph, an eager tensor or a variable.
            name: the name of the input; by default after `value`.

        Raises:
            OutOfScopeError: the tensor belongs to a graph that does not enclose this one.
        """
        value = output_of(value)
        if isinstance(value, SymbolicTensor) and value.graph is self:
            return value
        capture = self._captures_by_id.get(id(value)) or self._handle_captures.get(id(value))
        if capture is None:
            capture = self._add_capture(value, name)
        return capture.inner

    def record(
        self,
        op: Op,
        inputs: Sequence[Tensor],
        attrs: Mapping[str, object],
        regions: Sequence[Graph] = (),
        name: str | None = None,
    ) -> tuple[SymbolicTensor, ...]:
        """Add a node for `op`, capturing operands from outside, and return its results."""
        if any(isinstance(each, TensorAlias) for each in inputs):
            inputs = [output_of(each) for each in inputs]
        if self.try_scopes:
            self._notify(op, inputs, attrs, self.try_scopes)
        return self._record_node(op, inputs, attrs, regions, name)

    def _notify(
        self,
        op: Op,
        inputs: Sequence[Tensor],
        attrs: Mapping[str, object],
        try_scopes: Sequence[TryScope],
    ) -> None:
        """Notify the given scopes of a node that may raise."""
        kinds = raised_by(op, attrs, [_spec_of(each) for each in inputs], inputs)
        for scope in self._reached_scopes(kinds):
            if scope in try_scopes:
                scope.before_node(self, op, inputs, attrs, kinds)

    def _reached_scopes(self, kinds: Kinds) -> Sequence[TryScope]:
        """Return the scopes that exceptions may reach: up to the innermost one that catches all."""
        if not kinds:
            return ()
        catching = [at for at, scope in enumerate(self.try_scopes) if scope.catches(kinds)]
        return self.try_scopes[catching[-1] if catching else 0 :]

    def _record_node(
        self,
        op: Op,
        inputs: Sequence[Tensor],
        attrs: Mapping[str, object],
        regions: Sequence[Graph],
        name: str | None,
    ) -> tuple[SymbolicTensor, ...]:
        local = tuple([self.capture(tensor) for tensor in inputs])
        try:
            specs = infer_specs(op, local, attrs, regions)
        except OpError as error:
            name_operands(error, op.name)
            raise
        call = context.call_by_user()
        origin = with_calls(op, None if call.caller is None else context.origin_of(call.caller))
        if origin is not None:
            origin.scope = current_node_scope().rstrip("/")
        label = self.labels.label_for(op, call)
        called = name or (op.name if self.fetch_state is None else self.labels.reserve(label))
        node = self.append(op, local, attrs, tuple(regions), specs, called, origin)
        node.label = label
        self.labels.assign_name(node)
        if self.fetch_state is not None:
            node.requires = self.fetch_state.control_dependencies
        for watcher in context.current_watchers():
            watcher.note(self, op, inputs, attrs, node.outputs)
        return node.outputs

    def append(
        self,
        op: Op,
        inputs: tuple[SymbolicTensor, ...],
        attrs: Mapping[str, object],
        regions: tuple[Graph, ...],
        specs: Sequence[TensorSpec],
        name: str,
        origin: Origin | None,
    ) -> Node:
        """Add a node with local operands and known result specs (for passes)."""
        if self._is_finished:
            raise GraphError(f"'{self.name}' is a finished region; nothing can be added", origin)
        effect = effect_of(op.effects, attrs, regions)
        node = Node(
            len(self.nodes), self.fresh_name(name), op, inputs, attrs, regions, origin, effect
        )
        node.outputs = tuple(
            [SymbolicTensor(self, node, index, spec) for index, spec in enumerate(specs)]
        )
        if effect != "none":
            node.control = self._order.follow(node)
            if STRENGTH[effect] > STRENGTH[self.effect]:
                self.effect = effect
        self.nodes.append(node)
        node.graph = self
        return node

    def add_created_variable(self, variable: object) -> None:
        """Record that a variable was created while this graph records.

        Raises:
            VariableCreationError: the graph is a branch or a loop's body, or the line created one
                before.
        """
        origin = caller_origin()
        if origin in self.used_creation_lines:
            raise VariableCreationError(
                f"'{self.name}' makes a Variable again at a line that has made one in an earlier "
                "call, and a graph makes none: make it in the first call only, as after "
                "`if self.v is None:`, or outside of the function",
                origin,
            )
        if self.outer is not None:
            raise VariableCreationError(
                "a Variable made while tracing would be made once and kept over all calls: make it "
                "outside the function, or at its top level and only if there is none yet",
                origin,
            )
        self.created_variables.append(weakref.ref(variable))
        self.created_at.append(origin)

    def set_outputs(self, tensors: Iterable[object]) -> None:
        """Set the outputs; Python values become constants, outer tensors captures."""
        with self.recording():
            self.outputs = [self.capture(to_tensor(value)) for value in listed(tensors, "outputs")]

    def finish(self, captures: list[Capture]) -> None:
        """Finish a region: its captures are the operands of its node."""
        self.captures = captures
        self._captures_by_id = {id(capture.outer): capture for capture in captures}
        self._outer_of.update((id(capture.inner), capture.outer) for capture in captures)
        self._is_finished = True

    def _add_capture(self, value: Outer, name: str | None) -> Capture:
        if self._is_finished:
            raise GraphError(f"'{self.name}' is a finished region; nothing can be added")
        if isinstance(value, SymbolicTensor):
            check_in_scope(value, self)
        spec, given_name, weak = input_of(value)
        capture = Capture(value, self._placeholder(spec, name or given_name, weak))
        self._captures_by_id[id(value)] = capture
        self._outer_of[id(capture.inner)] = value
        self.captures.append(capture)
        return capture

    def _placeholder(self, spec: TensorSpec, name: str, weak: bool) -> SymbolicTensor:
        number = -1 - len(self.parameters) - len(self.captures)
        node = Node(number, self.fresh_name(name), PLACEHOLDER, (), {}, origin=caller_origin())
        tensor = SymbolicTensor(self, node, 0, spec, weak)
        node.outputs, node.graph = (tensor,), self
        return tensor

    def fresh_scope(self, base: str) -> str:
        """Return the name of a new scope: numbered from the second use of `base` on."""
        return self.labels.fresh(base)

    def fresh_name(self, base: str) -> str:
        """Return a name that no node of this graph has, with a number if `base` is taken."""
        taken = self._next_number
        plain_text(base, "a name")
        if self.fetch_state is not None:
            return self.labels.fresh(base)
        number = taken.get(base)
        if number is None:
            taken[base] = 1
            return base
        while (name := f"{base}_{number}") in taken:
            number += 1
        taken[base] = number + 1
        taken[name] = 1
        return name

    # -- queries -------------------------------------------------------------------------------

    @property
    def inputs(self) -> list[SymbolicTensor]:
        """The parameters, then the inputs for captured values."""
        return [*self.parameters, *(capture.inner for capture in self.captures)]

    def outer_of(self, tensor: SymbolicTensor) -> Outer | None:
        """Return the outer value of an input that captures one, None for any other tensor."""
        return self._outer_of.get(id(tensor))

    def known_value(self, tensor: SymbolicTensor) -> Array:
        """Return the value of a tensor that depends on no parameter; see `known_value`."""
        return known_value(tensor)

    def node(self, name: str) -> Node:
        """Return the node called `name`; KeyError if there is none."""
        for node in self.nodes:
            if node.name == name:
                return node
        raise KeyError(f"no node {name!r} in graph '{self.name}'")

    def get_nodes_by_op(self, name: str) -> list[Node]:
        """Return the nodes of this graph (not of its regions) whose op is called `name`."""
        return [node for node in self.nodes if node.op.name == name]

    def walk(self) -> Iterator[Node]:
        """Yield every node, those of a region right after the node that owns it."""
        waiting = [iter(self.nodes)]
        while waiting:
            node = next(waiting[-1], None)
            if node is None:
                waiting.pop()
                continue
            yield node
            waiting.extend(iter(region.nodes) for region in reversed(node.regions))

    def as_text(self, origins: bool = False) -> str:
        """Return the text of the graph; with `origins`, node lines end with the user's line."""
        text: str = self._text(origins)
        return text

    _text = lazy_import("runtime.graph.text:graph_text")

    # Methods of TensorFlow's graphs for storing graphs, and for sessions.
    if TYPE_CHECKING:

        def as_graph_def(self, *args: Any, **options: Any) -> GraphDef: ...
        def get_operations(self) -> list[Any]: ...
        def get_operation_by_name(self, name: str) -> Any: ...
        def get_tensor_by_name(self, name: str) -> Any: ...
        def as_graph_element(
            self, obj: Any, allow_tensor: bool = True, allow_operation: bool = True
        ) -> Any: ...
        def control_dependencies(self, control_inputs: Any) -> AbstractContextManager[None]: ...
        def device(self, device_name_or_function: object) -> AbstractContextManager[None]: ...
        def finalize(self) -> None: ...
        def get_collection(self, name: str, scope: str | None = None) -> list[Any]: ...
        def name_scope(self, name: str) -> name_scope: ...
    else:
        as_graph_def = lazy_import("runtime.export.graphdef.to_graphdef:shown_graph_def")
        get_operations = lazy_import("runtime.export.graphdef.operations:get_operations")
        get_operation_by_name = lazy_import(
            "runtime.export.graphdef.operations:get_operation_by_name"
        )
        get_tensor_by_name = lazy_import("runtime.export.graphdef.operations:get_tensor_by_name")
        as_graph_element = lazy_import("runtime.session.evaluation:as_graph_element")
        control_dependencies = lazy_import("runtime.session.evaluation:graph_control_dependencies")
        device = lazy_import("runtime.session.evaluation:graph_device")
        finalize = lazy_import("runtime.session.evaluation:finalize")
        get_collection = lazy_import("runtime.session.evaluation:graph_collection")
        name_scope = lazy_import("runtime.session.evaluation:graph_name_scope")

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes)

    def __len__(self) -> int:
        return len(self.nodes)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        inputs, outputs = len(self.inputs), len(self.outputs)
        return f"<Graph {self.name!r}: {inputs} inputs, {len(self)} nodes, {outputs} outputs>"

    _repr_html_ = lazy_import("runtime.display.graphs:graph_html")
