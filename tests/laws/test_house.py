"""Laws of the house that a machine can check: opening sentences, top level, no leftovers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE_FOLDERS = ("autograph", "runtime", "tools")
TOP_LEVEL = {
    *(".ci", ".github", ".gitignore", "autograph", "docs", "golden_outputs", "pyproject.toml"),
    *("runtime", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md"),
    *("SECURITY.md", "tests", "tools"),
}
LONGEST_PROGRAM = 25
# What a program of a theme of its own may have: the real ones are as long as real ones are.
LONGEST_OF = {"real": 150}
NOT_OURS = {"__pycache__"}


def _python_files(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


SOURCES = _python_files(*SOURCE_FOLDERS)
PROGRAMS = _python_files("tests/programs")


def _text_files(root: Path = ROOT) -> Iterator[Path]:
    """Every file that is part of the project, as far as it is text."""
    for name in sorted(TOP_LEVEL):
        for path in [root / name, *(root / name).rglob("*")]:
            if path.is_file() and not NOT_OURS & {*path.parts} and _is_text(path):
                yield path


def _is_text(path: Path) -> bool:
    """Tell whether a file holds text, as far as its beginning shows."""
    with path.open("rb") as file:
        return b"\0" not in file.read(8192)


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def test_every_module_opens_with_a_sentence() -> None:
    assert [] == [_name(path) for path in SOURCES if not _opens_with_a_sentence(path)]


def _opens_with_a_sentence(path: Path) -> bool:
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    return bool(docstring and re.search(r"[.:?]", docstring))


def test_every_program_is_short() -> None:
    code = {_name(path): sum(1 for line in _lines(path) if line.strip()) for path in PROGRAMS}
    longest = {_name(path): LONGEST_OF.get(path.parent.name, LONGEST_PROGRAM) for path in PROGRAMS}
    assert {} == {name: count for name, count in code.items() if count > longest[name]}


STUBS = re.compile(r"\b(TO" r"DO|FIX" r"ME|X" r"XX)\b|raise NotImplemented" r"Error")


def test_no_stubs_or_todos_are_left() -> None:
    found = [(_name(path), line) for path in SOURCES for line in _lines(path) if STUBS.search(line)]
    assert [] == found


# The home of `me` is made up, for examples.
MACHINE_PATH = re.compile(r"(?<![\w./~-])/(home/(?!me/)|root/|Users/|work/)\w")


def test_no_file_names_a_path_of_a_machine() -> None:
    found = [
        f"{_name(path)}: {line.strip()}"
        for path in _text_files()
        for line in _lines(path)
        if MACHINE_PATH.search(line)
    ]
    assert [] == found


def test_the_machine_path_pattern_sees_one() -> None:
    assert MACHINE_PATH.search('open("/' + 'home/someone/x")')
    assert not MACHINE_PATH.search("tests/home/main and https://example.org/tmp/x")


NOUNLESS = {"utils.py", "misc.py", "helpers.py", "common.py"}


def test_every_file_name_is_a_noun() -> None:
    assert [] == [_name(path) for path in SOURCES if path.name in NOUNLESS]


def _ignored(root: Path) -> set[str]:
    """Return the names at the top that are no part of the project."""
    patterns = [line.rstrip("/") for line in _lines(root / ".gitignore")]
    names = [path.name for path in root.iterdir()]
    return {".git", *(name for name in names for each in patterns if fnmatch(name, each))}


def _not_ours(root: Path) -> set[str]:
    """Return a user's own names in a checkout: dot-folders, virtual environments, ignored files."""
    own = {p.name for p in root.iterdir() if p.name[0] == "." or (p / "pyvenv.cfg").is_file()}
    return (own | _ignored(root)) - TOP_LEVEL


def test_the_top_level_holds_the_fixed_entries() -> None:
    assert TOP_LEVEL == {path.name for path in ROOT.iterdir()} - _not_ours(ROOT)


def test_private_files_of_a_checkout_are_not_top_level_entries(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("build/\n")
    for name in (".idea", "env", "notes", "build", "tests"):
        (tmp_path / name).mkdir()
    (tmp_path / "env" / "pyvenv.cfg").write_text("")
    assert {".gitignore", "notes", "tests"} == {p.name for p in tmp_path.iterdir()} - _not_ours(
        tmp_path
    )


def test_ignored_and_binary_files_are_not_read(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text(".coverage\nbuild/\n")
    (tmp_path / ".coverage").write_bytes(b"\x00\xff")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "array.npy").write_bytes(b"\x93NUMPY\x01\x00")
    (tmp_path / "tests" / "page.html").write_text("text")
    (tmp_path / "new").mkdir()
    found = [path.name for path in _text_files(tmp_path)]
    assert [".gitignore", "page.html"] == found
    assert {".git", ".coverage"} == _ignored(tmp_path)
