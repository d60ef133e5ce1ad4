"""Segments of which only a run knows the number, and segments of padded rows.

segment_sum(x, ids)                one more row than the last id says, with the capacity of lists
unsorted_segment_sum(x, ids, n)    n rows, with the capacity of lists

Rows that do not count belong to no segment.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.executors.jax.dynamic_shapes.padded import aligned_rows, made_rows
from runtime.executors.jax.rules.jax_modules import is_size, jnp, size_of
from runtime.executors.jax.rules.segments import reduced_segments, reduced_sorted_segments
from runtime.executors.jax.run_state import RunState
from runtime.executors.jax.value_rules import PASS, core_rule
from runtime.executors.jax.values.pytrees import Padded, is_array, is_known


@core_rule(*(f"segment_{how}" for how in ("sum", "mean", "prod", "max", "min")))
def _sorted_segments(run: RunState, node: Any, data: Any, ids: Any) -> Any:
    if is_known(ids) and not isinstance(data, Padded):
        return PASS
    rows, ids, inside = _rows_and_ids(run, data, ids)
    run.fail(inside & (ids < 0))
    run.fail(inside[1:] & (ids[1:] < ids[:-1]))
    ids = jnp.where(inside, ids, -1)
    number = jnp.max(ids, initial=-1).astype(np.int64) + 1
    how = node.op.name.rpartition("_")[2]
    return made_rows(run, number, lambda room: reduced_sorted_segments(run, how, rows, ids, room))


@core_rule(*(f"unsorted_segment_{how}" for how in ("sum", "prod", "max", "min")))
def _unsorted_segments(run: RunState, node: Any, data: Any, ids: Any, *dims: Any) -> Any:
    how, number = node.op.name.rpartition("_")[2], node.attrs["num_segments"]
    if number is None:
        size = run.known_size(dims[0])
        number = dims[0] if size is None else size
    is_padded = isinstance(data, Padded) or isinstance(ids, Padded)
    known = node.outputs[0].shape.dims
    if not is_padded and (isinstance(number, int) or (known and known[0] is not None)):
        return PASS
    rows, ids, inside = _rows_and_ids(run, data, ids) if ids.ndim else (data, ids, True)
    run.fail(inside & (ids >= (number if is_array(number) else size_of(number, ids.dtype))))
    ids = jnp.where(inside, ids, -1)
    if is_size(number):
        run.fail(isinstance(number, int) and number < 0)
        return reduced_segments(run, how, rows, ids, number)
    return made_rows(run, number, lambda room: reduced_segments(run, how, rows, ids, room))


def _rows_and_ids(run: RunState, data: Any, ids: Any) -> tuple[Any, Any, Any]:
    """Return rows, their ids, and which of the ids count; no element of another row is NaN."""
    rows, ids, inside = aligned_rows(run, data, ids)
    inside = inside.reshape((-1,) + (1,) * (ids.ndim - 1))
    if isinstance(data, Padded):
        mask = inside.reshape((-1,) + (1,) * (rows.ndim - 1))
        rows = jnp.where(mask, rows, jnp.zeros((), rows.dtype))
    return rows, ids, inside
