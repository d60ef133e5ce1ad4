"""An exception of a signal handler during tracing propagates at once."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

import autograph as ag
import runtime as rt


class Late(Exception):
    pass


class Stop(BaseException):
    pass


RAISED = (Late, Stop, KeyboardInterrupt, SystemExit)


def interrupted(x):
    if x > 0:
        signal.raise_signal(signal.SIGUSR1)
        return x
    return -x


def interrupted_in_try(x):
    try:
        y = rt.gather(rt.constant([1, 2]), x)
        signal.raise_signal(signal.SIGUSR1)
    except IndexError:
        y = x
    return y


def interrupted_in_loop(x):
    while x > 0:
        signal.raise_signal(signal.SIGUSR1)
        x -= 1
    return x


@pytest.fixture
def handled(kind: type[BaseException]) -> Iterator[None]:
    def raise_it(number: int, frame: object) -> None:
        raise kind

    before = signal.signal(signal.SIGUSR1, raise_it)
    yield
    signal.signal(signal.SIGUSR1, before)


@pytest.mark.parametrize("kind", RAISED)
@pytest.mark.parametrize("function", [interrupted, interrupted_in_try, interrupted_in_loop])
def test_a_signal_stops_a_trace(handled: None, function, kind: type[BaseException]) -> None:
    with pytest.raises(kind):
        ag.function(function).get_concrete_function(rt.constant(-1))


@pytest.mark.parametrize("kind", [Stop, KeyboardInterrupt])
def test_a_signal_stops_a_check(handled: None, kind: type[BaseException]) -> None:
    with pytest.raises(kind):
        ag.check(interrupted, [(rt.constant(1),)])


@pytest.mark.parametrize("kind", RAISED)
def test_an_interrupt_raised_by_the_program_is_staged(kind: type[BaseException]) -> None:
    def stops(x):
        if x > 0:
            raise kind
        return x

    staged = ag.function(stops)
    assert int(staged(rt.constant(-1))) == -1
    with pytest.raises(kind):
        staged(rt.constant(1))
