"""The site: its links, its pages, the markup of docstrings, and the names in its reference."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

import autograph as ag
import runtime as rt
from tests import pages
from tools import docs, docs_links, docs_pages, docs_reference, docs_source, public_names

# Parts of the code that are attributes of the package, and no names for users.
NAMESPACES = {"core", "dtypes", "ops"}


def test_links_that_lead_nowhere_and_resources_of_a_network_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<h1 id="top">A</h1><a href="#top"></a><a href="b.html#there"></a><a href="b.html"></a>'
        '<a href="https://example.org/x"></a><img src="data:image/png;base64,AA">'
        '<a href="c.html"></a><a href="b.html#gone"></a><a href="#gone"></a>'
        '<script src="https://example.org/x.js"></script><link rel="stylesheet" href="no.css">'
    )
    (tmp_path / "b.html").write_text('<h1 id="there">B</h1>')
    broken = ["#gone", "b.html#gone", "c.html", "https://example.org/x.js", "no.css"]
    assert [f"a.html: {address}" for address in broken] == docs_links.broken_links(tmp_path)


def test_pages_link_to_pages_and_to_lines_of_sources(tmp_path: Path) -> None:
    sources = docs_pages.write_pages(tmp_path)
    text = (tmp_path / "architecture" / "tracing.md").read_text(encoding="utf-8")
    line = (
        (pages.ROOT / "autograph/functions/arguments/trace_key.py")
        .read_text()
        .split("\ndef key_of(")[0]
    )
    number = line.count("\n") + 2
    assert (
        f'href="../source/autograph/functions/arguments/trace_key.py.html#L{number}">`key_of`</a>'
        in text
    )
    assert pages.ROOT / "autograph/functions/arguments/trace_key.py" in sources
    root = (tmp_path / "architecture.md").read_text(encoding="utf-8")
    assert "](glossary.md)" in root and "](images/architecture.svg)" in root
    assert all(source.exists() for source in sources)


def test_links_in_code_stay(tmp_path: Path) -> None:
    page = pages.ROOT / "docs" / "page.md"
    text = "[a](../runtime/errors.py)\n```python\nx = [a](../runtime/errors.py)\n```\n"
    made = "".join(docs_pages._for_site(text, page, "page.md", {}, set()))
    assert made.startswith('<a class="source" href="source/runtime/errors.py.html">a</a>\n')
    assert made.endswith("x = [a](../runtime/errors.py)\n```\n")


def test_the_start_page_leads_to_every_page() -> None:
    text = docs_pages.places()
    index = (pages.ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    trees = [body for language, body in pages.fences(index) if language == "{toctree}"]
    listed = {line for tree in trees for line in tree.splitlines() if line and line[0] != ":"}
    places = {place.removesuffix(".md") for place in text.values()}
    inside = {place for place in places if place.startswith("gallery/") and "index" not in place}
    assert places - inside - {"index"} | {"api/index"} == listed


def test_docstrings_become_markup() -> None:
    lines = ["Return `x`s of *args, | or a_.", "", "Args:", "    *rest: the `y`.", ">>> 2 * `3`"]
    docs_reference.prepare_docstring(None, "", "", None, None, lines)
    assert lines == [
        "Return ``x``\\ s of \\*args, \\| or a\\_.",
        "",
        "Args:",
        "    *rest: the ``y``.",
        ">>> 2 * `3`",
    ]


def test_docstrings_of_numpy_are_cut_to_their_first_sentence() -> None:
    lines = ["sin(x, /)", "", "Sine of x.", "", "Parameters", "----------", "x : array"]
    docs_reference.prepare_docstring(None, "", "", None, None, lines)
    assert ["Sine of x.", "", "The arguments are those of NumPy's function."] == lines


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The pages of the reference by the names of their modules."""
    pytest.importorskip("jax")
    folder = tmp_path_factory.mktemp("api")
    docs_reference.write_pages(folder)
    return {page.stem: page.read_text(encoding="utf-8") for page in folder.glob("*.rst")}


def test_the_reference_describes_each_function_and_class_once(reference: dict[str, str]) -> None:
    described = re.findall(r"^\.\. auto\w+:: (\S+)$", "\n".join(reference.values()), re.MULTILINE)
    assert len(described) == len(set(described)) > 900
    for name in ("autograph::function", "autograph.runtime::reduce_sum", "autograph.jax::convert"):
        assert name in described
    values = [eval(name.replace("::", "."), {"autograph": ag}) for name in described]
    assert len(values) == len({id(value) for value in values})


def test_the_reference_lists_a_name_in_each_of_its_modules(reference: dict[str, str]) -> None:
    assert rt.math.add is rt.add
    assert ":py:obj:`add <autograph.runtime.add>`" in reference["autograph.runtime.math"]
    assert "autograph.runtime.math::add\n" not in reference["autograph.runtime.math"]
    names = [name for name in ag.__all__ if name not in ("jax", "saved_model", "errors")]
    assert [] == [name for name in names if f"`{name} <" not in reference["autograph"]]


def test_the_reference_has_the_public_modules() -> None:
    modules = {
        value.__name__
        for space, names in ((ag, ag.__all__), (rt, set(rt.__all__) - NAMESPACES))
        for value in (getattr(space, name) for name in names)
        if isinstance(value, ModuleType)
    }
    assert len(modules) > 20
    assert set() == modules - set(public_names.MODULES)


def test_names_link_to_the_line_of_their_source() -> None:
    link = docs_reference.source_link("py", {"module": "runtime", "fullname": "Variable.assign"})
    page, _, line = str(link).partition("#L")
    assert "../source/runtime/state/variable.py.html" == page
    text = (pages.ROOT / "runtime/state/variable.py").read_text(encoding="utf-8").splitlines()
    assert "def assign(" in text[int(line) - 1]
    assert docs_reference.source_link("py", {"module": "", "fullname": "x"}) is None


def test_sources_have_a_page_with_anchors_for_lines(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    file, folder = pages.ROOT / "runtime/errors.py", pages.ROOT / "runtime/io"
    docs_source.write_sources({file, folder}, tmp_path)
    text = (tmp_path / "source/runtime/errors.py.html").read_text(encoding="utf-8")
    assert all(f'id="L{number}"' in text for number in (1, 12, 100))
    listing = (tmp_path / "source/runtime/io/index.html").read_text(encoding="utf-8")
    assert "gfile.py" in listing
    (tmp_path / "index.html").write_text("")
    assert [] == docs_links.broken_links(tmp_path)


def test_a_missing_package_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(docs, "NEEDED", ("numpy", "no_such_package"))
    assert 1 == docs.main([])
    assert 'no_such_package: not installed; pip install -e ".[docs]"\n' == capsys.readouterr().out


def test_defaults_that_are_no_python_are_dots() -> None:
    for before, after in (
        (
            "(a: dict[str, int] = <factory>, b=<object object at 0x7f>)",
            "(a: dict[str, int] = ..., b=...)",
        ),
        ("(a: int = 3) -> bool", "(a: int = 3) -> bool"),
    ):
        shown = docs_reference.readable_signature(None, "", "", None, None, before, None)
        assert (after, None) == shown
