"""Law: the op index lists the module of every op, so the registry is complete from the start."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from runtime.ops.op import REGISTRY
from runtime.ops.registry import OP_MODULES
from tools import layers

# Notes, for each op, the module whose import declared it.
PROGRAM = """
import importlib, json, pkgutil, sys
import runtime.ops.registry as registry
homes, put = {}, dict.__setitem__
def note(self, name, op):
    frame = sys._getframe(1)
    while frame.f_code.co_name != "<module>":
        frame = frame.f_back
    homes.setdefault(frame.f_globals["__name__"], []).append(name)
    put(self, name, op)
registry.Registry.__setitem__ = note
import runtime
for module in pkgutil.walk_packages(runtime.__path__, "runtime."):
    importlib.import_module(module.name)
print(json.dumps({home: " ".join(sorted(names)) for home, names in sorted(homes.items())}))
"""


def test_the_op_index_agrees_with_importing_everything() -> None:
    # What `import runtime` brings is declared before anything can be noted.
    command = [sys.executable, "-c", PROGRAM]
    found = json.loads(subprocess.check_output(command, cwd=layers.ROOT, text=True))
    expected = {home: " ".join(sorted(names.split())) for home, names in OP_MODULES.items()}
    assert {} == {home: names for home, names in found.items() if names != expected.get(home)}
    names = [name for names in expected.values() for name in names.split()]
    assert len(names) == len(set(names))
    assert set(names) == set(REGISTRY)


def test_an_op_is_in_the_registry_before_its_module_is_imported() -> None:
    program = (
        "import sys; from runtime.ops.op import REGISTRY as r\n"
        "home = 'runtime.ops.elementwise.bessel'\n"
        "print('bessel_i0' in r, home in sys.modules, r['bessel_i0'], r.get('x'))"
    )
    command = [sys.executable, "-c", program]
    given = subprocess.check_output(command, cwd=layers.ROOT, text=True)
    assert "True False <op bessel_i0> None" == given.strip()


def test_an_unknown_op_raises_key_error() -> None:
    with pytest.raises(KeyError, match="no_such_op"):
        REGISTRY["no_such_op"]
    assert REGISTRY.get("no_such_op") is None
    assert "no_such_op" not in REGISTRY


def test_iterating_over_the_registry_yields_all_ops() -> None:
    assert len(REGISTRY) == len(dict(REGISTRY)) == len(set(REGISTRY)) == len(REGISTRY.values())
    assert all(name == op.name for name, op in REGISTRY.items())
