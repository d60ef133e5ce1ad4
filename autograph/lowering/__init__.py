"""Lowering: from the converted tree, which is printed, to the tree that is compiled and run.

Both trees mean the same. The compiled one also has the user's own statements, for calls that record
nothing, and Python's own statements, for Python values.
"""

from __future__ import annotations

from autograph.lowering.constants import Constants
from autograph.lowering.lower import Lowered, lower
from autograph.lowering.versioning import first_line_run

__all__ = ["Constants", "Lowered", "first_line_run", "lower"]
