"""Law: a program imports only the modules it uses. Modules are counted, since times are noise."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tools import layers

# What NumPy imports is no business of ours.
COUNT = "import sys, numpy; before = set(sys.modules)\n{}\n"
TELL = "print(*sorted(set(sys.modules) - before))"
CALL = """
import runpy
runpy.run_path({path!r})
"""
PROGRAM = """
import autograph as ag
import runtime as rt

@ag.function
def total(n):
    s = 0
    while n > 0:
        if n > 3:
            s += n
        n -= 1
    return s

assert 9 == int(total(rt.constant(5)))
"""

# Third parties and large modules of Python's that no program needs for the asking.
HEAVY = frozenset(
    """
    argparse asyncio astunparse concurrent.futures decimal difflib fractions hashlib json logging
    multiprocessing numpy.fft numpy.random pathlib random signal six sqlite3 statistics string
    tempfile traceback unicodedata unittest urllib.parse xml zipfile
    """.split()
)
ROOMS = frozenset(
    """
    autograph.checking autograph.cli autograph.compat autograph.demo autograph.insight
    autograph.saved_model runtime.array_api runtime.autodiff runtime.data.dataset runtime.export
    runtime.interop.dlpack runtime.interop.numpy.protocol runtime.io runtime.nn runtime.session
    runtime.serialization runtime.signal runtime.summary.writer runtime.train
    """.split()
)
CONVERSION = frozenset(
    "autograph.backends autograph.conversion autograph.converters autograph.syntax gast".split()
)


@cache
def _loaded(program: str) -> frozenset[str]:
    command = [sys.executable, "-c", COUNT.format(program) + TELL]
    told = subprocess.check_output(command, cwd=layers.ROOT, text=True)
    return frozenset(told.splitlines()[-1].split())


def _of_project(modules: frozenset[str]) -> list[str]:
    return [name for name in modules if name.partition(".")[0] in layers.PACKAGES]


def _ours(modules: frozenset[str]) -> list[str]:
    """Return the modules of the project, without the packages that they lie in."""
    names = _of_project(modules)
    return [name for name in names if not (layers.ROOT / name.replace(".", "/")).is_dir()]


def test_importing_autograph_is_importing_eager_tensors() -> None:
    loaded = _loaded("import autograph")
    assert set() == loaded & (HEAVY | ROOMS | CONVERSION)
    assert len(_ours(loaded)) <= 85
    assert len(loaded) - len(_of_project(loaded)) <= 15


@pytest.mark.parametrize("module", ["runtime", "autograph.compat.tensorflow"])
def test_other_entry_modules_import_few_modules(module: str) -> None:
    loaded = _loaded(f"import {module}")
    assert set() == loaded & (HEAVY | CONVERSION)
    assert len(_ours(loaded)) <= 86


def test_the_command_line_imports_a_command_when_it_runs() -> None:
    loaded = _loaded("from autograph.__main__ import main; main(['launch', '-n', '0', 'x.py'])")
    assert {"autograph.cli", "runtime.export"} == loaded & (ROOMS | CONVERSION)
    assert "autograph.cli.launch" in loaded and "autograph.cli.commands" not in loaded


def test_the_first_call_imports_only_the_modules_it_needs(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    loaded = _loaded(CALL.format(path=str(path)))
    assert set() == loaded & (HEAVY | ROOMS)
    assert len(_ours(loaded)) <= 525


def test_a_subpackage_is_imported_on_first_use() -> None:
    loaded = _loaded("import runtime as rt; rt.nn.layers.Dense")
    assert "runtime.nn.layers.dense" in loaded
    assert set() == loaded & {"runtime.nn.layers.convolution", "runtime.nn.models.model"}
