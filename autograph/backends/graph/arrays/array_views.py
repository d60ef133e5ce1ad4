"""NumPy functions that may return a view of an array whose contents the graph knows.

np.flip(table, 1)          the elements of the table, in another order
np.ravel(table.T)          a copy of them

NumPy itself decides whether the result is a view: it is called with an array of the same memory
layout.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

import numpy as np

import runtime as rt
from autograph.backends.graph.arrays.staged_array import (
    StagedArray,
    StagedArrayView,
    as_tensor,
    form_of,
    new_array,
    possible_bases,
    root_of,
    view_accessors,
)
from runtime.interop.numpy.protocol import recorded_call

# NumPy functions that may return a view of their first argument.
_NAMES = """
asanyarray asarray ascontiguousarray asfortranarray atleast_1d atleast_2d atleast_3d array_split
broadcast_to diag diagonal dsplit expand_dims flip fliplr flipud hsplit matrix_transpose moveaxis
permute_dims ravel require reshape rollaxis rot90 split squeeze swapaxes transpose unstack vsplit
"""
_STRIDED = (np.lib.stride_tricks.as_strided, np.lib.stride_tricks.sliding_window_view)
_LOOKING = {*_STRIDED, *(getattr(np, name) for name in _NAMES.split() if hasattr(np, name))}


def may_return_view(function: Any) -> bool:
    """Return whether a NumPy function may return a view.

    >>> may_return_view(np.flip), may_return_view(np.sum)
    (True, False)
    """
    return isinstance(function, Hashable) and function in _LOOKING


def numpy_view(array: Any, function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Return the result of a NumPy function that returns views of an array.

    The result is `NotImplemented` if the function returns a copy, or if only a run can tell.
    """
    form = form_of(array)
    if form is None or any(isinstance(each, rt.Tensor) for each in (*args, *kwargs.values())):
        return NotImplemented
    found = function(form, *args, **kwargs)
    if not isinstance(found, (list, tuple)):
        return _shown(array, form, found)
    parts = [_shown(array, form, each) for each in found]
    return NotImplemented if any(each is NotImplemented for each in parts) else type(found)(parts)


def _shown(array: Any, form: np.ndarray[Any, Any], part: Any) -> Any:
    if part is form:
        return array
    if not isinstance(part, np.ndarray) or not np.may_share_memory(part, form):
        return NotImplemented
    root = root_of(array)
    if root_of(part) is root:
        return part
    whole = root if type(root) is np.ndarray else root.form
    return StagedArrayView(root, *view_accessors(part, whole), form=part)


def view_or_copy(array: Any, function: Any, args: Any, kwargs: Mapping[str, Any]) -> Any:
    """Return the result of a function that may return a view, where `numpy_view` has none.

    Where NumPy could not tell, the array in another shape counts as a view, since nearly all arrays
    are contiguous. Any other result is a copy then, which is refused if it is used after a change
    of the array.
    """

    def read(tensor: Any) -> Any:
        return recorded_call(function, (tensor, *args), kwargs)

    is_told = form_of(array) is not None and not any(isinstance(x, rt.Tensor) for x in args)
    if not is_told and function in (np.ravel, np.reshape, np.squeeze):
        return StagedArrayView(array, read, lambda tensor, new: rt.reshape(new, rt.shape(tensor)))
    if not is_told and function is np.transpose and not (args or kwargs):
        return StagedArrayView(array, rt.transpose, lambda tensor, new: rt.transpose(new))
    if not is_told and function in (np.asarray, np.asanyarray) and not (args or kwargs):
        return array
    found = read(as_tensor(array))
    made = [*map(new_array, found if isinstance(found, (list, tuple)) else [found])]
    for each in made if not is_told else ():
        if isinstance(each, StagedArray):
            each.copied = possible_bases(array)
    return type(found)(made) if isinstance(found, (list, tuple)) else made[0]
