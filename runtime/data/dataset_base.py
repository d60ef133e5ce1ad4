"""The state of a dataset, and how its methods create another one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from runtime.core.tensor import Tensor
from runtime.data.base_types import AnyDataset
from runtime.data.plan import DatasetPlan
from runtime.errors import DTypeError

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
                "a Dataset is not made of values at once: write Dataset.from_tensor_slices(values)"
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
