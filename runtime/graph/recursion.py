"""Recursive functions: regions that nodes inside of them may call.

    %recursion = recursion(%n) {name='fact'} : int32
      fact(%n: int32):
        %less_equal = less_equal(%n, %one) : bool
        %cond = cond(%less_equal, %n) : int32
          then(...): ...
          else(%n: int32 = %n):
            %subtract = subtract(%n, %one) : int32
            %call = call(%subtract) {callee=fact} : int32
            ...
        return %cond

The operands of `recursion` are the arguments of the first call, then the captures of its region. A
`call` names an enclosing region, and passes arguments and captures: captures have the same values
at every recursion depth.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.core.context import current_recorder
from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor, Tensor
from runtime.errors import GraphError
from runtime.graph.callee import RecursiveRegion
from runtime.graph.capture import Outer, align_captures, input_of
from runtime.graph.graph import Graph
from runtime.graph.region_ops import check_arguments
from runtime.ops.op import define


def record_recursion(region: Graph, arguments: Sequence[Tensor]) -> tuple[SymbolicTensor, ...]:
    """Record the first call of a recursive region, and return its results.

    Args:
        region: a finished region of the graph now recording; its calls name it by its name.
        arguments: one tensor per parameter; shapes may be narrower than the parameter's.

    Raises:
        DTypeError, ShapeError: the region does not accept an argument.
        GraphError: the graph around the region is not recording, or the number of arguments is
            wrong.
    """
    outer = current_recorder()
    if not isinstance(outer, Graph) or region.outer is not outer:
        raise GraphError(f"'{region.name}' is not a region of the graph that is recording")
    captured = align_captures(outer, (region,))
    attrs = {"name": region.name}
    outputs = outer.record(RECURSION, (*arguments, *captured), attrs, (region,))
    for output, result in zip(outputs, region.outputs, strict=True):
        output.weak = result.weak
    return outputs


def record_call(
    callee: RecursiveRegion,
    arguments: Sequence[Tensor],
    captured: Sequence[Outer],
    weak: Sequence[bool] = (),
) -> tuple[SymbolicTensor, ...]:
    """Record a recursive call of an enclosing region, and return its results.

    Args:
        callee: the region's signature; the finished region must have these results and this effect.
        arguments: one tensor per parameter.
        captured: the outer values of the region's captures.
        weak: for each result, whether it stands for a Python number; none does by default.

    Raises:
        GraphError: the current graph is not inside of the region.
    """
    inner = current_recorder()
    if not isinstance(inner, Graph) or enclosing_region(inner, callee.name) is None:
        raise GraphError(f"'{callee.name}' is called outside of it")
    inputs = (*arguments, *(inner.capture(value) for value in captured))
    outputs = inner.record(CALL, inputs, {"callee": callee})
    for output, is_weak in zip(outputs, weak):
        output.weak = is_weak
    return outputs


def callee_of(
    region: Graph, captured: Sequence[Outer], outputs: Sequence[TensorSpec], effect: str = "none"
) -> RecursiveRegion:
    """Return the signature of a region that is being recorded, for calls inside of it.

    Args:
        region: the region, with its parameters.
        captured: the outer values of its future captures.
        outputs: the specs of its future results.
        effect: its future effect.
    """
    inputs = [tensor.spec for tensor in region.parameters]
    inputs += [input_of(value)[0] for value in captured]
    return RecursiveRegion(region.name, tuple(inputs), tuple(outputs), effect)


def enclosing_region(graph: Graph, name: str) -> Graph | None:
    """Return the region called `name` that is or encloses `graph`, None if there is none."""
    enclosing: Graph | None = graph
    while enclosing is not None and not (enclosing.name == name and enclosing.is_called):
        enclosing = enclosing.outer
    return enclosing


def _infer_recursion(
    *operands: TensorSpec, regions: Sequence[Graph], name: str
) -> tuple[TensorSpec, ...]:
    (region,) = regions
    check_arguments(name, operands, [tensor.spec for tensor in region.inputs])
    return tuple(tensor.spec for tensor in region.outputs)


def _infer_call(*operands: TensorSpec, callee: RecursiveRegion) -> tuple[TensorSpec, ...]:
    check_arguments(callee.name, operands, callee.inputs)
    return callee.outputs


RECURSION = define("recursion", None, _infer_recursion, n_outputs=None)
CALL = define("call", None, _infer_call, n_outputs=None)
