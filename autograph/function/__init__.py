"""Many graphs behind one name: `function`, its traces and the concrete functions they give."""

from __future__ import annotations
