"""User-defined gradient rules (vector-Jacobian products), recorded as a node of the graph.

    y, grad = f(x)               y = given_gradient(y, x, ...) {rule=grad}

The gradient is that of the rule; the ops inside of the function are skipped. In a graph the rule is
recorded at once, as a separate graph: it uses values of the current run, which are gone when the
gradient is computed. These values are operands of the node.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from runtime import nest
from runtime.autodiff.tape_steps import is_differentiable
from runtime.core.context import current_recorder, current_watchers, set_watchers
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, EagerTensor, Tensor
from runtime.errors import ArgumentValueError
from runtime.executors.executor import run_graph
from runtime.graph.capture import align_captures
from runtime.graph.graph import Graph
from runtime.graph.inlining import inlined
from runtime.ops.convert import to_tensor
from runtime.ops.gradient_rules import result_tensor
from runtime.ops.op import Op, apply, define
from runtime.state.variable import Variable


class _Rule:
    """The user's rule, with the number of its inputs and outputs.

    Attributes:
        results: the number of results, which precede the arguments.
        arguments: the number of arguments, including variables.
        graph: the recorded rule, None if it was not recorded.
    """

    __slots__ = ("_error", "_grad", "_present", "_variables", "arguments", "graph", "results")

    def __init__(
        self, grad: Callable[..., Any], results: int, arguments: int, variables: Sequence[Variable]
    ) -> None:
        self._grad, self._variables = grad, tuple(variables)
        self.results, self.arguments = results, arguments
        self.graph: Graph | None = None
        self._present: list[bool] = []
        self._error: Exception | None = None

    def record(self, outer: Graph, outputs: Sequence[Any]) -> tuple[Any, ...]:
        """Record the rule, and return the outer values that it uses.

        An error is raised only when the gradient is needed.
        """
        graph = Graph("grad", outer)
        graph.try_scopes = ()
        watchers = current_watchers()
        # The tapes must not record the rule, which is not part of the computation.
        set_watchers(())
        try:
            dys = [
                graph.add_input(y.spec, "dy") if is_differentiable(y.dtype) else None
                for y in outputs
            ]
            with graph.recording():
                found = self._call_rule(dys)
            self._present = [each is not None for each in found]
            graph.set_outputs([each for each in found if each is not None])
        except Exception as error:
            self._error = error
            return ()
        finally:
            set_watchers(watchers)
        self.graph = graph
        return align_captures(outer, [graph])

    def gradients(self, dys: Sequence[Any], uses: Sequence[Any]) -> list[Any]:
        """Return a gradient or None for each argument.

        Args:
            dys: the gradient of each result, or None.
            uses: the outer values that a recorded rule uses.
        """
        if self._error is not None:
            raise self._error
        if self.graph is None:
            return self._call_rule(dys)
        operands = [*(dy for dy in dys if dy is not None), *uses]
        recorder = current_recorder()
        if isinstance(recorder, Graph):
            found: Any = inlined(self.graph, list(map(recorder.capture, operands)), recorder)
        else:
            arrays = [_value_of(each) for each in operands]
            found = map(result_tensor, run_graph(self.graph, arrays))
        results = iter(found)
        return [next(results) if is_present else None for is_present in self._present]

    def _call_rule(self, dys: Sequence[Any]) -> list[Any]:
        """Return the gradients from the user's function."""
        if not self._variables:
            return _flat(self._grad(*dys), self.arguments, "grad")
        if not _takes_variables(self._grad):
            names = ", ".join(repr(each.name) for each in self._variables)
            raise ArgumentValueError(
                f"the function under custom_gradient reads the variables {names}, so that its grad "
                "needs an argument `variables` and returns (gradients, gradients of variables)"
            )
        returned = self._grad(*dys, variables=list(self._variables))
        if not isinstance(returned, tuple) or len(returned) != 2:
            raise ArgumentValueError(
                "grad with `variables` must return a pair: gradients, and those of the variables"
            )
        of_arguments, of_variables = returned
        count = self.arguments - len(self._variables)
        return [
            *_flat(of_arguments, count, "grad"),
            *_flat(of_variables, len(self._variables), "grad, for the variables,"),
        ]

    def __repr__(self) -> str:
        return getattr(self._grad, "__name__", "grad")


def with_custom_vjp(
    grad: Callable[..., Any],
    outputs: Sequence[Tensor],
    sources: Sequence[Tensor],
    variables: Sequence[Variable],
) -> Any:
    """Return the results of a function as tensors with a user-defined gradient.

    Args:
        grad: a function from the results' gradients to those of the arguments.
        outputs: the results.
        sources: the arguments, then the values read from `variables`.
        variables: the variables that the function reads; if there are any, `grad` takes them.
    """
    rule = _Rule(grad, len(outputs), len(sources), variables)
    recorder = current_recorder()
    uses = rule.record(recorder, outputs) if isinstance(recorder, Graph) else ()
    return apply(CUSTOM_VJP, (*outputs, *sources, *uses), rule=rule)


def _value_of(operand: Any) -> Any:
    return operand._array if isinstance(operand, EagerTensor) else operand


def _takes_variables(grad: Callable[..., Any]) -> bool:
    try:
        parameters = inspect.signature(grad).parameters.values()
    except (TypeError, ValueError):
        return False
    return any(each.name == "variables" or each.kind is each.VAR_KEYWORD for each in parameters)


def _flat(found: Any, count: int, what: str) -> list[Any]:
    given = list(found) if isinstance(found, (list, tuple)) else [found]
    flat = [each for part in given for each in (nest.flatten(part) if part is not None else [None])]
    if len(flat) != count:
        raise ArgumentValueError(f"{what} returns {len(flat)} gradients for {count} arguments")
    return [None if each is None else to_tensor(each) for each in flat]


def _check_gradient(gradient: Any, argument: Any) -> Any:
    """Return a gradient; ArgumentValueError if its shape or dtype does not fit the argument."""
    if gradient is not None and not gradient.shape.is_compatible_with(argument.shape):
        raise ArgumentValueError(
            f"grad under custom_gradient must return the shape {argument.shape} of its argument, "
            f"not {gradient.shape}"
        )
    if gradient is not None and gradient.dtype != argument.dtype:
        raise ArgumentValueError(
            f"grad under custom_gradient returns {gradient.dtype.name} for an argument of "
            f"{argument.dtype.name}: write rt.cast(dx, x.dtype)"
        )
    return gradient


def _custom_vjp_kernel(*values: Array, rule: _Rule) -> tuple[Array, ...]:
    return tuple(each.view() for each in values[: rule.results])


def _custom_vjp_infer(*specs: TensorSpec, rule: _Rule) -> tuple[TensorSpec, ...]:
    return tuple(each.unnamed() for each in specs[: rule.results])


def _custom_vjp_grad(dys: Any, outputs: Any, inputs: Any, *, rule: _Rule) -> list[Any]:
    until = rule.results + rule.arguments
    arguments, uses = inputs[rule.results : until], inputs[until:]
    found = map(_check_gradient, rule.gradients(dys, uses), arguments)
    return [*[None] * rule.results, *found, *[None] * len(uses)]


CUSTOM_VJP: Op = define(
    "given_gradient", _custom_vjp_kernel, _custom_vjp_infer, grad=_custom_vjp_grad, n_outputs=None
)
