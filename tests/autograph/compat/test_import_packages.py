"""Namespaces as packages: their modules, and `import tensorflow` without TensorFlow."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
# A machine without TensorFlow: its packages are not found by the finders of Python's own.
WITHOUT = """
import sys, warnings
from importlib.machinery import PathFinder
find = PathFinder.find_spec
class Finder(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        is_hidden = name.partition(".")[0] in ("tensorflow", "keras")
        return None if is_hidden else find(name, path, target)
sys.meta_path[:] = [Finder if each is PathFinder else each for each in sys.meta_path]
import autograph.compat
"""


def run(program: str, path: Path = ROOT, *, fails: bool = False) -> tuple[str, str]:
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=path, env={"PYTHONPATH": f"{path}:{ROOT}"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert fails == (done.returncode != 0), done.stderr
    return done.stdout, done.stderr


def test_namespaces_are_modules() -> None:
    from autograph.compat.tensorflow.compat import v1
    from autograph.compat.tensorflow.keras import layers
    from autograph.compat.tensorflow.keras.layers import Dense as D

    from autograph.compat import tensorflow as tf

    assert tf.keras.layers.Dense is D is layers.Dense
    assert v1.Session is tf.compat.v1.Session


@pytest.mark.parametrize(
    "statement, message",
    [
        ("from autograph.compat.tensorflow.image import resize", "image has no resize; instead:"),
        ("from autograph.compat.tensorflow import SparseTensor", "has no SparseTensor; instead:"),
        ("from autograph.compat.tensorflow.keras.layers import Nothing", "has no Nothing yet"),
        ("import autograph.compat.tensorflow.nothing", "tensorflow has no nothing yet"),
        ("import autograph.compat.tensorflow.add", "is not a module: write `from"),
    ],
)
def test_an_import_of_a_missing_name_names_a_remedy(statement: str, message: str) -> None:
    with pytest.raises(ImportError, match=message):
        exec(statement)


def test_installed_names_are_found_and_announced_once() -> None:
    program = """
autograph.compat.install()
autograph.compat.install()
import tensorflow as tf
import tensorflow
from tensorflow import keras
from tensorflow.keras.layers import Dense
from tensorflow.keras import *
import tensorflow.keras.backend as K
import tensorflow.compat.v1 as v1
import keras as alone
print(tf.add(1, 2).numpy(), Dense is alone.layers.Dense, K.floatx(), v1.Session.__name__)
print(tf.__version__.partition("+")[0], Sequential is keras.Sequential)
"""
    out, err = run(WITHOUT + program)
    assert "3 True float32 Session\n2.21.0 True\n" == out
    assert 1 == err.count("`import tensorflow` finds autograph.compat.tensorflow")
    assert 1 == err.count("`import keras` finds autograph.compat.tensorflow")


def test_tensorflow_is_not_found_before_install() -> None:
    _, err = run(WITHOUT + "import tensorflow", fails=True)
    assert "ModuleNotFoundError: No module named 'tensorflow'" in err


def test_a_missing_name_is_reported_by_its_imported_name() -> None:
    program = "autograph.compat.install()\nfrom tensorflow.image import resize"
    _, err = run(WITHOUT + program, fails=True)
    assert "ImportError: tensorflow.image has no resize; instead:" in err


@pytest.fixture
def with_tensorflow(tmp_path: Path) -> Path:
    """A folder with another package of that name."""
    (tmp_path / "tensorflow").mkdir()
    (tmp_path / "tensorflow" / "__init__.py").write_text("whose = 'theirs'\n", encoding="utf-8")
    return tmp_path


def test_an_installed_tensorflow_is_not_replaced(with_tensorflow: Path) -> None:
    program = (
        "import autograph.compat as c; c.install(); import tensorflow; print(tensorflow.whose)"
    )
    out, err = run(program, with_tensorflow)
    assert "theirs\n" == out
    assert "stays what `import tensorflow` finds" in err


def test_shadow_replaces_an_installed_tensorflow(with_tensorflow: Path) -> None:
    installed = "import autograph.compat as c; c.install(shadow=True)"
    program = f"{installed}; import tensorflow as tf; print(tf.abs(-1).numpy())"
    out, err = run(program, with_tensorflow)
    assert "1\n" == out
    assert "and not TensorFlow" in err


def test_an_imported_tensorflow_is_not_shadowed(with_tensorflow: Path) -> None:
    program = "import tensorflow, autograph.compat as c; c.install(shadow=True)"
    _, err = run(program, with_tensorflow, fails=True)
    assert "ShadowingError: tensorflow is imported already" in err
