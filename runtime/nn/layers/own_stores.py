"""Values that layers of the user's keep in files beside their weights, by `save_own_variables`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from runtime.nn.layers.ownership import layers_below
from runtime.nn.layers.weighted import Weighted


def kept_by_layers(model: Any) -> dict[str, Any]:
    """Return the arrays that layers of a model put into stores of their own, by numbered names."""
    found: dict[str, Any] = {}
    for prefix, layer in _with_stores(model):
        store: dict[str, Any] = {}
        layer.save_own_variables(store)
        found.update({prefix + key: np.asarray(value) for key, value in store.items()})
    return found


def give_to_layers(model: Any, arrays: Mapping[str, Any]) -> None:
    """Give layers of a model what they put into their stores, where a file has such."""
    for prefix, layer in _with_stores(model):
        starts = [key for key in arrays if key.startswith(prefix)]
        if starts:
            layer.load_own_variables({key.removeprefix(prefix): arrays[key] for key in starts})


def _with_stores(model: Any) -> Iterator[tuple[str, Any]]:
    """Yield the layers whose classes say what they keep, each with what its names begin with."""
    for at, layer in enumerate(layers_below(model)):
        kind = type(layer)
        if kind.save_own_variables is not Weighted.save_own_variables:
            yield f"s{at}/", layer
