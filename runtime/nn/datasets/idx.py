"""The idx format, in which MNIST was published: a header of sizes, and bytes.

Described at the end of http://yann.lecun.com/exdb/mnist/: two bytes 0, one for the type (8 is
uint8), one for the number of axes, their sizes as 32-bit numbers with the highest byte first.
"""

from __future__ import annotations

import gzip
import math
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from runtime.errors import DataLossError

# Images and labels to train with, and to test.
IDX_FILES = (
    "train-images-idx3-ubyte",
    "train-labels-idx1-ubyte",
    "t10k-images-idx3-ubyte",
    "t10k-labels-idx1-ubyte",
)
# More than any file of MNIST holds; a small one may be packed that would fill the memory.
MOST_BYTES = 1 << 28
_UINT8 = 8
_MOST_AXES = 8


def read_idx(file: Path) -> np.ndarray[Any, Any]:
    """Return the uint8 array in a file, which may be compressed.

    Raises:
        DataLossError: the file is not of this format, or is cut off.
    """
    data = file.read_bytes()
    if data[:2] == b"\x1f\x8b":
        try:
            with gzip.open(file) as packed:
                data = packed.read(MOST_BYTES)
        except (OSError, EOFError, zlib.error) as error:
            raise DataLossError(f"{file} cannot be decompressed: {error}") from None
    if len(data) < 4 or data[:3] != bytes((0, 0, _UINT8)):
        raise DataLossError(f"{file} is no idx file of bytes")
    start = 4 + 4 * data[3]
    known = data[4:start]
    sizes = np.frombuffer(known[: len(known) // 4 * 4], ">u4").tolist()
    if not 0 < len(sizes) == data[3] <= _MOST_AXES or len(data) - start != math.prod(sizes):
        raise DataLossError(f"{file} holds {len(data) - start} bytes, not {sizes[:4]} of them")
    return np.frombuffer(data, np.uint8, offset=start).reshape(sizes).copy()
