"""Output and files in a staged statement: one warning each, since they happen while tracing."""

from __future__ import annotations

import csv
import json
import linecache
import logging
import os
import pprint
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import TraceEffectWarning


def effects_told(function: Any, *args: Any) -> list[warnings.WarningMessage]:
    """Return the warnings of effects in two calls of a Function."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        traced = ag.function(function)
        for _ in range(2):
            traced(*args)
    return [each for each in found if each.category is TraceEffectWarning]


def prints_in_branches(x: Any) -> Any:
    if x < 0:
        print("negative", end=".")
        x = -x
    else:
        print("positive")
    return x


def test_print_in_each_branch_warns_once(capsys: Any) -> None:
    found = effects_told(prints_in_branches, rt.constant(1))
    assert "negative.positive\n" == capsys.readouterr().out
    first = prints_in_branches.__code__.co_firstlineno
    assert [(__file__, first + 2), (__file__, first + 5)] == [
        (each.filename, each.lineno) for each in found
    ]
    assert (
        "print('negative', end='.') happened while tracing, in a statement that is staged, where "
        "all branches are traced, and does not happen when the graph runs: "
        "write rt.print('negative', end='.')"
    ) == str(found[0].message)


def test_print_in_a_loop_warns_once(capsys: Any) -> None:
    def count(n: Any) -> Any:
        total = rt.ones([1])
        for _ in range(n):
            print("once")
            total = rt.concat([total, total], 0)  # a shape that varies: traced twice
        return total

    assert 1 == len(effects_told(count, rt.constant(2)))
    assert "once" in capsys.readouterr().out


def test_a_format_that_is_printed_while_tracing_warns(capsys: Any) -> None:
    def of_formats(x: Any) -> Any:
        print(f"{x:.2f}")
        print("%.2f" % x)  # noqa: UP031
        print("x is", f"{x:.2f} {x}")
        print(f"tracing {x}", "%s" % x, x)  # noqa: UP031
        return x

    found = effects_told(of_formats, rt.constant(1.0))
    first = of_formats.__code__.co_firstlineno
    assert [first + 1, first + 2, first + 3] == [each.lineno for each in found]
    assert (
        "print(f'{x:.2f}') happened while tracing, where tensors have no values to format, and "
        "does not happen when the graph runs: write rt.print(f'{x:.2f}')"
    ) == str(found[0].message)


def test_a_file_in_a_branch_warns(tmp_path: Path) -> None:
    log = str(tmp_path / "log")

    def logs(x: Any) -> Any:
        if x < 0:
            with open(log, "a") as file:
                file.write("negative")
            x = -x
        return x

    found = effects_told(logs, rt.constant(1))
    texts = [str(each.message).partition(" happened while tracing, in a")[0] for each in found]
    assert [f"open({log!r})", "file.write(...)"] == texts


OUTPUT = {
    "sys.stdout.write('big')": "sys.stdout.write('big')",
    "pprint.pprint('big')": "pprint.pprint('big')",
    "logging.getLogger('of_branches').error('big')": "logging.getLogger('of_branches').error(...)",
    "print('big', file=file)": "print('big', file=file)",
    "file.write('big')": "file.write(...)",
    "file.writelines(['big'])": "file.writelines(...)",
    "csv.writer(file).writerow(['big'])": "csv.writer(file).writerow(...)",
    "csv.DictWriter(file, ['a']).writerow({'a': 1})": "csv.DictWriter(file, ['a']).writerow(...)",
    "json.dump([1], file)": "json.dump(...)",
    "os.makedirs(folder + '/a/b')": "os.mkdir(",
}


@pytest.mark.parametrize("statement", OUTPUT)
def test_output_of_any_kind_in_a_branch_warns_at_its_line(statement: str, tmp_path: Path) -> None:
    text = f"def f(x):\n    if x > 100:\n        {statement}\n    return x\n"
    place = str(tmp_path / "module.py")
    linecache.cache[place] = len(text), None, text.splitlines(keepends=True), place
    space = {each.__name__: each for each in (sys, pprint, logging, csv, json, os)}
    with open(tmp_path / "log", "w") as file:
        names: dict[str, Any] = {**space, "file": file, "folder": str(tmp_path)}
        exec(compile(text, place, "exec"), names)
        (found,) = effects_told(names["f"], rt.constant(1))
    assert (place, 3) == (found.filename, found.lineno)
    if sys.version_info >= (3, 11):  # lines have columns
        assert str(found.message).startswith(OUTPUT[statement])


def test_a_warning_is_no_output_of_the_program(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import warnings\nimport autograph as ag, runtime as rt\n"
        "def f(x):\n    if x > 100:\n        warnings.warn('large')\n    return x\n"
        "ag.function(f)(rt.constant(1))\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert "large" in done.stderr and "TraceEffectWarning" not in done.stderr


def test_two_traces_warn_once_of_a_line_under_pythons_default_filter() -> None:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("default")
        traced = ag.function(prints_in_branches)
        traced(rt.constant(1))
        traced(rt.constant(1.0))
    assert 2 == len([each for each in found if each.category is TraceEffectWarning])


def test_what_a_run_does_or_the_function_itself_does_not_warn(capsys: Any) -> None:
    def silent(x: Any) -> Any:
        print("tracing")
        if x < 0:
            rt.print("negative")
            x = -x
        if rt.size(x).shape.rank == 1:
            print("of Python")
        return x

    assert [] == effects_told(silent, rt.constant(-1))
