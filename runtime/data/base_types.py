"""The base types of datasets and iterators, for `isinstance` tests without importing their code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    # With a default, so that `Dataset` alone is a type too.
    ElementType = TypeVar("ElementType", default=Any, covariant=True)
else:
    from typing import TypeVar

    ElementType = TypeVar("ElementType", covariant=True)


class AnyDataset:
    """The base type of datasets; all are instances of `rt.data.Dataset`."""

    __slots__ = ()

    if TYPE_CHECKING:
        element_spec: Any
        plan: Any
        tensors: Any
        begin: Any
        cardinality: Any

        def __len__(self) -> int: ...


class AnyIterator:
    """The base type of iterators over datasets; all are instances of `rt.data.Iterator`."""

    __slots__ = ()

    if TYPE_CHECKING:
        element_spec: Any
        get_next: Any
