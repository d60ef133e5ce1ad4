"""Composite functions of `keras.ops` agree with Keras 3.15."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograph.compat import tensorflow as tf
from runtime.errors import ArgumentValueError, OpError
from tests.autograph.compat.keras_ops_cases import CASES

ops = tf.keras.ops
RECORDED = json.loads(Path(__file__).with_name("keras_ops.json").read_text())


def numbered() -> list[Any]:
    """Return the cases with Keras's result for each."""
    seen: dict[str, int] = defaultdict(int)
    found = []
    for name, args, kwargs in CASES:
        expected = RECORDED[name][seen[name]]
        found.append(pytest.param(name, args, kwargs, expected, id=f"{name}-{seen[name]}"))
        seen[name] += 1
    return found


def assert_same(expected: list[Any], found: Any) -> None:
    leaves = found if isinstance(found, (tuple, list)) else [found]
    assert len(expected) == len(leaves)
    for (dtype, value), leaf in zip(expected, leaves):
        array = leaf.numpy()
        wanted = np.array(value, object).astype(dtype)
        assert (wanted.dtype, wanted.shape) == (array.dtype, array.shape)
        np.testing.assert_allclose(array, wanted, rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize(("name", "args", "kwargs", "expected"), numbered())
def test_ops_agree_with_keras(name: str, args: Any, kwargs: Any, expected: Any) -> None:
    function = getattr(ops, name)
    assert_same(expected, function(*args, **kwargs))
    is_static = name in ("rot90", "tri", "logspace", "get_item")
    if not is_static:
        static = {"multi_hot": 1, "extract_sequences": 1, "batch_normalization": 3}.get(name)
        given = args if static is None else args[:static]
        rest = () if static is None else args[static:]
        in_graph = tf.function(lambda *given: function(*given, *rest, **kwargs))
        assert_same(expected, in_graph(*given))


def test_scan_returns_the_last_state_and_all_outputs() -> None:
    rows = tf.constant([1.0, 2.0, 3.0])

    def step(total: Any, row: Any) -> Any:
        return total + row, total * row

    for scanned in (ops.scan, tf.function(lambda *given: ops.scan(step, *given[1:]))):
        last, outputs = scanned(step, tf.constant(0.0), rows)
        assert (6.0, [0.0, 2.0, 9.0]) == (float(last), outputs.numpy().tolist())
    last, outputs = ops.scan(step, tf.constant(0.0), rows, reverse=True)
    assert (6.0, [5.0, 6.0, 0.0]) == (float(last), outputs.numpy().tolist())
    last, outputs = ops.scan(lambda n, _: (n * 2, n), tf.constant(1), length=3)
    assert (8, [1, 2, 4]) == (int(last), outputs.numpy().tolist())
    last, outputs = ops.scan(step, tf.constant(0.0), rows[:1])
    assert (1.0, [0.0]) == (float(last), outputs.numpy().tolist())
    with pytest.raises(ArgumentValueError, match="length"):
        ops.scan(step, tf.constant(0.0))


def test_a_scan_calls_its_function_once_for_each_row() -> None:
    calls = []
    ops.scan(lambda n, row: calls.append(1) or (n + row, n), tf.constant(0), tf.range(4))
    assert 4 == len(calls)


def test_scan_iterates_over_structures() -> None:
    rows = {"a": tf.constant([1.0, 2.0]), "b": tf.constant([10.0, 20.0])}
    last, outputs = ops.scan(
        lambda held, row: ((held[0] + row["a"], held[1] + row["b"]), row["a"] * row["b"]),
        (tf.constant(0.0), tf.constant(0.0)),
        rows,
    )
    assert [3.0, 30.0] == [float(each) for each in last]
    assert [10.0, 40.0] == outputs.numpy().tolist()


def test_associative_scan_takes_an_axis() -> None:
    rows = tf.constant([[1, 2, 3], [4, 5, 6]])
    found = ops.associative_scan(lambda a, b: a + b, rows, axis=1)
    assert [[1, 3, 6], [4, 9, 15]] == found.numpy().tolist()
    found = ops.associative_scan(lambda a, b: a * b, rows, reverse=True)
    assert [[4, 10, 18], [4, 5, 6]] == found.numpy().tolist()


def test_a_switch_calls_one_function_and_clamps_its_number() -> None:
    branches = [lambda x: x, lambda x: x * 2, lambda x: x * 3]
    for at, expected in ((-1, 5), (0, 5), (1, 10), (2, 15), (9, 15)):
        assert expected == ops.switch(at, branches, 5)
        assert expected == int(ops.switch(tf.constant(at), branches, tf.constant(5)))


def test_rot90_of_half_a_rotation_agrees_with_numpy() -> None:
    x = np.arange(6).reshape(2, 3)
    assert np.rot90(x, 2).tolist() == ops.rot90(x, 2).numpy().tolist()


def test_empty_returns_a_tensor_of_the_shape() -> None:
    assert (2, 3) == tuple(ops.empty((2, 3)).shape)
    assert ("int32", (2,)) == (ops.dtype(tf.constant([1, 2])), tuple(ops.empty_like([1, 2]).shape))


@pytest.mark.parametrize(
    "layer", [lambda x: ops.max_pool(x, 2), lambda x: ops.conv(x, tf.ones((1, 1, 1, 1)))]
)
def test_images_of_unknown_rank_have_the_axes_of_the_window(layer: Any) -> None:
    call = tf.function(layer, input_signature=[tf.TensorSpec(None, tf.float32)])
    images = tf.ones((1, 2, 2, 1))
    assert layer(images).shape == call(images).shape
    for wrong in (images[None, None], images[0], images[0, 0]):
        with pytest.raises(OpError, match="shape"):
            call(wrong)
