"""The types of Python values that are state of a graph: calls read and write them as tensors."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable
from datetime import date, time, timedelta
from enum import Enum
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

import numpy as np

from autograph.backends.graph.arrays.staged_array import KINDS
from autograph.backends.graph.objects.object_contents import users_classes
from autograph.backends.graph.values.object_values import record_of
from autograph.functions.state.places import ABSENT
from autograph.operators.user_classes import is_a
from runtime import nest
from runtime.core.device_tensor import DeviceTensor, is_device_array
from runtime.core.dtypes import DType
from runtime.core.lazy_imports import loaded_classes
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import EagerTensor, Tensor
from runtime.ops.literals import NATIVE

LISTS = (list, deque)
# In a longer list that no call changes, numbers are part of the trace key in place of inputs.
MOST_LIFTED = 256
# Types that are state, too, where their object also contains a tensor, or where code reads them.
NUMBERS_AND_TEXTS = (bool, int, float, str, type(None), type(ABSENT))
# Types of immutable values, and of values that are keyed by identity.
_CONSTANTS = (
    *(int, float, complex, str, bytes, np.generic, np.dtype, range, slice, Enum),
    *(date, time, timedelta, re.Pattern, DType, TensorShape, TensorSpec),
    *(FunctionType, BuiltinFunctionType, type, type(...), type(NotImplemented)),
)
_LAZY_CONSTANTS = ("decimal:Decimal", "fractions:Fraction", "pathlib:PurePath", "uuid:UUID")
_CONTAINERS = (tuple, frozenset, list, dict, set, deque)
# A container with more items counts as a constant table that the program makes once.
_MOST = 1000


def _is_constant(value: object) -> bool:
    return isinstance(value, (*_CONSTANTS, *loaded_classes(*_LAZY_CONSTANTS)))


def is_numeric(value: np.ndarray | np.generic) -> bool:
    """Return whether a NumPy array or scalar contains numbers of a dtype that graphs have.

    >>> is_numeric(np.zeros(2)), is_numeric(np.array("text"))
    (True, False)
    """
    return value.dtype in NATIVE and value.dtype.kind in KINDS


def is_value(value: object) -> bool:
    """Return whether a value is a number, a text, None or a tensor that has a value."""
    return type(value) in (*NUMBERS_AND_TEXTS, EagerTensor, DeviceTensor)


def is_distinguishable(value: Any) -> bool:
    """Return whether a key of state can tell a value from others: by contents, or by identity.

    Containers with tensors, with arrays or with very many items cannot be told apart.

    >>> is_distinguishable((1, "a")), is_distinguishable([len]), is_distinguishable([np.zeros(1)])
    (True, True, False)
    """
    if not is_a(value, _CONTAINERS):
        return is_value(value) or not nest.is_nested(value)
    waiting, count = [value], 0
    while waiting and count <= MOST_LIFTED:
        each = waiting.pop()
        if is_a(each, _CONTAINERS):
            waiting += dict.values(each) if is_a(each, (dict,)) else each
        elif nest.is_nested(each) or isinstance(each, (Tensor, np.ndarray)):
            return False
        elif is_device_array(each):
            return False
        count += 1
    return not waiting


def is_of_python(value: object, is_known: Callable[[object], bool]) -> bool:
    """Return whether a value is a Python value: a number, a text, or a container of such.

    Args:
        value: any value.
        is_known: returns whether an object is from before the trace; such objects and containers
            may be in the value, too.
    """
    if type(value) in NUMBERS_AND_TEXTS or _is_constant(value):
        return True
    # A tensor is no Python value, but a container of Python values may hold one.
    waiting, seen = [value], dict[int, Any]()
    while waiting:
        each = waiting.pop()
        if (is_value(each) and each is not value) or _is_constant(each):
            continue
        if (type(each) is np.ndarray and is_numeric(each)) or is_device_array(each):
            continue
        if is_known(each):
            if not users_classes(each) and not is_a(each, _CONTAINERS):
                return False
            continue
        parts = _parts(each)
        if parts is None or len(seen) > _MOST:
            return False
        if id(each) not in seen:
            seen[id(each)] = each
            waiting.extend(parts)
    return len(seen) <= _MOST


def _parts(value: Any) -> Iterable[object] | None:
    """Return the contents of a container, or of an object of a plain class; None for others."""
    if isinstance(value, MethodType):
        return (value.__self__,)
    if (record := record_of(value)) is not None:
        return record.values
    if type(value) not in _CONTAINERS:
        return nest.children(value)
    if len(value) > _MOST:
        return None
    return value.values() if isinstance(value, dict) else value
