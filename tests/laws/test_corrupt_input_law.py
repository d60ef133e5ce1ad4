"""Damaged files are refused by our errors, and nothing is partially restored.

Every form that the project reads back is cut off and has bits turned, at places chosen by a seed:
checkpoints, the notes of which is the latest, idx and npz files of data sets, states of iterators.
"""

from __future__ import annotations

import copy
import gzip
import io
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import OpError
from runtime.nn.datasets.mnist import read_idx
from tests.laws.wrong_inputs.verdict import outcome_of

SEEDS = range(60)


def damaged(data: bytes, seed: int) -> bytes:
    """Bytes cut off, with a bit turned, with some of them twice, or others in their place."""
    chosen = random.Random(seed)
    place = chosen.randrange(len(data))
    if seed % 4 == 0:
        return data[:place]
    if seed % 4 == 1:
        return data[:place] + bytes((data[place] ^ 1 << chosen.randrange(8),)) + data[place + 1 :]
    if seed % 4 == 2:
        return data[:place] + data[place : place + 9] + data[place:]
    return data[:place] + chosen.randbytes(min(8, len(data) - place)) + data[place + 8 :]


def same(a: Any, b: Any) -> bool:
    return np.array_equal(np.asarray(a), np.asarray(b))


def saved(folder: Path) -> tuple[rt.train.Checkpoint, str]:
    made = rt.train.Checkpoint(a=rt.Variable([1.5, 2.5]), b=rt.Variable("text"), n=rt.Variable(3))
    return made, made.write(str(folder / "saved"))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_damaged_checkpoint_changes_no_variables(seed: int, tmp_path: Path) -> None:
    _, prefix = saved(tmp_path)
    (file,) = (path for path in tmp_path.iterdir() if path.name.startswith("saved"))
    data = file.read_bytes()
    file.write_bytes(broken := damaged(data, seed))
    target = rt.train.Checkpoint(
        a=rt.Variable([0.0, 0.0]), b=rt.Variable("other"), n=rt.Variable(0)
    )
    found = outcome_of(lambda: target.restore(prefix))
    assert "" == found.fault
    assert found.refused or broken == data
    assert isinstance(found.error, OpError) or not found.refused
    assert [0.0, 0.0] == target.a.numpy().tolist() and 0 == int(target.n) or not found.refused
    assert "" == outcome_of(lambda: rt.train.list_variables(prefix)).fault
    assert "" == outcome_of(lambda: rt.train.load_variable(prefix, "a")).fault


def test_a_checkpoint_of_other_shapes_changes_no_variables(tmp_path: Path) -> None:
    _, prefix = saved(tmp_path)
    target = rt.train.Checkpoint(
        a=rt.Variable([0.0, 0.0]), b=rt.Variable("other"), n=rt.Variable([1])
    )
    with pytest.raises(OpError):
        target.restore(prefix)
    assert [0.0, 0.0] == target.a.numpy().tolist()
    assert b"other" == target.b.numpy()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_damaged_note_of_the_latest_checkpoint(seed: int, tmp_path: Path) -> None:
    checkpoint = rt.train.Checkpoint(a=rt.Variable(1.0))
    manager = rt.train.CheckpointManager(checkpoint, str(tmp_path), max_to_keep=2)
    manager.save()
    note = tmp_path / "checkpoint"
    note.write_bytes(damaged(note.read_bytes(), seed))
    assert "" == outcome_of(lambda: rt.train.latest_checkpoint(str(tmp_path))).fault
    again = outcome_of(
        lambda: (
            rt.train.CheckpointManager(checkpoint, str(tmp_path), max_to_keep=2).latest_checkpoint
        )
    )
    assert "" == again.fault


def idx_file(packed: bool) -> bytes:
    data = bytes((0, 0, 8, 2, 0, 0, 0, 3, 0, 0, 0, 2)) + bytes(range(6))
    return gzip.compress(data, mtime=0) if packed else data


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("packed", [False, True])
def test_a_damaged_idx_file(packed: bool, seed: int, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(damaged(idx_file(packed), seed))
    assert "" == outcome_of(lambda: read_idx(file)).fault


@pytest.mark.parametrize("seed", SEEDS)
def test_a_damaged_npz_file(seed: int, tmp_path: Path) -> None:
    buffer = io.BytesIO()
    images, labels = np.zeros((2, 28, 28), np.uint8), np.zeros(2, np.uint8)
    np.savez(buffer, x_train=images, y_train=labels, x_test=images, y_test=labels)
    file = tmp_path / "mnist.npz"
    file.write_bytes(damaged(buffer.getvalue(), seed))
    assert "" == outcome_of(lambda: rt.nn.datasets.mnist.load_data(str(file))).fault


def broken_states(state: Any) -> Iterator[Any]:
    """States that lack a part, or have something else in its place."""
    for path in _paths(state):
        for wrong in (None, "wrong", -1, [], {}, object()):
            yield _changed_at(
                state, path, lambda parent, key, wrong=wrong: parent.__setitem__(key, wrong)
            )
        yield _changed_at(state, path, lambda parent, key: parent.pop(key))


def _paths(state: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = state.items() if isinstance(state, dict) else enumerate(state)
    for key, value in list(items):
        yield (*path, key)
        if isinstance(value, (dict, list)):
            yield from _paths(value, (*path, key))


def _changed_at(state: Any, path: tuple[Any, ...], change: Callable[[Any, Any], Any]) -> Any:
    parent = made = copy.deepcopy(state)
    for key in path[:-1]:
        parent = parent[key]
    change(parent, path[-1])
    return made


DATASETS: dict[str, Callable[[], Any]] = {
    "rows": lambda: rt.data.Dataset.from_tensor_slices([1, 2, 3, 4, 5]),
    "steps": lambda: rt.data.Dataset.range(9).filter(lambda x: x % 2 == 0).batch(2).repeat(2),
    "shuffled": lambda: rt.data.Dataset.range(9).shuffle(4, seed=1).cache().skip(1),
    "several": lambda: rt.data.Dataset.range(3).concatenate(rt.data.Dataset.range(2)).unique(),
}


@pytest.mark.parametrize("name", DATASETS)
def test_a_damaged_state_of_an_iterator(name: str) -> None:
    iterator = iter(DATASETS[name]())
    next(iterator)
    state = iterator.save()
    expected = [element.numpy().tolist() for element in iterator]
    faults = []
    for broken in broken_states(state):
        other = iter(DATASETS[name]())  # Of its own: a store may take up what is no damage.
        next(other)
        found = outcome_of(lambda other=other, broken=broken: other.restore(broken))
        faults += [found.fault] if found.fault else []
        if found.refused and "shuffled" != name:
            assert expected == [element.numpy().tolist() for element in other]
    assert [] == sorted(set(faults))
