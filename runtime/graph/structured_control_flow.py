"""The public `cond`, `while_loop` and `switch_case`, with functions and nested structures.

While a graph records they trace their functions into regions of one node; otherwise they run as a
Python `if`, `while` or index.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from runtime import nest
from runtime.core.argument_checks import flag, function, listed
from runtime.core.context import current_recorder
from runtime.core.converter_hooks import ConverterHooks, staged, staged_once
from runtime.core.shapes import as_shape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor, Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError, GraphError, ShapeError, with_article
from runtime.graph.control_flow import record_cond, record_switch, record_while
from runtime.graph.graph import Graph
from runtime.graph.region_ops import CONDITION_DTYPES, INDEX_DTYPES, check_scalar
from runtime.ops.arguments import static_int
from runtime.ops.constant import stop_gradient
from runtime.ops.convert import to_tensor

Result = TypeVar("Result")
Function = Callable[..., Any]


def cond(
    pred: TensorLike,
    true_fn: Callable[[], Result] | None = None,
    false_fn: Callable[[], Result] | None = None,
    name: str | None = None,
) -> Result:
    """Return `true_fn()` or `false_fn()`, depending on `pred`.

    Args:
        pred: a bool or a scalar bool tensor; a Python bool selects immediately, also in a graph.
        true_fn, false_fn: functions without arguments; in a graph both are traced, and must return
            the same structure with the same dtypes.

    Raises:
        DTypeError: a function is missing, `pred` is not a bool, or the results differ in a dtype.
        ShapeError: `pred` is not a scalar.
        ArgumentValueError: the results differ in their structure.

    Example:
        >>> cond(True, lambda: to_tensor(1), lambda: to_tensor(2))
        <rt.Tensor: shape=(), dtype=int32, numpy=1>
    """
    if not callable(true_fn) or not callable(false_fn):
        raise DTypeError("cond needs two functions: cond(pred, true_fn, false_fn)")
    graph = _recording_graph()
    if isinstance(pred, (bool, int, np.bool_)):
        return staged(true_fn if pred else false_fn)()
    chooser = to_tensor(pred)
    check_scalar(chooser.spec, CONDITION_DTYPES, "the condition")
    if graph is None:
        return true_fn() if chooser else false_fn()
    then, then_result = _trace(graph, "then", true_fn, "cond")
    orelse, else_result = _trace(graph, "else", false_fn, "cond")
    _check_same_form("cond", [then_result, else_result])
    return _packed(then_result, record_cond(chooser, then, orelse))


def switch_case(
    branch_index: TensorLike,
    branch_fns: Sequence[Callable[[], Result]] | Mapping[int, Callable[[], Result]],
    default: Callable[[], Result] | None = None,
    name: str | None = None,
) -> Result:
    """Return the result of the branch at `branch_index`, or of `default`.

    Args:
        branch_index: an int, or a scalar int32 or int64 tensor; for any other than those of the
            branches, `default` is taken.
        branch_fns: functions without arguments: a list, a dict from 0, 1, ... or a list of pairs.
        default: by default the last branch.

    Example:
        >>> switch_case(1, [lambda: to_tensor(10), lambda: to_tensor(20)])
        <rt.Tensor: shape=(), dtype=int32, numpy=20>
    """
    branches = _branch_list(branch_fns)
    if default is not None:
        branches.append(function(default, "default"))
    graph = _recording_graph()
    chooser = None if type(branch_index) is int else to_tensor(branch_index)
    if chooser is not None:
        check_scalar(chooser.spec, INDEX_DTYPES, "the branch index")
    if graph is None or chooser is None:
        number: Any = branch_index if chooser is None else chooser
        index = int(number)
        return staged(branches[index] if 0 <= index < len(branches) else branches[-1])()
    traced = [
        _trace(graph, f"branch_{at}", branch, "switch_case") for at, branch in enumerate(branches)
    ]
    regions, results = zip(*traced)
    _check_same_form("switch_case", results)
    return _packed(results[0], record_switch(chooser, regions))


def while_loop(
    cond: Callable[..., TensorLike],
    body: Callable[..., object],
    loop_vars: Result,
    shape_invariants: object = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    maximum_iterations: TensorLike | None = None,
    name: str | None = None,
) -> Result:
    """Call `body` on the loop variables while `cond` of them is true; return their last values.

    Args:
        cond: takes the loop variables; returns a bool or a scalar bool tensor.
        body: takes the loop variables; returns as many, of the same structure and dtypes.
        loop_vars: a list or tuple of tensors or structures of tensors.
        shape_invariants: the shapes that may occur, in the structure of `loop_vars`, with None for
            varying dimensions; by default the shapes of the variables before the loop.
        parallel_iterations, swap_memory: accepted, without effect.
        back_prop: False stops the gradients of the results.
        maximum_iterations: an upper bound, an int or a scalar integer tensor.

    Raises:
        DTypeError: `loop_vars` is no list or tuple, `cond` or `body` no function, or an iteration
            changes a dtype.
        ArgumentValueError: an iteration changes the structure of the variables.
        ShapeError: in a graph, an iteration changes a shape that `shape_invariants` do not allow to
            vary.

    Example:
        >>> from runtime.ops.elementwise.arithmetic import add
        >>> from runtime.ops.elementwise.comparison import less
        >>> while_loop(lambda i: less(i, 5), lambda i: [add(i, 2)], [0])
        [<rt.Tensor: shape=(), dtype=int32, numpy=6>]
    """
    function(cond, "cond")
    function(body, "body")
    if not isinstance(loop_vars, (list, tuple)):
        kind = with_article(type(loop_vars).__name__)
        raise DTypeError(f"loop_vars must be a list, not {kind}: write [x] for one variable")
    state = nest.map_structure(to_tensor, list(loop_vars))
    graph = _recording_graph()
    if graph is None:
        found = _loop(cond, body, state, maximum_iterations)
    else:
        loop = _LoopRegions(graph, state, _invariants(state, shape_invariants))
        found = loop.record(cond, body, maximum_iterations)
    return propagating(nest.unflatten(loop_vars, nest.flatten(found)), back_prop)


def while_calling(user: object, cond: Function, body: Function, loop_vars: list[Any]) -> list[Any]:
    """Run a `while_loop` of the library whose body calls user code.

    While tracing, state that the user code changes becomes loop variables, as in a user's loop.

    Args:
        user: the user code that the body calls: a function, or an object with a `call`.

    >>> while_calling(abs, lambda i: i < 3, lambda i: [i + abs(-1)], [to_tensor(0)])
    [<rt.Tensor: shape=(), dtype=int32, numpy=3>]
    """

    def iteration(*flat: Any) -> list[Any]:
        return nest.flatten(body(*nest.unflatten(loop_vars, flat)))

    def is_on(*flat: Any) -> Any:
        return cond(*nest.unflatten(loop_vars, flat))

    if current_recorder() is not None:
        start = list(map(to_tensor, nest.flatten(loop_vars)))
        found = ConverterHooks.loop(is_on, iteration, start, user)
        if found is not None:
            return list(nest.unflatten(loop_vars, found))
    return list(while_loop(cond, body, loop_vars))


def propagating(found: Any, back_prop: bool) -> Any:
    """Return the results of a loop, without gradients unless `back_prop`.

    >>> propagating([to_tensor(2.0)], back_prop=False)
    [<rt.Tensor: shape=(), dtype=float32, numpy=2.0>]
    """
    return found if flag(back_prop, "back_prop") else nest.map_structure(_stop_gradient, found)


def _stop_gradient(leaf: Any) -> Any:
    return stop_gradient(leaf) if isinstance(leaf, Tensor) else leaf


# -- eager -----------------------------------------------------------------------------------------


def _loop(cond: Function, body: Function, state: list[Any], limit: Any) -> list[Any]:
    iterations, most = 0, None if limit is None else static_int(limit, "maximum_iterations")
    while (most is None or iterations < most) and _condition_value(cond(*state)):
        state = _next_state(state, body(*state))
        iterations += 1
    return state


def _condition_value(found: Any) -> bool:
    """Return a condition as a Python bool; DTypeError or ShapeError if it is not a scalar bool."""
    if not isinstance(found, (bool, np.bool_)):
        found = to_tensor(found)
        check_scalar(found.spec, CONDITION_DTYPES, "the condition")
    return bool(found)


def _next_state(state: list[Any], returned: Any) -> list[Any]:
    """Return a body's results as a list like `state`, its leaves converted."""
    if not isinstance(returned, (list, tuple)) or _is_one_variable(state, returned):
        returned = [returned]
    _check_same_form("while_loop", [state, list(returned)])
    before, after = nest.flatten(state), nest.flatten(list(returned))
    dtypes = [_strong_dtype(tensor) for tensor in before]
    return list(nest.unflatten(state, list(map(to_tensor, after, dtypes))))


