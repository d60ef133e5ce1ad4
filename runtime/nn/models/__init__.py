"""Models: layers made of layers."""

from __future__ import annotations

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
