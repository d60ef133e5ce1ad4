"""Functions of tensors as layers for Keras 3 call them, where `rt` has them in another form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core.dtypes import as_dtype
from runtime.core.settings import flag, listed, plain_text
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError
from runtime.interop.numpy.conversion import promoted
from runtime.interop.numpy.protocol import FUNCTIONS
from runtime.nn.activations.functions import gelu as gelu_by_erf
from runtime.ops.arrays import reduction
from runtime.ops.arrays.concatenation import concat
from runtime.ops.arrays.creation import fill
from runtime.ops.arrays.creation import one_hot as hot
from runtime.ops.arrays.cumulative import cumsum as sums_along
from runtime.ops.arrays.gather import gather
from runtime.ops.arrays.shape import reshape
from runtime.ops.arrays.shape import shape as sizes_of
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import divide as quotient

Body = Callable[[Any, Any], Any]


def of_numpy(name: str) -> Callable[..., Any]:
    """Return what NumPy's function of a name does, for tensors and all that becomes one.

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
    function.__doc__ = f"Do what NumPy's {name} does."
    return function


_OF_LISTS = ("vstack", "hstack")
_OF_TWO = ("allclose", "append", "inner", "isclose", "outer", "take_along_axis", "vdot")


def mean(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Return the mean along axes, of whole numbers and bools as float32.

    >>> float(mean([1, 2]))
    1.5
    """
    values = to_tensor(x)
    whole = values.dtype.is_integer or values.dtype.is_bool
    return reduction.reduce_mean(cast(values, "float32") if whole else values, axis, keepdims)


def argmax(x: Any, axis: int | None = None, keepdims: bool = False) -> Any:
    """Return where the largest element is: along an axis, or of all counted one by one.

    >>> int(argmax([[1, 5], [7, 2]]))
    2
    """
    return _place(reduction.argmax, x, axis, keepdims)


def argmin(x: Any, axis: int | None = None, keepdims: bool = False) -> Any:
    """Return where the smallest element is; see `argmax`.

    >>> int(argmin([[1, 5], [7, 2]]))
    0
    """
    return _place(reduction.argmin, x, axis, keepdims)


def _place(find: Any, x: Any, axis: int | None, keepdims: bool) -> Any:
    values: Any = to_tensor(x)
    rank = values.shape.rank
    flat = reshape(values, [-1]) if axis is None else values
    found = find(flat, 0 if axis is None else axis, "int32")
    if not flag(keepdims, "keepdims"):
        return found
    ones = sizes_of(reduction.reduce_max(values, axis, keepdims=True))
    return found if rank == 0 else reshape(found, ones)


def concatenate(xs: Any, axis: int = 0) -> Any:
    """Return tensors one after the other; their dtypes are joined as NumPy does.

    >>> concatenate([[1], [2]]).numpy().tolist()
    [1, 2]
    """
    tensors = [to_tensor(each) for each in listed(xs, "xs")]
    return concat(promoted(*tensors) if tensors else tensors, axis)


def cumsum(x: Any, axis: int | None = None, dtype: Any = None) -> Any:
    """Return the sums of all elements up to each, along an axis or one by one.

    >>> cumsum([[1, 2], [3, 4]]).numpy().tolist()
    [1, 3, 6, 10]
    """
    values = to_tensor(x) if dtype is None else cast(x, dtype)
    return sums_along(reshape(values, [-1]), 0) if axis is None else sums_along(values, axis)


def divide(x1: Any, x2: Any) -> Any:
    """Return quotients as floats; integers give float32, not TensorFlow's float64.

    >>> print(divide(1, 2))
    rt.Tensor(0.5, shape=(), dtype=float32)
    """
    known = [to_tensor(each).dtype for each in (x1, x2) if not isinstance(each, (int, float))]
    floats = [each.np_dtype for each in known if not (each.is_integer or each.is_bool)]
    dtype = as_dtype(np.result_type(*floats)) if floats else as_dtype("float32")
    return quotient(cast(to_tensor(x1), dtype), cast(to_tensor(x2), dtype))


def count_nonzero(x: Any, axis: Any = None) -> Any:
    """Return how many elements are not zero, as int32.

    >>> print(count_nonzero([1, 0, 3]))
    rt.Tensor(2, shape=(), dtype=int32)
    """
    return reduction.count_nonzero(to_tensor(x), axis, dtype="int32")


def full(shape: Any, fill_value: Any, dtype: Any = None) -> Any:
    """Return a tensor of one value.

    >>> full((2,), 3.0).numpy().tolist()
    [3.0, 3.0]
    """
    value = to_tensor(fill_value) if dtype is None else cast(fill_value, dtype)
    return fill(shape, value)


def gelu(x: Any, approximate: bool = True) -> Any:
    """Return x times the probability that a normal number is below it, by tanh unless told.

    >>> print(gelu([0.0]))
    rt.Tensor([0.], shape=(1,), dtype=float32)
    """
    return gelu_by_erf(x, approximate)


def one_hot(
    x: Any, num_classes: int, axis: int = -1, dtype: Any = None, sparse: bool = False
) -> Any:
    """Return rows with a 1 at each number's place; numbers below 0 have none.

    >>> one_hot([1], 3).numpy().tolist()
    [[0.0, 1.0, 0.0]]
    """
    classes: Any = to_tensor(x)
    if classes.dtype.is_floating:
        classes = cast(classes, as_dtype("int64"))
    return hot(
        classes, num_classes, axis=axis, dtype=as_dtype("float32" if dtype is None else dtype)
    )


def shape(x: Any) -> tuple[Any, ...]:
    """Return the sizes as a tuple: numbers where they are known, else tensors.

    >>> shape(to_tensor([[1, 2]]))
    (1, 2)
    """
    values: Any = to_tensor(x)
    known, asked = values.shape.as_list(), None
    if None in known:
        asked = sizes_of(values)
    return tuple(asked[at] if size is None else size for at, size in enumerate(known))  # type: ignore[index]


def take(x: Any, indices: Any, axis: int | None = None) -> Any:
    """Return the parts with these numbers along an axis, or of all elements one by one.

    >>> take([[1, 2], [3, 4]], [0, 3]).numpy().tolist()
    [1, 4]
    """
    values = to_tensor(x)
    if axis is None:
        return gather(reshape(values, [-1]), indices, wrap=True)
    return gather(values, indices, axis=axis, wrap=True)


def convert_to_numpy(x: Any) -> Any:
    """Return the value as an array.

    >>> convert_to_numpy([1]).tolist()
    [1]
    """
    return to_tensor(x).numpy()  # type: ignore[attr-defined]


def ndim(x: Any) -> int | None:
    """Return the number of axes.

    >>> ndim([[1]])
    2
    """
    return to_tensor(x).shape.rank


def ravel(x: Any) -> Tensor:
    """Return all elements one by one.

    >>> ravel([[1, 2]]).shape
    TensorShape([2])
    """
    return reshape(x, [-1])


append, array_split = map(of_numpy, ("append", "array_split"))
allclose, isclose, diff = map(of_numpy, ("allclose", "isclose", "diff"))
flip, moveaxis, swapaxes = map(of_numpy, ("flip", "moveaxis", "swapaxes"))
hstack, vstack, outer, inner = map(of_numpy, ("hstack", "vstack", "outer", "inner"))
full_like, tril, triu = map(of_numpy, ("full_like", "tril", "triu"))
split, take_along_axis, pad = map(of_numpy, ("split", "take_along_axis", "pad"))
vdot, roll = map(of_numpy, ("vdot", "roll"))
fliplr, flipud, ptp = map(of_numpy, ("fliplr", "flipud", "ptp"))
