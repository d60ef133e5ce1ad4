"""`autograph.runtime` is `runtime`, and a module that shadows one of the packages is an error."""

from __future__ import annotations

import importlib
import importlib.util
import pickle
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import autograph as ag
import autograph.runtime
import runtime as rt

ROOT = Path(__file__).resolve().parents[2]
# The packages that `import runtime` loads, which are no part of the interface.
_ROOMS = ("core", "ops")
_SUBMODULES = [
    name
    for name in rt.__all__
    if name not in _ROOMS
    and isinstance(getattr(rt, name), ModuleType)
    and getattr(rt, name).__name__ == f"runtime.{name}"
]


def _run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a program that finds the modules of a folder first."""
    environment = {"PYTHONPATH": f"{folder}:{ROOT}", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, *command],
        capture_output=True,
        text=True,
        env=environment,
        cwd=folder,
    )


def test_the_module_and_its_submodules_are_the_same_objects() -> None:
    assert autograph.runtime is rt is ag.runtime is importlib.import_module("autograph.runtime")
    for name in (*_SUBMODULES, "nn.layers", "core.dtypes", "data.experimental"):
        module = importlib.import_module(f"autograph.runtime.{name}")
        assert module is importlib.import_module(f"runtime.{name}") is sys.modules[module.__name__]
        assert f"runtime.{name}" == module.__name__ == module.__spec__.name


def test_submodules_are_found_under_the_new_name_first(tmp_path: Path) -> None:
    program = (
        "from autograph.runtime.nn import layers; import autograph.runtime.linalg as linalg, sys; "
        "import runtime; print(layers is runtime.nn.layers, linalg is runtime.linalg, "
        "layers.Dense is sys.modules['runtime.nn.layers'].Dense)"
    )
    assert "True True True\n" == _run(tmp_path, "-c", program).stdout


def test_a_module_that_there_is_not() -> None:
    with pytest.raises(ModuleNotFoundError, match="No module named 'autograph.runtime.qqqq'$"):
        importlib.import_module("autograph.runtime.qqqq")
    with pytest.raises(ModuleNotFoundError, match="did you mean 'autograph.runtime.linalg'"):
        importlib.import_module("autograph.runtime.lineal")
    assert None is importlib.util.find_spec("autograph.runtime.qqqq")


def test_objects_are_pickled_under_one_name() -> None:
    for each in (autograph.runtime.reduce_sum, autograph.runtime.nn.layers.Dense, rt.float32):
        assert each is pickle.loads(pickle.dumps(each))


def test_each_public_submodule_has_a_stub() -> None:
    folder = ROOT / "autograph" / "runtime"
    stubs = {path.stem: path.read_text() for path in folder.glob("*.pyi")}
    assert {name: f"from runtime.{name} import *\n" for name in _SUBMODULES} == stubs


@pytest.mark.parametrize("text", ["", "import no_such_module_at_all\n", "import autograph\n"])
@pytest.mark.parametrize("file", ["runtime/__init__.py", "runtime.py"])
def test_another_runtime_is_named(tmp_path: Path, file: str, text: str) -> None:
    path = tmp_path / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    ran = _run(tmp_path, "-c", "import autograph")
    assert 1 == ran.returncode
    assert (
        f"autograph.errors.ShadowingError: {path} shadows the package `runtime` that autograph is "
        "made of: rename it, or start Python where it is not the first of that name on sys.path"
    ) == ran.stderr.splitlines()[-1]


def test_another_autograph_is_named(tmp_path: Path) -> None:
    script = tmp_path / "autograph.py"
    script.write_text("import autograph as ag\nimport runtime as rt\n\nprint(ag.function)\n")
    ran = _run(ROOT, str(script))
    assert 1 == ran.returncode
    error = f"ImportError: {script} shadows the package `autograph` of this project: rename it"
    assert ran.stderr.splitlines()[-1].startswith(error)


def test_an_empty_folder_of_the_name_is_no_package(tmp_path: Path) -> None:
    (tmp_path / "runtime").mkdir()
    (tmp_path / "autograph").mkdir()
    program = "import autograph, runtime; print(autograph.function is not None)"
    assert "True\n" == _run(tmp_path, "-c", program).stdout
