"""Functions of the runtime with staged lists as arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.nn.ops.manipulation import concatenate

OF_LISTS: dict[str, Callable[[Any], Any]] = {
    "add_n": rt.add_n,
    "accumulate_n": lambda items: rt.math.accumulate_n(items, shape=[2]),
    "global_norm": rt.linalg.global_norm,
    "clip_by_global_norm": lambda items: rt.stack(rt.clip_by_global_norm(items, 1.5)[0]),
    "concat": lambda items: rt.concat(items, -1),
    "concatenate": lambda items: concatenate(items, -1),
    "stack": lambda items: rt.stack(items, axis=-1),
    "map_structure": lambda items: rt.add_n(rt.nest.map_structure(lambda v: v * v, items)),
    "Add": lambda items: rt.nn.layers.Add()(items),
    "Concatenate": lambda items: rt.nn.layers.Concatenate(axis=0)(items),
}


def _rows(x: Any, n: Any) -> list[Any]:
    rows = []
    for k in range(n):
        rows.append(x * rt.cast(k + 1, rt.float32))
    return rows


@pytest.mark.parametrize("name", OF_LISTS)
def test_values_and_gradients_agree_with_a_list_of_known_length(name: str) -> None:
    use = OF_LISTS[name]

    def both(x: Any, n: Any) -> Any:
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = use(_rows(x, n))
        return y, tape.gradient(y, x)

    x = rt.constant([1.0, -2.0])
    for count in (1, 3):
        expected = both(x, count)
        actual = ag.function(both)(x, rt.constant(count))
        for a, b in zip(actual, expected, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-6)


def test_lists_of_different_lengths_are_not_one_structure() -> None:
    @ag.function
    def f(n: Any) -> Any:
        x = rt.constant([1.0])
        return rt.nest.map_structure(lambda a, b: a + b, _rows(x, n), _rows(x, n + 1))

    with pytest.raises(ValueError):
        f(rt.constant(2))


def test_a_layer_of_two_inputs_refuses_a_staged_list() -> None:
    @ag.function
    def f(n: Any) -> Any:
        return rt.nn.layers.Subtract()(_rows(rt.constant([1.0]), n))

    with pytest.raises(ValueError, match="give it a list of the tensors"):
        f(rt.constant(2))
