"""Values of checkpoints without their objects, and Python state in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import runtime as rt
from runtime.errors import DTypeError, NotFoundError
from runtime.train import Checkpoint, CheckpointManager, get_checkpoint_state, load_checkpoint

KEY = "a/.ATTRIBUTES/VARIABLE_VALUE"


def test_a_reader_has_values_by_their_keys(tmp_path: Path) -> None:
    path = Checkpoint(a=rt.Variable([1.0, 2.0])).save(tmp_path / "run")
    reader = load_checkpoint(path)
    assert [2] == reader.get_variable_to_shape_map()[KEY]
    assert rt.float32 is reader.get_variable_to_dtype_map()[KEY]
    assert reader.has_tensor(KEY) and not reader.has_tensor("b")
    assert [1.0, 2.0] == load_checkpoint(tmp_path).get_tensor(KEY).tolist()
    assert f"{KEY} (float32) [2]".encode() in reader.debug_string()
    with pytest.raises(NotFoundError, match="'b' is not in"):
        reader.get_tensor("b")
    with pytest.raises(NotFoundError, match="no checkpoint"):
        load_checkpoint(tmp_path / "nothing")


def test_get_checkpoint_state_lists_checkpoints(tmp_path: Path) -> None:
    assert get_checkpoint_state(tmp_path) is None
    manager = CheckpointManager(Checkpoint(a=rt.Variable(1)), tmp_path, 2)
    paths = [manager.save() for _ in range(3)][1:]
    state: Any = get_checkpoint_state(tmp_path)
    assert (paths[-1], paths) == (state.model_checkpoint_path, state.all_model_checkpoint_paths)


class Note(rt.train.experimental.PythonState):
    def __init__(self, text: Any) -> None:
        self.text = text

    def serialize(self) -> Any:
        return self.text

    def deserialize(self, string_value: bytes) -> None:
        self.text = string_value.decode()


def test_python_state_is_saved_by_its_class(tmp_path: Path) -> None:
    note = Note("first")
    checkpoint = Checkpoint(note=note)
    path = checkpoint.save(tmp_path / "run")
    note.text = "second"
    checkpoint.restore(path).assert_consumed()
    assert "first" == note.text
    note.text = 3
    with pytest.raises(DTypeError, match=r"serialize\(\) of Note returns 3, not text"):
        checkpoint.save(tmp_path / "run")
