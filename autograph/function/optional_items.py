"""A dict in a result of which some items are there on some paths only: made without the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.backends.graph.containers.staged_dict import has_perhaps
from autograph.backends.maybe import Maybe
from runtime import nest
from runtime.core.tensor import Tensor
from runtime.ops.constant import convert_to_tensor

Arrays = Sequence[np.ndarray]


class PerhapsItems:
    """Such a dict, as one leaf of a result."""

    __slots__ = ("items",)

    def __init__(self, items: dict[Any, Any]) -> None:
        self.items = items


def as_leaf(result: Any) -> PerhapsItems | None:
    """Return the leaf that a dict of this kind is, None for anything else."""
    return PerhapsItems(result) if has_perhaps(result) else None


class SomeItems:
    """How a dict is made that has an item only where a flag says so.

    Args:
        leaf: the dict.
        tensors: what carries it is appended here.
        collect: takes a value apart, to what makes it.
    """

    def __init__(
        self, leaf: PerhapsItems, tensors: list[Tensor], collect: Callable[[Any], Any]
    ) -> None:
        self._like = leaf.items
        self._parts = {key: collect(_inside(value)) for key, value in leaf.items.items()}
        self._flags: dict[Any, int] = {}
        for key, value in leaf.items.items():
            if isinstance(value, Maybe):
                self._flags[key] = len(tensors)
                tensors.append(convert_to_tensor(value.defined))

    def make(self, arrays: Arrays) -> object:
        """Return the dict, of the class it had in the trace."""
        there = {key for key in self._parts if self._is_there(key, arrays)}
        return self._made(lambda key: self._parts[key].make(arrays), there)

    def spec(self, specs: Any) -> object:
        """Return the dict with what is known of each item that may be there."""
        return self._made(lambda key: self._parts[key].spec(specs), set(self._parts))

    def _is_there(self, key: object, arrays: Arrays) -> bool:
        return key not in self._flags or bool(arrays[self._flags[key]])

    def _made(self, make: Callable[[Any], object], there: set[Any]) -> Any:
        keyed = nest.rebuild(self._like, nest.children(dict(zip(self._like, self._like))) or [])
        for key in self._like:
            if key in there:
                keyed[key] = make(key)
            else:
                del keyed[key]
        return keyed


def _inside(value: object) -> object:
    return value.value if isinstance(value, Maybe) else value