def _is_one_variable(state: list[Any], returned: object) -> bool:
    """Return whether the body returned its only variable, a list, without a list around it."""
    return len(state) == 1 and type(state[0]) is type(returned) and nest.is_nested(state[0])


def _strong_dtype(tensor: Tensor) -> Any:
    weak = isinstance(tensor, SymbolicTensor) and tensor.weak
    return None if weak else tensor.dtype


# -- recording -------------------------------------------------------------------------------------


class _LoopRegions:
    """A loop that is being traced: its variables, and its two regions."""

    def __init__(self, graph: Graph, state: list[Any], shapes: list[Any]) -> None:
        self.graph = graph
        self.state = state
        self.init = nest.flatten(state)
        specs = [tensor.spec for tensor in self.init]
        self.specs = [spec.with_shape(shape) for spec, shape in zip(specs, shapes)]

    def record(self, cond: Function, body: Function, limit: Any) -> list[Any]:
        test, values = self._region("test")
        with test.recording():
            condition = staged_once(cond, "while_loop")(*values)
        test.set_outputs([condition])
        region, values = self._region("body")
        with region.recording():
            found = nest.flatten(_next_state(values, staged_once(body, "while_loop")(*values)))
        region.set_outputs(found)
        return list(record_while(test, region, self.init, maximum_iterations=limit))

    def _region(self, name: str) -> tuple[Graph, list[Any]]:
        region = Graph(name, self.graph)
        weak = [isinstance(tensor, SymbolicTensor) and tensor.weak for tensor in self.init]
        inputs = [region.add_input(spec, "loop_var", w) for spec, w in zip(self.specs, weak)]
        return region, nest.unflatten(self.state, inputs)


