"""Checkpoints: variables found, written and restored, and unchanged after a failure."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.creation_hooks import DEFERRED_RESTORES
from runtime.errors import (
    ArgumentValueError,
    DataLossError,
    DTypeError,
    FailedPreconditionError,
    NotFoundError,
    ShapeError,
)
from runtime.train import Checkpoint


class Model:
    def __init__(self, scale: float = 1.0) -> None:
        self.kernel = rt.Variable(np.arange(6.0, dtype=np.float32).reshape(2, 3) * scale)
        self.layers = [rt.Variable(int(scale)), {"names": rt.Variable(["x", "yy", ""])}]
        self._hidden = rt.Variable([True, False])
        self.again = self.kernel
        self.owner = self
        self.function = abs
        self.number = 3


class Late:
    """Makes its variable when it is called first."""

    weight: Any = None

    def __call__(self, x: Any) -> Any:
        if self.weight is None:
            self.weight = rt.Variable(rt.zeros([2]))
        return x + self.weight


class Clock:
    def __init__(self, ticks: int) -> None:
        self.ticks, self.seen = ticks, np.arange(ticks)

    def save(self) -> dict[str, Any]:
        return {"ticks": self.ticks, "seen": [self.seen, None, b"\xff", "text", 1.5]}

    def restore(self, state: dict[str, Any]) -> None:
        if state["ticks"] > 99:
            raise ArgumentValueError("too late")
        self.ticks, self.seen = state["ticks"], state["seen"][0]
        assert [None, b"\xff", "text", 1.5] == state["seen"][1:]


@pytest.fixture(autouse=True)
def nobody_waits() -> Iterator[None]:
    DEFERRED_RESTORES.clear()
    yield
    DEFERRED_RESTORES.clear()


def test_saved_variables_are_restored(tmp_path: Path) -> None:
    model, step = Model(2.0), rt.Variable(7, dtype="int64")
    path = Checkpoint(model=model, step=step).save(tmp_path / "run")
    assert str(tmp_path / "run-1") == path
    assert ["checkpoint", "run-1.ckpt"] == sorted(os.listdir(tmp_path))
    other, counted = Model(), rt.Variable(0, dtype="int64")
    other.layers[1]["names"].assign(["", "", ""])
    before = other.kernel.read_value()
    checkpoint = Checkpoint(model=other, step=counted)
    checkpoint.restore(path).assert_consumed()
    assert model.kernel.numpy().tolist() == other.kernel.numpy().tolist()
    assert (2, 7, 1) == (int(other.layers[0]), int(counted), int(checkpoint.save_counter))
    assert [b"x", b"yy", b""] == other.layers[1]["names"].numpy().tolist()
    assert [True, False] == other._hidden.numpy().tolist()
    assert [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]] == before.numpy().tolist()
    assert str(tmp_path / "run-2") == checkpoint.save(tmp_path / "run")


@pytest.mark.parametrize("dtype", rt.dtypes.ALL, ids=str)
@pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3), (2, 3)])
def test_every_dtype_and_shape(dtype: rt.DType, shape: tuple[int, ...], tmp_path: Path) -> None:
    count = int(np.prod(shape))
    texts = np.array([b"t" * k for k in range(count)], object)
    array = texts if dtype.is_string else np.arange(count).astype(dtype.np_dtype)
    v = rt.Variable(array.reshape(shape), dtype=dtype)
    path = Checkpoint(v=v).write(tmp_path / "c")
    w = rt.Variable(rt.zeros_like(v.read_value()))
    Checkpoint(v=w).read(path).assert_consumed()
    assert dtype is w.dtype and v._array.tolist() == w._array.tolist()
    w.assign(v)


def test_a_root_lends_its_parts(tmp_path: Path) -> None:
    path = Checkpoint(Model(2.0), step=rt.Variable(1)).write(tmp_path / "c")
    keys = [
        key.removesuffix("/.ATTRIBUTES/VARIABLE_VALUE") for key, _ in rt.train.list_variables(path)
    ]
    assert ["_hidden", "kernel", "layers/0", "layers/1/names", "step"] == keys
    kernel = Model()
    Checkpoint(kernel).restore(path).assert_existing_objects_matched()
    assert 2 == int(kernel.layers[0])


def test_variables_created_later_are_restored_at_first_use(tmp_path: Path) -> None:
    model = Late()
    model([1.0, 1.0])
    model.weight.assign([5.0, 6.0])
    path = Checkpoint(model=model).write(tmp_path / "c")
    late = Late()
    status = Checkpoint(model=late).restore(path)
    with pytest.raises(AssertionError, match="no object has got: 'model/weight"):
        status.assert_consumed()
    rt.Variable(1.0).numpy()
    assert [6.0, 7.0] == late([1.0, 1.0]).numpy().tolist()
    status.assert_consumed()
    late.weight.assign([0.0, 0.0])
    status.assert_consumed()
    assert [0.0, 0.0] == late.weight.numpy().tolist() and [] == DEFERRED_RESTORES


def test_a_variable_created_in_a_trace_is_restored(tmp_path: Path) -> None:
    model = Late()
    model([1.0, 1.0])
    model.weight.assign([5.0, 6.0])
    path = Checkpoint(model=model).write(tmp_path / "c")
    late = Late()
    Checkpoint(model=late).restore(path)
    assert [6.0, 7.0] == ag.function(late.__call__)(rt.constant([1.0, 1.0])).numpy().tolist()


def test_objects_added_to_a_checkpoint_later_are_restored(tmp_path: Path) -> None:
    path = Checkpoint(step=rt.Variable(3), model=Model(2.0)).save(tmp_path / "c")
    checkpoint = Checkpoint()
    status = checkpoint.restore(path)
    with pytest.raises(AssertionError, match="nothing in common"):
        status.assert_nontrivial_match()
    checkpoint.step = rt.Variable(0)
    assert 3 == int(checkpoint.step)
    model = Model()
    checkpoint.model = model
    assert 2 == int(model.layers[0]) and status.assert_consumed() is status


def test_a_pending_variable_is_copied_and_pickled_with_its_value(tmp_path: Path) -> None:
    path = Checkpoint(v=rt.Variable([3.0]), w=rt.Variable(1)).write(tmp_path / "c")
    checkpoint = Checkpoint()
    checkpoint.restore(path)
    v = rt.Variable([0.0])
    copied = pickle.loads(pickle.dumps(v))
    assert [0.0] == copied.numpy().tolist()
    other = rt.Variable([0.0])
    other.assign([9.0])
    assert [9.0] == other.numpy().tolist()


def test_unmatched_values_are_reported(tmp_path: Path) -> None:
    path = Checkpoint(a=rt.Variable(1), b=rt.Variable(2)).write(tmp_path / "c")
    status = Checkpoint(a=rt.Variable(0)).restore(path)
    assert status.expect_partial().assert_existing_objects_matched() is status
    with pytest.raises(AssertionError, match="no object has got: 'b/"):
        status.assert_consumed()
    with pytest.raises(AssertionError, match="no values for these objects: 'c/"):
        Checkpoint(a=rt.Variable(0), c=rt.Variable(0)).restore(
            path
        ).assert_existing_objects_matched()
    with pytest.raises(AssertionError, match="no checkpoint was given"):
        Checkpoint(a=rt.Variable(0)).restore(None).assert_consumed()


@pytest.mark.parametrize(
    ("wrong", "error", "match"),
    [
        (rt.Variable([1, 2]), ShapeError, r"'b/.*' has shape \(\), and variable 'Variable:0'"),
        (rt.Variable(1.0), DTypeError, r"make it with dtype=rt\.int32"),
        (Clock(1), DTypeError, "of another kind"),
    ],
)
def test_mismatched_variables_change_nothing(
    wrong: Any, error: type[Exception], match: str, tmp_path: Path
) -> None:
    path = Checkpoint(a=rt.Variable(1), b=rt.Variable(2), z=rt.Variable(3)).save(tmp_path / "c")
    a, z = rt.Variable(10), rt.Variable(30)
    checkpoint = Checkpoint(a=a, b=wrong, z=z)
    with pytest.raises(error, match=match):
        checkpoint.restore(path)
    assert (10, 30, 0) == (int(a), int(z), int(checkpoint.save_counter))


def test_state_of_iterators_and_the_like(tmp_path: Path) -> None:
    path = Checkpoint(clock=Clock(3), a=rt.Variable(1)).write(tmp_path / "c")
    clock = Clock(0)
    Checkpoint(clock=clock, a=rt.Variable(0)).restore(path).assert_consumed()
    assert (3, [0, 1, 2]) == (clock.ticks, clock.seen.tolist())
    late = Checkpoint(clock=Clock(100), a=rt.Variable(1)).write(tmp_path / "late")
    a = rt.Variable(0)
    with pytest.raises(ArgumentValueError, match="too late"):
        Checkpoint(clock=clock, a=a).restore(late)
    assert (3, 0) == (clock.ticks, int(a))
    clock.seen = {1: 2}  # type: ignore[assignment]
    with pytest.raises(ArgumentValueError, match="keys of a state must be texts"):
        Checkpoint(clock=clock).write(tmp_path / "bad")
    assert not (tmp_path / "bad.ckpt").exists()


def test_checkpoints_hold_checkpoints(tmp_path: Path) -> None:
    inner = Checkpoint(v=rt.Variable(5))
    path = Checkpoint(inner=inner).write(tmp_path / "c")
    other = Checkpoint(v=rt.Variable(0))
    Checkpoint(inner=other).restore(path).assert_consumed()
    assert 5 == int(other.v)


def test_values_without_variables_are_refused() -> None:
    for value in (3, "text", np.zeros(2), rt.constant(1), abs, Model):
        with pytest.raises(ArgumentValueError, match="'x' is .*finds no variables"):
            Checkpoint(x=value)
    with pytest.raises(ArgumentValueError, match="'save_counter' is the checkpoint's own"):
        Checkpoint(save_counter=rt.Variable(0))


def test_saving_while_recording_is_refused(tmp_path: Path) -> None:
    checkpoint = Checkpoint(v=rt.Variable(1))
    for call in (checkpoint.save, checkpoint.write, checkpoint.restore):
        with rt.Graph("f").recording(), pytest.raises(FailedPreconditionError, match="outside"):
            call(tmp_path / "c")
    assert [] == os.listdir(tmp_path)


# -- files -----------------------------------------------------------------------------------------


def damaged(raw: bytes) -> dict[str, bytes]:
    return {
        "nothing": b"",
        "short": raw[:15],
        "truncated header": raw[:60],
        "truncated value": raw[:-1],
        "longer": raw + b"x",
        "other header": raw[:50] + bytes([raw[50] ^ 1]) + raw[51:],
        "other value": raw[:-1] + bytes([raw[-1] ^ 1]),
        "another file": b"PK\x03\x04" + raw[4:],
    }


@pytest.mark.parametrize("name", sorted(damaged(bytes(100))))
def test_a_damaged_file_changes_no_variables(name: str, tmp_path: Path) -> None:
    v = rt.Variable([1.0, 2.0])
    checkpoint = Checkpoint(v=v)
    path = checkpoint.save(tmp_path / "c")
    v.assign([8.0, 9.0])
    file = Path(path + ".ckpt")
    file.write_bytes(damaged(file.read_bytes())[name])
    with pytest.raises(DataLossError, match="is damaged or no checkpoint"):
        checkpoint.restore(path)
    assert [8.0, 9.0] == v.numpy().tolist()


def test_a_crash_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    v = rt.Variable(1)
    checkpoint = Checkpoint(v=v)
    path = checkpoint.write(tmp_path / "c")
    old = Path(path + ".ckpt").read_bytes()
    v.assign(2)

    def crash(source: str, target: str) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as context:
        context.setattr(os, "replace", crash)
        with pytest.raises(KeyboardInterrupt):
            checkpoint.write(tmp_path / "c")
        with pytest.raises(KeyboardInterrupt):
            checkpoint.save(tmp_path / "c")
    assert old == Path(path + ".ckpt").read_bytes() and ["c.ckpt"] == os.listdir(tmp_path)
    assert 0 == int(checkpoint.save_counter)


def test_files_that_cannot_be(tmp_path: Path) -> None:
    checkpoint = Checkpoint(v=rt.Variable(1))
    (tmp_path / "file").write_text("x")
    with pytest.raises(NotFoundError):
        checkpoint.save(tmp_path / "file" / "c")
    with pytest.raises(NotFoundError, match="there is no checkpoint"):
        checkpoint.restore(tmp_path / "nowhere")
    assert str(tmp_path / "new" / "c-1") == checkpoint.save(tmp_path / "new" / "c")


def test_list_variables_reads_keys_and_shapes(tmp_path: Path) -> None:
    path = Checkpoint(model=Model(2.0)).save(tmp_path / "c")
    suffix = "/.ATTRIBUTES/VARIABLE_VALUE"
    assert [
        ("model/_hidden" + suffix, [2]),
        ("model/kernel" + suffix, [2, 3]),
        ("model/layers/0" + suffix, []),
        ("model/layers/1/names" + suffix, [3]),
        ("save_counter" + suffix, []),
    ] == rt.train.list_variables(tmp_path)
    assert 2 == rt.train.load_variable(path, "model/layers/0")
    assert [True, False] == rt.train.load_variable(tmp_path, "model/_hidden" + suffix).tolist()
    with pytest.raises(NotFoundError, match="'zz' is not in"):
        rt.train.load_variable(path, "zz")
    with pytest.raises(NotFoundError):
        rt.train.list_variables(tmp_path / "zz")
    (tmp_path / "empty").mkdir()
    with pytest.raises(NotFoundError, match="in the folder"):
        rt.train.list_variables(tmp_path / "empty")


def test_names_with_slashes_and_dots(tmp_path: Path) -> None:
    path = Checkpoint(d={"a/b": rt.Variable(1), "a": {"b": rt.Variable(2)}, "x.y": rt.Variable(3)})
    keys = [key for key, _ in rt.train.list_variables(path.write(tmp_path / "c"))]
    assert ["d/a.Sb/", "d/a/b/.", "d/x..y/"] == [key[:7] for key in keys]


def test_generators_are_restored(tmp_path: Path) -> None:
    module = rt.Module()
    module.noise = rt.random.Generator.from_seed(1)  # type: ignore[attr-defined]
    lone = rt.random.Generator.from_seed(2)
    checkpoint = rt.train.Checkpoint(module=module, lone=lone)
    path = checkpoint.save(tmp_path / "noise")
    drawn = [each.normal([2]).numpy().tolist() for each in (module.noise, lone)]
    checkpoint.restore(path).assert_consumed()
    assert drawn == [each.normal([2]).numpy().tolist() for each in (module.noise, lone)]


@pytest.mark.parametrize("path", [None, 3, b"bytes", "a\0b"])
def test_invalid_paths_are_refused(path: Any) -> None:
    with pytest.raises((DTypeError, ArgumentValueError), match="file_prefix"):
        Checkpoint(v=rt.Variable(1)).write(path)


def test_one_restored_value_is_a_match(tmp_path: Path) -> None:
    written = Checkpoint(a=rt.Variable(1.0), b=rt.Variable(2.0)).write(tmp_path / "x")
    Checkpoint(a=rt.Variable(0.0)).read(written).assert_nontrivial_match()
    with pytest.raises(AssertionError, match="nothing in common"):
        Checkpoint(c=rt.Variable(0.0)).read(written).assert_nontrivial_match()
