"""A command gets a method of a class as one of a new object."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograph.cli.target import load_target
from autograph.errors import CommandError

SOURCE = """
import autograph as ag
class Free:
    rate = 2
    def step(self, x):
        return self.rate * x
    @staticmethod
    def plain(x):
        return x
    @classmethod
    def of_class(cls, x):
        return cls.rate * x

    @ag.function
    def staged(self, x):
        return self.rate * x

class Bound:
    def __init__(self, rate):
        self.rate = rate
    def step(self, x):
        return self.rate * x
"""


def test_methods(tmp_path: Path) -> None:
    file = tmp_path / "methods_of_a_file.py"
    file.write_text(SOURCE)
    expected = {"Free.step": 6, "Free.plain": 3, "Free.of_class": 6, "Free.staged": 6}
    found = {name: load_target(f"{file}:{name}").function(3) for name in expected}
    assert expected == found
    with pytest.raises(CommandError, match=r"Bound.step is a method, and no object of Bound\(rate"):
        load_target(f"{file}:Bound.step")
