"""Files, by TensorFlow's names."""

from __future__ import annotations

from runtime.io import gfile as gfile
