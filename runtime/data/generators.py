"""Datasets from Python generators; each iteration calls the generator anew."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime import nest
from runtime.core.context import recording
from runtime.core.dtypes import as_dtype
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, EagerTensor
from runtime.data.cursors import CountedIterator, Cursor
from runtime.data.element_spec import Element
from runtime.data.plan import Arrays, DatasetSource
from runtime.errors import ArgumentValueError, DTypeError, OpError, ShapeError
from runtime.ops.convert import to_tensor
from runtime.ops.data.datasets import Item


@dataclass(frozen=True)
class Generated(DatasetSource):
    """The items of a generator, which is called with the values of the tensors.

    Attributes:
        function: returns an iterable.
        arguments: the number of its arguments, which are the tensors.
    """

    function: Callable[..., Iterable[Any]]
    arguments: int

    @property
    def width(self) -> int:
        return self.arguments

    def cursor(self, arrays: Arrays) -> Cursor:
        return CountedIterator(lambda: GeneratedItems(self, arrays))

    def __str__(self) -> str:
        return f"from_generator({getattr(self.function, '__name__', '...')})"


class GeneratedItems:
    """The items of a generator, which is called for the first item."""

    def __init__(self, plan: Generated, arrays: Arrays) -> None:
        self._plan, self._arrays = plan, arrays
        self._values: Iterator[Any] | None = None

    def __iter__(self) -> Iterator[Item]:
        return self

    def __next__(self) -> Item:
        with recording(None):
            if self._values is None:
                self._values = self._begun()
            return as_item(next(self._values), self._plan.element)

    def _begun(self) -> Iterator[Any]:
        values = [EagerTensor(array).numpy() for array in self._arrays]
        made = self._plan.function(*values)
        if not hasattr(made, "__iter__"):
            raise DTypeError(
                f"from_generator: the function returns {made!r}, which is not iterable: yield "
                "elements"
            )
        return iter(made)


def as_item(value: Any, element: Element) -> Item:
    """Return a generator's value as the arrays of an element.

    Raises:
        InvalidArgumentError: it has another structure, or a part has another shape or dtype.

    >>> as_item((1, [2, 3]), Element((TensorSpec((), "int64"), TensorSpec((None,), "float32"))))
    (array(1), array([2., 3.], dtype=float32))
    """
    parts = _parts(value, element.structure)
    if parts is None:
        raise ArgumentValueError(
            f"from_generator: the generator must yield elements of {element}, not {value!r}"
        )
    return tuple([_array(part, spec) for part, spec in zip(parts, element.specs)])


def _parts(value: Any, structure: Any) -> list[Any] | None:
    """Return the parts of a value at the positions of the specs in a structure."""
    if isinstance(structure, TensorSpec):
        return [value]
    wanted = nest.children(structure)
    assert wanted is not None, "a structure is made of containers and specs"
    given = value if isinstance(value, (list, tuple)) else nest.children(value)
    if isinstance(structure, dict):
        given = _in_order(value, structure)
    if given is None or len(given) != len(wanted):
        return None
    found = [_parts(each, like) for each, like in zip(given, wanted)]
    return None if None in found else [part for each in found if each for part in each]


def _in_order(value: Any, structure: dict[Any, Any]) -> list[Any] | None:
    if not isinstance(value, dict) or value.keys() != structure.keys():
        return None
    return nest.children({**structure, **value})


def _array(value: Any, spec: TensorSpec) -> Array:
    try:
        if isinstance(value, np.ndarray) and value.dtype.kind in "iufcb":
            array = _cast(value, spec)
        else:
            array = to_tensor(value, spec.dtype)._array  # type: ignore[attr-defined]
    except OpError as error:
        raise type(error)(f"from_generator: {error.message}") from None
    if not spec.shape.contains(array.shape):
        raise ShapeError(
            f"from_generator: the generator gives a tensor of shape {TensorShape.of(array.shape)}, "
            f"where {spec.shape} is expected"
        )
    return array


def _cast(value: Array, spec: TensorSpec) -> Array:
    """Return a NumPy array in another dtype of its kind, as TensorFlow does."""
    wanted = spec.dtype.np_dtype
    if not np.can_cast(value.dtype, wanted, "same_kind"):
        raise DTypeError(
            f"the generator gives {value.dtype.name}, where {spec.dtype.name} is expected"
        )
    return np.array(value, wanted)


def signature(output_types: Any, output_shapes: Any, output_signature: Any) -> Element:
    """Return the spec of the elements from either of TensorFlow's two forms.

    Raises:
        ArgumentValueError: neither is given, or both are.
        DTypeError: it is not specs, or dtypes, in tuples and dicts.

    >>> signature((np.int32, np.float32), None, None).specs[1].dtype
    rt.float32
    """
    if output_signature is not None:
        if output_types is not None or output_shapes is not None:
            raise ArgumentValueError(
                "from_generator: output_signature replaces output_types and output_shapes: leave "
                "out output_types and "
                "output_shapes"
            )
        return Element(_specs(output_signature))
    if output_types is None:
        raise ArgumentValueError(
            "from_generator: give the specs of the elements as output_signature"
        )
    return Element(_typed(output_types, output_shapes))


def _specs(given: Any) -> Any:
    if isinstance(given, TensorSpec):
        return given.unnamed()
    children = None if isinstance(given, list) else nest.children(given)
    if children is None:
        raise DTypeError(
            f"from_generator: output_signature must be TensorSpecs in tuples and dicts, not "
            f"{given!r}"
        )
    return nest.rebuild(given, list(map(_specs, children)))


def _typed(types: Any, shapes: Any) -> Any:
    children = None if isinstance(types, str) else nest.children(types)
    if children is None:
        return TensorSpec(shapes, as_dtype(types))
    given: Sequence[Any] = [None] * len(children)
    if shapes is not None:
        given = list(shapes) if isinstance(shapes, (list, tuple)) else nest.children(shapes) or ()
    if len(given) != len(children):
        raise ArgumentValueError(
            f"from_generator: output_shapes {shapes!r} must have the structure of output_types"
        )
    return nest.rebuild(types, list(map(_typed, children, given)))
