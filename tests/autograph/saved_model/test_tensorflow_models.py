"""SavedModels that TensorFlow wrote compute the same here (`tools/tensorflow_models.py`)."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import InvalidArgumentError
from tests.autograph.saved_model.round_trip import save_station

FOLDER = Path(__file__).parent / "tensorflow_models"
KERAS = ("sequential", "shared_layers", "convolutions", "recurrent")


def loaded(name: str, folder: Path) -> tuple[Any, list[Any], dict[str, Any]]:
    """Return a model with its inputs and outputs."""
    with zipfile.ZipFile(FOLDER / f"{name}.zip") as file:
        file.extractall(folder)
    inputs, outputs = (np.load(FOLDER / f"{name}.{part}.npz") for part in ("inputs", "outputs"))
    return ag.saved_model.load(folder), list(inputs.values()), dict(outputs)


@pytest.mark.parametrize("name", KERAS)
def test_models_of_keras_compute_the_same(name: str, tmp_path: Path) -> None:
    model, inputs, outputs = loaded(name, tmp_path)
    found = model.serve(inputs if len(inputs) > 1 else inputs[0])
    np.testing.assert_allclose(found.numpy(), outputs["output"], rtol=1e-5, atol=1e-6)
    named = dict(zip(model.signatures["serve"].structured_input_signature[1], inputs))
    tensors = {name: rt.constant(each) for name, each in named.items()}
    (served,) = model.signatures["serve"](**tensors).values()
    np.testing.assert_allclose(served.numpy(), outputs["output"], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", KERAS)
def test_a_model_of_keras_is_saved_again(name: str, tmp_path: Path) -> None:
    model, inputs, outputs = loaded(name, tmp_path / "first")
    ag.saved_model.save(model, tmp_path / "second")
    again = ag.saved_model.load(tmp_path / "second")
    found = again.serve(inputs if len(inputs) > 1 else inputs[0])
    np.testing.assert_allclose(found.numpy(), outputs["output"], rtol=1e-5, atol=1e-6)


def test_gradients_reach_the_variables_of_a_loaded_model(tmp_path: Path) -> None:
    model, (x,), _ = loaded("sequential", tmp_path)
    with rt.GradientTape() as tape:
        total = rt.reduce_sum(model.serve(x)[:, 0])
    gradients = tape.gradient(total, model.trainable_variables)
    bias = next(each for each in model.trainable_variables if each.shape == (3,))
    step = 1e-2
    moved = []
    for sign in (1.0, -1.0):
        bias.assign_add([sign * step, 0.0, 0.0])
        moved.append(float(rt.reduce_sum(model.serve(x)[:, 0])))
        bias.assign_add([-sign * step, 0.0, 0.0])
    found = dict(zip(map(id, model.trainable_variables), gradients))[id(bias)].numpy()[0]
    assert found == pytest.approx((moved[0] - moved[1]) / (2 * step), rel=1e-2)


def test_a_module_keeps_its_state_and_functions(tmp_path: Path) -> None:
    module, (n, x), outputs = loaded("module", tmp_path)
    assert 111 == int(module.collatz(rt.constant(27)))
    assert 8 == int(module.signatures["collatz"](n=rt.constant(6))["output_0"])
    assert [3.0, 4] == [float(module.parts[0]), int(module.parts[1]["k"])]
    before = int(module.steps)
    found = module.rows(rt.constant(n), rt.constant(x))
    assert int(module.steps) == before + 1
    np.testing.assert_allclose(found["rows"].numpy(), outputs["rows"], rtol=1e-6)
    np.testing.assert_allclose(found["x"].numpy(), outputs["x"], rtol=1e-6)
    assert found["none"] is None
    assert [b"a-0", b"b-1"] == module.texts(rt.constant(["a", "b"])).numpy().tolist()


def test_random_ops_draw_the_numbers_of_tensorflow(tmp_path: Path) -> None:
    model, (x,), outputs = loaded("draws", tmp_path)
    for number in range(2):
        found = model.drawn(x)
        for name, value in found.items():
            expected = outputs[f"{name}_{number}"]
            assert expected.dtype == value.numpy().dtype
            np.testing.assert_allclose(value.numpy(), expected, rtol=1e-6)
    first, second = (model.anything().numpy() for _ in range(2))
    assert 0.4 < first.mean() < 0.6 and first.tolist() != second.tolist()


def test_tables_of_constants_find_values(tmp_path: Path) -> None:
    model, (x,), outputs = loaded("vocabulary", tmp_path / "first")
    ag.saved_model.save(model, tmp_path / "again")
    for each in (model, ag.saved_model.load(tmp_path / "again")):
        found = each.numbered(x)
        assert [[2, -1], [3, 1]] == found["numbers"].numpy().tolist()
        assert outputs["words"].tolist() == found["words"].numpy().tolist()
        assert outputs["size"] == 3 == int(found["size"])
        assert (0, 2) == each.numbered(np.zeros((0, 2), object))["words"].shape


def test_preprocessing_computes_the_same(tmp_path: Path) -> None:
    model, (x, boxes, scores, numbers, texts), outputs = loaded("preprocessing", tmp_path)
    found = {**model.resized(x), **model.chosen(boxes, scores), **model.without(numbers)}
    found.update(model.words(texts))
    assert outputs.keys() == found.keys()
    for name, value in found.items():
        expected = outputs[name]
        if name in ("words", "columns"):
            assert expected.tolist() == value.numpy().tolist()
            continue
        assert expected.dtype == value.numpy().dtype, name
        np.testing.assert_allclose(value.numpy(), expected, rtol=1e-6, err_msg=name)


def test_preprocessing_of_nothing(tmp_path: Path) -> None:
    model, (_, boxes, scores, numbers, _), _ = loaded("preprocessing", tmp_path)
    for chosen in model.chosen(boxes[:0], scores[:0]).values():
        assert [] == chosen.numpy().tolist()
    assert [] == model.without(numbers[:0])["left"].numpy().tolist()
    texts = rt.constant([], rt.string)
    shapes = {name: each.shape for name, each in model.words(texts).items()}
    assert {"words": (0, 0), "columns": (0, 2), "lengths": (0, 0)} == shapes


def test_texts_become_numbers_of_words(tmp_path: Path) -> None:
    model, (texts,), outputs = loaded("vectorized", tmp_path)
    np.testing.assert_allclose(model.serve(texts).numpy(), outputs["output"], rtol=1e-6)


# -- directories of this project that TensorFlow saved again ---------------------------------------


def check_station(station: Any, x: Any, outputs: dict[str, Any]) -> None:
    """Check all that a station has, after a step of training, with TensorFlow's results."""
    assert [3.0, 4] == [float(station.parts[0]), int(station.parts[1]["k"])]
    assert station.parts[1]["w"] is station.weights and station.weights.trainable
    assert not station.steps.trainable and "one two" == Path(station.words.path).read_text()
    found = station.walked({"x": x, "rest": [0.5]}, 2, negate=True)
    (ends, nothing), close = found["ends"], np.testing.assert_allclose
    assert nothing is None and ("last", "first") == ends._fields
    for name, value in (("x", found["x"]), ("first", ends.first), ("last", ends.last)):
        close(value.numpy(), outputs[name], rtol=1e-6)
    assert (2, 2) == station.walked({"x": np.ones((2, 2), np.float32), "rest": [0.5]})["x"].shape
    serve, words = station.signatures["counted"], station.words.path
    served = serve(amount=rt.constant(2), label=rt.constant("a"))
    assert [2, f"a {words}"] == [
        int(served["output_0"]), served["output_1"].numpy().decode()
    ]  # fmt: skip
    steps, label = station.counted(rt.constant(3), rt.constant("b"))
    assert 5 == int(steps) == int(station.steps) and f"b {words}".encode() == label.numpy()
    assert label.numpy() == station.label.numpy()
    with pytest.raises(InvalidArgumentError, match="negative"):
        station.counted(rt.constant(-1), rt.constant("b"))
    losses = [float(station.train(x)["loss"]), float(station.signatures["train"](x=x)["loss"])]
    close(losses[-1], outputs["loss"], rtol=1e-6)
    close(station.weights.numpy(), outputs["weights"], rtol=1e-6)


