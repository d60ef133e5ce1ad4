"""Training of models: compile arguments, data adapters, steps and loops."""

from __future__ import annotations
