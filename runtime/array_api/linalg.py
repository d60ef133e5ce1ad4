"""The extension `linalg` of the array API standard."""

from __future__ import annotations

import numpy as np

from runtime.array_api.functions import wrapped
from runtime.array_api.names import LINALG

globals().update({name: wrapped(getattr(np.linalg, name), name) for name in LINALG.split()})
__all__ = sorted(LINALG.split())
