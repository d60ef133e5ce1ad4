"""Import of pools and their gradients."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import int64
from runtime.export.graphdef.importer.node_import import NodeImport, Rule
from runtime.export.graphdef.importer.rules.windows import requested_shape, sliding_of
from runtime.ops.neural.windows import per_axis


def _window(step: NodeImport, rank: int) -> dict[str, Any]:
    how = sliding_of(step, rank, dilated=False)
    sizes = per_axis(list(step.attrs.numbers("ksize")), rank, how.channels_first, "ksize")
    return {"window": sizes, "sliding": how}


def _pool(name: str, rank: int) -> Rule:
    def rule(step: NodeImport) -> Any:
        return step.record(name, step.tensor(0), **_window(step, rank))

    return rule


def _of_largest(name: str) -> Rule:
    def rule(step: NodeImport) -> Any:
        return step.record(name, step.tensor(0), step.tensor(2), **_window(step, 2))

    return rule


def _mean_back(rank: int) -> Rule:
    def rule(step: NodeImport) -> Any:
        shape, rest = requested_shape(step, 0)
        how = _window(step, rank)
        return step.record("avg_pool_back", step.tensor(1), *rest, shape=shape, **how)

    return rule


def _places(step: NodeImport) -> Any:
    how = _window(step, 2)
    wanted = step.attrs.dtype("Targmax", int64)
    within = step.attrs.flag("include_batch_in_index", False)
    x = step.tensor(0)
    places = step.record("max_pool_places", x, **how, dtype=wanted, in_batch=within)
    return [step.record("max_pool", x, **how), places]


RULES: dict[str, Rule] = {
    "AvgPool": _pool("avg_pool", 2),
    "AvgPool3D": _pool("avg_pool", 3),
    "AvgPool3DGrad": _mean_back(3),
    "AvgPoolGrad": _mean_back(2),
    "MaxPool": _pool("max_pool", 2),
    "MaxPool3D": _pool("max_pool", 3),
    "MaxPoolGrad": _of_largest("max_pool_back"),
    "MaxPoolGradGrad": _of_largest("max_pool_picked"),
    "MaxPoolWithArgmax": _places,
}
