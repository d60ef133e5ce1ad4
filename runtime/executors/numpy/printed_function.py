"""Makes the printed function of a graph: a plan, improved and printed as one Python function."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any

from runtime.core.errstate import ignore_warnings, restore_warnings
from runtime.core.tensor import SymbolicTensor
from runtime.core.weak_tables import weakref_removing
from runtime.executors.analysis.liveness import eliminate_dead_statements, last_uses
from runtime.executors.compile_options import CompileOptions, compile_options_of
from runtime.executors.numpy.block_loops import is_elementwise
from runtime.executors.numpy.in_place_analysis import find_in_place_updates
from runtime.executors.numpy.list_gradient_rows import rows_of_gradients
from runtime.executors.numpy.numbers import Numbers
from runtime.executors.numpy.print_context import CalledFunctions, PreparedPlan, PrintedSource
from runtime.executors.numpy.printer import print_plan
from runtime.executors.numpy.python_lists import PythonLists
from runtime.executors.numpy.runtime_errors import (
    LINE_TABLES,
    LineTable,
    owners_in,
    raise_unchanged,
    translate_error,
)
from runtime.executors.numpy.scratch_buffers import plan_buffers
from runtime.executors.numpy.value_forms import has_number_expression, number_slots_of
from runtime.executors.optimizations.counted_loops import make_counted_loops
from runtime.executors.optimizations.elementwise_fusion import fuse_elementwise
from runtime.executors.optimizations.jump_threading import thread_jumps
from runtime.executors.optimizations.parallel_regions import parallelize
from runtime.executors.optimizations.slot_coalescing import coalesce
from runtime.executors.plan.plan import PlanSlot
from runtime.executors.plan.plan_builder import build_plan, is_shallow
from runtime.graph.derived_cache import DerivedCache
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.passes.manager import Pass, optimize, select_passes
from runtime.passes.node_traits import is_total
from runtime.passes.prune import prune
from runtime.passes.scalar_narrowing import narrow_scalars

_next_number = count()
# Numbers of functions that are gone, for reuse: file names stay in many caches.
_free_numbers: list[int] = []
# By file name, the numbers of functions that may be gone while their lines are still cached. It is
# checked when a function is made: garbage collection happens at any time, also while
# `linecache.checkcache()` iterates over the cache of lines.
_registered: dict[str, tuple[int, object]] = {}


class PrintedFunction:
    """A graph as a Python function of arrays.

    Attributes:
        source: the source of the printed function.
        function: takes an array, or a variable, per parameter and per used capture if captures are
            passed (`used_inputs`), and returns a tuple of arrays. Call it while NumPy's warnings
            are off (`ignore_warnings`); its errors are not the user's yet, see `run`.
    """

    def __init__(
        self, text: PrintedSource, owners: Mapping[Node, Node], used: Sequence[int] | None = None
    ) -> None:
        self.source = text.source
        self.function = _define(text, owners)
        # The positions of the inputs that are used, among those given; None for all.
        self._used = used

    def used_inputs(self, inputs: Sequence[Any], own: int) -> Sequence[Any]:
        """Return the used arguments among all inputs, the first `own` of which are parameters."""
        return inputs[:own] if self._used is None else [inputs[at] for at in self._used]

    def run(self, arrays: Sequence[Any]) -> tuple[Any, ...]:
        """Run on one array per parameter, and one per capture if it takes captures.

        Raises:
            Exception: the error of a node, with the user's line of the node added.
        """
        if self._used is not None:
            arrays = [arrays[at] for at in self._used]
        state = ignore_warnings()
        try:
            return self.function(*arrays)
        except BaseException as error:
            translation = translate_error(error)
            if translation is error:
                raise
            raise_unchanged(translation)
        finally:
            restore_warnings(state)


def printed_function(graph: Graph, takes_captures: bool = False) -> PrintedFunction:
    """Return the printed function of a graph, which is made at the first call.

    Args:
        graph: the graph.
        takes_captures: whether captured values are passed as arguments, after the parameters and in
            the order of `graph.captures`.

    Example:
        >>> import autograph.runtime as rt
        >>> graph = rt.Graph("double")
        >>> x = graph.add_input(rt.TensorSpec((2,), rt.int32), "x")
        >>> with graph.recording():
        ...     y = x + x
        >>> graph.set_outputs([y])
        >>> print(printed_function(graph).source, end="")
        def double(x):
            add = np_add(x, x)
            return (add,)
    """
    return _with_captures(graph) if takes_captures else _without_captures(graph)


def optimized(graph: Graph, own_passes: Mapping[Pass, Pass] | None = None) -> Graph:
    """Return the form of a graph that executors run: after its passes, with narrowed scalars.

    Args:
        graph: the graph.
        own_passes: the passes of an engine, by those that they stand for.
    """
    passes = select_passes(compile_options_of(graph).passes)
    passes = tuple((own_passes or {}).get(each, each) for each in passes)
    found = optimize(graph, passes) if is_shallow(graph) else prune(graph)
    narrow_scalars(found)
    return found


def _plan_and_print(graph: Graph, takes_captures: bool) -> PrintedFunction:
    final = optimized(graph)
    text = _print(final, takes_captures, compile_options_of(graph))
    if not takes_captures:
        return PrintedFunction(text, owners_in(final))
    own, position = len(graph.parameters), {id(e.outer): n for n, e in enumerate(graph.captures)}
    captured = [own + position[id(each.outer)] for each in final.captures]
    return PrintedFunction(text, owners_in(final), [*range(own), *captured])


_with_captures = DerivedCache(lambda graph: _plan_and_print(graph, True))
_without_captures = DerivedCache(lambda graph: _plan_and_print(graph, False))


def _print(graph: Graph, takes_captures: bool, options: CompileOptions) -> PrintedSource:
    others = CalledFunctions(
        printed_function, lambda region: _prepare(region, True, options, takes_numbers=True)
    )
    return print_plan(_prepare(graph, takes_captures, options), others)


def _prepare(
    graph: Graph, takes_captures: bool, options: CompileOptions, takes_numbers: bool = False
) -> PreparedPlan:
    numbers = Numbers(graph)

    def never_fails(node: Node) -> bool:
        return is_total(node) or (node.effect == "none" and numbers.never_fails(node))

    plan = eliminate_dead_statements(thread_jumps(build_plan(graph, takes_captures)), never_fails)
    number_slots = number_slots_of(
        plan, numbers, lambda run: has_number_expression(run, numbers), takes_numbers
    )

    def may_share(target: PlanSlot, source: PlanSlot) -> bool:
        if target not in number_slots or source not in number_slots:
            return (target in number_slots) == (source in number_slots)
        return numbers.is_loose(target.tensor) == numbers.is_loose(source.tensor)

    plan = make_counted_loops(coalesce(plan, may_share), lambda slot: slot in number_slots)
    plan = eliminate_dead_statements(plan, never_fails)
    plan = fuse_elementwise(parallelize(plan, options.parallel), is_elementwise)
    last = last_uses(plan)

    def is_number(slot: PlanSlot, tensor: SymbolicTensor, could: bool) -> bool:
        return numbers.holds(tensor) and (could or slot in number_slots or slot.value is not None)

    lists = PythonLists(plan, last, is_number)
    buffers, changes = (
        plan_buffers(plan, number_slots, last),
        find_in_place_updates(plan, number_slots, last),
    )
    gradients = rows_of_gradients(plan, last)
    return PreparedPlan(plan, numbers, number_slots, last, buffers, lists, changes, gradients)


def _define(text: PrintedSource, owners: Mapping[Node, Node]) -> Callable[..., Any]:
    """Compile a function, and register its lines for tracebacks as long as it lives."""
    _forget_lines()
    try:
        number = _free_numbers.pop()
    except IndexError:
        number = next(_next_number)
    filename = f"<plan {number} of {text.name}>"
    space = {"__name__": __name__, **text.objects}
    exec(compile(text.source, filename, "exec"), space)
    function: Callable[..., Any] = space.pop(text.name)
    LINE_TABLES[filename] = LineTable(text.nodes, owners)
    lines = text.source.splitlines(keepends=True)
    linecache.cache[filename] = (len(text.source), None, lines, filename)
    _registered[filename] = number, weakref_removing(function, LINE_TABLES, filename)
    return function


def _forget_lines() -> None:
    for filename in list(_registered):
        if filename not in LINE_TABLES and (gone := _registered.pop(filename, None)) is not None:
            linecache.cache.pop(filename, None)
            _free_numbers.append(gone[0])
