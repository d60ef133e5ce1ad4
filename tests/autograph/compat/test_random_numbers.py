"""Random numbers agree with TensorFlow: with recorded ones, and with an installed TensorFlow.

`docs/random_numbers.md` says which are not.
"""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

from autograph.compat import tensorflow as tf
from runtime.nn.seeds import forget_seeds
from tests.autograph.compat.random_programs import PROGRAMS
from tools.random_numbers import RECORDED, ROOT, drawn_by

TOLD = json.loads(RECORDED.read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def _without_a_seed_afterwards() -> object:
    yield
    forget_seeds()


def test_all_programs_are_recorded() -> None:
    assert sorted(PROGRAMS) == sorted(TOLD)


@pytest.mark.parametrize("name", PROGRAMS)
def test_random_numbers_agree_with_tensorflow(name: str) -> None:
    np.testing.assert_allclose(drawn_by(tf, [name])[name], TOLD[name], rtol=2e-6, atol=1e-7)


def test_recorded_numbers_agree_with_the_installed_tensorflow() -> None:
    pytest.importorskip("tensorflow")
    command = [sys.executable, str(ROOT / "tools" / "random_numbers.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
