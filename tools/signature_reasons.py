"""Why some signatures differ from TensorFlow's: a reason for each, by name."""

from __future__ import annotations

REASONS: dict[str, str] = {}
