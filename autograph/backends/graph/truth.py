"""The truth of a tensor: what may stand as a condition."""

from __future__ import annotations

import runtime as rt
from autograph.backends.graph.places import user_place
from autograph.errors import ConditionError


def truth(value: object, what: str = "the condition") -> rt.Tensor:
    """Return the truth value of a tensor as a scalar bool tensor.

    Numbers are true when they are not 0, as in Python. Tensors of one element count as scalars.

    Args:
        value: a tensor, Variable, NumPy value or Python number.
        what: how an error calls it.

    Raises:
        ConditionError: if it has more than one element, or holds strings.
    """
    tensor = rt.convert_to_tensor(value)
    if tensor.dtype == rt.string:
        raise ConditionError(
            f"{what} is a string tensor, which is neither true nor false: compare it with "
            "something, as in `x != ''`",
            user_place(),
        )
    tensor = _as_scalar(tensor, what)
    if tensor.dtype == rt.bool:
        return tensor
    return rt.not_equal(tensor, rt.cast(0, tensor.dtype))


def _as_scalar(tensor: rt.Tensor, what: str) -> rt.Tensor:
    shape = tensor.shape
    if shape.rank == 0:
        return tensor
    if any(d not in (1, None) for d in shape.dims or ()):
        raise ConditionError(
            f"{what} is a {tensor.dtype.name} tensor of shape {shape}, not one truth value: say "
            "which elements must hold, with rt.reduce_all(...) or rt.reduce_any(...)",
            user_place(),
        )
    return rt.reshape(tensor, ())
