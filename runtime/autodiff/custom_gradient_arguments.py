"""Arguments of a function under `custom_gradient`, and which of them a gradient is of.

f(x, scale=2.0)    ->    grad may return one gradient, of x, or two, of which scale's is dropped
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime import nest
from runtime.core.tensor import Tensor
from runtime.ops.convert import to_tensor
from runtime.state.variable import Variable

_MADE_TENSORS = (Tensor, np.ndarray, np.generic, bool, int, float, complex, str, bytes)


class Arguments:
    """The arguments of one call.

    Args:
        function: what is called.
        args: its positional arguments; numbers and arrays among them become tensors.
        kwargs: its keyword arguments, which stay what they are.

    Attributes:
        args, kwargs: what to call the function with.
        sources: the tensors and variables in both, positional ones first.
    """

    def __init__(
        self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        self.args = [_as_arguments(each) for each in args]
        self.kwargs = kwargs
        self.sources: list[Any] = []
        named = _named(function, args, kwargs)
        defaults = [value for name, value in named.items() if name not in kwargs]
        ordered = [name for name in named if name in kwargs]
        ordered += [name for name in kwargs if name not in ordered]
        # Of each leaf the number among the sources, None for what is none.
        positional = self._places(self.args)
        by_keyword = self._places([kwargs[name] for name in ordered])
        tensors = [
            place
            for place, leaf in zip(
                [*positional, *by_keyword],
                nest.flatten([list(args), [kwargs[name] for name in ordered]]),
                strict=True,
            )
            if isinstance(leaf, (Tensor, Variable, np.ndarray))
        ]
        known: list[int | None] = [place for place in positional if place is not None]
        given = known + by_keyword
        self._ways: tuple[list[int | None], ...] = (
            known,
            given,
            given + [None] * len(nest.flatten(defaults)),
            tensors,
        )

    def _places(self, values: Any) -> list[int | None]:
        places: list[int | None] = []
        for leaf in nest.flatten(values):
            is_source = isinstance(leaf, (Tensor, Variable))
            places.append(len(self.sources) if is_source else None)
            self.sources += [leaf] if is_source else []
        return places

    def of_sources(self, grad: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that gives one gradient for each source, None where `grad` has none.

        What `grad` returns are gradients of the positional arguments, of all that are given, of
        all that the function takes, or of the tensors among them: as many as there are.
        """

        @functools.wraps(grad)
        def gradients(*dys: Any, **options: Any) -> Any:
            found = grad(*dys, **options)
            if not options:
                return self._placed(found)
            if isinstance(found, tuple) and len(found) == 2:
                return self._placed(found[0]), found[1]
            return found

        return gradients

    def _placed(self, found: Any) -> Any:
        parts = list(found) if isinstance(found, (list, tuple)) else [found]
        flat = [leaf for part in parts for leaf in ([None] if part is None else nest.flatten(part))]
        way = next((way for way in self._ways if len(way) == len(flat)), None)
        if way is None:
            return found
        placed: list[Any] = [None] * len(self.sources)
        for place, gradient in zip(way, flat):
            if place is not None:
                placed[place] = gradient
        return placed


def _named(
    function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]
) -> dict[str, Any]:
    """Return what is not positional by the names of parameters, in their order, with defaults."""
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


def _as_arguments(value: Any) -> Any:
    leaves = nest.flatten(value)
    made = list(map(_as_argument, leaves))
    # What holds no values stays the object it is.
    is_same = all(a is b for a, b in zip(leaves, made))
    return value if is_same else nest.unflatten(value, made)


def _as_argument(value: Any) -> Any:
    """Return what a function is given for a leaf: objects that are no values stay, as `self`."""
    return to_tensor(value) if isinstance(value, _MADE_TENSORS) else value
