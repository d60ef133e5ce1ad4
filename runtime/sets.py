"""Sets, as the rows of tensors: the namespace `rt.sets`."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from runtime.core.lazy_imports import missing_names as _missing_names
from runtime.ops.arrays.set_operations import difference as difference
from runtime.ops.arrays.set_operations import intersection as intersection
from runtime.ops.arrays.set_operations import size as size
from runtime.ops.arrays.set_operations import union as union

if not _TYPE_CHECKING:
    __getattr__ = _missing_names(__name__)

del _TYPE_CHECKING, _missing_names
