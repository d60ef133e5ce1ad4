"""Law: a SavedModel is data. A changed one loads, or is one error of ours; nothing of it is run."""

from __future__ import annotations

import random
import time
import warnings
import zipfile
from pathlib import Path
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from runtime.errors import DataLossError, OpError
from runtime.export.protobuf import Message
from runtime.export.saved_model.messages import (
    AssetFileDef,
    ObjectReference,
    SavedAsset,
    SavedModel,
    SavedObject,
)
from tests.suite_length import IS_LONG

MODELS = Path(__file__).parents[1] / "autograph" / "saved_model" / "tensorflow_models"
MUTATIONS = 2000 if IS_LONG else 25
LONGEST = 1.5  # Seconds of the processor.


class Small(rt.Module):
    """Variables, a branch, a loop and a structured result."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = rt.Variable(2.0, name="scale")
        self.parts = [rt.Variable([1.0, 2.0]), {"same": self.scale}]

    @ag.function(input_signature=[rt.TensorSpec([], rt.int32)])
    def __call__(self, n: Any) -> Any:
        total = self.scale * 1.0
        while n > 0:
            total = total * 2.0 if n % 2 == 0 else total + 1.0
            n -= 1
        return {"total": total, "n": [n]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    model = Small()
    ag.saved_model.save(model, tmp_path / "small", {"serving_default": model.__call__})
    return tmp_path / "small"


def outcome(folder: Path) -> str:
    """Return how loading ends: `loaded`, or the message of our error."""
    begun = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ag.saved_model.load(folder)
        found = "loaded"
    except OpError as error:
        found = error.message
    assert time.process_time() - begun < LONGEST
    return found


def mutated(data: bytes, rng: random.Random) -> bytes:
    kind, place = rng.randrange(4), rng.randrange(len(data))
    if kind == 0:
        return data[:place]
    if kind == 1:
        return data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]
    length = rng.randrange(1, 9)
    if kind == 2:
        return data[:place] + rng.randbytes(length) + data[place + length :]
    return data[:place] + data[place + length :]


@pytest.mark.parametrize("part", range(5))
def test_mutated_files_load_or_are_one_error(folder: Path, part: int) -> None:
    rng = random.Random(part)
    files = [each for each in folder.rglob("*") if each.is_file()]
    outcomes = set()
    for _ in range(MUTATIONS):
        file = rng.choice(files)
        whole = file.read_bytes()
        file.write_bytes(mutated(whole, rng))
        outcomes.add(outcome(folder) == "loaded")
        file.write_bytes(whole)
    assert False in outcomes
    assert outcome(folder) == "loaded"


@pytest.mark.parametrize("name", ["sequential", "module", "session", "vocabulary", "tables"])
def test_mutated_files_of_tensorflow_load_or_are_one_error(name: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(MODELS / f"{name}.zip") as file:
        file.extractall(tmp_path)
    path, rng = tmp_path / "saved_model.pb", random.Random(name)
    whole = path.read_bytes()
    for _ in range(MUTATIONS):
        path.write_bytes(mutated(whole, rng))
        outcome(tmp_path)
    path.write_bytes(whole)
    assert outcome(tmp_path) == "loaded"


# -- single changes --------------------------------------------------------------------------------


def change(folder: Path, **values: Any) -> Any:
    """Change fields of the graph, or of its object graph, in a file."""
    path = folder / "saved_model.pb"
    model = SavedModel.FromString(path.read_bytes())
    (meta,) = model.meta_graphs
    objects = meta.object_graph_def
    if "nodes" in values:
        objects = objects.with_values(nodes=values.pop("nodes"))
    meta = meta.with_values(object_graph_def=objects, **values)
    path.write_bytes(model.with_values(meta_graphs=[meta]).SerializeToString())


def nodes(folder: Path) -> list[Message]:
    model = SavedModel.FromString((folder / "saved_model.pb").read_bytes())
    return list(model.meta_graphs[0].object_graph_def.nodes)


def refused(folder: Path) -> str:
    with pytest.raises(DataLossError) as found:
        ag.saved_model.load(folder)
    return found.value.message


@pytest.mark.parametrize("number", [-1, 99, 1 << 62])
def test_a_child_that_does_not_exist_is_refused(folder: Path, number: int) -> None:
    found = nodes(folder)
    child = ObjectReference(node_id=number, local_name="x")
    change(folder, nodes=[found[0].with_values(children=[child]), *found[1:]])
    refused(folder)


@pytest.mark.parametrize("name", ["__class__", "__dict__", "__init__", "_own"])
def test_internal_attributes_are_not_set(folder: Path, name: str) -> None:
    found = nodes(folder)
    place = next(at for at, node in enumerate(found) if node.HasField("function"))
    children = [*found[0].children, ObjectReference(node_id=place, local_name=name)]
    change(folder, nodes=[found[0].with_values(children=children), *found[1:]])
    assert "a file cannot set the attribute" in refused(folder)


@pytest.mark.parametrize("name", ["../../secret", "/etc/passwd", "", "a/../../b", "."])
def test_an_asset_lies_in_the_directory(folder: Path, name: str) -> None:
    found = nodes(folder)
    asset = SavedObject(asset=SavedAsset())
    bound = next(at for at, node in enumerate(found) if node.HasField("variable"))
    found[bound] = asset
    change(folder, nodes=found, asset_file_def=[AssetFileDef(filename=name)])
    refused(folder)
