"""The state of a dataset, how its methods create another one, and their number arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from runtime.core.dtypes import int64
from runtime.core.tensor import Tensor
from runtime.data.base_types import AnyDataset
from runtime.data.plan import DatasetPlan
from runtime.errors import DTypeError
from runtime.ops.arguments import static_int, static_value
from runtime.ops.convert import is_tensor_like, strong_cast, to_tensor

if TYPE_CHECKING:
    from typing_extensions import Self


class DatasetBase(AnyDataset):
    """A plan with its tensors: the base of the classes of dataset methods."""

    __slots__ = ("__weakref__", "_plan", "_tensors")

    _plan: DatasetPlan
    _tensors: tuple[Tensor, ...]

    def __init__(self, plan: DatasetPlan | None = None, tensors: tuple[Tensor, ...] = ()) -> None:
        if not isinstance(plan, DatasetPlan):
            raise DTypeError(
                "a Dataset is not made by its class: write Dataset.from_tensor_slices(values)"
            )
        self._plan, self._tensors = plan, tensors

    def _then(self, plan: DatasetPlan, *own: Tensor) -> Self:
        """Return a dataset over this one, of a plan and its own tensors."""
        return type(self)(plan, (*self._tensors, *own))

    def _over(
        self, plan: DatasetPlan, parts: Sequence[DatasetBase], own: Sequence[Tensor] = ()
    ) -> Self:
        """Return a dataset over several, of a plan and its own tensors."""
        tensors = [tensor for part in parts for tensor in part._tensors]
        return type(self)(plan, (*tensors, *own))


# -- number arguments ------------------------------------------------------------------------------


def whole_number(value: Any, what: str = "range") -> Tensor:
    """Return an integer argument as an int64 scalar."""
    tensor = to_tensor(value)
    if not tensor.dtype.is_integer or tensor.shape.rank not in (None, 0):
        raise DTypeError(
            f"{what} takes whole numbers, not {tensor.dtype.name} of shape {tensor.shape}"
        )
    return strong_cast(tensor, int64)


def number(value: Any, what: str) -> tuple[int | None, tuple[Tensor, ...]]:
    """Return a known number and no tensors, or None and the tensor of the number.

    >>> number(3, "count")
    (3, ())
    """
    if is_tensor_like(value):
        known = static_value(to_tensor(value))
        tensor = whole_number(value, what)
        return (None, (tensor,)) if known is None else (int(known), ())
    if isinstance(value, bool):
        raise DTypeError(f"{what} must be an int, not {value!r}")
    return static_int(value, what), ()


def plain_seed(seed: Any) -> int | None:
    """Return a seed as an int; a tensor must be known while tracing."""
    return None if seed is None else static_int(seed, "seed")
