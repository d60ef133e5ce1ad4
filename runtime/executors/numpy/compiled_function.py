"""Compiles a graph to one Python function."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any

from runtime.core.context import current_watchers
from runtime.core.errstate import hush, unhush
from runtime.core.tensor import SymbolicTensor
from runtime.core.weak_tables import dropping
from runtime.executors import interpreter
from runtime.executors.coalesce import coalesce
from runtime.executors.compile_options import CompileOptions, asked_of
from runtime.executors.counted_loops import count_iterations
from runtime.executors.fusing import fuse
from runtime.executors.jump_threading import recover_exits
from runtime.executors.liveness import last_uses, without_dead_parts
from runtime.executors.numpy.block_loops import goes_by_element
from runtime.executors.numpy.in_place import in_place
from runtime.executors.numpy.list_gradient_rows import rows_of_gradients
from runtime.executors.numpy.lists import Lists
from runtime.executors.numpy.numbers import Numbers
from runtime.executors.numpy.print_context import CalledFunctions, PreparedPlan, PrintedFunction
from runtime.executors.numpy.printer import printed
from runtime.executors.numpy.runtime_errors import (
    PLACES,
    LineTable,
    owners_in,
    raise_as_it_is,
    told,
)
from runtime.executors.numpy.scratch_buffers import rooms_of
from runtime.executors.numpy.value_forms import computes, numbers_among
from runtime.executors.parallel_regions import with_parts
from runtime.executors.plan import Slot
from runtime.executors.planning import is_shallow, plan_of
from runtime.executors.scalar_narrowing import narrow
from runtime.graph.derived_cache import DerivedOnce
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.passes.manager import chosen, optimise
from runtime.passes.node_traits import is_total
from runtime.passes.prune import prune

_numbered = count()
# Numbers of functions that are gone, for reuse: file names stay in many caches.
_free: list[int] = []
# By file name, the numbers of functions that may be gone while their lines are still cached. It is
# checked when a function is made: garbage collection happens at any time, also while
# `linecache.checkcache()` iterates over the cache of lines.
_alive: dict[str, tuple[int, object]] = {}


class Compiled:
    """A graph as a Python function of arrays.

    Attributes:
        source: the source of the printed function.
        function: takes an array, or a variable, per parameter, and returns a tuple of arrays. Call
            it while NumPy's warnings are off (`hush`); its errors are not the user's yet, see
            `run`.
    """

    def __init__(
        self, text: PrintedFunction, owners: Mapping[Node, Node], taken: Sequence[int] | None = None
    ) -> None:
        self.source = text.source
        self.function = _made(text, owners)
        # The positions of the inputs that are used, among those given; None for all.
        self._taken = taken

    def taken_of(self, inputs: Sequence[Any], own: int) -> Sequence[Any]:
        """Return the used arguments among all inputs, the first `own` of which are parameters."""
        return inputs[:own] if self._taken is None else [inputs[at] for at in self._taken]

    def run(self, arrays: Sequence[Any]) -> tuple[Any, ...]:
        """Run on one array per parameter, and one per capture if it takes captures.

        Raises:
            Exception: the error of a node, with the user's line of the node added.
        """
        if self._taken is not None:
            arrays = [arrays[at] for at in self._taken]
        asked = hush()
        try:
            return self.function(*arrays)
        except BaseException as error:
            meant = told(error)
            if meant is error:
                raise
            raise_as_it_is(meant)
        finally:
            unhush(asked)


def compiled(graph: Graph, takes_captures: bool = False) -> Compiled:
    """Return a graph as a compiled function, which is made at the first call.

    Args:
        graph: the graph.
        takes_captures: whether captured values are passed as arguments, after the parameters and in
            the order of `graph.captures`.

    Example:
        >>> import runtime as rt
        >>> graph = rt.Graph("double")
        >>> x = graph.add_input(rt.TensorSpec((2,), rt.int32), "x")
        >>> with graph.recording():
        ...     y = x + x
        >>> graph.set_outputs([y])
        >>> print(compiled(graph).source, end="")
        def double(x):
            add = np_add(x, x)
            return (add,)
    """
    return _with_captures(graph) if takes_captures else _without_captures(graph)


def run_graph(graph: Graph, inputs: Sequence[Any]) -> list[Any]:
    """Run a graph as `interpreter.run` does, but faster; under tapes the interpreter runs it.

    Args:
        graph: a finished graph, which runs more than once.
        inputs: one array per parameter, or one per input (`graph.inputs`).

    Example:
        >>> import numpy as np, runtime as rt
        >>> graph = rt.Graph("double")
        >>> x = graph.add_input(rt.TensorSpec((2,), rt.int32), "x")
        >>> with graph.recording():
        ...     y = x + x
        >>> graph.set_outputs([y])
        >>> run_graph(graph, [np.array([1, 2], np.int32)])
        [array([2, 4], dtype=int32)]
    """
    own = len(graph.parameters)
    if current_watchers() or len(inputs) not in (own, own + len(graph.captures)):
        return interpreter.run(graph, inputs)
    return list(compiled(graph, len(inputs) != own).run(inputs))


def _made_of(graph: Graph, takes_captures: bool) -> Compiled:
    asked = asked_of(graph)
    better = optimise(graph, chosen(asked.passes)) if is_shallow(graph) else prune(graph)
    narrow(better)
    text = _printed(better, takes_captures, asked)
    if not takes_captures:
        return Compiled(text, owners_in(better))
    own, position = len(graph.parameters), {id(e.outer): n for n, e in enumerate(graph.captures)}
    captured = [own + position[id(each.outer)] for each in better.captures]
    return Compiled(text, owners_in(better), [*range(own), *captured])


_with_captures = DerivedOnce(lambda graph: _made_of(graph, True))
_without_captures = DerivedOnce(lambda graph: _made_of(graph, False))


def _printed(graph: Graph, takes_captures: bool, asked: CompileOptions) -> PrintedFunction:
    others = CalledFunctions(
        compiled, lambda region: _prepared(region, True, asked, takes_numbers=True)
    )
    return printed(_prepared(graph, takes_captures, asked), others)


def _prepared(
    graph: Graph, takes_captures: bool, asked: CompileOptions, takes_numbers: bool = False
) -> PreparedPlan:
    numbers = Numbers(graph)

    def never_fails(node: Node) -> bool:
        return is_total(node) or (node.effect == "none" and numbers.never_fails(node))

    plan = without_dead_parts(recover_exits(plan_of(graph, takes_captures)), never_fails)
    held = numbers_among(plan, numbers, lambda run: computes(run, numbers), takes_numbers)

    def may_join(target: Slot, source: Slot) -> bool:
        if target not in held or source not in held:
            return (target in held) == (source in held)
        return numbers.is_loose(target.tensor) == numbers.is_loose(source.tensor)

    plan = count_iterations(coalesce(plan, may_join), lambda slot: slot in held)
    plan = without_dead_parts(plan, never_fails)
    plan = fuse(with_parts(plan, asked.parallel), goes_by_element)
    last = last_uses(plan)

    def is_number(slot: Slot, tensor: SymbolicTensor, could: bool) -> bool:
        return numbers.holds(tensor) and (could or slot in held or slot.value is not None)

    lists = Lists(plan, last, is_number)
    rooms, changes = rooms_of(plan, held, last), in_place(plan, held, last)
    gradients = rows_of_gradients(plan, last)
    return PreparedPlan(plan, numbers, held, last, rooms, lists, changes, gradients)


def _made(text: PrintedFunction, owners: Mapping[Node, Node]) -> Callable[..., Any]:
    """Compile a function, and register its lines for tracebacks as long as it lives."""
    _forget_lines()
    try:
        number = _free.pop()
    except IndexError:
        number = next(_numbered)
    filename = f"<plan {number} of {text.name}>"
    space = {"__name__": __name__, **text.objects}
    exec(compile(text.source, filename, "exec"), space)
    function: Callable[..., Any] = space.pop(text.name)
    PLACES[filename] = LineTable(text.places, owners)
    lines = text.source.splitlines(keepends=True)
    linecache.cache[filename] = (len(text.source), None, lines, filename)
    _alive[filename] = number, dropping(function, PLACES, filename)
    return function


def _forget_lines() -> None:
    for filename in list(_alive):
        if filename not in PLACES and (gone := _alive.pop(filename, None)) is not None:
            linecache.cache.pop(filename, None)
            _free.append(gone[0])
