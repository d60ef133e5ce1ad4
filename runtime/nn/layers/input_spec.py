"""Input specs: requirements of a layer on its inputs, and their errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from runtime import nest
from runtime.core.argument_checks import listed, shown
from runtime.core.dtypes import DTypeLike, as_dtype
from runtime.core.shapes import ShapeLike, as_shape
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops.arguments import static_int
from runtime.ops.effects.spec_assertions import (
    assert_rank,
    assert_rank_at_least,
    assert_rank_in,
)
from runtime.state.variable import Variable


class InputSpec:
    """The requirements on one input.

    Args:
        dtype: its dtype.
        shape: its shape, None for sizes of any kind.
        ndim, min_ndim, max_ndim: the number of its axes, and the limits of that.
        axes: sizes of axes, by their numbers.
        allow_last_axis_squeeze, name, optional: no effect here.

    Example:
        >>> InputSpec(min_ndim=2, axes={-1: 100})
        InputSpec(min_ndim=2, axes={-1: 100})
    """

    def __init__(
        self,
        dtype: DTypeLike | None = None,
        shape: ShapeLike | None = None,
        ndim: int | None = None,
        max_ndim: int | None = None,
        min_ndim: int | None = None,
        axes: Mapping[int, int | None] | None = None,
        allow_last_axis_squeeze: bool = False,
        name: str | None = None,
        optional: bool = False,
    ) -> None:
        self.dtype = None if dtype is None else as_dtype(dtype).name
        self.shape = None if shape is None else tuple(as_shape(shape))
        self.ndim = len(self.shape) if self.shape is not None else ndim
        self.max_ndim, self.min_ndim = max_ndim, min_ndim
        if not isinstance(axes, (Mapping, type(None))):
            raise DTypeError(f"axes must be a dict from axes to sizes, not {shown(axes)}")
        self.axes = {static_int(axis, "an axis"): size for axis, size in (axes or {}).items()}
        self.name, self.optional = name, optional

    def __repr__(self) -> str:
        names = ("dtype", "shape", "ndim", "max_ndim", "min_ndim", "axes")
        parts = [f"{name}={getattr(self, name)}" for name in names if getattr(self, name)]
        return f"InputSpec({', '.join(parts)})"


def known_shape(layer: Any, shape: Any) -> tuple[Any, ...]:
    """Return the shape of inputs as a tuple; ShapeError if their rank is unknown."""
    if shape is None:
        raise ShapeError(
            f"layer {layer.name!r} ({type(layer).__name__}) needs inputs of known rank: use "
            "rt.ensure_shape"
        )
    return tuple(listed(shape, "the shape of inputs"))


def check_inputs(layer: Any, inputs: Any) -> None:
    """Raise an error unless inputs meet a layer's input spec; it names both.

    Raises:
        ShapeError, DTypeError, ArgumentValueError: an input does not meet them.
    """
    found = nest.flatten(inputs)
    is_ours = type(layer).__module__.startswith("runtime.nn.layers.")
    if is_ours and not any(isinstance(each, (Tensor, Variable)) for each in found):
        kind = type(layer).__name__
        raise DTypeError(f"layer {layer.name!r} ({kind}) takes tensors, not {shown(inputs)}")
    if layer._own.input_spec is None:
        return
    specs = [s for s in nest.flatten(layer._own.input_spec) if s is not None]
    given = nest.flatten(inputs)
    if len(specs) != len(given):
        raise ArgumentValueError(
            f"layer {layer.name!r} takes {len(specs)} inputs and is given {len(given)}"
        )
    if isinstance(layer._own.input_spec, InputSpec) and nest.is_nested(inputs):
        raise ArgumentValueError(
            f"layer {layer.name!r} takes one tensor and is given a {type(inputs).__name__}"
        )
    for spec, tensor in zip(specs, given):
        if isinstance(spec, InputSpec) and isinstance(tensor, Tensor):
            _check(layer, spec, tensor)


def _check(layer: Any, spec: InputSpec, tensor: Tensor) -> None:
    who = f"layer {layer.name!r} ({type(layer).__name__})"
    if spec.dtype is not None and tensor.dtype.name != spec.dtype:
        raise DTypeError(f"{who} takes {spec.dtype}, not {tensor.dtype.name}: cast the input")
    _check_rank(who, spec, tensor)
    rank, shape = tensor.shape.rank, tensor.shape
    if rank is None:
        return
    wanted = dict(enumerate(spec.shape or ())) | spec.axes
    for axis, size in wanted.items():
        found = shape[axis] if -rank <= axis < rank else None
        if size is not None and found is not None and found != size:
            where = "the last axis" if axis == -1 else f"axis {axis}"
            raise ShapeError(f"{who} takes {where} of size {size} and is given shape {shape}")


def _check_rank(who: str, spec: InputSpec, tensor: Tensor) -> None:
    """Check the number of axes; that of a tensor of unknown rank when the graph runs."""
    rank, exact, least, most = tensor.shape.rank, spec.ndim, spec.min_ndim, spec.max_ndim
    if exact is not None and rank != exact:
        takes = f"{who} takes inputs of {exact} axes"
        _refuse_rank(tensor, exact, takes, assert_rank)
    if least is not None and (rank is None or rank < least):
        takes = f"{who} takes inputs of {least} axes or more"
        _refuse_rank(tensor, least, takes, assert_rank_at_least)
    if most is not None and (rank is None or rank > most):
        takes = f"{who} takes inputs of at most {most} axes"
        _refuse_rank(tensor, range(most + 1), takes, assert_rank_in)


# By the number of axes that are missing.
_MISSING = {
    1: ", of which the first is the batch: batch the data, as by x[None] or dataset.batch(32)",
    2: ", and the first is the batch, the last the channels: write x[None, ..., None]",
}


def _refuse_rank(tensor: Tensor, wanted: Any, takes: str, assertion: Callable[..., None]) -> None:
    if tensor.shape.rank is not None:
        missing = wanted - tensor.shape.rank if isinstance(wanted, int) else 0
        raise ShapeError(f"{takes} and is given shape {tensor.shape}{_MISSING.get(missing, '')}")
    assertion(tensor, wanted, takes)
