"""Gradients: a tape of what was computed, gone over backwards."""

from __future__ import annotations
