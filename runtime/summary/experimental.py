"""The default step of summaries, and scopes of their tags."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from runtime.core.argument_checks import plain_text
from runtime.core.lazy_imports import own_names
from runtime.core.name_scopes import name_scope, scoped
from runtime.core.tensor import TensorLike
from runtime.summary.writer import change, current


def get_step() -> Any:
    """Return the default step as it was set, or None.

    >>> get_step() is None
    True
    """
    return current().step


def set_step(step: TensorLike) -> None:
    """Set the default step.

    Args:
        step: a whole number, a tensor, a variable (a graph then uses its value in each run), or
            None for no default.

    >>> set_step(3)
    >>> get_step()
    3
    >>> set_step(None)
    """
    change(step=step)


@contextmanager
def summary_scope(
    name: str, default_name: str = "summary", values: Sequence[Any] | None = None
) -> Iterator[tuple[str, str]]:
    """Yield the full tag of a summary with this name and its name scope, inside of that scope.

    Args:
        name: the name of the summary; `default_name` replaces a missing one.
        values: no effect here.

    >>> with name_scope("train"), summary_scope("loss") as (tag, scope):
    ...     print(tag, scope)
    train/loss train/loss/
    """
    wanted = plain_text(name, "name", "") or default_name
    tag = scoped(wanted)
    with name_scope(wanted.rstrip("/")) as scope:
        yield tag, scope


__dir__ = own_names(__name__)
