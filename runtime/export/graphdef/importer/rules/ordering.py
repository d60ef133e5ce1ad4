"""Import of sorting and searching: top_k, distinct elements, positions of elements."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import int32
from runtime.export.graphdef.importer.node_import import NodeImport, Rule
from runtime.ops.arrays.gather import gather
from runtime.ops.arrays.reduction import reduce_any


def _searched(side: str) -> Rule:
    def rule(step: NodeImport) -> Any:
        wanted = step.attrs.dtype("out_type")
        ordered, values = step.tensor(0), step.tensor(1)
        return step.record("searchsorted", ordered, values, side=side, out_type=wanted)

    return rule


def _bucketize(step: NodeImport) -> Any:
    x = step.tensor(0)
    bounds = step.constant(step.attrs.reals("boundaries"), x.dtype)
    flat = step.record("reshape", x, shape=(-1,))
    found = step.record("searchsorted", bounds, flat, side="right", out_type=int32)
    sizes = step.record("shape", x, out_type=int32)
    return _in_shape_of(step, found, sizes, x)


def _in_shape_of(step: NodeImport, flat: Any, sizes: Any, like: Any) -> Any:
    """Return a vector in the shape of another tensor."""
    if like.shape.is_fully_defined():
        return step.record("reshape", flat, shape=like.shape.dims)
    rank = like.shape.rank
    wanted = None if rank is None else (None,) * rank
    return step.record("reshape", flat, sizes, shape=wanted)


def _unique(counts: bool) -> Rule:
    def rule(step: NodeImport) -> Any:
        wanted = step.attrs.dtype("out_idx")
        name = "unique_with_counts" if counts else "unique"
        return list(step.record(name, step.tensor(0), out_idx=wanted))

    return rule


def _invert_permutation(step: NodeImport) -> Any:
    return step.record("invert_permutation", step.tensor(0))


def _unravel(step: NodeImport) -> Any:
    return step.record("unravel_index", step.tensor(0), step.tensor(1))


def _in_top_k(step: NodeImport) -> Any:
    predictions, targets, k = (step.tensor(at) for at in range(3))
    return step.record("in_top_k", targets, predictions, k)


def _top_k(step: NodeImport) -> Any:
    step.attrs.skip("sorted")
    is_old = step.op == "TopK"
    if is_old or step.known(1) is not None:
        count = step.attrs.number("k") if is_old else step.number(1, "numbers of elements")
        values, places = step.record("top_k", step.tensor(0), k=count)
    else:
        values, places = _first_of_order(step)
    wanted = int32 if is_old else step.attrs.dtype("index_type")
    return [values, places if wanted is int32 else step.record("cast", places, dtype=wanted)]


def _first_of_order(step: NodeImport) -> list[Any]:
    """Return the largest elements, of which only a run knows the number.

    Gathering them raises if there are fewer.
    """
    x, dtype = step.tensor(0), step.tensor(1).dtype
    zero, one = step.constant(0, dtype), step.constant(1, dtype)
    first = step.record("range", zero, step.tensor(1), one, length=None)
    ordered = [step.record(name, x, axis=-1, descending=True) for name in ("sort", "argsort")]
    return [step.record("gather", each, first, axis=-1, batch_dims=0) for each in ordered]


def _difference(step: NodeImport) -> Any:
    """Return the elements of a vector that another one does not have, and their places."""
    x, y = step.tensor(0), step.tensor(1)
    is_found = reduce_any(step.record("equal", x[:, None], y[None]), 1)
    places = step.record("nonzero", step.record("logical_not", is_found))[:, 0]
    wanted = step.attrs.dtype("out_idx")
    return [gather(x, places), step.record("cast", places, dtype=wanted)]


def _where(step: NodeImport) -> Any:
    return step.record("nonzero", step.tensor(0))


RULES: dict[str, Rule] = {
    "Bucketize": _bucketize,
    "InvertPermutation": _invert_permutation,
    "LowerBound": _searched("left"),
    "Unique": _unique(counts=False),
    "UniqueWithCounts": _unique(counts=True),
    "UnravelIndex": _unravel,
    "UpperBound": _searched("right"),
    "InTopKV2": _in_top_k,
    "TopK": _top_k,
    "TopKV2": _top_k,
    "ListDiff": _difference,
    "Where": _where,
}
