"""Element types: a fixed set of singletons, and the dtypes of Python literals."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from runtime.core.lazy_imports import lazy_import, own_names
from runtime.errors import DTypeError, DTypeValueError, with_article

_close_to = lazy_import("difflib:get_close_matches")

# NumPy's kind letters from narrow to wide; strings ("O") and variants ("V") have no rank.
KIND_RANK = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}


class DType:
    """One element type.

    Attributes:
        name: the TensorFlow name, such as `float32`.
        kind: the NumPy kind letter; `O` for strings, which are stored as Python bytes, `V` for
            variants, records of one Python object.
        np_dtype: the `np.dtype` of the arrays that store it.

    Example:
        >>> import autograph.runtime as rt
        >>> rt.float32.name, rt.float32.kind, rt.float32.np_dtype
        ('float32', 'f', dtype('float32'))
    """

    __slots__ = ("__weakref__", "kind", "name", "np_dtype")

    name: str
    kind: str
    np_dtype: np.dtype[Any]

    def __init__(self, name: str, np_dtype: np.dtype[Any]) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "kind", np_dtype.kind)
        object.__setattr__(self, "np_dtype", np_dtype)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"dtype {self.name} is frozen")

    @property
    def as_numpy_dtype(self) -> type:
        """The NumPy scalar type, `object` for strings and variants."""
        return builtins.object if self.kind in "OV" else self.np_dtype.type

    @property
    def dtype(self) -> np.dtype[Any]:
        """The `np.dtype`, under the name by which NumPy and JAX take an object as a dtype.

        >>> import autograph.runtime as rt
        >>> np.zeros(2, rt.int8).dtype
        dtype('int8')
        """
        return self.np_dtype

    @property
    def base_dtype(self) -> DType:
        """The dtype itself: there are no reference dtypes."""
        return self

    @property
    def as_datatype_enum(self) -> str:
        """The name a GraphDef uses, such as `DT_FLOAT`."""
        return _ENUM_NAMES.get(self.name, f"DT_{self.name.upper()}")

    @property
    def is_bool(self) -> builtins.bool:
        """True if this is `bool`."""
        return self.kind == "b"

    @property
    def is_integer(self) -> builtins.bool:
        """True if values are integers, signed or not."""
        return self.kind in "iu"

    @property
    def is_unsigned(self) -> builtins.bool:
        """True if values are unsigned integers."""
        return self.kind == "u"

    @property
    def is_floating(self) -> builtins.bool:
        """True if values are real floating-point numbers."""
        return self.kind == "f"

    @property
    def is_complex(self) -> builtins.bool:
        """True if values are complex numbers."""
        return self.kind == "c"

    @property
    def is_string(self) -> builtins.bool:
        """True if values are strings."""
        return self.kind == "O"

    @property
    def is_variant(self) -> builtins.bool:
        """True if this is `variant`, the dtype of lists of tensors."""
        return self.kind == "V"

    @property
    def is_numeric(self) -> builtins.bool:
        """True if values are numbers: integers, floats or complex numbers, but not bools."""
        return self.kind in "iufc"

    @property
    def size(self) -> int:
        """The number of bytes of an element; 0 for strings, whose length varies."""
        return 0 if self.kind == "O" else self.np_dtype.itemsize

    @property
    def min(self) -> Any:
        """The smallest finite value."""
        return _limits(self)[0]

    @property
    def max(self) -> Any:
        """The largest finite value."""
        return _limits(self)[1]

    @property
    def limits(self) -> tuple[Any, Any]:
        """The smallest and the largest value in images of this dtype: (0, 1) for floats.

        For integers the smallest value counts as 0, as in TensorFlow.
        """
        low, high = _limits(self)
        return (0, 1) if self.kind == "f" else (0, high)

    @property
    def is_numpy_compatible(self) -> builtins.bool:
        """True for dtypes whose values NumPy arrays store: all but variants."""
        return self.kind != "V"

    @property
    def is_quantized(self) -> builtins.bool:
        """True for quantized dtypes, of which there are none."""
        return False

    @property
    def real_dtype(self) -> DType:
        """float32 for complex64, float64 for complex128, itself otherwise."""
        return {"complex64": float32, "complex128": float64}.get(self.name, self)

    def is_compatible_with(self, other: object) -> builtins.bool:
        """Return whether `other` is the same dtype; TypeError if it is not a dtype."""
        return self is as_dtype(other)

    def __eq__(self, other: object) -> builtins.bool:
        if self is other:
            return True
        if other is None or isinstance(other, DType):
            return False
        return _lookup(other) is self

    def __ne__(self, other: object) -> builtins.bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"rt.{self.name}"

    def __str__(self) -> str:
        return f"<dtype: {self.name!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return as_dtype, (self.name,)


DTypeLike = DType | np.dtype[Any] | type[Any] | str
"""A value that means a dtype: its name, a Python type, a NumPy dtype or scalar type."""


class BFloat16(DType):
    """bfloat16, whose NumPy dtype comes from the package ml_dtypes, imported on first use."""

    __slots__ = ()

    def __init__(self) -> None:
        object.__setattr__(self, "name", "bfloat16")
        object.__setattr__(self, "kind", "f")

    @property
    def np_dtype(self) -> np.dtype[Any]:  # type: ignore[override]
        """The NumPy dtype; DTypeError if ml_dtypes is not installed."""
        if "bfloat16" not in _BORROWED:
            try:
                import ml_dtypes
            except ImportError:
                raise DTypeError(
                    "bfloat16 needs the package ml_dtypes: pip install 'autograph-py[bfloat16]'"
                ) from None
            found = _BORROWED["bfloat16"] = np.dtype(ml_dtypes.bfloat16)
            _BY_NUMBER[found.num] = self
        return _BORROWED["bfloat16"]


_BORROWED: dict[str, np.dtype[Any]] = {}

bool_ = DType("bool", np.dtype(np.bool_))
int8 = DType("int8", np.dtype(np.int8))
int16 = DType("int16", np.dtype(np.int16))
int32 = DType("int32", np.dtype(np.int32))
int64 = DType("int64", np.dtype(np.int64))
uint8 = DType("uint8", np.dtype(np.uint8))
uint16 = DType("uint16", np.dtype(np.uint16))
uint32 = DType("uint32", np.dtype(np.uint32))
uint64 = DType("uint64", np.dtype(np.uint64))
float16 = DType("float16", np.dtype(np.float16))
float32 = DType("float32", np.dtype(np.float32))
float64 = DType("float64", np.dtype(np.float64))
bfloat16 = BFloat16()
complex64 = DType("complex64", np.dtype(np.complex64))
complex128 = DType("complex128", np.dtype(np.complex128))
string = DType("string", np.dtype(np.object_))
# Scalars that each hold one object of the runtime, such as a list of tensors.
variant = DType("variant", np.dtype([("held", np.object_)]))

ALL = (
    *(bool_, int8, int16, int32, int64, uint8, uint16, uint32, uint64),
    *(float16, float32, float64, complex64, complex128, string),
)

BY_NAME = {dtype.name: dtype for dtype in (*ALL, bfloat16, variant)} | {
    "half": float16,
    "float": float32,
    "double": float64,
}

_ENUM_NAMES = {"float16": "DT_HALF", "float32": "DT_FLOAT", "float64": "DT_DOUBLE"}

_BY_PYTHON_TYPE: dict[type, DType] = {
    builtins.bool: bool_,
    int: int32,
    float: float32,
    complex: complex128,
    str: string,
    bytes: string,
    builtins.object: string,
}

# By NumPy's type number, the fastest key. Two C types may have the same width.
_BY_NUMBER = {dtype.np_dtype.num: dtype for dtype in (*ALL, variant)}
for _alias in (np.longlong, np.ulonglong, np.long, np.ulong, np.intc, np.uintc):
    _BY_NUMBER.setdefault(np.dtype(_alias).num, BY_NAME[np.dtype(_alias).name])


def is_variant_array(array: Any) -> builtins.bool:
    """Return whether an array or NumPy scalar holds objects of the runtime.

    >>> is_variant_array(np.zeros((), variant.np_dtype)), is_variant_array(np.zeros(()))
    (True, False)
    """
    return array.dtype.kind == "V" and array.dtype.names is not None


def dtype_of_array(array: np.ndarray[Any, Any]) -> DType:
    """Return the dtype of an array of the runtime (unchecked and fast).

    >>> dtype_of_array(np.zeros(2, np.int64))
    rt.int64
    """
    return _BY_NUMBER[array.dtype.num]


def as_dtype(type_value: object) -> DType:
    """Return the dtype meant by a name, Python type, NumPy dtype or scalar type, or DType.

    Raises:
        DTypeError: the value means no dtype; the message suggests the nearest one.

    >>> as_dtype("float32"), as_dtype(int), as_dtype(np.uint8)
    (rt.float32, rt.int32, rt.uint8)
    """
    if isinstance(type_value, DType):
        return type_value
    found = _lookup(type_value)
    if found is None:
        raise DTypeError(f"{_shown(type_value)} is not a dtype{_nearest(type_value)}")
    return found


def literal_dtype(value: object) -> DType:
    """Return the dtype of a Python literal that no operand gives another dtype.

    Raises:
        DTypeValueError: an int does not fit int64.
        DTypeError: the value is no Python literal.

    >>> literal_dtype(1), literal_dtype(2**40), literal_dtype(0.5)
    (rt.int32, rt.int64, rt.float32)
    """
    for python_type, dtype in _LITERALS:
        if isinstance(value, python_type):
            return _int_dtype(value) if dtype is int32 else dtype  # type: ignore[arg-type]
    raise DTypeError(f"{with_article(type(value).__name__)} is not a Python literal of any dtype")


_LITERALS = (
    *((builtins.bool, bool_), (int, int32), (float, float32)),
    *((complex, complex128), (str, string), (bytes, string)),
)


def _int_dtype(value: int) -> DType:
    if -(2**31) <= value < 2**31:
        return int32
    if -(2**63) <= value < 2**63:
        return int64
    bits = value.bit_length()
    which = f"of {bits} bits" if bits > 200 else value
    raise DTypeValueError(
        f"the int {which} does not fit any integer dtype: int64 ends at {2**63 - 1}; write "
        "float(n) for a float"
    )


def _lookup(value: object) -> DType | None:
    if value is None:
        return None  # which NumPy takes for float64
    if isinstance(value, str):
        return BY_NAME.get(value)
    if isinstance(value, type) and value in _BY_PYTHON_TYPE:
        return _BY_PYTHON_TYPE[value]
    held = None if isinstance(value, type) else getattr(value, "dtype", None)
    if held is not None and not isinstance(held, np.dtype):
        return None  # a tensor, for which NumPy 2.2 warns
    try:
        np_dtype = np.dtype(value)  # type: ignore[call-overload]
    except (TypeError, ValueError):
        return None
    if np_dtype.kind in "SU":
        return string
    if np_dtype.kind == "V" and np_dtype.name == "bfloat16":
        return bfloat16 if np_dtype == bfloat16.np_dtype else None
    if np_dtype.kind == "V":
        return variant if np_dtype == variant.np_dtype else None
    return _BY_NUMBER.get(np_dtype.num)


# The most characters of a value that a message shows.
_LONGEST = 60


def _shown(value: object) -> str:
    try:
        text = value.__name__ if isinstance(value, type) else repr(value)
        return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
    except RecursionError:
        return f"a {type(value).__name__} that nests thousands of levels deep"


# Names of PyTorch and of C.
_OTHER_NAMES = {"int": "int32", "long": "int64"}


def _nearest(value: object) -> str:
    name = _OTHER_NAMES.get(value) if isinstance(value, str) else None
    written = _shown(value).strip("'").lower()
    names = [name] if name else _close_to(written, BY_NAME, n=1, cutoff=0.5)
    known = ", ".join(dtype.name for dtype in ALL)
    return f"; did you mean {names[0]}?" if names else f"; known are {known}"


def _limits(dtype: DType) -> tuple[Any, Any]:
    if dtype.kind == "b":
        return False, True
    if dtype.kind in "iu":
        integers = np.iinfo(dtype.np_dtype)
        return integers.min, integers.max
    if dtype is bfloat16:
        # Its largest number has 8 bits of ones: (2 - 2 ** -7) * 2 ** 127.
        largest = np.float32((2 - 2.0**-7) * 2.0**127).astype(dtype.np_dtype)
        return -largest, largest
    if dtype.kind == "f":
        floats = np.finfo(dtype.np_dtype)
        return floats.min, floats.max
    raise DTypeError(f"{dtype.name} has no smallest and largest value")


bool = bool_


__dir__ = own_names(__name__)
