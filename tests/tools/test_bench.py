"""The benchmark's tables, and the results of its workloads."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import autograph as ag
import runtime as rt
from tests.corpus import find
from tools.bench import (
    __main__,
    branches,
    call_path,
    clock,
    conversions,
    depth,
    library_calls,
    measures,
    modes,
    programs,
    workloads,
)
from tools.bench.lines import Bar, Line, ratio, row


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(2.0, "2 s"), (0.00123, "1.23 ms"), (4.5e-6, "4.5 us"), (2.5e-8, "25.0 ns")],
)
def test_seconds_are_readable(seconds: float, text: str) -> None:
    assert text == clock.readable(seconds)


@pytest.mark.parametrize(("value", "text"), [(1.234, "1.23 x"), (0.5, "0.5 x"), (1234.5, "1234 x")])
def test_ratios_are_readable(value: float, text: str) -> None:
    assert text == ratio(value)


def test_the_cells_of_all_rows_end_in_the_same_columns() -> None:
    rows = [row("call", "1 x", "2.5 x"), row("a longer name", "100 x", "2 x")]
    assert rows[0].index("1 x") + 3 == rows[1].index("100 x") + 5
    assert len(rows[0]) == len(rows[1])


@pytest.mark.parametrize(
    ("bar", "inside", "outside"),
    [(Bar(2.0), (0.1, 2.0), (2.01, 9.0)), (Bar(0.5, is_least=True), (0.5, 1.0), (0.0, 0.49))],
)
def test_a_bar_is_kept_on_one_side(
    bar: Bar, inside: tuple[float, ...], outside: tuple[float, ...]
) -> None:
    assert not any(bar.missed("it", value) for value in inside)
    assert all(bar.missed("it", value) for value in outside)


def test_timed_functions_alternate_and_the_best_time_counts() -> None:
    turns: list[str] = []

    def giving(name: str, *values: float) -> Callable[[], float]:
        given = iter(values)
        return lambda: (turns.append(name), next(given))[1]

    best = clock.best_in_turn([giving("a", 3.0, 1.0, 2.0), giving("b", 5.0, 6.0, 4.0)], 3)
    assert best == [1.0, 4.0]
    assert turns == ["a", "b"] * 3


def test_calls_are_timed_with_their_arguments() -> None:
    seen: list[tuple[int, ...]] = []
    seconds = clock.cpu_seconds(lambda *numbers: seen.append(numbers), [(1,), (2, 3)])
    assert seen == [(1,), (2, 3)] and seconds >= 0


def test_all_rows_are_measured() -> None:
    effort = measures.Effort(repeats=1, calls=10)
    rows = list(measures.rows(effort))
    assert len(rows) == len({row.name for row in rows}) >= 9
    assert all(row.seconds > 0 for row in rows)


def test_the_workload_stages() -> None:
    staged = ag.function(workloads.twelve_lines)
    assert workloads.twelve_lines(9) == int(staged(rt.constant(9)).numpy())


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave TensorFlow out, which takes longer to import than all this to run."""
    monkeypatch.setattr(modes, "theirs", lambda: None)


QUICK = programs.Effort(rounds=1, seconds=1e-5)


@pytest.mark.usefixtures("alone")
def test_programs_with_tensors_are_left_out() -> None:
    chosen = find(["if_else", "aliases", "raise_in_branch", "growing_shape"])
    lines = [line.text for line in programs.lines(QUICK, chosen)]
    assert lines[0].endswith(": 3 programs")
    assert lines[-1] == "left out: 1 that have tensors in them"
    for mode in modes.OURS:
        (line,) = (line for line in lines if line.startswith(f"  {mode.name}"))
        assert line.split()[len(mode.name.split())] == "3"


@pytest.mark.usefixtures("alone")
def test_cases_that_raise_are_left_out() -> None:
    (program,) = find(["raise_in_branch"])
    returning = programs._returning(program)
    assert 0 < len(list(returning)) < len(program.cases)


def test_a_program_gets_new_arguments_for_every_call() -> None:
    (program,) = find(["in_place_methods"])
    first, second = programs.Sample(program, (0,)).calls(2)
    assert first == second and first[0] is not second[0]


@pytest.mark.usefixtures("alone")
def test_every_call_is_measured_in_every_mode() -> None:
    lines = list(library_calls.lines(1, 1))
    assert len(lines) == 1 + len(library_calls.CALLS)
    for call, line in zip(library_calls.CALLS, lines[1:]):
        assert line.text.startswith(f"  {call.name} ")
        assert line.text.count(" x") >= len(modes.OURS)


