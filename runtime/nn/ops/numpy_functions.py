"""NumPy functions as functions of tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core.argument_checks import plain_text
from runtime.errors import ArgumentValueError
from runtime.interop.numpy.protocol import FUNCTIONS
from runtime.ops.convert import to_tensor


def of_numpy(name: str) -> Callable[..., Any]:
    """Return NumPy's function of a name, for tensors and all that becomes one.

    >>> of_numpy("swapaxes")(to_tensor([[1, 2]]), 0, 1).shape
    TensorShape([2, 1])
    """
    found = FUNCTIONS.get(getattr(np, plain_text(name, "name"), None))
    if found is None:
        raise ArgumentValueError(f"of_numpy: there is no {name!r} for tensors")

    def function(x: Any, *args: Any, **kwargs: Any) -> Any:
        if name in _OF_LISTS and isinstance(x, (list, tuple)):
            return found([to_tensor(each) for each in x], *args, **kwargs)
        if name in _OF_TWO and args:
            args = (to_tensor(args[0]), *args[1:])
        return found(to_tensor(x), *args, **kwargs)

    function.__name__ = name
    function.__doc__ = f"Do what NumPy's {name} does."
    return function


_OF_LISTS = ("vstack", "hstack")


_OF_TWO = ("allclose", "append", "inner", "isclose", "outer", "take_along_axis", "vdot")