def _invariants(state: list[Any], shapes: Any) -> list[Any]:
    leaves = nest.flatten(state)
    if shapes is None:
        return [tensor.shape for tensor in leaves]
    flat = _flat_shapes(state, list(shapes))
    if len(flat) != len(leaves):
        raise ShapeError(f"{len(flat)} shape_invariants for {len(leaves)} loop variables")
    return flat


def _flat_shapes(state: Any, shapes: Any) -> list[Any]:
    """Flatten shapes along `state`, since a shape may itself be a list."""
    if not nest.is_nested(state):
        return [shapes.shape if isinstance(shapes, TensorSpec) else as_shape(shapes)]
    if isinstance(state, Mapping):
        return [leaf for key in sorted(state) for leaf in _flat_shapes(state[key], shapes[key])]
    return [leaf for pair in zip(state, shapes, strict=True) for leaf in _flat_shapes(*pair)]


def _trace(graph: Graph, name: str, function: Function, op: str) -> tuple[Graph, Any]:
    region = Graph(name, graph)
    with region.recording():
        result = staged_once(function, op)()
    region.set_outputs(leaf for leaf in nest.flatten(result) if leaf is not None)
    return region, result


def _packed(like: Any, outputs: Iterable[Tensor]) -> Any:
    """Return outputs in the structure of `like`, which may contain None."""
    rest = iter(outputs)
    return nest.map_structure(lambda leaf: None if leaf is None else next(rest), like)


def _check_same_form(what: str, structures: Sequence[Any]) -> None:
    first = structures[0]
    for other in structures[1:]:
        try:
            nest.assert_same_structure(first, other)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{what}: {error}") from None
        for (path, a), b in zip(nest.flatten_with_paths(first), nest.flatten(other)):
            if (a is None) != (b is None):
                raise DTypeError(f"{what}: one branch returns None at result{path}, the other not")


def _branch_list(branches: Any) -> list[Function]:
    if isinstance(branches, Mapping):
        branches = list(branches.items())
    branches = listed(branches, "branch_fns")
    if branches and all(isinstance(each, tuple) and len(each) == 2 for each in branches):
        table = dict(branches)
        if sorted(table) != list(range(len(table))):
            raise ArgumentValueError(f"branches must be numbered 0, 1, ..., not {sorted(table)}")
        branches = [table[number] for number in range(len(table))]
    if not branches:
        raise ArgumentValueError("switch_case needs at least one branch")
    return [function(branch, "a branch") for branch in branches]


def _recording_graph() -> Graph | None:
    recorder = current_recorder()
    if recorder is not None and not isinstance(recorder, Graph):
        raise GraphError("control flow can only be recorded into a Graph")
    return recorder
