"""Batches, and their results in Keras 3.15: recorded numbers for `test_all_metrics`."""

from __future__ import annotations

import numpy as np

ANSWERS = (
    np.array([[0, 1, 1], [1, 0, 0], [0, 0, 1], [1, 1, 0]], np.float32),
    np.array([[1, 0, 1], [0, 1, 0], [1, 1, 1], [0, 0, 0]], np.float32),
)
CHANCES = (
    np.array(
        [[0.2, 0.7, 0.1], [0.5, 0.25, 0.25], [0.05, 0.55, 0.4], [0.9, 0.06, 0.04]], np.float32
    ),
    np.array([[0.3, 0.6, 0.1], [0.1, 0.25, 0.65], [0.35, 0.25, 0.4], [0.0, 1.0, 0.0]], np.float32),
)
CLASSES = (np.array([1, 0, 2, 0]), np.array([0, 2, 2, 1]))
FIRST = np.array(
    [[1.0, 2.0, 3.5], [0.5, -1.0, 2.0], [2.0, 2.5, -0.5], [1.0, 0.0, 0.25]], np.float32
)
NUMBERS = (FIRST, FIRST[::-1] * np.float32(1.5) + np.float32(0.25))
NEAR = FIRST + np.array(
    [[0.5, -1.0, 0.25], [1.0, 0.5, 0.0], [-0.75, 0.25, 1.0], [0.5, 0.5, -0.5]], np.float32
)
SORTED = np.array([[1, 0, 2], [0, 1, 2], [2, 1, 0], [0, 2, 1]])
BATCHES = {
    "B": ANSWERS,
    "P": CHANCES,
    "C": tuple(np.eye(3, dtype=np.float32)[each] for each in CLASSES),
    "N": NUMBERS,
    "A": tuple(abs(each) for each in NUMBERS),
    "M": (NEAR, NEAR[::-1] * np.float32(1.25)),
    "K": CLASSES,
    "I": (np.array([1, 0, 2, 1]), np.array([0, 2, 1, 1])),
    "J": (SORTED, SORTED),
    "b": tuple(each[:, 0] for each in ANSWERS),
    "p": tuple(each[:, 0] for each in CHANCES),
}
WEIGHTS = (
    np.array([2.0, 0.5, 1.0, 0.25], np.float32),
    np.array([1.0, 0.0, 3.0, 0.5], np.float32),
)
# A metric, its arguments, m.result() after the first batch and after both, and after both with
# sample_weight=WEIGHTS; None where Keras does not take these weights.
RECORDED = [
    ("MeanSquaredError()", "NM", 0.41145831, 0.69986975, 0.54916346),
    ("MeanAbsoluteError()", "NM", 0.5625, 0.69791663, 0.65782827),
    ("MeanAbsolutePercentageError()", "NM", 41666740.0, 20833406.0, 5050565.0),
    ("MeanSquaredLogarithmicError()", "NM", 0.082830988, 0.10000493, 0.077151172),
    ("LogCoshError()", "NM", 0.18517007, 0.28384012, 0.23804148),
    ("RootMeanSquaredError()", "NM", 0.64145017, 0.83658218, 0.74105567),
    ("CosineSimilarity()", "NM", 0.91291118, 0.91817445, 0.92814982),
    ("CosineSimilarity(axis=0)", "NM", 0.91977245, 0.92627543, None),
    ("PearsonCorrelation()", "NM", 0.85124618, 0.85124624, 0.87462109),
    ("ConcordanceCorrelation()", "NM", 0.78228807, 0.77219492, 0.82225198),
    ("R2Score()", "NM", 0.31220514, 0.50802463, 0.0042515597),
    (
        "R2Score(class_aggregation=None)",
        "NM",
        [-0.73684216, 0.80916029, 0.86429727],
        [-0.10180998, 0.76736605, 0.85851789],
        [-1.5575516, 0.75515819, 0.81514812],
    ),
    (
        'R2Score(class_aggregation="variance_weighted_average", num_regressors=2)',
        "NM",
        0.68316472,
        0.72046161,
        0.67886162,
    ),
    ("KLDivergence()", "BP", 1.7968652, 1.9290893, 2.5302846),
    ("Poisson()", "AP", 2.3117969, 7.1365056, 4.8008838),
    ("Hinge()", "BM", 1.1458334, 1.3880209, 1.0820708),
    ("SquaredHinge()", "BM", 2.9739583, 4.0655923, 2.9020674),
    ("CategoricalHinge()", "CM", 2.125, 2.140625, 1.7992424),
    ("BinaryCrossentropy()", "BP", 0.73971665, 1.4639883, 1.2669218),
    (
        "BinaryCrossentropy(from_logits=True, label_smoothing=0.1)",
        "BM",
        0.9149785,
        1.0530666,
        0.8550275,
    ),
    ("CategoricalCrossentropy()", "CP", 0.51786834, 0.57781506, 0.72186661),
    (
        "CategoricalCrossentropy(from_logits=True, label_smoothing=0.1)",
        "CM",
        1.7076498,
        1.766732,
        1.5259837,
    ),
    ("SparseCategoricalCrossentropy()", "KP", 0.51786834, 0.577815, 0.72186661),
    ("SparseCategoricalCrossentropy(from_logits=True)", "KM", 1.7243164, 1.7776694, 1.5074232),
    ("Accuracy()", "KI", 0.75, 0.75, 0.60606062),
    ("Accuracy()", "CB", 0.83333337, 0.66666669, 0.60606062),
    ("BinaryAccuracy()", "BP", 0.58333337, 0.41666669, 0.30303031),
    ("BinaryAccuracy(threshold=0.3)", "BP", 0.75000006, 0.58333337, 0.60606062),
    ("CategoricalAccuracy()", "CP", 0.75, 0.75, 0.75757575),
    ("SparseCategoricalAccuracy()", "KP", 0.75, 0.75, 0.75757575),
    ("TopKCategoricalAccuracy(k=2)", "CP", 1.0, 1.0, 1.0),
    ("SparseTopKCategoricalAccuracy(k=2)", "KP", 1.0, 1.0, 1.0),
    ("SparseTopKCategoricalAccuracy(k=2, from_sorted_ids=True)", "KJ", 1.0, 0.75, 0.93939394),
    ("TruePositives()", "BP", 2.0, 2.0, 2.25),
    ("FalsePositives(thresholds=0.25)", "BP", 1.0, 4.0, 2.5),
    (
        "TrueNegatives(thresholds=[0.0, 0.5, 1.0])",
        "BP",
        [0.0, 5.0, 6.0],
        [2.0, 8.0, 12.0],
        [1.0, 5.25, 7.75],
    ),
    (
        "FalseNegatives(thresholds=[0.1, 0.25, 0.6])",
        "BP",
        [2.0, 2.0, 4.0],
        [3.0, 5.0, 10.0],
        [3.25, 6.25, 14.75],
    ),
    ("Precision()", "BP", 0.66666669, 0.33333334, 0.47368422),
    (
        "Precision(thresholds=[0.1, 0.25, 0.6])",
        "BP",
        [0.5, 0.80000001, 1.0],
        [0.5625, 0.63636363, 0.5],
        [0.71428573, 0.81132078, 0.81818181],
    ),
    ("Precision(top_k=2)", "BP", 0.625, 0.5625, 0.66666669),
    ("Precision(class_id=1)", "BP", 0.5, 0.25, 0.44444445),
    ("Precision(top_k=1, class_id=0)", "BP", 1.0, 1.0, 1.0),
    ("Recall()", "BP", 0.33333334, 0.16666667, 0.13235295),
    (
        "Recall(thresholds=[0.0, 0.5, 1.0])",
        "BP",
        [1.0, 0.33333334, 0.0],
        [1.0, 0.16666667, 0.0],
        [1.0, 0.13235295, 0.0],
    ),
    ("Recall(top_k=2)", "BP", 0.83333331, 0.75, 0.64705884),
    ("Recall(class_id=2, thresholds=0.2)", "BP", 0.5, 0.5, 0.5714286),
    ("Precision()", "bp", 1.0, 1.0, 1.0),
    ("AUC()", "BP", 0.72222221, 0.61805552, 0.62618595),
    ("AUC()", "bp", 1.0, 1.0, 1.0),
    ('AUC(num_thresholds=5, curve="PR")', "BP", 0.7464096, 0.51806653, 0.67677748),
    (
        'AUC(num_thresholds=5, curve="PR", summation_method="majoring")',
        "BP",
        0.86666667,
        0.61363637,
        0.76456958,
    ),
    ('AUC(curve="ROC", summation_method="minoring")', "BP", 0.72222221, 0.59722221, 0.61480081),
    ("AUC(thresholds=[0.1, 0.3, 0.8])", "BP", 0.68055558, 0.59722221, 0.60649908),
    ('AUC(curve="PRGAIN")', "BP", 0.4375, 0.34151033, 0.33131376),
    ("AUC(multi_label=True)", "BP", 0.75, 0.625, 0.73121691),
    (
        "AUC(multi_label=True, thresholds=[0.1, 0.3, 0.8], label_weights=[0.5, 2.0, 1.0])",
        "BP",
        0.53571427,
        0.40625,
        0.4703187,
    ),
    ('AUC(multi_label=True, num_labels=3, curve="PR")', "BP", 0.83652848, 0.6312269, 0.84552056),
    ("AUC(label_weights=[0.5, 2.0, 1.0])", "BP", 0.60204083, 0.45408165, 0.46261355),
    ("AUC(from_logits=True)", "BM", 0.52777779, 0.49305555, 0.48102468),
    ("SensitivityAtSpecificity(0.5)", "BP", 0.66666669, 0.75, 0.80882353),
    ("SpecificityAtSensitivity(0.6, num_thresholds=5)", "BP", 0.83333331, 0.16666667, 0.67741936),
    ("PrecisionAtRecall(0.4)", "BP", 0.80000001, 0.63636363, 0.81132078),
    ("RecallAtPrecision(0.6, class_id=1)", "BP", 0.5, 0.0, 1.0),
    ("SensitivityAtSpecificity(0.5, num_thresholds=1)", "BP", 0.33333334, 0.16666667, 0.13235295),
    (
        "F1Score()",
        "BP",
        [1.0, 0.49999994, 0.0],
        [0.66666663, 0.24999994, 0.33333328],
        [0.27272722, 0.41025636, 0.59999996],
    ),
    ('F1Score(average="micro")', "BP", 0.59999996, 0.39999995, 0.45544547),
    ('F1Score(average="macro", threshold=0.3)', "BP", 0.72222215, 0.55952376, 0.67329401),
    ('FBetaScore(average="weighted", beta=2.0)', "CP", 0.70833331, 0.74404764, 0.74664748),
    (
        "FBetaScore(beta=0.5, threshold=0.25)",
        "BP",
        [0.99999994, 0.49999988, 0.83333313],
        [0.99999994, 0.24999993, 0.62499988],
        [0.99999994, 0.43010747, 0.86956507],
    ),
    ("IoU(3, [0, 2])", "KI", 0.74999994, 0.66666669, 0.62499994),
    ("MeanIoU(3)", "KI", 0.66666663, 0.61111116, 0.54999995),
    ("MeanIoU(3, ignore_class=0)", "KI", 0.99999988, 0.66666669, 0.32499999),
    ("BinaryIoU(threshold=0.3)", "BP", 0.59821427, 0.4540441, None),
    ("BinaryIoU([1])", "bp", 0.99999988, 0.49999994, 0.0),
    ("OneHotIoU(3, [1])", "CP", 0.49999994, 0.49999994, 0.49999994),
    ("OneHotMeanIoU(3)", "CP", 0.5, 0.61111116, 0.41666666),
    ("MeanIoU(3, sparse_y_pred=False)", "KP", 0.5, 0.61111116, 0.41666666),
    ('MeanIoU(3, dtype="float32")', "KI", 0.66666663, 0.61111116, 0.51397514),
    ("Mean()", "N", 1.1041666, 1.5052083, 1.4116162),
    ("Sum()", "N", 13.25, 36.125, 34.9375),
]
