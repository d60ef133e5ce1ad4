"""Turns `try` statements into branches, for files without exceptions.

%y = try_except(%x)                  %fails = reduce_any(%x == 0)
  try: 10 // %x              ->      %y = cond(%fails)
  except ZeroDivisionError: -1         then: -1
                                       else: 10 // %x

What follows a node that may fail is in the branch where it does not. A loop that is left by an
error has a variable with the number of the error, and ends when that is not 0. The variables that
a handler reads have the values that were noted last (`note_state`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from runtime.core.context import Origin, current_recorder
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, SymbolicTensor, Tensor
from runtime.errors import UnimplementedError
from runtime.export.failures import Failure, failures_of, never_fails
from runtime.export.refusals import refused_node
from runtime.graph.callee import called_graph
from runtime.graph.control_flow import record_cond, record_switch, record_while
from runtime.graph.graph import Graph
from runtime.graph.inlining import _copy_region, copied
from runtime.graph.may_raise import may_be, raised_by_node
from runtime.graph.node import Node
from runtime.ops.convert import to_tensor
from runtime.ops.effects.raising import RaiseTemplate
from runtime.ops.elementwise.comparison import equal
from runtime.ops.elementwise.logic import logical_and
from runtime.ops.op import REGISTRY, Op, apply
from runtime.passes.prune import prune

_UNKNOWN = "a file has no exceptions, and nothing tells beforehand whether it fails"
_READ = "a file has no exceptions, and the handler reads one"
_LEFT = "a file has no exceptions, and a loop ends in which the `try` is left"
_MOST = 20_000
_TOO_MANY = "a file has no exceptions, and its branches would be too many"

Values = list[Any]
Next = Callable[[Values, "_RecordingState"], Values]
"""Records the rest, given values; returns the values of the branch that is recorded."""


def has_tries(graph: Graph) -> bool:
    """Return whether a graph, or one that it calls, catches errors.

    >>> has_tries(Graph("f"))
    False
    """
    return any(
        node.op.name == "try_except" or (called is not None and has_tries(called.graph))
        for node in graph.walk()
        for called in [called_graph(node.attrs)]
    )


def without_tries(graph: Graph, file: str) -> Graph:
    """Return a graph that computes the same without catching errors: itself, or a copy.

    Args:
        graph: the graph.
        file: the kind of file with its article, for errors.

    Raises:
        UnimplementedError: nothing tells beforehand whether a node in a `try` fails, or a handler
            reads the error.

    >>> import autograph as ag, autograph.runtime as rt
    >>> @ag.function
    ... def f(n):
    ...     try:
    ...         return 10 // n
    ...     except ZeroDivisionError:
    ...         return -1
    >>> graph = f.get_concrete_function(rt.TensorSpec((), rt.int32)).graph
    >>> [node.op.name for node in without_tries(graph, "a file")]
    ['constant', 'constant', 'equal', 'cond']
    """
    if not has_tries(graph):
        return graph
    flat, line = prune(copied(graph, flat=True)), _UserLine()
    made = _NewGraph(graph.name, None, line)
    values = {id(x): made.add_input(x.spec, x.node.name, x.weak) for x in flat.parameters}
    for each in flat.captures:
        values[id(each.inner)] = made.capture(each.outer, each.inner.node.name)
    with made.recording():
        state = _RecordingState((), {}, frozenset())
        outputs = _Tries(file, line).region(flat, values, state, lambda found, _: found)
        made.outputs = [made.capture(each) for each in outputs]
    return made


# -- errors and handlers ---------------------------------------------------------------------------


class _Error(NamedTuple):
    """An error that a handler has caught.

    Attributes:
        kind: its class.
        node: the node that raises it.
        inputs: the operands of the node; None if they are values of a loop that has ended.
    """

    kind: type[BaseException]
    node: Node
    inputs: tuple[Any, ...] | None


@dataclass(eq=False)
class _Try:
    """A `try` whose body is recorded.

    Attributes:
        node: the node.
        values: the values around it.
        then: records what follows the `try`.
    """

    node: Node
    values: Mapping[int, Any]
    then: Next

    def handler(self, kind: type[BaseException]) -> int | None:
        """Return the number of the handler for a class of errors."""
        kinds: Any = self.node.attrs["kinds"]
        at = next((at for at, each in enumerate(kinds) if issubclass(kind, each)), None)
        return None if at is None or _only_raises(self.node.regions[1 + at]) else at

    def may_catch(self, kinds: Any) -> bool:
        """Return whether a handler is for one of the classes."""
        own: Any = self.node.attrs["kinds"]
        pairs = zip(own, self.node.regions[1:])
        return any(may_be(kinds, each) for each, region in pairs if not _only_raises(region))


@dataclass(eq=False)
class _RecordedLoop:
    """A loop whose body is recorded.

    Attributes:
        exit: returns the values of an iteration that an error ends, for the number of the error.
        errors: the errors that end it, each with the `try` and the handler.
    """

    exit: Callable[[int, _RecordingState], Values]
    errors: list[tuple[_Try, int, _Error]] = field(default_factory=list)


@dataclass(frozen=True)
class _RecordingState:
    """The facts at the place where a node is recorded.

    Attributes:
        around: the `try`s and loops around, the innermost last.
        noted: for each `try` the values that its handlers get.
        left: the `try`s whose bodies have ended.
    """

    around: tuple[_Try | _RecordedLoop, ...]
    noted: Mapping[_Try, tuple[Any, ...]]
    left: frozenset[_Try]

    def catching(self) -> Iterator[_Try]:
        """Yield the `try`s that catch errors here, the innermost first."""
        for each in reversed(self.around):
            if isinstance(each, _Try) and each not in self.left:
                yield each

    def may_catch(self, node: Node) -> bool:
        """Return whether a `try` around may catch an error of a node."""
        kinds = () if never_fails(node) else raised_by_node(node)
        return any(each.may_catch(kinds) for each in self.catching())

    def handler(self, kind: type[BaseException]) -> tuple[_Try, int] | None:
        """Return the `try` that catches errors of a class, and its handler."""
        for each in self.catching():
            at = each.handler(kind)
            if at is not None:
                return each, at
        return None


def _only_raises(handler: Graph) -> bool:
    """Return whether a handler does nothing but raise its error again, as without the `try`."""
    rest = [node for node in handler.nodes if node.op.effects != "none" or node.regions]
    return (
        len(rest) == 1
        and rest[0].op.name == "raise_again"
        and rest[0].inputs[0] is handler.parameters[0]
    )


# -- recording -------------------------------------------------------------------------------------


@dataclass(eq=False)
class _UserLine:
    """The user's line of the node that is recorded anew."""

    origin: Origin | None = None


