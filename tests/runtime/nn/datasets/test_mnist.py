"""MNIST from existing files, and scikit-learn's digits in its place."""

from __future__ import annotations

import gzip
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as rt
from autograph.compat import tensorflow as tf
from runtime.errors import (
    ArgumentValueError,
    DataLossError,
    DTypeError,
    NotFoundError,
    StandInWarning,
)
from runtime.nn.datasets import digits, mnist

NAMES = ("x_train", "y_train", "x_test", "y_test")
IDX = ("train-images-idx3", "train-labels-idx1", "t10k-images-idx3", "t10k-labels-idx1")


@pytest.fixture(autouse=True)
def nothing_is_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KERAS_HOME", str(tmp_path / "keras"))
    monkeypatch.delenv("AUTOGRAPH_MNIST", raising=False)
    monkeypatch.setattr(mnist.Choice, "stand_in", None)
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def arrays() -> list[Any]:
    random = np.random.default_rng(0)
    return [
        array
        for count in (60000, 10000)
        for array in (
            np.broadcast_to(np.arange(28, dtype=np.uint8), (count, 28, 28)),
            random.integers(0, 10, count).astype(np.uint8),
        )
    ]


def same(found: Any, arrays: list[Any]) -> bool:
    (x, y), (x_test, y_test) = found
    pairs = zip((x, y, x_test, y_test), arrays)
    return all(np.array_equal(a, b) and a.dtype == np.uint8 for a, b in pairs)


def test_without_files_scikit_digits_are_used_with_a_warning() -> None:
    with pytest.warns(StandInWarning, match="MNIST is not there.*1,797 digits") as caught:
        (x, y), (x_test, _) = tf.keras.datasets.mnist.load_data()
    assert __file__ == caught[0].filename
    assert ((1500, 28, 28), (1500,), (297, 28, 28)) == (x.shape, y.shape, x_test.shape)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mnist.use_digits()
        assert np.array_equal(x, mnist.load_data()[0][0])


def test_missing_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NotFoundError, match=r"MNIST is not there: looked for other\.npz") as caught:
        mnist.load_data("other.npz")
    for word in ("train-images-idx3-ubyte.gz", "use_digits()", "AUTOGRAPH_MNIST", str(tmp_path)):
        assert word in str(caught.value)
    monkeypatch.setenv("AUTOGRAPH_MNIST", "nowhere")
    with pytest.raises(NotFoundError, match="nowhere"):
        mnist.load_data()
    with pytest.raises(DTypeError, match="the path of MNIST must be a text, not 3"):
        mnist.load_data(3)  # type: ignore[arg-type]


def test_an_npz_file_where_keras_keeps_it_or_elsewhere(
    tmp_path: Path, arrays: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "keras" / "datasets").mkdir(parents=True)
    file = tmp_path / "keras" / "datasets" / "mnist.npz"
    np.savez_compressed(file, **dict(zip(NAMES, arrays)))
    assert same(mnist.load_data(), arrays)
    monkeypatch.setenv("KERAS_HOME", "nowhere")
    assert same(mnist.load_data(str(file)), arrays)
    monkeypatch.setenv("AUTOGRAPH_MNIST", str(file))
    assert same(mnist.load_data(), arrays)


def test_four_idx_files_in_a_folder(tmp_path: Path, arrays: list[Any]) -> None:
    for at, (name, array) in enumerate(zip(IDX, arrays)):
        header = bytes((0, 0, 8, array.ndim)) + np.array(array.shape, ">u4").tobytes()
        data = header + array.tobytes()
        if at % 2:
            (tmp_path / f"{name}-ubyte.gz").write_bytes(gzip.compress(data, 1))
        else:
            (tmp_path / f"{name}-ubyte").write_bytes(data)
    assert same(mnist.load_data(str(tmp_path)), arrays)
    (tmp_path / "t10k-images-idx3-ubyte").write_bytes(data[:1000])
    with pytest.raises(DataLossError, match="t10k-images-idx3-ubyte holds"):
        mnist.load_data(str(tmp_path))
    (tmp_path / "t10k-images-idx3-ubyte").write_bytes(b"something else")
    with pytest.raises(DataLossError, match="is not an idx file of bytes"):
        mnist.load_data(str(tmp_path))


