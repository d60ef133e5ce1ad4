"""What a trace knows of the arrays of NumPy that it has come to."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import numpy as np

import runtime as rt

if TYPE_CHECKING:
    from autograph.backends.graph.program.arrays import StagedView


class KnownArray:
    """The state of a NumPy array in a trace.

    Attributes:
        array: the array.
        tensor: its elements in the graph; None where they are those in its memory.
        copy: what is in its memory, as it was when somebody last asked; nobody changes that.
        given: of an array from outside that is an input of the graph, the tensor it begins with.
        view: what reads and writes its elements, if it is a view.
        stores: how often something was stored in it.
    """

    __slots__ = ("array", "copy", "given", "stores", "tensor", "view")

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.array = array
        self.tensor: rt.SymbolicTensor | None = None
        self.copy: np.ndarray[Any, Any] | None = None
        self.given: rt.SymbolicTensor | None = None
        self.view: StagedView | None = None
        self.stores = 0


# By the identities of the arrays; None while no function is traced.
KNOWN: ContextVar[dict[int, KnownArray] | None] = ContextVar("known_arrays", default=None)


class knowing_arrays:
    """Know what NumPy arrays hold while a function is traced; those of a trace around, too."""

    def __enter__(self) -> None:
        known = KNOWN.get()
        self._token = KNOWN.set({} if known is None else known)

    def __exit__(self, *error: object) -> None:
        KNOWN.reset(self._token)
