"""Whole models in files, and back."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import AlreadyExistsError, ArgumentValueError, DataLossError, NotFoundError
from runtime.nn import Input, Model, Sequential, models
from runtime.nn.layers import Dense, Layer
from tests.runtime.nn.models import sample_models
from tests.runtime.nn.models.sample_models import KINDS

ROOT = Path(__file__).resolve().parents[4]
X = np.sin(np.arange(30, dtype=np.float32)).reshape(10, 3)
Y = X[:, :2]


def fit(model: Any) -> list[float]:
    losses: list[float] = model.fit(X, Y, shuffle=False, epochs=2, verbose=0).history["loss"]
    return losses


def test_a_missing_model_file_raises_value_error(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="there is no model '.*none.keras'") as raised:
        models.load_model(tmp_path / "none.keras")
    assert isinstance(raised.value, ValueError)


@pytest.mark.parametrize(
    "name, instead",
    [("m.h5", "call it 'm.keras'"), ("m.onnx", r"write ag.export\(model, 'm.onnx'\)")],
)
def test_names_of_other_kinds_of_files_are_refused(name: str, instead: str, tmp_path: Path) -> None:
    model = Sequential([Dense(2, input_shape=(3,))])
    with pytest.raises(ArgumentValueError, match=instead):
        model.save(tmp_path / name)
    assert [] == list(tmp_path.iterdir())
    model.save(tmp_path / "m.keras")
    assert models.load_model(tmp_path / "m.keras").built


def test_a_loaded_model_continues_training(tmp_path: Path) -> None:
    x = Input((3,))
    branched = Model(x, Dense(2)(x) * 2.0)
    for model in (Sequential([Dense(4), Dense(2)]), branched):
        model.compile("adam", loss={model.output_names[0]: "mse"}, metrics=["mse"])
        fit(model)
        path = tmp_path / f"{model.name}.keras"
        model.save(path)
        again = models.load_model(path)
        np.testing.assert_array_equal(model.predict(X, verbose=0), again.predict(X, verbose=0))
        assert fit(model) == fit(again)
        assert not models.load_model(str(path), compile=False).compiled


class Twice(Layer):
    def call(self, inputs: Any) -> Any:
        return inputs * 2.0


def off(y_true: Any, y_pred: Any) -> Any:
    return rt.abs(y_true - y_pred)


def test_custom_classes_and_losses_are_passed(tmp_path: Path) -> None:
    path = tmp_path / "m"
    model = Sequential([Dense(2, input_shape=(3,)), Twice()])
    model.compile("sgd", off, metrics=[off])
    model.save(path)
    with pytest.raises(ArgumentValueError, match="no layer 'Twice': give its class"):
        models.load_model(path)
    with pytest.warns(
        UserWarning, match="the model is not compiled: there is no class or function 'off'"
    ) as told:
        models.load_model(path, {"Twice": Twice})
    assert __file__ == told[0].filename
    assert fit(model) == fit(models.load_model(path, {"Twice": Twice, "off": off}))


def test_files_that_are_no_models_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "w"
    model = Sequential([Dense(2, input_shape=(3,))])
    model.save_weights(path)
    with pytest.raises(DataLossError, match="not a model"):
        models.load_model(path)
    with pytest.raises(AlreadyExistsError):
        model.save(path, overwrite=False)


def test_a_checkpoint_holds_the_steps_of_the_optimizer(tmp_path: Path) -> None:
    first, second = (Sequential([Dense(4, input_shape=(3,)), Dense(2)]) for _ in range(2))
    for model in (first, second):
        model.compile("adam", "mse")
    fit(first)
    path = rt.train.Checkpoint(model=first).write(str(tmp_path / "c"))
    rt.train.Checkpoint(model=second).restore(path)
    assert fit(first) == fit(second)


def in_a_process(*arguments: object) -> str:
    """Return the output of a fresh Python."""
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        capture_output=True,
        cwd=ROOT,
        text=True,
        timeout=300,
    )
    assert (0, "") == (done.returncode, done.stderr)
    return done.stdout


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of models that another process has saved."""
    folder = tmp_path_factory.mktemp("models")
    in_a_process("-m", sample_models.__name__, folder)
    return folder


@pytest.mark.parametrize("by", ["runtime", "tensorflow"])
def test_a_new_process_continues_models_of_each_kind(saved: Path, by: str) -> None:
    told = in_a_process("-m", sample_models.__name__, saved, by)
    assert [f"{kind}: equal" for kind in KINDS] == told.splitlines()


@pytest.mark.parametrize("kind", ["sequential", "functional"])
@pytest.mark.parametrize(
    "loading",
    [
        "import runtime; print(runtime.nn.models.load_model({!r}).name)",
        "from autograph.compat import tensorflow as tf\n"
        "print(tf.keras.models.load_model({!r}).name)",
    ],
)
def test_loading_works_first_in_a_process(saved: Path, kind: str, loading: str) -> None:
    assert in_a_process("-c", loading.format(str(saved / f"{kind}.keras"))).strip()


def test_loading_json_works_first_in_a_process() -> None:
    text = Sequential([Dense(2, input_shape=(3,))]).to_json()
    code = f"import runtime; print(len(runtime.nn.models.model_from_json({text!r}).weights))"
    assert "2" == in_a_process("-c", code).strip()
