"""Source text of calls of graphs, of the interpreter, and of recursive functions.

%recursion = recursion(%n)           def fact(n):
  fact(%n):                              if n <= 1:
    ...                         ->           return n
    %call = call(%subtract)              call = fact(n - 1)
                                         ...

A recursive region is printed as a Python function. If Python's recursion limit is too low, the
interpreter runs the call again from the start. A function with effects, or one that catches errors,
cannot run again: it counts its depth, and the interpreter continues from some depth on.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.executors import interpreter
from runtime.executors.numpy.name_allocation import Names, identifier
from runtime.executors.numpy.numbers.representation import is_number, number_of
from runtime.executors.numpy.print_context import PrintContext, SelfCaller
from runtime.executors.numpy.source_writer import PrintedNode
from runtime.executors.plan import Run
from runtime.executors.planning import is_shallow
from runtime.graph.callee import CalledGraph, Callee, called_graph
from runtime.graph.node import Node

# Calls inside of calls of themselves that Python makes of what is counted. By default it has room
# for a thousand frames, a quarter of which may be there before the first call.
MOST_CALLS = 300


class UnprintableCall(Exception):
    """Raised for a recursive function that cannot be printed."""


def region_call(run: Run, printer: PrintContext) -> str:
    """Return the call that runs a node whose regions are not printed.

    Raises:
        Unprintable: it calls a function that it is inside of, which the interpreter would not find.
    """
    operands = [printer.array_text(slot, each) for slot, each in zip(run.reads, run.node.inputs)]
    called = called_graph(run.node.attrs)
    if called is not None:
        callee = printer.others.callee_of(called.graph, not _knows_captures(called, run))
        given = callee.taken_of(operands, len(called.graph.parameters))
        name = printer.names.of_object(callee.function, f"call_{callee.function.__name__}")
        return f"{name}({', '.join(given)})"
    if printer.callers and _calls_out(run.node):
        raise UnprintableCall
    runner = interpreter.runner_of(run.node)
    name = printer.names.of_object(runner, f"run_{identifier(run.node.op.name)}")
    return f"{name}({', '.join(operands)})"


def _calls_out(node: Node) -> bool:
    """Return whether a region of a node calls a function whose region is outside of the node."""
    nodes = [node, *(inner for region in node.regions for inner in region.walk())]
    own = {each.regions[0].name for each in nodes if each.op.name == "recursion"}
    callees = [each.attrs.get("callee") for each in nodes]
    return any(isinstance(each, Callee) and each.name not in own for each in callees)


def _knows_captures(called: CalledGraph, run: Run) -> bool:
    """Return whether the captures passed to a called graph are the values that the graph holds."""
    given = run.reads[len(called.graph.parameters) :]
    pairs = zip(given, called.graph.captures)
    return all(slot.outer is held.outer for slot, held in pairs)


def print_self_call(run: Run, printer: PrintContext) -> bool:
    """Print a call of a function that calls itself; False where that is not printed."""
    node = run.node
    callee = node.attrs.get("callee")
    if isinstance(callee, Callee):
        function = printer.others.known.get(callee.name)
        called = "" if function is None else function.name
    else:
        function = _function_of(node, printer)
        called = "" if function is None else _outermost(node, function, printer)
    if function is None:
        return False
    taken = zip(run.reads, node.inputs, function.parameters)
    given = [printer.given(slot, tensor, like) for slot, tensor, like in taken]
    if called != function.name:
        given.insert(0, function.name)
    elif function.is_counted:
        given.append(printer.depth)
    _assign(run, function, f"{called}({', '.join(given)})", printer)
    return True


def _function_of(node: Node, printer: PrintContext) -> SelfCaller | None:
    """Return the function for a node that makes the first call, printed; None where it cannot."""
    if node.op.name != "recursion" or not is_shallow(node.regions[0]):
        return None
    (region,), others = node.regions, printer.others
    function = SelfCaller(
        printer.names.of_function(region.name),
        region.inputs,
        tuple(region.outputs),
        bool(printer.depth) or not _may_begin_anew(node),
    )
    # A printed function of the same name is complete, so it makes no more calls by that name.
    others.known[region.name] = function
    count, names = len(others.printed), Names(printer.names)
    inner = type(printer)(others.prepare(region), others, names)
    inner.callers = (*printer.callers, node)
    try:
        inner.function_of_numbers(function)
    except UnprintableCall:
        if printer.callers:
            raise
        del others.printed[count:]
        return None
    return function


def _may_begin_anew(node: Node) -> bool:
    """Return whether running a call again is invisible: it has no effects and catches no errors."""
    (region,) = node.regions
    is_caught = any(inner.op.name == "try_except" for inner in region.walk())
    return node.effect in ("none", "read") and not is_caught


def count_call(function: SelfCaller, parameters: Sequence[str], printer: PrintContext) -> None:
    """Print the beginning of a function with its call depth as a parameter.

    Args:
        function: the function.
        parameters: the names of its parameters, without the depth.
        printer: writes the function.
    """
    lines, depth = printer.lines, printer.depth
    go_on = printer.names.of_object(_go_on(printer.callers, function), f"go_on_{function.name}")
    lines.add(f"if {depth} == {MOST_CALLS}:")
    lines.add(f"    return {go_on}({', '.join(parameters)})")
    lines.add(f"{depth} += 1")


def _outermost(node: Node, function: SelfCaller, printer: PrintContext) -> str:
    """Return the callee of a first call: calls too deep for Python go another way."""
    if printer.callers and not function.is_counted or printer.depth:
        return function.name
    if function.is_counted:
        call = _if_there_is_room(_go_on((node,), function, depth=0))
    else:
        call = _at_any_depth(node, function)
    return printer.names.of_object(call, f"deep_{function.name}")


# -- while the program runs ------------------------------------------------------------------------


def _at_any_depth(node: Node, function: SelfCaller) -> Callable[..., Any]:
    run_node = interpreter.runner_of(node)

    def call(compute: Callable[..., Any], *given: Any) -> Any:
        try:
            return compute(*given)
        except RecursionError:
            pass
        return _interpreted(function, given, run_node)

    return call


def _if_there_is_room(otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that makes the first call if Python's stack has enough room."""

    def call(compute: Callable[..., Any], *given: Any) -> Any:
        return compute(*given, 0) if _has_room() else otherwise(*given)

    return call


