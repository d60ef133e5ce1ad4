"""Kinds of summaries: their arguments, their stored form and their TensorBoard plugin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.errors import DTypeError, ShapeError
from runtime.summary.encodings import COLOUR_TYPES, as_bytes, bucket_rows, png, wav
from runtime.summary.events import BLOB_SEQUENCE, SCALAR, TENSOR, PluginData, SummaryMetadata


@dataclass(frozen=True)
class SummaryType:
    """A tensor with metadata for its display.

    Attributes:
        description: a text in Markdown for the reader.
    """

    description: str | None = None

    PLUGIN: ClassVar[str] = ""
    CONTENT: ClassVar[bytes] = b""
    DATA_CLASS: ClassVar[int] = 0
    DTYPES: ClassVar[str] = "biufcO"
    RANK: ClassVar[int | None] = None
    WORDS: ClassVar[str] = "a summary"

    def check(self, spec: TensorSpec) -> None:
        """Raise DTypeError or ShapeError if a tensor is not of this kind."""
        if spec.dtype.kind not in self.DTYPES:
            raise DTypeError(f"{self.WORDS} cannot have dtype {spec.dtype.name}")
        rank = spec.shape.rank
        if self.RANK is not None and rank is not None and rank != self.RANK:
            raise ShapeError(f"{self.WORDS} must have rank {self.RANK}, not shape {spec.shape}")

    def stored(self, array: Array) -> Array:
        """Return the array that the file stores for a value."""
        return array

    @property
    def metadata(self) -> bytes:
        """The file's description of the values, as bytes of the message."""
        return SummaryMetadata(
            plugin_data=PluginData(plugin_name=self.PLUGIN, content=self.CONTENT),
            summary_description=self.description or "",
            data_class=self.DATA_CLASS,
        ).SerializeToString()

    def __str__(self) -> str:
        return type(self).__name__


@dataclass(frozen=True)
class Described(SummaryType):
    """A tensor with metadata from the caller."""

    given: bytes = b""

    @property
    def metadata(self) -> bytes:
        """The caller's description of the values."""
        return self.given


@dataclass(frozen=True)
class Scalars(SummaryType):
    """A summary of one number."""

    PLUGIN: ClassVar[str] = "scalars"
    DATA_CLASS: ClassVar[int] = SCALAR
    DTYPES: ClassVar[str] = "biuf"
    RANK: ClassVar[int | None] = 0
    WORDS: ClassVar[str] = "a scalar summary"

    def stored(self, array: Array) -> Array:
        """Return the number as float32."""
        return array.astype(np.float32)


@dataclass(frozen=True)
class Histograms(SummaryType):
    """A summary of numbers as a histogram."""

    buckets: int = 30

    PLUGIN: ClassVar[str] = "histograms"
    DATA_CLASS: ClassVar[int] = TENSOR
    DTYPES: ClassVar[str] = "biuf"
    WORDS: ClassVar[str] = "a histogram"

    def stored(self, array: Array) -> Array:
        """Return edges and counts."""
        return bucket_rows(array, self.buckets)


@dataclass(frozen=True)
class Images(SummaryType):
    """A summary of images, of which the first ones are shown."""

    max_outputs: int = 3

    PLUGIN: ClassVar[str] = "images"
    DATA_CLASS: ClassVar[int] = BLOB_SEQUENCE
    DTYPES: ClassVar[str] = "biuf"
    RANK: ClassVar[int | None] = 4
    WORDS: ClassVar[str] = "an image summary"

    def check(self, spec: TensorSpec) -> None:
        """Also check the number of channels."""
        super().check(spec)
        channels = None if spec.shape.rank is None else spec.shape.as_list()[3]
        if channels is not None and channels not in COLOUR_TYPES:
            raise ShapeError(
                f"an image must have 1 to 4 channels, not {channels}: shape {spec.shape}"
            )

    def stored(self, array: Array) -> Array:
        """Return width and height as texts, followed by PNG files."""
        _, height, width, _ = array.shape
        files = [png(as_bytes(array[at, ...])) for at in range(min(self.max_outputs, len(array)))]
        return _texts([str(width).encode(), str(height).encode(), *files])


@dataclass(frozen=True)
class Texts(SummaryType):
    """Text in Markdown; a tensor of texts is a table."""

    PLUGIN: ClassVar[str] = "text"
    DATA_CLASS: ClassVar[int] = TENSOR
    DTYPES: ClassVar[str] = "O"
    WORDS: ClassVar[str] = "a text summary"


@dataclass(frozen=True)
class Sounds(SummaryType):
    """A summary of sounds, of which the first ones can be played."""

    rate: int = 0
    max_outputs: int = 3

    PLUGIN: ClassVar[str] = "audio"
    # The encoding: WAV.
    CONTENT: ClassVar[bytes] = b"\x10\x0b"
    DATA_CLASS: ClassVar[int] = BLOB_SEQUENCE
    DTYPES: ClassVar[str] = "f"
    RANK: ClassVar[int | None] = 3
    WORDS: ClassVar[str] = "an audio summary"

    def check(self, spec: TensorSpec) -> None:
        """Also check the number of channels."""
        super().check(spec)
        if spec.shape.rank is not None and spec.shape.as_list()[2] == 0:
            raise ShapeError(f"a sound must have at least one channel: shape {spec.shape}")

    def stored(self, array: Array) -> Array:
        """Return pairs of a WAV file and an empty text."""
        count = min(self.max_outputs, len(array))
        files = [wav(array[at, ...], self.rate) for at in range(count)]
        return _texts([each for file in files for each in (file, b"")]).reshape(count, 2)


def _texts(items: list[bytes]) -> Array:
    array = np.empty(len(items), object)
    array[:] = items
    return array
