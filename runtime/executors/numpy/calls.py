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
from runtime.executors.numpy.name_allocation import NameAllocation, identifier
from runtime.executors.numpy.numbers.representation import is_number, number_of
from runtime.executors.numpy.print_context import PrintContext, SelfCaller
from runtime.executors.numpy.source_writer import PrintedNode
from runtime.executors.plan.plan import NodeRun
from runtime.executors.plan.plan_builder import is_shallow
from runtime.graph.callee import CalledGraph, RecursiveRegion, called_graph
from runtime.graph.node import Node

# The recursion depth at which a function that counts its depth continues in the interpreter. By
# default Python has room for a thousand frames, of which the caller may have used a quarter.
MOST_CALLS = 300


class UnprintableCall(Exception):
    """Raised for a recursive function that cannot be printed."""


def region_call(run: NodeRun, printer: PrintContext) -> str:
    """Return the call that runs a node whose regions are not printed.

    Raises:
        UnprintableCall: a region of the node calls a recursive function around the node, which the
            interpreter would not find.
    """
    operands = [printer.array_text(slot, each) for slot, each in zip(run.reads, run.node.inputs)]
    called = called_graph(run.node.attrs)
    if called is not None:
        callee = printer.others.callee_of(called.graph, not _captures_are_known(called, run))
        arguments = callee.used_inputs(operands, len(called.graph.parameters))
        name = printer.names.of_object(callee.function, f"call_{callee.function.__name__}")
        return f"{name}({', '.join(arguments)})"
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
    return any(isinstance(each, RecursiveRegion) and each.name not in own for each in callees)


def _captures_are_known(called: CalledGraph, run: NodeRun) -> bool:
    """Return whether a call passes the captures that the called graph refers to itself."""
    arguments = run.reads[len(called.graph.parameters) :]
    pairs = zip(arguments, called.graph.captures)
    return all(slot.outer is held.outer for slot, held in pairs)


def print_self_call(run: NodeRun, printer: PrintContext) -> bool:
    """Print a call of a recursive function; return False if the interpreter must run it."""
    node = run.node
    callee = node.attrs.get("callee")
    if isinstance(callee, RecursiveRegion):
        function = printer.others.known.get(callee.name)
        called = "" if function is None else function.name
    else:
        function = _function_of(node, printer)
        called = "" if function is None else _outermost(node, function, printer)
    if function is None:
        return False
    triples = zip(run.reads, node.inputs, function.parameters)
    arguments = [printer.given(slot, tensor, like) for slot, tensor, like in triples]
    if called != function.name:
        arguments.insert(0, function.name)
    elif function.is_counted:
        arguments.append(printer.depth)
    _assign(run, function, f"{called}({', '.join(arguments)})", printer)
    return True


def _function_of(node: Node, printer: PrintContext) -> SelfCaller | None:
    """Print the function that a node calls first, and return it; None if it cannot be printed."""
    if node.op.name != "recursion" or not is_shallow(node.regions[0]):
        return None
    (region,), others = node.regions, printer.others
    function = SelfCaller(
        printer.names.of_function(region.name),
        region.inputs,
        tuple(region.outputs),
        bool(printer.depth) or not _can_run_again(node),
    )
    # A printed function of the same name is complete, so it makes no more calls by that name.
    others.known[region.name] = function
    count, names = len(others.printed), NameAllocation(printer.names)
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


def _can_run_again(node: Node) -> bool:
    """Return whether a call may run again from its start: without effects and handlers."""
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
    go_on = printer.names.of_object(
        _continue_interpreted(printer.callers, function), f"go_on_{function.name}"
    )
    lines.add(f"if {depth} == {MOST_CALLS}:")
    lines.add(f"    return {go_on}({', '.join(parameters)})")
    lines.add(f"{depth} += 1")


def _outermost(node: Node, function: SelfCaller, printer: PrintContext) -> str:
    """Return the name to call; the interpreter takes over calls that are too deep for Python."""
    if printer.callers and not function.is_counted or printer.depth:
        return function.name
    if function.is_counted:
        call = _if_stack_has_room(_continue_interpreted((node,), function, depth=0))
    else:
        call = _with_fallback(node, function)
    return printer.names.of_object(call, f"deep_{function.name}")


# -- while the program runs ------------------------------------------------------------------------


def _with_fallback(node: Node, function: SelfCaller) -> Callable[..., Any]:
    run_node = interpreter.runner_of(node)

    def call(compute: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return compute(*arguments)
        except RecursionError:
            pass
        return _run_on_arrays(function, arguments, run_node)

    return call


def _if_stack_has_room(fallback: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that makes the first call if Python's stack has enough room."""

    def call(compute: Callable[..., Any], *arguments: Any) -> Any:
        return compute(*arguments, 0) if _has_room() else fallback(*arguments)

    return call


def _has_room() -> bool:
    """Return whether Python's stack has room for all counted calls."""
    try:
        sys._getframe(sys.getrecursionlimit() // 4)
    except ValueError:
        return sys.getrecursionlimit() >= 3 * MOST_CALLS
    return False


def _continue_interpreted(
    nodes: Sequence[Node], function: SelfCaller, depth: int = MOST_CALLS
) -> Callable[..., Any]:
    """Return a function that runs a call of the last node's function in the interpreter.

    Args:
        nodes: the nodes of the first calls, each inside the function of the previous one.
        function: the function of the last node.
        depth: the recursion depth of the call.
    """
    run_call = interpreter.caller_of(nodes, depth)

    def go_on(*arguments: Any) -> Any:
        return _run_on_arrays(function, arguments, lambda *arrays: run_call(arrays))

    return go_on


def _run_on_arrays(
    function: SelfCaller, arguments: Sequence[Any], run: Callable[..., Sequence[Any]]
) -> Any:
    """Convert numbers to arrays, run, and convert the results to the forms of the function."""
    arrays = [
        np.array(each, like.dtype.np_dtype) if is_number(like.spec) else each
        for each, like in zip(arguments, function.parameters)
    ]
    results = [
        number_of(each) if is_number(like.spec) else each
        for each, like in zip(run(*arrays), function.results)
    ]
    return results[0] if len(results) == 1 else results


# -- results ---------------------------------------------------------------------------------------


def _assign(run: NodeRun, function: SelfCaller, call: str, printer: PrintContext) -> None:
    targets, after = [], []
    for slot, tensor, like in zip(run.writes, run.node.outputs, function.results):
        target, is_number_result = printer.name_of(slot), is_number(like.spec)
        if is_number_result != (slot in printer.number_slots):
            name, target = target, printer.names.fresh(slot.name)
            make = printer.numbers.to_array if is_number_result else printer.numbers.from_array
            after.append(f"{name} = {make(tensor, target)}")
        targets.append(target)
    printer.write(run, f"{', '.join(targets)}{' = ' * bool(targets)}{call}", ())
    for line in after:
        printer.lines.add(line, PrintedNode(run.node, ()))
