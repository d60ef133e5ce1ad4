"""The array API standard for tensors, the namespace `x.__array_namespace__()`.

    xp = x.__array_namespace__()
    xp.sum(x, axis=0)

Eager calls are computed by NumPy, with its dtypes; in a graph, or for a tensor that a tape
watches, the corresponding op is recorded, if there is one. Operators on tensors of different
dtypes raise, as everywhere in this library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.array_api import dtype_functions
from runtime.array_api import fft as fft
from runtime.array_api import linalg as linalg
from runtime.array_api.functions import check_device, wrapped
from runtime.array_api.names import CONSTANTS, DTYPES, NUMPY_FUNCTIONS, OWN_FUNCTIONS, VERSION
from runtime.core.dtypes import as_dtype
from runtime.errors import ArgumentValueError

__array_api_version__ = VERSION


def namespace_of(self: Any, *, api_version: str | None = None) -> Any:
    """Return this namespace; ArgumentValueError for an unknown version of the standard."""
    if api_version not in (None, "2021.12", "2022.12", "2023.12", VERSION):
        raise ArgumentValueError(f"the array API is of version {VERSION}, not {api_version!r}")
    return _NAMESPACE


def to_device(self: Any, device: Any, /, *, stream: Any = None) -> Any:
    """Return the tensor; ArgumentValueError for any other device than its own."""
    check_device(device)
    return self


class _Namespace:
    """The namespace as one object: its names are those of the standard, including `bool`."""

    def __init__(self) -> None:
        functions = {name: wrapped(getattr(np, name), name) for name in NUMPY_FUNCTIONS.split()}
        constants = {name: getattr(np, name) for name in CONSTANTS.split()}
        dtypes = {name: as_dtype(name) for name in DTYPES.split()}
        own = {name: getattr(dtype_functions, name) for name in OWN_FUNCTIONS.split()}
        vars(self).update(functions, **constants, **dtypes, **own, linalg=linalg, fft=fft)
        self.__array_api_version__ = VERSION

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"the array API of version {VERSION} has no {name!r}")

    def __repr__(self) -> str:
        return "<namespace runtime.array_api>"


_NAMESPACE = _Namespace()
__all__ = sorted(name for name in vars(_NAMESPACE))
globals().update(vars(_NAMESPACE))


def __dir__() -> list[str]:
    return __all__


if TYPE_CHECKING:
    # The functions are NumPy's, under its names.
    def __getattr__(name: str) -> Any: ...
