"""`PyDataset`: data from a user class, batch by batch."""

from __future__ import annotations

from typing import Any

from runtime.errors import UnimplementedError


class PyDataset:
    """A source of batches for `fit`, `evaluate` and `predict`; a subclass defines them.

    Args:
        workers, use_multiprocessing, max_queue_size: no effect here, since batches are computed one
            after the other, on demand.

    Example:
        >>> class Doubles(PyDataset):
        ...     def __len__(self):
        ...         return 2
        ...     def __getitem__(self, index):
        ...         return [[float(index)]], [[2.0 * index]]
        >>> data = Doubles()
        >>> len(data), data.num_batches, data[1]
        (2, 2, ([[1.0]], [[2.0]]))
    """

    def __init__(
        self, workers: int = 1, use_multiprocessing: bool = False, max_queue_size: int = 10
    ) -> None:
        self.workers = workers
        self.use_multiprocessing = use_multiprocessing
        self.max_queue_size = max_queue_size

    def __len__(self) -> int:
        raise UnimplementedError(
            f"{type(self).__name__} does not say how many batches: define __len__"
        )

    def __getitem__(self, index: int) -> Any:
        """Return a batch: (x,), (x, y) or (x, y, sample_weight)."""
        raise UnimplementedError(
            f"{type(self).__name__} gives no batches: define __getitem__(self, index)"
        )

    @property
    def num_batches(self) -> int | None:
        """The number of batches."""
        return len(self)

    def on_epoch_begin(self) -> None:
        """Called at the beginning of an epoch."""

    def on_epoch_end(self) -> None:
        """Called at the end of an epoch; it may shuffle the batches."""
