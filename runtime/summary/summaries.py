"""Functions that write summaries, eagerly or as nodes of a graph.

scalar("loss", x, step)   ->   %write_summary = write_summary(%true, %step, %x)
                                   {kind=Scalars, tag='loss', writer=...} : bool
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import bool_
from runtime.core.name_scopes import scoped
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError
from runtime.export.graphdef.attribute_values import tensor_proto
from runtime.graph.structured_control_flow import cond
from runtime.ops.arguments import static_int, static_value
from runtime.ops.constant import constant
from runtime.ops.convert import to_tensor
from runtime.ops.op import apply, define
from runtime.summary.events import Summary, SummaryValue
from runtime.summary.summary_types import (
    Described,
    Histograms,
    Images,
    Scalars,
    Sounds,
    SummaryType,
    Texts,
)
from runtime.summary.writer import SummaryWriter, condition, current, step_or_default


def scalar(
    name: str, data: TensorLike, step: TensorLike | None = None, description: str | None = None
) -> Tensor:
    """Write one number with the default writer.

    Args:
        name: the tag in TensorBoard; name scopes are its prefix.
        data: a real number, or a bool; stored as float32.
        step: a whole number; None means the default step.
        description: text in Markdown.

    Returns:
        A scalar bool tensor: whether it was written. It is false without a default writer, and
            where the condition of `record_if` is false.

    Raises:
        ArgumentValueError: there is a writer, but no step.
        DTypeError, ShapeError: `data` is not a number, or `step` is not one whole number.

    >>> scalar("loss", 0.5, step=1)  # no writer is the default
    <rt.Tensor: shape=(), dtype=bool, numpy=False>
    """
    return _scoped(name, data, step, Scalars(description))


def histogram(
    name: str,
    data: TensorLike,
    step: TensorLike | None = None,
    buckets: int | None = None,
    description: str | None = None,
) -> Tensor:
    """Write the distribution of numbers.

    Args:
        data: real numbers in any shape; those that are not finite are not counted.
        buckets: the number of ranges of equal width; 30 by default.
        name, step, description: as in `scalar`.

    Returns:
        A scalar bool tensor: whether it was written.

    Raises:
        ArgumentValueError: `buckets` is negative.

    >>> import tempfile, runtime as rt
    >>> with rt.summary.create_file_writer(tempfile.mkdtemp()).as_default(step=1):
    ...     bool(histogram("weights", [0.1, 0.2, 0.4], buckets=2))
    True
    """
    count = 30 if buckets is None else static_int(buckets, "buckets")
    if count < 0:
        raise ArgumentValueError(f"buckets must be 0 or more, not {count}")
    return _scoped(name, data, step, Histograms(description, count))


def image(
    name: str,
    data: TensorLike,
    step: TensorLike | None = None,
    max_outputs: int = 3,
    description: str | None = None,
) -> Tensor:
    """Write pictures.

    Args:
        data: [pictures, height, width, channels], with 1 to 4 channels: gray; gray and alpha; red,
            green and blue; or these and alpha. Floats range from 0 to 1, integers from
            0 to the largest of their dtype; others are clipped.
        max_outputs: the maximum number of pictures to write; the first ones are written.
        name, step, description: as in `scalar`.

    Returns:
        A scalar bool tensor: whether it was written.

    >>> import tempfile, runtime as rt
    >>> with rt.summary.create_file_writer(tempfile.mkdtemp()).as_default(step=1):
    ...     bool(image("digits", rt.zeros([2, 28, 28, 1])))
    True
    """
    return _scoped(name, data, step, Images(description, _most(max_outputs)))


def text(
    name: str, data: TensorLike, step: TensorLike | None = None, description: str | None = None
) -> Tensor:
    """Write text in Markdown; a tensor of rank 1 or 2 is shown as a table.

    Args:
        data: a string tensor.
        name, step, description: as in `scalar`.

    Returns:
        A scalar bool tensor: whether it was written.

    >>> import tempfile, runtime as rt
    >>> with rt.summary.create_file_writer(tempfile.mkdtemp()).as_default(step=1):
    ...     bool(text("notes", "**important**"))
    True
    """
    return _scoped(name, data, step, Texts(description))


def audio(
    name: str,
    data: TensorLike,
    sample_rate: int,
    step: TensorLike | None = None,
    max_outputs: int = 3,
    encoding: str | None = None,
    description: str | None = None,
) -> Tensor:
    """Write sounds.

    Args:
        data: floats between -1 and 1, of shape [sounds, frames, channels].
        sample_rate: the number of frames per second.
        max_outputs: the maximum number of sounds to write; the first ones are written.
        encoding: "wav" or None, with the same meaning.
        name, step, description: as in `scalar`.

    Returns:
        A scalar bool tensor: whether it was written.

    Raises:
        ArgumentValueError: there is no such encoding or sample rate.

    >>> import tempfile, runtime as rt
    >>> with rt.summary.create_file_writer(tempfile.mkdtemp()).as_default(step=1):
    ...     bool(audio("tone", rt.zeros([1, 100, 1]), sample_rate=8000))
    True
    """
    if encoding not in (None, "wav"):
        raise ArgumentValueError(f"encoding must be 'wav', not {encoding!r}")
    rate = static_int(sample_rate, "sample_rate")
    if not 0 < rate < 1 << 31:
        raise ArgumentValueError(f"sample_rate must be at least 1, in frames a second, not {rate}")
    return _scoped(name, data, step, Sounds(description, rate, _most(max_outputs)))


def write(
    tag: str,
    tensor: TensorLike,
    step: TensorLike | None = None,
    metadata: object = None,
    name: str | None = None,
) -> Tensor:
    """Write a tensor unchanged.

    Args:
        tag: its tag, without a prefix.
        tensor: a value convertible to a tensor, or a function without arguments that returns one
            and is called only if the summary is written.
        step: a whole number; None means the default step.
        metadata: the metadata in the file: a message with `SerializeToString`, or its bytes.
        name: not used.

    Returns:
        A scalar bool tensor: whether it was written.

    >>> import tempfile, runtime as rt
    >>> with rt.summary.create_file_writer(tempfile.mkdtemp()).as_default(step=1):
    ...     bool(write("numbers", [1, 2]))
    True
    """
    return _written(tag, tensor, step, Described(None, _metadata(metadata)))


def flush(writer: SummaryWriter | None = None, name: str | None = None) -> None:
    """Flush the queue of a writer, by default of the default one.

    >>> import tempfile, runtime as rt
    >>> with rt.summary.create_file_writer(tempfile.mkdtemp()).as_default(step=1):
    ...     written = scalar("loss", 0.5)
    ...     flush()
    """
    chosen = current().writer if writer is None else writer
    if chosen is not None:
        chosen.flush()


def _scoped(name: str, data: Any, step: Any, kind: SummaryType) -> Tensor:
    """Write under a tag with the name scopes around it in front."""
    return _written(scoped(_checked_tag(name)), data, step, kind)


def _checked_tag(tag: Any) -> str:
    if not isinstance(tag, str):
        raise DTypeError(f"the name of a summary must be text, not {tag!r}")
    return tag


def _written(tag: str, data: Any, step: Any, kind: SummaryType) -> Tensor:
    _checked_tag(tag)
    writer = current().writer
    if writer is None:
        return constant(False)
    recorded = condition()
    known = static_value(recorded)
    if known is not None and not known:
        return constant(False)
    number = step_or_default(step)
    if not _is_function(data):
        return _record(recorded, number, data, tag, kind, writer)
    if known is not None:
        return _record(recorded, number, data(), tag, kind, writer)
    found: Tensor = cond(
        recorded,
        lambda: _record(recorded, number, data(), tag, kind, writer),
        lambda: constant(False),
    )
    return found


def _is_function(data: Any) -> bool:
    return callable(data) and not hasattr(data, "__rt_tensor__") and not isinstance(data, Tensor)


def _record(
    recorded: Tensor, step: Tensor, data: Any, tag: str, kind: SummaryType, writer: SummaryWriter
) -> Tensor:
    inputs = (recorded, step, to_tensor(data))
    written: Tensor = apply(WRITE_SUMMARY, inputs, writer=writer, tag=tag, kind=kind)
    return written


def _most(max_outputs: Any) -> int:
    return max(0, static_int(max_outputs, "max_outputs"))


def _metadata(given: Any) -> bytes:
    if given is None or isinstance(given, bytes):
        return given or b""
    if not hasattr(given, "SerializeToString"):
        raise DTypeError(f"metadata must be a message or its bytes, not {given!r}")
    found: bytes = given.SerializeToString()
    return found


# -- op --------------------------------------------------------------------------------------------


def _kernel(
    recorded: Array, step: Array, data: Array, *, writer: SummaryWriter, tag: str, kind: SummaryType
) -> Array:
    kind.check(TensorSpec.of_array(data))
    if recorded:
        value = SummaryValue(
            tag=tag, metadata=kind.metadata, tensor=tensor_proto(kind.stored(data))
        )
        writer.put(step=int(step), summary=Summary(value=[value]))
    return np.array(bool(recorded))


def _infer(recorded: TensorSpec, step: TensorSpec, data: TensorSpec, **attrs: Any) -> TensorSpec:
    attrs["kind"].check(data)
    return TensorSpec((), bool_)


WRITE_SUMMARY = define("write_summary", _kernel, _infer, effects="io")