class _NewGraph(Graph):
    """A graph whose nodes have the line of the node that they stand for, not that of the export.

    Args:
        line: the line.
    """

    def __init__(self, name: str, outer: Graph | None, line: _UserLine) -> None:
        super().__init__(name, outer)
        self._line = line

    def record(
        self,
        op: Op,
        inputs: Sequence[Tensor],
        attrs: Mapping[str, object],
        regions: Sequence[Graph] = (),
        name: str | None = None,
    ) -> tuple[SymbolicTensor, ...]:
        made = super().record(op, inputs, attrs, regions, name)
        node = self.nodes[-1]
        node.origin, node.label = self._line.origin, ""
        self.labels.forget()
        return made


class _Tries:
    """Records a graph without its `try`s.

    Args:
        file: the kind of file, for errors.
        line: the line of the nodes that are recorded.
    """

    def __init__(self, file: str, line: _UserLine) -> None:
        self._file, self._line = file, line
        self._count = 0

    def region(
        self, graph: Graph, values: dict[int, Any], state: _RecordingState, then: Next
    ) -> Values:
        """Record the nodes of a region whose inputs have values, and then the following nodes."""
        return self._from(graph, 0, values, state, then)

    def _from(
        self, graph: Graph, start: int, values: dict[int, Any], state: _RecordingState, then: Next
    ) -> Values:
        for at in range(start, len(graph.nodes)):
            node = graph.nodes[at]
            self._line.origin = node.origin

            def rest(
                found: Values, state: _RecordingState, node: Node = node, following: int = at + 1
            ) -> Values:
                inside = {**values, **dict(zip(map(id, node.outputs), found, strict=True))}
                return self._from(graph, following, inside, state, then)

            record = self._special(node, state, values)
            if record is not None:
                return record(node, values, state, rest)
            made = self._recorded(node, values)
            values.update(zip(map(id, node.outputs), made, strict=True))
            if node.op.name == "note_state":
                state = self._noted(node, values, state)
            elif node.op.name == "leave_try":
                state = self._left(node, values, state)
        return then([values[id(each)] for each in graph.outputs], state)

    def _special(self, node: Node, state: _RecordingState, values: dict[int, Any]) -> Any:
        """Return the method that records a node with the following ones; None for others."""
        name = node.op.name
        if name == "try_except":
            return self._try
        if name in ("raise", "raise_again"):
            return self._raise if self._error(node, values, state) is not None else None
        if name == "recursion" and any(True for _ in state.catching()):
            raise self._refused(node, _UNKNOWN)
        if name in _NESTING:
            return partial(_NESTING[name], self) if self._ends_early(node, state) else None
        return self._failing if state.may_catch(node) else None

    def _ends_early(self, node: Node, state: _RecordingState) -> bool:
        """Return whether errors or notes in the regions of a node matter around it."""
        return any(
            inner.op.name in ("note_state", "leave_try", "raise_again", "try_except")
            or state.may_catch(inner)
            for region in node.regions
            for inner in region.walk()
        ) and any(True for _ in state.catching())

    # -- nodes as they are -------------------------------------------------------------------------

    def _recorded(self, node: Node, values: Mapping[int, Any]) -> Values:
        """Record a node that nothing ends."""
        name = node.op.name
        if name in ("note_state", "leave_try"):
            return []
        if name in ("raise_again", "from_exception"):
            return self._record_error_node(node, values)
        self._count += 1
        if self._count > _MOST:
            raise self._refused(node, _TOO_MANY)
        given = [values[id(each)] for each in node.inputs]
        has_objects = any(isinstance(each, _OBJECTS) for each in given)
        if name == "raise" and has_objects:
            raised: Any = node.attrs["exception"]
            return _fail(raised.pattern.kind)
        if name in _NESTING and (has_objects or has_tries_in(node)):
            return self._again(node, values)
        if has_objects or has_tries_in(node):
            raise self._refused(node, _READ if has_objects else _UNKNOWN)
        return _copy(node, given)

    def _record_error_node(self, node: Node, values: Mapping[int, Any]) -> Values:
        """Record a node that raises or reads an error that was caught."""
        error = values[id(node.inputs[0])]
        if not isinstance(error, _Error):
            raise self._refused(node, _READ)
        if node.op.name == "from_exception":
            return self._parts(node, error)
        if error.inputs is None:
            return _fail(error.kind)
        self._recorded(error.node, dict(zip(map(id, error.node.inputs), error.inputs)))
        return []

    def _parts(self, node: Node, error: _Error) -> Values:
        """Return parts of an error: constants, or tensors that were given to it."""
        template: Any = error.node.attrs.get("exception")
        if not isinstance(template, RaiseTemplate) or error.inputs is None:
            raise self._refused(node, _READ)
        extract: Any = node.attrs["extract"]
        marks = [_mark(each.spec) for each in error.node.inputs]
        found = extract.function(template.instantiate(marks))
        if not marks:
            return [to_tensor(each, dtype=x.dtype) for each, x in zip(found, node.outputs)]
        given = {id(mark): value for mark, value in zip(marks, error.inputs)}
        if not all(id(each) in given for each in found):
            raise self._refused(node, _READ)
        return [given[id(each)] for each in found]

    def _again(self, node: Node, values: Mapping[int, Any]) -> Values:
        """Record a node with regions anew; nothing in them ends the statement around them."""
        regions = [
            self._region(each.name, partial(self._inside, each, node, values))
            for each in node.regions
        ]
        if node.op.name == "while_loop":
            count: Any = node.attrs["variables"]
            given = [values[id(each)] for each in node.inputs[:count]]
            limit: Any = node.attrs["maximum_iterations"]
            return list(record_while(regions[0], regions[1], given, maximum_iterations=limit))
        return _branches(node, values[id(node.inputs[0])], regions)

    def _inside(self, region: Graph, node: Node, values: Mapping[int, Any], made: Graph) -> Values:
        inner = {id(x): made.add_input(x.spec, x.node.name, x.weak) for x in region.parameters}
        state = _RecordingState((), {}, frozenset())
        inner.update(_captured(region, node, values))
        return self.region(region, inner, state, lambda found, _: found)

    def _refused(self, node: Node, reason: str) -> UnimplementedError:
        return refused_node(node, reason, self._file)

    # -- notes -------------------------------------------------------------------------------------

    def _noted(
        self, node: Node, values: Mapping[int, Any], state: _RecordingState
    ) -> _RecordingState:
        """Return the state with the values that a node notes."""
        held = values[id(node.inputs[0])]
        found = [values[id(each)] for each in node.inputs[1:]]
        for region in node.regions:
            inner = dict(zip(map(id, region.parameters), found))
            inner.update(_captured(region, node, values))
            found = self.region(
                region, inner, _RecordingState((), {}, frozenset()), lambda made, _: made
            )
        noted: Any = node.attrs["noted"]
        first = [held.values[id(each)] for each in held.node.inputs[: held.node.attrs["noted"]]]
        for place, value in zip(noted.places, found):
            first[place] = value
        return replace(state, noted={**state.noted, held: tuple(first)})

    def _left(
        self, node: Node, values: Mapping[int, Any], state: _RecordingState
    ) -> _RecordingState:
        held = values[id(node.inputs[0])]
        for each in reversed(state.around):
            if isinstance(each, _RecordedLoop):
                raise self._refused(held.node, _LEFT)
            if each is held:
                break
        return replace(state, left=state.left | {held})

    # -- what ends early ---------------------------------------------------------------------------

    def _try(
        self, node: Node, values: dict[int, Any], state: _RecordingState, rest: Next
    ) -> Values:
        around = tuple(state.catching())
        if not around:
            # Nothing ends what is around: the values of all ends are those of one branch.
            found = self._tried(node, values, state, lambda made, _: made)
            return rest(found, state)
        return self._tried(node, values, state, rest)

    def _tried(
        self, node: Node, values: dict[int, Any], state: _RecordingState, then: Next
    ) -> Values:
        outer = state.around

        def after(found: Values, inner: _RecordingState) -> Values:
            return then(found, replace(inner, around=outer))

        count: Any = node.attrs["noted"]
        held = _Try(node, values, after)
        noted = tuple([values[id(each)] for each in node.inputs[:count]])
        body = node.regions[0]
        inner = dict(_captured(body, node, values))
        inner[id(body.parameters[0])] = held
        inside = replace(state, around=(*outer, held), noted={**state.noted, held: noted})
        return self.region(body, inner, inside, after)

    def _failing(
        self, node: Node, values: dict[int, Any], state: _RecordingState, rest: Next
    ) -> Values:
        given = [values[id(each)] for each in node.inputs]
        failures = failures_of(node, given)
        if failures is None:
            raise self._refused(node, _UNKNOWN)

        def go_on(others: Sequence[Failure]) -> Values:
            if not others:
                self._count += 1
                return rest(_copy(node, [values[id(each)] for each in node.inputs]), state)
            failure, *others = others
            found = state.handler(failure.kind)
            if found is None:
                return go_on(others)
            error = _Error(failure.kind, node, tuple(given))
            return self._chosen(
                failure.test,
                lambda: self._caught(*found, error, state),
                lambda: go_on(others),
            )

        return go_on(failures)

    def _error(
        self, node: Node, values: Mapping[int, Any], state: _RecordingState
    ) -> tuple[_Try, int, _Error] | None:
        """Return where a `raise` goes; None if nothing catches it."""
        given = tuple([values[id(each)] for each in node.inputs])
        if node.op.name == "raise":
            raised: Any = node.attrs["exception"]
            error = _Error(raised.pattern.kind, node, given)
        else:
            (error,) = given
            if not isinstance(error, _Error):
                raise self._refused(node, _READ)
        found = state.handler(error.kind)
        return None if found is None else (*found, error)

    def _raise(
        self, node: Node, values: dict[int, Any], state: _RecordingState, rest: Next
    ) -> Values:
        found = self._error(node, values, state)
        assert found is not None
        return self._caught(*found, state)

    def _caught(self, held: _Try, at: int, error: _Error, state: _RecordingState) -> Values:
        """Record the handler of an error, or the end of the loop that the error leaves."""
        place = state.around.index(held)
        loops = [each for each in state.around[place:] if isinstance(each, _RecordedLoop)]
        if loops:
            loop = loops[-1]
            loop.errors.append((held, at, error))
            return loop.exit(len(loop.errors), state)
        handler = held.node.regions[1 + at]
        values = dict(_captured(handler, held.node, held.values))
        given = (error, *state.noted[held])
        values.update(zip(map(id, handler.parameters), given, strict=True))
        left = state.left - {held}
        inside = replace(state, around=state.around[:place], left=left)
        return self.region(handler, values, inside, held.then)

    def _region(self, name: str, made: Callable[[Graph], Values]) -> Graph:
        """Return a region of the graph that is recording."""
        line = self._line.origin
        graph = _NewGraph(name, _current(), self._line)
        with graph.recording():
            found = made(graph)
        graph.set_outputs(found)
        self._line.origin = line
        return graph

    def _cond(
        self, node: Node, values: dict[int, Any], state: _RecordingState, rest: Next
    ) -> Values:
        def branch(region: Graph) -> Callable[[Graph], Values]:
            return lambda _: self.region(region, dict(_captured(region, node, values)), state, rest)

        regions = [self._region(each.name, branch(each)) for each in node.regions]
        return _branches(node, values[id(node.inputs[0])], regions)

    def _chosen(
        self, test: Any, then: Callable[[], Values], orelse: Callable[[], Values]
    ) -> Values:
        if test is None:
            return then()
        first = self._region("then", lambda _: then())
        other = self._region("else", lambda _: orelse())
        return list(record_cond(test, first, other))

    def _while(
        self, node: Node, values: dict[int, Any], state: _RecordingState, rest: Next
    ) -> Values:
        """Record a loop with the number of the error that ends it, and the noted variables."""
        count: Any = node.attrs["variables"]
        noting = [each for each in state.catching() if state.noted[each]]
        noted = [x for each in noting for x in state.noted[each]]
        test, body = node.regions
        first = [values[id(each)] for each in node.inputs[:count]]
        given = [*first, to_tensor(0), to_tensor(True), *noted]
        specs = [(x.spec, x.node.name, x.weak) for x in body.parameters]
        specs += [(TensorSpec((), "int32"), "error", False), (TensorSpec((), "bool"), "on", False)]
        specs += [
            (x.spec, x.node.name, x.weak)
            for each in noting
            for x in each.node.regions[1].parameters[1:]
        ]
        errors: list[tuple[_Try, int, _Error]] = []

        def with_notes(state: _RecordingState, found: Sequence[Any]) -> _RecordingState:
            rest, news = iter(found), {}
            for each in noting:
                news[each] = tuple([next(rest) for _ in state.noted[each]])
            return replace(state, noted={**state.noted, **news})

        def notes_of(state: _RecordingState) -> Values:
            return [x for each in noting for x in state.noted[each]]

        def going(graph: Graph) -> Values:
            inner = [graph.add_input(*each) for each in specs]
            return [logical_and(equal(inner[count], to_tensor(0)), inner[count + 1])]

        def repeated(graph: Graph) -> Values:
            inner = [graph.add_input(*each) for each in specs]

            def leave(number: int, state: _RecordingState) -> Values:
                return [*inner[:count], to_tensor(number), to_tensor(True), *notes_of(state)]

            loop = _RecordedLoop(leave, errors)
            inside = with_notes(replace(state, around=(*state.around, loop)), inner[count + 2 :])

            def run(region: Graph, state: _RecordingState, then: Next) -> Values:
                variables = dict(zip(map(id, region.parameters), inner[:count]))
                return self.region(
                    region, {**_captured(region, node, values), **variables}, state, then
                )

            def tested(found: Values, state: _RecordingState) -> Values:
                return self._chosen(
                    found[0],
                    lambda: run(body, state, ended),
                    lambda: [*inner[:count], to_tensor(0), to_tensor(False), *notes_of(state)],
                )

            def ended(found: Values, state: _RecordingState) -> Values:
                return [*found, to_tensor(0), to_tensor(True), *notes_of(state)]

            return run(test, inside, tested)

        regions = self._region("test", going), self._region("body", repeated)
        limit: Any = node.attrs["maximum_iterations"]
        if limit is not None:
            limit = limit + 1  # The last iteration only tests.
        made = list(record_while(*regions, given, maximum_iterations=limit))
        number, after = made[count], with_notes(state, made[count + 2 :])

        def go_on(at: int) -> Values:
            if at == len(errors):
                return rest(made[:count], after)
            held, handler, error = errors[at]
            gone = error._replace(inputs=() if not error.inputs else None)
            return self._chosen(
                equal(number, to_tensor(at + 1)),
                lambda: self._caught(held, handler, gone, after),
                lambda: go_on(at + 1),
            )

        return go_on(0)


