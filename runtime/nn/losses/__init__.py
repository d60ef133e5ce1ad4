"""Losses: the namespace `rt.nn.losses`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from runtime.nn.losses.binary import BinaryCrossentropy as BinaryCrossentropy
    from runtime.nn.losses.binary import BinaryFocalCrossentropy as BinaryFocalCrossentropy
    from runtime.nn.losses.binary import binary_crossentropy as binary_crossentropy
    from runtime.nn.losses.binary import binary_focal_crossentropy as binary_focal_crossentropy
    from runtime.nn.losses.categorical import CategoricalCrossentropy as CategoricalCrossentropy
    from runtime.nn.losses.categorical import (
        CategoricalFocalCrossentropy as CategoricalFocalCrossentropy,
    )
    from runtime.nn.losses.categorical import (
        CategoricalGeneralizedCrossEntropy as CategoricalGeneralizedCrossEntropy,
    )
    from runtime.nn.losses.categorical import (
        categorical_crossentropy as categorical_crossentropy,
    )
    from runtime.nn.losses.categorical import (
        categorical_focal_crossentropy as categorical_focal_crossentropy,
    )
    from runtime.nn.losses.categorical import (
        categorical_generalized_cross_entropy as categorical_generalized_cross_entropy,
    )
    from runtime.nn.losses.circle_loss import Circle as Circle
    from runtime.nn.losses.circle_loss import circle as circle
    from runtime.nn.losses.divergences import CosineSimilarity as CosineSimilarity
    from runtime.nn.losses.divergences import KLDivergence as KLDivergence
    from runtime.nn.losses.divergences import Poisson as Poisson
    from runtime.nn.losses.divergences import cosine_similarity as cosine_similarity
    from runtime.nn.losses.divergences import kl_divergence as kl_divergence
    from runtime.nn.losses.divergences import poisson as poisson
    from runtime.nn.losses.hinge_losses import CategoricalHinge as CategoricalHinge
    from runtime.nn.losses.hinge_losses import Hinge as Hinge
    from runtime.nn.losses.hinge_losses import SquaredHinge as SquaredHinge
    from runtime.nn.losses.hinge_losses import categorical_hinge as categorical_hinge
    from runtime.nn.losses.hinge_losses import hinge as hinge
    from runtime.nn.losses.hinge_losses import squared_hinge as squared_hinge
    from runtime.nn.losses.loss import Loss as Loss
    from runtime.nn.losses.overlap import Dice as Dice
    from runtime.nn.losses.overlap import Tversky as Tversky
    from runtime.nn.losses.overlap import dice as dice
    from runtime.nn.losses.overlap import tversky as tversky
    from runtime.nn.losses.reduction import Reduction as Reduction
    from runtime.nn.losses.registry import deserialize as deserialize
    from runtime.nn.losses.registry import get as get
    from runtime.nn.losses.registry import serialize as serialize
    from runtime.nn.losses.regression import Huber as Huber
    from runtime.nn.losses.regression import LogCosh as LogCosh
    from runtime.nn.losses.regression import MeanAbsoluteError as MeanAbsoluteError
    from runtime.nn.losses.regression import (
        MeanAbsolutePercentageError as MeanAbsolutePercentageError,
    )
    from runtime.nn.losses.regression import MeanSquaredError as MeanSquaredError
    from runtime.nn.losses.regression import (
        MeanSquaredLogarithmicError as MeanSquaredLogarithmicError,
    )
    from runtime.nn.losses.regression import huber as huber
    from runtime.nn.losses.regression import log_cosh as log_cosh
    from runtime.nn.losses.regression import mean_absolute_error as mean_absolute_error
    from runtime.nn.losses.regression import (
        mean_absolute_percentage_error as mean_absolute_percentage_error,
    )
    from runtime.nn.losses.regression import mean_squared_error as mean_squared_error
    from runtime.nn.losses.regression import (
        mean_squared_logarithmic_error as mean_squared_logarithmic_error,
    )
    from runtime.nn.losses.sparse_categorical import (
        SparseCategoricalCrossentropy as SparseCategoricalCrossentropy,
    )
    from runtime.nn.losses.sparse_categorical import (
        sparse_categorical_crossentropy as sparse_categorical_crossentropy,
    )

    kld = KLD = kullback_leibler_divergence = kl_divergence
    logcosh = log_cosh
    mae = MAE = mean_absolute_error
    mape = MAPE = mean_absolute_percentage_error
    mse = MSE = mean_squared_error
    msle = MSLE = mean_squared_logarithmic_error
else:
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__,
        {
            "runtime.nn.losses.binary": (
                "BinaryCrossentropy BinaryFocalCrossentropy binary_crossentropy "
                "binary_focal_crossentropy"
            ),
            "runtime.nn.losses.categorical": (
                "CategoricalCrossentropy CategoricalFocalCrossentropy "
                "CategoricalGeneralizedCrossEntropy categorical_crossentropy "
                "categorical_focal_crossentropy categorical_generalized_cross_entropy"
            ),
            "runtime.nn.losses.circle_loss": "Circle circle",
            "runtime.nn.losses.sparse_categorical": (
                "SparseCategoricalCrossentropy sparse_categorical_crossentropy"
            ),
            "runtime.nn.losses.regression": (
                "Huber LogCosh MeanAbsoluteError MeanAbsolutePercentageError MeanSquaredError "
                "MeanSquaredLogarithmicError huber log_cosh mean_absolute_error "
                "mean_absolute_percentage_error mean_squared_error "
                "mean_squared_logarithmic_error logcosh=log_cosh mae=mean_absolute_error "
                "MAE=mean_absolute_error mape=mean_absolute_percentage_error "
                "MAPE=mean_absolute_percentage_error mse=mean_squared_error "
                "MSE=mean_squared_error msle=mean_squared_logarithmic_error "
                "MSLE=mean_squared_logarithmic_error"
            ),
            "runtime.nn.losses.divergences": (
                "CosineSimilarity KLDivergence Poisson cosine_similarity kl_divergence poisson "
                "kld=kl_divergence KLD=kl_divergence kullback_leibler_divergence=kl_divergence"
            ),
            "runtime.nn.losses.hinge_losses": (
                "CategoricalHinge Hinge SquaredHinge categorical_hinge hinge squared_hinge"
            ),
            "runtime.nn.losses.loss": "Loss",
            "runtime.nn.losses.registry": "deserialize get serialize",
            "runtime.nn.losses.overlap": "Dice Tversky dice tversky",
            "runtime.nn.losses.reduction": "Reduction",
        },
    )


# As earlier programs name them.
