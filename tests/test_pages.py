"""README.md and every page of docs/ run, and print what they show."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests import pages

MARK = "----- end of block -----"
README = pages.README.read_text(encoding="utf-8")
COMMANDS = [
    (page, command)
    for page in pages.PAGES
    for command in pages.commands(page.read_text(encoding="utf-8"))
]


def _run(words: list[str]) -> str:
    done = subprocess.run(
        [sys.executable, *words], cwd=pages.ROOT, capture_output=True, text=True, check=False
    )
    assert 0 == done.returncode, done.stderr
    return done.stdout


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]


@pytest.mark.parametrize("page", pages.PAGES, ids=lambda page: page.stem)
def test_the_blocks_of_a_page_print_what_it_shows(page: Path, tmp_path: Path) -> None:
    blocks = pages.python_blocks(page.read_text(encoding="utf-8"))
    script = tmp_path / "example.py"
    script.write_text(f"\nprint({MARK!r})\n".join(block.source for block in blocks))
    printed = _run([str(script)]).split(f"{MARK}\n")
    for block, text in zip(blocks, printed):
        assert _lines(block.output or "") == _lines(text)


@pytest.mark.parametrize(
    ("page", "command"), COMMANDS, ids=[" ".join(c.words) for _, c in COMMANDS]
)
def test_a_command_prints_what_its_page_shows(page: Path, command: pages.Command) -> None:
    printed = _run(["-m", "autograph", *command.words])
    shown = _lines(command.output)
    assert shown == _lines(printed)[: len(shown)]


@pytest.mark.parametrize("page", pages.PAGES, ids=lambda page: page.stem)
def test_links_of_a_page_lead_to_files(page: Path) -> None:
    links = pages.LINK.findall(page.read_text(encoding="utf-8"))
    assert [] == [link for link in links if not (page.parent / link).exists()]


def test_the_readme_leads_to_every_page() -> None:
    links = {(pages.ROOT / link).resolve() for link in pages.LINK.findall(README)}
    assert set() == set(pages.PAGES[1:]) - links


def test_the_two_commands_of_the_front_page_are_there() -> None:
    assert "pip install -e . && python -m autograph demo" in README
    assert 'pip install -e ".[test]" && pytest' in README


def test_there_is_something_to_run() -> None:
    assert len(pages.python_blocks(README)) >= 2
    assert len(COMMANDS) >= 8


def test_blocks_and_commands_are_cut_out_right() -> None:
    text = (
        "```python\na = 1\n```\n\n```text\none\n```\n"
        "```console\n$ pip install x\n$ python -m autograph code a:b\nshown\n```\n"
        "```python\nb = 2\n```\n"
    )
    assert [pages.Block("a = 1\n", "one\n"), pages.Block("b = 2\n", None)] == (
        pages.python_blocks(text)
    )
    assert [pages.Command(("code", "a:b"), "shown\n")] == pages.commands(text)
