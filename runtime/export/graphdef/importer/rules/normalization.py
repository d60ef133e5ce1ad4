"""Import of biases, normalizations, and the half sum of squares."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import int32
from runtime.export.graphdef.importer.node_import import NodeImport, Rule


def along_channels(step: NodeImport, vector: Any, like: Any, channels_first: bool) -> Any:
    """Return a vector with one element a channel in a shape that broadcasts to images."""
    rank = like.shape.rank
    if not channels_first or rank == 2:
        return vector
    if rank is None:
        raise step.unsupported("only a run knows the number of axes of images")
    return step.record("reshape", vector, shape=(1, -1, *([1] * (rank - 2))))


def is_channels_first(step: NodeImport) -> bool:
    """Return whether the channels of images precede the spatial axes."""
    return step.attrs.text("data_format", "NHWC").startswith("NC")


def _bias(step: NodeImport) -> Any:
    x, first = step.tensor(0), is_channels_first(step)
    return step.record("add", x, along_channels(step, step.tensor(1), x, first))


def _l2_loss(step: NodeImport) -> Any:
    x = step.tensor(0)
    total = step.record("reduce_sum", step.record("square", x), axis=None, keepdims=False)
    return step.record("divide", total, step.constant(2, x.dtype))


def _batch_norm(step: NodeImport) -> Any:
    """Normalize images by given moments, or by their own while training."""
    x, scale, offset = (step.tensor(at) for at in range(3))
    first, small = is_channels_first(step), step.attrs.real("epsilon", 1e-4)
    factor = step.attrs.real("exponential_avg_factor", 1.0)
    if x.dtype is not scale.dtype:
        raise step.unsupported("images and their scales have different dtypes")
    given = [step.tensor(3), step.tensor(4)]
    if step.attrs.flag("is_training", True):
        used, moments = _moments(step, x, first, factor, given)
    else:
        used = moments = given
    mean, variance = (along_channels(step, each, x, first) for each in used)
    spread = step.record("rsqrt", step.record("add", variance, step.constant(small, x.dtype)))
    factor_ = step.record("multiply", spread, along_channels(step, scale, x, first))
    centred = step.record("multiply", step.record("subtract", x, mean), factor_)
    y = step.record("add", centred, along_channels(step, offset, x, first))
    rest = [step.constant(np.zeros(0), x.dtype)] if step.op == "FusedBatchNormV3" else []
    return [y, *moments, *used, *rest]


def _moments(
    step: NodeImport, x: Any, first: bool, factor: float, given: list[Any]
) -> tuple[list[Any], list[Any]]:
    """Return the moments of images, and the running ones: these have the unbiased variance."""
    rank = x.shape.rank
    if rank is None:
        raise step.unsupported("only a run knows the number of axes of images")
    axes = tuple(axis for axis in range(rank) if axis != (1 if first else rank - 1))
    mean = step.record("reduce_mean", x, axis=axes, keepdims=False)
    kept = step.record("reduce_mean", x, axis=axes, keepdims=True)
    squares = step.record("squared_difference", x, kept)
    variance = step.record("reduce_mean", squares, axis=axes, keepdims=False)
    count = step.record("divide", *(_count(step, each, x) for each in (x, mean)))
    less = step.record("maximum", step.record("subtract", count, _one(step, x)), _one(step, x))
    unbiased = step.record("multiply", variance, step.record("divide", count, less))
    if factor == 1:
        return [mean, variance], [mean, unbiased]
    pairs = zip((mean, unbiased), given)
    return [mean, variance], [_mixed(step, new, old, factor) for new, old in pairs]


def _mixed(step: NodeImport, new: Any, old: Any, factor: float) -> Any:
    share = step.record("multiply", new, step.constant(factor, new.dtype))
    return step.record(
        "add", share, step.record("multiply", old, step.constant(1 - factor, old.dtype))
    )


def _count(step: NodeImport, x: Any, like: Any) -> Any:
    return step.record("cast", step.record("size", x, out_type=int32), dtype=like.dtype)


def _one(step: NodeImport, like: Any) -> Any:
    return step.constant(1, like.dtype)


RULES: dict[str, Rule] = {
    "BiasAdd": _bias,
    "FusedBatchNorm": _batch_norm,
    "FusedBatchNormV2": _batch_norm,
    "FusedBatchNormV3": _batch_norm,
    "L2Loss": _l2_loss,
}
