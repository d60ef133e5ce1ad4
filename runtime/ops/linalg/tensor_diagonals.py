"""Diagonals of tensors: matrices whose rows and columns have several axes."""

from __future__ import annotations

from typing import Any

from runtime.core.tensor import Tensor
from runtime.errors import ShapeError
from runtime.ops.arrays.concatenation import concat
from runtime.ops.arrays.shape import rank, reshape, shape
from runtime.ops.convert import to_tensor
from runtime.ops.effects.assertions import assert_equal, assert_less
from runtime.ops.linalg.diagonals import diag, diag_part


def tensor_diag(diagonal: Any, name: str | None = None) -> Tensor:
    """Return zeros of shape `diagonal.shape * 2` with the elements where both halves agree.

    >>> tensor_diag([1, 2]).numpy().tolist()
    [[1, 0], [0, 2]]
    """
    x = to_tensor(diagonal)
    if x.shape.rank == 0:
        raise ShapeError("a diagonal has an axis, and this is one number")
    if x.shape.rank is None:
        assert_less(0, rank(x), "a diagonal has an axis, and this is one number")
    whole = diag(reshape(x, [-1]))
    if x.shape.is_fully_defined():
        return reshape(whole, [*x.shape, *x.shape])
    return reshape(whole, concat([shape(x), shape(x)], 0))


def tensor_diag_part(input: Any, name: str | None = None) -> Tensor:
    """Return the elements of a tensor at which both halves of the place agree.

    Args:
        input: of a shape whose second half is the first one again.

    >>> tensor_diag_part([[1, 2], [3, 4]]).numpy().tolist()
    [1, 4]
    """
    x = to_tensor(input)
    if x.shape.rank is None:
        raise ShapeError("tensor_diag_part has to know the rank: say it with rt.ensure_shape")
    half = x.shape.rank // 2
    if x.shape.rank % 2 or not half:
        raise ShapeError(f"tensor_diag_part is of an even number of axes, not of shape {x.shape}")
    first, second = x.shape[:half], x.shape[half:]
    if not first.is_compatible_with(second):
        raise ShapeError(f"the halves of shape {x.shape} are not the same")
    sizes: Any = shape(x)
    count = first.num_elements()
    side = -1 if count is None else count
    if count is None or second.num_elements() is None:
        assert_equal(sizes[:half], sizes[half:], "the halves of the shape are not the same")
    if count is None:
        rows = reshape(x, concat([[_product(sizes[:half])], [-1]], 0))
    else:
        rows = reshape(x, [side, side])
    return reshape(diag_part(rows), sizes[:half])


def _product(sizes: Any) -> Any:
    from_first: Any = sizes[0]
    for at in range(1, sizes.shape[0]):
        from_first = from_first * sizes[at]
    return from_first
