"""Gradients of the graph recorded so far, without a tape."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from runtime import nest
from runtime.autodiff.backward import GradientSums, backpropagate, zeros_for
from runtime.autodiff.jacobians import jacobian_rows
from runtime.autodiff.tape_steps import TapeStep, identity_of, is_differentiable, step_of
from runtime.autodiff.unconnected_gradients import UnconnectedGradients, fills_with_zeros
from runtime.core.context import current_recorder
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError, DTypeError, ShapeError, TapeError
from runtime.graph.capture import enclosing_graphs
from runtime.ops.arrays.creation import ones_like
from runtime.ops.convert import to_tensor
from runtime.state.variable import Variable


def gradients(
    ys: object,
    xs: object,
    grad_ys: object = None,
    name: str | None = "gradients",
    gate_gradients: bool = False,
    aggregation_method: object = None,
    stop_gradients: object = None,
    unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
) -> list[Any]:
    """Return the gradient of the sum of `ys` with respect to each of `xs`, in a graph.

    Args:
        ys: a float tensor or variable, or a list of them; a complex one needs its `grad_ys`.
        xs: a tensor or variable, or a list of them; intermediate results are allowed.
        grad_ys: the output gradient of each of `ys`, None for ones; or None for ones everywhere.
        stop_gradients: tensors that count as constants, or None.
        unconnected_gradients: "none" or "zero", for those of `xs` that `ys` do not depend on.
        name, gate_gradients, aggregation_method: accepted, without effect.

    Raises:
        TapeError: no graph is recording: use `rt.GradientTape` instead.
        ArgumentValueError: a value is no tensor or variable, or the numbers of `ys` and `grad_ys`
            differ.
        DTypeError: one of `ys` is complex and has no `grad_ys`.
        ShapeError: one of `grad_ys` has another shape than its `ys`.

    >>> import autograph.runtime as rt
    >>> graph = rt.Graph("gradients")
    >>> x = graph.add_input(rt.TensorSpec((), "float32"), "x")
    >>> with graph.recording():
    ...     graph.set_outputs(gradients(x * x, x))
    >>> import numpy as np
    >>> from runtime.executors import run
    >>> run(graph, [np.array(3.0, np.float32)])[0]
    array(6., dtype=float32)
    """
    fill = fills_with_zeros(unconnected_gradients)
    targets, sources = _listed(ys, "ys"), _listed(xs, "xs")
    stops = {id(identity_of(each)) for each in _listed(stop_gradients, "stop_gradients")}
    seeds = GradientSums()
    for target, dy in zip(targets, _seeds(targets, grad_ys)):
        seeds.add(identity_of(target), dy)
    roots = [identity_of(each) for each in sources if is_differentiable(each.dtype)]
    sums = backpropagate(list(_steps(stops)), seeds, roots)
    found = [sums.of(identity_of(each)) for each in sources]
    pairs = zip(sources, found)
    return [zeros_for(of) if each is None and fill else each for of, each in pairs]


def hessians(
    ys: object,
    xs: object,
    gate_gradients: bool = False,
    aggregation_method: object = None,
    name: str | None = "hessians",
) -> list[Any]:
    """Return the second derivatives of the sum of `ys` with respect to each of `xs`, in a graph.

    Returns:
        For each of `xs` a tensor of shape `x.shape + x.shape`.

    Raises:
        TapeError: no graph is recording: use `rt.hessian` instead.
        ArgumentValueError: `ys` do not depend on one of `xs`, or a value is no tensor or variable.

    >>> import numpy as np, runtime as rt
    >>> graph = rt.Graph("hessian")
    >>> x = graph.add_input(rt.TensorSpec((2,), rt.float32), "x")
    >>> with graph.recording():
    ...     graph.set_outputs(hessians(rt.reduce_sum(x * x * x), x))
    >>> from runtime.executors import run
    >>> run(graph, [np.array([1.0, 2.0], np.float32)])[0].tolist()
    [[6.0, 0.0], [0.0, 12.0]]
    """
    sources = _listed(xs, "xs")
    return [_hessian(gradient, x) for gradient, x in zip(gradients(ys, sources), sources)]


def _hessian(gradient: Any, x: Any) -> Any:
    if gradient is None:
        raise ArgumentValueError(f"ys do not depend on {x!r}: it has no second derivatives")

    def back(dy: Any) -> list[Any]:
        return gradients(gradient, [x], [dy], unconnected_gradients="zero")

    return jacobian_rows(gradient, [x], back)[0]


def _listed(values: Any, what: str) -> list[Any]:
    found = [] if values is None else nest.flatten(values)
    for each in found:
        if not isinstance(each, (Tensor, Variable)):
            raise ArgumentValueError(f"{what} must be tensors or variables, not {each!r}")
    return found


def _seeds(targets: list[Any], given: Any) -> list[Any]:
    dys = [None] * len(targets) if given is None else nest.flatten(given)
    if len(dys) != len(targets):
        raise ArgumentValueError(f"{len(dys)} grad_ys are given for {len(targets)} of ys")
    return [_seed(*each) for each in zip(targets, dys)]


def _seed(target: Any, dy: Any) -> Any:
    if not is_differentiable(target.dtype):
        return None
    if dy is None and target.dtype.is_complex:
        raise DTypeError(
            f"{target} is complex: give grad_ys, or take the gradient of a real number"
        )
    if dy is None:
        return ones_like(to_tensor(target))
    found = to_tensor(dy, target.dtype)
    if not found.shape.is_compatible_with(target.shape):
        raise ShapeError(f"grad_ys must have the shape of ys, {target.shape}, not {found.shape}")
    return found


def _steps(stops: set[int]) -> Iterator[TapeStep]:
    """Yield the recorded steps, from the outermost graph inward, for `backpropagate` to walk back.

    No step has a result whose identity is in `stops`, so gradients stop there.
    """
    recorder: Any = current_recorder()
    if recorder is None:
        raise TapeError("gradients works only while a graph is recorded: use rt.GradientTape")
    for each in reversed(enclosing_graphs(recorder)):
        for node in list(each.nodes):
            step = step_of(node)
            kept = [object() if id(result) in stops else result for result in step.results]
            yield step._replace(results=kept)
