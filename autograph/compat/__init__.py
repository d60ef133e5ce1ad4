"""Other libraries' names for what this package has."""

from __future__ import annotations
