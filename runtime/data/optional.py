"""Optional elements: the next element of an iterator, or none if the iterator has ended."""

from __future__ import annotations

from typing import Any

from runtime import nest
from runtime.core.dtypes import bool_
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.data.element_spec import Element, as_components
from runtime.errors import ArgumentValueError
from runtime.graph.structured_control_flow import cond
from runtime.ops.containers.lists import list_get, list_length, list_new, list_of
from runtime.ops.convert import to_tensor
from runtime.ops.data.iterators import has_next, next_item
from runtime.ops.effects.checks import check
from runtime.ops.elementwise.comparison import greater

# An item begins with a flag, so that an item without tensors differs from no item.
_THERE = TensorSpec((), bool_)


class Optional:
    """An element or none; in a graph only a run knows which.

    `Optional.from_value`, `Optional.empty` and an iterator's `get_next_as_optional` return one.

    >>> one = Optional.from_value((1, 2.5))
    >>> bool(one.has_value()), int(one.get_value()[0])
    (True, 1)
    """

    __slots__ = ("_element", "_held")

    def __init__(self, element: Element, held: Tensor) -> None:
        # The handle is a list of no item or of one.
        self._element, self._held = element, held

    @staticmethod
    def from_value(value: TensorLike) -> Optional:
        """Return an Optional with an element: tensors in tuples and dicts."""
        parts = as_components(value)
        return Optional(Element.of(parts), _filled(nest.flatten(parts)))

    @staticmethod
    def empty(element_spec: Any) -> Optional:
        """Return an empty Optional whose element would have this spec.

        >>> bool(Optional.empty(TensorSpec(())).has_value())
        False
        """
        return Optional(Element(element_spec), list_new())

    @classmethod
    def of_next(cls, element: Element, handle: Tensor) -> Optional:
        """Return the next element of an iterator, or none."""
        held: Any = cond(
            has_next(handle),
            lambda: _filled(list(next_item(handle, element.specs))),
            list_new,
        )
        return cls(element, held)

    @property
    def element_spec(self) -> Any:
        """The element spec: a TensorSpec, or a structure of them."""
        return self._element.described()

    def has_value(self, name: str | None = None) -> Any:
        """Return whether there is an element, a scalar of bool."""
        return greater(list_length(self._held), 0)

    def get_value(self, name: str | None = None) -> Any:
        """Return the element.

        Raises:
            InvalidArgumentError: there is none.
        """
        words = "get_value: there is no element: call has_value() first"
        check(self.has_value(), ArgumentValueError, words)
        _, *parts = list_get(self._held, 0, (_THERE, *self._element.specs))
        return self._element.packed(parts)

    def __repr__(self) -> str:
        return f"<rt.data.Optional: element_spec={self.element_spec}>"


def _filled(parts: list[Any]) -> Any:
    return list_of(to_tensor(True), *parts, width=1 + len(parts))


# As an argument of a function, or a loop variable, an Optional is its list.
nest.register(
    Optional,
    lambda optional: (optional._held,),
    lambda optional, held: Optional(optional._element, *held),
    form=lambda optional: optional._element,
)
