"""`StackedRNNCells`: several cells as one cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from runtime import nest
from runtime.core.converter_hooks import ConverterHooks
from runtime.core.tensor import TensorLike
from runtime.errors import ArgumentValueError
from runtime.nn.layers.call_context import parameters_of
from runtime.nn.layers.layer import Layer
from runtime.nn.layers.recurrent.cell import RecurrentCell
from runtime.nn.layers.wrapper import rebuilt
from runtime.ops.arrays.creation import zeros

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.layers.layer_options import RegularizableLayerOptions


class StackedRNNCells(Layer):
    """A cell made of cells: the output of each is the input of the next.

    Args:
        cells: objects with `call(inputs, states)` and `state_size`.

    Example:
        >>> from runtime.nn.layers.recurrent.gru import GRUCell
        >>> cell = StackedRNNCells([GRUCell(3), GRUCell(2)])
        >>> cell.state_size, cell.output_size
        ([3, 2], 2)
    """

    def __init__(
        self, cells: Sequence[TensorLike], **kwargs: Unpack[RegularizableLayerOptions]
    ) -> None:
        super().__init__(**kwargs)
        if not isinstance(cells, (list, tuple)) or not cells:
            raise ArgumentValueError(f"StackedRNNCells needs a list of cells, not {cells!r}")
        for each in cells:
            if not hasattr(each, "call") or not hasattr(each, "state_size"):
                raise ArgumentValueError(
                    f"a cell must have `call` and `state_size`, and {each!r} does not"
                )
        self.cells = list(cells)

    @property
    def state_size(self) -> list[Any]:
        """The sizes of the states of each cell."""
        return [each.state_size for each in self.cells]

    @property
    def output_size(self) -> int:
        """The size of the output of the last cell."""
        return size_of_output(self.cells[-1])

    def get_initial_state(self, batch_size: TensorLike | None = None) -> list[Any]:
        """Return the initial states of each cell."""
        return [initial_states(each, batch_size, self._own.dtype) for each in self.cells]

    def build(self, input_shape: Any) -> None:
        """Build each cell for the output of the cell before."""
        dims = tuple(getattr(input_shape, "dims", input_shape) or (None,))
        for each in self.cells:
            if isinstance(each, Layer) and not each.built:
                each.build(dims)
            dims = (dims[0], size_of_output(each))

    def prepare(self, batch: TensorLike, size: int | None) -> None:
        """Create the dropout masks of the cells for all steps of a call."""
        for each in self.cells:
            if isinstance(each, (RecurrentCell, StackedRNNCells)):
                each.prepare(batch, size)
            size = size_of_output(each)

    def skip_seeds(self) -> None:
        """Skip the seeds of the masks: this call drops nothing."""
        for each in self.cells:
            if isinstance(each, (RecurrentCell, StackedRNNCells)):
                each.skip_seeds()

    def forget_masks(self) -> None:
        """Forget the masks, so that the next call creates new ones."""
        for each in self.cells:
            if isinstance(each, (RecurrentCell, StackedRNNCells)):
                each.forget_masks()

    def call(
        self, inputs: Any, states: Any, training: Any = False, **kwargs: Any
    ) -> tuple[Any, list[Any]]:
        """Return the output of the last cell and the next states of each."""
        found = []
        for cell, given in zip(self.cells, states):
            is_list = nest.is_nested(given)
            options = dict(kwargs)
            if isinstance(cell, Layer) and "training" in parameters_of(cell)[0]:
                options["training"] = training
            inputs, new = caller_of(cell)(inputs, list(given) if is_list else [given], **options)
            new = list(new) if nest.is_nested(new) else [new]
            found.append(new if is_list else new[0])
        return inputs, found

    @classmethod
    def from_config(cls, config: Mapping[str, Any], custom_objects: Any = None) -> Any:
        """Return a cell made from the config of `get_config`."""
        return super().from_config({**config, "cells": rebuilt(config["cells"], custom_objects)})


def caller_of(cell: Any) -> Any:
    """Return the function that makes a step: the cell if it is a layer, else its `call`."""
    if isinstance(cell, Layer):
        return cell
    return ConverterHooks.call(cell if callable(cell) else cell.call)


def size_of_output(cell: Any) -> int:
    """Return the output size of a cell; without `output_size`, the size of its first state."""
    size = getattr(cell, "output_size", None)
    if size is None:
        size = cell.state_size
    while isinstance(size, (list, tuple)):
        size = size[0]
    if not isinstance(size, int):
        raise ArgumentValueError(f"the output_size of a cell must be a whole number, not {size!r}")
    return size


def initial_states(cell: Any, batch: Any, dtype: Any) -> Any:
    """Return the initial states of a cell; without `get_initial_state`, zeros."""
    make = getattr(cell, "get_initial_state", None)
    if make is not None:
        return make(batch_size=batch)
    sizes = cell.state_size
    sizes = list(sizes) if isinstance(sizes, (list, tuple)) else sizes
    return nest.map_structure(lambda size: zeros((batch, size), dtype), sizes)
