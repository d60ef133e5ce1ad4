"""Recurrent layers agree with Keras, eagerly and in graphs of unknown sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime import nest
from runtime.graph.text import graph_text
from tests.runtime.nn.layers.recurrent.keras_cases import CASES, Case, X, wave

# Many Functions are made of the same lines here.
pytestmark = pytest.mark.filterwarnings("ignore::autograph.errors.RetracingWarning")


def layer_of(case: Case) -> Any:
    layer = case.make()
    layer(X, **case.options)
    layer.set_weights([wave(*w.shape, start=k) for k, w in enumerate(layer.weights)])
    return layer


def outputs_and_gradients(layer: Any, x: Any, options: Any) -> tuple[list[Any], list[Any]]:
    with rt.GradientTape() as tape:
        tape.watch(x)
        outputs = nest.flatten(layer(x, **options))
        loss = 0.0
        for each in outputs:
            places = rt.reshape(rt.range(rt.size(each)), rt.shape(each))
            loss += rt.reduce_sum(each * each * rt.cast(places, "float32"))
    return outputs, tape.gradient(loss, [x, *layer.trainable_weights])


def numbers(text: str) -> list[float]:
    return [float(word) for word in text.split()]


def check(case: Case, outputs: list[Any], gradients: list[Any]) -> None:
    found = np.concatenate([each.numpy().ravel() for each in outputs])
    np.testing.assert_allclose(found, numbers(case.outputs), rtol=1e-5, atol=2e-6)
    weighted = [np.sum(s.numpy().ravel() * np.cos(np.arange(s.numpy().size))) for s in gradients]
    np.testing.assert_allclose(weighted, numbers(case.gradients), rtol=1e-4, atol=2e-4)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_outputs_and_gradients_agree_with_keras(case: Case) -> None:
    check(case, *outputs_and_gradients(layer_of(case), rt.constant(X), case.options))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_graph_of_unknown_sizes_agrees_with_eager_results(case: Case) -> None:
    layer = layer_of(case)
    sizes = (None, 4, 3) if getattr(layer, "unroll", False) else (None, None, 3)
    told = {name: nest.map_structure(rt.constant, each) for name, each in case.options.items()}

    @ag.function(input_signature=[rt.TensorSpec(sizes, rt.float32)])
    def run(x: Any) -> Any:
        return outputs_and_gradients(layer, x, told)

    check(case, *run(X))
    text = graph_text(run.get_concrete_function().graph)
    assert ("while_loop" in text) == is_loop(layer)


def is_loop(layer: Any) -> bool:
    return not getattr(layer, "unroll", isinstance(layer, rt.nn.layers.TimeDistributed))
