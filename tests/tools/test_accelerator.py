"""The script for accelerators ends in time, and tells which step failed."""

from __future__ import annotations

import sys

import pytest

from tools import accelerator
from tools.accelerator import Step

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="it kills groups of processes")


def test_the_steps_end_within_six_minutes() -> None:
    assert sum(step.seconds for step in accelerator.steps(True)) < 360


def test_a_step_passes_fails_or_is_stopped(capfd: pytest.CaptureFixture[str]) -> None:
    endless = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'while True: pass'])"
    assert accelerator.passed(Step("good", ("-c", "print('seen')"), 60), True)
    assert not accelerator.passed(Step("bad", ("-c", "raise SystemExit(3)"), 60), True)
    assert not accelerator.passed(Step("long", ("-c", endless), 1), True)
    told = capfd.readouterr().out
    assert "seen" in told
    assert "bad: exit status 3" in told
    assert "long: stopped after 1 s" in told


def test_nothing_runs_without_an_accelerator(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []

    def fails(step: Step, is_accelerator: bool) -> bool:
        ran.append(step.name)
        return False

    monkeypatch.setattr(accelerator, "passed", fails)
    assert 1 == accelerator.main([])
    assert ["devices"] == ran


def test_the_exit_code_counts_the_steps_that_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accelerator, "passed", lambda step, on: step.name == "devices" and not on)
    assert 2 == accelerator.main(["--cpu"])