def test_a_directory_of_ours_that_tensorflow_saved_again(tmp_path: Path) -> None:
    station, (x,), outputs = loaded("saved_again", tmp_path)
    check_station(station, x, outputs)


def test_the_same_directory_before_tensorflow_had_it(tmp_path: Path) -> None:
    _, (x,), outputs = loaded("saved_again", tmp_path)
    save_station(str(tmp_path / "ours"))
    check_station(ag.saved_model.load(tmp_path / "ours"), x, outputs)


def test_tensorflow_saves_a_directory_of_ours_again(tmp_path: Path) -> None:
    pytest.importorskip("tensorflow")
    _, (x,), outputs = loaded("saved_again", tmp_path)
    save_station(str(tmp_path / "ours"))
    tool = Path(__file__).resolve().parents[3] / "tools/tensorflow_models.py"
    places = [str(tmp_path / name) for name in ("ours", "theirs")]
    subprocess.run([sys.executable, str(tool), "--again", *places], check=True, capture_output=True)
    check_station(ag.saved_model.load(tmp_path / "theirs"), x, outputs)


def test_tables_are_loaded_with_their_contents(tmp_path: Path) -> None:
    model, (names,), outputs = loaded("tables", tmp_path)
    x = rt.constant(names)
    assert outputs["ages"].tolist() == model.age(x).numpy().tolist()
    found = model.counted(x)
    assert outputs["counts"].tolist() == found["counts"].numpy().tolist()
    assert outputs["size"] == found["size"].numpy()
    kept, values = model.forgotten(rt.constant(["bob", "zoe"]))
    order = np.argsort(kept.numpy())
    assert outputs["kept"].tolist() == kept.numpy()[order].tolist()
    assert outputs["values"].tolist() == values.numpy()[order].tolist()
    squared = model.squared(rt.constant([4, 5], rt.int64))
    assert outputs["square_before"].tolist() == squared["before"].numpy().tolist()
    assert outputs["square_size"] == squared["size"].numpy()
    with pytest.raises(InvalidArgumentError, match="empty_key cannot be a key of the table"):
        model.squared(rt.constant([0], rt.int64))


def test_a_loaded_table_is_saved_again(tmp_path: Path) -> None:
    model, (names,), _ = loaded("tables", tmp_path / "first")
    expected = model.counted(rt.constant(names))
    ag.saved_model.save(model, tmp_path / "second")
    again = ag.saved_model.load(tmp_path / "second")
    found = again.counted(rt.constant(names))
    assert (expected["counts"].numpy() + [[1.0, 0.5]]).tolist() == found["counts"].numpy().tolist()
