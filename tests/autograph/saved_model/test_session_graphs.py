"""SavedModels without objects, as TensorFlow 1 wrote them, are loaded by their signatures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import DataLossError, UnimplementedError
from runtime.export.saved_model.messages import SavedModel, SavedObjectGraph, TensorInfo
from tests.autograph.saved_model.round_trip import save_station
from tests.autograph.saved_model.test_tensorflow_models import loaded


def change(folder: Path, **values: Any) -> None:
    """Change fields of the graph in a file."""
    path = folder / "saved_model.pb"
    model = SavedModel.FromString(path.read_bytes())
    meta = model.meta_graphs[0].with_values(**values)
    path.write_bytes(model.with_values(meta_graphs=[meta]).SerializeToString())


@pytest.fixture
def station(tmp_path: Path) -> Path:
    """Return a directory of ours without its objects."""
    save_station(str(tmp_path / "station"))
    change(tmp_path / "station", object_graph_def=SavedObjectGraph())
    return tmp_path / "station"


def test_signatures_of_a_graph_keep_their_state(station: Path) -> None:
    found = ag.saved_model.load(station)
    assert ["counted", "train"] == sorted(found.signatures)
    count = found.signatures["counted"]
    specs = count.structured_input_signature[1]
    assert {"amount", "label"} == set(specs) and rt.string == specs["label"].dtype
    given = {"amount": rt.constant(2), "label": rt.constant("a")}
    assert [2, 4] == [int(count(**given)["output_0"]) for _ in range(2)]
    text = count(**given)["output_1"].numpy().decode()
    assert "one two" == Path(text.partition(" ")[2]).read_text()
    losses = [
        float(found.signatures["train"](x=np.ones((1, 2), np.float32))["loss"]) for _ in range(5)
    ]
    assert losses == sorted(losses, reverse=True) and losses[0] > losses[-1]


def test_a_graph_is_saved_again_as_an_object(station: Path, tmp_path: Path) -> None:
    first = ag.saved_model.load(station)
    given = {"amount": rt.constant(2), "label": rt.constant("a")}
    first.signatures["counted"](**given)
    ag.saved_model.save(first, tmp_path / "again", signatures=first.signatures)
    again = ag.saved_model.load(tmp_path / "again")
    assert 4 == int(again.signatures["counted"](**given)["output_0"])
    assert len(first.variables) == len(again.variables)


def test_ref_variables_and_resources_of_tensorflow_1(tmp_path: Path) -> None:
    found, (x,), outputs = loaded("session", tmp_path)
    assert ["count", "serving_default"] == sorted(found.signatures)
    served = found.signatures["serving_default"](x=x)
    assert {"probabilities", "words"} == served.keys()
    np.testing.assert_allclose(served["probabilities"].numpy(), outputs["probabilities"], rtol=1e-6)
    assert "one two" == Path(served["words"].numpy().decode()).read_text()
    count = found.signatures["count"]
    assert [3.0, 6.0] == [float(count(by=3.0)["total"]) for _ in range(2)]
    names = {each.name.partition(":")[0]: each for each in found.variables}
    assert outputs["weights"].tolist() == names["dense/weights"].numpy().tolist()
    with pytest.raises(ag.errors.SignatureError, match="takes x by name"):
        found.signatures["serving_default"](y=x)


def test_a_value_of_several_tensors_is_refused(station: Path) -> None:
    model = SavedModel.FromString((station / "saved_model.pb").read_bytes())
    signatures = dict(model.meta_graphs[0].signature_def)
    train = signatures["train"].with_values(outputs={"loss": TensorInfo()})
    change(station, signature_def={**signatures, "train": train})
    with pytest.raises(UnimplementedError, match="'loss' of the signature 'train' is not a single"):
        ag.saved_model.load(station)
    wrong = train.with_values(outputs={"loss": TensorInfo(name="nowhere:0")})
    change(station, signature_def={"train": wrong})
    with pytest.raises(DataLossError, match="nowhere"):
        ag.saved_model.load(station)
