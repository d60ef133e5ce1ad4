"""The commands of the command line, and the code that they share."""

from __future__ import annotations
