"""The table of constructs agrees with this project and with TensorFlow."""

from __future__ import annotations

import base64
import functools
import io
import pickle
import subprocess
import sys
from collections.abc import Iterator

import pytest

import runtime as rt
from tests.constructs import CONSTRUCTS
from tests.corpus import find
from tools import compare_tensorflow as compare
from tools import tensorflow_worker as side

KEPT = compare.stored(compare.PAGE.read_text(encoding="utf-8"))
FEW = (
    "conditionals/if_else", "joins/none_at_start", "returns/return_in_for",
    "refused/branch_structures", "exactness/middle_once", "asserts/raise_in_branch",
)  # fmt: skip


@pytest.fixture(scope="module")
def other() -> Iterator[compare.Other]:
    """TensorFlow in a process of its own."""
    pytest.importorskip("tensorflow")
    found = compare.Other()
    yield found
    found.close()


def test_the_page_has_every_program_of_every_construct() -> None:
    wanted = [name for row in CONSTRUCTS for name in row.programs]
    assert set(wanted) == KEPT[0].keys() == KEPT[1].keys()


def test_the_page_shows_no_wrong_answer_of_ours() -> None:
    kinds = {name: compare.kind_of(text) for name, text in KEPT[0].items()}
    assert [] == [name for name, kind in kinds.items() if kind not in ("ok", "refused")]
    assert {name for name, kind in kinds.items() if kind == "refused"} == {
        program.id
        for program in compare.programs()
        if program.refused and KEPT[0][program.id] != compare.OK
    }


@pytest.mark.parametrize("name", FEW)
def test_our_column_agrees_with_our_results(name: str) -> None:
    assert KEPT[0][name] == compare.ours(*find([name]))


@pytest.mark.parametrize("name", FEW)
def test_their_column_agrees_with_tensorflow(other: compare.Other, name: str) -> None:
    assert KEPT[1][name] == other.verdict(*find([name]))


def test_the_page_names_tensorflows_version(other: compare.Other) -> None:
    other.verdict(*find(["if_else"]))
    assert f"TensorFlow {other.version}" in compare.PAGE.read_text(encoding="utf-8")


def test_the_manual_has_the_totals() -> None:
    here, there = map(compare.totals, KEPT)
    text = " ".join((compare.ROOT / "docs" / "tensorflow.md").read_text(encoding="utf-8").split())
    assert f"the same {len(KEPT[0])} programs" in text
    assert f"| Python's result | {here['ok']} | {there['ok']} |" in text
    assert f"| refused | {here['refused']} | {there['refused']} |" in text
    wrong = here["wrong answer"], there["wrong answer"]
    assert f"| another result, without an error | {wrong[0]} | {wrong[1]} |" in text
    assert f"| tracing does not end | {here['crash']} | {there['crash']} |" in text
    front = (compare.ROOT / "README.md").read_text(encoding="utf-8")
    assert f"**{here['ok']} of {len(KEPT[0])}**" in front


def test_the_worst_case_counts() -> None:
    program = find(["if_else"])[0]
    right = [compare.python_of(program, case) for case in range(3)]
    assert "ok" == compare.verdict(program, right)
    wrong = [right[0], compare.Seen(rt.constant(5)), compare.Seen(None, ("OddError",), "no")]
    assert "wrong answer (gives 5, Python 4)" == compare.verdict(program, wrong)
    assert "refused: OddError: no" == compare.verdict(program, [right[0], right[1], wrong[2]])


def test_an_exception_of_python_s_must_be_raised() -> None:
    program = find(["raise_in_branch"])[0]
    right = [compare.python_of(program, case) for case in range(2)]
    assert "ok" == compare.verdict(program, right)
    op_error = compare.Seen(None, ("InvalidArgumentError", "OpError"), "negative")
    assert "ok" == compare.verdict(program, [right[0], op_error])
    silent = compare.verdict(program, [right[0], compare.Seen(rt.constant(-6))])
    assert "wrong answer (gives -6, Python ValueError)" == silent
    other_class = compare.Seen(None, ("TypeError", "Exception"), "negative")
    assert "refused: TypeError: negative" == compare.verdict(program, [right[0], other_class])


def test_the_message_of_an_error_is_its_last_line() -> None:
    text = (
        'in user code:\n\n    File "/a/b.py", line 3, in f *\n\n    ValueError: no y in /a/b.py\n'
    )
    assert "refused: ValueError: no y in ..." == compare.verdict(
        find(["if_else"])[0], [compare.Seen(None, ("ValueError",), text)]
    )


def test_a_page_can_be_read_again() -> None:
    here = dict.fromkeys(KEPT[0], "ok")
    there = dict.fromkeys(KEPT[0], "refused: OddError: a | b")
    text = compare.page(here, there, "About.")
    assert (here, there) == compare.stored(text)
    assert f"| refused | 0 | {len(here)} |" in text
    assert (
        f"| constructs, of {len(CONSTRUCTS)}, with nothing but ok | {len(CONSTRUCTS)} | 0 |" in text
    )


def test_differences_are_named() -> None:
    found = compare.differences({"a": "ok", "b": "ok"}, {"a": "refused: X", "c": "ok"})
    assert [
        "a: ok; the page says refused: X",
        "b: ok; the page says None",
        "c: no such program; the page says ok",
    ] == list(found)


def test_values_are_decoded_from_their_description() -> None:
    told = ("tuple", [("array", [1, 2]), ("dict", ["k"], [("plain", 3)]), ("list", [])])
    assert ((1, 2), {"k": 3}, []) == side.values_of(told, {}, tuple)


def test_answers_are_a_line_each() -> None:
    stream = io.BytesIO()
    side._answer(stream, {"a": "line\nfeed"})
    assert 1 == stream.getvalue().count(b"\n")
    assert {"a": "line\nfeed"} == side.read_answer(stream.getvalue())


def test_without_tensorflow_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tensorflow", None)
    with pytest.raises(SystemExit) as raised:
        side.tensorflow()
    assert "TensorFlow is not installed: pip install 'autograph-py[tensorflow]'" == str(
        raised.value
    )


def _starting(monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Let this run in place of TensorFlow's process."""
    popen = subprocess.Popen
    run = functools.partial(popen, [sys.executable, "-c", script], stdin=-1, stdout=-1)
    monkeypatch.setattr(compare.subprocess, "Popen", lambda *_, **options: run())


def test_a_process_that_ends_is_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    version = base64.b64encode(pickle.dumps("1.2")).decode()
    _starting(monkeypatch, f"print('{version}', flush=True); input()")
    other = compare.Other()
    assert "crash: the process ended" == other.verdict(*find(["if_else"]))
    assert "1.2" == other.version


def test_a_process_that_does_not_answer_is_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    version = base64.b64encode(pickle.dumps("1.2")).decode()
    _starting(monkeypatch, f"print('{version}', flush=True); input(); input()")
    other = compare.Other()
    monkeypatch.setattr(compare, "PATIENCE", 2.0)
    assert "crash: it does not come to an end" == other.verdict(*find(["if_else"]))


def test_a_process_that_does_not_start_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    _starting(monkeypatch, "")
    with pytest.raises(RuntimeError, match="does not start"):
        compare.Other().verdict(*find(["if_else"]))
