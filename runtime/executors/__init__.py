"""Executors: a graph made runnable. The interpreter is the one the others are tested against."""

from __future__ import annotations

from runtime.executors.interpreter import run as run
