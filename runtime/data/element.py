"""What is known of the elements of a dataset: a structure with a spec for every tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime import nest
from runtime.ops.convert import to_tensor
from runtime.spec import TensorSpec
from runtime.tensor import Tensor


class Element:
    """A structure of specs that can be compared, and be a part of a key.

    Args:
        structure: a TensorSpec, or tuples and dicts of them.

    Attributes:
        structure: the same.
        specs: the specs in it, in the order of `nest`.

    >>> Element({"x": TensorSpec((), "int32")}) == Element({"x": TensorSpec((), "int32")})
    True
    """

    __slots__ = ("_key", "specs", "structure")

    def __init__(self, structure: Any) -> None:
        self.structure = structure
        self.specs: tuple[TensorSpec, ...] = tuple(nest.flatten(structure))
        self._key = _key_of(structure)

    @classmethod
    def of(cls, tensors: Any) -> Element:
        """Return what is known of a structure of tensors."""
        return cls(nest.map_structure(lambda tensor: tensor.spec.unnamed(), tensors))

    def packed(self, tensors: Sequence[Any]) -> Any:
        """Return tensors, one per spec, in the structure."""
        return nest.unflatten(self.structure, tensors)

    def arguments(self, tensors: Sequence[Any]) -> tuple[Any, ...]:
        """Return what a function of the user's is called with: the parts of a tuple one by one."""
        packed = self.packed(tensors)
        return tuple(packed) if isinstance(packed, tuple) else (packed,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Element) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return repr(self.structure)


def as_components(value: Any) -> Any:
    """Return a structure of tensors: a list becomes one tensor, tuples and dicts stay.

    >>> as_components(([1, 2], 3))[0].shape
    TensorShape([2])
    """
    children = None if isinstance(value, list) else nest.children(value)
    if children is None:
        return value if isinstance(value, Tensor) else to_tensor(value)
    return nest.rebuild(value, list(map(as_components, children)))


def _key_of(structure: Any) -> object:
    children = nest.children(structure)
    if children is None:
        return structure
    steps = tuple(nest.steps(structure))
    return nest.form_of(structure), steps, tuple(map(_key_of, children))
