"""The command line: one file per command, and what they share."""

from __future__ import annotations
