"""`raise` of one of several exceptions, or of one that is present on some paths only.

error = ValueError("a") if c else KeyError("b")      %made = cond(c, make_error, make_error)
raise error                                    ->    raise_again(%made)
"""

from __future__ import annotations

from typing import Any

import runtime as rt
from autograph.backends.graph.exceptions.caught_exception import CaughtError
from autograph.backends.graph.exceptions.exception_sources import RaisingNode, source_of_pattern
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.values.one_of_objects import OneOfObjects
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.errors import StagingError
from runtime.core.context import caller_origin
from runtime.diagnostics.exceptions import ExceptionPattern
from runtime.ops.effects.raising import make_error

_NONE = "exceptions must derive from BaseException"


def raised_value(value: Any) -> object:
    """Return the exception to raise for the value of a `raise`.

    Raises:
        StagingError: the value is one of several objects, and not all of them are exceptions.
    """
    if isinstance(value, OptionalValue):
        value = value.require_value(_NONE)
    if not isinstance(value, OneOfObjects):
        return value
    if not all(map(_is_exception, value.options)):
        raise StagingError(
            "one of several objects is raised here, and not all of them are exceptions: raise each "
            "where it is chosen",
            user_location(),
        )
    errors = [each() if isinstance(each, type) else each for each in value.options]
    sources = [_source_of(error) for error in errors]
    return CaughtError(_chosen(value.index, errors), sources)


def _chosen(index: rt.Tensor, errors: list[BaseException]) -> rt.Tensor:
    """Return a tensor that contains the exception at an index."""
    before = [origin] if (origin := caller_origin()) is not None else []
    first, *others = errors
    if not others:
        return make_error(first, before)
    chosen: rt.Tensor = rt.cond(
        rt.equal(index, 0),
        lambda: make_error(first, before),
        lambda: _chosen(rt.subtract(index, 1), others),
    )
    return chosen


def _source_of(error: BaseException) -> RaisingNode:
    tensors: list[rt.Tensor] = []
    return source_of_pattern(ExceptionPattern(error, tensors), tensors, (type(error),))


def _is_exception(value: object) -> bool:
    kind = value if isinstance(value, type) else type(value)
    return issubclass(kind, BaseException)
