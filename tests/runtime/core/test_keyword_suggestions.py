"""A misspelled keyword of a function of ours is answered with the one that is meant."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import autograph as ag
import runtime as rt
from runtime import reduce_sum as total_of
from runtime.core.keyword_suggestions import complete_message

ROOT = Path(__file__).resolve().parents[3]


def reduce_max(x, keepdims=False):
    """A function of the user, of the name of one of ours."""
    return x


def message_of(call) -> str:
    with pytest.raises(TypeError) as found:
        call()
    complete_message(found.value)
    return str(found.value)


@pytest.mark.parametrize(
    "call, meant",
    [
        (lambda: rt.reduce_sum(rt.ones([2]), axsi=0), "axis"),
        (lambda: total_of(rt.ones([2]), keepdmis=True), "keepdims"),
        (lambda: ag.function(autograhp=True), "autograph"),
        (lambda: rt.nn.softmax(rt.ones([2]), axsi=0), "axis"),
        (lambda: rt.data.Dataset.range(3).batch(2, drop_remainer=True), "drop_remainder"),
        (lambda: rt.Variable(1, trainabel=False), "trainable"),
        (lambda: rt.io.decode_png(b"", chanels=3), "channels"),
    ],
)
def test_the_keyword_that_is_meant_is_named(call, meant):
    message = message_of(call)
    assert "got an unexpected keyword argument" in message
    assert message.lower().rstrip("?").endswith(f"did you mean '{meant}'")


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: ag.function(abs, static_argnums=1), "; write nothing: an argument is static if"),
        (lambda: ag.function(static_argnames="n")(abs), "; write nothing: an argument is static"),
        (lambda: ag.function(abs, donate_argnums=0), "; write nothing: a graph overwrites"),
        (lambda: ag.function(abs, dynamic=True), "; write reduce_retracing=True"),
    ],
)
def test_a_keyword_of_another_compiler_is_answered(call, words):
    assert words in message_of(call)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: rt.reshape(rt.ones([6]), 1, 2, 3), "; `shape` is one list"),
        (lambda: rt.nn.Sequential(1, 2, 3, 4), "; `layers` is one list"),
        (lambda: rt.cast(1, 2, 3, 4), "were given"),
    ],
)
def test_several_arguments_that_are_one_list(call, words):
    assert message_of(call).endswith(words)


@pytest.mark.parametrize(
    "owner, name, words",
    [
        (rt.nn.optimizers.Adam(), "step", "; write optimizer.apply_gradients(zip("),
        (rt.nn.Sequential([]), "parameters", "; write model.trainable_variables"),
        (rt.GradientTape(), "grad", "; write tape.gradient(loss, variables)"),
        (rt.GradientTape(), "step", "has no attribute 'step'"),
        (Path(), "grad", "has no attribute 'grad'"),
    ],
)
def test_a_method_of_pytorch_is_answered(owner, name, words):
    with pytest.raises(AttributeError) as found:
        getattr(owner, name)
    complete_message(found.value)
    assert words in str(found.value)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: rt.nn.layers.Conv2D(), "rt.nn.layers.Conv2D() missing 2 required positional"),
        (lambda: rt.data.Dataset.range(3).batch(), "rt.data.Dataset.range(3).batch() missing 1"),
        (lambda: rt.data.Dataset.range(3).batch(size=2), "'size'; write batch_size="),
        (lambda: rt.nn.metrics.Mean()(), "Mean.update_state() missing 1"),
    ],
)
def test_a_method_has_the_name_that_the_user_wrote(call, words):
    assert words in message_of(call)


def test_other_messages_stay_as_they_are():
    def own(axis=0):
        return axis

    for call in (
        lambda: own(axsi=1),
        lambda: reduce_max(1, keepdmis=True),
        lambda: rt.reduce_sum(rt.ones([2]), nothing_like_it=1),
        lambda: rt.reduce_sum(),
        lambda: len(3),
    ):
        with pytest.raises(TypeError) as found:
            call()
        before = str(found.value)
        complete_message(found.value)
        assert before == str(found.value)


def test_an_error_without_a_traceback_stays():
    error = TypeError("reduce_sum() got an unexpected keyword argument 'axsi'")
    complete_message(error)
    assert str(error).endswith("'axsi'")


def test_while_tracing_the_message_is_complete_where_it_is_caught():
    @ag.function
    def total(x):
        return rt.reduce_sum(x, axsi=0)

    with pytest.raises(TypeError, match="unexpected keyword argument 'axsi'; did you mean 'axis'?"):
        total(rt.ones([2]))


PROGRAM = """
import sys
import autograph.runtime as rt

before = sys.excepthook
if len(sys.argv) > 1:
    shown = []
    sys.excepthook = lambda *about: (before(*about), print("and the program's own hook"))
rt.reduce_sum(rt.ones([2]), axsi=0)
"""


@pytest.mark.parametrize("words", [[], ["own"]])
def test_an_uncaught_error_shows_the_suggestion_at_the_user_s_line(tmp_path, words):
    (tmp_path / "program.py").write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, "program.py", *words], cwd=tmp_path, capture_output=True, text=True,
        env={"PYTHONPATH": str(ROOT)}, check=False,
    )  # fmt: skip
    assert 1 == done.returncode
    assert "line 9, in <module>" in done.stderr or "line 10, in <module>" in done.stderr
    last = done.stderr.strip().splitlines()[-1]
    expected = "reduce_sum() got an unexpected keyword argument 'axsi'; did you mean 'axis'?"
    assert f"TypeError: {expected}" == last
    assert ("own hook" in done.stdout) == bool(words)


@pytest.mark.parametrize(
    "statement, message",
    [
        ("from autograph.runtime import lineal", "'autograph.runtime'; did you mean 'linalg'?"),
        ("from autograph.runtime import sum", "'autograph.runtime'; write rt.reduce_sum"),
        ("from autograph import functoin", "'autograph'; did you mean 'function'?"),
        ("import autograph.runtime.lineal", "did you mean 'autograph.runtime.linalg'?"),
        ("from json import lods", "'json' ("),
    ],
)
def test_an_imported_name_that_is_meant_is_named(statement: str, message: str) -> None:
    with pytest.raises(ImportError) as found:
        exec(statement)
    complete_message(found.value)
    assert message in str(found.value)
