"""`RNN`, the layer that runs any cell over time, and the base class of layers that create one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from runtime import nest
from runtime.core.argument_checks import flag, shown
from runtime.core.context import recording
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError, ShapeError, of_tracing
from runtime.nn.layers.call_context import parameters_of
from runtime.nn.layers.constructor_arguments import arguments_for
from runtime.nn.layers.input_spec import InputSpec, check_inputs
from runtime.nn.layers.layer import Layer
from runtime.nn.layers.ownership import LayerAttributes
from runtime.nn.layers.recurrent.cell import RecurrentCell, size_of
from runtime.nn.layers.recurrent.stacked_cells import (
    StackedRNNCells,
    caller_of,
    initial_states,
    size_of_output,
)
from runtime.nn.layers.recurrent.time_loop import TimeLoop
from runtime.nn.layers.wrapper import rebuilt
from runtime.nn.modules import names
from runtime.ops.arrays.concatenation import reverse
from runtime.ops.arrays.creation import zeros_like
from runtime.ops.arrays.shape import broadcast_to, expand_dims, shape
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.linalg.matrices import transpose
from runtime.state.variable import Variable

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.layers.layer_options import RegularizableLayerOptions


class RecurrentAttributes(LayerAttributes):
    """The private state of a recurrent layer.

    Attributes:
        states: the variables with the states of a stateful layer.
    """

    def __init__(self) -> None:
        super().__init__()
        self.states: Any = None


class RNN(Layer):
    """Processes the steps of sequences with a cell.

    Args:
        cell: an object with `call(inputs, states)`, which returns an output and the next states,
            and `state_size`, a number or a list of numbers; or a list of such cells, which are
            stacked.
        return_sequences: whether to return the outputs of all steps, not only the last one.
        return_state: whether to return the last states, too, after the output.
        go_backwards: whether to process the last step first; outputs are in processing order.
        stateful: whether a call starts with the final states of the previous one.
        unroll: whether a graph repeats the step in place of a loop: larger, but faster.
        zero_output_for_mask: whether the output of a masked step is zeros, not the previous output.

    Example:
        >>> class Sum:
        ...     state_size = 2
        ...     def call(self, inputs, states):
        ...         total = states[0] + inputs
        ...         return total, [total]
        >>> print(RNN(Sum())([[[1.0, 2.0], [3.0, 4.0]]]))
        rt.Tensor([[4. 6.]], shape=(1, 2), dtype=float32)
    """

    _own_kind = RecurrentAttributes
    _own: RecurrentAttributes

    def __init__(
        self,
        cell: Any,
        return_sequences: bool = False,
        return_state: bool = False,
        go_backwards: bool = False,
        stateful: bool = False,
        unroll: bool = False,
        zero_output_for_mask: bool = False,
        **kwargs: Unpack[RegularizableLayerOptions],
    ) -> None:
        if isinstance(cell, (list, tuple)):
            cell = StackedRNNCells(cell)
        if not hasattr(cell, "call") or not hasattr(cell, "state_size"):
            raise ArgumentValueError(
                f"an RNN needs a cell with `call` and `state_size`, not {cell!r}"
            )
        super().__init__(**kwargs)
        self.cell = cell
        self.return_sequences = flag(return_sequences, "return_sequences")
        self.return_state = flag(return_state, "return_state")
        self.go_backwards = flag(go_backwards, "go_backwards")
        self.stateful, self.unroll = flag(stateful, "stateful"), flag(unroll, "unroll")
        self.zero_output_for_mask = zero_output_for_mask
        self.supports_masking = True
        self.input_spec = InputSpec(min_ndim=3)
        size = cell.state_size
        if not isinstance(size, (int, list, tuple)):
            raise ArgumentValueError(
                f"state_size must be a whole number or a list of them, not {size!r}"
            )
        self.state_size = [size] if isinstance(size, int) else list(size)

    # -- shapes, masks, weights --------------------------------------------------------------------

    def compute_output_shape(self, sequences_shape: Any, initial_state_shape: Any = None) -> Any:
        """Return the shape of the output, followed by those of the states if they are returned."""
        batch, length = tuple(sequences_shape)[:2]
        size = size_of_output(self.cell)
        output = (batch, length, size) if self.return_sequences else (batch, size)
        if not self.return_state:
            return output
        shapes = [
            [(batch, each) for each in size] if isinstance(size, (list, tuple)) else (batch, size)
            for size in self.state_size
        ]
        return (output, *shapes)

    def compute_mask(self, inputs: Any, previous_mask: Any = None) -> Any:
        """Return the mask of the sequences for the outputs of all steps; states have none."""
        mask = only_mask(previous_mask) if self.return_sequences else None
        return [mask, *(None for _ in self.state_size)] if self.return_state else mask

    def build(self, sequences_shape: Any, initial_state_shape: Any = None) -> None:
        """Build the cell for one step, and create the variables of a stateful layer.

        Raises:
            ArgumentValueError: the layer is stateful, but the size of the batch is not known.
            ShapeError: the sequences have an unknown rank.
        """
        dims = getattr(sequences_shape, "dims", sequences_shape)
        if dims is None:
            raise ShapeError(
                f"layer {self.name!r} needs inputs of shape (batch, steps, ...) with a known "
                "rank: write "
                "rt.ensure_shape"
            )
        if isinstance(self.cell, Layer) and not self.cell.built:
            self.cell.build((dims[0], *tuple(dims)[2:]))
        if self.stateful:
            self._keep_states(dims[0])

    def _keep_states(self, batch: int | None) -> None:
        if self._own.states is not None:
            self.reset_states()
            return
        if batch is None:
            raise of_tracing(
                ArgumentValueError(
                    f"layer {self.name!r} keeps its states, so the size of its batches must be "
                    "known: write InputLayer(batch_shape=(32, None, 8)), or call it before it is "
                    "traced"
                )
            )
        with recording(None):
            self._own.states = nest.map_structure(
                lambda value: Variable(value, trainable=False, name=names.scoped("rnn_state")),
                self.get_initial_state(batch),
            )

    @property
    def states(self) -> Any:
        """The variables that store the states of a stateful layer, None before it is built."""
        return self._own.states

    def get_initial_state(self, batch_size: TensorLike) -> list[Any]:
        """Return the initial states of `batch_size` sequences."""
        made = initial_states(self.cell, batch_size, self._own.dtype)
        return list(made) if isinstance(made, (list, tuple)) else [made]

    def reset_states(self) -> None:
        """Reset the states of a stateful layer to zeros."""
        for each in nest.flatten(self._own.states):
            if each is not None:
                each.assign(zeros_like(each))

    reset_state = reset_states

    # -- iterating over sequences ------------------------------------------------------------------

    def call(
        self, sequences: Any, initial_state: Any = None, mask: Any = None, training: Any = False
    ) -> Tensor | Any:
        """Return the last output, or all outputs, and states, depending on the options.

        Args:
            sequences: (batch, steps, ...).
            initial_state: the initial states, by default zeros, or the last ones of a stateful
                layer; a state of one sequence is used for all sequences.
            mask: (batch, steps), False where a step does not count for a sequence.
            training: whether the cell applies dropout.
        """
        length = sequences.shape[1] if sequences.shape.rank else None
        if self.unroll and length is None:
            raise ArgumentValueError(
                f"layer {self.name!r} cannot be unrolled: the number of steps is not known"
            )
        if isinstance(self.cell, Layer):
            check_inputs(self.cell, sequences)
            if not sequences.dtype.is_floating:
                sequences = cast(sequences, self.cell._own.dtype)
        rows = swap_batch_and_steps(sequences)
        valid = None if mask is None else swap_batch_and_steps(checked_mask(mask, sequences))
        if self.go_backwards:
            rows, valid = (None if x is None else reverse(x, [0]) for x in (rows, valid))
        starts_at_zeros = (
            initial_state is None and not self.stateful and _has_zero_states(self.cell)
        )
        states = self._initial_states(initial_state, sequences)
        time_loop, rows = self._time_loop(rows, valid, states, starts_at_zeros, training)
        try:
            output, last = time_loop.run(rows, valid, states)
        finally:
            if self._may_drop():
                self.cell.forget_masks()
        if self.stateful:
            for variable, state in zip(nest.flatten(self._own.states), nest.flatten(last)):
                variable.assign(state)
        if self.return_sequences:
            output = swap_batch_and_steps(output)
        return (output, *last) if self.return_state else output

    def _initial_states(self, given: Any, sequences: Any) -> list[Any]:
        batch = size_of(sequences, 0)
        if given is None:
            given = self._own.states or self.get_initial_state(batch)
        return states_for(self, given, batch)

    def _time_loop(
        self, rows: Any, valid: Any, states: list[Any], starts_at_zeros: bool, training: Any
    ) -> tuple[TimeLoop, Any]:
        """Return the loop over time steps, and the inputs of its steps."""
        cell = self.cell
        if self._may_drop() and (training is None or training is False):
            cell.skip_seeds()
        elif self._may_drop():
            cell.prepare(size_of(rows, 1), rows.shape[-1])
        options = {
            "returns_all": self.return_sequences,
            "unrolled": self.unroll,
            "zeros_where_masked": self.zero_output_for_mask,
        }
        if not isinstance(cell, RecurrentCell) or type(cell).call is not RecurrentCell.call:
            return TimeLoop(_step_of(cell, training), cell=cell, **options), rows
        step_weights = cell.step_weights()
        is_state = valid is None or (starts_at_zeros and not self.zero_output_for_mask)
        time_loop = TimeLoop(
            lambda row, states: cell.step(row, states, step_weights, training),
            first=states[0] if is_state else zeros_like(states[0]),
            is_state=is_state,
            **options,
        )
        return time_loop, cell.project(rows, training)

    def _may_drop(self) -> bool:
        """Return whether the cell may apply dropout to inputs and states."""
        return isinstance(self.cell, (RecurrentCell, StackedRNNCells))

    # -- configs -----------------------------------------------------------------------------------

    @classmethod
    def from_config(cls, config: Mapping[str, Any], custom_objects: Any = None) -> Any:
        """Return a layer made from the config of `get_config`.

        Args:
            custom_objects: classes of cells by name.
        """
        options = dict(config)
        if "cell" in options:
            options["cell"] = rebuilt(options["cell"], custom_objects)
        return super().from_config(options)


def _has_zero_states(cell: Any) -> bool:
    """Return whether the initial states of a cell are certainly zeros."""
    known = RecurrentCell.get_initial_state
    return getattr(type(cell), "get_initial_state", None) is known


def _step_of(cell: Any, training: Any) -> Any:
    """Return a function that makes one step with any cell, which may be a user's object."""
    is_layer = isinstance(cell, Layer)
    options = {"training": training} if is_layer and "training" in parameters_of(cell)[0] else {}
    run = caller_of(cell)

    def step(row: Any, states: list[Any]) -> tuple[Any, list[Any]]:
        output, new = run(row, states, **options)
        return output, list(new) if isinstance(new, (list, tuple)) else [new]

    return step


