"""Passes: graph in, better graph out; `verify` holds between any two."""

from __future__ import annotations

from runtime.passes.prune import prune as prune
