"""Builds the files to publish, checks them, and runs the tour where only the wheel is installed.

    python tools/package.py              # in a folder that is removed
    python tools/package.py dist         # and keeps the files there

The source distribution is built from the project, the wheel from the source distribution. Twine
checks the description, and this tool the files inside. It needs the packages `build` and `twine`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools.interpreters import environment

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("autograph", "runtime")
# Folders that a checkout has beside the files of the packages.
_MADE = ("__pycache__",)


def run(*command: str | Path, folder: Path = ROOT) -> str:
    """Run a command, and return its output.

    Raises:
        SystemExit: it fails; the text has its output.
    """
    variables = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        list(map(str, command)), cwd=folder, env=variables, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} fails:\n{done.stdout}")
    return done.stdout


def built(folder: Path) -> tuple[Path, Path]:
    """Build both files into a folder; return the source distribution and the wheel."""
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT)
    (source,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    run(sys.executable, "-m", "twine", "check", "--strict", source, wheel)
    return source, wheel


def package_files(root: Path) -> set[str]:
    """Return the paths of all files of the packages, which a wheel has to have.

    >>> "autograph/py.typed" in package_files(ROOT)
    True
    """
    paths = (path for name in PACKAGES for path in (root / name).rglob("*") if path.is_file())
    return {path.relative_to(root).as_posix() for path in paths if not set(_MADE) & {*path.parts}}


def differences(source: Path, wheel: Path) -> Iterator[str]:
    """Yield the files that are missing in the wheel or the source distribution, or too many."""
    wanted = package_files(ROOT)
    with zipfile.ZipFile(wheel) as archive:
        found = {each for each in archive.namelist() if not each.split("/")[0].endswith("-info")}
    yield from (f"the wheel has no {each}" for each in sorted(wanted - found))
    yield from (f"the wheel has {each}, too" for each in sorted(found - wanted))
    with tarfile.open(source) as archive_of_source:
        names = {each.partition("/")[2] for each in archive_of_source.getnames()}
    for each in sorted({*wanted, "CHANGELOG.md", "LICENSE", "SECURITY.md", "tests/corpus.py"}):
        if each not in names:
            yield f"the source distribution has no {each}"


def tour(wheel: Path, folder: Path) -> str:
    """Install the wheel alone, and return the version and the last lines of the tour there."""
    python = environment(sys.executable, folder / "installed", str(wheel))
    place = folder / "elsewhere"
    place.mkdir()
    version = run(python, "-I", "-m", "autograph", "--version", folder=place).strip()
    if version.removeprefix("autograph ") != wheel.name.split("-")[1]:
        raise SystemExit(f"{wheel.name} says that it is {version}")
    run(python.with_name("autograph"), "run", "--help", folder=place)
    shown = run(python, "-I", "-m", "autograph", "demo", folder=place)
    return f"{version}: {shown.splitlines()[-2]}"


def main(arguments: list[str] | None = None) -> int:
    """Build, check and install; a failure ends the program with the output of the failed step."""
    given = sys.argv[1:] if arguments is None else arguments
    with tempfile.TemporaryDirectory() as place:
        source, wheel = built(Path(place) / "dist")
        found = list(differences(source, wheel))
        if found:
            print("\n".join(found))
            return 1
        print(f"{source.name}, {wheel.name}\n{tour(wheel, Path(place))}")
        for each in (source, wheel) if given else ():
            Path(given[0]).mkdir(parents=True, exist_ok=True)
            shutil.copy(each, given[0])
    return 0


if __name__ == "__main__":
    sys.exit(main())
