"""The weight of a library: time and memory of its import, and the size of its files."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

# An import may be deferred to the first use: these programs use the library.
FIRST_USES = {
    "autograph": "import autograph, runtime; autograph.function(abs)(runtime.constant(-1.0))",
    "numpy": "import numpy; numpy.abs(numpy.float32(-1))",
    "tensorflow": "import tensorflow as tf; tf.function(abs)(tf.constant(-1.0))",
    "jax": "import jax; jax.jit(abs)(-1.0)",
    "torch": "import torch; torch.tensor(-1.0).abs()",
    "numba": "import numba; numba.njit(lambda x: abs(x))(-1.0)",
}
_IMPORT = """
{program}
import resource, time
seconds = time.process_time()
try:
    with open("/proc/self/status") as status:
        size = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))
except OSError:
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(seconds, size)
"""
_DISK = """
import importlib.metadata as metadata, json, re, sys
from pathlib import Path

def size(name, seen):
    key = re.sub("[-_.]+", "-", name).lower()
    if key in seen:
        return 0
    seen.add(key)
    try:
        found = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return 0
    paths = [Path(found.locate_file(each)) for each in found.files or ()]
    own = sum(path.stat().st_size for path in paths if path.is_file())
    needs = [each for each in found.requires or () if "extra" not in each.partition(";")[2]]
    return own + sum(size(re.match("[A-Za-z0-9._-]+", each)[0], seen) for each in needs)

print(sum(size(name, set()) for name in {names!r}))
"""


@dataclass(frozen=True)
class Weight:
    """One import: CPU seconds of the whole process, and the most memory it had, in bytes."""

    seconds: float
    size: float


def import_weight(python: str, program: str, environment: dict[str, str]) -> Weight:
    """Return the cost of a new interpreter that runs a program: `import sys` for an empty one."""
    words = _output(python, _IMPORT.format(program=program), environment).split()
    return Weight(float(words[-2]), float(words[-1]))


def disk_size(python: str, library: str, environment: dict[str, str]) -> float:
    """Return the size in bytes of a library's files with everything it needs.

    Our own two packages are counted as they are in this checkout, including Python's compiled
    files.
    """
    if library != "autograph":
        return float(_output(python, _DISK.format(names=[library]), environment))
    needs = ["numpy", "gast", "astunparse"]
    root = Path(__file__).resolve().parents[3]
    own = sum(_folder_size(root / name) for name in ("autograph", "runtime"))
    return own + float(_output(python, _DISK.format(names=needs), environment))


def _folder_size(folder: Path) -> int:
    tag = sys.implementation.cache_tag
    files = [path for path in folder.rglob("*") if path.is_file()]
    kept = [path for path in files if path.suffix != ".pyc" or tag in path.name.split(".")]
    return sum(path.stat().st_size for path in kept)


def _output(python: str, script: str, environment: dict[str, str]) -> str:
    done = subprocess.run(
        [python, "-c", script], capture_output=True, text=True, check=True, env=environment
    )
    return done.stdout
