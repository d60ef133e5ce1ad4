"""Clones of models, and models from JSON, with new layers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from runtime import nest
from runtime.core.argument_checks import dict_argument, function, plain_text, shown
from runtime.errors import ArgumentValueError, DTypeError
from runtime.nn.layers.deserialization import whole_config
from runtime.nn.layers.input import InputLayer, input_of
from runtime.nn.layers.layer import Layer
from runtime.nn.layers.symbolic import KerasTensor
from runtime.nn.layers.wrapper import made_like
from runtime.nn.models.configs import layer_of
from runtime.nn.models.functional import Wiring
from runtime.ops.op import Op
from runtime.serialization.files import AllowFiles, allowing

if TYPE_CHECKING:
    from runtime.nn.models.model import Model

AnyModel = TypeVar("AnyModel", bound="Model")
Make = Callable[[Any], Any]


def model_from_config(
    config: Mapping[str, Any],
    custom_objects: Mapping[str, object] | None = None,
    *,
    allow_files: AllowFiles = False,
) -> Model:
    """Return the model of a dict with `class_name` and `config`.

    Args:
        allow_files: the files that it may open at run time; see `load_model`.

    Raises:
        DTypeError, ArgumentValueError: it is not such a dict, or the class is unknown.
        PermissionDeniedError: the model opens a file that is not among `allow_files`.

    >>> import autograph.runtime as rt
    >>> model = rt.nn.Sequential([rt.nn.layers.Input((2,)), rt.nn.layers.Dense(1)])
    >>> config = {"class_name": "Sequential", "config": model.get_config()}
    >>> model_from_config(config).output_shape
    (None, 1)
    """
    if not {"class_name", "config"} <= set(dict_argument(config, "config")):
        raise ArgumentValueError("the config of a model must have class_name and config")
    with allowing(allow_files):
        return layer_of(config, custom_objects)


def model_from_json(
    json_string: str,
    custom_objects: Mapping[str, object] | None = None,
    *,
    allow_files: AllowFiles = False,
) -> Model:
    """Return the model in a text from `to_json`, with new weights.

    Args:
        custom_objects: classes of layers by their names.
        allow_files: the files that it may open at run time; see `load_model`.

    Raises:
        ArgumentValueError: the text is not a model, or a class is unknown.

    >>> from runtime.nn import Sequential, layers
    >>> model = Sequential([layers.Dense(2, input_shape=(3,))])
    >>> [tuple(each.shape) for each in model_from_json(model.to_json()).weights]
    [(3, 2), (2,)]
    """
    try:
        config = json.loads(plain_text(json_string, "json_string"))
    except (ValueError, RecursionError) as error:
        raise ArgumentValueError(f"the text is not a model: {error}") from None
    if not isinstance(config, dict) or "class_name" not in config:
        raise ArgumentValueError("the text is not a model: it has no class_name")
    return model_from_config(config, custom_objects, allow_files=allow_files)


def clone_model(
    model: AnyModel,
    input_tensors: Any = None,
    clone_function: Make | None = None,
    call_function: Any = None,
    recursive: bool = False,
    **kwargs: Any,
) -> AnyModel:
    """Return a model of the same kind with layers and weights of its own.

    Args:
        input_tensors: the inputs of a functional model, in place of new ones.
        clone_function: returns a copy of a layer; by default it uses the config.
        call_function, recursive: not supported; `clone_function` is called for inner models too.

    Raises:
        ArgumentValueError: an argument is unknown or unsupported, or the model has no config.

    >>> from runtime.nn import Sequential, layers
    >>> model = Sequential([layers.Dense(2, input_shape=(3,))])
    >>> clone = clone_model(model)
    >>> [tuple(each.shape) for each in clone.weights], clone.layers[0] is model.layers[0]
    ([(3, 2), (2,)], False)
    """
    if kwargs:
        raise ArgumentValueError(f"clone_model has no argument {', '.join(kwargs)}")
    for name, value in (("call_function", call_function), ("recursive", recursive)):
        if value is not None and value is not False:
            raise ArgumentValueError(f"clone_model has no argument {name}: give clone_function")
    make = _again if clone_function is None else function(clone_function, "clone_function")
    _check_model(model)
    if model._row is not None:
        row = [(_again if isinstance(each, InputLayer) else make)(each) for each in model._row]
        made = type(model)(row, name=model.name)
        shape = model._own.input_shape or model._own.build_shape
        if shape is not None and not made.built:
            made.build(shape)
        return made
    wiring = model._own.wiring
    if wiring is None:
        return make(model)
    return _wired_again(model, wiring, input_tensors, make)


def _check_model(model: Any) -> None:
    if not isinstance(model, Layer) or not hasattr(model, "_row"):
        raise DTypeError(f"clone_model takes a model, not {shown(model)}")


def _again(layer: Any) -> Any:
    if getattr(layer, "_row", None) is not None or layer._own.wiring is not None:
        return clone_model(layer)
    made = made_like(layer, whole_config(layer))
    made._own.name = layer.name
    return made


def _wired_again(model: Any, wiring: Wiring, input_tensors: Any, make: Make) -> Any:
    starts = nest.flatten(wiring.inputs)
    if input_tensors is None:
        begun = [input_of(_again(each.step.callee)) for each in starts]
    else:
        begun = nest.flatten(input_tensors)
    values = {id(old): new for old, new in zip(starts, begun)}
    clones: dict[int, Any] = {}

    def found(leaf: Any) -> Any:
        return values[id(leaf)] if isinstance(leaf, KerasTensor) else leaf

    for step in wiring.steps:
        args = [nest.map_structure(found, each) for each in step.args]
        if isinstance(step.callee, Op):
            first = next(each for each in args if isinstance(each, KerasTensor))
            outputs = first.defer(step.callee, args, step.kwargs)
        else:
            layer = clones.setdefault(id(step.callee), None) or make(step.callee)
            clones[id(step.callee)] = layer
            outputs = layer(*args, **nest.map_structure(found, step.kwargs))
        values.update(zip(map(id, nest.flatten(step.outputs)), nest.flatten(outputs)))
    inputs = nest.map_structure(found, wiring.inputs)
    return type(model)(inputs, nest.map_structure(found, wiring.outputs), name=model.name)
