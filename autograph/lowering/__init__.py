"""Lowering: from the converted tree, which is printed, to the tree that is compiled and run.

Both mean the same. Lowering adds what only matters at run time: the user's own statements for when
nothing is recorded, and Python's own statements for values that are Python's.
"""

from __future__ import annotations

from autograph.lowering.constants import Constants
from autograph.lowering.lower import Lowered, lower
from autograph.lowering.versioning import first_line_run

__all__ = ["Constants", "Lowered", "first_line_run", "lower"]
