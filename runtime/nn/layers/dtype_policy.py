"""Dtype policies: the dtypes of a layer's variables and computations, one and the same here."""

from __future__ import annotations

from dataclasses import dataclass

from runtime.core.dtypes import as_dtype
from runtime.errors import ArgumentValueError


@dataclass(frozen=True)
class DTypePolicy:
    """The dtype of the weights of a layer and of what it computes.

    Args:
        name: of a dtype; policies that mix two are not here.

    Raises:
        ArgumentValueError: it is one that mixes two, or none of a dtype.

    >>> DTypePolicy("float64").compute_dtype
    'float64'
    """

    name: str = "float32"

    def __post_init__(self) -> None:
        if str(self.name).startswith("mixed"):
            raise ArgumentValueError(
                f"a layer has one dtype, not {self.name!r}: write dtype='float32'"
            )
        as_dtype(self.name)

    @property
    def compute_dtype(self) -> str:
        """The name of the dtype of what a layer computes."""
        return self.name

    @property
    def variable_dtype(self) -> str:
        """The name of the dtype of weights."""
        return self.name

    def get_config(self) -> dict[str, str]:
        """Return the argument it was made of."""
        return {"name": self.name}
