"""Metrics: the namespace `rt.nn.metrics`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import door

if TYPE_CHECKING:
    from runtime.nn.losses.binary import binary_crossentropy as binary_crossentropy
    from runtime.nn.losses.binary import binary_focal_crossentropy as binary_focal_crossentropy
    from runtime.nn.losses.categories import categorical_crossentropy as categorical_crossentropy
    from runtime.nn.losses.categories import (
        categorical_focal_crossentropy as categorical_focal_crossentropy,
    )
    from runtime.nn.losses.classes import (
        sparse_categorical_crossentropy as sparse_categorical_crossentropy,
    )
    from runtime.nn.losses.differences import huber as huber
    from runtime.nn.losses.differences import log_cosh as log_cosh
    from runtime.nn.losses.differences import mean_absolute_error as mean_absolute_error
    from runtime.nn.losses.differences import (
        mean_absolute_percentage_error as mean_absolute_percentage_error,
    )
    from runtime.nn.losses.differences import mean_squared_error as mean_squared_error
    from runtime.nn.losses.differences import (
        mean_squared_logarithmic_error as mean_squared_logarithmic_error,
    )
    from runtime.nn.losses.distributions import kl_divergence as kl_divergence
    from runtime.nn.losses.distributions import poisson as poisson
    from runtime.nn.losses.hinges import categorical_hinge as categorical_hinge
    from runtime.nn.losses.hinges import hinge as hinge
    from runtime.nn.losses.hinges import squared_hinge as squared_hinge
    from runtime.nn.metrics.accuracy import Accuracy as Accuracy
    from runtime.nn.metrics.accuracy import BinaryAccuracy as BinaryAccuracy
    from runtime.nn.metrics.accuracy import CategoricalAccuracy as CategoricalAccuracy
    from runtime.nn.metrics.accuracy import SparseCategoricalAccuracy as SparseCategoricalAccuracy
    from runtime.nn.metrics.accuracy import (
        SparseTopKCategoricalAccuracy as SparseTopKCategoricalAccuracy,
    )
    from runtime.nn.metrics.accuracy import TopKCategoricalAccuracy as TopKCategoricalAccuracy
    from runtime.nn.metrics.accuracy import binary_accuracy as binary_accuracy
    from runtime.nn.metrics.accuracy import categorical_accuracy as categorical_accuracy
    from runtime.nn.metrics.accuracy import (
        sparse_categorical_accuracy as sparse_categorical_accuracy,
    )
    from runtime.nn.metrics.accuracy import (
        sparse_top_k_categorical_accuracy as sparse_top_k_categorical_accuracy,
    )
    from runtime.nn.metrics.accuracy import top_k_categorical_accuracy as top_k_categorical_accuracy
    from runtime.nn.metrics.asking import PrecisionAtRecall as PrecisionAtRecall
    from runtime.nn.metrics.asking import RecallAtPrecision as RecallAtPrecision
    from runtime.nn.metrics.asking import SensitivityAtSpecificity as SensitivityAtSpecificity
    from runtime.nn.metrics.asking import SpecificityAtSensitivity as SpecificityAtSensitivity
    from runtime.nn.metrics.auc import AUC as AUC
    from runtime.nn.metrics.counts import FalseNegatives as FalseNegatives
    from runtime.nn.metrics.counts import FalsePositives as FalsePositives
    from runtime.nn.metrics.counts import Precision as Precision
    from runtime.nn.metrics.counts import Recall as Recall
    from runtime.nn.metrics.counts import TrueNegatives as TrueNegatives
    from runtime.nn.metrics.counts import TruePositives as TruePositives
    from runtime.nn.metrics.losses import BinaryCrossentropy as BinaryCrossentropy
    from runtime.nn.metrics.losses import CategoricalCrossentropy as CategoricalCrossentropy
    from runtime.nn.metrics.losses import CategoricalHinge as CategoricalHinge
    from runtime.nn.metrics.losses import Hinge as Hinge
    from runtime.nn.metrics.losses import KLDivergence as KLDivergence
    from runtime.nn.metrics.losses import LogCoshError as LogCoshError
    from runtime.nn.metrics.losses import MeanAbsoluteError as MeanAbsoluteError
    from runtime.nn.metrics.losses import MeanAbsolutePercentageError as MeanAbsolutePercentageError
    from runtime.nn.metrics.losses import MeanSquaredError as MeanSquaredError
    from runtime.nn.metrics.losses import MeanSquaredLogarithmicError as MeanSquaredLogarithmicError
    from runtime.nn.metrics.losses import Poisson as Poisson
    from runtime.nn.metrics.losses import (
        SparseCategoricalCrossentropy as SparseCategoricalCrossentropy,
    )
    from runtime.nn.metrics.losses import SquaredHinge as SquaredHinge
    from runtime.nn.metrics.mean import Mean as Mean
    from runtime.nn.metrics.mean import MeanMetricWrapper as MeanMetricWrapper
    from runtime.nn.metrics.mean import Sum as Sum
    from runtime.nn.metrics.metric import Metric as Metric
    from runtime.nn.metrics.naming import deserialize as deserialize
    from runtime.nn.metrics.naming import get as get
    from runtime.nn.metrics.naming import serialize as serialize
    from runtime.nn.metrics.overlaps import BinaryIoU as BinaryIoU
    from runtime.nn.metrics.overlaps import IoU as IoU
    from runtime.nn.metrics.overlaps import MeanIoU as MeanIoU
    from runtime.nn.metrics.overlaps import OneHotIoU as OneHotIoU
    from runtime.nn.metrics.overlaps import OneHotMeanIoU as OneHotMeanIoU
    from runtime.nn.metrics.regression import ConcordanceCorrelation as ConcordanceCorrelation
    from runtime.nn.metrics.regression import CosineSimilarity as CosineSimilarity
    from runtime.nn.metrics.regression import PearsonCorrelation as PearsonCorrelation
    from runtime.nn.metrics.regression import R2Score as R2Score
    from runtime.nn.metrics.regression import RootMeanSquaredError as RootMeanSquaredError
    from runtime.nn.metrics.regression import concordance_correlation as concordance_correlation
    from runtime.nn.metrics.regression import pearson_correlation as pearson_correlation
    from runtime.nn.metrics.scores import F1Score as F1Score
    from runtime.nn.metrics.scores import FBetaScore as FBetaScore

    kld = KLD = kullback_leibler_divergence = kl_divergence
    logcosh = log_cosh
    mae = MAE = mean_absolute_error
    mape = MAPE = mean_absolute_percentage_error
    mse = MSE = mean_squared_error
    msle = MSLE = mean_squared_logarithmic_error
else:
    __getattr__, __dir__, __all__ = door(
        __name__,
        {
            "runtime.nn.losses.binary": "binary_crossentropy binary_focal_crossentropy",
            "runtime.nn.losses.categories": (
                "categorical_crossentropy categorical_focal_crossentropy"
            ),
            "runtime.nn.losses.classes": "sparse_categorical_crossentropy",
            "runtime.nn.losses.differences": (
                "huber log_cosh mean_absolute_error mean_absolute_percentage_error "
                "mean_squared_error mean_squared_logarithmic_error logcosh=log_cosh "
                "mae=mean_absolute_error MAE=mean_absolute_error "
                "mape=mean_absolute_percentage_error MAPE=mean_absolute_percentage_error "
                "mse=mean_squared_error MSE=mean_squared_error "
                "msle=mean_squared_logarithmic_error MSLE=mean_squared_logarithmic_error"
            ),
            "runtime.nn.losses.distributions": (
                "kl_divergence poisson kld=kl_divergence KLD=kl_divergence "
                "kullback_leibler_divergence=kl_divergence"
            ),
            "runtime.nn.losses.hinges": "categorical_hinge hinge squared_hinge",
            "runtime.nn.metrics.accuracy": (
                "Accuracy BinaryAccuracy CategoricalAccuracy SparseCategoricalAccuracy "
                "SparseTopKCategoricalAccuracy TopKCategoricalAccuracy binary_accuracy "
                "categorical_accuracy sparse_categorical_accuracy "
                "sparse_top_k_categorical_accuracy top_k_categorical_accuracy"
            ),
            "runtime.nn.metrics.asking": (
                "PrecisionAtRecall RecallAtPrecision SensitivityAtSpecificity "
                "SpecificityAtSensitivity"
            ),
            "runtime.nn.metrics.auc": "AUC",
            "runtime.nn.metrics.counts": (
                "FalseNegatives FalsePositives Precision Recall TrueNegatives TruePositives"
            ),
            "runtime.nn.metrics.losses": (
                "BinaryCrossentropy CategoricalCrossentropy CategoricalHinge Hinge "
                "KLDivergence LogCoshError MeanAbsoluteError MeanAbsolutePercentageError "
                "MeanSquaredError MeanSquaredLogarithmicError Poisson "
                "SparseCategoricalCrossentropy SquaredHinge"
            ),
            "runtime.nn.metrics.mean": "Mean MeanMetricWrapper Sum",
            "runtime.nn.metrics.metric": "Metric",
            "runtime.nn.metrics.naming": "deserialize get serialize",
            "runtime.nn.metrics.overlaps": "BinaryIoU IoU MeanIoU OneHotIoU OneHotMeanIoU",
            "runtime.nn.metrics.regression": (
                "ConcordanceCorrelation CosineSimilarity PearsonCorrelation R2Score "
                "RootMeanSquaredError concordance_correlation pearson_correlation"
            ),
            "runtime.nn.metrics.scores": "F1Score FBetaScore",
        },
    )


# As earlier programs name them.
