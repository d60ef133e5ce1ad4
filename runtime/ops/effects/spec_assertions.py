"""Assertions on ranks, shapes, dtypes and iterables; known ones are checked while tracing.

`x.set_shape(shape)` also declares dimensions that inference does not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from runtime.core.argument_checks import listed, plain_text
from runtime.core.context import current_recorder
from runtime.core.dtypes import DType, DTypeLike, as_dtype, float32
from runtime.core.shapes import Dims, TensorShape, as_shape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, SymbolicTensor, Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError, OutOfScopeError, ShapeError
from runtime.ops.arguments import static_int
from runtime.ops.convert import is_tensor_like, to_tensor
from runtime.ops.op import apply, define

# An expected shape: sizes, names of sizes, None for any size; "..." first for any leading ones.
Wanted = tuple[int | str | None, ...]
_REST = "..."


def assert_rank(
    x: TensorLike, rank: TensorLike, message: str | None = None, name: str | None = None
) -> None:
    """Raise a ValueError (ShapeError) unless x has rank `rank`.

    >>> assert_rank([1, 2], 2)
    Traceback (most recent call last):
    runtime.errors.ShapeError: assert_rank: a tensor of shape (2,) must have rank 2
    """
    _ranked(x, (_rank(rank),), False, message)


def assert_rank_at_least(
    x: TensorLike, rank: TensorLike, message: str | None = None, name: str | None = None
) -> None:
    """Raise a ValueError (ShapeError) unless x has at least rank `rank`.

    >>> assert_rank_at_least([[1, 2]], 1)
    >>> assert_rank_at_least(3, 1)
    Traceback (most recent call last):
    runtime.errors.ShapeError: a tensor of shape () must have at least rank 1
    """
    _ranked(x, (_rank(rank),), True, message)


def assert_rank_in(
    x: TensorLike, ranks: TensorLike, message: str | None = None, name: str | None = None
) -> None:
    """Raise a ValueError (ShapeError) unless the rank of x is one of `ranks`.

    >>> assert_rank_in([1, 2], (0, 1))
    >>> assert_rank_in([[1, 2]], (0, 1))
    Traceback (most recent call last):
    runtime.errors.ShapeError: a tensor of shape (1, 2) must have a rank of 0, 1
    """
    _ranked(x, tuple(map(_rank, listed(ranks, "ranks"))), False, message)


def assert_scalar(
    tensor: TensorLike, message: str | None = None, name: str | None = None
) -> Tensor:
    """Return a scalar unchanged; a ValueError (ShapeError) for anything else.

    >>> int(assert_scalar(3))
    3
    >>> assert_scalar([3])
    Traceback (most recent call last):
    runtime.errors.ShapeError: a tensor of shape (1,) must have rank 0
    """
    checked = to_tensor(tensor)
    _ranked(checked, (0,), False, message)
    return checked


def assert_shapes(
    shapes: object,
    data: TensorLike | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> None:
    """Raise a ValueError (ShapeError) unless tensors have the given shapes.

    Args:
        shapes: pairs of a tensor and its shape: sizes, names of sizes, which must be equal wherever
            a name occurs, None or "*" for any size, and "..." in the first position for any leading
            dimensions. A string stands for its letters, such as "NQ" for ("N", "Q").

    >>> assert_shapes([([[1, 2, 3]], ("N", "Q")), ([1, 2, 3], ("Q",))])
    >>> assert_shapes([([[1, 2, 3]], ("N", "Q")), ([1, 2], ("Q",))])
    Traceback (most recent call last):
    runtime.errors.ShapeError: assert_shapes: dimension 0 of shape (2,) is 2, but Q is 3
    """
    pairs = _pairs(shapes)
    tensors = [to_tensor(tensor) for tensor, _ in pairs]
    wanted = tuple(_wanted(shape) for _, shape in pairs)
    apply_checked(
        ASSERT_SHAPES,
        tensors,
        wanted=wanted,
        message=plain_text(message, "message", ""),
    )


def _pairs(shapes: Any) -> list[Any]:
    found = shapes.items() if isinstance(shapes, Mapping) else shapes
    is_row = isinstance(found, Iterable) and getattr(found, "ndim", None) != 0
    pairs = list(found) if is_row else [None]
    if not all(isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in pairs):
        raise ArgumentValueError("shapes must be a list of pairs (tensor, shape)")
    return pairs


def apply_checked(op: Any, tensors: list[Tensor], **attrs: Any) -> None:
    """Apply a check of shapes; nothing is recorded if the known shapes satisfy it."""
    specs = [tensor.spec for tensor in tensors]
    op.infer(*specs, **attrs)
    if not all(spec.shape.is_fully_defined() for spec in specs):
        apply(op, tensors, **attrs)


def _ranked(x: Any, ranks: tuple[int, ...], at_least: bool, message: str | None) -> None:
    tensor = to_tensor(x)
    attrs = {
        "ranks": ranks,
        "at_least": at_least,
        "message": plain_text(message, "message", ""),
    }
    ASSERT_RANK.infer(tensor.spec, **attrs)
    if tensor.shape.rank is None:
        apply(ASSERT_RANK, (tensor,), **attrs)


def _rank(rank: Any) -> int:
    found = static_int(rank, "the rank")
    if found < 0:
        raise ArgumentValueError(f"a rank must not be negative, not {found}")
    return found


def _check_rank(
    shape: TensorShape, *, ranks: tuple[int, ...], at_least: bool, message: str
) -> None:
    rank = shape.rank
    if rank is None or rank in ranks or (at_least and rank >= ranks[0]):
        return
    words = "at least rank" if at_least else "rank" if len(ranks) == 1 else "a rank of"
    head = f"{message}. " if message else ""
    listed = ", ".join(map(str, ranks))
    raise ShapeError(f"{head}a tensor of shape {shape} must have {words} {listed}")


def _wanted(shape: Any) -> Wanted:
    if isinstance(shape, str) and shape.startswith(_REST):
        shape = (_REST, *shape[len(_REST) :])
    elif isinstance(shape, int):
        shape = (shape,)
    found = tuple(_size(size, place) for place, size in enumerate(shape))
    return found


def _size(size: Any, place: int) -> int | str | None:
    if size is Ellipsis or size == _REST:
        if place:
            raise ArgumentValueError("'...' stands for the first dimensions: write it first")
        return _REST
    if size is None or size == "*":
        return None
    return size if isinstance(size, str) else static_int(size, "a size")


def _check_shapes(shapes: list[TensorShape], *, wanted: tuple[Wanted, ...], message: str) -> None:
    sizes: dict[str, int] = {}
    head = f"{message}. " if message else ""
    for shape, form in zip(shapes, wanted, strict=True):
        if shape.dims is not None:
            _check_shape(shape.dims, form, sizes, head)


def _check_shape(dims: Dims, form: Wanted, sizes: dict[str, int], head: str) -> None:
    assert dims is not None
    shape = TensorShape.of(dims)
    rest = form[:1] == (_REST,)
    ending = form[1:] if rest else form
    begin = len(dims) - len(ending)
    if begin < 0 or (begin and not rest):
        words = "at least rank" if rest else "rank"
        raise ShapeError(f"{head}a tensor of shape {shape} must have {words} {len(ending)}")
    for place, size in enumerate(ending, begin):
        found = dims[place]
        if size is None or found is None:
            continue
        known = sizes.setdefault(size, found) if isinstance(size, str) else size
        if known != found:
            what = f"{size} is {known}" if isinstance(size, str) else f"{known} is wanted"
            raise ShapeError(f"{head}dimension {place} of shape {shape} is {found}, but {what}")


def _rank_kernel(x: Array, **attrs: Any) -> tuple[()]:
    _check_rank(TensorShape.of(x.shape), **attrs)
    return ()


def _rank_infer(x: TensorSpec, **attrs: Any) -> tuple[()]:
    _check_rank(x.shape, **attrs)
    return ()


def _shapes_kernel(*arrays: Array, **attrs: Any) -> tuple[()]:
    _check_shapes([TensorShape.of(array.shape) for array in arrays], **attrs)
    return ()


def _shapes_infer(*specs: TensorSpec, **attrs: Any) -> tuple[()]:
    _check_shapes([spec.shape for spec in specs], **attrs)
    return ()


ASSERT_RANK = define(
    "assert_rank",
    _rank_kernel,
    _rank_infer,
    effects="io",
    tensorflow_name="Assert",
    n_outputs=0,
    keywords=_check_rank,
)
ASSERT_SHAPES = define(
    "assert_shapes",
    _shapes_kernel,
    _shapes_infer,
    effects="io",
    tensorflow_name="Assert",
    n_outputs=0,
    keywords=_check_shapes,
)


# -- assertions on dtypes and iterables, checked while tracing -------------------------------------


def assert_integer(x: TensorLike, message: str | None = None, name: str | None = None) -> None:
    """Raise a TypeError (DTypeError) unless x has an integer dtype.

    >>> assert_integer(1.0)
    Traceback (most recent call last):
    runtime.errors.DTypeError: expected integers, found float32
    """
    found = to_tensor(x).dtype
    if not found.is_integer:
        raise DTypeError(f"{_head(message)}expected integers, found {found.name}")


def assert_type(
    tensor: TensorLike, tf_type: DTypeLike, message: str | None = None, name: str | None = None
) -> None:
    """Raise a TypeError (DTypeError) unless a tensor has a dtype.

    >>> assert_type([1, 2], "int32")
    >>> assert_type([1, 2], "float32")
    Traceback (most recent call last):
    runtime.errors.DTypeError: the tensor must be float32, but is int32
    """
    found, wanted = to_tensor(tensor).dtype, as_dtype(tf_type)
    if found is not wanted:
        raise DTypeError(f"{_head(message)}the tensor must be {wanted.name}, not {found.name}")


def assert_proper_iterable(values: TensorLike) -> None:
    """Raise a TypeError (DTypeError) unless `values` is an iterable of items.

    Tensors, arrays and strings are iterable, but are usually passed by mistake.

    >>> assert_proper_iterable([1, 2])
    """
    odd = isinstance(values, (str, bytes, np.ndarray)) or is_tensor_like(values)
    if odd or not isinstance(values, Iterable):
        word = type(values).__name__
        raise DTypeError(f"expected a list or another iterable of items, found a {word}")


def assert_same_float_dtype(
    tensors: TensorLike | None = None, dtype: DTypeLike | None = None
) -> DType:
    """Return the common float dtype of tensors, float32 if there are none; else raise ValueError.

    >>> assert_same_float_dtype([[1.0], [2.0]])
    rt.float32
    """
    found = None if dtype is None else as_dtype(dtype)
    if tensors is not None and not isinstance(tensors, (list, tuple)):
        raise ArgumentValueError(f"tensors must be a list of tensors, not {tensors!r}")
    for tensor in tensors or ():
        own = to_tensor(tensor).dtype
        if found is not None and own is not found:
            raise ArgumentValueError(f"the tensors must all be {found.name}, but one is {own.name}")
        found = own
    found = float32 if found is None else found
    if not found.is_floating:
        raise ArgumentValueError(f"Expected floating point type, got {found.name}")
    return found


def is_numeric_tensor(tensor: TensorLike) -> bool:
    """Return whether this is a tensor of numbers.

    >>> is_numeric_tensor(to_tensor(1.0)), is_numeric_tensor(1.0), is_numeric_tensor(to_tensor("a"))
    (True, False, False)
    """
    return isinstance(tensor, Tensor) and tensor.dtype.is_numeric


def _head(message: str | None) -> str:
    return "" if message is None else f"{plain_text(message, 'message')}. "


def set_shape(x: Tensor, shape: Any) -> None:
    """Declare the shape of a tensor; a recorded graph knows it from then on.

    A run checks it.

    Args:
        shape: the dimensions, with None for unknown ones; None alone has no effect.

    Raises:
        ShapeError: the tensor has another shape.
        OutOfScopeError: the tensor comes from outside of the branch or loop around the call, or is
            a loop variable: write `x = rt.ensure_shape(x, shape)` there.

    >>> import autograph as ag, runtime as rt
    >>> @ag.function
    ... def double(x):
    ...     y = rt.numpy_function(lambda v: 2 * v, [x], rt.int32)
    ...     y.set_shape([2])
    ...     return y, len(y)
    >>> double(rt.constant([3, 4]))[0].numpy()
    array([6, 8], dtype=int32)
    """
    wanted = as_shape(shape)
    if not wanted.is_compatible_with(x.shape):
        raise ShapeError(f"set_shape: a tensor of shape {x.shape} does not have shape {wanted}")
    merged = x.shape.merge(wanted)
    if not isinstance(x, SymbolicTensor) or merged == x.shape:
        return
    is_given = x.node.op.name == "placeholder" and x.graph.outer is not None
    if current_recorder() is not x.graph or is_given:
        raise OutOfScopeError(
            f"set_shape: {x} comes from outside of this branch or loop: write "
            f"x = rt.ensure_shape(x, {wanted})"
        )
    assert_shapes([(x, tuple(wanted))])
    x.spec = TensorSpec(merged, x.dtype)  # type: ignore[misc]
