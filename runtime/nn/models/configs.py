"""Configs of models: plain values and JSON, and models made from them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import numpy as np

from runtime import nest
from runtime.core.argument_checks import dict_argument, plain_text, shown
from runtime.core.dtypes import DType, as_dtype
from runtime.core.tensor import EagerTensor, Tensor
from runtime.errors import ArgumentValueError, CustomObjectError
from runtime.nn import layers
from runtime.nn.custom_objects import custom_object_scope, known_object
from runtime.nn.layers.deserialization import made_of_config, whole_config
from runtime.nn.layers.input import InputLayer, input_of
from runtime.nn.layers.layer import Layer
from runtime.nn.layers.symbolic import KerasTensor, Step
from runtime.nn.models.functional import Wiring
from runtime.ops.arrays.index import ELLIPSIS, NEWAXIS, HashableSlice, Index, Input
from runtime.ops.attributes import check_attributes, check_count
from runtime.ops.constant import constant
from runtime.ops.op import REGISTRY, Op, apply
from runtime.serialization.files import allowed

# The classes of models by name; each is imported when a config first names it.
_MODELS = {"Functional": "Model", "Model": "Model", "Sequential": "Sequential"}


def class_named(name: str, custom_objects: Mapping[str, Any] | None = None) -> Any:
    """Return the class of a name: from `custom_objects`, registered, or of the library.

    Raises:
        CustomObjectError: there is no such class.

    >>> class_named("Sequential").__name__, class_named("Functional").__name__
    ('Sequential', 'Model')
    """
    plain_text(name, "the name of a class")
    given = dict_argument(custom_objects, "custom_objects")
    found = given[name] if name in given else known_object(name)
    if hasattr(found, "from_config"):
        return found
    if name in _MODELS:
        return getattr(sys.modules[__package__], _MODELS[name])
    namespace: ModuleType = layers
    found = getattr(namespace, name) if name in namespace.__all__ else None
    if isinstance(found, type) and issubclass(found, layers.Layer):
        return found
    raise CustomObjectError(
        f"there is no layer {name!r}: give its class, custom_objects={{{name!r}: ...}}, or put "
        "@keras.saving.register_keras_serializable() in front of it"
    )


# -- to plain values -------------------------------------------------------------------------------


def config_of(layer: Any) -> dict[str, Any]:
    """Return the name of the class of a layer, its own name and its config."""
    config = whole_config(layer)
    return {"class_name": type(layer).__name__, "name": layer.name, "config": config}


def config_of_model(model: Any) -> dict[str, Any]:
    """Return the config of a model: its layers, and the steps of a functional one.

    Raises:
        ArgumentValueError: the model is a subclass, or an argument of a step is no plain value.
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
        "inputs": as_plain(wiring.inputs, places),
        "outputs": as_plain(wiring.outputs, places),
    }


def _places(wiring: Wiring) -> Callable[[Any], Any]:
    """Return a function from a KerasTensor to its origin: an input layer or step, and an index."""
    inputs = nest.flatten(wiring.inputs)
    found: dict[int, list[Any]] = {id(each): [each.name, 0] for each in inputs}
    for number, step in enumerate(wiring.steps):
        for at, leaf in enumerate(nest.flatten(step.outputs)):
            found[id(leaf)] = [number, at]
    return lambda leaf: found[id(leaf)]


def _step_config(step: Step, places: Any) -> dict[str, Any]:
    kind = "op" if isinstance(step.callee, Op) else "layer"
    args, kwargs = as_plain(step.args, places), as_plain(step.kwargs, places)
    return {kind: step.name, "args": args, "kwargs": kwargs}


# -- and back --------------------------------------------------------------------------------------


def layer_of(config: Mapping[str, Any], custom_objects: Mapping[str, Any] | None = None) -> Any:
    """Return the layer or model for a config from `config_of`."""
    kind = class_named(config["class_name"], custom_objects)
    with custom_object_scope(custom_objects):
        made = kind.from_config(config["config"])
    if "name" in config and "name" not in config["config"] and isinstance(made, Layer):
        made._own.name = config["name"]
    return made


def model_of(kind: Any, config: Mapping[str, Any]) -> Any:
    """Return the model of a class for a config from `config_of_model`."""
    if "layers" not in config or "trainable" not in config:
        return made_of_config(kind, config)
    parts = [layer_of(each) for each in config["layers"]]
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

    def value_at(place: Any) -> Any:
        first, at = place
        return starts[first] if isinstance(first, str) else done[first][at]

    def back(value: Any) -> Any:
        return from_plain(value, value_at)

    for step in config["steps"]:
        args, kwargs = back(step["args"]), back(step["kwargs"])
        if "op" in step:
            found = _applied(_op(step["op"]), args, kwargs)
        else:
            found = by_name[step["layer"]](*args, **kwargs)
        done.append(nest.flatten(found))
    return kind(back(config["inputs"]), back(config["outputs"]), **options)


