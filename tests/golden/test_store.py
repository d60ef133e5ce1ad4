"""The golden store sees missing, changed and orphaned files."""

from __future__ import annotations

from pathlib import Path

from tests.golden import store


def test_missing_changed_and_equal_files_are_distinguished(tmp_path: Path) -> None:
    assert "no golden file" in store.difference("theme/one", "text\n", tmp_path)
    assert ["theme/one"] == list(store.write({"theme/one": "text\n"}, tmp_path))
    assert "" == store.difference("theme/one", "text\n", tmp_path)
    assert "+other" in store.difference("theme/one", "other\n", tmp_path)


def test_line_ends_count(tmp_path: Path) -> None:
    golden = store.path_of("one", tmp_path)
    for content in (b"a\r\nb\n", b"a\nb", b"a\nb\n\n", b"a\nb\r\n"):
        golden.write_bytes(content)
        assert store.difference("one", "a\nb\n", tmp_path), content
        assert ["one"] == list(store.write({"one": "a\nb\n"}, tmp_path))
        assert b"a\nb\n" == golden.read_bytes()


def test_only_changed_pages_are_written(tmp_path: Path) -> None:
    pages = {"theme/one": "1\n", "theme/two": "2\n"}
    assert list(pages) == list(store.write(pages, tmp_path))
    assert ["theme/two"] == list(store.write({**pages, "theme/two": "3\n"}, tmp_path))


def test_orphans_are_found_and_removed(tmp_path: Path) -> None:
    list(store.write({"theme/one": "1\n", "gone/two": "2\n"}, tmp_path))
    (tmp_path / "stray.txt").write_text("stray")
    found = store.remove_orphans(["theme/one"], tmp_path)
    assert ["gone/two.md", "stray.txt"] == [str(path.relative_to(tmp_path)) for path in found]
    assert [] == store.orphans(["theme/one"], tmp_path)
