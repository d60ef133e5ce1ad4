"""The length of the tests: the short form of every change, or the long one of `check.py --all`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
IS_LONG = os.environ.get("AUTOGRAPH_LONG_TESTS") == "1"


def sample(items: Sequence[T], step: int) -> Sequence[T]:
    """Return all items in the long form, and every `step`th one in the short form.

    >>> sample(range(6), 1)
    range(0, 6)
    """
    return items if IS_LONG else items[::step]
