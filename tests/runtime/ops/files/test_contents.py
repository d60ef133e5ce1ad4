"""Files as tensors: reading and writing, in graphs and datasets, and their errors."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import (
    ArgumentValueError,
    DTypeError,
    FailedPreconditionError,
    NotFoundError,
    PermissionDeniedError,
    ShapeError,
)


def test_what_is_written_is_read(tmp_path):
    path = tmp_path / "new" / "folder" / "a.bin"
    assert None is rt.io.write_file(str(path), b"\0\xff text")
    assert b"\0\xff text" == path.read_bytes() == rt.io.read_file(str(path)).numpy()
    rt.io.write_file(rt.constant(str(path)), "shorter")
    assert b"shorter" == path.read_bytes()


def test_a_graph_reads_and_writes_in_each_call_in_order(tmp_path):
    path = str(tmp_path / "a")

    @ag.function
    def doubled(count):
        before = rt.io.read_file(path)
        rt.io.write_file(path, before + before)
        after = rt.io.read_file(path)
        if count > 1:
            rt.io.write_file(path, "done")
        return before, after

    rt.io.write_file(path, "ab")
    before, after = doubled(rt.constant(1))
    assert (b"ab", b"abab") == (before.numpy(), after.numpy())
    before, after = doubled(rt.constant(2))
    assert (b"abab", b"abababab") == (before.numpy(), after.numpy())
    assert b"done" == rt.io.read_file(path).numpy()
    assert 1 == doubled.experimental_get_tracing_count()


def test_a_dataset_of_files_is_one_of_pictures(tmp_path):
    paths = [str(tmp_path / f"{value}.png") for value in range(4)]
    for value, path in enumerate(paths):
        rt.io.write_file(path, rt.io.encode_png(np.full((2, 3, 1), 50 * value, np.uint8)))
    files = rt.data.Dataset.from_tensor_slices(paths)

    def picture(path):
        return rt.cast(rt.io.decode_png(rt.io.read_file(path), channels=1), rt.float32) / 255.0

    for parallel in (None, 2):
        images = files.map(picture, num_parallel_calls=parallel).batch(2)
        assert (None, None, None, 1) == images.element_spec.shape.dims
        means = [batch.numpy().mean(axis=(1, 2, 3)).tolist() for batch in images]
        assert np.allclose([[0, 50 / 255], [100 / 255, 150 / 255]], means)
    for path in paths:
        rt.io.write_file(path, rt.io.encode_png(np.full((2, 3, 1), 255, np.uint8)))
    assert 4.0 == sum(float(rt.reduce_mean(image)) for image in files.map(picture))


def test_errors_are_those_of_files(tmp_path):
    with pytest.raises(NotFoundError, match="No such file"):
        rt.io.read_file(str(tmp_path / "nothing"))
    for call in (lambda path: rt.io.read_file(path), lambda path: rt.io.write_file(path, "a")):
        with pytest.raises((FailedPreconditionError, PermissionDeniedError)):
            call(str(tmp_path))
        with pytest.raises(ArgumentValueError, match="zero byte"):
            call("a\0b")
        with pytest.raises(ShapeError, match="filename must be a scalar"):
            call(["a", "b"])
        with pytest.raises(DTypeError):
            call(3)
    with pytest.raises(ShapeError, match="contents must be a scalar"):
        rt.io.write_file(str(tmp_path / "a"), ["b", "c"])
    (tmp_path / "file").write_text("")
    with pytest.raises((FailedPreconditionError, NotFoundError)) as found:
        rt.io.write_file(str(tmp_path / "file" / "below"), "a")
    assert "\n" not in found.value.message


class Reader(rt.Module):
    @ag.function(input_signature=[rt.TensorSpec([], rt.string)])
    def __call__(self, path):
        return rt.io.read_file(path)


@pytest.mark.parametrize("save", ["save", "save_archive"])
def test_a_loaded_graph_opens_files_only_where_all_are_allowed(tmp_path, save):
    path = tmp_path / "secret"
    path.write_text("text")
    getattr(ag.saved_model, save)(Reader(), str(tmp_path / "saved"))
    for allowed in (False, [str(path)]):
        with pytest.raises(PermissionDeniedError, match="allow_files=True"):
            ag.saved_model.load(str(tmp_path / "saved"), allow_files=allowed)
    loaded = ag.saved_model.load(str(tmp_path / "saved"), allow_files=True)
    assert b"text" == loaded(rt.constant(str(path))).numpy()
