"""Laws of layers: each agrees with Keras, in a graph too, and is restored from its config."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from tests.each import for_each
from tests.runtime.nn.layers.cases import CASES, Case, case_name
from tests.runtime.nn.layers.sketches import (
    BATCH,
    inputs_of,
    output_weights,
    path_of,
    sketch,
    weight_values,
)

pytestmark = pytest.mark.filterwarnings("ignore::autograph.errors.RetracingWarning")
EVERY = for_each("case", CASES, ids=case_name)


def _recorded() -> dict[str, dict[str, list[list[str]]]]:
    found: dict[str, dict[str, list[list[str]]]] = {}
    facts: dict[str, list[list[str]]] = {}
    text = Path(__file__).with_name("recorded.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("  "):
            kind, *values = line.split()
            facts[kind].append(values)
        elif line and not line.startswith("#"):
            facts = found[line] = defaultdict(list)
    return found


RECORDED = _recorded()


def _layer_of(case: Case) -> Any:
    return getattr(rt.nn.layers, case.kind)(**case.arguments)


def _with_weights(layer: Any) -> Any:
    layer.set_weights(weight_values([tuple(each.shape) for each in layer.weights]))
    return layer


def _tensors(case: Case) -> Any:
    return rt.nest.map_structure(rt.constant, inputs_of(case))


def _ready(case: Case) -> Any:
    """Return the layer of a case with its weights."""
    layer = _layer_of(case)
    layer(_tensors(case), **case.told)
    return _with_weights(layer)


def _numbers(rows: list[list[str]]) -> Any:
    return np.array(rows, np.float64)


def _assert_close(expected: Any, actual: Any) -> None:
    # Sums of up to a few hundred float32, which Keras adds up in another order.
    scale = max(1.0, float(np.abs(expected).max(initial=0)))
    np.testing.assert_allclose(actual, expected, rtol=2e-5, atol=2e-5 * scale)


def test_every_case_has_recorded_numbers() -> None:
    assert {case_name(case) for case in CASES} == set(RECORDED)


@EVERY
def test_a_layer_has_the_weights_of_keras(case: Case) -> None:
    layer, facts = _ready(case), RECORDED[case_name(case)]
    found = [[path_of(each).split("/", 1)[1], *map(str, each.shape)] for each in layer.weights]
    assert facts["weight"] == found
    assert facts["masking"] == [[str(layer.supports_masking)]]


@EVERY
def test_a_layer_agrees_with_keras(case: Case) -> None:
    layer, facts, inputs = _ready(case), RECORDED[case_name(case)], _tensors(case)
    watched = [each for each in rt.nest.flatten(inputs) if each.dtype.is_floating]
    with rt.GradientTape() as tape:
        tape.watch(watched)
        outputs = layer(inputs, **case.told)
        total = rt.reduce_sum(outputs * output_weights(tuple(outputs.shape)))
    assert facts["shape"] == [[str(size) for size in outputs.shape]]
    _assert_close(_numbers(facts["output"])[0], sketch(outputs))
    gradients_of = tape.gradient(total, [*watched, *layer.trainable_weights])
    found = [sketch(rt.convert_to_tensor(each)) for each in gradients_of]
    _assert_close(_numbers(facts["gradient"]), np.array(found))
    after = [sketch(each) for each in layer.non_trainable_weights]
    if facts["after"]:
        _assert_close(_numbers(facts["after"]), np.array(after))


@EVERY
def test_a_layer_agrees_in_a_graph_of_unknown_batch_size(case: Case) -> None:
    eager, inputs = _ready(case), _tensors(case)
    expected = eager(inputs, **case.told).numpy()
    layer = _layer_of(case)
    layer.build(_shapes(case, BATCH))
    _with_weights(layer)

    def unknown(tensor: Any) -> Any:
        return rt.TensorSpec((None, *tensor.shape[1:]), tensor.dtype)

    @ag.function(input_signature=[rt.nest.map_structure(unknown, inputs)])
    def staged(given: Any) -> Any:
        watched = [each for each in rt.nest.flatten(given) if each.dtype.is_floating]
        with rt.GradientTape() as tape:
            tape.watch(watched)
            outputs = layer(given, **case.told)
            total = rt.reduce_sum(outputs * output_weights(expected.shape))
        found = tape.gradient(total, [*watched, *layer.trainable_weights])
        return outputs, [rt.convert_to_tensor(each) for each in found]

    outputs, found = staged(inputs)
    np.testing.assert_allclose(outputs.numpy(), expected, rtol=1e-6, atol=1e-6)
    recorded = _numbers(RECORDED[case_name(case)]["gradient"])
    _assert_close(recorded, np.array([sketch(each) for each in found]))
    for one, other in zip(eager.weights, layer.weights, strict=True):
        np.testing.assert_allclose(other.numpy(), one.numpy(), rtol=1e-6)


def _shapes(case: Case, batch: int | None) -> Any:
    if isinstance(case.shapes, list):
        return [(batch, *shape) for shape in case.shapes]
    return (batch, *case.shapes)


@EVERY
def test_a_layer_computes_its_output_shape(case: Case) -> None:
    shape = tuple(_layer_of(case)(_tensors(case), **case.told).shape)
    assert shape == _layer_of(case).compute_output_shape(_shapes(case, BATCH))
    assert (None, *shape[1:]) == _layer_of(case).compute_output_shape(_shapes(case, None))


@EVERY
def test_a_layer_is_restored_from_its_config(case: Case) -> None:
    layer, inputs = _ready(case), _tensors(case)
    text = json.dumps(layer.get_config())
    again = type(layer).from_config(json.loads(text))
    assert text == json.dumps(again.get_config())
    again(inputs, **case.told)
    assert [path_of(each) for each in layer.weights] == [path_of(each) for each in again.weights]
    again.set_weights(layer.get_weights())
    expected = layer(inputs, **case.told).numpy()
    np.testing.assert_array_equal(expected, again(inputs, **case.told).numpy())


@EVERY
def test_a_batch_may_be_empty(case: Case) -> None:
    layer, inputs = _ready(case), _tensors(case)
    expected = layer(inputs).shape
    found = layer(rt.nest.map_structure(lambda each: each[:0], inputs))
    assert (0, *expected[1:]) == tuple(found.shape)
