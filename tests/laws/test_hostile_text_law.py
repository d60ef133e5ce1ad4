"""Law: no text of a user becomes part of printed code, pages or messages.

Names, strings, docstrings and file names that would do something as code, as HTML or in a terminal
go through every printer. What is printed must be what is printed of harmless ones, but for them.
"""

from __future__ import annotations

import ast
import builtins
import importlib.util
import keyword
import re
import sys
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.cli.html_pages import call_page, code_page, explanation_page
from autograph.cli.listing import listing_of
from runtime.errors import GraphError, OpError
from runtime.executors.numpy.kernel_calls import call_text
from runtime.executors.numpy.name_allocation import NameAllocation, identifier
from runtime.executors.numpy.printed_function import printed_function
from runtime.graph.dot import graph_dot
from runtime.graph.graph import Graph
from runtime.graph.html_page import graph_page
from runtime.graph.node import Node
from runtime.ops.op import REGISTRY
from tests.each import for_each
from tests.hostile import TEXTS
from tests.laws.op_samples import SAMPLES
from tests.suite_length import sample

WORDS = sorted({*dir(builtins), *keyword.kwlist, "self", "np_add", "array", "f1_0", "_", "__", "x"})
HARMLESS = "harmless"
_WORD = re.compile(r"\w*", re.ASCII)


def graph_of(name: str, texts: str | None = None) -> Graph:
    """Return a graph in which everything that has a name has this one, with a branch and a loop."""
    text = name if texts is None else texts
    graph = rt.Graph(name)
    x = graph.add_input(rt.TensorSpec((2,), rt.float32, name), name)
    n = graph.add_input(rt.TensorSpec((), rt.int32, name), name)
    said = graph.add_input(rt.TensorSpec((), rt.string), name)
    with graph.recording():
        (root,) = graph.record(REGISTRY["sqrt"], (x,), {}, (), name)
        joined = rt.strings.join([said, rt.strings.regex_replace(said, "b", text)], separator=text)
        rt.debugging.assert_greater(n, -1, message=text)
        rt.print(text, n)
        chosen = rt.cond(n > 1, lambda: root + 1.0, lambda: root * 2.0, name=name)
        _, total = rt.while_loop(
            lambda i, t: i < n, lambda i, t: (i + 1, t + chosen), (0, rt.zeros([2])), name=name
        )
    # What a call names has letters replaced; a graph that is made otherwise has any text.
    chosen.node.name, total.node.name = f"{name}_4", f"{name}_5"
    graph.set_outputs([total, joined])
    return graph


def constants_in(source: str) -> list[object]:
    tree = ast.parse(source)
    return [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]


def assert_holds_no_text(source: str) -> None:
    """Raise AssertionError for a constant in code that is more than a number or a word."""
    for value in constants_in(source):
        assert isinstance(value, (int, float, type(None))) or (
            isinstance(value, str) and _WORD.fullmatch(value)
        )


