"""`custom_gradient` and `recompute_grad`: the user's gradients, and recomputed ones."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ParamSpec, TypeVar

import numpy as np

from runtime import nest
from runtime.autodiff.custom_vjp import with_custom_vjp
from runtime.autodiff.tape import GradientTape
from runtime.autodiff.tape_steps import distinct, identity_of, is_differentiable
from runtime.core.converter_hooks import staged
from runtime.core.tensor import SymbolicTensor, Tensor
from runtime.errors import ArgumentValueError
from runtime.graph.capture import enclosing_graphs, outermost
from runtime.graph.graph import Graph
from runtime.ops.convert import to_tensor
from runtime.ops.op import Op
from runtime.state.variable import Variable

_CONVERTED = (Tensor, np.ndarray, np.generic, bool, int, float, complex, str, bytes)

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class GradientCallArguments:
    """The arguments of one call of a function with a custom gradient.

    Args:
        function: the called function.
        args: its positional arguments; numbers and arrays among them become tensors.
        kwargs: its keyword arguments, which stay unchanged.

    Attributes:
        args, kwargs: the converted arguments for the call.
        sources: the tensors and variables in both, positional ones first.
    """

    def __init__(
        self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        self.args = [_convert_argument(each) for each in args]
        self.kwargs = kwargs
        self.sources: list[Any] = []
        named = _named(function, args, kwargs)
        defaults = [value for name, value in named.items() if name not in kwargs]
        ordered = [name for name in named if name in kwargs]
        ordered += [name for name in kwargs if name not in ordered]
        # For each leaf its index among the sources, None if it is not one.
        positional = self._source_indices(self.args)
        by_keyword = self._source_indices([kwargs[name] for name in ordered])
        tensors = [
            index
            for index, leaf in zip(
                [*positional, *by_keyword],
                nest.flatten([list(args), [kwargs[name] for name in ordered]]),
                strict=True,
            )
            if isinstance(leaf, (Tensor, Variable, np.ndarray))
        ]
        known: list[int | None] = [index for index in positional if index is not None]
        given = known + by_keyword
        self._orders: tuple[list[int | None], ...] = (
            known,
            given,
            given + [None] * len(nest.flatten(defaults)),
            tensors,
        )

    def _source_indices(self, values: Any) -> list[int | None]:
        indices: list[int | None] = []
        for leaf in nest.flatten(values):
            is_source = isinstance(leaf, (Tensor, Variable))
            indices.append(len(self.sources) if is_source else None)
            self.sources += [leaf] if is_source else []
        return indices

    def for_sources(self, grad: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function like `grad` that returns one gradient, or None, for each source.

        `grad` may return gradients of the positional arguments, of all passed arguments, of all
        parameters, or of the tensors among the arguments; the number of gradients decides.
        """

        @functools.wraps(grad)
        def gradients(*dys: Any, **options: Any) -> Any:
            found = grad(*dys, **options)
            if not options:
                return self._by_source(found)
            if isinstance(found, tuple) and len(found) == 2:
                return self._by_source(found[0]), found[1]
            return found

        return gradients

    def _by_source(self, found: Any) -> Any:
        parts = list(found) if isinstance(found, (list, tuple)) else [found]
        flat = [leaf for part in parts for leaf in ([None] if part is None else nest.flatten(part))]
        order = next((order for order in self._orders if len(order) == len(flat)), None)
        if order is None:
            return found
        by_source: list[Any] = [None] * len(self.sources)
        for index, gradient in zip(order, flat):
            if index is not None:
                by_source[index] = gradient
        return by_source


def _named(
    function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]
) -> dict[str, Any]:
    """Return the keyword arguments by name, in parameter order, with default values."""
    try:
        signature = inspect.signature(function)
        bound = signature.bind(*args, **kwargs)
    except (TypeError, ValueError):
        return dict(kwargs)
    given = set(bound.arguments) - set(kwargs)
    bound.apply_defaults()
    kinds = {name: each.kind for name, each in signature.parameters.items()}
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return {
        name: value
        for name, value in bound.arguments.items()
        if name not in given and kinds[name] not in several
    }


def _convert_argument(value: Any) -> Any:
    leaves = nest.flatten(value)
    made = list(map(_convert_leaf, leaves))
    # An argument without tensors stays the same object.
    is_same = all(a is b for a, b in zip(leaves, made))
    return value if is_same else nest.unflatten(value, made)


def _convert_leaf(value: Any) -> Any:
    """Return a leaf as an argument: a tensor for values, other objects such as `self` unchanged."""
    return to_tensor(value) if isinstance(value, _CONVERTED) else value


# -- user-defined gradients ------------------------------------------------------------------------


