"""Executors run a graph. The interpreter is the reference that the others are tested against."""

from __future__ import annotations

from runtime.executors.interpreter import run as run
