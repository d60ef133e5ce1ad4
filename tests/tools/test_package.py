"""`tools/package.py`: missing and superfluous files are told."""

from __future__ import annotations

import tarfile
import zipfile
from pathlib import Path

import pytest

from tools import package


def archives(folder: Path, names: list[str]) -> tuple[Path, Path]:
    source, wheel = folder / "p-1.tar.gz", folder / "p-1.whl"
    (folder / "file").write_text("")
    with tarfile.open(source, "w:gz") as tar, zipfile.ZipFile(wheel, "w") as archive:
        for name in names:
            tar.add(folder / "file", f"p-1/{name}")
            archive.writestr(name, "")
        archive.writestr("p-1.dist-info/METADATA", "")
    return source, wheel


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(package, "ROOT", tmp_path / "project")
    for name in ("autograph/a.py", "autograph/py.typed", "runtime/b.py"):
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    cache = tmp_path / "project" / "runtime" / "__pycache__"
    cache.mkdir()
    (cache / "b.pyc").write_text("")
    return tmp_path


OTHERS = ["CHANGELOG.md", "LICENSE", "SECURITY.md", "tests/corpus.py"]
ALL = ["autograph/a.py", "autograph/py.typed", "runtime/b.py"]


def test_complete_archives_have_no_differences(project: Path) -> None:
    source, _ = archives(project, [*ALL, *OTHERS])
    (project / "wheel").mkdir()
    _, wheel = archives(project / "wheel", ALL)
    assert [] == list(package.differences(source, wheel))


def test_missing_and_superfluous_files_are_reported(project: Path) -> None:
    source, wheel = archives(project, ["autograph/a.py", "runtime/b.py", "runtime/notes.txt"])
    assert [
        "the wheel has no autograph/py.typed",
        "the wheel has runtime/notes.txt, too",
        *(
            f"the source distribution has no {name}"
            for name in sorted(["autograph/py.typed", *OTHERS])
        ),
    ] == list(package.differences(source, wheel))


def test_a_failing_command_ends_the_tool_with_its_output() -> None:
    with pytest.raises(SystemExit, match="No module named no_such_module"):
        package.run(package.sys.executable, "-m", "no_such_module")
