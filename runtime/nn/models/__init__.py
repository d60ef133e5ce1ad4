"""Models: layers made of layers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.loading import door

if TYPE_CHECKING:
    from runtime.nn.layers.input import Input as Input
    from runtime.nn.models.cloning import clone_model as clone_model
    from runtime.nn.models.cloning import model_from_config as model_from_config
    from runtime.nn.models.cloning import model_from_json as model_from_json
    from runtime.nn.models.known_classes import custom_object_scope as custom_object_scope
    from runtime.nn.models.known_classes import (
        register_keras_serializable as register_keras_serializable,
    )
    from runtime.nn.models.model import Model as Model
    from runtime.nn.models.model_files import load_model as load_model
    from runtime.nn.models.sequential import Sequential as Sequential
else:
    __getattr__, __dir__, __all__ = door(
        __name__,
        {
            "runtime.nn.layers.input": "Input",
            "runtime.nn.models.cloning": "clone_model model_from_config model_from_json",
            "runtime.nn.models.known_classes": "custom_object_scope register_keras_serializable",
            "runtime.nn.models.model": "Model",
            "runtime.nn.models.model_files": "load_model",
            "runtime.nn.models.sequential": "Sequential",
        },
    )
