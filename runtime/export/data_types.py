"""Dtypes under the names and numbers of TensorFlow's files."""

from __future__ import annotations

from types import MappingProxyType

from runtime.dtypes import DType

# What the files number and this project has, and what stands for variables.
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

RESOURCE = "resource"
"""What stands for a variable; no dtype of ours."""


def number_of(dtype: DType | str) -> int:
    """Return the number of a dtype, or of one by its name.

    >>> from runtime.dtypes import float32
    >>> number_of(float32), number_of("resource")
    (1, 20)
    """
    name = dtype.as_datatype_enum if isinstance(dtype, DType) else f"DT_{dtype.upper()}"
    return NUMBERS[name]