def _has_room() -> bool:
    """Return whether enough of Python's stack is free for all counted calls."""
    try:
        sys._getframe(sys.getrecursionlimit() // 4)
    except ValueError:
        return sys.getrecursionlimit() >= 3 * MOST_CALLS
    return False


def _go_on(
    nodes: Sequence[Node], function: SelfCaller, depth: int = MOST_CALLS
) -> Callable[..., Any]:
    """Return a function that runs a call of the last node's function in the interpreter.

    Args:
        nodes: the nodes of the first calls, each inside the function of the previous one.
        function: the function of the last node.
        depth: the recursion depth of the call.
    """
    run_call = interpreter.caller_of(nodes, depth)

    def go_on(*given: Any) -> Any:
        return _interpreted(function, given, lambda *arrays: run_call(arrays))

    return go_on


def _interpreted(
    function: SelfCaller, given: Sequence[Any], run: Callable[..., Sequence[Any]]
) -> Any:
    """Return the results of a run on arrays, in the forms that the printed function uses."""
    arrays = [
        np.array(each, like.dtype.np_dtype) if is_number(like.spec) else each
        for each, like in zip(given, function.parameters)
    ]
    results = [
        number_of(each) if is_number(like.spec) else each
        for each, like in zip(run(*arrays), function.results)
    ]
    return results[0] if len(results) == 1 else results


# -- results ---------------------------------------------------------------------------------------


def _assign(run: Run, function: SelfCaller, call: str, printer: PrintContext) -> None:
    targets, after = [], []
    for slot, tensor, like in zip(run.writes, run.node.outputs, function.results):
        target, is_one = printer.name_of(slot), is_number(like.spec)
        if is_one != (slot in printer.held):
            name, target = target, printer.names.fresh(slot.name)
            make = printer.numbers.to_array if is_one else printer.numbers.from_array
            after.append(f"{name} = {make(tensor, target)}")
        targets.append(target)
    printer.write(run, f"{', '.join(targets)}{' = ' * bool(targets)}{call}", ())
    for line in after:
        printer.lines.add(line, PrintedNode(run.node, ()))
