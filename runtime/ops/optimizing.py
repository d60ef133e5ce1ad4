"""Ops that change a variable, and what an optimizer keeps for it, by a gradient in one go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.context import current_recorder
from runtime.errors import DTypeError, ShapeError
from runtime.ops.op import Op, define, run_kernel
from runtime.ops.state import Stored, one_by_one
from runtime.spec import TensorSpec
from runtime.tensor import Array


def change(op: Op, variables: Sequence[Any], inputs: Sequence[Any], **attrs: Any) -> None:
    """Apply an op to variables, which come first, and tensors."""
    recorder = current_recorder()
    if recorder is not None:
        recorder.record(op, (*variables, *inputs), attrs)
        return
    specs = [*(each.handle_spec for each in variables), *(each.spec for each in inputs)]
    op.infer(*specs, **attrs)
    run_kernel(op, [*variables, *(each._array for each in inputs)], attrs)


def _adam_infer(
    variable: TensorSpec,
    mean: TensorSpec,
    squares: TensorSpec,
    gradient: TensorSpec,
    rate: TensorSpec,
    *,
    beta_1: float,
    beta_2: float,
    epsilon: float,
) -> tuple[()]:
    for each in (mean, squares, gradient, rate):
        if each.dtype is not variable.dtype:
            raise DTypeError(
                f"{each.dtype.name} does not go with a variable of {variable.dtype.name}: write "
                f"rt.cast(x, rt.{variable.dtype.name})"
            )
    for each in (mean, squares, gradient):
        if not each.shape.is_compatible_with(variable.shape):
            raise ShapeError(f"shape {each.shape} does not fit a variable of {variable.shape}")
    if rate.shape.rank not in (None, 0):
        raise ShapeError(f"the rate is one number, not of shape {rate.shape}")
    return ()


@one_by_one
def _adam(
    variable: Stored,
    mean: Stored,
    squares: Stored,
    gradient: Array,
    rate: Array,
    *,
    beta_1: float,
    beta_2: float,
    epsilon: float,
) -> tuple[()]:
    old = variable._array
    if gradient.shape != old.shape:
        raise ShapeError(f"shape {gradient.shape} does not fit a variable of shape {old.shape}")
    number = old.dtype.type
    # In an order that needs few arrays; those that were there may be read by somebody.
    part = np.asarray(gradient - mean._array)
    part *= number(1 - beta_1)
    part += mean._array
    mean.store(part)
    share = np.square(gradient, out=np.empty_like(part))
    share -= squares._array
    share *= number(1 - beta_2)
    kept = np.asarray(share + squares._array)
    squares.store(kept)
    np.sqrt(kept, out=share)
    share += number(epsilon)
    step = np.asarray(part * rate)
    step /= share
    variable.store(np.subtract(old, step, out=step))
    return ()


ADAM_VARIABLE = define("adam_variable", _adam, _adam_infer, kinds="f", effects="write", n_outputs=0)
"""One step of Adam: `optimizers.Adam` says what of. `rate` makes up for means that began with 0."""
