"""AutoGraph in programs of JAX: Python's control flow over traced values.

    @jax.jit
    @autograph.jax.convert
    def collatz(n):
        steps = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        return steps

JAX is imported with the first use of a name of this package. The extra `jax` installs it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograph.errors import ConversionError
from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from autograph.jax.converter import convert as convert
    from autograph.jax.converter import explain as explain
    from autograph.jax.converter import to_code as to_code
    from autograph.jax.growing_lists import PreallocatedList as PreallocatedList
    from autograph.jax.growing_lists import StackedList as StackedList

__all__ = ["PreallocatedList", "StackedList", "convert", "explain", "to_code"]

_attribute, __dir__ = lazy_attributes(
    __name__,
    {
        "autograph.jax.converter": "convert explain to_code",
        "autograph.jax.growing_lists": "PreallocatedList StackedList",
    },
)[:2]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        try:
            return _attribute(name)
        except ModuleNotFoundError as error:
            if error.name != "jax":
                raise
        raise ConversionError('JAX is not installed: pip install "autograph-py[jax]"')
