"""How models are trained: what they are compiled with, what feeds them, and the loops over it."""

from __future__ import annotations
