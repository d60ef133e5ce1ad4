"""`ModelCheckpoint`: files of weights and of models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from runtime.errors import ArgumentValueError, DataLossError, NotFoundError
from runtime.nn import Sequential
from runtime.nn.callbacks import CSVLogger, LambdaCallback, ModelCheckpoint
from runtime.nn.layers import Dense, Lambda
from runtime.nn.models import load_model

X = np.sin(np.arange(30, dtype=np.float32)).reshape(10, 3)
Y = X[:, :2]


def compiled() -> Any:
    model = Sequential([Dense(2, input_shape=(3,))])
    model.compile("sgd", "mse")
    return model


def test_weights_of_each_epoch_are_saved(tmp_path: Path) -> None:
    model, kept = compiled(), []
    told = LambdaCallback(on_epoch_end=lambda epoch, logs: kept.append(model.get_weights()))
    saved = ModelCheckpoint(tmp_path / "{epoch}.weights.h5")
    model.fit(X, Y, epochs=2, verbose=0, callbacks=[told, saved])
    for epoch in (1, 2):
        model.load_weights(tmp_path / f"{epoch}.weights.h5")
        for expected, found in zip(kept[epoch - 1], model.get_weights()):
            np.testing.assert_array_equal(expected, found)


def test_a_whole_model_is_saved_under_the_name_of_one(tmp_path: Path) -> None:
    model = compiled()
    saved = ModelCheckpoint(tmp_path / "{epoch}.keras")
    model.fit(X, Y, epochs=2, verbose=0, callbacks=[saved])
    loaded = load_model(tmp_path / "2.keras")
    np.testing.assert_array_equal(model.predict(X, verbose=0), loaded.predict(X, verbose=0))
    assert model.evaluate(X, Y, verbose=0) == loaded.evaluate(X, Y, verbose=0)
    other = compiled()
    other.load_weights(tmp_path / "2.keras")
    np.testing.assert_array_equal(model.get_weights()[0], other.get_weights()[0])


def test_weights_are_saved_alone_on_demand_or_for_unsaveable_models(tmp_path: Path) -> None:
    model = compiled()
    asked = ModelCheckpoint(tmp_path / "asked.keras", save_weights_only=True)
    model.fit(X, Y, verbose=0, callbacks=[asked])
    with pytest.raises(DataLossError, match="not a model"):
        load_model(tmp_path / "asked.keras")
    model.load_weights(tmp_path / "asked.keras")
    odd = Sequential([Lambda(lambda x: x, input_shape=(3,)), Dense(2)])
    odd.compile("sgd", "mse")
    with pytest.warns(UserWarning, match="only weights are saved: .* whose 'function'"):
        odd.fit(X, Y, verbose=0, callbacks=[ModelCheckpoint(tmp_path / "odd.keras")])
    odd.load_weights(tmp_path / "odd.keras")


def test_save_best_only_saves_improvements(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    callback = ModelCheckpoint(
        str(tmp_path / "{epoch:02d}-{loss:.1f}"), "loss", save_best_only=True, verbose=1
    )
    callback.set_model(compiled())
    for epoch, loss in enumerate([1.0, 2.0, 0.5]):
        callback.on_epoch_begin(epoch)
        callback.on_epoch_end(epoch, {"loss": loss})
    assert ["01-1.0", "03-0.5"] == sorted(each.name for each in tmp_path.iterdir())
    assert 2 == capsys.readouterr().out.count("saved the weights")


def test_weights_are_saved_every_n_batches(tmp_path: Path) -> None:
    saved = ModelCheckpoint(tmp_path / "{epoch}-{batch}", save_freq=2)
    compiled().fit(X, Y, batch_size=2, epochs=2, verbose=0, callbacks=[saved])
    found = sorted(each.name for each in tmp_path.iterdir())
    assert ["1-2", "1-4", "2-1", "2-3", "2-5"] == found


def test_file_names_that_cannot_be_formatted_are_refused(tmp_path: Path) -> None:
    callback = ModelCheckpoint(tmp_path / "{val_loss}")
    callback.set_model(compiled())
    with pytest.raises(ArgumentValueError, match="cannot be filled in with loss, epoch"):
        callback.on_epoch_end(0, {"loss": 1.0})
    with pytest.raises(ArgumentValueError, match="save_freq"):
        ModelCheckpoint("w", save_freq="batch")
    with pytest.raises(NotFoundError, match="cannot be written"):
        CSVLogger(tmp_path / "none" / "log.csv").on_train_begin()
