"""`tools/check.py`: its steps and its report."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import pytest

from tools import check, interpreters


def _names(tmp_path: Path, **options: object) -> list[str]:
    chosen = argparse.Namespace(**{"fast": False, "all": False, "python": [], **options})
    return [step.name for step in check.steps_of(chosen, tmp_path)]


def test_the_tests_are_the_last_step(tmp_path: Path) -> None:
    expected = ["format", "lint", "layers", "types", "tests"]
    assert expected == _names(tmp_path)


def test_fast_has_the_same_steps_with_fewer_tests(tmp_path: Path) -> None:
    assert _names(tmp_path) == _names(tmp_path, fast=True)
    assert not any(word.startswith("tests/golden") for word in check.UNIT_TESTS)


def test_fast_keeps_the_house_law(tmp_path: Path) -> None:
    options = argparse.Namespace(fast=True, all=False, python=[])
    *_, tests = check.steps_of(options, tmp_path)
    assert "tests/laws/test_house.py" in tests.command
    assert all((check.ROOT / word).exists() for word in tests.command if word.startswith("tests"))


def test_all_adds_the_long_tests_and_the_other_pythons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(interpreters, "found", lambda extra: {"3.12": "python3.12"})
    monkeypatch.setattr(interpreters, "environment", lambda *_: Path("there"))
    steps = [
        "format",
        "lint",
        "layers",
        "types",
        "long tests",
        "elsewhere",
        "site",
        "package",
        "py3.12",
    ]
    assert [*steps, "tests"] == _names(tmp_path, all=True)
    assert ["py3.10", "py3.11", "py3.13"] == capsys.readouterr().out.split()[::2]


def test_a_failing_step_shows_its_output(capsys: pytest.CaptureFixture[str]) -> None:
    script = "print('why'); print('1 failed, 2 passed in 0.1s'); raise SystemExit(3)"
    report = check.run(check.Step("broken", (sys.executable, "-c", script)))
    assert (3, "1 failed, 2 passed in 0.1s") == (report.code, report.summary)
    first, *rest = capsys.readouterr().out.splitlines()
    assert ["broken", "FAILED"] == first.split()[:2]
    assert ["why", "1 failed, 2 passed in 0.1s"] == rest


def test_the_exit_code_counts_failed_steps(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good = check.Step("good", (sys.executable, "-c", "print('4 passed in 1s')"))
    bad = check.Step("bad", (sys.executable, "-c", "raise SystemExit(1)"))
    monkeypatch.setattr(check, "steps_of", lambda *_: [bad, good])
    assert 1 == check.main([])
    assert ["failed: bad", "4 passed in 1s"] == capsys.readouterr().out.splitlines()[-2:]


def test_the_long_tests_are_selected_by_the_environment() -> None:
    script = "import os; print(os.environ.get('AUTOGRAPH_LONG_TESTS'))"
    step = check.Step("laws", (sys.executable, "-c", script), is_long=True)
    assert "1" == check.run(step).summary


def test_the_version_of_an_interpreter_is_found() -> None:
    assert f"{sys.version_info[0]}.{sys.version_info[1]}" == interpreters.version_of(sys.executable)
    assert interpreters.version_of("no-such-python") is None
