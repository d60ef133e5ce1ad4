"""Initial states and masks of recurrent layers."""

from __future__ import annotations

from typing import Any

from runtime import nest
from runtime.errors import ArgumentValueError, ShapeError
from runtime.nn.layers.layer import Layer
from runtime.nn.layers.recurrent.cell import RecurrentCell
from runtime.ops.arrays.shape import broadcast_to, expand_dims, shape
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.linalg.matrices import transpose


def swap_batch_and_steps(sequences: Any) -> Any:
    """Return sequences with the axes of the batch and of the steps exchanged."""
    rank = 3 if sequences.shape.rank is None else sequences.shape.rank
    return transpose(sequences, (1, 0, *range(2, rank)))


def only_mask(mask: Any) -> Any:
    """Return the only mask in a structure of masks, or None."""
    found = [each for each in nest.flatten(mask) if each is not None]
    return found[0] if found else None


def checked_mask(mask: Any, sequences: Any) -> Any:
    """Return a mask as bools, (batch, steps, 1); ShapeError if it does not fit the sequences."""
    found = cast(to_tensor(only_mask(mask) if isinstance(mask, tuple) else mask), "bool")
    rank = found.shape.rank
    if rank == 2:
        found = expand_dims(found, -1)
    dims = sequences.shape.dims
    wanted = (None, None, 1) if dims is None else (*dims[:2], 1)
    if not found.shape.is_compatible_with(wanted):
        raise ShapeError(
            f"a mask of shape {found.shape} does not fit sequences of shape {sequences.shape}: it "
            "has one bool for each step, (batch, steps)"
        )
    return found


def states_for(layer: Any, given: Any, batch: Any) -> list[Any]:
    """Return the initial states of a layer, as tensors of its cell's dtype.

    Args:
        layer: a layer with a cell.
        given: a tensor, a list of tensors, or a list of structures of tensors.
        batch: the number of sequences; states of one sequence are used for all of them.

    Raises:
        ArgumentValueError: the layer has another number of states.
        ShapeError: states have another shape.
    """
    held = list(given) if isinstance(given, (list, tuple)) else [given]
    dtype = layer.cell._own.dtype if isinstance(layer.cell, Layer) else layer._own.dtype
    states = nest.map_structure(lambda each: cast(to_tensor(each), dtype), held)
    _check_states(layer, states, batch)
    return list(nest.map_structure(lambda each: _for_batch(each, batch), states))


def _for_batch(state: Any, batch: Any) -> Any:
    """Return a state of one sequence repeated for a batch, and other states unchanged."""
    if not state.shape.rank or state.shape[0] != 1 or isinstance(batch, int) and batch == 1:
        return state
    sizes = shape(state)
    rest = [sizes[n] if d is None else d for n, d in enumerate(state.shape.dims)][1:]
    return broadcast_to(state, (batch, *rest))


def _check_states(layer: Any, states: list[Any], batch: Any) -> None:
    """Raise an error that names the valid initial states unless these are valid."""
    if isinstance(layer.cell, RecurrentCell):
        layer.cell.check_states(states)
    if len(states) != len(layer.state_size):
        raise ArgumentValueError(
            f"layer {layer.name!r} has {len(layer.state_size)} states and is given {len(states)}"
        )
    for state in nest.flatten(states):
        first = state.shape[0] if state.shape.rank else None
        if isinstance(batch, int) and first is not None and batch != first != 1:
            raise ShapeError(
                f"layer {layer.name!r} is given {batch} sequences and states of {first}"
            )
