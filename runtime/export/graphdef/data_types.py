"""Dtypes with their names and numbers in TensorFlow's files."""

from __future__ import annotations

from enum import Enum
from types import MappingProxyType

from runtime.core.dtypes import ALL, DType, bfloat16, variant
from runtime.errors import UnimplementedError

# TensorFlow's numbers of the dtypes, and of the type of variable handles.
NUMBERS = MappingProxyType(
    {
        "DT_FLOAT": 1,
        "DT_DOUBLE": 2,
        "DT_INT32": 3,
        "DT_UINT8": 4,
        "DT_INT16": 5,
        "DT_INT8": 6,
        "DT_STRING": 7,
        "DT_COMPLEX64": 8,
        "DT_INT64": 9,
        "DT_BOOL": 10,
        "DT_BFLOAT16": 14,
        "DT_UINT16": 17,
        "DT_COMPLEX128": 18,
        "DT_HALF": 19,
        "DT_RESOURCE": 20,
        "DT_VARIANT": 21,
        "DT_UINT32": 22,
        "DT_UINT64": 23,
    }
)
NAMES = MappingProxyType({number: name for name, number in NUMBERS.items()})


class ResourceType(Enum):
    """The type of a placeholder for a variable handle; it is no dtype here."""

    HANDLE = "DT_RESOURCE"

    @property
    def as_datatype_enum(self) -> str:
        """Its name in the files."""
        return self.value


RESOURCE = ResourceType.HANDLE


def number_of(dtype: DType | ResourceType) -> int:
    """Return the number of a dtype.

    >>> from runtime.core.dtypes import float32
    >>> number_of(float32), number_of(RESOURCE)
    (1, 20)
    """
    return NUMBERS[dtype.as_datatype_enum]


_DTYPES = {number_of(dtype): dtype for dtype in (*ALL, bfloat16, variant)}


def dtype_of_number(number: int) -> DType:
    """Return the dtype of a number.

    Raises:
        UnimplementedError: there is no such dtype here.

    >>> dtype_of_number(1).name
    'float32'
    """
    dtype = _DTYPES.get(number)
    if dtype is None:
        raise UnimplementedError(f"the dtype with the number {number} does not exist here")
    return dtype
