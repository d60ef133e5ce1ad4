"""Lookup of losses by identifier."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runtime.core.argument_checks import dict_argument
from runtime.core.tensor import TensorLike
from runtime.nn.losses import (
    binary,
    categorical,
    circle_loss,
    divergences,
    hinge_losses,
    overlap,
    regression,
    sparse_categorical,
)
from runtime.nn.losses.loss import Loss
from runtime.nn.registry import Identifier, ObjectRegistry

_KINDS = (
    *(binary.BinaryCrossentropy, binary.BinaryFocalCrossentropy),
    *(categorical.CategoricalCrossentropy, categorical.CategoricalFocalCrossentropy),
    *(
        categorical.CategoricalGeneralizedCrossEntropy,
        sparse_categorical.SparseCategoricalCrossentropy,
    ),
    *(regression.MeanSquaredError, regression.MeanAbsoluteError, regression.LogCosh),
    *(regression.MeanAbsolutePercentageError, regression.MeanSquaredLogarithmicError),
    *(regression.Huber, divergences.CosineSimilarity, divergences.KLDivergence),
    *(
        divergences.Poisson,
        hinge_losses.Hinge,
        hinge_losses.SquaredHinge,
        hinge_losses.CategoricalHinge,
    ),
    *(circle_loss.Circle, overlap.Dice, overlap.Tversky),
)
_FUNCTIONS = (
    *(binary.binary_crossentropy, binary.binary_focal_crossentropy),
    *(categorical.categorical_crossentropy, categorical.categorical_focal_crossentropy),
    *(
        categorical.categorical_generalized_cross_entropy,
        sparse_categorical.sparse_categorical_crossentropy,
    ),
    *(regression.mean_squared_error, regression.mean_absolute_error, regression.log_cosh),
    *(regression.mean_absolute_percentage_error, regression.mean_squared_logarithmic_error),
    *(regression.huber, divergences.cosine_similarity, divergences.kl_divergence),
    *(
        divergences.poisson,
        hinge_losses.hinge,
        hinge_losses.squared_hinge,
        hinge_losses.categorical_hinge,
    ),
    *(circle_loss.circle, overlap.dice, overlap.tversky),
)
_SHORT = {
    "bce": binary.binary_crossentropy,
    "kld": divergences.kl_divergence,
    "mae": regression.mean_absolute_error,
    "mape": regression.mean_absolute_percentage_error,
    "mse": regression.mean_squared_error,
    "msle": regression.mean_squared_logarithmic_error,
}
_ENTRIES: dict[str, Any] = {
    **{kind.__name__: kind for kind in _KINDS},
    **{function.__name__: function for function in _FUNCTIONS},
    **_SHORT,
    **{name.upper(): function for name, function in _SHORT.items()},
    "logcosh": regression.log_cosh,
}


def get(identifier: Identifier | None) -> Any:
    """Return the loss of an identifier: a function for the name of one, else an object.

    Args:
        identifier: a name of a function, such as "mse", or of a class; a class; an object; a
            function of y_true and y_pred; or a result of `serialize`.

    Raises:
        ArgumentValueError: the name is unknown.

    >>> get("mse").__name__, get("MeanSquaredError").name
    ('mean_squared_error', 'mean_squared_error')
    """
    return deserialize(identifier)


def serialize(loss: TensorLike) -> Any:
    """Return the config from which `get` makes the same loss: a function's name, or a dict.

    >>> serialize(regression.mean_squared_error)
    'mean_squared_error'
    """
    return _registry(None).config_of(loss)


def deserialize(name: object, custom_objects: Mapping[str, Any] | None = None) -> Any:
    """Return the loss for a config from `serialize`.

    Args:
        name: a name, or a dict with `class_name` and `config`.
        custom_objects: more classes and functions by name.

    >>> deserialize(serialize(regression.Huber(2.0))).get_config()["delta"]
    2.0
    """
    return _registry(custom_objects).get(name)


def _registry(custom: Mapping[str, Any] | None) -> ObjectRegistry:
    return ObjectRegistry("loss", Loss, {**_ENTRIES, **dict_argument(custom, "custom_objects")})
