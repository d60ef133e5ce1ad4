"""Many graphs behind one name: `function`, its traces and its concrete functions."""

from __future__ import annotations
