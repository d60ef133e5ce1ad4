"""The base class of recurrent cells: two kernels, a bias, the same dropout in all time steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from runtime import nest
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError, ShapeError, UnimplementedError
from runtime.nn import activations, constraints, initializers, regularizers
from runtime.nn.initializers.initializer import checked_seed
from runtime.nn.layers.input_spec import InputSpec
from runtime.nn.layers.layer import Layer
from runtime.nn.layers.ownership import LayerAttributes
from runtime.nn.registry import Identifier
from runtime.nn.seeds import seeds_of
from runtime.ops.arrays.concatenation import concat, split
from runtime.ops.arrays.creation import zeros
from runtime.ops.arrays.shape import shape
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import add
from runtime.ops.linalg.einsum import tensordot
from runtime.ops.linalg.matrices import matmul

if TYPE_CHECKING:
    pass
from runtime.core.context import current_recorder
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


class CellAttributes(LayerAttributes):
    """The private state of a cell: that of layers, and its dropout masks."""

    dropout_masks: DropoutMasks


class RecurrentCell(Layer):
    """The base class of cells that multiply the input and the state with kernels.

    The contribution of the input does not depend on states, so a layer computes it for all steps at
    once (`project`), and iterates over the rest (`step`).

    Attributes:
        kernel, recurrent_kernel: matrices; the columns of each gate follow those of the one before.
        state_size, output_size: the attributes that an RNN needs.
    """

    _own_kind = CellAttributes
    _own: CellAttributes
    gates = 1
    # Whether Keras creates the default seed of dropout before the seeds of the initializers.
    _is_seeded_first = False
    state_size: Any
    output_size: int
    implementation: int

    def __init__(
        self,
        units: int,
        activation: Identifier = "tanh",
        use_bias: bool = True,
        kernel_initializer: Identifier = "glorot_uniform",
        recurrent_initializer: Identifier = "orthogonal",
        bias_initializer: Identifier = "zeros",
        kernel_regularizer: Identifier | None = None,
        recurrent_regularizer: Identifier | None = None,
        bias_regularizer: Identifier | None = None,
        kernel_constraint: Identifier | None = None,
        recurrent_constraint: Identifier | None = None,
        bias_constraint: Identifier | None = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        seed: int | None = None,
        **kwargs: Any,
    ) -> None:
        self.implementation = _checked_implementation(kwargs.pop("implementation", 2))
        super().__init__(**kwargs)
        self.units = _checked_units(units)
        self.state_size, self.output_size = self.units, self.units
        self.activation = activations.get(activation)
        self.use_bias = use_bias
        seeds = seeds_of(seed) if self._is_seeded_first else None
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.recurrent_initializer = initializers.get(recurrent_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.recurrent_regularizer = regularizers.get(recurrent_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint = constraints.get(kernel_constraint)
        self.recurrent_constraint = constraints.get(recurrent_constraint)
        self.bias_constraint = constraints.get(bias_constraint)
        self.dropout, self.recurrent_dropout = _rate(dropout), _rate(recurrent_dropout)
        self.seed = checked_seed(seed)
        self.seed_generator = seeds_of(seed) if seeds is None else seeds
        if self.recurrent_dropout:
            self.implementation = 1
        # With implementation 1 each gate has a mask of its own.
        count = self.gates if self.implementation == 1 else 1
        self._own.dropout_masks = DropoutMasks(
            self.dropout, self.recurrent_dropout, count, self.seed_generator
        )
        self.kernel: Any = None
        self.recurrent_kernel: Any = None
        self.bias: Any = None

    def build(self, input_shape: Any) -> None:
        """Make the kernels, (inputs, gates * units) and (units, gates * units), and the bias."""
        width, size = self.gates * self.units, last_size(self, input_shape)
        self.input_spec = InputSpec(axes={-1: size})
        self.kernel = self.add_weight(
            name="kernel",
            shape=(size, width),
            initializer=self.kernel_initializer,
            regularizer=self.kernel_regularizer,
            constraint=self.kernel_constraint,
        )
        self.recurrent_kernel = self.add_weight(
            name="recurrent_kernel",
            shape=(self.units, width),
            initializer=self.recurrent_initializer,
            regularizer=self.recurrent_regularizer,
            constraint=self.recurrent_constraint,
        )
        if self.use_bias:
            self.bias = self.add_weight(
                name="bias",
                shape=self._bias_shape(),
                initializer=self._initial_bias(),
                regularizer=self.bias_regularizer,
                constraint=self.bias_constraint,
            )

    def _bias_shape(self) -> tuple[int, ...]:
        return (self.gates * self.units,)

    def _initial_bias(self) -> Any:
        return self.bias_initializer

    # -- one step ----------------------------------------------------------------------------------

    def call(self, inputs: Any, states: Any, training: Any = False) -> Any:
        """Return the output and the next states.

        Args:
            inputs: (batch, features).
            states: a list of tensors, (batch, units) each, or the one tensor.
            training: whether dropout applies.
        """
        self.check_states(nest.flatten(states))
        if training is not False and training is not None:
            self._own.dropout_masks.prepare(size_of(inputs, 0), last_size(self, inputs.shape), self)
        sums = self.project(inputs, training)
        output, new = self.step(sums, nest.flatten(states), self.step_weights(), training)
        return output, new if nest.is_nested(states) else new[0]

    def check_states(self, states: Sequence[TensorLike]) -> None:
        """Raise an error that names the valid states unless these are valid.

        Raises:
            ArgumentValueError: their number is wrong.
            ShapeError: one has another size.
        """
        sizes = nest.flatten(self.state_size)
        if len(states) != len(sizes):
            raise ArgumentValueError(
                f"{type(self).__name__} takes {len(sizes)} states and is given {len(states)}"
            )
        for state, size in zip(states, sizes):
            found = to_tensor(state).shape
            if not found.is_compatible_with((None, size)):
                raise ShapeError(
                    f"a state of {type(self).__name__} must have shape (batch, {size}), not {found}"
                )

    def project(self, inputs: Any, training: Any) -> Any:
        """Return the contribution of inputs, with any leading axes, to the sums of all gates."""
        masks = self._own.dropout_masks.of_inputs(training)
        if len(masks) < 2:
            dropped = inputs * masks[0] if masks else inputs
            sums = _product(dropped, self.kernel)
        else:
            kernels = split(self.kernel, self.gates, axis=1)
            sums = concat([_product(inputs * m, k) for m, k in zip(masks, kernels)], -1)
        bias = self._input_bias()
        return sums if bias is None else add(sums, bias)

    def _input_bias(self) -> Any:
        return self.bias

    def step_weights(self) -> tuple[Any, ...]:
        """Return the weights that `step` needs, read once for all steps."""
        return (to_tensor(self.recurrent_kernel),)

    def step(
        self,
        sums: Tensor,
        states: Sequence[Tensor],
        step_weights: tuple[Any, ...],
        training: Any,
    ) -> tuple[Any, list[Any]]:
        """Return the output and the next states, from the projected inputs and the states."""
        raise UnimplementedError(
            f"{type(self).__name__} has no `step`: define call(self, inputs, states)"
        )

    def project_state(self, state: TensorLike, kernel: TensorLike, training: Any) -> Any:
        """Return the contribution of a state to the sums of all gates."""
        masks = self._own.dropout_masks.of_states(training)
        if not masks:
            return matmul(state, kernel)
        if len(masks) == 1:
            return matmul(state * masks[0], kernel)
        kernels = split(kernel, self.gates, axis=1)
        return concat([matmul(state * m, k) for m, k in zip(masks, kernels)], -1)

    # -- states and dropout ------------------------------------------------------------------------

    def get_initial_state(self, batch_size: Any = None) -> list[Any]:
        """Return zeros for the states of `batch_size` sequences."""
        sizes = nest.flatten(self.state_size)
        return [zeros((batch_size, size), self._own.dtype) for size in sizes]

    def prepare(self, batch: TensorLike, size: int | None) -> None:
        """Create the dropout masks for all steps of a call."""
        self._own.dropout_masks.forget()
        self._own.dropout_masks.prepare(batch, size, self)

    def skip_seeds(self) -> None:
        """Skip the seeds of the masks: this call drops nothing."""
        self._own.dropout_masks.skip_seeds()

    def forget_masks(self) -> None:
        """Forget the masks, so that the next call creates new ones."""
        self._own.dropout_masks.forget()

    def get_dropout_mask(self, step_input: Tensor) -> Any:
        """Return the dropout mask of inputs, the same one until it is reset."""
        self._own.dropout_masks.prepare(
            size_of(step_input, 0), last_size(self, step_input.shape), self
        )
        return _one_or_all(self._own.dropout_masks.of_inputs(True))

    def get_recurrent_dropout_mask(self, step_input: Tensor) -> Any:
        """Return the dropout mask of states, the same one until it is reset."""
        self._own.dropout_masks.prepare(size_of(step_input, 0), None, self)
        return _one_or_all(self._own.dropout_masks.of_states(True))

    def reset_dropout_mask(self) -> None:
        """Forget the dropout mask of inputs: the next use creates a new one."""
        self._own.dropout_masks.forget(states=False)

    def reset_recurrent_dropout_mask(self) -> None:
        """Forget the dropout mask of states: the next use creates a new one."""
        self._own.dropout_masks.forget(inputs=False)


def _product(inputs: Any, kernel: Any) -> Any:
    return matmul(inputs, kernel) if inputs.shape.rank == 2 else tensordot(inputs, kernel, 1)


def _one_or_all(masks: Sequence[Any]) -> Any:
    return masks[0] if len(masks) == 1 else (list(masks) or None)


def _rate(rate: Any) -> float:
    if isinstance(rate, bool) or not isinstance(rate, (int, float)):
        raise ArgumentValueError(f"a dropout rate must be a number from 0 to 1, not {rate!r}")
    return min(1.0, max(0.0, float(rate)))


def _checked_units(units: Any) -> int:
    if not isinstance(units, int) or isinstance(units, bool) or units <= 0:
        raise ArgumentValueError(f"units must be a whole number above 0, not {units!r}")
    return units


def _checked_implementation(implementation: Any) -> int:
    if implementation not in (0, 1, 2):
        raise ArgumentValueError(f"implementation must be 1 or 2, not {implementation!r}")
    return int(implementation)


# -- sizes of the inputs of recurrent layers and cells ---------------------------------------------


def last_size(layer: Any, input_shape: Any) -> int:
    """Return the size of the last axis of inputs; ShapeError when it is not known."""
    dims = getattr(input_shape, "dims", input_shape)
    if not dims or not hasattr(dims[-1], "__index__"):
        raise ShapeError(
            f"layer {layer.name!r} needs to know the size of the last axis of its inputs"
        )
    return int(dims[-1])


def size_of(tensor: Any, axis: int) -> Any:
    """Return the size of an axis: a number if it is known, else a tensor."""
    known = tensor.shape[axis] if tensor.shape.rank else None
    return shape(tensor)[axis] if known is None else known
