"""Writers of summaries; the default writer, step and recording condition."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

from runtime.core.context import recording
from runtime.core.dtypes import bool_, int64
from runtime.core.files import StrPath
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import (
    ArgumentValueError,
    ClosedError,
    DTypeError,
    ShapeError,
)
from runtime.ops.arguments import static_value
from runtime.ops.constant import cast, constant
from runtime.ops.convert import is_tensor_like, to_tensor
from runtime.ops.op import apply, define
from runtime.summary.event_file import EventFile, close_abandoned, close_with


@dataclass(frozen=True)
class DefaultWriter:
    """The defaults of summaries.

    Attributes:
        writer: the default writer, or None.
        step: the default step, or None.
        condition: a bool, a tensor or a function without arguments that returns one.
    """

    writer: SummaryWriter | None = None
    step: Any = None
    condition: Any = True


_NOTHING = DefaultWriter()
_CURRENT: ContextVar[DefaultWriter] = ContextVar("summaries", default=_NOTHING)

current = _CURRENT.get
"""Return the defaults of the moment."""


def change(**values: Any) -> None:
    """Change the defaults."""
    _CURRENT.set(replace(current(), **values))


@contextmanager
def changed(**values: Any) -> Iterator[None]:
    """Return a context manager in which these defaults are others."""
    before = current()
    _CURRENT.set(replace(before, **values))
    try:
        yield
    finally:
        _CURRENT.set(before)


@contextmanager
def record_if(condition: TensorLike) -> Iterator[None]:
    """Return a context manager in which summaries are written only if `condition` is true.

    Args:
        condition: a bool, a scalar bool tensor, or a function without arguments that returns one
            and is called for every summary.

    >>> with record_if(False):
    ...     current().condition
    False
    """
    with changed(condition=condition):
        yield


def should_record_summaries() -> Tensor:
    """Return whether a summary that is written now is recorded, as a scalar bool tensor.

    It is false without a default writer, else the condition of `record_if`.

    >>> bool(should_record_summaries())  # no writer is the default
    False
    """
    if current().writer is None:
        return constant(False)
    return condition()


def condition() -> Tensor:
    """Return the result of the condition of `record_if`, as a scalar bool tensor."""
    given: Any = current().condition
    tensor = to_tensor(given() if callable(given) and not isinstance(given, Tensor) else given)
    if tensor.dtype is not bool_:
        raise DTypeError(f"the condition of record_if must be bool, not {tensor.dtype.name}")
    if tensor.shape.rank not in (0, None):
        raise ShapeError(
            f"the condition of record_if must be a scalar, not of shape {tensor.shape}"
        )
    return tensor


def step_or_default(step: Any) -> Tensor:
    """Return a step as a tensor; None means the default step.

    Raises:
        ArgumentValueError: there is no default step.
        DTypeError, ShapeError: it is not one whole number.
    """
    given = current().step if step is None else step
    if given is None:
        raise ArgumentValueError(
            "a summary needs a step: give step=..., or call summary.experimental.set_step(...)"
        )
    tensor = to_tensor(given)
    if not tensor.dtype.is_integer:
        raise DTypeError(
            f"a step must be an integer, not {tensor.dtype.name}: write rt.cast(x, rt.int64)"
        )
    if tensor.shape.rank not in (0, None):
        raise ShapeError(f"a step must be a scalar, not of shape {tensor.shape}")
    return cast(tensor, int64)


# -- summary writers, which create event files -----------------------------------------------------


class SummaryWriter:
    """The writer of summaries; `create_file_writer` and `create_noop_writer` make it.

    Args:
        file: the event file; None for a writer that discards everything.

    Example:
        >>> import tempfile, runtime as rt
        >>> writer = rt.summary.create_file_writer(tempfile.mkdtemp())
        >>> with writer.as_default():
        ...     bool(rt.summary.scalar("loss", 0.5, step=1))
        True
        >>> writer.close()
    """

    def __init__(self, file: EventFile | None) -> None:
        self._file = file
        if file is not None:
            close_with(self, file)

    @contextmanager
    def as_default(self, step: TensorLike | None = None) -> Iterator[SummaryWriter]:
        """Return a context manager in which this is the default writer; it flushes at the end.

        Args:
            step: the default step in the context; None leaves it unchanged.

        Raises:
            ClosedError: the writer is closed.
        """
        self._check_open()
        with changed(writer=self, **({} if step is None else {"step": step})):
            try:
                yield self
            finally:
                self.flush()

    def set_as_default(self, step: TensorLike | None = None) -> None:
        """Make this the default writer.

        Raises:
            ClosedError: the writer is closed.
        """
        self._check_open()
        change(writer=self, **({} if step is None else {"step": step}))

    def init(self) -> None:
        """Do nothing: a new writer is ready."""

    def flush(self) -> None:
        """Write the queued events to the file, in a graph each time this point is reached."""
        apply(FLUSH_SUMMARIES, (), writer=self)

    def close(self) -> None:
        """Write the queued events and close the file, in a graph each time it is reached."""
        apply(CLOSE_SUMMARIES, (), writer=self)

    # -- at run time -------------------------------------------------------------------------------

    def put(self, **values: object) -> None:
        """Add an event with these fields to the file."""
        close_abandoned()
        if self._file is not None:
            self._file.put(**values)

    def flush_now(self) -> None:
        """Write the queued events."""
        close_abandoned()
        if self._file is not None:
            self._file.flush()

    def close_now(self) -> None:
        """Write the queued events and close the file."""
        if self._file is not None:
            self._file.close()

    def _check_open(self) -> None:
        if self._file is not None and self._file.is_closed:
            raise ClosedError(f"{self} is closed: make another one with create_file_writer")

    def __copy__(self) -> SummaryWriter:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> SummaryWriter:
        # A writer is never copied: a copy would write into the same file.
        return self

    def __repr__(self) -> str:
        if self._file is None:
            return "<SummaryWriter of nothing>"
        return f"<SummaryWriter {self._file.path.parent.name!r}>"


def create_file_writer(
    logdir: StrPath,
    max_queue: object = None,
    flush_millis: object = None,
    filename_suffix: object = None,
    name: str | None = None,
    experimental_trackable: bool = False,
    experimental_mesh: object = None,
) -> SummaryWriter:
    """Return a writer of a new event file, which TensorBoard shows.

    While a graph is recorded, the file is created immediately: once per trace, not once per run.

    Args:
        logdir: the folder, created if missing.
        max_queue: the number of events that may be queued before a write; 10 by default.
        flush_millis: the milliseconds that events may be queued; 120000 by default.
        filename_suffix: the end of the file's name; `.v2` by default.
        name, experimental_trackable, experimental_mesh: not used.

    Raises:
        ArgumentValueError, DTypeError: `logdir` is None or not a text, or a number is negative.
        NotFoundError, PermissionDeniedError, ResourceExhaustedError: the file cannot be created.

    Example:
        >>> import os, tempfile, runtime as rt
        >>> folder = tempfile.mkdtemp()
        >>> writer = rt.summary.create_file_writer(folder)
        >>> with writer.as_default():
        ...     rt.summary.scalar("loss", 0.5, step=1)
        <rt.Tensor: shape=(), dtype=bool, numpy=True>
        >>> writer.close()
        >>> [name.startswith("events.out.tfevents.") for name in os.listdir(folder)]
        [True]
    """
    if logdir is None:
        raise ArgumentValueError("logdir is None: give the folder for the event file")
    with recording(None):
        return SummaryWriter(
            EventFile(
                _text(logdir, "logdir"),
                _count(max_queue, 10, "max_queue"),
                _count(flush_millis, 2 * 60 * 1000, "flush_millis"),
                ".v2" if filename_suffix is None else _text(filename_suffix, "filename_suffix"),
            )
        )


def create_noop_writer() -> SummaryWriter:
    """Return a writer that discards everything.

    >>> create_noop_writer()
    <SummaryWriter of nothing>
    """
    return SummaryWriter(None)


def _text(value: Any, what: str) -> str:
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, Tensor):
        array = static_value(value)
        value = array.item() if array is not None and array.size == 1 else value
    if isinstance(value, bytes):
        return os.fsdecode(value)
    if not isinstance(value, str):
        raise DTypeError(f"{what} must be a string that is known while tracing, not {value!r}")
    return value


def _count(value: Any, default: int, what: str) -> int:
    if value is None:
        return default
    known: Any = static_value(to_tensor(value)) if is_tensor_like(value) else value
    if isinstance(known, bool) or not hasattr(known, "__index__"):
        raise DTypeError(f"{what} must be an int that is known while tracing, not {value!r}")
    if int(known) < 0:
        raise ArgumentValueError(f"{what} must be at least 0, not {int(known)}")
    return int(known)


# -- ops -------------------------------------------------------------------------------------------


def _flush_kernel(*, writer: SummaryWriter) -> tuple[()]:
    writer.flush_now()
    return ()


def _close_kernel(*, writer: SummaryWriter) -> tuple[()]:
    writer.close_now()
    return ()


def _nothing(*, writer: SummaryWriter) -> tuple[()]:
    return ()


FLUSH_SUMMARIES = define("flush_summaries", _flush_kernel, _nothing, effects="io", n_outputs=0)
CLOSE_SUMMARIES = define("close_summaries", _close_kernel, _nothing, effects="io", n_outputs=0)
