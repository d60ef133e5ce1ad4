"""HTML forms of explanations, profiles, Functions, traces and checks in a notebook."""

from __future__ import annotations

import html
import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from tests.hostile import TEXTS

LARGEST = 60_000


def total(n: Any) -> Any:
    s = 0
    while n > 0:
        if n > 3:
            s += n
        n -= 1
    return s


def half_if_large(x: Any) -> Any:
    y = x
    if x > 10:
        y = x / 2
    return y


def shown(value: Any) -> str:
    """Return the form of a value, without the style."""
    form = value._repr_html_()
    assert isinstance(form, str)
    return form.partition("</style>")[2]


def words(value: Any) -> str:
    """Return the text of a form, without tags and frames, its words separated by one blank."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", shown(value))).split())


def reports() -> list[Any]:
    """Return one report of each kind, of which the text is shown at a prompt."""
    scale = ag.function(lambda x, k: x * k)
    scale(rt.constant(1.0), 2), scale(rt.constant(1.0), 3)
    return [
        ag.explain(total),
        ag.explain(total, rt.constant(4)),
        ag.profile(total, rt.constant(4)),
        ag.check(half_if_large, [(rt.constant(20),), (rt.constant(4),)]),
        ag.explain_retrace(scale),
    ]


@pytest.mark.parametrize("at", range(5))
def test_the_repr_of_a_report_is_its_text(at: int) -> None:
    report = reports()[at]
    assert str(report) == repr(report)
    assert "(name=" not in repr(report)


def test_an_explanation_shows_lines_with_their_outcomes() -> None:
    def f(x: Any) -> Any:
        while x > 0:
            x -= len("a<b")
        yield x

    text = shown(ag.explain(total))
    assert "`total` is converted: it is Python code of yours" in words(ag.explain(total))
    assert 2 == text.count('<em class="staged">staged</em>')
    assert "nothing in it stays Python" in text
    assert "x -= len(&quot;a&lt;b&quot;)" in shown(ag.explain(f))
    assert "it calls" in words(ag.explain(f)) and "len" in words(ag.explain(f))
    assert "left alone" in words(ag.explain(len))


def test_an_explained_call_shows_conditions_and_the_graph() -> None:
    explanation = ag.explain(total, rt.constant(4))
    text = words(explanation)
    assert "total(n: int32[]): 2 places staged, 10 nodes" in text
    assert "`while`: n (argument) -> n > 0 (line 22)" in text
    assert '<iframe title="graph" sandbox="allow-scripts"' in shown(explanation)
    failed = ag.explain(lambda x: x if x > 0 else "text", rt.constant(1))
    assert "<lambda>` fails: BranchMismatch" in words(failed)
    assert "<iframe" not in shown(failed)


def test_a_profile_shows_bars_for_lines() -> None:
    profile = ag.profile(total, rt.constant(4))
    form = shown(profile)
    assert len(profile.lines) == form.count('<span class="ag-bar" style="width:')
    assert f"{len(profile.nodes)} nodes" in form
    assert "test_reports.py:22" in form and "while n &gt; 0:" in form


def test_a_check_marks_differences() -> None:
    report = ag.check(half_if_large, [(rt.constant(20),), (rt.constant(4),)])
    form = shown(report)
    assert "1 of 2 cases agree" in words(report)
    assert ['<span class="ag-bad">float64 4.</span>'] == re.findall(
        r'<span class="ag-bad">.*?</span>', form
    )
    assert "first at line" in form
    assert "ag-bad" not in shown(ag.check(total, [(rt.constant(4),)]))


def test_a_function_shows_its_traces() -> None:
    f = ag.function(total)
    assert f._repr_html_() is None
    f(rt.constant(3)), f(rt.constant(3)), f(rt.constant(3.0))
    text = words(f)
    assert "<Function total(n: 'Any') -> 'Any'> 2 traces" in text
    assert "total(n: int32[]) 10 2" in text and "total(n: float32[]) 10 1" in text


def test_a_concrete_function_shows_inputs_and_outputs() -> None:
    v = rt.Variable(2.0, name="rate")
    concrete = ag.function(lambda x: x * v).get_concrete_function(rt.TensorSpec([3], rt.float32))
    text = words(concrete)
    assert "(x: float32[3]) ConcreteFunction, 2 nodes" in text
    assert "input x float32[3]" in text and "capture" in text
    assert "output multiply float32[3]" in text
    assert "<iframe" not in shown(concrete)


def test_a_retrace_report_has_a_row_for_each_change() -> None:
    scale = ag.function(lambda x, k: x * k)
    scale(rt.constant(1.0), 2), scale(rt.constant(1.0), 3)
    text = words(ag.explain_retrace(scale))
    assert "2 traces for 2 calls" in text
    assert "k: value 2 3 pass a tensor: rt.constant(3)" in text
    assert "one trace serves all of these with input_signature=" in text


def test_forms_of_large_reports_are_bounded(tmp_path: Path) -> None:
    lines = [f"    if x > {at}:\n        x = x * {at}" for at in range(120)]
    path = tmp_path / "long.py"
    path.write_text("def f(x):\n" + "\n".join(lines) + "\n    return x\n")
    spec = importlib.util.spec_from_file_location("long", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for report in (ag.explain(module.f), ag.profile(module.f, rt.constant(1))):
        assert len(report._repr_html_()) < LARGEST
    assert "more lines" in shown(ag.explain(module.f))
    f = ag.function(lambda x: x)
    for size in range(30):
        f(rt.zeros([size]))
    assert 11 == shown(f).count("<tr>")
    assert len(ag.explain_retrace(f)._repr_html_()) < LARGEST


@pytest.mark.parametrize("text", TEXTS)
def test_hostile_text_adds_no_tags(text: str) -> None:
    def forms(text: str) -> list[str]:
        f = ag.function(lambda x, k: x)
        f(rt.constant(1), text), f(rt.constant(1), text + "!")
        checked = ag.check(lambda x: x, [(text,), ([text],)])
        return [each._repr_html_() for each in (f, ag.explain_retrace(f), checked)]

    for hostile, harmless in zip(forms(text), forms("harmless")):
        tags = [re.findall(r"</?\w+", each.split("</style>")[1]) for each in (hostile, harmless)]
        assert tags[0] == tags[1]
        assert "<script>alert" not in hostile