def custom_gradient(f: Callable[..., object] | None = None) -> Callable[..., Any]:
    """Let a function define its own gradient.

    Args:
        f: takes tensors and returns a pair: its results, and a function `grad` from the gradients
            of the results to those of the positional arguments (None where there is none), of all
            arguments, or of the tensors among them. If `f` reads variables, `grad` has an argument
            `variables`, and returns a pair whose second part is the list of their gradients.

    Returns:
        A function that returns only the results; it raises ArgumentValueError if `f` returns no
        such pair.

    Example:
        >>> import autograph.runtime as rt
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
        call = GradientCallArguments(f, args, kwargs)
        with GradientTape() as reads:
            returned = staged(f)(*call.args, **kwargs)
        if not isinstance(returned, tuple) or len(returned) != 2 or not callable(returned[1]):
            raise ArgumentValueError(
                f"{getattr(f, '__name__', 'the function')} under custom_gradient must return a "
                "pair: its result, and a function from the result's gradient to those of the "
                "arguments"
            )
        result, grad = returned[0], call.for_sources(staged(returned[1]))
        outputs = [to_tensor(each) for each in nest.flatten(result)]
        arguments = call.sources
        read = [v for v in reads.watched_variables() if not any(v is each for each in arguments)]
        # The rule uses the values read from variables, through which gradients reach the variables.
        sources = [to_tensor(each) for each in (*arguments, *read)]
        return nest.unflatten(result, list(with_custom_vjp(grad, outputs, sources, read)))

    return decorated


def recompute_grad(f: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Recompute a function for its gradient instead of storing its intermediate values.

    Args:
        f: takes and returns tensors; it is called twice and should compute the same both times.
            Gradients flow to its arguments, and to the tensors and variables that it reads.

    Example:
        >>> import autograph.runtime as rt
        >>> x = rt.constant(3.0)
        >>> with rt.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = recompute_grad(lambda x: x * x)(x)
        >>> tape.gradient(y, x)
        <rt.Tensor: shape=(), dtype=float32, numpy=6.0>
    """

    @functools.wraps(f)
    def decorated(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Any:
        given = list(map(_convert_argument, args))
        arguments = _tensors_in(given)
        reads = _CaptureTape(arguments)
        with reads:
            result = staged(f)(*given, **kwargs)
        outputs = [to_tensor(each) for each in nest.flatten(result)]
        captured = reads.captured(outputs)
        read = [v for v in reads.watched_variables() if not any(v is each for each in arguments)]

        def grad(*dys: Any, variables: Sequence[Variable] = ()) -> Any:
            # Two arguments may be the same tensor, but each has its own gradient.
            copies = nest.map_structure(distinct, given)
            differentiated = [*_tensors_in(copies), *captured]
            with GradientTape() as tape:
                tape.watch([each for each in differentiated if is_differentiable(each.dtype)])
                again = staged(f)(*copies, **kwargs)
            found = tape.gradient(
                again, [*differentiated, *variables], nest.unflatten(again, list(dys))
            )
            own = [
                None if any(of is each for each in differentiated[:at]) else found[at]
                for at, of in enumerate(differentiated)
            ]
            return (own, found[len(differentiated) :]) if variables else own

        differentiated = [to_tensor(each) for each in (*arguments, *captured, *read)]
        return nest.unflatten(result, list(with_custom_vjp(grad, outputs, differentiated, read)))

    return decorated


class _CaptureTape(GradientTape):
    """A tape that notes the tensors which a function reads from outside.

    Args:
        arguments: the tensors that the function is given.
    """

    __slots__ = ("_captured", "_created")

    def __init__(self, arguments: Sequence[Any]) -> None:
        super().__init__()
        # By the id of the identity, which stays alive here.
        self._created = {id(each): each for each in map(identity_of, arguments)}
        self._captured: dict[int, Any] = {}

    def note(
        self,
        graph: Any,
        op: Op,
        inputs: Sequence[Any],
        attrs: Mapping[str, object],
        outputs: Sequence[Tensor],
    ) -> None:
        """Record an op, and note those of its operands that come from outside."""
        super().note(graph, op, inputs, attrs, outputs)
        self._note_captures(inputs)
        self._created.update((id(each), each) for each in map(identity_of, outputs))

    def captured(self, outputs: Sequence[Any]) -> list[Any]:
        """Return the float tensors that came from outside; an output itself may be one."""
        self._note_captures(outputs)
        return list(self._captured.values())

    def _note_captures(self, values: Sequence[Any]) -> None:
        for value in map(outermost, values):
            identity = identity_of(value)
            if id(identity) not in self._created and self._is_from_outside(value):
                self._captured.setdefault(id(identity), value)

    def _is_from_outside(self, value: Any) -> bool:
        if not isinstance(value, Tensor) or not is_differentiable(value.dtype):
            return False
        # The inputs of regions, such as loop variables, live inside of the function.
        around = enclosing_graphs(self._graph) if isinstance(self._graph, Graph) else ()
        return not isinstance(value, SymbolicTensor) or value.graph in around


def _tensors_in(structure: Any) -> list[Any]:
    return [each for each in nest.flatten(structure) if isinstance(each, (Tensor, Variable))]
