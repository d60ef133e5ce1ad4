"""The keywords that every layer takes, as types for editors and type checkers."""

from __future__ import annotations

from typing import Any, TypedDict

from runtime.core.dtypes import DTypeLike
from runtime.nn.registry import Identifier


class LayerOptions(TypedDict, total=False):
    """The keywords of all layers; the last ones tell the shape of the inputs."""

    trainable: bool
    name: str | None
    dtype: DTypeLike | None
    autocast: bool
    input_shape: Any
    batch_input_shape: Any
    input_dim: int | None
    input_length: int | None
    batch_size: int | None


class RegularizableLayerOptions(LayerOptions, total=False):
    """The keywords of layers that do not name `activity_regularizer` themselves."""

    activity_regularizer: Identifier | None
