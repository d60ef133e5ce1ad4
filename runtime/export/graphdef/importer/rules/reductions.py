"""Import of reductions and running sums."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import int32, int64
from runtime.export.graphdef.importer.node_import import NodeImport, Rule
from runtime.graph.structured_control_flow import cond
from runtime.ops.arrays import creation
from runtime.ops.arrays.histograms import bincount


def _axes(step: NodeImport) -> tuple[int, ...] | None:
    """Return the axes of a reduction; None for all axes of a tensor of unknown rank."""
    if step.known(1) is None and _is_all_axes(step):
        return None
    return tuple(sorted(step.numbers(1, "axes")))


def _is_all_axes(step: NodeImport) -> bool:
    """Return whether the axes are `range(0, rank(x), 1)`."""
    node = step.tensor(1).node
    if node.op.name != "range" or node.inputs[1].node.op.name != "rank":
        return False
    whole = step.body.static.whole
    ends = [whole(node.inputs[at]) for at in (0, 2)]
    is_full = [None if end is None else int(end) for end in ends] == [0, 1]
    return is_full and node.inputs[1].node.inputs[0] is step.tensor(0)


def _reduces(name: str) -> Rule:
    def rule(step: NodeImport) -> Any:
        kept = step.attrs.flag("keep_dims", False)
        axes, sizes = step.body.static.broadcast.get(id(step.tensor(1)), (None, None))
        if axes is step.tensor(1) and name == "reduce_sum" and not kept:
            return _undone_broadcast(step, sizes)
        if step.known(1) is None and not _is_all_axes(step):
            return _over_unknown_axes(step, name, kept)
        return step.record(name, step.tensor(0), axis=_axes(step), keepdims=kept)

    return rule


def _undone_broadcast(step: NodeImport, sizes: Any) -> Any:
    """Sum a gradient over the axes along which an operand of these sizes was broadcast."""
    x = step.tensor(0)
    zero = step.constant(0, x.dtype)
    like = creation.fill(sizes, zero)
    total = step.record("sum_to_like", x, like)
    kept = step.record("not_equal", sizes, step.constant(1, sizes.dtype))
    left = step.record("boolean_mask", sizes, kept, axis=0)
    return step.record("reshape", total, left, shape=None)


def _over_unknown_axes(step: NodeImport, name: str, kept: bool) -> Any:
    """Reduce axes that only a run knows, each in a branch of its own, as gradients do."""
    x, axes = step.tensor(0), step.tensor(1)
    if x.shape.rank is None:
        raise step.unsupported("only a run knows the axes, and the number of axes")
    flags = [_is_among(step, axes, axis, x.shape.rank) for axis in range(x.shape.rank)]
    for axis, flag in enumerate(flags):
        x = cond(
            flag,
            lambda x=x, axis=axis: step.record(  # type: ignore[misc]
                name, x, axis=(axis,), keepdims=True
            ),
            lambda x=x: x,  # type: ignore[misc]
        )
    if kept or not flags:
        return x
    sizes = step.record("shape", x, out_type=int32)
    others = step.record("logical_not", step.record("stack", *flags, axis=0))
    left = step.record("boolean_mask", sizes, others, axis=0)
    return step.record("reshape", x, left, shape=None)


def _is_among(step: NodeImport, axes: Any, axis: int, rank: int) -> Any:
    """Return whether an axis is among those of a tensor, which may count from the end."""
    found = [
        step.record("equal", axes, step.constant(each, axes.dtype)) for each in (axis, axis - rank)
    ]
    either = step.record("logical_or", *found)
    return step.record("reduce_any", either, axis=None, keepdims=False)


def _euclidean(step: NodeImport) -> Any:
    x, kept = step.tensor(0), step.attrs.flag("keep_dims", False)
    total = step.record("reduce_sum", step.record("square", x), axis=_axes(step), keepdims=kept)
    return step.record("sqrt", total)


def _reduce_join(step: NodeImport) -> Any:
    flags = {
        "keepdims": step.attrs.flag("keep_dims", False),
        "separator": step.attrs.raw("separator", b""),
    }
    return step.record("reduce_join", step.tensor(0), axis=_axes(step), **flags)


def _arg(name: str) -> Rule:
    def rule(step: NodeImport) -> Any:
        wanted = step.attrs.dtype("output_type", int64)
        axis = step.number(1, "axes")
        return step.record(name, step.tensor(0), axis=axis, output_type=wanted)

    return rule


def _runs(name: str) -> Rule:
    def rule(step: NodeImport) -> Any:
        flags = {word: step.attrs.flag(word, False) for word in ("exclusive", "reverse")}
        return step.record(name, step.tensor(0), axis=step.number(1, "axes"), **flags)

    return rule


def _bincount(step: NodeImport) -> Any:
    """Count numbers below a size; weights may be absent, which an empty tensor says."""
    x, known, weights = step.tensor(0), step.known(1), step.tensor(2)
    size = step.tensor(1) if known is None else int(known)
    is_binary = step.attrs.flag("binary_output", False)
    has_weights = weights.shape.num_elements() != 0
    if has_weights and weights.shape.num_elements() is None:
        raise step.unsupported("only a run knows whether there are weights")
    return bincount(
        x,
        weights if has_weights else None,
        minlength=size,
        maxlength=size,
        dtype=weights.dtype,
        axis=-1 if x.shape.rank == 2 else None,
        binary_output=is_binary,
    )


RULES: dict[str, Rule] = {
    "All": _reduces("reduce_all"),
    "Any": _reduces("reduce_any"),
    "ArgMax": _arg("argmax"),
    "ArgMin": _arg("argmin"),
    "Bincount": _bincount,
    "Cumprod": _runs("cumprod"),
    "Cumsum": _runs("cumsum"),
    "CumulativeLogsumexp": _runs("cumulative_logsumexp"),
    "DenseBincount": _bincount,
    "EuclideanNorm": _euclidean,
    "Max": _reduces("reduce_max"),
    "Mean": _reduces("reduce_mean"),
    "Min": _reduces("reduce_min"),
    "Prod": _reduces("reduce_prod"),
    "ReduceJoin": _reduce_join,
    "Sum": _reduces("reduce_sum"),
}
