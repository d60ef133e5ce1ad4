"""Gradients: a tape records what is computed, and is processed backward."""

from __future__ import annotations
