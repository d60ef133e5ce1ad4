"""The project's pages: their examples print their output, their links and names lead somewhere."""

from __future__ import annotations

import importlib
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

import autograph.errors
import runtime.errors
from tests import pages
from tests.each import for_each
from tests.scripts import run_script

_NAMES = [str(page.relative_to(pages.ROOT)) for page in pages.PAGES]
MARK = "----- end of block -----"
README = pages.README.read_text(encoding="utf-8")
COMMANDS = [
    (page, command)
    for page in pages.PAGES
    for command in pages.commands(page.read_text(encoding="utf-8"))
]

NOTEBOOKS = [page for page in pages.PAGES if page.parent.name == "gallery" and page.stem != "index"]


def _run(words: list[str]) -> str:
    done = subprocess.run(
        [sys.executable, *words], cwd=pages.ROOT, capture_output=True, text=True, check=False
    )
    assert 0 == done.returncode, done.stderr
    return done.stdout


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]


@pytest.mark.parametrize("page", pages.PAGES, ids=_NAMES)
def test_the_blocks_of_a_page_print_the_shown_output(page: Path, tmp_path: Path) -> None:
    for package in pages.PACKAGES.get(str(page.relative_to(pages.ROOT)), ()):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    blocks = pages.python_blocks(page.read_text(encoding="utf-8"))
    script = tmp_path / "example.py"
    script.write_text(f"\nprint({MARK!r})\n".join(block.source for block in blocks))
    printed = run_script(script, pages.ROOT).split(f"{MARK}\n")
    for block, text in zip(blocks, printed):
        assert _lines(block.output or "") == _lines(text)


# A few notebooks run in one process, since the imports take as long as the cells.
@pytest.mark.parametrize("some", [NOTEBOOKS[start::4] for start in range(4)], ids=range(4))
def test_the_cells_of_notebooks_run(some: list[Path], tmp_path: Path) -> None:
    for page in some:
        cells = pages.cells(page.read_text(encoding="utf-8"))
        assert any("assert " in cell for cell in cells), f"{page} does not check its result"
        (tmp_path / f"{page.stem}.py").write_text("\n".join(cells))
    scripts = [str(tmp_path / f"{page.stem}.py") for page in some]
    _run(["-c", "import runpy, sys; [runpy.run_path(each) for each in sys.argv[1:]]", *scripts])


def test_the_gallery_lists_its_notebooks() -> None:
    text = (pages.ROOT / "docs" / "gallery" / "index.md").read_text(encoding="utf-8")
    listed = [link.removesuffix(".md") for link in pages.LINK.findall(text)]
    shown = dict(pages.fences(text))["{toctree}"].split()[1:]
    assert 20 <= len(NOTEBOOKS)
    assert sorted(page.stem for page in NOTEBOOKS) == sorted(listed) == sorted(shown)


@pytest.mark.parametrize(
    ("page", "command"), COMMANDS, ids=[" ".join(c.words) for _, c in COMMANDS]
)
def test_a_command_prints_the_shown_output(page: Path, command: pages.Command) -> None:
    printed = _run(["-m", "autograph", *command.words])
    shown = _lines(command.output)
    assert shown == _lines(printed)[: len(shown)]