def test_other_files_are_refused(tmp_path: Path, arrays: list[Any]) -> None:
    file = tmp_path / "mnist.npz"
    file.write_bytes(b"no zip")
    with pytest.raises(DataLossError, match="is not an npz file of numbers"):
        mnist.load_data()
    np.savez(file, x_train=arrays[0][:5])
    with pytest.raises(DataLossError, match="is not MNIST: "):
        mnist.load_data()
    small = [array[:7] for array in arrays]
    np.savez(file, **dict(zip(NAMES, small)))
    with pytest.raises(DataLossError, match=r"images are uint8 of shape \(7, 28, 28\)"):
        mnist.load_data()
    np.savez(file, **dict.fromkeys(NAMES, np.array([{"code": 1}], object)))
    with pytest.raises(DataLossError, match="is not an npz file of numbers"):
        mnist.load_data()


def test_use_digits_selects_scikit_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    mnist.use_digits()
    (x, y), (x_test, y_test) = tf.keras.datasets.mnist.load_data()
    assert ((1500, 28, 28), (297, 28, 28)) == (x.shape, x_test.shape)
    assert (np.uint8, np.uint8, 255) == (x.dtype, y.dtype, x.max())
    mnist.use_digits(False)
    with pytest.warns(StandInWarning):
        mnist.load_data()
    monkeypatch.setenv("AUTOGRAPH_MNIST", "digits")
    assert np.array_equal(x, mnist.load_data()[0][0])
    mnist.use_synthetic()
    assert (20000, 28, 28) == mnist.load_data()[0][0].shape


def test_digits_agree_with_scikit_learn() -> None:
    (x, y), (x_test, y_test) = digits.load_data()
    # load_digits() of scikit-learn: 178 zeros and so on; the first row of the first image.
    counts = np.bincount(np.concatenate([y, y_test])).tolist()
    assert [178, 182, 177, 183, 181, 182, 181, 179, 174, 180] == counts
    assert [0, 0, 5, 13, 9, 1, 0, 0] == x[0, 0].tolist()
    large = digits.load_data(28)[0][0]
    assert np.corrcoef(x.mean((1, 2)), large.mean((1, 2)))[0, 1] > 0.95
    for wrong, error in ((0, ArgumentValueError), (2.5, DTypeError)):
        with pytest.raises(error, match="the size of a digit must be"):
            digits.load_data(wrong)  # type: ignore[arg-type]


def test_synthetic_images_can_be_learned() -> None:
    (x, y), (x_test, y_test) = mnist.synthetic(1200, seed=3)
    assert np.array_equal(x, mnist.synthetic(1200, seed=3)[0][0])
    flat, seen = (each.reshape(len(each), -1).astype(float) for each in (x, x_test))
    means = np.stack([flat[y == digit].mean(0) for digit in range(10)])
    nearest = ((seen[:, None] - means) ** 2).sum(-1).argmin(1)
    assert (nearest == y_test).mean() > 0.9
    with pytest.raises(ArgumentValueError, match="n must be at least 6, not 3"):
        mnist.synthetic(3)


def test_the_pipeline_of_a_training_program() -> None:
    mnist.use_digits()
    (x, y), _ = mnist.load_data()

    def prepare(x, y):
        return rt.cast(x, rt.float32) / 255.0, rt.cast(y, rt.int64)

    dataset = rt.data.Dataset.from_tensor_slices((x, y))
    dataset = dataset.map(prepare).take(20000).shuffle(20000).batch(100)
    batches = list(dataset)
    assert 15 == len(batches) == len(dataset)
    assert ((100, 28, 28), rt.float32) == (tuple(batches[0][0].shape), batches[0][0].dtype)
    found = np.concatenate([labels.numpy() for _, labels in batches])
    assert np.array_equal(np.bincount(y), np.bincount(found))
