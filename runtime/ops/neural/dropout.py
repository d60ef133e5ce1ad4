"""`dropout` and `stateless_dropout`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.core.shapes import ShapeLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeValueError
from runtime.ops.arguments import static_value
from runtime.ops.arrays.shape import of_rank, shape
from runtime.ops.convert import strong_cast, to_tensor
from runtime.ops.effects.assertions import Assert
from runtime.ops.elementwise.comparison import greater_equal, less
from runtime.ops.elementwise.logic import logical_and
from runtime.ops.random.seeded import uniform
from runtime.ops.random.stateless import stateless_uniform


def dropout(
    x: TensorLike,
    rate: TensorLike,
    noise_shape: ShapeLike | None = None,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Return x with about `rate` of its elements set to 0, and the others scaled up.

    Args:
        rate: a fraction from 0 (included) to 1 (excluded).
        noise_shape: the shape of the mask, which broadcasts to that of x.

    >>> print(dropout([1.0, 2.0], rate=0.0))
    rt.Tensor([1. 2.], shape=(2,), dtype=float32)
    """

    def drawn(dims: Any, dtype: Any) -> Any:
        return uniform(dims, dtype=dtype, seed=seed)

    return _dropped(x, rate, noise_shape, drawn)


def stateless_dropout(
    x: TensorLike,
    rate: TensorLike,
    seed: TensorLike,
    rng_alg: str | int | None = "auto_select",
    noise_shape: ShapeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Return the result of `dropout` with a mask that depends only on the seed.

    Args:
        seed: two integers.

    >>> x = stateless_dropout([1.0, 1.0, 1.0, 1.0], 0.5, seed=[1, 2])
    >>> bool((x == stateless_dropout([1.0, 1.0, 1.0, 1.0], 0.5, seed=[1, 2])).numpy().all())
    True
    """

    def drawn(dims: Any, dtype: Any) -> Any:
        return stateless_uniform(dims, seed, dtype=dtype, alg=rng_alg)

    return _dropped(x, rate, noise_shape, drawn)


def _dropped(x: Any, rate: Any, noise_shape: Any, drawn: Callable[[Any, Any], Any]) -> Tensor:
    tensor: Any = to_tensor(x)
    if not tensor.dtype.is_floating:
        raise DTypeValueError(f"dropout works on floats, not on {tensor.dtype.name}")
    share = of_rank(to_tensor(rate, tensor.dtype), 0)
    known = static_value(share)
    if known is not None and not 0 <= float(known) < 1:
        raise ArgumentValueError(f"rate must be at least 0 and below 1, not {rate}")
    if known is not None and float(known) == 0:
        return tensor
    if known is None:
        fits = logical_and(greater_equal(share, 0.0), less(share, 1.0))
        Assert(fits, ["rate must be at least 0 and below 1, not", share])
    dims = shape(tensor) if noise_shape is None else noise_shape
    kept = drawn(dims, tensor.dtype) >= share
    result: Tensor = tensor / (1.0 - share) * strong_cast(kept, tensor.dtype)
    return result
