"""The checkpoints of a folder: the kept ones and the latest."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import runtime as rt
from runtime.errors import ArgumentValueError
from runtime.train import Checkpoint, CheckpointManager, latest_checkpoint


def names(folder: Path) -> list[str]:
    return sorted(name for name in os.listdir(folder) if name.endswith(".ckpt"))


def test_the_latest_ones_are_kept(tmp_path: Path) -> None:
    step = rt.Variable(0)
    manager = CheckpointManager(Checkpoint(step=step), tmp_path, max_to_keep=2)
    assert manager.latest_checkpoint is None and latest_checkpoint(tmp_path) is None
    paths = []
    for number in range(1, 4):
        step.assign(number)
        paths.append(manager.save())
    assert [str(tmp_path / "ckpt-2"), str(tmp_path / "ckpt-3")] == manager.checkpoints == paths[1:]
    assert ["ckpt-2.ckpt", "ckpt-3.ckpt"] == names(tmp_path)
    assert paths[-1] == manager.latest_checkpoint == latest_checkpoint(tmp_path)
    step.assign(0)
    assert paths[-1] == manager.restore_or_initialize() and 3 == int(step)
    assert str(tmp_path / "ckpt-77") == manager.save(checkpoint_number=77)
    again = CheckpointManager(Checkpoint(step=step), tmp_path, max_to_keep=1)
    assert [paths[-1], str(tmp_path / "ckpt-77")] == again.checkpoints
    again.save(checkpoint_number=78)
    assert ["ckpt-78.ckpt"] == names(tmp_path)


def test_the_folder_may_be_moved(tmp_path: Path) -> None:
    CheckpointManager(Checkpoint(v=rt.Variable(5)), tmp_path / "a", max_to_keep=None).save()
    os.rename(tmp_path / "a", tmp_path / "b")
    found = CheckpointManager(Checkpoint(v=(v := rt.Variable(0))), tmp_path / "b", max_to_keep=3)
    assert str(tmp_path / "b" / "ckpt-1") == found.restore_or_initialize() and 5 == int(v)


def test_nothing_to_restore_is_initialized(tmp_path: Path) -> None:
    calls: list[int] = []
    checkpoint = Checkpoint(v=rt.Variable(0))
    manager = CheckpointManager(checkpoint, tmp_path, 3, init_fn=lambda: calls.append(1))
    assert manager.restore_or_initialize() is None and [1] == calls


def test_steps_between_two(tmp_path: Path) -> None:
    step = rt.Variable(0)
    manager = CheckpointManager(
        Checkpoint(step=step), tmp_path, None, step_counter=step, checkpoint_interval=10
    )
    saved = []
    for number in (0, 5, 10, 12, 21):
        step.assign(number)
        saved.append(manager.save() is not None)
    assert [True, False, True, False, True] == saved
    assert manager.save(check_interval=False) is not None


def test_one_is_kept_now_and_then(tmp_path: Path) -> None:
    manager = CheckpointManager(
        Checkpoint(v=rt.Variable(0)), tmp_path, 1, keep_checkpoint_every_n_hours=1.0
    )
    first = manager.save()
    hours = 2 * 3600 + os.path.getmtime(f"{first}.ckpt")
    os.utime(f"{first}.ckpt", (hours, hours))
    manager.save()
    manager.save()
    assert ["ckpt-1.ckpt", "ckpt-3.ckpt"] == names(tmp_path)


def test_a_failed_save_changes_no_state(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    checkpoint = Checkpoint(v=rt.Variable(0))
    manager = CheckpointManager(checkpoint, tmp_path / "file" / "m", max_to_keep=1)
    with pytest.raises(rt.errors.NotFoundError):
        manager.save()
    assert [] == manager.checkpoints and 0 == int(checkpoint.save_counter)


def test_invalid_arguments_are_refused() -> None:
    checkpoint = Checkpoint(v=rt.Variable(0))
    for most in (0, -1, 1.5):
        with pytest.raises(ArgumentValueError, match="max_to_keep"):
            CheckpointManager(checkpoint, "x", most)  # type: ignore[arg-type]
    with pytest.raises(ArgumentValueError, match="step_counter"):
        CheckpointManager(checkpoint, "x", 1, checkpoint_interval=3)
