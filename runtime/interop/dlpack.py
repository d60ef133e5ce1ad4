"""DLPack: exports tensors to other libraries, and imports their arrays.

A tensor never changes. So imported arrays are copied; exported tensors are marked read-only where
the other library supports that, and copied where it does not.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import as_dtype
from runtime.core.tensor import Array, EagerTensor, Tensor
from runtime.errors import DTypeError, SymbolicTensorError
from runtime.ops.convert import constant_tensor, to_tensor

_CPU = (1, 0)
# The first DLPack version with a read-only flag.
_READ_ONLY_FROM = (1, 0)


class _CapsuleArray:
    """A CPU array that exists only as a capsule."""

    def __init__(self, capsule: Any) -> None:
        self._capsule = capsule

    def __dlpack__(self, **options: Any) -> Any:
        return self._capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return _CPU


def from_dlpack(x: Any, /, *, device: object = None, copy: bool | None = None) -> Tensor:
    """Return a tensor with the values of an array of another library.

    Args:
        x: has `__dlpack__` and `__dlpack_device__`; or a capsule from `__dlpack__`.
        device: only the one device is valid.
        copy: False is rejected, since a tensor never changes and an array may.

    Raises:
        DTypeError: `x` is no such array, or tensors do not have its dtype.

    >>> from_dlpack(np.arange(3, dtype=np.int32))
    <rt.Tensor: shape=(3,), dtype=int32, numpy=array([0, 1, 2], dtype=int32)>
    """
    if copy is False:
        raise DTypeError(
            "from_dlpack: a tensor never changes, so the array must be copied: leave copy=False out"
        )
    if isinstance(x, Tensor):
        return to_tensor(x)
    if type(x).__name__ == "PyCapsule":
        x = _CapsuleArray(x)
    try:
        array = np.array(np.from_dlpack(x))
        as_dtype(array.dtype)
    except (AttributeError, TypeError, ValueError, BufferError, RuntimeError) as error:
        raise DTypeError(f"from_dlpack: {type(x).__name__} cannot be taken over: {error}") from None
    return constant_tensor(array)


def to_dlpack(
    self: EagerTensor,
    *,
    stream: Any = None,
    max_version: tuple[int, int] | None = None,
    dl_device: Any = None,
    copy: bool | None = None,
) -> Any:
    """Return the DLPack capsule of a tensor, its `__dlpack__`.

    Raises:
        DTypeError: other libraries have no such dtype, or a copy is needed but not allowed.

    >>> import numpy as np, runtime as rt
    >>> np.from_dlpack(rt.constant([1, 2])).tolist()  # calls it
    [1, 2]
    """
    array = self._array
    if array.dtype.kind in "OV":
        raise DTypeError(
            f"{self.dtype.name} tensors cannot be handed over by DLPack: cast them first"
        )
    has_flag = max_version is not None and tuple(max_version) >= _READ_ONLY_FROM
    if copy is False and not has_flag:
        raise DTypeError(
            "__dlpack__: a tensor never changes, which needs max_version=(1, 0) or a copy: leave "
            "copy=False out"
        )
    exported: Array = array.copy() if copy or not has_flag else array.view()
    options = {"max_version": max_version} if has_flag else {}
    if has_flag and not copy:
        exported.flags.writeable = False
    return exported.__dlpack__(stream=stream, **options)  # type: ignore[arg-type]


def refuse(self: Any, *args: Any, **options: Any) -> Any:
    """Raise SymbolicTensorError with the reason; this is `__dlpack__` while tracing."""
    raise SymbolicTensorError(
        f"{self} has no value while tracing, and DLPack hands values over: return it from the "
        "Function, and hand over the result"
    )
