"""The names of `import autograph`, and the modules it loads."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import autograph as ag
import runtime as rt

ROOT = Path(__file__).resolve().parents[2]

LOADED = """
import sys
import numpy
before = set(sys.modules)
import autograph
print(*{name.partition(".")[0] for name in set(sys.modules) - before})
"""
OF_NUMPY = {"numpy", "cython_runtime"}
# What takes long to import, or is there for some of what can be done only.
LATE = set("asyncio concurrent email http multiprocessing socket typing_extensions".split())


def test_every_public_name_exists():
    assert all(getattr(ag, name) is not None for name in ag.__all__)
    assert sorted(ag.__all__) == ag.__all__


def test_the_version_is_that_of_the_distribution():
    stated = re.search(r'^version = "(.*)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert stated is not None and stated[1] == ag.__version__ == rt.__version__
    newest = re.search(r"^## (\S+) \(?", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    cited = re.search(r"^version: (.*)$", (ROOT / ".github" / "CITATION.cff").read_text(), re.M)
    assert newest is not None and cited is not None
    assert ag.__version__ == newest[1] == cited[1]


def test_the_badges_are_true():
    facts = (ROOT / "pyproject.toml").read_text()
    versions = re.findall(r"Python :: 3\.(\d+)", facts)
    words = f"Python 3.{versions[0]} to 3.{versions[-1]}, licence Apache-2.0, typed"
    assert 'license = "Apache-2.0"' in facts and "Typing :: Typed" in facts
    badges = (ROOT / "docs" / "images" / "badges.svg").read_text()
    assert f"<title>{words}</title>" in badges
    assert f">3.{versions[0]} to 3.{versions[-1]}</text>" in badges and "href" not in badges
    assert f"![{words}](docs/images/badges.svg)" in (ROOT / "README.md").read_text()


def test_importing_loads_few_packages():
    command = [sys.executable, "-c", LOADED]
    environment = {"PYTHONPATH": str(ROOT)}
    printed = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    loaded = set(printed.stdout.split())
    public = {name for name in loaded if name[0] != "_"} - set(sys.stdlib_module_names)
    assert public <= {"autograph", "runtime", "gast", "astunparse", "six", *OF_NUMPY}
    assert loaded & LATE == set()


def test_directives_do_nothing_in_plain_python():
    total = 0
    for i in range(3):
        ag.set_loop_options(maximum_iterations=1, shape_invariants=[(total, None)])
        total += i
    assert total == 3
