"""Gradients that the user gives: `custom_gradient`, and values computed twice to save memory."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from runtime import nest
from runtime.autodiff.custom_gradient_arguments import Arguments
from runtime.autodiff.custom_vjp import with_rule
from runtime.autodiff.tape import GradientTape
from runtime.autodiff.tape_steps import is_differentiable
from runtime.core.converter_hooks import staged
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError
from runtime.ops.convert import to_tensor
from runtime.ops.gradient_rules import IDENTITY
from runtime.ops.op import apply
from runtime.state.variable import Variable


def custom_gradient(f: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """Let a function say what its gradient is.

    Args:
        f: takes tensors and returns a pair: its results, and a function `grad` from the gradients
            of the results to the gradients of the positional arguments, None for those without; or
            of all arguments, or of those that are tensors. If `f` reads
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
        given = Arguments(f, args, kwargs)
        with GradientTape() as reads:
            returned = staged(f)(*given.args, **kwargs)
        if not isinstance(returned, tuple) or len(returned) != 2 or not callable(returned[1]):
            raise ArgumentValueError(
                f"{getattr(f, '__name__', 'the function')} under custom_gradient returns a pair: "
                "its result, and a function from the result's gradient to those of the arguments"
            )
        result, grad = returned[0], given.of_sources(staged(returned[1]))
        outputs = [to_tensor(each) for each in nest.flatten(result)]
        arguments = given.sources
        read = [v for v in reads.watched_variables() if not any(v is each for each in arguments)]
        # The rule knows variables by the tensors read of them, through which gradients go on.
        sources = [to_tensor(each) for each in (*arguments, *read)]
        return nest.unflatten(result, list(with_rule(grad, outputs, sources, read)))

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
                # One tensor in two places has a slope in each of them.
                places = nest.map_structure(_in_its_place, list(given))
                arguments = _differentiated(places)
                with GradientTape() as tape:
                    tape.watch([each for each in arguments if is_differentiable(each.dtype)])
                    again = staged(f)(*places, **kwargs)
                found = tape.gradient(
                    again, [*arguments, *variables], nest.unflatten(again, list(dys))
                )
                own = [
                    None if any(of is each for each in arguments[:at]) else found[at]
                    for at, of in enumerate(arguments)
                ]
                return (own, found[len(arguments) :]) if variables else own

            return staged(f)(*given, **kwargs), grad

        return inner(*args)

    return decorated


def _differentiated(given: Any) -> list[Any]:
    return [each for each in nest.flatten(given) if isinstance(each, (Tensor, Variable))]


def _in_its_place(value: Any) -> Any:
    return apply(IDENTITY, (value,)) if isinstance(value, Tensor) else value
