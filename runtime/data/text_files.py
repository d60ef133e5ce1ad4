"""Datasets of the lines of text files, and of file names."""

from __future__ import annotations

import glob
import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, SupportsIndex

import numpy as np

from runtime.core.argument_checks import flag, plain_text
from runtime.core.dtypes import string
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.data.cursors import CountedIterator, Cursor
from runtime.data.dataset import Dataset
from runtime.data.element_spec import Element
from runtime.data.plan import Arrays, DatasetSource
from runtime.errors import (
    ArgumentValueError,
    DTypeError,
    NotFoundError,
    PermissionDeniedError,
    UnimplementedError,
    of_tracing,
)
from runtime.ops.arguments import static_value
from runtime.ops.arrays.shape import rank
from runtime.ops.convert import to_tensor
from runtime.ops.data.datasets import Item
from runtime.ops.effects.assertions import assert_less

_OPENERS: dict[str, Any] = {"": open, "GZIP": gzip.open}
_LINE = Element(TensorSpec((), string))


@dataclass(frozen=True)
class TextLines(DatasetSource):
    """The lines of files, one file after the other; the tensor has their names.

    Attributes:
        compression: the compression of the files.
    """

    compression: str

    def cursor(self, arrays: Arrays) -> Cursor:
        return CountedIterator(lambda: _lines(arrays[0].ravel().tolist(), self.compression))

    def __str__(self) -> str:
        return "TextLineDataset"


def _lines(names: list[bytes], compression: str) -> Iterator[Item]:
    for name in names:
        try:
            with _OPENERS[compression](name, "rb") as file:
                for line in file:
                    # TensorFlow reads the line ends of all systems in this way.
                    yield (_text(line.rstrip(b"\n").replace(b"\r", b"")),)
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            raise NotFoundError(f"there is no file '{name.decode(errors='replace')}'") from None
        except PermissionError:
            raise PermissionDeniedError(
                f"the file '{name.decode(errors='replace')}' may not be read"
            ) from None


def _text(line: bytes) -> Any:
    array = np.empty((), object)
    array[()] = line
    return array


def TextLineDataset(
    filenames: TensorLike,
    compression_type: str | None = None,
    buffer_size: SupportsIndex | None = None,
    num_parallel_reads: SupportsIndex | None = None,
    name: str | None = None,
) -> Dataset[Tensor]:
    """Return the lines of text files, without their line ends.

    Args:
        filenames: a name, names in a list or string tensor, or a dataset of names.
        compression_type: "GZIP" for gzipped files.
        buffer_size, num_parallel_reads: no effect here.

    Raises:
        NotFoundError, PermissionDeniedError: a file cannot be read; raised on use of a line.
        UnimplementedError: `compression_type` is not "", None or "GZIP".

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     _ = file.write(b"one\\r\\ntwo")
    ...     file.flush()
    ...     [line.numpy() for line in TextLineDataset(file.name)]
    [b'one', b'two']
    """
    compression = plain_text(compression_type, "compression_type", "")
    if compression not in _OPENERS:
        raise UnimplementedError(f"TextLineDataset reads plain files and GZIP, not {compression!r}")
    if isinstance(filenames, Dataset):
        return filenames.flat_map(lambda each: TextLineDataset(each, compression))
    names = _names(filenames, "filenames")
    return Dataset(TextLines(_LINE, compression), (names,))


def list_files(
    file_pattern: Any, shuffle: bool | None = None, seed: Any = None, name: str | None = None
) -> Dataset[Tensor]:
    """Return the names of the files that patterns match, such as `"logs/*.txt"`.

    Args:
        file_pattern: a pattern, or a list of patterns.
        shuffle: whether names come in random order, the default; else they are sorted.
        seed: the seed of the order.

    Raises:
        ArgumentValueError: no file matches.
    """
    tensor = _names(file_pattern, "file_pattern")
    known = static_value(tensor)
    if known is None:
        raise of_tracing(DTypeError("list_files: file_pattern must be known while tracing"))
    patterns = known.ravel().tolist()
    found = sorted({path for each in patterns for path in glob.glob(each)})
    if not found:
        shown = ", ".join(each.decode(errors="replace") for each in patterns)
        raise ArgumentValueError(f"list_files: no file matches {shown}")
    files = Dataset.from_tensor_slices(found)
    is_random = shuffle is None or flag(shuffle, "shuffle")
    return files.shuffle(len(found), seed) if is_random else files


def _names(given: Any, what: str) -> Tensor:
    if hasattr(given, "__fspath__"):
        given = str(given)
    elif isinstance(given, (list, tuple)):
        given = [str(each) if hasattr(each, "__fspath__") else each for each in given]
    tensor = to_tensor(given)
    if tensor.dtype is not string or tensor.shape.rank not in (None, 0, 1):
        raise DTypeError(f"{what} must be a string or a list of strings, not {given!r}")
    if tensor.shape.rank is None:
        assert_less(rank(tensor), 2, f"{what} must be a string or a list of strings")
    return tensor


# A method of Dataset, defined here since it uses other methods.
Dataset.list_files = staticmethod(list_files)  # type: ignore[attr-defined]
