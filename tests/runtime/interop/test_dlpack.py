"""DLPack: exchange of values with other libraries; tensors never change."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import DTypeError, SymbolicTensorError


def test_numpy_gets_a_read_only_tensor() -> None:
    x = rt.constant([[1.0, 2.0]])
    taken = np.from_dlpack(x)
    assert [[1.0, 2.0]] == taken.tolist() and (1, 0) == x.__dlpack_device__()
    with pytest.raises(ValueError, match="read-only"):
        taken[0, 0] = 9.0
    copied = np.from_dlpack(x, copy=True)
    copied[0, 0] = 9.0
    assert [[1.0, 2.0]] == x.numpy().tolist()


def test_a_consumer_without_read_only_flags_gets_a_copy() -> None:
    class Old:
        def __dlpack__(self, stream: object = None) -> object:
            return tensor.__dlpack__()

        def __dlpack_device__(self) -> tuple[int, int]:
            return tensor.__dlpack_device__()

    tensor = rt.constant([1, 2])
    taken = np.from_dlpack(Old())  # type: ignore[arg-type]
    assert [1, 2] == taken.tolist() and not np.shares_memory(taken, tensor._array)
    with pytest.raises(DTypeError, match="never changes"):
        tensor.__dlpack__(copy=False)


def test_from_dlpack_copies_writable_arrays() -> None:
    array = np.arange(3)
    x = rt.from_dlpack(array)
    array[0] = 7
    assert [0, 1, 2] == x.numpy().tolist() and x.dtype is rt.int64
    assert rt.from_dlpack(x) is x


def test_unsupported_values_are_refused() -> None:
    with pytest.raises(DTypeError, match="string tensors"):
        np.from_dlpack(rt.constant("a"))
    for value in (3, "text", [1.0]):
        with pytest.raises(DTypeError, match="cannot be taken over"):
            rt.from_dlpack(value)
    with pytest.raises(DTypeError, match="must be copied"):
        rt.from_dlpack(np.zeros(1), copy=False)
    with pytest.raises(SymbolicTensorError, match="DLPack hands values over"):
        ag.function(lambda x: rt.constant(x.__dlpack__()))(rt.constant(1.0))


def test_a_capsule_is_imported() -> None:
    x = rt.constant([1.0, 2.0])
    assert [1.0, 2.0] == rt.from_dlpack(x.__dlpack__()).numpy().tolist()
    assert [1.0, 2.0] == rt.from_dlpack(rt.interop.dlpack.to_dlpack(x)).numpy().tolist()
