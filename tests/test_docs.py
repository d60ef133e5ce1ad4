"""Every page in docs/ runs, and prints what it shows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests import readme

ROOT = readme.README.parent
PAGES = sorted((ROOT / "docs").rglob("*.md"))
MARK = "----- end of block -----"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_prints_what_it_shows(page: Path, tmp_path: Path) -> None:
    blocks = readme.python_blocks(page.read_text(encoding="utf-8"))
    script = tmp_path / "example.py"
    script.write_text(f"\nprint({MARK!r})\n".join(block.source for block in blocks))
    done = subprocess.run(
        [sys.executable, str(script)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert 0 == done.returncode, done.stderr
    shown = [(block.output or "").split() for block in blocks]
    assert shown == [text.split() for text in done.stdout.split(MARK)][: len(blocks)]


def test_there_are_pages() -> None:
    assert "random_numbers" in [page.stem for page in PAGES]