_NESTING = {"cond": _Tries._cond, "switch_case": _Tries._cond, "while_loop": _Tries._while}
_OBJECTS = (_Error, _Try)


def has_tries_in(node: Node) -> bool:
    """Return whether errors are caught in the regions of a node."""
    return any(inner.op.name == "try_except" for x in node.regions for inner in x.walk())


def _mark(spec: TensorSpec) -> Array:
    """Return an array that is recognized by its identity."""
    return np.zeros([size or 1 for size in spec.shape.dims or ()], spec.dtype.np_dtype)


def _captured(region: Graph, node: Node, values: Mapping[int, Any]) -> dict[int, Any]:
    """Return the values of the captures of a region."""
    outer = node.inputs[len(node.inputs) - len(region.captures) :]
    return {id(x.inner): values[id(each)] for x, each in zip(region.captures, outer)}


def _current() -> Graph:
    graph = current_recorder()
    assert isinstance(graph, Graph)
    return graph


def _copy(node: Node, given: Sequence[Any]) -> list[SymbolicTensor]:
    """Add a copy of a node to the graph that is recording, and return its results."""
    graph = _current()
    inputs = tuple([graph.capture(each) for each in given])
    values = dict(zip(map(id, node.inputs), inputs))
    regions = tuple([_copy_region(each, graph, values) for each in node.regions])
    specs = [each.spec for each in node.outputs]
    made = graph.append(node.op, inputs, node.attrs, regions, specs, node.name, node.origin)
    made.label = node.label
    for new, old in zip(made.outputs, node.outputs):
        new.weak = old.weak
    return list(made.outputs)


def _fail(kind: type[BaseException]) -> Values:
    """Record a node that fails, in the place of one whose operands no file has."""
    apply(REGISTRY["check"], (to_tensor(False),), error=kind, message="")
    return []


def _branches(node: Node, chooser: Any, regions: Sequence[Graph]) -> Values:
    if node.op.name == "cond":
        return list(record_cond(chooser, regions[0], regions[1]))
    return list(record_switch(chooser, regions))