def _applied(op: Op, args: Any, attrs: Any) -> Any:
    """Apply an op of a config, which may come from a file: see `runtime.serialization.reading`."""
    if not all(isinstance(each, (Tensor, KerasTensor)) for each in args):
        raise ArgumentValueError(
            f"the config applies the op {op.name!r} to values that are not tensors"
        )
    check_attributes(op, attrs)
    check_count(op, len(args), attrs)
    allowed().check(op, attrs, "the model")
    return apply(op, args, **attrs)


def _op(name: str) -> Op:
    if not isinstance(name, str) or name not in REGISTRY:
        raise ArgumentValueError(f"the config has an op {name!r}, which is not known here")
    return REGISTRY[name]


def unwritable(config: Any, owner: str = "") -> str | None:
    """Return a description of a config value that no file can hold, with its owner, or None.

    >>> unwritable({"class_name": "Own", "name": "own_1", "config": {"power": 2 + 1j}})
    "layer 'own_1' (Own), whose 'power' is (2+1j): let its get_config give plain values"
    """
    if isinstance(config, Mapping) and "class_name" in config and "config" in config:
        owner = f"layer {config.get('name', '')!r} ({config['class_name']})"
        return unwritable(config["config"], owner)
    pairs = config.items() if isinstance(config, Mapping) else enumerate(config)
    for name, value in pairs:
        if isinstance(value, (list, tuple, Mapping)):
            found = unwritable(value, owner)
            if found is not None:
                return found
        elif not isinstance(value, (str, int, float, bool, type(None))):
            remedy = "let its get_config give plain values"
            if callable(value):
                remedy = "write a Layer of your own that calls it"
            return f"{owner}, whose {name!r} is {shown(value)}: {remedy}"
    return None


def as_json(model: Any, **options: Any) -> str:
    """Return the config of a model as JSON; options are those of `json.dumps`."""
    config = config_of(model)
    try:
        return json.dumps(config, **options)
    except TypeError as error:
        raise ArgumentValueError(
            f"model {model.name!r} has no text for {unwritable(config) or error}"
        ) from None


# -- call arguments of steps as JSON data, and back ------------------------------------------------


# The classes of the parts of an index `x[...]`.
_PARTS: dict[str, tuple[Any, Callable[[Any], tuple[Any, ...]]]] = {
    "Index": (Index, lambda each: (each.items,)),
    "Span": (HashableSlice, lambda each: (each.start, each.stop, each.step)),
    "Input": (Input, lambda each: (each.position,)),
}
_MARKERS = {"...": ELLIPSIS, "newaxis": NEWAXIS}


def as_plain(value: Any, place_of: Callable[[KerasTensor], Any]) -> Any:
    """Return a value as JSON data.

    Args:
        place_of: returns the origin of a KerasTensor.

    Raises:
        ArgumentValueError: the value has no such form.

    >>> as_plain({"axis": (0, 1)}, id)
    {'dict': {'axis': {'tuple': [0, 1]}}}
    """

    def plain(part: Any) -> Any:
        return as_plain(part, place_of)

    if isinstance(value, KerasTensor):
        return {"value": place_of(value)}
    if isinstance(value, EagerTensor):
        return {"tensor": np.asarray(value).tolist(), "dtype": value.dtype.name}
    if isinstance(value, DType):
        return {"dtype": value.name}
    if isinstance(value, Mapping):
        return {"dict": {key: plain(each) for key, each in value.items()}}
    if type(value) is tuple:
        return {"tuple": [plain(each) for each in value]}
    if type(value) is list:
        return [plain(each) for each in value]
    if value is ELLIPSIS or value is NEWAXIS:
        return {"marker": value.text}
    for name, (kind, parts) in _PARTS.items():
        if isinstance(value, kind):
            return {"part": name, "of": [plain(each) for each in parts(value)]}
    if value is None or type(value) in (bool, int, float, str):
        return value
    raise ArgumentValueError(
        f"the model takes {value!r:.60} outside of any layer, which a config cannot hold: put that "
        "into the `call` of a layer"
    )


def from_plain(value: Any, value_at: Callable[[Any], Any]) -> Any:
    """Return the value of data from `as_plain`.

    Args:
        value_at: returns the KerasTensor of an origin.

    >>> from_plain({"dict": {"axis": {"tuple": [0, 1]}}}, id)
    {'axis': (0, 1)}
    """
    if isinstance(value, list):
        return [from_plain(each, value_at) for each in value]
    if not isinstance(value, Mapping):
        return value
    if "value" in value:
        return value_at(value["value"])
    if "tensor" in value:
        return constant(value["tensor"], value["dtype"])
    if "dtype" in value:
        return as_dtype(value["dtype"])
    if "tuple" in value:
        return tuple(from_plain(each, value_at) for each in value["tuple"])
    if "marker" in value:
        return _MARKERS[value["marker"]]
    if "part" in value:
        kind, _ = _PARTS[value["part"]]
        return kind(*(from_plain(each, value_at) for each in value["of"]))
    return {key: from_plain(each, value_at) for key, each in value["dict"].items()}
