"""Methods of lists and deques that grew in a graph, called with arguments Python does not take."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import StagingError

CALLS: dict[str, Callable[[Any], object]] = {
    "append": lambda items: items.append(1, 2),
    "append nothing": lambda items: items.append(),
    "pop": lambda items: items.pop(1, 2),
    "extend": lambda items: items.extend(),
    "sort": lambda items: items.sort(lambda item: item),
    "reverse": lambda items: items.reverse(key=1),
    "insert": lambda items: items.insert(1),
}
CALLS_OF_DEQUES: dict[str, Callable[[Any], object]] = {
    "append": lambda items: items.append(1, 2),
    "appendleft": lambda items: items.appendleft(),
    "popleft": lambda items: items.popleft(1),
    "rotate": lambda items: items.rotate(1, 2),
}


def after_growing(items: Any, call: Callable[[Any], object]) -> Callable[[Any], object]:
    def grown(n: Any) -> object:
        made = items()
        while n > 0:
            made.append(n)
            n = n - 1
        return call(made)

    return grown


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_wrong_arguments_raise_the_errors_of_a_list(call: Callable[[Any], object]) -> None:
    refuse_as_python(after_growing(list, call))


@pytest.mark.parametrize("call", CALLS_OF_DEQUES.values(), ids=CALLS_OF_DEQUES)
def test_wrong_arguments_raise_the_errors_of_a_deque(
    call: Callable[[Any], object],
) -> None:
    refuse_as_python(after_growing(deque, call))


def refuse_as_python(function: Callable[[Any], object]) -> None:
    with pytest.raises(TypeError) as expected:
        function(2)
    with pytest.raises(TypeError) as raised:
        ag.function(function)(rt.constant(2))
    assert str(raised.value).splitlines()[0] == str(expected.value)


def test_unsupported_arguments_are_refused_by_name() -> None:
    with pytest.raises(StagingError, match=r"^index\(\) of a list"):
        ag.function(after_growing(list, lambda items: items.index(1, 0)))(rt.constant(2))
