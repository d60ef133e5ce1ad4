"""The 1,797 handwritten digits of scikit-learn, images of 8 by 8, stored beside this file.

They are the test set of E. Alpaydin and C. Kaynak, Optical Recognition of Handwritten Digits, UCI
Machine Learning Repository, 1998, as scikit-learn ships it (BSD 3-Clause, see `data/`).
"""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from runtime.core.lazy_imports import own_names
from runtime.errors import ArgumentValueError, DTypeError

Array: TypeAlias = "np.ndarray[Any, Any]"
Split: TypeAlias = "tuple[tuple[Array, Array], tuple[Array, Array]]"

_FILE = Path(__file__).parent / "data" / "digits.csv.gz"
_TRAINING = 1500
_SIDE = 8
_LARGEST = 16


def load_data(size: int = 8) -> Split:
    """Return `(x_train, y_train), (x_test, y_test)`: 1,500 digits for training, 297 for tests.

    Args:
        size: the number of pixels of a side. Images of size 8 have the original values 0 to 16;
            images of other sizes are scaled from those, with values 0 to 255.

    Returns:
        Images of uint8 and shape (n, size, size), and labels of uint8 and shape (n,).

    >>> (x, y), (x_test, y_test) = load_data(28)
    >>> x.shape, x.dtype, int(x.max()), y[:5].tolist(), y_test.shape
    ((1500, 28, 28), dtype('uint8'), 255, [0, 1, 2, 3, 4], (297,))
    """
    if isinstance(size, bool) or not isinstance(size, int):
        raise DTypeError(f"the size of a digit must be an int, not {size!r}")
    if size < 1:
        raise ArgumentValueError(f"the size of a digit must be at least 1, not {size}")
    with gzip.open(_FILE, "rt") as file:
        table = np.loadtxt(file, np.uint8, delimiter=",")
    images = table[:, :-1].reshape(-1, _SIDE, _SIDE)
    images, labels = images if size == _SIDE else _scaled(images, size), table[:, -1].copy()
    at = _TRAINING
    return (images[:at].copy(), labels[:at]), (images[at:].copy(), labels[at:])


def _scaled(images: Array, size: int) -> Array:
    """Return images of another size: a pixel is a mean of the nearest ones."""
    places = (np.arange(size) + 0.5) * _SIDE / size - 0.5
    distances = np.abs(np.clip(places, 0, _SIDE - 1)[:, None] - np.arange(_SIDE))
    weights = np.maximum(1 - distances, 0)
    found = weights @ images.astype(np.float64) @ weights.T
    return np.rint(found * (255 / _LARGEST)).astype(np.uint8)


__dir__ = own_names(__name__)
