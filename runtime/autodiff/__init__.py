"""Gradients: a tape records ops and calls, and is processed backward."""

from __future__ import annotations
