"""The default writer, step and recording condition of summaries."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from runtime.core.dtypes import bool_, int64
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops.constant import cast, constant
from runtime.ops.convert import to_tensor

if TYPE_CHECKING:
    from runtime.summary.writer import SummaryWriter


@dataclass(frozen=True)
class DefaultWriter:
    """The defaults of summaries.

    Attributes:
        writer: where they go, None for nowhere.
        step: the step they belong to, None if there is none.
        condition: a bool, a tensor or a function of no arguments that gives one.
    """

    writer: SummaryWriter | None = None
    step: Any = None
    condition: Any = True


_NOTHING = DefaultWriter()
_CURRENT: ContextVar[DefaultWriter] = ContextVar("summaries", default=_NOTHING)

current = _CURRENT.get
"""Return the defaults of the moment."""


def change(**values: Any) -> None:
    """Change defaults from now on."""
    _CURRENT.set(replace(current(), **values))


@contextmanager
def changed(**values: Any) -> Iterator[None]:
    """Have other defaults for a while."""
    before = current()
    _CURRENT.set(replace(before, **values))
    try:
        yield
    finally:
        _CURRENT.set(before)


@contextmanager
def record_if(condition: Any) -> Iterator[None]:
    """Have summaries written for a while only where `condition` is true.

    Args:
        condition: a bool, a scalar bool tensor, or a function of no arguments that gives one and
            is asked for every summary.

    >>> with record_if(False):
    ...     current().condition
    False
    """
    with changed(condition=condition):
        yield


def should_record_summaries() -> Tensor:
    """Return, as a scalar bool tensor, whether a summary written here is recorded.

    That is false without a default writer, else what the condition of `record_if` says.
    """
    if current().writer is None:
        return constant(False)
    return condition()


def condition() -> Tensor:
    """Return the result of the condition of `record_if`, as a scalar bool tensor."""
    given: Any = current().condition
    tensor = to_tensor(given() if callable(given) and not isinstance(given, Tensor) else given)
    if tensor.dtype is not bool_:
        raise DTypeError(f"the condition of record_if is {tensor.dtype.name}, not bool")
    if tensor.shape.rank not in (0, None):
        raise ShapeError(f"the condition of record_if has shape {tensor.shape}, not ()")
    return tensor


def step_or_default(step: Any) -> Tensor:
    """Return a step as a tensor, the default one where none is given.

    Raises:
        ArgumentValueError: there is none.
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
            f"a step is an integer, not {tensor.dtype.name}: write rt.cast(x, rt.int64)"
        )
    if tensor.shape.rank not in (0, None):
        raise ShapeError(f"a step is a scalar, not of shape {tensor.shape}")
    return cast(tensor, int64)
