"""Recurrent dropout: one dropout mask for all time steps of a call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.core.context import current_recorder
from runtime.core.tensor import Tensor
from runtime.nn.seeds import SeedGenerator, dropped
from runtime.ops.arrays.creation import ones, ones_like
from runtime.ops.elementwise.selection import where


class DropoutMasks:
    """The dropout masks of a cell, by which inputs and states are multiplied.

    Args:
        rate, recurrent_rate: the fractions of the inputs, and of the states, that are dropped.
        count: the number of masks of each kind: one, or one for each gate.
        seeds: the seeds for reproducible masks.
    """

    def __init__(
        self, rate: float, recurrent_rate: float, count: int, seeds: SeedGenerator | None
    ) -> None:
        self._rates = {"inputs": rate, "states": recurrent_rate}
        self._count, self._seeds = count, seeds
        self._masks: dict[str, list[Any]] = {}
        self._makers: dict[str, Any] = {}

    def prepare(self, batch: Any, size: int | None, cell: Any) -> None:
        """Make the missing masks.

        Args:
            batch: the number of sequences, an int or a tensor.
            size: the size of an input; None if only states are masked.
        """
        sizes = {"inputs": size, "states": cell.units}
        for kind, rate in self._rates.items():
            if rate and sizes[kind] is not None and not self._has(kind, (batch, sizes[kind])):
                self._makers[kind] = current_recorder()
                self._masks[kind] = self._made(rate, (batch, sizes[kind]), cell)

    def skip_seeds(self) -> None:
        """Skip the seeds of the masks in a call that drops nothing, as Keras does."""
        number = self._count * sum(rate > 0 for rate in self._rates.values())
        if self._seeds is not None and number:
            self._seeds.skip(number)

    def _has(self, kind: str, dims: tuple[Any, Any]) -> bool:
        """Return whether there are masks of this shape that may be used in the current graph."""
        masks = self._masks.get(kind)
        if not masks or not self._is_made_here(kind):
            return False
        known = tuple(each if isinstance(each, int) else None for each in dims)
        return bool(masks[0].shape.is_compatible_with(known))

    def _is_made_here(self, kind: str) -> bool:
        """Return whether masks belong to the current graph, or to an enclosing one.

        Masks of a finished graph have no value, and eager masks would become constants of a graph.
        """
        maker, recorder = self._makers[kind], current_recorder()
        if maker is None:
            return recorder is None
        while recorder is not None and recorder is not maker:
            recorder = getattr(recorder, "outer", None)
        return recorder is maker

    def _made(self, rate: float, dims: tuple[Any, Any], cell: Any) -> list[Any]:
        full = ones(dims, cell._own.dtype)
        if rate == 1:
            return [full * 0] * self._count
        return [dropped(full, rate, None, self._seeds) for _ in range(self._count)]

    def of_inputs(self, training: Any) -> Sequence[Any]:
        """Return the masks of inputs; an empty list if nothing is dropped."""
        return self._used("inputs", training)

    def of_states(self, training: Any) -> Sequence[Any]:
        """Return the masks of states; an empty list if nothing is dropped."""
        return self._used("states", training)

    def _used(self, kind: str, training: Any) -> Sequence[Any]:
        masks = self._masks.get(kind, [])
        if isinstance(training, Tensor):
            return [where(training, mask, ones_like(mask)) for mask in masks]
        return masks if training else []

    def forget(self, inputs: bool = True, states: bool = True) -> None:
        """Forget masks, so that the next use creates new ones."""
        for kind, is_chosen in (("inputs", inputs), ("states", states)):
            if is_chosen:
                self._masks.pop(kind, None)
                self._makers.pop(kind, None)
