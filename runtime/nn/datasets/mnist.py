"""MNIST, read from local files in the idx format: nothing is downloaded."""

from __future__ import annotations

import gzip
import math
import os
import zipfile
import zlib
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from runtime.core import argument_checks as _checks
from runtime.core.context import caller_origin
from runtime.core.lazy_imports import own_names
from runtime.core.source_names import warn_at
from runtime.errors import (
    ArgumentValueError,
    DataLossError,
    DTypeError,
    NotFoundError,
    StandInWarning,
)
from runtime.nn.datasets import digits
from runtime.ops.arguments import static_int

# The files of images and labels: for training, and for tests.
IDX_FILES = (
    "train-images-idx3-ubyte",
    "train-labels-idx1-ubyte",
    "t10k-images-idx3-ubyte",
    "t10k-labels-idx1-ubyte",
)
# More bytes than any file of MNIST has: a small compressed file could fill the memory.
MOST_BYTES = 1 << 28
_UINT8 = 8
_MOST_AXES = 8


def read_idx(file: Any) -> np.ndarray[Any, Any]:
    """Return the uint8 array in a file, which may be compressed.

    Raises:
        NotFoundError: there is no such file.
        DataLossError: the file is not of this format, or is cut off.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "labels"
    >>> _ = file.write_bytes(bytes([0, 0, 8, 1, 0, 0, 0, 2, 7, 9]))
    >>> read_idx(file).tolist()
    [7, 9]
    """
    path = Path(_checks.file_path(file, "file"))
    if not path.is_file():
        raise NotFoundError(f"there is no file {str(path)!r}")
    data = path.read_bytes()
    if data[:2] == b"\x1f\x8b":
        try:
            with gzip.open(path) as packed:
                data = packed.read(MOST_BYTES)
        except (OSError, EOFError, zlib.error) as error:
            raise DataLossError(f"{file} cannot be decompressed: {error}") from None
    if len(data) < 4 or data[:3] != bytes((0, 0, _UINT8)):
        raise DataLossError(f"{file} is not an idx file of bytes")
    start = 4 + 4 * data[3]
    known = data[4:start]
    sizes = np.frombuffer(known[: len(known) // 4 * 4], ">u4").tolist()
    if not 0 < len(sizes) == data[3] <= _MOST_AXES or len(data) - start != math.prod(sizes):
        raise DataLossError(f"{file} holds {len(data) - start} bytes, not {sizes[:4]} of them")
    return np.frombuffer(data, np.uint8, offset=start).reshape(sizes).copy()


# -- `load_data`, from local files -----------------------------------------------------------------


Array: TypeAlias = "np.ndarray[Any, Any]"
Split: TypeAlias = "tuple[tuple[Array, Array], tuple[Array, Array]]"

# The environment variable with the path of a file or folder, or the name of a replacement.
VARIABLE = "AUTOGRAPH_MNIST"
_DEFAULT = "mnist.npz"
_SIDE = 28
_CLASSES = 10
_UNREADABLE = (ValueError, OSError, EOFError, AttributeError, TypeError, MemoryError)
_NAMES = ("x_train", "y_train", "x_test", "y_test")


class Choice:
    """The data that `load_data` returns: MNIST, or the replacement that a program chose.

    Attributes:
        stand_in: `digits`, `synthetic`, or None for MNIST.

    Example:
        >>> use_digits()
        >>> Choice.stand_in
        'digits'
        >>> use_digits(False)
    """

    stand_in: str | None = None


def use_digits(on: bool = True) -> None:
    """Let `load_data` return the 8x8 digits of the package scaled to 28x28, or MNIST again.

    >>> use_digits()
    >>> (x_train, y_train), (x_test, y_test) = load_data()
    >>> x_train.shape[1:], len(x_train) + len(x_test)
    ((28, 28), 1797)
    >>> use_digits(False)
    """
    Choice.stand_in = "digits" if _checks.flag(on, "on") else None


def use_synthetic(on: bool = True) -> None:
    """Let `load_data` return the images of `synthetic`, or MNIST again.

    >>> use_synthetic()
    >>> (x_train, y_train), (x_test, y_test) = load_data()
    >>> x_train.shape
    (20000, 28, 28)
    >>> use_synthetic(False)
    """
    Choice.stand_in = "synthetic" if _checks.flag(on, "on") else None


def load_data(path: str = _DEFAULT) -> Split:
    """Return `(x_train, y_train), (x_test, y_test)`: 60,000 digits for training, 10,000 for tests.

    Args:
        path: an npz file, or a folder with the four idx files (`.gz` or not). A plain name is also
            searched in Keras' folder, `~/.keras/datasets`. Without an argument and without the
            files, the 1,797 digits of the package replace them, scaled to 28 pixels, with a
            StandInWarning.

    Returns:
        Images of uint8 and shape (n, 28, 28), and labels of uint8 and shape (n,).

    Raises:
        NotFoundError: the requested files do not exist.
        DataLossError: a file has other contents.

    >>> use_digits()  # where there are no files of MNIST
    >>> (x_train, y_train), (x_test, y_test) = load_data()
    >>> x_train.dtype, y_train.dtype
    (dtype('uint8'), dtype('uint8'))
    >>> use_digits(False)
    """
    chosen = Choice.stand_in or os.environ.get(VARIABLE, "")
    if chosen == "digits":
        return digits.load_data(_SIDE)
    if chosen == "synthetic":
        return synthetic()
    places = _places(path, chosen)
    for place in places:
        if place.is_file():
            return _checked(_read_npz(place), place)
        if place.is_dir() and _idx_files(place):
            return _checked([read_idx(file) for file in _idx_files(place)], place)
    looked = (
        f"MNIST is not there: looked for {', '.join(map(str, places))} (an npz file, or a folder "
        f"with {IDX_FILES[0]}.gz and the other three)"
    )
    if path != _DEFAULT or chosen:
        raise NotFoundError(
            f"{looked}; rt.nn.datasets.mnist.use_digits(), or the environment variable "
            f"{VARIABLE}=digits, takes the digits of the package instead"
        )
    warn_at(
        caller_origin(),
        f"{looked}. The 1,797 digits of the package stand in for it; "
        "rt.nn.datasets.mnist.use_digits() says that this is meant",
        StandInWarning,
    )
    return digits.load_data(_SIDE)


_MOST = 10**8  # More images would not fit into memory.


def synthetic(n: int = 20000, seed: int = 0) -> Split:
    """Return images of 10 distinguishable classes from random numbers: moved and noisy shapes.

    Args:
        n: the number of training images; a sixth as many are for tests.
        seed: the same seed gives the same images.

    Raises:
        DTypeError, ArgumentValueError: `n` is not an int, or not at least 6.

    >>> (x, y), (x_test, y_test) = synthetic(60, seed=1)
    >>> x.shape, x.dtype, y.dtype, y_test.shape
    ((60, 28, 28), dtype('uint8'), dtype('uint8'), (10,))
    """
    if isinstance(n, bool) or not isinstance(n, int):
        raise DTypeError(f"synthetic: n must be an int, not {n!r}")
    if n < 6:
        raise ArgumentValueError(f"synthetic: n must be at least 6, not {n}")
    seed = static_int(seed, "seed")
    if seed < 0 or n > _MOST:
        raise ArgumentValueError(
            f"synthetic: n must be at most {_MOST} and seed at least 0, not {n} and {seed}"
        )
    random = np.random.Generator(np.random.Philox(seed))
    shapes = _shapes(random)
    count = n + n // 6
    labels = random.integers(0, _CLASSES, count).astype(np.uint8)
    images = np.empty((count, _SIDE, _SIDE), np.uint8)
    for at, (label, moved) in enumerate(zip(labels, random.integers(-2, 3, (count, 2)))):
        images[at] = np.roll(shapes[label], tuple(moved), (0, 1))
    noise = random.integers(0, 64, images.shape, np.uint8)
    images = np.where(images > 255 - noise, 255, images + noise).astype(np.uint8)
    return (images[:n], labels[:n]), (images[n:], labels[n:])


def _shapes(random: np.random.Generator) -> Array:
    """Return ten images, each of a few round spots."""
    rows, columns = np.mgrid[:_SIDE, :_SIDE]
    centers = random.uniform(6, 22, (_CLASSES, 4, 2))
    near = [
        sum(np.exp(-((rows - y) ** 2 + (columns - x) ** 2) / 12.0) for y, x in spots)
        for spots in centers
    ]
    return np.array([np.rint(np.minimum(each, 1) * 191) for each in near]).astype(np.uint8)


def _places(path: Any, chosen: str) -> list[Path]:
    if not isinstance(path, (str, os.PathLike)):
        raise DTypeError(f"the path of MNIST must be a text, not {path!r}")
    home = Path(os.environ.get("KERAS_HOME", Path.home() / ".keras"))
    places = [Path(chosen).expanduser()] if chosen else []
    return [*places, Path(path).expanduser(), home / "datasets" / path, home / "datasets" / "mnist"]


def _idx_files(folder: Path) -> list[Path]:
    """Return the four files in a folder, or none if one of them is missing."""
    found = [
        file
        for name in IDX_FILES
        for file in (folder / name, folder / f"{name}.gz", folder / name.replace("-idx", ".idx"))
        if file.is_file()
    ]
    names = {file.name.removesuffix(".gz").replace(".idx", "-idx"): file for file in found[::-1]}
    return [names[name] for name in IDX_FILES] if len(names) == len(IDX_FILES) else []


def _read_npz(file: Path) -> list[Array]:
    try:
        # Without pickles: a file contains numbers, and no code that runs.
        with np.load(file, allow_pickle=False) as held:
            if sum(each.file_size for each in held.zip.infolist()) > MOST_BYTES:
                raise DataLossError(f"{file} is not MNIST: it holds more than {MOST_BYTES} bytes")
            return [held[name] for name in _NAMES]
    except KeyError as error:
        raise DataLossError(f"{file} is not MNIST: {error.args[0]}") from None
    except (*_UNREADABLE, zipfile.BadZipFile, zlib.error) as error:
        raise DataLossError(f"{file} is not an npz file of numbers: {error}") from None


def _checked(arrays: list[Array], place: Path) -> Split:
    x, y, x_test, y_test = arrays
    for count, images, labels in ((60000, x, y), (10000, x_test, y_test)):
        if images.shape != (count, _SIDE, _SIDE) or images.dtype != np.uint8:
            found = f"{images.dtype.name} of shape {images.shape}"
            raise DataLossError(f"{place} is not MNIST: images are {found}")
        if labels.shape != (count,) or labels.dtype.kind not in "iu" or labels.max() > 9:
            raise DataLossError(
                f"{place} is not MNIST: its labels are not digits for {count} images"
            )
    return (x, y.astype(np.uint8)), (x_test, y_test.astype(np.uint8))


__dir__ = own_names(__name__)
