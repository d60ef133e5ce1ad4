"""Losses by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runtime.core.settings import by_names
from runtime.nn.losses import (
    binary,
    categories,
    circles,
    classes,
    differences,
    distributions,
    hinges,
    overlaps,
)
from runtime.nn.losses.loss import Loss
from runtime.nn.registry import Catalogue

_KINDS = (
    *(binary.BinaryCrossentropy, binary.BinaryFocalCrossentropy),
    *(categories.CategoricalCrossentropy, categories.CategoricalFocalCrossentropy),
    *(categories.CategoricalGeneralizedCrossEntropy, classes.SparseCategoricalCrossentropy),
    *(differences.MeanSquaredError, differences.MeanAbsoluteError, differences.LogCosh),
    *(differences.MeanAbsolutePercentageError, differences.MeanSquaredLogarithmicError),
    *(differences.Huber, distributions.CosineSimilarity, distributions.KLDivergence),
    *(distributions.Poisson, hinges.Hinge, hinges.SquaredHinge, hinges.CategoricalHinge),
    *(circles.Circle, overlaps.Dice, overlaps.Tversky),
)
_FUNCTIONS = (
    *(binary.binary_crossentropy, binary.binary_focal_crossentropy),
    *(categories.categorical_crossentropy, categories.categorical_focal_crossentropy),
    *(categories.categorical_generalized_cross_entropy, classes.sparse_categorical_crossentropy),
    *(differences.mean_squared_error, differences.mean_absolute_error, differences.log_cosh),
    *(differences.mean_absolute_percentage_error, differences.mean_squared_logarithmic_error),
    *(differences.huber, distributions.cosine_similarity, distributions.kl_divergence),
    *(distributions.poisson, hinges.hinge, hinges.squared_hinge, hinges.categorical_hinge),
    *(circles.circle, overlaps.dice, overlaps.tversky),
)
_SHORT = {
    "bce": binary.binary_crossentropy,
    "kld": distributions.kl_divergence,
    "mae": differences.mean_absolute_error,
    "mape": differences.mean_absolute_percentage_error,
    "mse": differences.mean_squared_error,
    "msle": differences.mean_squared_logarithmic_error,
}
_ENTRIES: dict[str, Any] = {
    **{kind.__name__: kind for kind in _KINDS},
    **{function.__name__: function for function in _FUNCTIONS},
    **_SHORT,
    **{name.upper(): function for name, function in _SHORT.items()},
    "logcosh": differences.log_cosh,
}


def get(identifier: Any) -> Any:
    """Return the loss that is meant: a function for a name, else an object.

    Args:
        identifier: a name of a function, such as "mse", or of a class; a class; an object; a
            function of y_true and y_pred; or what `serialize` gave.

    Raises:
        ArgumentValueError: nothing has that name.

    >>> get("mse").__name__, get("MeanSquaredError").name
    ('mean_squared_error', 'mean_squared_error')
    """
    return deserialize(identifier)


def serialize(loss: Any) -> Any:
    """Return what `get` makes the same loss of: a name for a function, a dict for an object.

    >>> serialize(differences.mean_squared_error)
    'mean_squared_error'
    """
    return _catalogue(None).config_of(loss)


def deserialize(name: Any, custom_objects: Mapping[str, Any] | None = None) -> Any:
    """Return the loss that `serialize` gave the config of.

    Args:
        name: a name, or a dict with `class_name` and `config`.
        custom_objects: more classes and functions by name.

    >>> deserialize(serialize(differences.Huber(2.0))).get_config()["delta"]
    2.0
    """
    return _catalogue(custom_objects).get(name)


def _catalogue(custom: Mapping[str, Any] | None) -> Catalogue:
    return Catalogue("loss", Loss, {**_ENTRIES, **by_names(custom, "custom_objects")})
