"""Memory that arrays have left is kept for the next ones, so that each does not ask for its own.

The C library gives memory back to the system where much of it is free, and takes large arrays from
the system one by one. The next array of that size then pays for each of its pages when it is first
written, which costs several times what NumPy needs to write it. GNU's library learns from the
largest array that has been freed: arrays up to that size come from memory that is kept, of which at
most twice as much stays free. So it is shown one that nobody writes to, and that takes no memory.
Other C libraries pass over it, and who has set MALLOC_TRIM_THRESHOLD_ or the like keeps that.
"""

from __future__ import annotations

import numpy as np

# GNU's library learns nothing from what is larger than 32 MB, its own notes included.
LARGEST = (32 << 20) - (1 << 16)


def keep_freed() -> None:
    """Have the memory of arrays of up to 32 MB kept when they are freed, 64 MB of it at most.

    >>> keep_freed()
    """
    np.empty(LARGEST, np.uint8)


keep_freed()
