"""Serialization of layers, losses, metrics, optimizers and other Keras objects.

serialize_keras_object(Huber(2.0))   ->   {"module": "keras.losses", "class_name": "Huber", ...}
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from runtime.core.argument_checks import plain_text, shown
from runtime.core.dtypes import DType
from runtime.core.files import StrPath
from runtime.core.tensor import EagerTensor
from runtime.errors import ArgumentValueError, CustomObjectError, DTypeError
from runtime.nn.custom_objects import (
    custom_object_scope,
    get_registered_name,
    known_object,
)
from runtime.nn.layers.deserialization import whole_config
from runtime.nn.layers.dtype_policy import DTypePolicy
from runtime.ops.constant import constant

# The namespaces of classes and functions in configs, in lookup order.
_SPACES = """
    layers models optimizers optimizers.schedules losses metrics initializers regularizers
    constraints activations
""".split()
# The namespaces whose functions a config may name.
_WITH_FUNCTIONS = "layers losses metrics activations".split()
# The functions in these namespaces that a config may not name: they do not compute on tensors.
_MAKERS = ("Input", "deserialize", "get", "serialize")
_OF_KERAS = "keras."


def serialize_keras_object(obj: object) -> Any:
    """Return an object as plain values, from which `deserialize_keras_object` rebuilds it.

    Args:
        obj: a layer, model, optimizer, loss, metric, initializer or a similar object; a function;
            or a plain value, or a list, tuple or dict of them.

    Raises:
        ArgumentValueError: it has no `get_config`.

    >>> from runtime.nn.losses import Huber
    >>> sorted(serialize_keras_object(Huber(2.0)))
    ['class_name', 'config', 'module', 'registered_name']
    """
    if obj is None or isinstance(obj, (bool, int, float, str)):
        return obj
    if isinstance(obj, (list, tuple)):
        return type(obj)([serialize_keras_object(each) for each in obj])
    if isinstance(obj, Mapping):
        return {key: serialize_keras_object(each) for key, each in obj.items()}
    if isinstance(obj, (EagerTensor, np.ndarray, np.generic)):
        array = np.asarray(obj)
        kind = "__tensor__" if isinstance(obj, EagerTensor) else "__numpy__"
        config = {"value": array.tolist(), "dtype": array.dtype.name}
        return {"class_name": kind, "config": config}
    if isinstance(obj, DType):
        return obj.name
    if hasattr(obj, "get_config") and not isinstance(obj, type):
        config = whole_config(obj) if hasattr(obj, "_layers_inside") else obj.get_config()
        return _named(type(obj), serialize_keras_object(config))
    if callable(obj) and hasattr(obj, "__name__"):
        return _named(obj, None)
    raise ArgumentValueError(
        f"{shown(obj)} has no get_config: define one that returns plain values"
    )


def _named(kind: Any, config: Any) -> Any:
    """Return the entry of a class with its config, or of a function without one."""
    space, name = _space_of(kind), get_registered_name(kind)
    if config is None:
        inner = name if space is None else kind.__name__
        return {
            "module": "builtins",
            "class_name": "function",
            "config": inner,
            "registered_name": "function" if space else name,
        }
    is_registered = known_object(name) is kind
    return {
        "module": space or (None if is_registered else kind.__module__),
        "class_name": kind.__name__,
        "config": config,
        "registered_name": None if space else name,
    }


def _space_of(kind: Any) -> str | None:
    """Return the Keras namespace of a class or function of this library."""
    for space in _SPACES:
        if getattr(_namespace(space), kind.__name__, None) is kind:
            return _OF_KERAS + space
    return None


def _namespace(space: str) -> Any:
    found: Any = sys.modules["runtime.nn"]
    for part in space.split("."):
        found = getattr(found, part)
    return found


def deserialize_keras_object(
    config: Mapping[str, object],
    custom_objects: Mapping[str, Any] | None = None,
    safe_mode: bool = True,
    **kwargs: Any,
) -> Any:
    """Return the object that plain values from `serialize_keras_object` describe.

    Tuples come back as lists, and dtypes as their names.

    Args:
        config: its result, or a dict with `class_name` and `config`; plain values stay.
        custom_objects: classes and functions by their names.
        safe_mode, kwargs: no effect here, as configs contain no code.

    Raises:
        ArgumentValueError: a class or function is unknown.

    >>> from runtime.nn.losses import Huber
    >>> deserialize_keras_object(serialize_keras_object(Huber(2.0))).get_config()["delta"]
    2.0
    """
    with custom_object_scope(custom_objects):
        return _made(config)


def _made(config: Any) -> Any:
    if isinstance(config, (list, tuple)):
        return [_made(each) for each in config]
    if not isinstance(config, Mapping):
        return config
    if "class_name" not in config or "config" not in config:
        return {key: _made(each) for key, each in config.items()}
    name, inner = config["class_name"], config["config"]
    if name == "__tensor__":
        return constant(inner["value"], inner["dtype"])
    if name == "__numpy__":
        return np.array(inner["value"], inner["dtype"])
    if name == "function":
        return _found(inner, config, _WITH_FUNCTIONS, _is_function)
    kind = _found(name, config, _SPACES, _is_class)
    return kind.from_config(inner) if hasattr(kind, "from_config") else kind(**inner)


def _found(
    name: str, config: Mapping[str, Any], spaces: Sequence[str], is_meant: Callable[[Any], bool]
) -> Any:
    """Return the class or function of a config: the program's own, or the library's.

    A config may come from a file, so it may only name classes and functions of tensors: others,
    such as `load_model`, would be called with arguments from the file.
    """
    plain_text(name, "the name of a class or function")
    for own in (known_object(str(config.get("registered_name"))), known_object(name)):
        if callable(own):
            return own
    if name == "DTypePolicy":
        return DTypePolicy
    module = str(config.get("module") or "").removeprefix(_OF_KERAS)
    for space in map(_namespace, [module] if module in spaces else spaces):
        found = getattr(space, name) if name in space.__all__ else None
        if name not in _MAKERS and is_meant(found):
            return found
    raise CustomObjectError(
        f"there is no class or function {name!r}: give it, custom_objects={{{name!r}: ...}}, or "
        "put @keras.saving.register_keras_serializable() in front of it"
    )


def _is_class(found: Any) -> bool:
    return isinstance(found, type) and hasattr(found, "from_config")


def _is_function(found: Any) -> bool:
    return callable(found) and not isinstance(found, type)


def serialize(layer: Any) -> Any:
    """Return a layer as plain values; see `serialize_keras_object`.

    >>> import autograph.runtime as rt
    >>> serialize(rt.nn.layers.Flatten())["class_name"]
    'Flatten'
    """
    return serialize_keras_object(layer)


def deserialize(
    config: Mapping[str, object], custom_objects: Mapping[str, Any] | None = None
) -> Any:
    """Return the layer in plain values from `serialize`; see `deserialize_keras_object`.

    >>> import autograph.runtime as rt
    >>> deserialize(serialize(rt.nn.layers.Dense(3))).units
    3
    """
    return deserialize_keras_object(config, custom_objects)


def save_model(
    model: Any, filepath: StrPath, overwrite: bool = True, zipped: bool | None = None, **kwargs: Any
) -> None:
    """Write a model to a file; see `Model.save`.

    Raises:
        DTypeError: `model` is not a Model.

    >>> import tempfile, runtime as rt
    >>> path = tempfile.mkdtemp() + "/model.keras"
    >>> save_model(rt.nn.Sequential([rt.nn.layers.Input((2,)), rt.nn.layers.Dense(1)]), path)
    >>> rt.nn.models.load_model(path).output_shape
    (None, 1)
    """
    if isinstance(model, type) or not hasattr(model, "save"):
        raise DTypeError(f"save_model takes a model, not {shown(model)}")
    model.save(filepath, overwrite, zipped, **kwargs)
