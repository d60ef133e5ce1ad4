"""Constructor arguments: passed on by name, with other defaults, and as the configs of layers."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from runtime.core.argument_checks import listed
from runtime.core.dtypes import as_dtype, float32
from runtime.core.lazy_imports import lazy_import
from runtime.core.tensor import EagerTensor
from runtime.errors import ArgumentValueError
from runtime.nn.custom_objects import FunctionName
from runtime.nn.layers.dtype_policy import DTypePolicy

keyword_suggestion = lazy_import("runtime.core.keyword_suggestions:keyword_suggestion")

_INPUT_ARGUMENTS = ("input_shape", "batch_input_shape", "input_dim", "input_length", "batch_size")


# Entries of Keras configs without an equivalent here.
_UNSUPPORTED_ENTRIES = (
    *("gptq_unpacked_column_size", "lora_alpha", "lora_rank", "quantization_config"),
    "rms_scaling",
)


def without_unsupported(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return a config without Keras entries that are empty and unsupported.

    >>> without_unsupported({"units": 3, "quantization_config": None})
    {'units': 3}
    """
    return {
        name: value for name, value in config.items() if value or name not in _UNSUPPORTED_ENTRIES
    }


@functools.lru_cache(maxsize=1024)
def _signature(kind: type) -> inspect.Signature:
    return inspect.signature(kind.__init__, follow_wrapped=True)  # type: ignore[misc]


def parameters_of_init(kind: type) -> dict[str, inspect.Parameter]:
    """Return the parameters of the `__init__` of a class by name, without the first."""
    return dict(list(_signature(kind).parameters.items())[1:])


def arguments_for(kind: type, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of the arguments that `kind.__init__` takes by name.

    A subclass with a long signature passes `locals()` on, so that it writes the names only once.

    >>> class Box:
    ...     def __init__(self, size, color="red", **options): ...
    >>> arguments_for(Box, {"self": None, "size": 3, "lid": True, "options": {}})
    {'size': 3}
    """
    parameters = parameters_of_init(kind).values()
    taken = [each.name for each in parameters if each.kind is not each.VAR_KEYWORD]
    return {name: arguments[name] for name in taken if name in arguments}


def give_init(cls: type, init: Callable[..., Any], **defaults: Any) -> None:
    """Give a class a copy of an `__init__` with other defaults, which `help` and signatures show.

    >>> class Box:
    ...     def __init__(self, color="red"):
    ...         self.color = color
    >>> class Bin(Box): ...
    >>> give_init(Bin, Box.__init__, color="grey")
    >>> Bin().color
    'grey'
    """
    parameters = inspect.signature(init).parameters.values()
    values = {each.name: each.default for each in parameters if each.default is not each.empty}
    copy = types.FunctionType(
        init.__code__,
        init.__globals__,
        init.__name__,
        tuple({**values, **defaults}.values()),
        init.__closure__,
    )
    copy.__annotations__ = init.__annotations__
    copy.__module__, copy.__qualname__ = cls.__module__, f"{cls.__qualname__}.__init__"
    cls.__init__ = copy  # type: ignore[misc]


def bound_arguments(kind: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of `kind(*args, **kwargs)` by name, including defaults."""
    try:
        bound = _signature(kind).bind(None, *args, **kwargs)
    except TypeError:
        return {}  # The call of the class raises the error.
    bound.apply_defaults()
    names = iter(_signature(kind).parameters.values())
    next(names)
    found: dict[str, Any] = {}
    for parameter in names:
        value = bound.arguments[parameter.name]
        if parameter.kind is parameter.VAR_KEYWORD:
            found.update(value)
        elif parameter.kind is not parameter.VAR_POSITIONAL:
            found[parameter.name] = value
    return found


def plain(value: Any) -> Any:
    """Return an argument as plain values: objects become a class name and their own config.

    >>> from runtime.nn.initializers import Zeros
    >>> plain([Zeros(), 1])
    [{'class_name': 'Zeros', 'config': {}}, 1]
    """
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, (EagerTensor, np.ndarray)):
        return np.asarray(value).tolist()
    if hasattr(value, "get_config") and not isinstance(value, type):
        return {"class_name": type(value).__name__, "config": value.get_config()}
    if callable(value) and hasattr(value, "__name__"):
        is_ours = str(getattr(value, "__module__", "")).startswith("runtime.")
        return value.__name__ if is_ours else FunctionName(value)
    return value


def checked_dtype(dtype: Any) -> Any:
    """Return the dtype of a layer, float32 by default."""
    if isinstance(dtype, Mapping):
        dtype = dtype.get("config", {}).get("name", "float32")
    if isinstance(dtype, str) and dtype.startswith("mixed"):
        dtype = DTypePolicy(dtype)
    if isinstance(dtype, DTypePolicy):
        dtype = dtype.name
    return float32 if dtype is None else as_dtype(dtype)


def input_shape_in(kind: type, kwargs: dict[str, Any]) -> Any:
    """Return the input shape in the arguments, including the batch, or None.

    Raises:
        ArgumentValueError: there are other arguments, which no layer accepts.
    """
    given = {name: kwargs.pop(name) for name in _INPUT_ARGUMENTS if name in kwargs}
    if kwargs:
        name, known = next(iter(kwargs)), {*_signature(kind).parameters, *_INPUT_ARGUMENTS}
        instead = keyword_suggestion(name, known)
        raise ArgumentValueError(f"{kind.__name__} has no argument {name}{instead}")
    if "batch_input_shape" in given:
        return tuple(given["batch_input_shape"])
    if "input_shape" in given:
        return (given.get("batch_size"), *listed(given["input_shape"], "input_shape"))
    if "input_dim" in given:
        length = (given["input_length"],) if "input_length" in given else ()
        return (given.get("batch_size"), *length, given["input_dim"])
    return None
