"""Lowering of branches and loops to nodes that name functions of the library.

    %cond = cond(%greater, %x)             cond = StatelessIf(Greater, x)
      then(%x: int32 = %x): ...    ->        then_branch: cond_true_3091864211
      else(%x: int32 = %x): ...              else_branch: cond_false_1270954308

A region becomes a function whose parameters are the region's inputs. Its name ends in a hash of its
contents. If a region has effects, the node is the one that TensorFlow keeps in order (`If`,
`While`, `Case`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from runtime.core.dtypes import DType, bool_, int32
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor
from runtime.export.graphdef.function_body import Body, ValueRef, argument_name
from runtime.export.graphdef.functions import Results, function_def, parameter
from runtime.export.graphdef.item_types import operands_of
from runtime.export.graphdef.messages import NameAttrList
from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule, Value, flat
from runtime.export.graphdef.rules.axes import as_int32
from runtime.graph.graph import Graph

# Makes TensorFlow turn loops and branches into Switch and Merge nodes before it runs them.
_LOWERED = {"_lower_using_switch_merge": True}
_SCALAR = TensorShape.of(())


class LoweredFunction:
    """A region or a called graph that becomes a function.

    Args:
        step: the node of the region, or the call.
        graph: the region, or the called graph.
        word: its role as part of the name, such as `true` or `body`.
        scope: the prefix of the name of a called graph; None for a region, which has the node's.
    """

    def __init__(
        self, step: GraphDefNodeLowering, graph: Graph, word: str, scope: str | None = None
    ) -> None:
        is_region = scope is None
        scope = step.body.prefix + step.scope if scope is None else scope
        self.body = Body(f"{scope}/" if is_region else "", is_function=True)
        self._name = f"{scope}_{word}"
        self.region = step.region.inner(graph, self.body)
        self.graph = graph
        self._scope = f"{scope}_" if is_region else ""
        self.parameters: list[ValueRef] = []
        self._library = step.region.library

    def count(self) -> list[ValueRef]:
        """Add the parameters of a loop for the number of iterations so far, and their limit."""
        names = (f"{self._scope}{name}" for name in ("loop_counter", "maximum_iterations"))
        self.parameters += [parameter(self.body, name, int32) for name in names]
        for ref in self.parameters:
            self.body.has_spec(ref, TensorSpec((), int32))
        return list(self.parameters)

    def enter(self) -> None:
        """Add the parameters, and all nodes."""
        inputs = self.graph.inputs
        refs: list[ValueRef] = []
        for tensor in inputs:
            wanted = f"{self._scope}{tensor.node.name}"
            kinds = self.region.kinds(tensor)
            refs += [parameter(self.body, wanted, kind) for kind in kinds]
        self.parameters += refs
        for tensor, value in zip(inputs, self.region.grouped(refs, inputs)):
            self.region.give(tensor, value)
        self.region.lower()

    def of(self, tensors: Sequence[SymbolicTensor]) -> list[ValueRef]:
        """Return the lowered forms of values of the region."""
        return list(flat(self.region.value(tensor) for tensor in tensors))

    def leave(self, changed: Sequence[ValueRef], passed: Sequence[ValueRef] = ()) -> NameAttrList:
        """Add the function to the library and return a reference to it."""
        last = self.region.last_changes()
        # Nodes that may fail must run, like nodes with effects.
        self.body.is_stateful |= bool(last)
        if self._library.target.copies_results:
            changed = [*self._copied(changed)]
        results = Results(changed, passed)
        made = function_def(self._name, self.body, self.parameters, results, last)
        return self._library.add(made, self.body.facts)

    def _copied(self, refs: Sequence[ValueRef]) -> Iterator[ValueRef]:
        """Yield results, and copies of those that are another parameter or an earlier result."""
        seen: list[ValueRef] = []
        for place, ref in enumerate(refs):
            other = self.parameters[:place] + self.parameters[place + 1 :]
            while isinstance(ref.kind, DType) and _is_plain(ref.kind) and ref in (*other, *seen):
                # The greater of a value and itself, which no converter simplifies.
                op = "LogicalOr" if ref.kind.is_bool else "Maximum"
                ref = self.body.add(op, [ref, ref])[0]
            seen.append(ref)
            yield ref


def _is_plain(dtype: DType) -> bool:
    return dtype.is_bool or dtype.is_integer or dtype.is_floating


def _branch(step: GraphDefNodeLowering, graph: Graph, word: str) -> tuple[NameAttrList, bool]:
    """Lower a branch to a function; return it, and whether it has effects."""
    function = LoweredFunction(step, graph, word)
    function.enter()
    results: list[ValueRef] = []
    for tensor in _with_flags(step, graph.outputs):
        if tensor is None:
            results.append(function.body.const(np.array(True)))
        else:
            results += function.of([tensor])
    return function.leave(results), function.body.is_stateful


def _with_flags(
    step: GraphDefNodeLowering, tensors: Sequence[SymbolicTensor]
) -> list[SymbolicTensor | None]:
    """Return the results of a branch, and None for a flag that is True in all branches."""
    exits: Any = step.attrs.get("exits", ())
    found: list[SymbolicTensor | None] = list(tensors)
    for at, _ in reversed(exits):
        found.insert(at, None)
    return found


def _cond(step: GraphDefNodeLowering) -> Any:
    then, orelse = step.node.regions
    true, true_changes = _branch(step, then, "true")
    false, false_changes = _branch(step, orelse, "false")
    op = "If" if true_changes or false_changes else "StatelessIf"
    made = _node(step, op, step.inputs[0], then_branch=true, else_branch=false)
    return _results(step, made)


def _switch(step: GraphDefNodeLowering) -> Any:
    found = [_branch(step, graph, f"branch{at}") for at, graph in enumerate(step.node.regions)]
    op = "Case" if any(changes for _, changes in found) else "StatelessCase"
    index = as_int32(step, step.inputs[0])
    made = _node(step, op, index, branches=[name for name, _ in found])
    return _results(step, made)


def _node(
    step: GraphDefNodeLowering, op: str, chooser: ValueRef, **functions: Any
) -> list[ValueRef]:
    kinds: list[Any] = []
    shapes: list[TensorShape] = []
    for inner, tensor in zip(
        _with_flags(step, step.node.regions[0].outputs), _with_flags(step, step.node.outputs)
    ):
        kinds += [bool_] if inner is None else step.region.kinds(inner)
        shapes += [_SCALAR] if tensor is None else _shapes(step, [tensor])
    attrs = {"Tout": kinds, "output_shapes": shapes, **functions, **_LOWERED}
    made = step.last(op, chooser, list(flat(step.inputs[1:])), **attrs)
    return made if isinstance(made, list) else [made]


def _results(step: GraphDefNodeLowering, refs: Sequence[ValueRef]) -> list[Value]:
    """Return the results, each behind an Identity node as in TensorFlow."""
    passed = iter([step.add("Identity", ref) for ref in refs])
    grouped: list[Value] = []
    for tensor in _with_flags(step, step.node.outputs):
        if tensor is None:
            next(passed)
        else:
            found = [next(passed) for _ in step.region.kinds(tensor)]
            grouped += step.region.grouped(found, [tensor])
    return grouped


def _shapes(step: GraphDefNodeLowering, tensors: Sequence[SymbolicTensor]) -> list[TensorShape]:
    """Return the shapes of lowered values; a list or variable is a scalar."""
    shapes: list[TensorShape] = []
    for tensor in tensors:
        kinds = step.region.kinds(tensor)
        is_plain = len(kinds) == 1 and kinds[0] is tensor.dtype and not tensor.dtype.is_variant
        shapes += [tensor.shape if is_plain else _SCALAR] * len(kinds)
    return shapes


# -- loops -----------------------------------------------------------------------------------------


def _while(step: GraphDefNodeLowering) -> Any:
    """Lower a loop; the captures of its regions are loop variables that do not change.

    As in TensorFlow, whose gradients rely on it, the first two loop variables are the number of
    iterations so far and their limit, -1 for none.
    """
    limit = step.attrs.get("maximum_iterations")
    counts = [step.const(0, "loop_counter"), step.const(_int(limit), "maximum_iterations")]
    test, body = step.node.regions
    tested, tests_change = _test(step, test, limit)
    turned, iterations_change = _iteration(step, body)
    loop = [*body.parameters, *(held.inner for held in body.captures)]
    made = step.last(
        "While" if tests_change or iterations_change else "StatelessWhile",
        [*counts, *flat(step.inputs)],
        cond=tested,
        body=turned,
        output_shapes=[_SCALAR, _SCALAR, *_shapes(step, loop)],
        parallel_iterations=10,
        **_LOWERED,
    )
    return step.region.grouped(made[len(counts) :], step.node.outputs)


def _test(step: GraphDefNodeLowering, graph: Graph, limit: int | None) -> tuple[NameAttrList, bool]:
    function = LoweredFunction(step, graph, "cond")
    counts = function.count()
    function.enter()
    found = function.of(graph.outputs)
    if limit is not None:
        less = function.body.add("Less", counts)[0]
        found = function.body.add("LogicalAnd", [less, found[0]])
    assert found[0].kind is bool_
    return function.leave(found), function.body.is_stateful


def _iteration(step: GraphDefNodeLowering, graph: Graph) -> tuple[NameAttrList, bool]:
    function = LoweredFunction(step, graph, "body")
    counter, most = function.count()
    function.enter()
    changed = function.of(graph.outputs)
    one = function.body.const(_int(1), function.body.names.fresh("one"))
    following = function.body.add("AddV2", [counter, one])
    captured = function.of([held.inner for held in graph.captures])
    kept = function.body.add("Identity", [most])
    made = function.leave([*following, *kept, *changed], captured)
    return made, function.body.is_stateful


def _int(value: int | None) -> Any:
    return np.array(-1 if value is None else value, np.int32)


# -- calls -----------------------------------------------------------------------------------------


def _call(step: GraphDefNodeLowering) -> Any:
    """Call a graph, which is one function for all its calls; captures are passed as arguments."""
    types = step.region.library.types
    graph = types.called(step.attrs["callee"])
    function = LoweredFunction(step, graph, argument_name(graph.name), "__inference")
    function.enter()
    name = function.leave(function.of(graph.outputs))
    operands = map(step.region.value, operands_of(step.node, graph))
    made = step.last(
        "StatefulPartitionedCall" if function.body.is_stateful else "PartitionedCall",
        list(flat(operands)),
        Tout=[kind for tensor in graph.outputs for kind in function.region.kinds(tensor)],
        f=name,
    )
    return step.region.grouped(made if isinstance(made, list) else [made], step.node.outputs)


RULES: dict[str, Rule] = {
    "function_call": _call,
    "cond": _cond,
    "switch_case": _switch,
    "while_loop": _while,
}
