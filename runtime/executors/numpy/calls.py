"""Calls: of whole graphs, of the interpreter, and of functions that call themselves.

%recursion = recursion(%n)           def fact(n):
  fact(%n):                              if n <= 1:
    ...                         ->           return n
    %call = call(%subtract)              call = fact(n - 1)
                                         ...

A region that calls itself is a function of Python's. Python's own depth of calls may not be enough;
then the interpreter begins anew, so only functions without effects are printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from runtime.executors import interpreter
from runtime.executors.numpy.names import Names, identifier
from runtime.executors.numpy.numbers.representation import is_number, number_of
from runtime.executors.numpy.writing import Place
from runtime.executors.plan import Run
from runtime.executors.planning import is_shallow
from runtime.graph.callee import CalledGraph, Callee, called_graph
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.tensor import SymbolicTensor

if TYPE_CHECKING:
    from runtime.executors.numpy.printing import Printer

# What has statements of its own, so that calls in its regions are printed.
_PRINTED = frozenset(("cond", "switch_case", "while_loop", "recursion"))


class SelfCaller(NamedTuple):
    """A region as a printed function: how it is called, what it takes and what it gives."""

    name: str
    parameters: Sequence[SymbolicTensor]
    results: Sequence[SymbolicTensor]


def region_call(run: Run, printer: Printer) -> str:
    """Return the call that runs a node whose regions are not printed."""
    operands = [printer.array_text(slot, each) for slot, each in zip(run.reads, run.node.inputs)]
    called = called_graph(run.node.attrs)
    if called is not None and _knows_captures(called, run):
        callee = printer.others.callee_of(called.graph).function
        name = printer.names.of_object(callee, f"call_{callee.__name__}")
        return f"{name}({', '.join(operands[: len(called.graph.parameters)])})"
    runner = interpreter.runner_of(run.node)
    name = printer.names.of_object(runner, f"run_{identifier(run.node.op.name)}")
    return f"{name}({', '.join(operands)})"


def _knows_captures(called: CalledGraph, run: Run) -> bool:
    """Return whether a call gives a graph just what it uses from outside by itself."""
    given = run.reads[len(called.graph.parameters) :]
    pairs = zip(given, called.graph.captures)
    return all(slot.outer is held.outer for slot, held in pairs)


def print_self_call(run: Run, printer: Printer) -> bool:
    """Print a call of a function that calls itself; False where that is not printed."""
    node = run.node
    callee = node.attrs.get("callee")
    if isinstance(callee, Callee):
        function = printer.others.known.get(callee.name)
        called = "" if function is None else f"{function.name}("
    else:
        function = _function_of(node, printer)
        called = "" if function is None else _outermost(node, function, printer)
    if function is None:
        return False
    taken = zip(run.reads, node.inputs, function.parameters)
    given = [printer.given(slot, tensor, like) for slot, tensor, like in taken]
    _assign(run, function, f"{called}{', '.join(given)})", printer)
    return True


def _function_of(node: Node, printer: Printer) -> SelfCaller | None:
    """Return the function for a node that makes the first call, printed; None where it cannot."""
    if node.op.name != "recursion" or node.effect not in ("none", "read"):
        return None
    (region,) = node.regions
    if not (is_shallow(region) and region.outputs and _calls_are_printed(region)):
        return None
    function = SelfCaller(
        printer.names.of_function(region.name), region.inputs, tuple(region.outputs)
    )
    # Another one of this name, in a function that was printed before, is called no more.
    printer.others.known[region.name] = function
    names = Names(printer.names)
    inner = type(printer)(printer.others.prepare(region), printer.others, names)
    inner.function_of_numbers(function.name, function.results)
    return function


def _calls_are_printed(region: Graph) -> bool:
    return not any(
        each.op.name == "call"
        for node in region.walk()
        if node.regions and node.op.name not in _PRINTED
        for each in _nodes_in(node)
    )


def _nodes_in(node: Node) -> Iterator[Node]:
    for region in node.regions:
        yield from region.walk()


def _outermost(node: Node, function: SelfCaller, printer: Printer) -> str:
    """Return the beginning of the first call: what is too deep for Python goes another way."""
    if printer.is_inner:
        return f"{function.name}("
    call = _at_any_depth(node, function)
    return f"{printer.names.of_object(call, f'deep_{function.name}')}({function.name}, "


def _at_any_depth(node: Node, function: SelfCaller) -> Callable[..., Any]:
    run_node = interpreter.runner_of(node)
    dtypes = [each.dtype.np_dtype if is_number(each.spec) else None for each in function.parameters]
    numbers = [is_number(each.spec) for each in function.results]

    def call(compute: Callable[..., Any], *given: Any) -> Any:
        try:
            return compute(*given)
        except RecursionError:
            pass
        arrays = [
            each if dtype is None else np.array(each, dtype) for each, dtype in zip(given, dtypes)
        ]
        results = [
            number_of(each) if is_one else each for each, is_one in zip(run_node(*arrays), numbers)
        ]
        return results if len(results) > 1 else results[0]

    return call


def _assign(run: Run, function: SelfCaller, call: str, printer: Printer) -> None:
    targets, after = [], []
    for slot, tensor, like in zip(run.writes, run.node.outputs, function.results):
        target, is_one = printer.name_of(slot), is_number(like.spec)
        if is_one != (slot in printer.held):
            name, target = target, printer.names.fresh(slot.name)
            make = printer.numbers.to_array if is_one else printer.numbers.from_array
            after.append(f"{name} = {make(tensor, target)}")
        targets.append(target)
    printer.write(run, f"{', '.join(targets)} = {call}", ())
    for line in after:
        printer.lines.add(line, Place(run.node, ()))
