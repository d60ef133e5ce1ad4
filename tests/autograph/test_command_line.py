"""The command line: its output and its refusals."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from autograph.__main__ import COMMANDS, main
from autograph.cli.parser import make_parser

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """\
import helper
import numpy as np
from autograph import function


def relu(x):
    if x > 0:
        return x
    else:
        return 0 * x


def total(values, scale=1):
    s = 0.0
    for value in values:
        s = s + value * scale
    return s


@function
def decorated(d, word="no"):
    return {"sum": d["a"] + d["b"], "word": word}


def broken(x):
    return helper.explode(x)


def keyed(x, key):
    return x + 1, key


def gen(n):
    yield n


class Layer:
    def call(self, x):
        return x


def late(x):
    import helper

    return helper.twice(x)


RATE = 3
"""
HELPER = """\
def explode(x):
    raise RuntimeError("boom")


def twice(x):
    return 2 * x
"""


@pytest.fixture
def model(tmp_path, monkeypatch):
    (tmp_path / "model.py").write_text(PROGRAM)
    package = tmp_path / "own_package"
    (package / "inner").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "inner" / "__init__.py").write_text("")
    (package / "inner" / "steps.py").write_text(
        "from . import *\n\ndef step(x):\n    return x + 1\n"
    )
    (package / "broken_import.py").write_text("import not_installed_anywhere\n")
    (tmp_path / "helper.py").write_text(HELPER)
    np.save(tmp_path / "values.npy", np.array([1.0, 2.0, 3.0], np.float32))
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    for name in [*sys.modules]:
        if name.partition(".")[0] in ("model", "helper", "autograph_target_model", "own_package"):
            del sys.modules[name]


def printed(capsys, *words):
    assert main(words) == 0
    return capsys.readouterr().out


def test_run_prints_the_result(model, capsys):
    assert printed(capsys, "run", "model.py:relu", "-3.5") == (
        "rt.Tensor(-0.0, shape=(), dtype=float32)\n"
    )
    assert printed(capsys, "run", "model.py:total", "[1.0, 2.0]", "scale=3.0").startswith(
        "rt.Tensor(9.0"
    )
    assert printed(capsys, "run", "model.py:total", "values.npy").startswith("rt.Tensor(6.0")
    assert printed(capsys, "run", "model.py:relu", "-1e-3", "--eager").startswith("rt.Tensor(-0.0")


def test_run_takes_a_function_and_structures(model, capsys):
    shown = printed(capsys, "run", "model.py:decorated", "{'a': 1, 'b': 2}", "word='yes'")
    assert "'sum': <rt.Tensor: shape=(), dtype=int32, numpy=3>" in shown
    assert "numpy=b'yes'" in shown


def test_run_trace_shows_every_stage_in_order(model, capsys):
    shown = printed(capsys, "run", "--trace", "model.py:relu", "2")
    marks = [
        "-- source", "    if x > 0:", "-- converted code", "ag__.if_stmt",
        "-- compiled code", "ag__.recorder()", "-- trace key", "relu(x: int32[])",
        "-- graph", "cond(", "-- optimized graph", "graph relu(",
        "-- function that runs", "def relu(x):",
        "-- result", "rt.Tensor(2, ",
    ]  # fmt: skip
    at = 0
    for mark in marks:
        at = shown.index(mark, at) + 1


def test_code_prints_converted_code(model, capsys):
    shown = printed(capsys, "code", "model.py:relu")
    assert shown.startswith("def tf__relu(x):\n")
    assert "ag__.if_stmt(" in shown
    compile(shown, "shown", "exec")


def test_code_side_by_side_pairs_lines(model, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "90")
    shown = printed(capsys, "code", "--side-by-side", "model.py:relu").splitlines()
    assert max(map(len, shown)) <= 90
    halves = [line.partition("|") for line in shown]
    left, right = ([half[at].strip() for half in halves] for at in (0, 2))
    assert [line for line in left if line] == [
        "def relu(x):", "if x > 0:", "return x", "else:", "return 0 * x",
    ]  # fmt: skip
    assert right[left.index("def relu(x):")] == "def tf__relu(x):"
    assert "ag__.ld(x)" in right[left.index("return x") :][2]


def test_code_html_links_lines(model, capsys):
    assert printed(capsys, "code", "--html", "out.html", "model.py:relu") == "wrote out.html\n"
    page = (model / "out.html").read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert page.count('data-line="8"') >= 2  # `return x`, and what became of it
    assert "http" not in page


def test_graph_shows_the_effect_of_each_pass(model, capsys):
    text = printed(capsys, "graph", "--passes", "model.py:relu", "2")
    assert text.startswith("-- traced: ") and "graph relu(" in text
    assert "changed nothing: inline," in text.splitlines()[-1]


def test_graph_prints_text_or_dot_or_a_page(model, capsys):
    text = printed(capsys, "graph", "model.py:relu", "2")
    assert "graph relu(%x: int32)" in text and "model.py:7" in text
    assert printed(capsys, "graph", "--dot", "model.py:relu", "2").startswith("digraph")
    assert 'op: "StatelessIf"' in printed(capsys, "graph", "--graphdef", "model.py:relu", "2")
    assert "" == printed(capsys, "graph", "model.py:relu", "--tensorboard", "logs", "2")
    (file,) = Path("logs").iterdir()
    assert b"cond/then" in file.read_bytes()
    printed(capsys, "graph", "model.py:relu", "2", "--html", "graph.html")
    assert "def relu(x):" in (model / "graph.html").read_text()


def test_explain_prints_the_outcome_of_each_line(model, capsys):
    shown = printed(capsys, "explain", "model.py:relu")
    assert shown.startswith("`relu` is converted: it is Python code of yours\n\nmodel.py\n")
    assert shown.endswith("\n\nnothing in it stays Python\n")
    assert [
        " 6          def relu(x):",
        " 7  staged      if x > 0:",
        " 8  staged          return x",
        " 9              else:",
        "10  staged          return 0 * x",
    ] == shown.splitlines()[3:8]


def test_explain_shows_exempt_functions_as_converted(model, capsys):
    (model / "library.py").write_text("from json import dumps\n")
    shown = printed(capsys, "explain", "library.py:dumps")
    assert "`dumps` is left alone" in shown and "asked for by name" in shown
    assert "def tf__dumps(" in printed(capsys, "code", "library.py:dumps")


def test_explain_keeps_to_do_not_convert(model, capsys):
    (model / "exempt.py").write_text(
        "import autograph as ag\n\n@ag.do_not_convert\ndef f(x):\n    return x\n"
    )
    shown = printed(capsys, "explain", "exempt.py:f")
    assert shown == "`f` is left alone: it is marked with `do_not_convert`\n"


def test_explain_html_is_a_page_of_its_own(model, capsys):
    (model / "kept.py").write_text(
        "def f(xs):\n    if len(xs) > 0 & 1:\n        class C:\n"
        "            v = 1 if xs else 2\n        return C.v\n"
    )
    assert printed(capsys, "explain", "kept.py:f", "--html", "out.html") == "wrote out.html\n"
    page = (model / "out.html").read_text()
    assert page.startswith("<!DOCTYPE html>") and "http" not in page
    assert page.count("data-line=") == 5 and page.count('class="kept"') == 1
    assert "if len(xs) &gt; 0 &amp; 1:" in page
    assert "a class body runs in its own namespace" in page and "1 part of it stays Python" in page
    assert "<td><code>len</code></td><td>left alone</td>" in page


@pytest.mark.parametrize("word", ["-inf", "-1e-3", "-.5", "-NaN", "inf"])
def test_every_number_can_be_written(model, capsys, word):
    shown = printed(capsys, "run", "model.py:keyed", word, "None")
    assert str(np.float32(word) + 1)[:4] in shown


@pytest.mark.parametrize(
    "words, message",
    [
        (["code", "nowhere.py:f"], "there is no file 'nowhere.py'"),
        (["code", "modle.py:f"], "there is no file 'modle.py'; did you mean 'model.py'?"),
        (["code", "model.py"], "'model.py' names no function: write FILE.py:FUNCTION or MODULE:"),
        (
            ["code", "model.py:nothing"],
            "model.py has no function 'nothing'; it has: relu, total, decorated, broken, keyed, ",
        ),
        (["code", "model.py:reul"], "model.py has no function 'reul'; did you mean 'relu'?"),
        (["code", "model:reul"], "model has no function 'reul'; did you mean 'relu'?"),
        (
            ["code", "model:Layer.cal"],
            "model has no function 'Layer.cal'; did you mean 'Layer.call'",
        ),
        (["code", "model:Layr.call"], "model has no function 'Layr.call'; did you mean 'Layer'?"),
        (["code", "model:Layer"], "Layer of model is a class: name a method, as in Layer.call"),
        (["code", "model:RATE"], "RATE of model is not a function, but of type int"),
        (["code", "modle:f"], "there is no module 'modle'; did you mean 'model'?"),
        (
            ["code", "own_package.iner.steps:step"],
            "there is no module 'own_package.iner'; did you mean 'own_package.inner'?",
        ),
        (
            ["code", "own_package.inner.stesp:step"],
            "there is no module 'own_package.inner.stesp'; did you mean 'own_package.inner.steps'?",
        ),
        (["code", "model.relu:x"], "there is no module 'model.relu'; write model:relu"),
        (
            ["code", "helper.model.relu:x"],
            "there is no module 'helper.model'; helper is not a package",
        ),
        (["run", "model:total", "[1.0]", "scal=3"], "total(values, scale=1): got an unexpected k"),
        (["run", "model:relu", "i32[?]"], "int32[?] has no values, since its shape is not known: "),
        (["run", "model:relu", "f32[...]"], "float32[...] has no values, since its shape is not "),
        (["run", "model:relu", "f23[2]"], "f23[2]: there is no dtype 'f23'; did you mean 'f32'?"),
        (["run", "model:relu", "zz[2]"], "zz[2]: there is no dtype 'zz'; known are bool f16 "),
        (["run", "model:relu", "flaot32[2]"], "flaot32[2]: there is no dtype 'flaot32'; did you "),
        (
            ["run", "model:relu", "f32[2.5]"],
            "f32[2.5]: a size must be a whole number, or ? if it is",
        ),
        (["run", "model:relu", "f32[-1]"], "f32[-1]: a size must be a whole number, or ? if it is"),
        (["run", "model:relu", "f32[9999999999,9999999999]"], "a tensor of shape [9999999999, 99"),
        (
            ["run", "model.py:relu", "oops"],
            "'oops' is neither a Python literal, nor a .npy file, nor a shape such as f32[3,4]",
        ),
        (["run", "model.py:relu", "no.npy"], "there is no file 'no.npy'"),
        (["run", "model.py:relu", "model.npy"], "model.npy is not a NumPy array file"),
        (["run", "model.py:relu", "[1, 'a']"], "[1, 'a'] cannot become a tensor"),
        (["run", "model.py:relu"], "relu(x): missing a required argument: 'x'"),
        (["run", "model.py:relu", "1", "2"], "relu(x): too many positional arguments"),
        (["run", "model.py:relu", "y=1"], "relu(x): missing a required argument: 'x'"),
        (["run", "model.py:relu", "x=3", "x=4"], "'x' is given twice"),
        (["run", "model.py:relu", "archive.npy"], "archive.npy is not a NumPy array file"),
        (["run", "model.py:relu", "objects.npy"], "objects.npy holds Python objects"),
        (["run", "model.py:relu", "days.npy"], "days.npy cannot become a tensor"),
        (["run", "model.py:relu", "pairs.npy"], "pairs.npy cannot become a tensor"),
        (["run", "--eager", "--trace", "model.py:relu", "1"], "argument --trace: not allowed with"),
        (["run", "model.py:np.sum", "1"], "model.py:np.sum is a function of numpy"),
        (["run", "model.py:np.exp", "1"], "model.py:np.exp is a function of numpy"),
        (["fly"], "argument COMMAND: invalid choice: 'fly'"),
        (["rnu", "model.py:relu", "1"], "argument COMMAND: invalid choice: 'rnu'"),
        (
            ["--vesrion"],
            "there is no option '--vesrion'; did you mean '--version'? (see autograph ",
        ),
        (
            ["run", "--tarce", "model.py:relu"],
            "there is no option '--tarce'; did you mean '--trace",
        ),
        (
            ["check", "model.py:relu", "--caes", "3"],
            "there is no option '--caes'; did you mean '--c",
        ),
        (
            ["code", "model.py:relu", "--htlm=x"],
            "there is no option '--htlm'; did you mean '--html'",
        ),
        (["run"], "the following arguments are required: FILE.py:FUNCTION (see"),
        (["code", "model.py:relu", "--html"], "argument --html: expected one argument"),
        (["code", "--html", "no/where.html", "model.py:relu"], "cannot write 'no/where.html'"),
    ],
)
def test_a_wrong_command_line_prints_one_line_and_exits_with_2(model, capsys, words, message):
    (model / "model.npy").write_text("text")
    with open(model / "archive.npy", "wb") as archive:
        np.savez(archive, a=np.ones(2))
    np.save(model / "objects.npy", np.array([{}, None], object))
    np.save(model / "days.npy", np.array(["2020-01-01"], "datetime64[D]"))
    np.save(model / "pairs.npy", np.zeros(2, "i4,f4"))
    assert main(words) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith(f"autograph: {message}")
    assert output.err.count("\n") == 1


def test_a_keyword_that_a_function_lacks_is_answered_with_a_similar_one(model, capsys):
    assert main(["run", "model:total", "[1.0]", "scal=3"]) == 2
    assert "keyword argument 'scal'; did you mean 'scale'?\n" in capsys.readouterr().err


def test_a_function_of_a_module_is_that_of_its_file(model, capsys):
    assert (
        printed(capsys, "run", "model:relu", "-3.5") == "rt.Tensor(-0.0, shape=(), dtype=float32)\n"
    )
    assert printed(capsys, "code", "model:relu") == printed(capsys, "code", "model.py:relu")
    assert "rt.Tensor(5, " in printed(capsys, "run", "own_package.inner.steps:step", "4")
    assert "1 of 1 case agrees" in printed(capsys, "check", "model:relu", "--case", "3")
    for command in ("graph", "explain", "profile"):
        assert "greater" in printed(capsys, command, "model:relu", "3") or command == "explain"
    assert (model / "saved").exists() is False
    printed(capsys, "export", "model:relu", "f32[]", "-o", "saved")
    assert (model / "saved" / "saved_model.pb").is_file()


def test_imports_inside_of_functions_find_their_neighbours(model, capsys, monkeypatch):
    monkeypatch.chdir(model.parent)
    before = list(sys.path)
    assert "rt.Tensor(6, " in printed(capsys, "run", f"{model.name}/model.py:late", "3")
    assert before == sys.path


def test_an_error_while_importing_a_module_is_that_of_the_program(model, capsys):
    assert main(["code", "own_package.broken_import:f"]) == 1
    shown = capsys.readouterr().err
    assert "No module named 'not_installed_anywhere'" in shown and "importlib" not in shown
    assert shown.count("  File ") == 1 and "broken_import.py" in shown


def test_shapes_are_specs_where_nothing_runs(model, capsys):
    graph = printed(capsys, "graph", "model:keyed", "x=f32[?,4]", "key=i64[]")
    assert graph.startswith("graph keyed(%x: float32[?, 4], %key: int64)")
    explained = printed(capsys, "explain", "model:keyed", "bf16[...]", "bool[2]")
    assert explained.startswith("keyed(x: bfloat16[...], key: bool[2])")
    shown = printed(capsys, "graph", "model:decorated", "{'a': f32[2], 'b': 1.0}")
    assert "float32[2]" in shown.splitlines()[0]


def test_an_executor_is_chosen_for_one_command(model, capsys, monkeypatch):
    monkeypatch.delenv("AUTOGRAPH_EXECUTOR", raising=False)
    assert main(["run", "model.py:relu", "3.0", "--executor", "interpreter", "--trace"]) == 0
    shown = capsys.readouterr().out
    assert "graph relu(" in shown.partition("function that runs")[2]
    assert main(["check", "--executor", "interpreter", "model.py:relu", "3.0"]) == 0
    assert "AUTOGRAPH_EXECUTOR" not in os.environ
    assert main(["run", "--executor", "none", "model.py:relu", "3.0"]) == 2
    assert "executor must be one of 'numpy', 'interpreter', 'jax', not 'none'" in (
        capsys.readouterr().err
    )


def test_shapes_are_the_same_numbers_in_every_run(model, capsys):
    first = printed(capsys, "run", "model:keyed", "f64[2,3]", "u8[4]")
    assert first == printed(capsys, "run", "model:keyed", "f64[2,3]", "u8[4]")
    assert "shape=(2, 3), dtype=float64" in first and "shape=(4,), dtype=uint8" in first
    assert "1 of 1 case agrees" in printed(
        capsys, "check", "model:total", "--case", "f32[3], f32[]"
    )


def test_an_error_of_the_program_shows_its_own_lines_only(model, capsys):
    assert main(["run", "model.py:broken", "1"]) == 1
    shown = capsys.readouterr().err
    assert shown.startswith("Traceback (most recent call last):\n")
    assert 'model.py", line 26, in broken' in shown and 'helper.py", line 2, in explode' in shown
    assert "RuntimeError: boom" in shown
    assert "autograph/" not in shown and "runtime/" not in shown


def test_an_error_while_importing_shows_the_file(model, capsys):
    (model / "bad.py").write_text("x = 1\ny = x +\n")
    assert main(["code", "bad.py:f"]) == 1
    shown = capsys.readouterr().err
    assert "bad.py" in shown and "SyntaxError" in shown and "importlib" not in shown


def as_a_module(*words):
    return subprocess.run(
        [sys.executable, *words], capture_output=True, text=True,
        env={"PYTHONPATH": str(ROOT)}, check=False,
    )  # fmt: skip


def test_the_package_runs_as_a_module(model):
    done = as_a_module("-m", "autograph", "run", "model.py:relu", "7")
    assert (done.returncode, done.stdout) == (0, "rt.Tensor(7, shape=(), dtype=int32)\n")


@pytest.mark.parametrize("start", [["-m", "autograph"], ["script"]])
def test_lines_of_the_command_line_are_not_user_code(model, start):
    (model / "script").write_text(
        "import sys\nfrom autograph.__main__ import main\nsys.exit(main())\n"
    )
    done = as_a_module(*start, "graph", "model.py:keyed", "1", "'a'")
    assert done.returncode == 0, done.stderr
    constant = next(line for line in done.stdout.splitlines() if "value=b'a'" in line)
    assert "#" not in constant  # the word comes from no line of the user's


# -- help ------------------------------------------------------------------------------------------


def help_of(capsys, *words):
    with pytest.raises(SystemExit) as found:
        main([*words, "--help"])
    assert found.value.code == 0
    return capsys.readouterr().out


EXAMPLES = """\
import autograph as ag

