"""Which of Python's own values are state that calls can read and write as they do tensors."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from autograph.backends.graph.program.contents import is_a, users_classes
from autograph.function.places import ABSENT
from runtime.tensor import EagerTensor

LISTS = (list, deque)
# What changes in an object next to a tensor, or is looked at, is the object's state as well.
NUMBERS_AND_TEXTS = (bool, int, float, str, type(None), type(ABSENT))
_CONTAINERS = (tuple, frozenset, list, dict, set, deque)
# What holds more is a table that a program makes once.
_MOST = 1000


def is_value(value: object) -> bool:
    """Tell whether a value is a number, a text, None or a tensor that has a value."""
    return type(value) in (*NUMBERS_AND_TEXTS, EagerTensor)


def is_of_python(value: object, is_known: Callable[[object], bool]) -> bool:
    """Tell whether a value is Python's own: a number, a text, or a container of such.

    Args:
        value: any value.
        is_known: tells whether something was there before the trace; objects and containers that
            were may be in it, too.
    """
    if type(value) in NUMBERS_AND_TEXTS:
        return True
    waiting, seen = [value], dict[int, Any]()
    while waiting:
        each = waiting.pop()
        if is_value(each) and each is not value:
            continue
        if is_known(each):
            if not users_classes(each) and not is_a(each, _CONTAINERS):
                return False
            continue
        if type(each) not in _CONTAINERS or len(seen) > _MOST:
            return False
        if id(each) not in seen:
            seen[id(each)] = each
            waiting.extend(_parts(each))
    return len(seen) <= _MOST


def _parts(container: Any) -> Iterable[object]:
    if len(container) > _MOST:
        return (_parts,)  # This is no value of Python's.
    return container.values() if isinstance(container, dict) else container
