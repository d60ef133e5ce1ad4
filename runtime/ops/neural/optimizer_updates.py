"""A step of Adam as one op, which updates a variable and its slots by a gradient."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from sys import getrefcount
from types import SimpleNamespace
from typing import Any

import numpy as np

from runtime.core.context import current_recorder
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.errors import DTypeError, ShapeError
from runtime.ops.effects.variables import VariableStorage, locked
from runtime.ops.op import Op, define, run_kernel

# The number of elements processed at a time, which stay in the cache through all steps.
_AT_A_TIME = 32768
# The size from which on a check for other references is cheaper than a new array.
_SMALL = 4096


def change(op: Op, variables: Sequence[Any], inputs: Sequence[Any], **attrs: Any) -> None:
    """Apply an op to variables and tensors."""
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
        raise ShapeError(f"the rate must be one number, not of shape {rate.shape}")
    return ()


@locked
def _adam(
    variable: VariableStorage,
    mean: VariableStorage,
    squares: VariableStorage,
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
    numbers = (rate, *_numbers(old.dtype, beta_1, beta_2, epsilon))
    shape, dtype = old.shape, old.dtype
    if old.size <= _SMALL:
        new = np.empty(shape, dtype), np.empty(shape, dtype), np.empty(shape, dtype)
        room = np.empty(shape, dtype)
        _step(old, mean._array, squares._array, gradient, *new, room, *numbers)
    else:
        # Other code may read the variable during the update, but not the slots.
        new = np.empty(shape, dtype), _room_in(mean), _room_in(squares)
        for parts in _parts(old, mean._array, squares._array, gradient, *new):
            _step(*parts, *numbers)
    for each, value in zip((variable, mean, squares), new):
        each.store(value)
    return ()


@lru_cache(64)
def _numbers(dtype: Any, beta_1: float, beta_2: float, epsilon: float) -> Sequence[Array]:
    """Return the factors of Adam's steps as arrays, with which NumPy is fastest."""
    return [np.array(each, dtype) for each in (1 - beta_1, 1 - beta_2, epsilon)]


def _step(
    v: Array,
    m: Array,
    s: Array,
    g: Array,
    step: Array,
    first: Array,
    second: Array,
    root: Array,
    rate: Array,
    kept: Array,
    grown: Array,
    bias: Array,
) -> None:
    """Compute new values of a variable, its mean and its squares: `step`, `first`, `second`."""
    np.subtract(g, m, root)
    np.multiply(root, kept, root)
    np.add(root, m, first)
    np.square(g, root)
    np.subtract(root, s, root)
    np.multiply(root, grown, root)
    np.add(root, s, second)
    np.sqrt(second, root)
    np.add(root, bias, root)
    np.multiply(first, rate, step)
    np.divide(step, root, step)
    np.subtract(v, step, step)


def _holders_of(stored: Any) -> int:
    array = stored._array
    return getrefcount(array)


_ALONE = _holders_of(SimpleNamespace(_array=np.empty(1)))


def _room_in(stored: VariableStorage) -> Array:
    """Return memory for a new value: the old array if nothing else refers to it."""
    is_alone = _holders_of(stored) <= _ALONE
    old = stored._array
    flags = old.flags
    if is_alone and flags.owndata and flags.writeable and flags.c_contiguous:
        return old
    return np.empty(old.shape, old.dtype)


def _parts(*arrays: Array) -> Iterator[Sequence[Array]]:
    """Yield parts of arrays of one shape that fit into the cache, each with a scratch array."""
    size = arrays[0].size
    if size <= _AT_A_TIME:
        yield *arrays, np.empty(arrays[0].shape, arrays[0].dtype)
        return
    flat = [each.reshape(-1) for each in arrays]
    room = np.empty(_AT_A_TIME, arrays[0].dtype)
    for start in range(0, size, _AT_A_TIME):
        end = min(start + _AT_A_TIME, size)
        yield *(each[start:end] for each in flat), room[: end - start]


ADAM_VARIABLE = define("adam_variable", _adam, _adam_infer, kinds="f", effects="write", n_outputs=0)
"""One step of Adam, see `optimizers.Adam`. `rate` includes the bias correction of the means."""
