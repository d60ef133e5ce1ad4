"""What a caught exception is if it is one of a class, or one with an attribute.

except (Busy, KeyError) as e:
    match e:
        case Busy(wait=s): ...        s is there if the exception is a Busy
    getattr(e, "wait", 0)             else 0
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import runtime as rt
from autograph.backends.graph.control.conditional import staged_choice
from autograph.backends.graph.exceptions.caught_exception import CaughtError
from autograph.backends.graph.program.places import user_place
from autograph.errors import StagingError


def kinds_of(error: CaughtError) -> list[tuple[Any, CaughtError]]:
    """Return what an exception may be, by its class, each with what tells whether it is that.

    Raises:
        StagingError: if nothing is known of it.
    """
    if error.is_open:
        raise StagingError(
            "the exception caught here may be any that a Python function raises, so that no "
            "pattern can look into it while tracing: ask isinstance(error, ...)",
            user_place(),
        )
    exact = dict.fromkeys(s.kinds[0] for s in error.sources if s.sample is not None)
    if len(exact) + any(source.sample is None for source in error.sources) < 2:
        return [(True, error)]
    found: list[tuple[Any, CaughtError]] = []
    for kind in exact:
        sources = [s for s in error.sources if s.sample is not None and s.kinds[0] is kind]
        found.append((error.is_exactly(kind), error.of(sources)))
    if rest := [source for source in error.sources if source.sample is None]:
        known = reduce(rt.logical_or, [test for test, _ in found])
        found.append((rt.logical_not(known), error.of(rest)))
    return found


def attribute_of(owner: Any, name: Any, *default: object) -> Any:
    """Return `getattr(owner, name, *default)`."""
    if not isinstance(owner, CaughtError) or not default or type(name) is not str:
        return getattr(owner, name, *default)
    having, is_one = owner.having(name)
    if not having and not owner.is_open:
        return default[0]
    if is_one is True:
        return getattr(owner, name)
    part = owner if owner.is_open else owner.of(having)
    return staged_choice(is_one, lambda: getattr(part, name), lambda: default[0], "getattr()")


def has_attribute(owner: Any, name: Any) -> object:
    """Return `hasattr(owner, name)`."""
    if not isinstance(owner, CaughtError) or type(name) is not str:
        return hasattr(owner, name)
    having, is_one = owner.having(name)
    return is_one if having or owner.is_open else False
