"""Layers from their configs, with errors that name the wrong argument."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import Parameter
from typing import Any

from runtime.errors import ArgumentValueError, CustomObjectError, OpError
from runtime.nn.layers.constructor_arguments import (
    checked_dtype,
    parameters_of_init,
    plain,
    without_unsupported,
)

# Attributes of every layer, even if its `__init__` does not accept them.
_OF_ALL = ("name", "trainable", "dtype")


def made_of_config(kind: Any, config: Mapping[str, Any]) -> Any:
    """Return a layer of a class, made with the arguments in a config.

    Those of `name`, `trainable` and `dtype` that `__init__` does not accept are set afterwards.

    Raises:
        ArgumentValueError: arguments are missing, unknown or wrong; the message names the layer.
    """
    options = without_unsupported(config)
    parameters = parameters_of_init(kind)
    takes_any = any(each.kind is Parameter.VAR_KEYWORD for each in parameters.values())
    beside = () if takes_any else [n for n in _OF_ALL if n in options and n not in parameters]
    given = {name: value for name, value in options.items() if name not in beside}
    subject = f"layer {config.get('name', '')!r} ({kind.__name__}) from its config"
    missing = [n for n, each in parameters.items() if n not in given and is_required(each)]
    unknown = [] if takes_any else [n for n in given if n not in parameters]
    if missing or unknown:
        what = f"lacks {missing[0]!r}" if missing else f"has {unknown[0]!r}"
        takes = "which its __init__ needs" if missing else "which its __init__ does not take"
        name = (missing or unknown)[0]
        is_ours = kind.__module__.startswith("runtime.")
        raise (ArgumentValueError if is_ours else CustomObjectError)(
            f"cannot make {subject}: that {what}, {takes}: let get_config return "
            f"{{**super().get_config(), {name!r}: self.{name}}}, and __init__ take {name} and "
            "**kwargs"
        )
    try:
        made = kind(**given)
    except OpError as error:
        error.message = f"cannot make {subject}: {error.message}"
        raise
    for name in beside:
        if name == "name":
            made._own.name = options["name"]
        elif name == "dtype":
            made._own.dtype = checked_dtype(options["dtype"])
        elif not options["trainable"]:
            made.trainable = False
    return made


def is_required(parameter: Parameter) -> bool:
    """Return whether a call must give a parameter."""
    various = (Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL)
    return parameter.default is Parameter.empty and parameter.kind not in various


def whole_config(layer: Any) -> dict[str, Any]:
    """Return the config of `get_config`, completed with required arguments that it omits.

    >>> from runtime.nn.layers import Dense
    >>> whole_config(Dense(3))["units"]
    3
    """
    config = dict(layer.get_config())
    made_of: Mapping[str, Any] = layer._own.config
    for name, parameter in parameters_of_init(type(layer)).items():
        if name not in config and name in made_of and is_required(parameter):
            config[name] = plain(made_of[name])
    return config
