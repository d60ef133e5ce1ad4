"""Metrics: the namespace `rt.nn.metrics`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from runtime.nn.losses.binary import binary_crossentropy as binary_crossentropy
    from runtime.nn.losses.binary import binary_focal_crossentropy as binary_focal_crossentropy
    from runtime.nn.losses.categorical import (
        categorical_crossentropy as categorical_crossentropy,
    )
    from runtime.nn.losses.categorical import (
        categorical_focal_crossentropy as categorical_focal_crossentropy,
    )
    from runtime.nn.losses.divergences import kl_divergence as kl_divergence
    from runtime.nn.losses.divergences import poisson as poisson
    from runtime.nn.losses.hinge_losses import categorical_hinge as categorical_hinge
    from runtime.nn.losses.hinge_losses import hinge as hinge
    from runtime.nn.losses.hinge_losses import squared_hinge as squared_hinge
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
        sparse_categorical_crossentropy as sparse_categorical_crossentropy,
    )
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
    from runtime.nn.metrics.auc import AUC as AUC
    from runtime.nn.metrics.confusion_metrics import FalseNegatives as FalseNegatives
    from runtime.nn.metrics.confusion_metrics import FalsePositives as FalsePositives
    from runtime.nn.metrics.confusion_metrics import Precision as Precision
    from runtime.nn.metrics.confusion_metrics import Recall as Recall
    from runtime.nn.metrics.confusion_metrics import TrueNegatives as TrueNegatives
    from runtime.nn.metrics.confusion_metrics import TruePositives as TruePositives
    from runtime.nn.metrics.f_score import F1Score as F1Score
    from runtime.nn.metrics.f_score import FBetaScore as FBetaScore
    from runtime.nn.metrics.iou import BinaryIoU as BinaryIoU
    from runtime.nn.metrics.iou import IoU as IoU
    from runtime.nn.metrics.iou import MeanIoU as MeanIoU
    from runtime.nn.metrics.iou import OneHotIoU as OneHotIoU
    from runtime.nn.metrics.iou import OneHotMeanIoU as OneHotMeanIoU
    from runtime.nn.metrics.loss_metrics import BinaryCrossentropy as BinaryCrossentropy
    from runtime.nn.metrics.loss_metrics import CategoricalCrossentropy as CategoricalCrossentropy
    from runtime.nn.metrics.loss_metrics import CategoricalHinge as CategoricalHinge
    from runtime.nn.metrics.loss_metrics import Hinge as Hinge
    from runtime.nn.metrics.loss_metrics import KLDivergence as KLDivergence
    from runtime.nn.metrics.loss_metrics import LogCoshError as LogCoshError
    from runtime.nn.metrics.loss_metrics import MeanAbsoluteError as MeanAbsoluteError
    from runtime.nn.metrics.loss_metrics import (
        MeanAbsolutePercentageError as MeanAbsolutePercentageError,
    )
    from runtime.nn.metrics.loss_metrics import MeanSquaredError as MeanSquaredError
    from runtime.nn.metrics.loss_metrics import (
        MeanSquaredLogarithmicError as MeanSquaredLogarithmicError,
    )
    from runtime.nn.metrics.loss_metrics import Poisson as Poisson
    from runtime.nn.metrics.loss_metrics import (
        SparseCategoricalCrossentropy as SparseCategoricalCrossentropy,
    )
    from runtime.nn.metrics.loss_metrics import SquaredHinge as SquaredHinge
    from runtime.nn.metrics.mean import Mean as Mean
    from runtime.nn.metrics.mean import MeanMetricWrapper as MeanMetricWrapper
    from runtime.nn.metrics.mean import Sum as Sum
    from runtime.nn.metrics.metric import Metric as Metric
    from runtime.nn.metrics.registry import deserialize as deserialize
    from runtime.nn.metrics.registry import get as get
    from runtime.nn.metrics.registry import serialize as serialize
    from runtime.nn.metrics.regression import ConcordanceCorrelation as ConcordanceCorrelation
    from runtime.nn.metrics.regression import CosineSimilarity as CosineSimilarity
    from runtime.nn.metrics.regression import PearsonCorrelation as PearsonCorrelation
    from runtime.nn.metrics.regression import R2Score as R2Score
    from runtime.nn.metrics.regression import RootMeanSquaredError as RootMeanSquaredError
    from runtime.nn.metrics.regression import concordance_correlation as concordance_correlation
    from runtime.nn.metrics.regression import pearson_correlation as pearson_correlation
    from runtime.nn.metrics.sensitivity_specificity import PrecisionAtRecall as PrecisionAtRecall
    from runtime.nn.metrics.sensitivity_specificity import RecallAtPrecision as RecallAtPrecision
    from runtime.nn.metrics.sensitivity_specificity import (
        SensitivityAtSpecificity as SensitivityAtSpecificity,
    )
    from runtime.nn.metrics.sensitivity_specificity import (
        SpecificityAtSensitivity as SpecificityAtSensitivity,
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
            "runtime.nn.losses.binary": "binary_crossentropy binary_focal_crossentropy",
            "runtime.nn.losses.categorical": (
                "categorical_crossentropy categorical_focal_crossentropy"
            ),
            "runtime.nn.losses.sparse_categorical": "sparse_categorical_crossentropy",
            "runtime.nn.losses.regression": (
                "huber log_cosh mean_absolute_error mean_absolute_percentage_error "
                "mean_squared_error mean_squared_logarithmic_error logcosh=log_cosh "
                "mae=mean_absolute_error MAE=mean_absolute_error "
                "mape=mean_absolute_percentage_error MAPE=mean_absolute_percentage_error "
                "mse=mean_squared_error MSE=mean_squared_error "
                "msle=mean_squared_logarithmic_error MSLE=mean_squared_logarithmic_error"
            ),
            "runtime.nn.losses.divergences": (
                "kl_divergence poisson kld=kl_divergence KLD=kl_divergence "
                "kullback_leibler_divergence=kl_divergence"
            ),
            "runtime.nn.losses.hinge_losses": "categorical_hinge hinge squared_hinge",
            "runtime.nn.metrics.accuracy": (
                "Accuracy BinaryAccuracy CategoricalAccuracy SparseCategoricalAccuracy "
                "SparseTopKCategoricalAccuracy TopKCategoricalAccuracy binary_accuracy "
                "categorical_accuracy sparse_categorical_accuracy "
                "sparse_top_k_categorical_accuracy top_k_categorical_accuracy"
            ),
            "runtime.nn.metrics.sensitivity_specificity": (
                "PrecisionAtRecall RecallAtPrecision SensitivityAtSpecificity "
                "SpecificityAtSensitivity"
            ),
            "runtime.nn.metrics.auc": "AUC",
            "runtime.nn.metrics.confusion_metrics": (
                "FalseNegatives FalsePositives Precision Recall TrueNegatives TruePositives"
            ),
            "runtime.nn.metrics.loss_metrics": (
                "BinaryCrossentropy CategoricalCrossentropy CategoricalHinge Hinge "
                "KLDivergence LogCoshError MeanAbsoluteError MeanAbsolutePercentageError "
                "MeanSquaredError MeanSquaredLogarithmicError Poisson "
                "SparseCategoricalCrossentropy SquaredHinge"
            ),
            "runtime.nn.metrics.mean": "Mean MeanMetricWrapper Sum",
            "runtime.nn.metrics.metric": "Metric",
            "runtime.nn.metrics.registry": "deserialize get serialize",
            "runtime.nn.metrics.iou": "BinaryIoU IoU MeanIoU OneHotIoU OneHotMeanIoU",
            "runtime.nn.metrics.regression": (
                "ConcordanceCorrelation CosineSimilarity PearsonCorrelation R2Score "
                "RootMeanSquaredError concordance_correlation pearson_correlation"
            ),
            "runtime.nn.metrics.f_score": "F1Score FBetaScore",
        },
    )


# As earlier programs name them.