# -- NumPy source ----------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [*TEXTS, *WORDS])
def test_names_of_a_graph_are_identifiers_of_the_printed_function(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    graph = graph_of(text)
    made = printed_function(graph)
    assert_holds_no_text(made.source)
    arrays = [np.array([4.0, 9.0], np.float32), np.array(3, np.int32), np.array(b"ab", object)]
    total, joined = made.run(arrays)
    assert [9.0, 12.0] == total.tolist()
    replaced = b"a" + text.encode()
    assert "\\" in text or b"ab" + text.encode() + replaced == joined.item()
    assert f"{text} 3\n" == capsys.readouterr().err


@for_each("text", [*TEXTS, *WORDS, "", "a.b", "1", "é", "x\u0301", "\ud800"])
def test_hostile_names_become_identifiers(text: str) -> None:
    name = identifier(text)
    assert name.isidentifier() and not keyword.iskeyword(name)
    # Python takes a name as what it is in this form, and nothing else may mean the same.
    assert name == ast.parse(f"{name} = 1").body[0].targets[0].id  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", TEXTS)
def test_printed_attributes_contain_no_hostile_text(text: str) -> None:
    for law_sample in SAMPLES:
        op, attrs = REGISTRY[law_sample.op], dict(law_sample.attrs)
        if op.kernel is None:
            continue
        hostile = {
            key: type(value)(text.encode() if isinstance(value, bytes) else text)
            if isinstance(value, (str, bytes))
            else value
            for key, value in attrs.items()
        }
        inputs = rt.Graph("f")
        given = [
            inputs.add_input(rt.TensorSpec.of_array(each), "x")
            for each in law_sample.inputs
            if each.dtype.kind != "V"
        ]
        if len(given) != len(law_sample.inputs):
            continue
        for number in range(len(attrs) + 1):
            added = {text: 1} if number == len(attrs) else {list(attrs)[number]: text}
            node = Node(0, "node", op, tuple(given), {**hostile, **added})
            node.outputs = (given or [inputs.add_input(rt.TensorSpec(()), "y")])[:1]  # type: ignore[assignment]
            try:
                printed = call_text(node, [f"x{at}" for at in range(len(given))], NameAllocation())
            except (GraphError, OpError):
                continue
            call = ast.parse(printed, mode="eval").body
            assert isinstance(call, ast.Call)
            assert {each.arg for each in call.keywords} <= {*attrs, "out"}
            assert_holds_no_text(printed)


# -- converted code --------------------------------------------------------------------------------

_SOURCE = '''
"""{doc}"""

def program(x, text={text!r}, *, other={text!r}):
    {doc!r}
    class Local:
        {doc!r}
        held = {text!r}
    total = 0
    for at in range(3):
        if x > at:
            total += len({text!r}) * at
    said = {{{text!r}: Local.held, "format": f"{{text!r}}{{other}}"}}
    while total > 10 ** 6:
        total -= 1
    return total + x, said, program.__doc__
'''


@pytest.fixture
def module_of(tmp_path: Path) -> Iterator[Callable[[str], Any]]:
    made: list[str] = []

    def load(text: str) -> Any:
        called = re.sub(r"[/\x00]", "_", text)
        file = tmp_path / f"{called[:60]}.py"
        doc = text.replace("\\", "").replace('"', "").replace("\x00", "")
        file.write_text(_SOURCE.format(doc=doc, text=text), encoding="utf-8")
        name = f"hostile_module_{len(made)}"
        spec = importlib.util.spec_from_file_location(name, file)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        made.append(name)
        spec.loader.exec_module(module)
        return module

    yield load
    for name in made:
        del sys.modules[name]


@pytest.mark.parametrize("text", TEXTS)
def test_converted_code_has_strings_where_strings_were(
    text: str, module_of: Callable[[str], Any], capsys: pytest.CaptureFixture[str]
) -> None:
    program = module_of(text).program
    converted = ag.to_code(program)
    assert text in constants_in(converted)
    harmless = ag.to_code(module_of(HARMLESS).program)
    kinds = [[type(node) for node in ast.walk(ast.parse(each))] for each in (converted, harmless)]
    assert kinds[0] == kinds[1]
    assert program(2) == ag.convert()(program)(2)
    staged = ag.function(lambda x: program(x)[0])
    assert program(2)[0] == staged(rt.constant(2)).numpy()
    assert "done" not in capsys.readouterr().out


# -- texts of graphs -------------------------------------------------------------------------------

# A line of a message in text form.
_LINE = re.compile(r' *(\w+ \{|\}|\w+: ("([^"\\]|\\.)*"|[-+.\w]+))')


@pytest.mark.parametrize("text", TEXTS)
def test_hostile_text_adds_no_lines_to_a_graphdef(text: str) -> None:
    lines = str(graph_of(text).as_graph_def()).splitlines()
    assert all(map(_LINE.fullmatch, lines))
    assert len(str(graph_of(HARMLESS).as_graph_def()).splitlines()) == len(lines)


@pytest.mark.parametrize("text", TEXTS)
def test_hostile_text_adds_no_lines_to_the_text_of_a_graph(text: str) -> None:
    lines = graph_of(text).as_text().splitlines()
    assert all(line.isprintable() for line in lines)
    assert len(graph_of(HARMLESS).as_text().splitlines()) == len(lines)


@pytest.mark.parametrize("text", TEXTS)
def test_hostile_text_adds_nothing_to_a_dot_drawing(text: str) -> None:
    found, expected = (_skeleton(graph_dot(graph_of(each))) for each in (text, HARMLESS))
    assert expected == found


def _skeleton(dot: str) -> list[str]:
    """Return the lines of a drawing without its texts: quoted ones, and those between tags."""
    lines = [re.sub(r'"([^"\\]|\\.)*"', '""', line) for line in dot.splitlines()]
    lines = [re.sub(r"label=<[^<>]*>", "label=<>", line) for line in lines]
    return [re.sub(r"(?<=>)[^<>]+(?=<)", "", line) for line in lines]


# -- pages -----------------------------------------------------------------------------------------


class Tags(HTMLParser):
    """Takes down tags and the names of their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[Any] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, *(name for name, _ in attrs)))

    def handle_endtag(self, tag: str) -> None:
        self.found.append(f"/{tag}")


def pages_of(program: Any, text: str) -> dict[str, str]:
    listing, graph = listing_of(program), graph_of(text)
    return {
        "graph": graph_page(graph, text, source=text, converted=text),
        "code": code_page(listing, text),
        "explanation": explanation_page(ag.explain(program), text),
        "call": call_page(ag.explain(program, rt.constant(2)), text, listing),
    }


# The tags of each page of the harmless text, which one test of a process finds out.
_HARMLESS_TAGS: dict[str, list[Any]] = {}


@pytest.mark.parametrize("text", sample(TEXTS, 2))
def test_hostile_text_adds_no_html_tags(text: str, module_of: Callable[[str], Any]) -> None:
    shown = pages_of(module_of(text).program, text)
    if not _HARMLESS_TAGS:
        harmless = pages_of(module_of(HARMLESS).program, HARMLESS)
        _HARMLESS_TAGS.update({name: Tags(page).found for name, page in harmless.items()})
    for name, page in shown.items():
        assert (name, _HARMLESS_TAGS[name]) == (name, Tags(page).found)
        assert "<script>alert" not in page
