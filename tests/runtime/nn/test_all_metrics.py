"""Every metric against numbers of Keras 3.15, over two batches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import ArgumentValueError
from runtime.executors import run
from runtime.nn import metrics
from runtime.nn.layers.masks import put_mask
from tests.each import for_each
from tests.runtime.nn.metric_numbers import BATCHES, RECORDED, WEIGHTS


def new_metric(text: str) -> Any:
    return eval(f"metrics.{text}")


def batch(given: str, number: int) -> list[Any]:
    return [BATCHES[letter][number] for letter in given]


@for_each("text, given, first, both, weighted", RECORDED)
def test_a_metric_agrees_with_keras(
    text: str, given: str, first: Any, both: Any, weighted: Any
) -> None:
    metric = new_metric(text)
    found = metric(*batch(given, 0))
    np.testing.assert_allclose(np.ravel(found.numpy()), np.ravel(first), rtol=4e-6, atol=1e-7)
    metric.update_state(*batch(given, 1))
    np.testing.assert_allclose(np.ravel(metric.result()), np.ravel(both), rtol=4e-6, atol=1e-7)
    metric.reset_state()
    for number in (0, 1) if weighted is not None else ():
        metric.update_state(*batch(given, number), sample_weight=WEIGHTS[number])
    if weighted is not None:
        result = metric.result().numpy()
        np.testing.assert_allclose(np.ravel(result), np.ravel(weighted), rtol=4e-6, atol=1e-7)


@for_each("text, given, first, both, weighted", RECORDED)
def test_a_graph_counts_each_time_it_runs(
    text: str, given: str, first: Any, both: Any, weighted: Any
) -> None:
    metric, traces = new_metric(text), []

    @ag.function
    def count(*given: Any) -> Any:
        traces.append(1)
        metric.update_state(*given)
        return metric.result()

    specs = [rt.TensorSpec((None, *np.shape(each)[1:]), each.dtype) for each in batch(given, 0)]
    run = count.get_concrete_function(*specs)
    for number, expected in ((0, first), (1, both)):
        found = run(*map(rt.constant, batch(given, number)))
        np.testing.assert_allclose(
            np.ravel(found.numpy()), np.ravel(expected), rtol=4e-6, atol=1e-7
        )
    assert 1 == len(traces)


@for_each("text, given, first, both, weighted", RECORDED)
def test_two_metrics_are_merged(
    text: str, given: str, first: Any, both: Any, weighted: Any
) -> None:
    one, other = new_metric(text), new_metric(text)
    one.update_state(*batch(given, 0))
    other.update_state(*batch(given, 1))
    one.merge_state([other])
    np.testing.assert_allclose(np.ravel(one.result()), np.ravel(both), rtol=4e-6, atol=1e-7)


@for_each("text", [row[0] for row in RECORDED])
def test_a_metric_is_restored_from_its_config(text: str) -> None:
    metric = new_metric(text)
    again = metrics.deserialize(metrics.serialize(metric))
    assert type(metric) is type(again)
    assert metric.get_config() == again.get_config()


def test_a_metric_of_no_batches_is_zero() -> None:
    for text in {row[0]: None for row in RECORDED}:
        metric = new_metric(text)
        np.testing.assert_array_equal(np.ravel(metric.result()) * 0.0, np.ravel(metric.result()))


def test_names_and_short_names() -> None:
    assert isinstance(metrics.get("mse"), metrics.MeanSquaredError)
    assert isinstance(metrics.get("MAE"), metrics.MeanAbsoluteError)
    assert isinstance(metrics.get("AUC"), metrics.AUC)
    assert isinstance(metrics.get("auc"), metrics.AUC)
    assert isinstance(metrics.get("sparse_categorical_accuracy"), metrics.SparseCategoricalAccuracy)
    assert isinstance(metrics.get(metrics.Recall), metrics.Recall)
    assert "logcosh" == metrics.LogCoshError().name
    assert metrics.get(None) is None
    function = metrics.binary_accuracy
    assert function is metrics.get(function)


def test_masked_items_are_ignored() -> None:
    predicted = rt.constant([[0.9], [0.2], [0.8]])
    put_mask(predicted, rt.constant([True, True, False]))
    metric = metrics.MeanAbsoluteError()
    np.testing.assert_allclose(0.15, metric([[1.0], [0.0], [0.0]], predicted).numpy(), rtol=1e-6)
    metric.reset_state()
    weighted = metric([[1.0], [0.0], [0.0]], predicted, sample_weight=[3.0, 1.0, 5.0])
    np.testing.assert_allclose((0.3 + 0.2) / 4, weighted.numpy(), rtol=1e-6)


def test_accuracy_of_sequences_counts_each_step() -> None:
    truth, said = np.array([[1, 0], [2, 2]]), np.eye(3, dtype=np.float32)[[[1, 1], [2, 2]]]
    for name, given in (
        ("SparseCategoricalAccuracy()", truth),
        ("SparseTopKCategoricalAccuracy(k=1)", truth),
        ("CategoricalAccuracy()", np.eye(3)[truth]),
        ("TopKCategoricalAccuracy(k=1)", np.eye(3, dtype=np.float32)[truth]),
    ):
        assert 0.75 == float(new_metric(name)(given, said)), name


def test_state_is_saved_and_restored(tmp_path: Path) -> None:
    metric = metrics.AUC(num_thresholds=5)
    metric.update_state(*batch("BP", 0))
    saved = rt.train.Checkpoint(metric=metric).save(str(tmp_path / "c"))
    before = float(metric.result())
    metric.update_state(*batch("BP", 1))
    again = metrics.AUC(num_thresholds=5)
    rt.train.Checkpoint(metric=again).restore(saved).assert_consumed()
    assert before == float(again.result()) != float(metric.result())


def test_fractional_weights_of_integer_counts_warn() -> None:
    with pytest.warns(UserWarning, match="lose their fractions"):
        metrics.MeanIoU(2)([0, 1], [0, 1], sample_weight=[0.5, 1.0])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: metrics.Precision(thresholds=1.5), "thresholds must be from 0 to 1"),
        (lambda: metrics.Recall(top_k=0), "top_k must be at least 1"),
        (lambda: metrics.AUC(num_thresholds=1), "num_thresholds must be from 2 to"),
        (lambda: metrics.AUC(curve="ROCK"), "curve must be one of 'ROC'"),
        (lambda: metrics.AUC(summation_method="all"), "summation_method must be one of"),
        (lambda: metrics.AUC(num_thresholds=2**40), "num_thresholds must be from 2 to"),
        (lambda: metrics.AUC(thresholds=[0.2, 2.0]), "thresholds must be from 0 to 1"),
        (lambda: metrics.AUC(num_labels=3), "num_labels needs"),
        (lambda: metrics.AUC(multi_label=True)([1.0], [1.0]), "known number of labels"),
        (lambda: metrics.PrecisionAtRecall(2.0), "recall must be from 0 to 1"),
        (
            lambda: metrics.SpecificityAtSensitivity(0.5, num_thresholds=0),
            "num_thresholds must be from 1",
        ),
        (lambda: metrics.F1Score(average="mean"), "average must be one of"),
        (lambda: metrics.FBetaScore(beta=1), "beta must be a float"),
        (lambda: metrics.F1Score()([1.0], [1.0]), "needs rows"),
        (lambda: metrics.IoU(2, [2]), "class ids must be from 0 to 1"),
        (lambda: metrics.R2Score("mean"), "class_aggregation must be one of"),
        (lambda: metrics.R2Score()([1.0], [1.0]), "needs rows"),
        (
            lambda: metrics.Precision()(rt.zeros([2, 3]), rt.zeros([2, 2])),
            "compares tensors of one",
        ),
        (lambda: metrics.Accuracy()([1, 2], [1, 2, 3]), "accuracy compares"),
        (lambda: metrics.get("precission"), "did you mean 'precision'"),
        (lambda: metrics.get(7), "is not a metric"),
        (lambda: metrics.Mean().merge_state([metrics.Sum()]), "cannot merge"),
        (lambda: metrics.Recall().merge_state([metrics.Recall([0.1, 0.2])]), "cannot merge"),
    ],
)
def test_mismatched_arguments_are_refused(make: Any, words: str) -> None:
    with pytest.raises(ArgumentValueError, match=words):
        make()


@pytest.mark.parametrize("truth", [np.array([2, 0]), np.array([[2], [0]])])
def test_unknown_ranks_are_distinguished_at_run_time(truth: Any) -> None:
    graph = rt.Graph("classes")
    y_true, y_pred = (graph.add_input(rt.TensorSpec(None, d), d) for d in ("int64", "float32"))
    with graph.recording():
        graph.set_outputs([metrics.sparse_categorical_accuracy(y_true, y_pred)])
    predicted = np.float32([[0.1, 0.2, 0.7], [0.1, 0.7, 0.2]])
    assert [1, 0] == run(graph, [truth, predicted])[0].tolist()
    for wrong in (truth.reshape(1, 2), truth.reshape(1, 1, 2), truth[0].reshape(())):
        with pytest.raises(rt.errors.InvalidArgumentError, match="one axis less than y_pred"):
            run(graph, [wrong, predicted])


def test_a_failed_merge_leaves_a_metric_unchanged() -> None:
    metric, other = metrics.Mean(), metrics.Mean()
    other.update_state([3.0])
    with pytest.raises(ArgumentValueError, match="cannot merge the state of 1"):
        metric.merge_state([other, 1])
    assert 0.0 == float(metric.result())
