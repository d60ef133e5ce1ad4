"""Everything README.md shows runs, and prints what it shows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests import readme

TEXT = readme.README.read_text(encoding="utf-8")
BLOCKS = readme.python_blocks(TEXT)
COMMANDS = readme.commands(TEXT)
MARK = "----- end of block -----"


def _run(words: list[str], folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, *words], cwd=folder, capture_output=True, text=True, check=False
    )
    assert 0 == done.returncode, done.stderr
    return done.stdout


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What each Python block prints when all of them run as one file, in order."""
    script = tmp_path_factory.mktemp("readme") / "example.py"
    script.write_text(f"\nprint({MARK!r})\n".join(block.source for block in BLOCKS))
    return _run([str(script)], readme.README.parent).split(f"{MARK}\n")


@pytest.mark.parametrize("place", range(len(BLOCKS)))
def test_a_python_block_prints_what_it_shows(place: int, outputs: list[str]) -> None:
    shown = BLOCKS[place].output
    assert _lines(shown or "") == _lines(outputs[place])


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command.words))
def test_a_command_prints_what_it_shows(command: readme.Command) -> None:
    printed = _run(["-m", "autograph", *command.words], readme.README.parent)
    shown = _lines(command.output)
    assert shown == _lines(printed)[: len(shown)]


def test_there_is_something_to_run() -> None:
    assert len(BLOCKS) >= 3
    assert len(COMMANDS) >= 3


def test_the_two_commands_of_the_front_page_are_there() -> None:
    assert "pip install -e . && python -m autograph demo" in TEXT
    assert 'pip install -e ".[test]" && pytest' in TEXT


def test_blocks_and_commands_are_cut_out_right() -> None:
    text = (
        "```python\na = 1\n```\n\n```text\none\n```\n"
        "```console\n$ pip install x\n$ python -m autograph code a:b\nshown\n```\n"
        "```python\nb = 2\n```\n"
    )
    assert [readme.Block("a = 1\n", "one\n"), readme.Block("b = 2\n", None)] == (
        readme.python_blocks(text)
    )
    assert [readme.Command(("code", "a:b"), "shown\n")] == readme.commands(text)
