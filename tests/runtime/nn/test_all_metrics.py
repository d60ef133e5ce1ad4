"""Every metric against numbers of Keras 3.15, over two batches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.nn import metrics
from tests.runtime.nn.metric_numbers import BATCHES, RECORDED, WEIGHTS

CASES = [pytest.param(*row, id=f"{row[0]}-{row[1]}") for row in RECORDED]


def made(text: str) -> Any:
    return eval(f"metrics.{text}")


def batch(given: str, number: int) -> list[Any]:
    return [BATCHES[letter][number] for letter in given]


@pytest.mark.parametrize(("text", "given", "first", "both", "weighted"), CASES)
def test_a_metric_is_that_of_keras(
    text: str, given: str, first: Any, both: Any, weighted: Any
) -> None:
    metric = made(text)
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


@pytest.mark.parametrize(("text", "given", "first", "both", "weighted"), CASES)
def test_a_graph_counts_each_time_it_runs(
    text: str, given: str, first: Any, both: Any, weighted: Any
) -> None:
    metric, traces = made(text), []

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


@pytest.mark.parametrize(("text", "given", "first", "both", "weighted"), CASES)
def test_two_that_have_counted_a_batch_each_become_one(
    text: str, given: str, first: Any, both: Any, weighted: Any
) -> None:
    one, other = made(text), made(text)
    one.update_state(*batch(given, 0))
    other.update_state(*batch(given, 1))
    one.merge_state([other])
    np.testing.assert_allclose(np.ravel(one.result()), np.ravel(both), rtol=4e-6, atol=1e-7)


@pytest.mark.parametrize("text", [row[0] for row in RECORDED])
def test_a_config_makes_the_same_metric(text: str) -> None:
    metric = made(text)
    again = metrics.deserialize(metrics.serialize(metric))
    assert type(metric) is type(again)
    assert metric.get_config() == again.get_config()
