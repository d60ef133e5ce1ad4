"""The base types of datasets and iterators, for type tests that need not import their code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any


class AnyDataset:
    """A dataset; `rt.data.Dataset` is the class of all there are."""

    __slots__ = ()

    if TYPE_CHECKING:
        element_spec: Any
        plan: Any
        tensors: Any
        begin: Any
        cardinality: Any

        def __len__(self) -> int: ...


class AnyIterator:
    """An iterator over a dataset; `rt.data.Iterator` is the class of all there are."""

    __slots__ = ()

    if TYPE_CHECKING:
        element_spec: Any
        get_next: Any
