"""The command line: the commands and their shared code."""

from __future__ import annotations
