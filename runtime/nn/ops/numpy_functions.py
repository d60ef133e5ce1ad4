"""NumPy functions as functions of tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core.argument_checks import plain_text
from runtime.errors import ArgumentValueError
from runtime.interop.numpy.protocol import FUNCTIONS
from runtime.ops.convert import to_tensor


def of_numpy(name: str) -> Callable[..., Any]:
    """Return a NumPy function as a function of tensors.

    >>> of_numpy("swapaxes")(to_tensor([[1, 2]]), 0, 1).shape
    TensorShape([2, 1])
    """
    found = FUNCTIONS.get(getattr(np, plain_text(name, "name"), None))
    if found is None:
        raise ArgumentValueError(f"of_numpy: there is no {name!r} for tensors")

    def function(x: Any, *args: Any, **kwargs: Any) -> Any:
        if name in _OF_LISTS and isinstance(x, (list, tuple)):
            return found([to_tensor(each) for each in x], *args, **kwargs)
        if name in _OF_TWO and args:
            args = (to_tensor(args[0]), *args[1:])
        return found(to_tensor(x), *args, **kwargs)

    function.__name__ = name
    function.__doc__ = _DOCSTRINGS.get(name, f"Do what NumPy's {name} does.")
    return function


_OF_LISTS = ("vstack", "hstack")


_OF_TWO = ("allclose", "append", "inner", "isclose", "outer", "take_along_axis", "vdot")

_DOCSTRINGS = {
    "full_like": """Return a tensor with the shape and dtype of x and one value everywhere.

    >>> import autograph.runtime as rt
    >>> rt.nn.ops.creation.full_like([1, 2], 7).numpy().tolist()
    [7, 7]
    """,
    "tril": """Return matrices with 0 above a diagonal, `k` places above the main one.

    >>> import autograph.runtime as rt
    >>> rt.nn.ops.creation.tril([[1, 2], [3, 4]]).numpy().tolist()
    [[1, 0], [3, 4]]
    """,
    "triu": """Return matrices with 0 below a diagonal, `k` places above the main one.

    >>> import autograph.runtime as rt
    >>> rt.nn.ops.creation.triu([[1, 2], [3, 4]]).numpy().tolist()
    [[1, 2], [0, 4]]
    """,
    "allclose": """Return whether all elements are close, a scalar bool tensor; see `isclose`.

    >>> import autograph.runtime as rt
    >>> rt.nn.ops.elementwise.allclose([1.0, 2.0], [1.0, 2.1]).numpy().tolist()
    False
    """,
    "isclose": """Return where |x - y| <= atol + rtol * |y|; by default atol=1e-8, rtol=1e-5.

    >>> import autograph.runtime as rt
    >>> rt.nn.ops.elementwise.isclose([1.0, 2.0], [1.0, 2.1]).numpy().tolist()
    [True, False]
    """,
    "outer": """Return the matrix of products of each element of x with each of another tensor.

    >>> import autograph.runtime as rt
    >>> rt.nn.ops.linalg.outer([1, 2], [3, 4]).numpy().tolist()
    [[3, 4], [6, 8]]
    """,
    "inner": """Return the sums of products along the last axes of two tensors.

    >>> import autograph.runtime as rt
    >>> rt.nn.ops.linalg.inner([1, 2], [3, 4]).numpy().tolist()
    11
    """,
    "vdot": """Return the sum of products of all elements; the first tensor is conjugated.

    >>> import autograph.runtime as rt
    >>> rt.nn.ops.linalg.vdot([1, 2], [3, 4]).numpy().tolist()
    11
    """,
    "append": """Return x with values appended along `axis`; flattened where that is None.

    >>> import autograph.runtime as rt
    >>> rt.nn.ops.manipulation.append([1, 2], [3]).numpy().tolist()
    [1, 2, 3]
    """,
    "array_split": """Return parts along `axis`, 0 by default; the first ones may be longer by 1.

    >>> import autograph.runtime as rt
    >>> parts = rt.nn.ops.manipulation.array_split([1, 2, 3], 2)
    >>> [part.numpy().tolist() for part in parts]
    [[1, 2], [3]]
    """,
    "flip": """Return x with the elements in reverse order along `axis`, or along all axes.

    >>> import autograph.runtime as rt
    >>> rt.nn.ops.manipulation.flip([1, 2, 3]).numpy().tolist()
    [3, 2, 1]
    """,
    "moveaxis": """Return x with axes moved to other positions; the others keep their order.

    >>> import autograph.runtime as rt
    >>> rt.nn.ops.manipulation.moveaxis([[[1, 2]]], 0, 2).shape
    TensorShape([1, 2, 1])
    """,
    "swapaxes": """Return x with two axes in exchange for each other.

    >>> import autograph.runtime as rt
    >>> rt.nn.ops.manipulation.swapaxes([[1, 2]], 0, 1).numpy().tolist()
    [[1], [2]]
    """,
    "hstack": """Return a list of tensors, one after the other along axis 1; vectors along 0.

    >>> import autograph.runtime as rt
    >>> rt.nn.ops.manipulation.hstack([[1, 2], [3]]).numpy().tolist()
    [1, 2, 3]
    """,
    "vstack": """Return a list of tensors, one after the other along axis 0; a vector is a row.

    >>> import autograph.runtime as rt
    >>> rt.nn.ops.manipulation.vstack([[1, 2], [3, 4]]).numpy().tolist()
    [[1, 2], [3, 4]]
    """,
    "split": """Return parts along `axis`, 0 by default: a number of equal ones, or cut at places.

    >>> import autograph.runtime as rt
    >>> parts = rt.nn.ops.manipulation.split([1, 2, 3, 4], 2)
    >>> [part.numpy().tolist() for part in parts]
    [[1, 2], [3, 4]]
    """,
    "take_along_axis": """Return the elements of x at positions along `axis`, one for each index.

    >>> import autograph.runtime as rt
    >>> rt.nn.ops.manipulation.take_along_axis([[1, 2], [3, 4]], [[1], [0]], 1).numpy().tolist()
    [[2], [3]]
    """,
    "pad": """Return x with elements, 0 by default, before and after it along each axis.

    >>> import autograph.runtime as rt
    >>> rt.nn.ops.manipulation.pad([1, 2], [[1, 2]]).numpy().tolist()
    [0, 1, 2, 0, 0]
    """,
    "roll": """Return x with its elements shifted along `axis`, from the end to the beginning.

    >>> import autograph.runtime as rt
    >>> rt.nn.ops.manipulation.roll([1, 2, 3], 1).numpy().tolist()
    [3, 1, 2]
    """,
    "fliplr": """Return x, of rank 2 or more, with axis 1 in reverse order.

    >>> import autograph.runtime as rt
    >>> rt.nn.ops.manipulation.fliplr([[1, 2], [3, 4]]).numpy().tolist()
    [[2, 1], [4, 3]]
    """,
    "flipud": """Return x, of rank 1 or more, with axis 0 in reverse order.

    >>> import autograph.runtime as rt
    >>> rt.nn.ops.manipulation.flipud([[1, 2], [3, 4]]).numpy().tolist()
    [[3, 4], [1, 2]]
    """,
    "diff": """Return the differences of neighbours along `axis`, by default the last, `n` times.

    >>> import autograph.runtime as rt
    >>> rt.nn.ops.statistics.diff([1, 4, 9]).numpy().tolist()
    [3, 5]
    """,
    "ptp": """Return the largest element less the smallest one, along `axis` or of all.

    >>> import autograph.runtime as rt
    >>> rt.nn.ops.statistics.ptp([3, 9, 4]).numpy().tolist()
    6
    """,
}
# The generated functions: without `__test__`, doctest would not find their examples.
__test__ = _DOCSTRINGS
