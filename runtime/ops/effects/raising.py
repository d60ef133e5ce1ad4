"""The `raise` op: raises an exception when the graph reaches it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.core.argument_checks import shown
from runtime.core.context import Origin
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor
from runtime.core.variant import VARIANT, boxed
from runtime.diagnostics.exceptions import ExceptionPattern
from runtime.errors import DTypeError
from runtime.ops.op import apply, define


class RaiseTemplate:
    """The template of an exception that each run raises anew, with the line of the `raise`.

    Args:
        pattern: the exception, with gaps for tensors.
        is_again: whether it is the exception being handled, which is raised again.
    """

    def __init__(self, pattern: ExceptionPattern, is_again: bool = False) -> None:
        self.pattern = pattern
        self.is_again = is_again

    def instantiate(self, arrays: Sequence[Array]) -> BaseException:
        """Return the exception of one run, for the values of its tensors."""
        error = self.pattern.make(arrays)
        held = object.__getattribute__(error, "__dict__")
        if self.is_again:
            held["_raised_again"] = True
        if self.pattern.lines:
            # Added here, since the node has the line of the branch, not of the `raise`.
            notes, place = held.get("__notes__", []), f"  at {self.pattern.lines[-1]}"
            if held.get("origin") is None:
                held["__notes__"] = notes if place in notes else [*notes, place]
            held["_located"] = True
        return error

    def __repr__(self) -> str:
        return repr(self.pattern)


def raise_error(
    error: BaseException, before: Sequence[Origin] = (), is_again: bool = False
) -> None:
    """Raise `error` now, or in a graph each time this point is reached.

    Args:
        error: the exception. Its class, arguments, attributes, notes, cause and context are kept;
            tensors in them have their values at run time. Its class is not called again.
        before: positions of the user's calls that led to the first one in its traceback.
        is_again: whether it is the exception being handled, which is raised again.

    >>> raise_error(KeyError("k"))
    Traceback (most recent call last):
    KeyError: 'k'
    """
    if not isinstance(error, BaseException):
        raise DTypeError(f"raise_error takes an exception, not {shown(error)}")
    tensors: list[Tensor] = []
    raised = RaiseTemplate(ExceptionPattern(error, tensors, before=before), is_again)
    apply(RAISE, tensors, exception=raised)


def make_error(error: BaseException, before: Sequence[Origin] = ()) -> Tensor:
    """Return a tensor with an exception that each run makes anew; see `raise_error`."""
    tensors: list[Tensor] = []
    raised = RaiseTemplate(ExceptionPattern(error, tensors, before=before))
    made: Tensor = apply(MAKE, tensors, exception=raised)
    return made


def _make_kernel(*arrays: Array, exception: RaiseTemplate) -> Array:
    return boxed(exception.instantiate(arrays))


def _made(*specs: Any, exception: RaiseTemplate) -> TensorSpec:
    return VARIANT


def _raise_kernel(*arrays: Array, exception: RaiseTemplate) -> tuple[()]:
    raise exception.instantiate(arrays)


def _no_results(*specs: Any, **attrs: Any) -> tuple[()]:
    return ()


MAKE = define("make_error", _make_kernel, _made)
RAISE = define(
    "raise", _raise_kernel, _no_results, effects="io", tensorflow_name="Assert", n_outputs=0
)
