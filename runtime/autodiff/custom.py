"""Gradients that the user gives: `custom_gradient`, and values computed twice to save memory.

    y, grad = f(x)               y = given_gradient(y, x) {rule=grad}

The results pass through a node that knows the rule; going backwards, it is asked, and what the
function did inside is passed over.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from runtime import nest
from runtime.autodiff.steps import is_differentiable
from runtime.autodiff.tape import GradientTape
from runtime.errors import ArgumentValueError
from runtime.ops.convert import to_tensor
from runtime.ops.op import Op, apply, define
from runtime.spec import TensorSpec
from runtime.staging import staged
from runtime.tensor import Array, Tensor
from runtime.variable import Variable


class _Rule:
    """The user's rule, with the form of what it takes and gives.

    Attributes:
        grad: the function.
        results: how many tensors come before the arguments.
        variables: which the function has read; their gradients are asked for by name.
    """

    __slots__ = ("grad", "results", "variables")

    def __init__(
        self, grad: Callable[..., Any], results: int, variables: Sequence[Variable]
    ) -> None:
        self.grad, self.results, self.variables = grad, results, tuple(variables)

    def __call__(self, dys: Sequence[Any], arguments: int) -> list[Any]:
        if not self.variables:
            return _flat(self.grad(*dys), arguments, "grad")
        if not _takes_variables(self.grad):
            names = ", ".join(repr(each.name) for each in self.variables)
            raise ArgumentValueError(
                f"the function under custom_gradient reads the variables {names}, so that its grad "
                "needs an argument `variables` and returns (gradients, gradients of variables)"
            )
        returned = self.grad(*dys, variables=list(self.variables))
        if not isinstance(returned, tuple) or len(returned) != 2:
            raise ArgumentValueError(
                "grad with `variables` returns two things: gradients, and those of the variables"
            )
        of_arguments, of_variables = returned
        own = arguments - len(self.variables)
        return [
            *_flat(of_arguments, own, "grad"),
            *_flat(of_variables, len(self.variables), "grad, for the variables,"),
        ]

    def __repr__(self) -> str:
        return getattr(self.grad, "__name__", "grad")


def custom_gradient(f: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """Let a function say what its gradient is.

    Args:
        f: takes tensors and returns a pair: its results, and a function `grad` from the gradients
            of the results to the gradients of the arguments, None for those without. If `f` reads
            variables, `grad` has an argument `variables` and returns a pair, of which the second
            part is a list with their gradients.

    Returns:
        The function, which returns the results alone.

    Example:
        >>> import runtime as rt
        >>> @custom_gradient
        ... def clipped(x):
        ...     return x * 1.0, lambda dy: rt.clip_by_value(dy, -1.0, 1.0)
        >>> x = rt.constant(2.0)
        >>> with rt.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = clipped(x) * 100.0
        >>> tape.gradient(y, x)
        <rt.Tensor: shape=(), dtype=float32, numpy=1.0>
    """
    if f is None:
        return custom_gradient

    @functools.wraps(f)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        given = nest.map_structure(lambda each: _as_argument(each), list(args))
        with GradientTape() as reads:
            returned = staged(f)(*given, **kwargs)
        if not isinstance(returned, tuple) or len(returned) != 2 or not callable(returned[1]):
            raise ArgumentValueError(
                f"{getattr(f, '__name__', 'the function')} under custom_gradient returns a pair: "
                "its result, and a function from the result's gradient to those of the arguments"
            )
        result, grad = returned[0], staged(returned[1])
        outputs = [to_tensor(each) for each in nest.flatten(result)]
        arguments = [each for each in nest.flatten(given) if isinstance(each, (Tensor, Variable))]
        read = [v for v in reads.watched_variables() if not any(v is each for each in arguments)]
        # The rule knows variables by the tensors read of them, through which gradients go on.
        sources = [to_tensor(each) for each in (*arguments, *read)]
        rule = _Rule(grad, len(outputs), read)
        passed = apply(GIVEN, (*outputs, *sources), rule=rule)
        return nest.unflatten(result, list(passed))

    return decorated


def recompute_grad(f: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function be computed again for its gradient, so that none of its values are kept.

    Args:
        f: takes tensors and returns them; it is called twice and should do the same both times.

    Example:
        >>> import runtime as rt
        >>> x = rt.constant(3.0)
        >>> with rt.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = recompute_grad(lambda x: x * x)(x)
        >>> tape.gradient(y, x)
        <rt.Tensor: shape=(), dtype=float32, numpy=6.0>
    """

    @functools.wraps(f)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        @custom_gradient
        def inner(*given: Any) -> Any:
            def grad(*dys: Any, variables: Sequence[Variable] = ()) -> Any:
                tensors = [each for each in nest.flatten(list(given)) if isinstance(each, Tensor)]
                with GradientTape() as tape:
                    tape.watch([each for each in tensors if is_differentiable(each.dtype)])
                    again = staged(f)(*given, **kwargs)
                found = tape.gradient(
                    again, [*tensors, *variables], nest.unflatten(again, list(dys))
                )
                own = found[: len(tensors)]
                return (own, found[len(tensors) :]) if variables else own

            return staged(f)(*given, **kwargs), grad

        return inner(*args)

    return decorated


def _as_argument(value: Any) -> Any:
    return value if isinstance(value, Variable) else to_tensor(value)


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


def _given_kernel(*values: Array, rule: _Rule) -> tuple[Array, ...]:
    return tuple(each.view() for each in values[: rule.results])


def _given_infer(*specs: TensorSpec, rule: _Rule) -> tuple[TensorSpec, ...]:
    return tuple(each.unnamed() for each in specs[: rule.results])


def _given_grad(dys: Any, outputs: Any, inputs: Any, *, rule: _Rule) -> list[Any]:
    arguments = len(inputs) - rule.results
    return [*[None] * rule.results, *rule(dys, arguments)]


GIVEN: Op = define("given_gradient", _given_kernel, _given_infer, grad=_given_grad, n_outputs=None)
