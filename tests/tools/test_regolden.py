"""`tools/regolden.py` writes the requested pages and reports the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden import store
from tools import regolden


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty golden folder in place of the real one."""
    for name in ("path_of", "difference", "orphans", "write", "remove_orphans"):
        original = getattr(store, name)
        defaults = (*original.__defaults__[:-1], tmp_path)
        monkeypatch.setattr(original, "__defaults__", defaults)
    return tmp_path


def test_one_program_is_written_and_then_up_to_date(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 1 == regolden.main(["--check", "ternary"])
    assert 0 == regolden.main(["ternary"])
    assert ["conditionals/ternary.md"] == [
        str(path.relative_to(folder)) for path in folder.rglob("*.md")
    ]
    capsys.readouterr()
    assert 0 == regolden.main(["--check", "conditionals/ternary"])
    assert "golden files: 1 pages, 0 differences\n" == capsys.readouterr().out


def test_an_orphan_is_reported(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    regolden.main(["ternary"])
    (folder / "gone.md").write_text("old")
    assert 1 == regolden.main(["--check", "ternary"])
    assert "gone.md: no such program" in capsys.readouterr().out


def test_an_unknown_name_is_an_error(folder: Path) -> None:
    with pytest.raises(LookupError, match="no program named ternery"):
        regolden.main(["ternery"])
