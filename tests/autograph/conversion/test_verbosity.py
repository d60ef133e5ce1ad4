"""Log messages of the converter at each level."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.conversion import verbosity


@pytest.fixture(autouse=True)
def quiet_again() -> Iterator[None]:
    yield
    ag.set_verbosity(0)


def use_a_few() -> None:
    # Each time other code objects, since each is told of once.
    namespace: dict[str, Any] = {}
    exec(compile("def without_source(x):\n    return x * 2", "<text>", "exec"), namespace)
    without_source = namespace["without_source"]

    def helper(x: rt.Tensor) -> rt.Tensor:
        return without_source(x) * 2

    def main(x: rt.Tensor) -> rt.Tensor:
        if x > 0:
            x = helper(x)
        return x

    for fn in (helper, main):
        fn.__code__ = fn.__code__.replace()
    ag.function(main)(rt.constant(1.0))


def test_nothing_is_logged_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    use_a_few()
    assert "" == capsys.readouterr().out


@pytest.mark.parametrize(
    ("level", "said"),
    [(1, (True, False, False)), (2, (True, True, False)), (3, (True, True, True))],
)
def test_each_level_logs_more(
    level: int, said: tuple[bool, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    ag.set_verbosity(level, alsologtostdout=True)
    use_a_few()
    out = capsys.readouterr().out
    assert "`use_a_few.<locals>.helper` is converted" in out
    parts = ("main` is converted", "`without_source` stays as it is: ", "ag__.if_stmt(")
    assert said == tuple(part in out for part in parts)


def test_messages_are_logged_and_not_printed_by_default(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    ag.set_verbosity(1)
    with caplog.at_level(logging.INFO, "autograph"):
        use_a_few()
    assert "`use_a_few.<locals>.main` is converted" in caplog.messages
    assert "" == capsys.readouterr().out


def test_the_environment_variable_sets_the_level(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(verbosity._Verbosity, "level", None)
    monkeypatch.setenv("AUTOGRAPH_VERBOSITY", "1")
    with caplog.at_level(logging.INFO, "autograph"):
        use_a_few()
    assert "`use_a_few.<locals>.helper` is converted" in caplog.messages


@pytest.mark.parametrize("asked, level", [("abc", 0), ("-1", 0), ("2.5", 0), (" 2 ", 2), ("", 0)])
def test_an_invalid_level_in_the_environment_warns(
    asked: str, level: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verbosity._Verbosity, "level", None)
    monkeypatch.setenv("AUTOGRAPH_VERBOSITY", asked)
    told = asked.strip() and not asked.strip().isdecimal()
    with pytest.warns(UserWarning, match="is not a level") if told else nullcontext():
        assert level == verbosity._level()


def test_code_that_cannot_be_converted_is_logged(capsys: pytest.CaptureFixture[str]) -> None:
    def made(x: rt.Tensor) -> rt.Tensor:
        return x * 2

    made.__code__ = made.__code__.replace(co_firstlineno=10**6)
    ag.set_verbosity(1, alsologtostdout=True)
    ag.function(lambda x: made(x))(rt.constant(1.0))
    assert "made` stays as it is: " in capsys.readouterr().out


@pytest.mark.parametrize("level", [-1, 1.5, "2", True])
def test_an_invalid_level_is_refused(level: object) -> None:
    with pytest.raises(ag.errors.ConversionError, match="takes a level of 0, 1, 2 or 3"):
        ag.set_verbosity(level)  # type: ignore[arg-type]


def test_trace_prints_while_tracing_only(capsys: pytest.CaptureFixture[str]) -> None:
    @ag.function
    def double(x: rt.Tensor) -> rt.Tensor:
        ag.trace("tracing", 1)
        return x * 2

    assert [2, 4] == [double(rt.constant(n)).numpy() for n in (1, 2)]
    assert "tracing 1\n" == capsys.readouterr().out
