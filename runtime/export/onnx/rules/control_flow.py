"""Branches as If nodes and loops as Loop nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from runtime.core.dtypes import bool_, int64
from runtime.export.onnx.node_lowering import OnnxNodeLowering, Rule
from runtime.export.onnx.values import (
    MISSING,
    Missing,
    ModelTensor,
    VariableHandle,
    tensors_in,
    with_tensors,
)
from runtime.graph.callee import called_graph
from runtime.graph.capture import outermost
from runtime.graph.graph import Graph
from runtime.passes.cse import written_handles

Build: TypeAlias = Callable[[], list[Any]]


class _LoweredBranch(NamedTuple):
    """A lowered branch: its nodes, its results, and the values of variables at its end."""

    nodes: list[Any]
    values: list[Any]
    state: dict[int, ModelTensor]


def _cond(step: OnnxNodeLowering) -> list[Any]:
    condition, *captures = step.inputs
    builds = [partial(step.graph.lower, region, captures) for region in step.node.regions]
    return chosen(step, condition, builds[0], builds[1])


def _call(step: OnnxNodeLowering) -> list[Any]:
    """Lower the nodes of the called graph in place of the call."""
    called = called_graph(step.node.attrs)
    assert called is not None
    return step.graph.lower(called.graph, step.inputs)


def _switch(step: OnnxNodeLowering) -> list[Any]:
    index, *captures = step.inputs
    builds = [partial(step.graph.lower, region, captures) for region in step.node.regions]
    return _one_of(step, index, builds, 0)


def _one_of(step: OnnxNodeLowering, index: Any, builds: Sequence[Build], number: int) -> list[Any]:
    """Choose a branch by its number; the last one is for all other numbers."""
    if len(builds) == 1:
        return builds[0]()
    if isinstance(index, Missing):
        return chosen(step, MISSING, builds[0], partial(_one_of, step, index, builds[1:], 0))
    is_this = step.op("Equal", step.cast(index, int64), step.number(number))
    rest = partial(_one_of, step, index, builds[1:], number + 1)
    return chosen(step, is_this, builds[0], rest)


def chosen(step: OnnxNodeLowering, condition: Any, then: Build, orelse: Build) -> list[Any]:
    """Return the values of the first branch if a condition holds, else those of the second."""
    before = step.graph.state
    branches = [_branch(step, build, before) for build in (then, orelse)]
    written = [key for key in before if any(each.state[key] != before[key] for each in branches)]
    rows = [[*each.values, *(each.state[key] for key in written)] for each in branches]
    results = _if_node(step, condition, [each.nodes for each in branches], rows)
    count = len(results) - len(written)
    step.graph.state = {**before, **dict(zip(written, results[count:]))}
    return results[:count]


def _branch(step: OnnxNodeLowering, build: Build, before: dict[int, ModelTensor]) -> _LoweredBranch:
    step.graph.state = dict(before)
    with step.builder.nested() as nodes:
        values = build()
    return _LoweredBranch(nodes, values, step.graph.state)


def _if_node(
    step: OnnxNodeLowering, condition: Any, nodes: Sequence[list[Any]], rows: Sequence[list[Any]]
) -> list[Any]:
    kept = [at for at, pair in enumerate(zip(*rows)) if not any(map(_is_missing, pair))]
    results: list[Any] = [MISSING] * len(rows[0])
    if isinstance(condition, Missing) or not kept:
        return results
    flat = [_flat(step, [row[at] for at in kept]) for row in rows]
    if not flat[0]:
        for at in kept:
            results[at] = rows[0][at]
        return results
    graphs = [_graph(step, made, parts) for made, parts in zip(nodes, flat)]
    made = _results(step, "If", flat[0])
    step.builder.raw(
        "If",
        [step.cast(condition, bool_).name],
        [each.name for each in made],
        then_branch=graphs[0],
        else_branch=graphs[1],
    )
    rest = iter(made)
    for at in kept:
        results[at] = with_tensors(rows[0][at], rest)
    return results


def _is_missing(value: Any) -> bool:
    return isinstance(value, Missing)


def _flat(step: OnnxNodeLowering, values: Iterable[Any]) -> list[ModelTensor]:
    found: list[ModelTensor] = []
    for value in values:
        if isinstance(value, VariableHandle):
            raise step.unsupported("ONNX has no value that stands for one of several variables")
        found += tensors_in(value)
    return found


def _results(
    step: OnnxNodeLowering, operator: str, like: Sequence[ModelTensor]
) -> list[ModelTensor]:
    base = f"{step.node.name}/{operator}"
    return [ModelTensor(step.builder.fresh(base), each.dtype) for each in like]


def _graph(
    step: OnnxNodeLowering,
    nodes: list[Any],
    values: Sequence[ModelTensor],
    inputs: Sequence[Any] = (),
) -> Any:
    return step.builder.graph(nodes, values, inputs, step.node.name)


# -- loops -----------------------------------------------------------------------------------------


def _while(step: OnnxNodeLowering) -> list[Any]:
    """Lower a loop; ONNX takes the test of the next iteration from the body of this one."""
    count = step.attrs["variables"]
    test, body = step.node.regions
    captures, written = list(step.inputs[count:]), _written(step, (test, body))
    condition = step.graph.lower(test, step.inputs)[0]
    first = [*step.inputs[:count], *(step.graph.state[key] for key in written)]
    parts = _flat(step, first)
    iteration = [ModelTensor(step.builder.fresh(f"{step.node.name}/iteration"), int64)]
    iteration.append(ModelTensor(step.builder.fresh(f"{step.node.name}/condition"), bool_))
    variables = _results(step, "variable", parts)
    values = [with_tensors(value, rest) for rest in [iter(variables)] for value in first]
    before = step.graph.state
    step.graph.state = {**before, **dict(zip(written, values[count:]))}
    with step.builder.nested() as nodes:
        results = step.graph.lower(body, [*values[:count], *captures])
        again = step.graph.lower(test, [*results, *captures])[0]
    ends = [*results, *(step.graph.state[key] for key in written)]
    step.graph.state = before
    if any(map(_is_missing, (condition, again, *first, *ends))):
        return [MISSING] * count
    infos = [step.builder.value_info(each, []) for each in iteration]
    infos += [step.builder.value_info(each) for each in variables]
    graph = _graph(step, nodes, [again, *_flat(step, ends)], infos)
    made = _loop_node(step, condition, parts, graph)
    found = [with_tensors(value, rest) for rest in [iter(made)] for value in first]
    step.graph.state = {**before, **dict(zip(written, found[count:]))}
    return found[:count]


def _loop_node(
    step: OnnxNodeLowering, condition: ModelTensor, parts: Sequence[ModelTensor], graph: Any
) -> list[ModelTensor]:
    made = _results(step, "Loop", parts)
    if not made:
        return made
    limit = step.attrs["maximum_iterations"]
    most = "" if limit is None else step.number(limit).name
    names = [each.name for each in parts]
    outputs = [each.name for each in made]
    step.builder.raw("Loop", [most, condition.name, *names], outputs, body=graph)
    return made


def _written(step: OnnxNodeLowering, regions: Iterable[Graph]) -> list[int]:
    """Return the identities of the variables that nodes of the regions write."""
    found = {
        id(outermost(handle)): None
        for region in regions
        for node in region.walk()
        for handle in written_handles(node)
    }
    return [key for key in found if key in step.graph.state]


RULES: dict[str, Rule] = {
    "cond": _cond,
    "function_call": _call,
    "switch_case": _switch,
    "while_loop": _while,
}
