"""Test processes as many as cores, with one BLAS thread each.

Products of small matrices then wait for threads that have no core, a hundred times as long as they
take. So each process has one, unless the environment says otherwise. NumPy reads that when it is
first imported, which is why this module is imported before it.
"""

from __future__ import annotations

import os

THREADS = {
    name: os.environ.setdefault(name, "1")
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
}
