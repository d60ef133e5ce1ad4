"""The `TimeDistributed` wrapper."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runtime import nest
from runtime.errors import ShapeError
from runtime.nn.layers.call_context import parameters_of
from runtime.nn.layers.input_spec import InputSpec
from runtime.nn.layers.layer import Layer
from runtime.nn.layers.wrapper import Wrapper
from runtime.ops.arrays.concatenation import stack, unstack
from runtime.ops.arrays.shape import reshape, shape
from runtime.ops.convert import to_tensor

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.layers.layer_options import RegularizableLayerOptions


class TimeDistributed(Wrapper):
    """Applies a layer to each step of sequences.

    The layer processes all steps at once, as one large batch. A layer that changes variables in
    training, such as batch normalization, processes them one after the other, if their number is
    known.

    Args:
        layer: any layer.

    Example:
        >>> from runtime.nn.layers.dense import Dense
        >>> from runtime.ops.arrays.creation import ones
        >>> TimeDistributed(Dense(3))(ones((2, 5, 4))).shape
        TensorShape([2, 5, 3])
    """

    def __init__(self, layer: Any, **kwargs: Unpack[RegularizableLayerOptions]) -> None:
        super().__init__(layer, **kwargs)
        self.supports_masking = True
        self.input_spec = InputSpec(min_ndim=3)

    def build(self, input_shape: Any) -> None:
        """Build the layer for one step."""
        super().build(_of_step(self, input_shape))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the layer's output with the steps as the second axis."""
        dims = tuple(getattr(input_shape, "dims", input_shape))
        found = self.layer.compute_output_shape(_of_step(self, dims))
        return (found[0], dims[1], *found[1:])

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """Return the outputs of all steps.

        Args:
            inputs: (batch, steps, ...).
            mask: (batch, steps), passed to the layer if its `call` takes a mask.
        """
        takes, takes_any = parameters_of(self.layer)
        options = {"training": training} if "training" in takes or takes_any else {}
        valid = None if mask is None else _checked_mask(mask, inputs)
        if valid is not None and "mask" not in takes:
            valid = None
        if inputs.shape.rank is None:
            raise ShapeError(f"layer {self.name!r} needs sequences whose rank is known")
        if self._changes_variables() and inputs.shape[1] is not None:
            return self._unrolled(inputs, valid, options)
        if valid is not None:
            options["mask"] = _joined(valid)
        sizes = shape(inputs)
        known = inputs.shape
        leading = [sizes[n] if known[n] is None else known[n] for n in (0, 1)]
        found = self.layer(_joined(inputs), **options)
        return nest.map_structure(lambda each: _parted(each, leading), found)

    def _changes_variables(self) -> bool:
        frozen = {id(each) for each in self.layer._own.frozen}
        held = self.layer.non_trainable_variables
        return self.layer.trainable and any(id(each) not in frozen for each in held)

    def _unrolled(self, inputs: Any, valid: Any, options: dict[str, Any]) -> Any:
        rows = unstack(inputs, axis=1)
        masks = [None] * len(rows) if valid is None else unstack(valid, len(rows), axis=1)
        found = [
            self.layer(row, **(options if each is None else {**options, "mask": each}))
            for row, each in zip(rows, masks)
        ]
        return nest.map_structure(lambda *steps: stack(steps, axis=1), *found)


def _of_step(layer: Layer, input_shape: Any) -> tuple[Any, ...]:
    dims = getattr(input_shape, "dims", input_shape)
    if dims is None or len(dims) < 3:
        raise ShapeError(
            f"layer {layer.name!r} needs inputs of shape (batch, steps, ...), not {input_shape}"
        )
    return (dims[0], *tuple(dims)[2:])


def _joined(inputs: Any) -> Any:
    """Return the inputs with the axes of the batch and of the steps merged."""
    sizes = shape(inputs)
    rest = inputs.shape.dims[2:]
    return reshape(inputs, (-1, *(sizes[n + 2] if d is None else d for n, d in enumerate(rest))))


def _parted(output: Any, leading: list[Any]) -> Any:
    sizes = shape(output)
    rest = output.shape.dims[1:]
    return reshape(
        output, (*leading, *(sizes[n + 1] if d is None else d for n, d in enumerate(rest)))
    )


def _checked_mask(mask: Any, inputs: Any) -> Any:
    found = to_tensor(mask)
    rank = found.shape.rank
    if rank is not None and rank < 2:
        raise ShapeError(
            f"a mask must have a bool for each step, (batch, steps), not shape {found.shape}"
        )
    dims = inputs.shape.dims
    if rank is not None and dims is not None and not found.shape[:2].is_compatible_with(dims[:2]):
        raise ShapeError(
            f"a mask of shape {found.shape} does not fit sequences of shape {inputs.shape}"
        )
    return found