# -- the base class of layers that create their cell -----------------------------------------------


class CellAttribute:
    """An attribute of a layer that forwards to its cell."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, layer: Any, owner: Any = None) -> Any:
        return self if layer is None else getattr(layer.cell, self._name)


class KernelRNN(RNN):
    """An RNN that creates its cell, one with kernels and a bias.

    Args:
        cell_class: the class of the cell.
        arguments: the arguments of the subclass, which are the cell's, those of `RNN`, an
            `activity_regularizer`, and further ones in `kwargs`.
    """

    units = CellAttribute()
    activation = CellAttribute()
    use_bias = CellAttribute()
    kernel_initializer = CellAttribute()
    recurrent_initializer = CellAttribute()
    bias_initializer = CellAttribute()
    kernel_regularizer = CellAttribute()
    recurrent_regularizer = CellAttribute()
    bias_regularizer = CellAttribute()
    kernel_constraint = CellAttribute()
    recurrent_constraint = CellAttribute()
    bias_constraint = CellAttribute()
    dropout = CellAttribute()
    recurrent_dropout = CellAttribute()
    seed = CellAttribute()

    def __init__(self, cell_class: type[RecurrentCell], arguments: Mapping[str, Any]) -> None:
        options = dict(arguments["kwargs"])
        shared = {name: options[name] for name in ("dtype", "trainable") if name in options}
        if "implementation" in options:
            shared["implementation"] = options.pop("implementation")
        cell_name = names.snake_case(cell_class.__name__)
        cell = cell_class(name=cell_name, **arguments_for(cell_class, arguments), **shared)
        super().__init__(
            cell,
            activity_regularizer=arguments["activity_regularizer"],
            **arguments_for(RNN, arguments),
            **options,
        )
        self.input_spec = InputSpec(ndim=3)


def check_use_cudnn(use_cudnn: Any) -> None:
    """Raise ArgumentValueError unless the value is 'auto' or False: there is no GPU here."""
    if use_cudnn is not False and not (isinstance(use_cudnn, str) and use_cudnn == "auto"):
        raise ArgumentValueError(f"use_cudnn must be 'auto' or False, not {shown(use_cudnn)}")


# -- initial states and masks of recurrent layers --------------------------------------------------


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
    _check_initial_states(layer, states, batch)
    return list(nest.map_structure(lambda each: _for_batch(each, batch), states))


def _for_batch(state: Any, batch: Any) -> Any:
    """Return a state of one sequence repeated for a batch, and other states unchanged."""
    if not state.shape.rank or state.shape[0] != 1 or isinstance(batch, int) and batch == 1:
        return state
    sizes = shape(state)
    rest = [sizes[n] if d is None else d for n, d in enumerate(state.shape.dims)][1:]
    return broadcast_to(state, (batch, *rest))


def _check_initial_states(layer: Any, states: list[Any], batch: Any) -> None:
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
