"""Dtype policies: the dtype of a layer's variables and computations, a single one here."""

from __future__ import annotations

from dataclasses import dataclass

from runtime.core.dtypes import as_dtype
from runtime.errors import ArgumentValueError


@dataclass(frozen=True)
class DTypePolicy:
    """The dtype of the weights of a layer and of its computation.

    Args:
        name: the name of a dtype; mixed policies are not supported.

    Raises:
        ArgumentValueError: it is a mixed policy, or not a dtype.

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
        """The name of the dtype of a layer's computation."""
        return self.name

    @property
    def variable_dtype(self) -> str:
        """The name of the dtype of weights."""
        return self.name

    def get_config(self) -> dict[str, str]:
        """Return its argument."""
        return {"name": self.name}
