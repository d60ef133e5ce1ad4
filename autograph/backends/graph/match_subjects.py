"""The subject of a `match` for patterns: its type, its alternatives, its items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import runtime as rt
from autograph.backends.graph.containers.dynamic_keys import DynamicDict
from autograph.backends.graph.containers.staged_dict import StagedDict
from autograph.backends.graph.containers.staged_list import StagedList
from autograph.backends.graph.control.case_dispatch import conditional_options
from autograph.backends.graph.control.conditional import staged_choice
from autograph.backends.graph.exceptions.caught_exception import CaughtError, kinds_of
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.tracing.value_tensors import absent_tensors, from_outputs
from autograph.backends.graph.values.dynamic_items import is_staged
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.errors import StagingError

_MISSING = object()


def python_type_of(value: object) -> type:
    """Return `bool`, `int`, `float` or `complex` for a weak scalar; the type of anything else.

    A loop or branch carries the numbers of a program as weak tensors; the type of such a number is
    Python's.
    """
    if not isinstance(value, rt.SymbolicTensor) or not value.weak or value.shape.rank != 0:
        return type(value)
    dtype = value.dtype
    if dtype.is_bool:
        return bool
    if dtype.is_integer:
        return int
    return float if dtype.is_floating else complex if dtype.is_complex else type(value)


def alternatives_of(subject: object) -> Sequence[tuple[object, object]]:
    """Return the alternatives of a subject, each with its condition."""
    if isinstance(subject, OptionalValue):
        inner = alternatives_of(subject.value)
        there = [(_both(subject.present, test), part) for test, part in inner]
        return [*there, (rt.logical_not(subject.present), None)]
    if isinstance(subject, CaughtError):
        return kinds_of(subject)
    return conditional_options(subject)


def split_sequence(
    subject: object, ahead: int, behind: int | None
) -> tuple[rt.Tensor, Sequence[object], object] | None:
    """Return whether a staged list has enough items, the items, and those between them.

    Args:
        subject: the list; for anything else the result is None.
        ahead: the number of items before a starred pattern, or of all items without one.
        behind: the number of items after the starred pattern; None without one.

    Raises:
        StagingError: if it is a deque whose length is known only at run time.
    """
    subject = subject.stands_for if isinstance(subject, StagedList) else subject
    if not is_staged(subject):
        return None
    if not isinstance(subject, list):
        raise StagingError(
            "a deque that grew in a staged statement is compared with a pattern that looks into "
            "it, and its length is known only when the graph runs: match a list of it, as in "
            "list(d)",
            user_location(),
        )
    whole, last = StagedList(subject), behind or 0
    has_as_many = rt.equal if behind is None else rt.greater_equal
    test = has_as_many(whole.length(), ahead + last)
    places = [*range(ahead), *range(-last, 0)]

    def absent_items() -> tuple[object, ...]:
        element = whole.as_dynamic().element
        # Results of ops, as the items are, so that they can be weak.
        return tuple(
            from_outputs(element, [*map(rt.identity, absent_tensors(element))]) for _ in places
        )

    take = lambda: tuple(whole[place] for place in places)  # noqa: E731
    items: Any = staged_choice(test, take, absent_items, "there are as many") if places else ()
    return test, items, None if behind is None else whole[ahead : -last or None]


def item_under(subject: Any, key: object) -> tuple[object, object]:
    """Return whether a mapping has a key, and the value under it, which some paths do not have."""
    if not isinstance(subject, StagedDict) or isinstance(subject, DynamicDict):
        value = subject.get(key, _MISSING)
        return value is not _MISSING, value
    value = dict.get(subject.user_object, key, _MISSING)
    if isinstance(value, PossiblyUnbound):
        return value.defined, value.value
    return value is not _MISSING, value


def _both(present: rt.Tensor, test: Any) -> object:
    return present if test is True else rt.logical_and(present, test)
