"""Models as plain values: configs, JSON, and models made of them again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from runtime import nest
from runtime.errors import ArgumentValueError
from runtime.nn.layers.input_layer import InputLayer
from runtime.nn.layers.later import Later, Step
from runtime.nn.models.input import input_of
from runtime.nn.models.known_classes import class_named
from runtime.nn.models.wiring import Wiring
from runtime.ops.op import Op

# -- to plain values -------------------------------------------------------------------------------


def config_of(layer: Any) -> dict[str, Any]:
    """Return the name of the class of a layer and its config."""
    return {"class_name": type(layer).__name__, "config": layer.get_config()}


def config_of_model(model: Any) -> dict[str, Any]:
    """Return the layers of a Sequential, or the layers and steps of a model made of inputs.

    Raises:
        ArgumentValueError: it is neither, or takes a step that is no plain value.
    """
    head = {"name": model.name, "trainable": model.trainable}
    if model._row is not None:
        rows = [config_of(each) for each in model._row]
        shape = model._own.input_shape or model._own.build_shape
        return {**head, "layers": rows, "build_input_shape": None if shape is None else [*shape]}
    wiring = model._own.wiring
    if wiring is None:
        raise ArgumentValueError(
            f"model {model.name!r} is made by Python code: let {type(model).__name__} have a "
            "get_config"
        )
    places = _places(wiring)
    return {
        **head,
        "layers": [config_of(each) for each in wiring.layers],
        "steps": [_step_config(step, places) for step in wiring.steps],
        "inputs": _plain(wiring.inputs, places),
        "outputs": _plain(wiring.outputs, places),
    }


def _places(wiring: Wiring) -> dict[int, list[Any]]:
    """Return where values come from: an input layer or a step, and which of its outputs."""
    inputs = nest.flatten(wiring.inputs)
    found: dict[int, list[Any]] = {id(each): [each.name, 0] for each in inputs}
    for number, step in enumerate(wiring.steps):
        for at, leaf in enumerate(nest.flatten(step.outputs)):
            found[id(leaf)] = [number, at]
    return found


def _step_config(step: Step, places: Any) -> dict[str, Any]:
    if isinstance(step.callee, Op):
        raise ArgumentValueError(
            f"the model computes {step.callee.name} of its values outside of any layer, which no "
            "config tells: put it into the `call` of a layer"
        )
    args, kwargs = _plain(step.args, places), _plain(step.kwargs, places)
    return {"layer": step.name, "args": args, "kwargs": kwargs}


def _plain(value: Any, places: Any) -> Any:
    if isinstance(value, Later):
        return {"value": places[id(value)]}
    if isinstance(value, Mapping):
        return {"dict": {key: _plain(each, places) for key, each in value.items()}}
    if isinstance(value, (list, tuple)):
        return [_plain(each, places) for each in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise ArgumentValueError(f"a layer of the model is called with {value!r:.60}, no plain value")


# -- and back --------------------------------------------------------------------------------------


def layer_of(config: Mapping[str, Any], custom_objects: Mapping[str, Any] | None = None) -> Any:
    """Return the layer or model that `config_of` gave the config of."""
    kind = class_named(config["class_name"], custom_objects)
    if custom_objects and getattr(kind, "takes_custom_objects", False):
        return kind.from_config(config["config"], custom_objects)
    return kind.from_config(config["config"])


def model_of(
    kind: Any, config: Mapping[str, Any], custom_objects: Mapping[str, Any] | None = None
) -> Any:
    """Return the model of a class that `config_of_model` gave the config of."""
    if "layers" not in config or "trainable" not in config:
        return kind(**config)
    parts = [layer_of(each, custom_objects) for each in config["layers"]]
    options = {"name": config["name"], "trainable": config["trainable"]}
    if "steps" not in config:
        made = kind(parts, **options)
        shape = config.get("build_input_shape")
        if shape is not None and not made.built:
            made.build(tuple(shape))
        return made
    by_name = {each.name: each for each in parts}
    starts = {n: input_of(each) for n, each in by_name.items() if isinstance(each, InputLayer)}
    done: list[list[Any]] = []

    def back(value: Any) -> Any:
        if isinstance(value, Mapping) and "value" in value:
            first, at = value["value"]
            return starts[first] if isinstance(first, str) else done[first][at]
        if isinstance(value, Mapping):
            return {key: back(each) for key, each in value["dict"].items()}
        return [back(each) for each in value] if isinstance(value, list) else value

    for step in config["steps"]:
        found = by_name[step["layer"]](*back(step["args"]), **back(step["kwargs"]))
        done.append(nest.flatten(found))
    return kind(back(config["inputs"]), back(config["outputs"]), **options)


def as_json(model: Any, **options: Any) -> str:
    """Return a model as text; options are those of `json.dumps`."""
    try:
        return json.dumps(config_of(model), **options)
    except TypeError as error:
        raise ArgumentValueError(
            f"model {model.name!r} is made of what JSON cannot hold: {error}"
        ) from None
