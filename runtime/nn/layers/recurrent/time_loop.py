"""The loop over time steps: a loop of the graph, or unrolled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from runtime import nest
from runtime.core.context import current_recorder
from runtime.core.spec import TensorSpec
from runtime.errors import ShapeError
from runtime.graph.structured_control_flow import while_calling
from runtime.ops.arrays.concatenation import stack, unstack
from runtime.ops.arrays.creation import zeros_like
from runtime.ops.arrays.shape import ensure_shape, expand_dims, reshape, shape
from runtime.ops.constant import constant
from runtime.ops.containers.lists import list_append, list_from_rows, list_get, list_new, list_stack
from runtime.ops.elementwise.arithmetic import add
from runtime.ops.elementwise.comparison import less
from runtime.ops.elementwise.selection import where

Step = Callable[[Any, list[Any]], tuple[Any, list[Any]]]


@dataclass(frozen=True)
class TimeLoop:
    """The loop of a cell over time steps.

    Attributes:
        step: maps the input of a time step and the states to the output and the next states.
        returns_all: whether to return the outputs of all steps, or the last one only.
        unrolled: whether a graph repeats the step in place of a loop.
        zeros_where_masked: whether the output of a masked step is zeros, else it is the previous
            output.
        first: the output before the first step, if its shape is known; else the first step runs
            outside of the loop to find the shape.
        is_state: whether the output is always the first state, masked or not.
        cell: the cell, if it may be, or contain, a user's object.
    """

    step: Step
    returns_all: bool = True
    unrolled: bool = False
    zeros_where_masked: bool = False
    first: Any = None
    is_state: bool = False
    cell: Any = None

    def run(self, rows: Any, mask: Any, states: Sequence[Any]) -> tuple[Any, list[Any]]:
        """Return the outputs, one row for each step, or the last of them; and the last states.

        Args:
            rows: the inputs, one row for each step.
            mask: True for steps that count, (steps, batch, 1), or None if all do.
            states: tensors, or structures of tensors.
        """
        count = rows.shape[0]
        if self.first is None and count == 0:
            raise ShapeError("a cell needs sequences of at least one step: these have none")
        if self.unrolled or current_recorder() is None:
            return self._unrolled(rows, mask, list(states))
        output, last = self._loop(rows, mask, list(states))
        return (self._with_known_shape(output, rows) if self.returns_all else output), last

    def _with_known_shape(self, outputs: Any, rows: Any) -> Any:
        """Return the outputs of a loop with their known shape, also where there are none."""
        count, dims = rows.shape[0], outputs.shape.dims
        if dims is None or (count is None and self.first is None):
            return outputs
        if count is not None:
            return ensure_shape(outputs, (count, *dims[1:]))
        sizes = shape(self.first)
        known = [sizes[n] if dim is None else dim for n, dim in enumerate(dims[1:])]
        return reshape(outputs, (shape(rows)[0], *known))

    def _unrolled(self, rows: Any, mask: Any, states: list[Any]) -> tuple[Any, list[Any]]:
        masks = [None] * rows.shape[0] if mask is None else unstack(mask)
        output, outputs = self.first, []
        for row, valid in zip(unstack(rows), masks):
            output, states = self._masked_step(row, valid, output, states)
            outputs.append(output)
        if not self.returns_all:
            return output, states
        return stack(outputs) if outputs else expand_dims(output, 0)[:0], states

    def _masked_step(
        self, row: Any, valid: Any, before: Any, states: list[Any]
    ) -> tuple[Any, list[Any]]:
        """Return the output and states of a step; where it is masked, those of the step before."""
        output, new = self.step(row, states)
        if valid is None:
            return output, new
        if before is None or self.zeros_where_masked:
            before = zeros_like(output)
        after = nest.map_structure(lambda n, old: _where_valid(valid, n, old), new, states)
        return (after[0] if self.is_state else _where_valid(valid, output, before)), after

    # -- a loop of a graph ---------------------------------------------------------------------

    def _loop(self, rows: Any, mask: Any, states: list[Any]) -> tuple[Any, list[Any]]:
        given = (rows,) if mask is None else (rows, mask)
        specs = [TensorSpec(each.shape[1:], each.dtype) for each in given]
        items, begin, output, outputs = list_from_rows(*given), 0, self.first, list_new()
        if output is None:
            row, *valid = (each[0] for each in given)
            output, states = self._masked_step(row, valid[0] if valid else None, None, states)
            begin, outputs = 1, list_append(outputs, output)
        carries_output = not self.is_state and (mask is not None or not self.returns_all)
        first_extra = [
            *([outputs] if self.returns_all else []),
            *([output] if carries_output else []),
        ]
        end, element = shape(rows)[0], []

        def body(at: Any, *carried: Any) -> list[Any]:
            extra, flat = list(carried[: len(first_extra)]), list(carried[len(first_extra) :])
            row, *valid = list_get(items, at, specs)
            before = extra[-1] if carries_output else output
            current = nest.unflatten(states, flat)
            found, new = self._masked_step(row, valid[0] if valid else None, before, current)
            element.append(TensorSpec(found.shape, found.dtype))
            after = [list_append(extra[0], found)] if self.returns_all else []
            return [add(at, 1), *after, *([found] if carries_output else []), *nest.flatten(new)]

        start = [constant(begin), *first_extra, *nest.flatten(states)]
        last = while_calling(self.cell, lambda at, *_: less(at, end), body, start)
        found = nest.unflatten(states, last[1 + len(first_extra) :])
        if self.returns_all:
            return list_stack(last[1], 0, element[-1]), found
        return (found[0] if self.is_state else last[len(first_extra)]), found


def _where_valid(valid: Any, new: Any, old: Any) -> Any:
    """Return the new value of each sequence whose step is valid, and the old one of others."""
    for _ in range((new.shape.rank or 2) - 2):
        valid = expand_dims(valid, -1)
    return where(valid, new, old)
