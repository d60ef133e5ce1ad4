"""Element specs: the structure of an element, with a tensor spec for each of its tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime import nest
from runtime.core.nesting_depth import depth_error
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import DTypeError
from runtime.ops.convert import to_tensor


class DatasetSpec:
    """The spec of a dataset that is an argument or an element: the specs of its elements.

    In an input signature it stands for any dataset of such elements. It is not a dataclass, so
    that `nest` treats it as a leaf.

    >>> DatasetSpec(TensorSpec((), "int64"))
    DatasetSpec(element_spec=TensorSpec(shape=(), dtype=rt.int64, name=None))
    """

    __slots__ = ("element_spec",)

    def __init__(self, element_spec: Any, dataset_shape: Any = ()) -> None:
        self.element_spec = element_spec

    @classmethod
    def from_value(cls, value: TensorLike) -> DatasetSpec:
        """Return the spec of a dataset; DTypeError for anything else."""
        if not hasattr(value, "element_spec"):
            raise DTypeError(f"DatasetSpec.from_value takes a dataset, not {value!r}")
        return cls(value.element_spec)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DatasetSpec):
            return NotImplemented
        return Element(self.element_spec) == Element(other.element_spec)

    def __hash__(self) -> int:
        return hash(Element(self.element_spec))

    def __repr__(self) -> str:
        return f"DatasetSpec(element_spec={self.element_spec!r})"


class NoneTensorSpec:
    """The spec of None in an element spec; a singleton."""

    def __repr__(self) -> str:
        return "NoneTensorSpec()"


NONE = NoneTensorSpec()

# None has no tensors.
nest.register(NoneTensorSpec, lambda spec: (), lambda spec, tensors: None)


class Element:
    """A structure of specs that can be compared and be part of a key.

    Args:
        structure: a TensorSpec, or tuples and dicts of them; None stands for itself.

    Attributes:
        structure: the same, with `NONE` for None.
        specs: the specs in it, in the order of `nest`.

    >>> Element({"x": TensorSpec((), "int32")}) == Element({"x": TensorSpec((), "int32")})
    True
    """

    __slots__ = ("_key", "specs", "structure")

    def __init__(self, structure: Any) -> None:
        self.structure = _without_none(structure)
        self.specs: tuple[TensorSpec, ...] = tuple(nest.flatten(self.structure))
        self._key = _key_of(self.structure)

    @classmethod
    def of(cls, tensors: Any) -> Element:
        """Return the spec of a structure of tensors."""
        return cls(nest.map_structure(lambda tensor: tensor.spec.unnamed(), tensors))

    def batched(self, rows: int | None) -> Element:
        """Return the Element of batches, with an axis of rows in front."""
        return Element(self.packed([with_rows(rows, spec) for spec in self.specs]))

    def form(self) -> object:
        """Return a key of the structure that ignores the specs in it."""
        return _key_of(nest.map_structure(lambda spec: "", self.structure))

    def described(self) -> Any:
        """Return the structure for display, with a DatasetSpec for a dataset."""
        return _described(self.structure)

    def packed(self, tensors: Sequence[Any]) -> Any:
        """Return tensors, one per spec, in the structure."""
        return nest.unflatten(self.structure, tensors)

    def arguments(self, tensors: Sequence[Any]) -> tuple[Any, ...]:
        """Return the arguments of a user's function: the parts of a tuple are several arguments.

        A named tuple is one argument, as dicts and dataclasses are.
        """
        packed = self.packed(tensors)
        return packed if type(packed) is tuple else (packed,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Element) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return repr(self.structure)


def with_rows(rows: int | None, spec: TensorSpec) -> TensorSpec:
    """Return the spec of stacked tensors, with an axis of rows in front.

    >>> with_rows(None, TensorSpec((2,), "int32")).shape
    TensorShape([None, 2])
    """
    dims = spec.shape.dims
    return spec.with_shape(None if dims is None else (rows, *dims))


def without_rows(spec: TensorSpec) -> TensorSpec:
    """Return the spec of a row of a tensor."""
    return spec.with_shape(None if spec.shape.rank is None else spec.shape[1:])


def as_components(value: Any) -> Any:
    """Return a structure of tensors: a list becomes one tensor, tuples, dicts and None stay.

    >>> as_components(([1, 2], 3))[0].shape
    TensorShape([2])
    """
    try:
        return _as_components(value)
    except RecursionError as error:
        raise depth_error(value, "the structure", error) from None


def _as_components(value: Any) -> Any:
    children = None if isinstance(value, list) else nest.children(value)
    if children is None:
        return _tensor(value)
    return nest.rebuild(value, list(map(_as_components, children)))


def _tensor(value: Any) -> Any:
    if value is None:
        return NONE
    return value if isinstance(value, Tensor) else to_tensor(value)


def _without_none(structure: Any) -> Any:
    children = nest.children(structure)
    if children is None:
        return NONE if structure is None else structure
    after = list(map(_without_none, children))
    is_same = all(one is other for one, other in zip(children, after))
    return structure if is_same else nest.rebuild(structure, after)


def _described(structure: Any) -> Any:
    if structure is NONE:
        return structure
    if hasattr(structure, "element_spec"):
        return DatasetSpec(structure.element_spec)
    children = nest.children(structure)
    if children is None:
        return structure
    return nest.rebuild(structure, list(map(_described, children)))


def _key_of(structure: Any) -> object:
    children = nest.children(structure)
    if children is None:
        return structure
    steps = tuple(nest.steps(structure))
    return nest.form_of(structure), steps, tuple(map(_key_of, children))
