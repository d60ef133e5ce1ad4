"""Sets, as the rows of tensors: the namespace `rt.sets`."""

from runtime.ops.arrays.set_operations import difference as difference
from runtime.ops.arrays.set_operations import intersection as intersection
from runtime.ops.arrays.set_operations import size as size
from runtime.ops.arrays.set_operations import union as union
