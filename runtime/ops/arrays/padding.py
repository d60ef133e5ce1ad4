"""`pad`: elements added around a tensor, a constant or mirrored elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.dtypes import bool_
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError, ShapeError
from runtime.ops import infer
from runtime.ops.arguments import static_value
from runtime.ops.convert import to_tensor
from runtime.ops.grad import manipulation as backward
from runtime.ops.grad.manipulation import Mode, Widths
from runtime.ops.op import apply, define

_np_pad: Any = np.pad  # NumPy's overloads accept the modes only as literals.


def _pad_kernel(x: Array, *inputs: Array, paddings: Widths, mode: Mode) -> Array:
    value, *dynamic = inputs
    widths: Any = dynamic[0].tolist() if dynamic else paddings
    _check_widths(widths)
    _check_mirrored(x.shape, widths, mode)
    return _framed(x, widths, value) if mode == "constant" else _np_pad(x, widths, mode)


def _framed(x: Array, widths: Sequence[tuple[int, int]], value: Array) -> Array:
    """Copy `x` into the middle of a constant array: `np.pad`, at a tenth of its cost."""
    ends = [(before, before + size) for (before, _), size in zip(widths, x.shape, strict=True)]
    shape = [end + after for (_, end), (_, after) in zip(ends, widths)]
    framed = np.empty(shape, x.dtype)
    framed[...] = value
    framed[tuple([slice(*each) for each in ends])] = x
    return framed


def _pad_infer(x: TensorSpec, *inputs: TensorSpec, paddings: Widths, mode: Mode) -> TensorSpec:
    value, *dynamic = inputs
    infer.check_same_dtype(x, value)
    infer.check_scalar(value, "the value that is padded with")
    if dynamic:
        _check_paddings(x.shape, dynamic[0])
    if paddings is None:
        return TensorSpec(infer.rank_only(x.shape.rank), x.dtype)
    _check_widths(paddings)
    if x.shape.dims is None:
        return TensorSpec(infer.rank_only(len(paddings)), x.dtype)
    if len(paddings) != len(x.shape):
        raise ShapeError(f"{len(paddings)} rows of paddings do not fit shape {x.shape}")
    _check_mirrored(x.shape.dims, paddings, mode)
    pairs = zip(x.shape.dims, paddings, strict=True)
    padded = (None if dim is None else dim + sum(widths) for dim, widths in pairs)
    return TensorSpec(tuple(padded), x.dtype)


def _check_paddings(shape: TensorShape, paddings: TensorSpec) -> None:
    infer.check_integer(paddings, "paddings")
    if not paddings.shape.is_compatible_with((shape.rank, 2)):
        raise ShapeError(
            f"paddings must be [before, after] for each axis of shape {shape}, so {shape.rank} "
            "pairs "
            f"in a list, and not of shape {paddings.shape}"
        )


def _check_widths(paddings: Any) -> None:
    for widths in paddings:
        if len(widths) != 2 or min(widths) < 0:
            raise ShapeError(f"paddings must be pairs of sizes of at least 0, not {list(widths)}")


def _check_mirrored(dims: Sequence[int | None], paddings: Any, mode: str) -> None:
    """Raise an error for more mirrored elements than there are; NumPy would mirror repeatedly."""
    if mode == "constant":
        return
    for axis, (dim, widths) in enumerate(zip(dims, paddings)):
        most = dim if dim is None or mode == "symmetric" else dim - 1
        if most is not None and max(widths) > max(most, 0):
            raise ShapeError(
                f"axis {axis} of size {dim} can be padded by at most {max(most, 0)} on each side "
                f"in mode {mode.upper()}, not by {max(widths)}"
            )


PAD = define(
    "pad",
    _pad_kernel,
    _pad_infer,
    grad=backward.pad,
    tensorflow_name="PadV2",
)


def pad(
    tensor: TensorLike,
    paddings: TensorLike,
    mode: str = "CONSTANT",
    constant_values: TensorLike = 0,
    name: str | None = None,
) -> Tensor:
    """Return the tensor with `paddings[i] = [before, after]` elements added along axis i.

    Args:
        mode: CONSTANT, REFLECT (without the edge) or SYMMETRIC (with it).

    Raises:
        ArgumentValueError: there is no such mode.

    >>> print(pad([1, 2], [[1, 2]]))
    rt.Tensor([0 1 2 0 0], shape=(5,), dtype=int32)
    """
    if not isinstance(mode, str) or mode.lower() not in ("constant", "reflect", "symmetric"):
        raise ArgumentValueError(f"mode must be CONSTANT, REFLECT or SYMMETRIC, not {mode!r}")
    x, widths = to_tensor(tensor), to_tensor(paddings)
    _check_paddings(x.shape, widths.spec)
    known = static_value(widths)
    static = None if known is None else tuple(map(tuple, known.tolist()))
    filler = constant_values
    if isinstance(filler, (int, float)) and filler == 0:
        filler = b"" if x.dtype.is_string else False if x.dtype is bool_ else filler
    inputs = (x, to_tensor(filler, x.dtype), *(() if static is not None else (widths,)))
    result: Tensor = apply(PAD, inputs, paddings=static, mode=mode.lower())
    return result
