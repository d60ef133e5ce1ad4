"""Passes: each returns or makes a better graph with the same results, which `verify` accepts."""

from __future__ import annotations

from runtime.passes.manager import DEFAULT as DEFAULT
from runtime.passes.manager import Pass as Pass
from runtime.passes.manager import chosen as chosen
from runtime.passes.manager import optimise as optimise
from runtime.passes.prune import prune as prune
