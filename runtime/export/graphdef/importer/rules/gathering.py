"""Import of gathers, scatters, partitions and stitches."""

from __future__ import annotations

from typing import Any

from runtime.export.graphdef.importer.node_import import NodeImport, Rule
from runtime.ops.arrays import scatter


def _gather(step: NodeImport) -> Any:
    axis = step.number(2, "axes") if len(step.inputs) > 2 else 0
    batch = step.attrs.number("batch_dims", 0)
    return step.record("gather", step.tensor(0), step.tensor(1), axis=axis, batch_dims=batch)


def _gather_nd(step: NodeImport) -> Any:
    _check_policy(step)
    return step.record("gather_nd", step.tensor(0), step.tensor(1))


def _check_policy(step: NodeImport) -> None:
    policy = step.attrs.text("bad_indices_policy", "")
    if policy not in ("", "DEFAULT", "ERROR"):
        raise step.unsupported("indices out of bounds are ignored")


def _scattered(name: str) -> Rule:
    def rule(step: NodeImport) -> Any:
        _check_policy(step)
        return step.record(name, step.tensor(0), step.tensor(1), step.tensor(2))

    return rule


def _scatter_sub(step: NodeImport) -> Any:
    _check_policy(step)
    x, indices, updates = (step.tensor(at) for at in range(3))
    return step.record("tensor_scatter_nd_add", x, indices, step.record("negative", updates))


def _scatter_nd(step: NodeImport) -> Any:
    _check_policy(step)
    return scatter.scatter_nd(step.tensor(0), step.tensor(1), step.sizes(2))


def _partition(step: NodeImport) -> Any:
    count = step.attrs.number("num_partitions")
    data, parts = step.tensor(0), step.tensor(1)
    return list(step.record("dynamic_partition", data, parts, num_partitions=count))


def _stitch(step: NodeImport) -> Any:
    return step.record("dynamic_stitch", *step.tensors())


RULES: dict[str, Rule] = {
    "Gather": _gather,
    "GatherNd": _gather_nd,
    "GatherV2": _gather,
    "ScatterNd": _scatter_nd,
    "TensorScatterAdd": _scattered("tensor_scatter_nd_add"),
    "TensorScatterMax": _scattered("tensor_scatter_nd_max"),
    "TensorScatterMin": _scattered("tensor_scatter_nd_min"),
    "TensorScatterSub": _scatter_sub,
    "TensorScatterUpdate": _scattered("tensor_scatter_nd_update"),
    "DynamicPartition": _partition,
    "DynamicStitch": _stitch,
}