@for_each("page", pages.PAGES)
def test_links_of_a_page_lead_to_files(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert [] == [link for link in pages.LINK.findall(text) if not (page.parent / link).exists()]
    assert [] == pages.UNOPENED.findall(text)


@for_each("page", pages.PAGES)
def test_anchors_of_a_page_lead_to_headings(page: Path) -> None:
    found = pages.ANCHOR.findall(page.read_text(encoding="utf-8"))
    assert [] == [
        (link, anchor)
        for link, anchor in found
        if anchor not in pages.anchors((page.parent / link if link else page).read_text("utf-8"))
    ]


def _pages_behind(page: Path) -> set[Path]:
    links = pages.LINK.findall(page.read_text(encoding="utf-8"))
    return {(page.parent / link).resolve() for link in links} & set(pages.PAGES)


def test_the_readme_leads_to_every_page_in_two_clicks() -> None:
    first = _pages_behind(pages.README)
    second = {behind for page in first for behind in _pages_behind(page)}
    assert set() == set(pages.PAGES) - first - second - {pages.README}


@for_each("page", pages.PAGES)
def test_names_that_link_to_modules_are_defined_in_them(page: Path) -> None:
    found = pages.DEFINED.findall(page.read_text(encoding="utf-8"))
    assert [] == [
        (name, link)
        for name, link in found
        if name not in pages.names_defined_in(page.parent / link)
    ]


@for_each("page", pages.PAGES)
def test_files_that_a_page_names_exist(page: Path) -> None:
    named = pages.FILE.findall(pages.without_fences(page.read_text(encoding="utf-8")))
    assert [] == [name for name in named if not any(pages.ROOT.glob(name))]


@for_each("page", pages.PAGES)
def test_modules_that_a_page_names_exist(page: Path) -> None:
    named = pages.MODULE.findall(pages.without_fences(page.read_text(encoding="utf-8")))
    assert [] == [name for name in named if not _is_there(name)]


ABOUT_THE_CODE = [
    page for page in pages.PAGES if page.stem.isupper() or "architecture" in page.parts
]


def _words_of_the_project() -> set[str]:
    files = [
        path
        for folder in ("autograph", "runtime", "tests", "tools")
        for path in (pages.ROOT / folder).rglob("*.py")
    ]
    texts = (path.read_text(encoding="utf-8") for path in files)
    return {word for text in (*texts, *map(str, files)) for word in re.findall(r"\w+", text)}


def test_identifiers_in_pages_about_the_code_are_in_the_code() -> None:
    known = _words_of_the_project()
    for page in ABOUT_THE_CODE:
        assert set() == pages.identifiers(page.read_text(encoding="utf-8")) - known, page


_HAS_JAX = importlib.util.find_spec("jax") is not None


def _is_there(dotted: str) -> bool:
    """Tell whether a dotted name is a module, or an attribute of one."""
    parts = dotted.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found = importlib.util.find_spec(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        if found is not None and parts[:2] == ["autograph", "jax"] and not _HAS_JAX:
            return True  # its names are seen where JAX is installed
        if found is not None:
            value: object = importlib.import_module(".".join(parts[:length]))
            for name in parts[length:]:
                value = getattr(value, name, None)
            return value is not None
    return False


def test_the_architecture_page_names_every_room() -> None:
    text = (pages.ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rooms = {
        f"{package}/{folder.name}/"
        for package in ("autograph", "runtime")
        for folder in (pages.ROOT / package).iterdir()
        if (folder / "__init__.py").exists()
    }
    assert set() == {room for room in rooms if f"]({room})" not in text}


def test_the_front_page_has_its_two_commands() -> None:
    assert "pip install -e . && python -m autograph demo" in README
    assert 'pip install -e ".[test]" && pytest' in README


def test_each_error_of_the_troubleshooting_page_is_shown_by_its_examples() -> None:
    text = (pages.ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
    shown = "\n".join(block.output or "" for block in pages.python_blocks(text))
    quoted = pages.QUOTED.findall(text)
    assert len(quoted) >= 20
    assert [] == [each for each in quoted if not _has(shown, each)]


ERRORS = [
    error
    for module in (autograph.errors, runtime.errors)
    for error in vars(module).values()
    if isinstance(error, type)
    and issubclass(error, Exception)
    and error.__module__ == module.__name__
]


def test_each_class_of_error_has_an_entry_to_which_its_help_leads() -> None:
    text = (pages.ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
    entries = set(re.findall(r"^### (\w+)$", text, re.MULTILINE))
    assert {error.__name__ for error in ERRORS} == entries
    for error in ERRORS:
        if not issubclass(error, Warning):
            page, _, anchor = error("a message").help.partition("#")
            assert anchor == error.__name__.lower() and (pages.ROOT / page).exists()


def test_the_table_of_errors_names_the_files_that_make_each() -> None:
    page = pages.ROOT / "docs" / "troubleshooting.md"
    lines = page.read_text(encoding="utf-8").rpartition("## For maintainers")[2].splitlines()
    cells = [line.strip("| ").split(" | ") for line in lines]
    rows = {
        cell[0].strip("`"): {
            (page.parent / link).resolve().relative_to(pages.ROOT).as_posix()
            for link in pages.LINK.findall(cell[1])
        }
        for cell in cells
        if re.fullmatch(r"`[A-Z]\w+`", cell[0])
    }
    kinds = {name: each for name, each in vars(autograph.errors).items() if isinstance(each, type)}
    own = {name for name, kind in kinds.items() if issubclass(kind, Exception)}
    files = pages.raised_in(rows.keys() | own)
    assert set() == {name for name in own - rows.keys() if files[name]}
    for name, links in rows.items():
        covered = {link: {file for file in files[name] if _is_in(file, link)} for link in links}
        assert set() == files[name].difference(*covered.values()), f"not in the row of {name}"
        assert [] == [link for link in links if not covered[link]], f"do not make {name}"


def _is_in(file: str, link: str) -> bool:
    return file == link or file.startswith(f"{link}/")


def _has(text: str, words: str) -> bool:
    """Tell whether a text has some words; three dots stand for any others."""
    return bool(re.search(r"[^\n]*".join(map(re.escape, words.split("..."))), text))


def test_pages_have_blocks_and_commands() -> None:
    assert len(pages.python_blocks(README)) >= 2
    assert len(COMMANDS) >= 8


def test_blocks_and_commands_are_extracted() -> None:
    text = (
        "```python\na = 1\n```\n\n```text\none\n```\n"
        "```console\n$ pip install x\n$ python -m autograph code a:b\nshown\n```\n"
        "```python\nb = 2\n```\n"
    )
    assert [pages.Block("a = 1\n", "one\n"), pages.Block("b = 2\n", None)] == (
        pages.python_blocks(text)
    )
    assert [pages.Command(("code", "a:b"), "shown\n")] == pages.commands(text)


def test_cells_of_a_notebook_are_extracted() -> None:
    text = (
        "```{code-cell}\na = 1\n```\n```{code-cell}\n:tags: [picture]\n\nplot(a)\n```\n"
        "```{toctree}\nb\n```\n```{code-cell}\nassert a\n```\n"
    )
    assert ["a = 1\n", "assert a\n"] == pages.cells(text)
    assert "" == pages.without_fences(text).strip()


def test_links_names_files_and_modules_are_found_in_a_page() -> None:
    text = (
        "# Write an op\n"
        "[`f`](m.py), [`C.g()`](../m.py), [`m.py`](m.py), [ops](ops.md#write-an-op), "
        "`runtime/ops/op.py`, `runtime.passes.optimize(graph)`, `tests/<theme>/x.py`\n"
        "| *one ... two*, *three* | four |\n"
    )
    assert ["m.py", "../m.py", "m.py", "ops.md"] == pages.LINK.findall(text)
    assert [("ops.md", "write-an-op")] == pages.ANCHOR.findall(text)
    assert {"write-an-op"} == pages.anchors(text)
    assert [("f", "m.py"), ("C.g", "../m.py")] == pages.DEFINED.findall(text)[:2]
    assert ["runtime/ops/op.py"] == pages.FILE.findall(text)
    assert ["runtime.passes.optimize"] == pages.MODULE.findall(text)
    assert ["one ... two", "three"] == pages.QUOTED.findall(text)


def test_the_names_that_a_module_defines(tmp_path: Path) -> None:
    module = tmp_path / "m.py"
    module.write_text(
        "A, B = 1, 2\nclass C:\n    x: int = 3\n    def f(self): y = 1\ndef g(): pass\n"
    )
    assert {"A", "B", "C", "C.x", "C.f", "g"} == pages.names_defined_in(module)
    assert _has("all that is one of two", "one ... two") and not _has("one\ntwo", "one ... two")
