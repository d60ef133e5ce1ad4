"""Garbage collection while modules are imported on first use."""

from __future__ import annotations

import subprocess
import sys

import pytest

# Each is a process of its own: objects that the test runner has frozen stay so.
START = """\
import gc, sys
from runtime.core.lazy_imports import load_module
assert "wave" not in sys.modules
"""
PROGRAMS = {
    "loaded objects are old and can be collected": """\
module = load_module("wave")
assert gc.isenabled() and gc.get_freeze_count() == 0
assert any(each is vars(module) for each in gc.get_objects(generation=2))
""",
    "objects that the user froze stay frozen": """\
gc.freeze()
frozen = gc.get_freeze_count()
load_module("wave")
assert 0 < gc.get_freeze_count() <= frozen
""",
    "objects that a trace sets aside are not taken for the user's": """\
from unittest import mock
from runtime.core.garbage_collection import OldObjectsSetAside
with OldObjectsSetAside(), mock.patch("gc.get_freeze_count") as count:
    load_module("wave")
assert not count.called  # it visits each object
module = load_module("tabnanny")
assert any(each is vars(module) for each in gc.get_objects(generation=2))
""",
    "collection that is off stays off": """\
gc.disable()
load_module("wave")
assert not gc.isenabled()
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_garbage_collection_around_imports(name: str) -> None:
    subprocess.run([sys.executable, "-c", START + PROGRAMS[name]], check=True)
