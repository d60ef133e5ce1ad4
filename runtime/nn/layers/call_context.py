"""The context of layer calls: the training mode, `build`, the parameters of `call`, activations."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from typing import Any

from runtime.core.argument_checks import flag
from runtime.core.converter_hooks import run
from runtime.core.creation_hooks import outside_graph
from runtime.core.tensor import Tensor
from runtime.graph.structured_control_flow import cond
from runtime.nn.modules import names

# The `training` argument of the outermost call, and the layer of that call.
_AROUND: ContextVar[tuple[Any, Any]] = ContextVar("layer_call", default=(None, None))


class calling:
    """In a `with` block, nested layer calls get the training mode of this one.

    Args:
        layer: the called layer.
        training: True, False, a tensor, or None if the call does not give it.
    """

    __slots__ = ("_layer", "_token", "_training", "is_outermost")

    def __init__(self, layer: Any, training: Any) -> None:
        self._layer, self._training = layer, training
        self.is_outermost = _AROUND.get()[0] is None

    def __enter__(self) -> calling:
        entry = self._layer if self.is_outermost else _AROUND.get()[0]
        self._token = _AROUND.set((entry, self._training))
        return self

    def __exit__(self, *exception: object) -> None:
        _AROUND.reset(self._token)


def is_in_call() -> bool:
    """Return whether a layer is being called.

    >>> is_in_call()
    False
    """
    return _AROUND.get()[0] is not None


def training_around() -> Any:
    """Return the value of `training` of the enclosing calls, or None."""
    return _AROUND.get()[1]


def if_training(training: Any, change: Callable[[Any], Any], inputs: Any) -> Any:
    """Return `change(inputs)` if `training` is true, else the inputs; a tensor decides at run time.

    >>> if_training(True, abs, -2.0), if_training(False, abs, -2.0)
    (2.0, -2.0)
    """
    if isinstance(training, Tensor):
        return cond(training, lambda: change(inputs), lambda: inputs)
    return change(inputs) if flag(training, "training") else inputs


# -- the wrapper of every `build` ------------------------------------------------------------------


def building(build: Callable[..., None]) -> Callable[..., None]:
    """Return a `build` that creates weights outside of any graph and sets `built`."""

    @wraps(build)
    def built(self: Any, *args: Any, **kwargs: Any) -> None:
        own = self._own
        if own.building:  # A subclass calls its base's `build`.
            build(self, *args, **kwargs)
            return
        own.building = True
        own.path = names.scoped(self.name)
        try:
            with outside_graph(build, self), names.scope(self.name):
                build(self, *args, **kwargs)
        finally:
            own.building = False
        own.built = True
        own.build_shape = next(iter((*args, *kwargs.values())), None)

    return built


# -- the parameters of `call` ----------------------------------------------------------------------


def parameters_of(layer: Any) -> tuple[dict[str, Any], bool]:
    """Return the names of the parameters with their defaults, and whether `call` takes any name.

    >>> class Example:
    ...     _own = type("Own", (), {"takes": None})()
    ...     def call(self, inputs, training=False, **kwargs): ...
    >>> parameters_of(Example())
    ({'inputs': None, 'training': False}, True)
    """
    if layer._own.takes is None:
        layer._own.takes = found_in(layer.call)
    found: tuple[dict[str, Any], bool] = layer._own.takes
    return found


def found_in(call: Any) -> tuple[dict[str, Any], bool]:
    """Return the parameters of a function with their defaults, and whether it has `**kwargs`."""
    parameters = inspect.signature(call).parameters.values()
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    named = {
        p.name: None if p.default is p.empty else p.default
        for p in parameters
        if p.kind not in several
    }
    return named, any(p.kind is p.VAR_KEYWORD for p in parameters)


# -- activations, which may be user functions ------------------------------------------------------


def activated(function: Any, *values: Any, **options: Any) -> Any:
    """Return a function's result, or the first value if there is no function.

    While a graph is recorded, the function is converted.

    >>> activated(abs, -2.0), activated(None, 3.0)
    (2.0, 3.0)
    """
    if function is None:
        return values[0]
    return run(function, *values, **options)