def test_every_way_of_calling_is_measured() -> None:
    lines = list(call_path.lines(2, 1))
    ways = [*call_path.calls(), *call_path.eager_calls()]
    assert [f"  {each.name}" for each in ways] == [
        line.text[:42].rstrip() for line in lines if line.text.startswith("  ")
    ]
    for each in ways:
        each.call()


def test_the_long_function_has_the_requested_length(tmp_path: Path) -> None:
    path = tmp_path / "bench_long.py"
    path.write_text(workloads.long_function(57), encoding="utf-8")
    assert len(path.read_text(encoding="utf-8").splitlines()) == 57
    long = workloads.loaded(path).long
    assert long(3) == ag.to_graph(long)(3)


def test_conversion_is_measured_on_unconverted_functions() -> None:
    lines = list(conversions.lines(2, 20))
    assert [line.text.split("  ")[1].strip() for line in lines[1:]] == [
        "a function of 12 lines",
        "a module of 2 such functions",
        "a function of 20 lines",
    ]


@pytest.mark.parametrize("function", depth.FUNCTIONS, ids=lambda function: function.__name__)
def test_recursion_is_at_least_half_as_deep(function: Callable[..., object]) -> None:
    plain = depth.reached(function, modes.PLAIN)
    assert plain > 100
    assert all(depth.reached(function, mode) >= plain / 2 for mode in modes.OURS)


def _table(*lines: Line) -> Callable[[bool], Iterator[Line]]:
    return lambda quick: iter(lines)


def test_a_missed_bar_shows_in_the_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = {"kept": _table(Line("good")), "missed": _table(Line("bad", ("it is 3, at most 2",)))}
    monkeypatch.setattr(__main__, "TABLES", tables)
    assert __main__.main(["kept"]) == 0
    assert capsys.readouterr().out.endswith("good\n\nevery bar is kept\n")
    assert __main__.main([]) == 1
    assert capsys.readouterr().out.endswith("bars missed: it is 3, at most 2\n")


def test_bars_that_were_not_measured_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = {
        "part": _table(Line("one"), Line("two: -", (), ("two over three",))),
        "missed": _table(Line("bad", ("it is 3, at most 2",))),
    }
    monkeypatch.setattr(__main__, "TABLES", tables)
    assert __main__.main(["part"]) == 0
    told = "every bar that was measured is kept\nbars not measured: two over three\n"
    assert capsys.readouterr().out.endswith(told)
    assert __main__.main([]) == 1
    told = "bars missed: it is 3, at most 2\nbars not measured: two over three\n"
    assert capsys.readouterr().out.endswith(told)


@pytest.mark.parametrize(
    "words", [["--rows", "newton"], ["--json", "f.json"], ["--peers"], ["--peer-python", "p"]]
)
def test_options_of_one_table_are_refused_without_it(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        __main__.main(["calls", *words])
    assert 2 == refused.value.code
    told = f"{words[0]} is for the table speed, which is not asked for: name it, too\n"
    assert capsys.readouterr().err.endswith(told)


def test_the_corpus_table_needs_the_test_extra(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(__main__.importlib.util, "find_spec", lambda name: None)
    for words in ([], ["depth", "corpus"]):
        assert 2 == __main__.main(["--quick", *words])
        told = "the table corpus needs attrs: pip install 'autograph-py[test]', or name others"
        assert f"bench: {told}\n" == capsys.readouterr().err
    assert 0 == __main__.main(["--quick", "depth"])


def test_the_benchmark_imports_no_test_modules() -> None:
    program = (
        "import sys, tools.bench.__main__ as bench; "
        "print([name for name in ('attr', 'attrs', 'pytest', 'tests') if name in sys.modules])"
    )
    found = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
    )
    assert "[]\n" == found.stdout, found.stderr


def test_an_unknown_table_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        __main__.main(["haste"])
    assert "there is no table haste" in capsys.readouterr().err


def test_branches_agree_in_parallel_and_alone() -> None:
    lines = list(branches.lines(500_000, 1))
    assert not [line for line in lines if line.missed]
    told = [line.text.split()[-1] for line in lines[2:]]
    assert told[0] == told[1] == told[2] == "2" and told[-1] == "0"
