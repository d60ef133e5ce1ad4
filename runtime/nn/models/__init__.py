"""Models: layers composed of layers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from runtime.nn.custom_objects import custom_object_scope as custom_object_scope
    from runtime.nn.custom_objects import get_custom_objects as get_custom_objects
    from runtime.nn.custom_objects import get_registered_name as get_registered_name
    from runtime.nn.custom_objects import get_registered_object as get_registered_object
    from runtime.nn.custom_objects import (
        register_keras_serializable as register_keras_serializable,
    )
    from runtime.nn.layers.input import Input as Input
    from runtime.nn.models.cloning import clone_model as clone_model
    from runtime.nn.models.cloning import model_from_config as model_from_config
    from runtime.nn.models.cloning import model_from_json as model_from_json
    from runtime.nn.models.model import Model as Model
    from runtime.nn.models.model_files import load_model as load_model
    from runtime.nn.models.sequential import Sequential as Sequential
    from runtime.nn.models.serialization import (
        deserialize_keras_object as deserialize_keras_object,
    )
    from runtime.nn.models.serialization import save_model as save_model
    from runtime.nn.models.serialization import serialize_keras_object as serialize_keras_object
else:
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__,
        {
            "runtime.nn.custom_objects": (
                "custom_object_scope get_custom_objects get_registered_name "
                "get_registered_object register_keras_serializable"
            ),
            "runtime.nn.layers.input": "Input",
            "runtime.nn.models.cloning": "clone_model model_from_config model_from_json",
            "runtime.nn.models.model": "Model",
            "runtime.nn.models.model_files": "load_model",
            "runtime.nn.models.sequential": "Sequential",
            "runtime.nn.models.serialization": (
                "deserialize_keras_object save_model serialize_keras_object"
            ),
        },
    )
