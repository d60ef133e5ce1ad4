"""Passes: transformations of a graph that keep its results."""

from __future__ import annotations

from runtime.passes.manager import DEFAULT as DEFAULT
from runtime.passes.manager import Pass as Pass
from runtime.passes.manager import optimize as optimize
from runtime.passes.manager import select_passes as select_passes
from runtime.passes.prune import prune as prune
