"""`item in tensor`."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.context import caller_origin
from runtime.core.tensor import EagerTensor, Tensor
from runtime.errors import DTypeError, ShapeError
from runtime.ops.arrays.reduction import reduce_any
from runtime.ops.arrays.shape import rank, reshape
from runtime.ops.constant import cast, constant
from runtime.ops.convert import is_tensor_like, to_tensor
from runtime.ops.effects.checks import check
from runtime.ops.elementwise.comparison import EQUAL, equality
from runtime.ops.literals import SCALARS
from runtime.ops.python.string_methods import text_method

_ELEMENTS = (Tensor, *SCALARS, np.generic, np.ndarray, list, tuple)
_NO_ELEMENTS = "a scalar tensor has no elements that `in` could look through: write x == value"


def contains(values: Tensor, item: Any) -> Tensor:
    """Return whether an element equals `item`; for a scalar string, whether it contains `item`.

    Args:
        values: a tensor. With more than one axis it is searched element by element, as in NumPy.
        item: a scalar, as a tensor or a Python value. A value that no element can equal, such as
            None, is in no tensor.

    Returns:
        A scalar of dtype bool.

    Raises:
        DTypeError: `values` is a scalar that is not a string, or the dtypes are incompatible.
        ShapeError: `item` has more than one element.

    >>> bool(contains(constant([1, 2]), 2)), bool(contains(constant("Stockholm"), "holm"))
    (True, True)
    """
    if not (isinstance(item, _ELEMENTS) or is_tensor_like(item)):
        if values.shape.rank == 0:
            raise DTypeError(_found_no_elements(values, item), caller_origin())
        return constant(False)
    if values.shape.rank == 0:
        return _in_text(values, item)
    if values.shape.rank is None:
        check(rank(values) > 0, DTypeError, _NO_ELEMENTS)
    found: Tensor = reduce_any(_equal(values, _one_element(item)))
    return found


def is_in(values: EagerTensor, item: Any) -> bool:
    """Return `item in values` as Python's bool; see `contains`."""
    return bool(contains(values, item))


def _in_text(text: Tensor, item: Any) -> Tensor:
    """Return whether a string is part of another; DTypeError for a number."""
    is_string = is_tensor_like(item) and item.dtype.is_string
    if not text.dtype.is_string or not (is_string or isinstance(item, (str, bytes))):
        raise DTypeError(_found_no_elements(text, item), caller_origin())
    return text_method(text, "__contains__", _one_element(item))


def _found_no_elements(values: Tensor, item: Any) -> str:
    if not values.dtype.is_string:
        return _NO_ELEMENTS
    return f"`in` a scalar string tensor looks for a part of the string, not for {item!r}"


def _one_element(item: Any) -> Any:
    """Return the item as a scalar; a Python value stays one, so that it adopts the dtype."""
    if isinstance(item, SCALARS):
        return item
    sought = to_tensor(item)
    if sought.shape.rank == 0:
        return item
    if sought.shape.num_elements() not in (1, None):
        raise ShapeError(
            f"`in` a tensor looks for one element, not for one of shape {sought.shape}: write "
            "rt.reduce_any(rt.reduce_all(x == row, axis=-1)) for a row of a matrix",
            caller_origin(),
        )
    return reshape(sought, ())


def _equal(values: Tensor, item: Any) -> Tensor:
    """Return `values == item`; numbers of different dtypes are compared as NumPy does."""
    try:
        return equality(EQUAL, values, item)
    except DTypeError:
        sought = to_tensor(item)
        if values.dtype.is_string or sought.dtype.is_string:
            raise
        joint = np.result_type(values.dtype.np_dtype, sought.dtype.np_dtype)
        return equality(EQUAL, cast(values, joint), cast(sought, joint))
