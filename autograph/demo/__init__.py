"""The tour: five small programs and their graphs."""

from __future__ import annotations
