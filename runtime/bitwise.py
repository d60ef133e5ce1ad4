"""Bits of integers: the namespace `rt.bitwise`."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from runtime.core.lazy_imports import missing_names as _missing_names
from runtime.ops.elementwise.logic import bitwise_and as bitwise_and
from runtime.ops.elementwise.logic import bitwise_or as bitwise_or
from runtime.ops.elementwise.logic import bitwise_xor as bitwise_xor
from runtime.ops.elementwise.logic import invert as invert
from runtime.ops.elementwise.logic import left_shift as left_shift
from runtime.ops.elementwise.logic import right_shift as right_shift

if not _TYPE_CHECKING:
    __getattr__ = _missing_names(__name__)

del _TYPE_CHECKING, _missing_names