def step(n):
    while n > 1:
        n = n // 2
    return n


def mean(x):
    total = 0.0
    for row in x:
        total += row[0]
    return total
"""
# A program of several processes; the others are cheap enough to run.
NOT_RUN = ("launch", "demo")


def examples_of(text):
    _, _, examples = text.partition("examples:\n")
    lines = examples.split("\n\n")[0].splitlines()
    assert lines and all(line.startswith("  autograph ") for line in lines)
    return [shlex.split(line)[1:] for line in lines]


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_the_examples_in_the_help_of_a_command_run(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "package").mkdir()
    for place in ("model.py", "package/model.py"):
        (tmp_path / place).write_text(EXAMPLES)
    (tmp_path / "program.py").write_text("import tensorflow as tf\n\nprint(tf.constant(1))\n")
    if command == "export":
        pytest.importorskip("onnx")
    for words in examples_of(help_of(capsys, *command.split())):
        assert words[0] == command or not command
        if words[0] not in NOT_RUN and words[-1] != "--help":
            assert (words, 0) == (words, main(words))
            assert capsys.readouterr().out
    for name in [*sys.modules]:
        if name.partition(".")[0] in ("model", "package", "autograph_target_model"):
            del sys.modules[name]


def test_every_command_has_a_help_of_its_own(capsys):
    (commands,) = make_parser("")._subparsers._group_actions
    assert isinstance(commands, argparse._SubParsersAction)
    assert sorted(commands.choices) == sorted(COMMANDS)
    for name in COMMANDS:
        shown = help_of(capsys, name)
        assert f"usage: autograph {name} " in shown and "\nexamples:\n" in shown


# -- colours ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        ["code", "model.py:relu"], ["graph", "model.py:relu", "2"], ["explain", "model.py:relu"],
        ["graph", "--passes", "model.py:relu", "2"], ["run", "--trace", "model.py:relu", "2"],
        ["check", "model.py:relu", "--case", "2"],
    ],
)  # fmt: skip
def test_colours_only_mark_text(model, capsys, monkeypatch, words):
    plain = printed(capsys, *words)
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = printed(capsys, *words)
    assert "\x1b[" not in plain and "\x1b[" in coloured
    assert re.sub(r"\x1b\[\d*m", "", coloured) == plain
    monkeypatch.setenv("NO_COLOR", "1")
    assert printed(capsys, *words) == plain


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize("terminal, is_coloured", [("xterm", True), ("dumb", False)])
def test_a_terminal_gets_colours(model, terminal, is_coloured):
    import pty

    leader, follower = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "autograph", "run", "model.py:reul", "1"],
        stdout=subprocess.DEVNULL, stderr=follower, check=False,
        env={"PYTHONPATH": str(ROOT), "TERM": terminal},
    )  # fmt: skip
    os.close(follower)
    shown = os.read(leader, 10_000)
    os.close(leader)
    assert (2, is_coloured) == (done.returncode, b"\x1b[31mautograph:\x1b[0m" in shown)
    assert b"did you mean 'relu'?" in shown


def test_the_demo_fails_when_a_result_differs(monkeypatch, capsys):
    monkeypatch.setattr("autograph.demo.tour.agree", lambda *about: False)
    assert main(["demo"]) == 1
    assert "0 of 5 results agree" in capsys.readouterr().out


def test_the_demo_agrees_with_plain_python_and_fits_the_page(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    shown = printed(capsys, "demo")
    assert "5 of 5 results agree with plain Python" in shown
    assert "DIFFERENT" not in shown
    assert 1 == shown.count("1.4142156862745097   the same but for the rounding of float32")
    assert 4 == shown.count("   the same\n")
    assert "\x1b" not in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert "832040" in shown  # the thirtieth Fibonacci number
