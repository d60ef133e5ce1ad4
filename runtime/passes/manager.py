"""The passes in their order, and `optimize`, which applies them to a copy of a graph.

inline -> constant_folding -> simplify -> cse -> fold_branches -> unroll -> branch_results
-> loop_variables -> licm -> fuse_nodes -> scatter_accumulate -> dce

The sequence repeats, up to a limit, while a pass that may enable others has changed the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

from runtime.core.lazy_imports import lazy_import
from runtime.core.spec import TensorSpec
from runtime.errors import ArgumentValueError, DTypeError, GraphError
from runtime.graph.graph import Graph
from runtime.graph.text import spec_text
from runtime.graph.verify import verify
from runtime.passes.branch_results import drop_branch_results
from runtime.passes.constant_folding import fold_constants
from runtime.passes.cse import cse
from runtime.passes.dce import dce
from runtime.passes.fold_branches import fold_branches
from runtime.passes.fuse_nodes import fuse_nodes
from runtime.passes.inline import inline
from runtime.passes.licm import licm, licm_of_arrays
from runtime.passes.loop_variables import drop_loop_variables
from runtime.passes.prune import prune
from runtime.passes.scatter_accumulate import scatter_accumulate
from runtime.passes.simplify import simplify
from runtime.passes.unroll import unroll

# Imported on first use: it searches for near names.
did_you_mean = lazy_import("runtime.core.name_suggestions:did_you_mean")

# The most repetitions of the sequence.
MAX_ROUNDS = 3


class Pass(NamedTuple):
    """A transformation of a graph that keeps its results.

    Attributes:
        name: the name in `passes=`.
        run: changes a graph in place and returns whether it did.
        about: a short description of the effect.
        enables_others: whether the sequence repeats after it has changed the graph.
        needs_regions: whether it does nothing in graphs without regions.
    """

    name: str
    run: Callable[[Graph], bool]
    about: str
    enables_others: bool = True
    needs_regions: bool = False


_on_regions = partial(Pass, needs_regions=True)

# Called with the name of a pass that changed a graph, and the changed graph.
Watch = Callable[[str, Graph], None]

LICM = _on_regions("licm", licm, "loop-invariant nodes move out of the loop")
# For an engine that moves scalars itself.
LICM_OF_ARRAYS = LICM._replace(run=licm_of_arrays)
DEFAULT: tuple[Pass, ...] = (
    Pass("inline", inline, "called graphs are inlined", enables_others=False),
    Pass(
        "constant_folding",
        fold_constants,
        "nodes that depend on constants only are computed",
        enables_others=False,
    ),
    Pass(
        "simplify", simplify, "algebraic rules that are exact to the last bit", enables_others=False
    ),
    Pass("cse", cse, "common subexpressions are computed once", enables_others=False),
    _on_regions(
        "fold_branches",
        fold_branches,
        "branches with a constant condition, loops without iterations",
    ),
    _on_regions("unroll", unroll, "loops with few iterations are unrolled"),
    _on_regions("branch_results", drop_branch_results, "unused results of branches are dropped"),
    _on_regions(
        "loop_variables", drop_loop_variables, "unused and unchanged loop variables are dropped"
    ),
    LICM,
    Pass("fuse_nodes", fuse_nodes, "two nodes with shared work become one", enables_others=False),
    Pass(
        "scatter_accumulate",
        scatter_accumulate,
        "adding a one-hot tensor is a scatter-add",
        enables_others=False,
    ),
    Pass("dce", dce, "unused nodes are dropped", enables_others=False),
)
_TRUSTED = frozenset({*DEFAULT, LICM_OF_ARRAYS})


def select_passes(passes: object = None) -> tuple[Pass, ...]:
    """Return the selected passes in the order in which they run.

    Args:
        passes: None for all, a name, or names; with a leading `-`, all but those. A `Pass` of
            your own may be among them: it runs after the others.

    Raises:
        ArgumentValueError: a name is not that of a pass, or names to run are mixed with names to
            leave out.

    >>> [each.name for each in select_passes(["cse", "constant_folding"])]
    ['constant_folding', 'cse']
    >>> "licm" in [each.name for each in select_passes("-licm")]
    False
    >>> [each.name for each in select_passes([Pass("none", lambda graph: False, ""), "cse"])]
    ['cse', 'none']
    """
    if passes is None:
        return DEFAULT
    names: list[str] = []
    own: list[Pass] = []
    for each in [passes] if isinstance(passes, (str, Pass)) else _iterable(passes):
        if isinstance(each, Pass) and each not in DEFAULT:
            own.append(each)
        else:
            names.append(_name_of(each))
    left_out = {name[1:] for name in names if name.startswith("-")}
    if left_out and len(left_out) < len(set(names)):
        raise ArgumentValueError(
            "passes must name either passes to run, or passes to leave out as '-name', not both"
        )
    if left_out:
        return (*[each for each in DEFAULT if each.name not in left_out], *own)
    return (*[each for each in DEFAULT if each.name in names], *own)


def _name_of(given: object) -> str:
    known = [each.name for each in DEFAULT]
    if isinstance(given, Pass):
        return given.name
    if isinstance(given, str) and given.removeprefix("-") in known:
        return given
    several = [word.strip() for word in given.split(",")] if isinstance(given, str) else []
    instead = f"; name several in a list, {several}" if len(several) > 1 else ""
    if isinstance(given, str) and not instead:
        minus, name = given[: given.startswith("-")], given.removeprefix("-")
        instead = did_you_mean(name, known, minus)
    raise ArgumentValueError(f"passes: {given!r} is not one of {', '.join(known)}{instead}")


def optimize(
    graph: Graph,
    passes: str | Pass | Iterable[str | Pass] | None = None,
    *,
    watch: Watch | None = None,
    checked: bool = False,
) -> Graph:
    """Return a graph with the results of `graph`, in fewer or cheaper steps.

    Values stay the same to the last bit, and so do dtypes, errors with their lines, and the order
    of effects. `graph` itself is not changed.

    Args:
        graph: a verified graph, such as `graph` of a concrete function.
        passes: names, as `select_passes` takes them, None for all; or a sequence of passes, which
            run in its order. `prune` always runs first.
        watch: called after each pass that changed something.
        checked: whether the graph is verified after each of these passes; after those of your own
            it always is.

    Raises:
        DTypeError: `graph` is not a graph.
        ArgumentValueError: a name in `passes` is not that of a pass.
        GraphError: a verified pass made a graph that is not well formed, or whose results have
            other dtypes or shapes.

    Example:
        >>> import autograph.runtime as rt
        >>> graph = rt.Graph("f")
        >>> x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
        >>> with graph.recording():
        ...     graph.set_outputs([(x * 1 + x) * (x + x)])
        >>> [node.name for node in optimize(graph)]
        ['add', 'multiply_1']
    """
    if not isinstance(graph, Graph):
        raise DTypeError(
            f"optimize takes a graph, not {graph!r}: write optimize(concrete.graph), where "
            "concrete is f.get_concrete_function(x)"
        )
    given = passes if isinstance(passes, Sequence) and not isinstance(passes, (str, Pass)) else ()
    is_order = bool(given) and all(isinstance(each, Pass) for each in given)
    selected = tuple(given) if is_order else select_passes(passes)
    better = prune(graph)
    if watch is not None:
        watch("prune", better)
    for _ in range(MAX_ROUNDS if selected else 0):
        repeats = False
        for each in selected:
            if each.needs_regions and not _has_regions(better):
                continue
            if not _run(each, better, checked or each not in _TRUSTED):
                continue
            repeats |= each.enables_others
            if watch is not None:
                watch(each.name, better)
        if not repeats:
            break
    return better


def _run(each: Pass, graph: Graph, checked: bool) -> bool:
    """Run a pass, and return whether it changed the graph."""
    if not checked:
        return each.run(graph)
    specs = [output.spec for output in graph.outputs]
    try:
        changed = each.run(graph)
        if not isinstance(changed, bool):
            raise GraphError(f"returns {changed!r}: return whether it changed the graph, a bool")
        verify(graph)
        _check_outputs(graph, specs)
    except GraphError as error:
        raise GraphError(f"pass {each.name!r}: {error.message}", error.origin) from None
    return changed


def _check_outputs(graph: Graph, specs: Sequence[TensorSpec]) -> None:
    if len(graph.outputs) != len(specs):
        count = len(graph.outputs)
        raise GraphError(f"'{graph.name}' had {len(specs)} results, and has {count} now: keep them")
    for output, spec in zip(graph.outputs, specs):
        # A pass may know a shape better.
        if not spec.contains(output.spec):
            node = output.node
            raise GraphError(
                f"node '{node.name}' ({node.op.name}) is {spec_text(output.spec)}, in the place of "
                f"{spec_text(spec)}: replace results by values of the same dtype and shape",
                node.origin,
            )


def _has_regions(graph: Graph) -> bool:
    return any(node.regions for node in graph.nodes)


def _iterable(passes: object) -> Iterable[object]:
    if isinstance(passes, Iterable):
        return passes
    raise ArgumentValueError(f"passes must be names of passes, not {passes!r}")
