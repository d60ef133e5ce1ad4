"""Control flow as nodes: traced regions become one `cond`, `while_loop` or `switch_case` node.

then = Graph("then", outer=graph)                %cond = cond(%p, %x) : int32
with then.recording():                   ->        then(%x: int32 = %x):
    y = x + x                                        %add = add(%x, %x) : int32
then.set_outputs([y])                                return %add
record_cond(p, then, orelse)                       else(%x: int32 = %x): ...
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index as as_int

from runtime.core.context import current_recorder
from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor, Tensor
from runtime.errors import GraphError
from runtime.graph.capture import align_captures
from runtime.graph.graph import Graph
from runtime.graph.region_ops import COND, SWITCH, WHILE
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import add
from runtime.ops.elementwise.comparison import less
from runtime.ops.elementwise.logic import logical_and
from runtime.ops.op import Op


def record_cond(
    pred: Tensor, then: Graph, orelse: Graph, exits: Sequence[tuple[int, str]] = ()
) -> tuple[SymbolicTensor, ...]:
    """Record that `then` or `orelse` runs, and return the node's outputs.

    Args:
        pred: scalar bool.
        then, orelse: regions of the current graph, without parameters, with equally many outputs.
        exits: flags that both branches set to True and that are no outputs: the index of the output
            before which each belongs, and its statement, such as `(0, "return")`.

    Returns:
        One tensor per output, with the common dtype and the most specific common shape; weak if
        both are.

    Raises:
        DTypeError: the branches disagree in a dtype, or `pred` is not bool.
        ShapeError: `pred` is not a scalar.
        GraphError: the branches have different numbers of outputs, or are no regions of the graph
            that is recording.

    >>> import autograph.runtime as rt
    >>> graph = rt.Graph("f")
    >>> x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
    >>> with graph.recording():
    ...     then, orelse = rt.Graph("then", outer=graph), rt.Graph("else", outer=graph)
    ...     for region, number in ((then, 1), (orelse, 2)):
    ...         with region.recording():
    ...             region.set_outputs([rt.constant(number)])
    ...     graph.set_outputs(record_cond(x > 0, then, orelse))
    >>> from runtime.executors import run
    >>> import numpy as np
    >>> [int(run(graph, [np.array(number, np.int32)])[0]) for number in (5, -5)]
    [1, 2]
    """
    attrs = {"exits": tuple(exits)} if exits else {}
    return _record_branches(COND, pred, (then, orelse), attrs)


def record_switch(index: Tensor, branches: Sequence[Graph]) -> tuple[SymbolicTensor, ...]:
    """Record that `branches[index]` runs, or the last branch for any other index.

    >>> import numpy as np, runtime as rt
    >>> graph = rt.Graph("f")
    >>> x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
    >>> with graph.recording():
    ...     regions = [rt.Graph(name, outer=graph) for name in ("first", "second")]
    ...     for number, region in enumerate(regions):
    ...         with region.recording():
    ...             region.set_outputs([rt.constant(number)])
    ...     graph.set_outputs(record_switch(x, regions))
    >>> from runtime.executors import run
    >>> [int(run(graph, [np.array(number, np.int32)])[0]) for number in (0, 1, 7)]
    [0, 1, 1]
    """
    return _record_branches(SWITCH, index, tuple(branches), {})


def record_while(
    test: Graph,
    body: Graph,
    init: Sequence[Tensor],
    exits: Mapping[int, str] | None = None,
    maximum_iterations: int | Tensor | None = None,
) -> tuple[SymbolicTensor, ...]:
    """Record a loop and return its variables after the last iteration.

    Args:
        test: region from loop variables to one scalar bool.
        body: region from loop variables to their next values.
        init: their initial values; shapes may be narrower than those of the regions' parameters.
        exits: the loop variables that are flags of `break`, `continue` or `return`, by position.
        maximum_iterations: an upper bound, a Python int or a scalar integer tensor.

    >>> import numpy as np, runtime as rt
    >>> spec = rt.TensorSpec((), rt.int32)
    >>> graph = rt.Graph("f")
    >>> x = graph.add_input(spec, "x")
    >>> with graph.recording():
    ...     test, body = (rt.Graph(name, outer=graph) for name in ("test", "body"))
    ...     with test.recording():
    ...         test.set_outputs([test.add_input(spec, "n") < 100])
    ...     with body.recording():
    ...         body.set_outputs([body.add_input(spec, "n") * 2])
    ...     graph.set_outputs(record_while(test, body, [x]))
    >>> from runtime.executors import run
    >>> int(run(graph, [np.array(3, np.int32)])[0])
    192
    """
    outer = _enclosing((test, body))
    if isinstance(maximum_iterations, Tensor):
        start = _count_iterations(test, body, maximum_iterations)
        return record_while(test, body, [*init, start], exits)[:-1]
    captured = align_captures(outer, (test, body))
    attrs = {
        "variables": len(init),
        "exits": tuple(sorted((exits or {}).items())),
        "maximum_iterations": None if maximum_iterations is None else as_int(maximum_iterations),
    }
    outputs = outer.record(WHILE, (*init, *captured), attrs, (test, body))
    for output, parameter in zip(outputs, body.parameters, strict=True):
        output.weak = parameter.weak
    return outputs


def _record_branches(
    op: Op, chooser: Tensor, regions: tuple[Graph, ...], attrs: Mapping[str, object]
) -> tuple[SymbolicTensor, ...]:
    outer = _enclosing(regions)
    captured = align_captures(outer, regions)
    outputs = outer.record(op, (chooser, *captured), attrs, regions)
    for position, output in enumerate(outputs):
        output.weak = all(region.outputs[position].weak for region in regions)
    return outputs


def _enclosing(regions: Sequence[Graph]) -> Graph:
    """Return the current graph, which must be the one that the regions were traced in."""
    recorder = current_recorder()
    if not isinstance(recorder, Graph):
        raise GraphError("control flow can only be recorded while a graph is recording")
    for region in regions:
        if region.outer is not recorder:
            raise GraphError(f"'{region.name}' is not a region of '{recorder.name}'")
    return recorder


def _count_iterations(test: Graph, body: Graph, limit: Tensor) -> Tensor:
    """Add a counter that ends the loop after `limit` iterations; return its initial value."""
    spec = TensorSpec((), limit.dtype)
    counter = test.add_input(spec, "iteration")
    with test.recording():
        outputs = [logical_and(less(counter, limit), test.outputs[0])]
    test.set_outputs(outputs)
    counter = body.add_input(spec, "iteration")
    with body.recording():
        outputs = [*body.outputs, add(counter, 1)]
    body.set_outputs(outputs)
    return to_tensor(0, dtype=limit.dtype)
