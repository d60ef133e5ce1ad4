"""`explain` with arguments and `check` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autograph.__main__ import main

PROGRAM = """\
import sys


def steps(n, limit=3):
    count = 0
    for k in range(2):
        count = count + k
    while n > limit:
        n = n // 2
        count = count + 1
    return count


def failing(x):
    if x > 0:
        x = x + 1
    return x + missing


def writing(x):
    sys.stdout.write(type(x).__name__)
    return x
"""


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "told.py"
    path.write_text(PROGRAM)
    return path


def test_explain_prints_staged_statements_of_a_call(model, capsys):
    assert 0 == main(["explain", "told.py:steps", "40", "limit=5"])
    shown = capsys.readouterr().out
    assert shown.startswith("steps(n: int32[], limit: int32[]): 1 place staged")
    assert "# a Python loop: its body was traced 2 times" in shown
    assert "-> n > limit (line 8)" in shown


def test_explain_reports_a_failing_call(model, capsys):
    assert 1 == main(["explain", "told.py:failing", "1"])
    assert "tracing `failing` fails: NameError" in capsys.readouterr().out


def test_explain_html_has_lines_code_and_graph(model, capsys):
    assert 0 == main(["explain", "told.py:steps", "40", "--html", "out.html"])
    page = Path("out.html").read_text()
    assert '<li class="staged" data-line="8">' in page
    assert "while_stmt" in page
    assert "graph steps(%n: int32" in page
    assert "<script>" in page
    assert "n &gt; limit" in page


def test_check_prints_a_table(model, capsys):
    assert 0 == main(["check", "told.py:steps", "--case", "40", "--case", "-3, limit=2"])
    shown = capsys.readouterr().out
    assert "steps: 2 of 2 cases agree" == shown.splitlines()[0]
    assert "(int32 -3, limit=int32 2)" in shown


def test_check_fails_where_runs_differ(model, capsys):
    assert 1 == main(["check", "told.py:writing", "--case", "3", "--case", "-3"])
    shown = capsys.readouterr().out
    assert "case 1 (int32 3): staged differs from eager" in shown
    assert "stdout: 'SymbolicTensor' instead of 'EagerTensor'" in shown


def test_a_case_that_does_not_fit_is_refused(model, capsys):
    assert 2 == main(["check", "told.py:steps", "--case", "1, [2, 3], 3"])
    assert "too many positional arguments" in capsys.readouterr().err


def test_check_needs_a_case(model, capsys):
    assert 2 == main(["check", "told.py:steps"])
    assert "--case" in capsys.readouterr().err


def test_profile_prints_the_time_of_each_line(model, capsys):
    assert 0 == main(["profile", "told.py:steps", "40", "limit=5"])
    heading, _, head, *lines = capsys.readouterr().out.splitlines()
    assert heading.startswith("steps(n: int32[], limit: int32[]): ")
    assert ["line", "times", "total", "mean", "share"] == head.split()
    assert any(line.startswith("told.py:8") for line in lines)


def test_profile_writes_a_trace_for_viewers(model, capsys):
    assert 0 == main(["profile", "told.py:steps", "40", "limit=5", "--chrome", "out.json"])
    assert "wrote out.json\n" == capsys.readouterr().out
    assert any(
        event.get("cat") == "while_loop"
        for event in json.loads(Path("out.json").read_text())["traceEvents"]
    )
    assert 1 == main(["profile", "told.py:failing", "1"])
    assert "NameError" in capsys.readouterr().err


def test_check_takes_the_arguments_of_one_call_as_run_does(model, capsys):
    assert 0 == main(["check", "told.py:steps", "40", "limit=2"])
    assert "1 of 1 case agrees" in capsys.readouterr().out
    assert 2 == main(["check", "told.py:steps", "--case", "40", "2"])
    assert "`check model.py:f 75 10`" in capsys.readouterr().err
