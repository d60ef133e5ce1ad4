"""The dtype of a variable that has different dtypes on two paths.

A Python number adopts the dtype of the tensor, as a literal does. Two tensors of different dtypes
are joined by the policy in force:

    "promote"   the dtype that NumPy's `result_type` gives:

                bool     with any number     that number's dtype
                int      with a wider int    the wider; int with uint: the next int that holds both
                int      with a float        a float of more bits: float64 for int32 and int64,
                                             although it rounds large numbers of int64
                float    with complex        complex of that precision
                string   with a number       refused; so is uint64 with a signed int

    "strict"    refused: the error names the cast to write
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Literal

import numpy as np

import runtime as rt

DtypeJoin = Literal["promote", "strict"]
POLICIES: tuple[DtypeJoin, ...] = ("promote", "strict")

_POLICY: ContextVar[DtypeJoin] = ContextVar("dtype_join", default="promote")

# Of two weak numbers, the one of the higher kind decides.
_KINDS = {"bool": 0, "int": 1, "float": 2, "complex": 3}


class dtype_join:
    """Set the policy of dtype joins for the duration of a block.

    A class, since a generator-based context manager assigns the traceback of an exception that
    passes through, which some exceptions refuse.
    """

    def __init__(self, policy: DtypeJoin) -> None:
        self._policy = policy

    def __enter__(self) -> None:
        self._token = _POLICY.set(self._policy)

    def __exit__(self, *error: object) -> None:
        _POLICY.reset(self._token)


def joined_dtype(a: rt.DType, a_weak: bool, b: rt.DType, b_weak: bool) -> rt.DType | None:
    """Return the joined dtype of `a` and `b`; None if there is none.

    Args:
        a, b: the dtypes.
        a_weak, b_weak: whether the value stands for a Python number, which adapts.

    >>> joined_dtype(rt.int32, True, rt.float32, False)
    rt.float32
    >>> joined_dtype(rt.int32, False, rt.float32, False)
    rt.float64
    """
    if a == b:
        return a
    first, second = _kind(a), _kind(b)
    if first is None or second is None:
        return None
    if a_weak and b_weak:
        return rt.as_dtype(max((first, a.size, a.name), (second, b.size, b.name))[2])
    if a_weak or b_weak:
        strong, strong_kind, weak_kind = (b, second, first) if a_weak else (a, first, second)
        if weak_kind <= strong_kind:
            return strong
    return promoted(a, b) if _POLICY.get() == "promote" else None


def promoted(a: rt.DType, b: rt.DType) -> rt.DType | None:
    """Return the dtype that NumPy's `result_type` gives for both; None if the join is refused.

    >>> promoted(rt.int64, rt.uint64) is None
    True
    """
    if _kind(a) is None or _kind(b) is None:
        return None
    if {a, b} & {rt.uint64} and any(d.is_integer and d.name.startswith("i") for d in (a, b)):
        return None
    return rt.as_dtype(np.result_type(a.as_numpy_dtype, b.as_numpy_dtype))


def _kind(dtype: rt.DType) -> int | None:
    if dtype == rt.bool:
        return _KINDS["bool"]
    if dtype.is_integer:
        return _KINDS["int"]
    if dtype.is_floating:
        return _KINDS["float"]
    return _KINDS["complex"] if dtype.is_complex else None
