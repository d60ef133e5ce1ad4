"""The calls of callbacks, and their order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runtime.errors import ArgumentValueError
from runtime.nn import Sequential
from runtime.nn.callbacks import Callback, CallbackList, History
from runtime.nn.layers import Dense

X = np.ones((4, 3), np.float32)


class Noting(Callback):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Any] = []

    def on_train_begin(self, logs: Any = None) -> None:
        self.seen.append(("begin", self.params["epochs"], self.params["steps"]))

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        self.seen.append(("epoch", epoch))

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        self.seen.append(("batch", batch, sorted(logs)))

    def on_test_batch_end(self, batch: int, logs: Any = None) -> None:
        self.seen.append(("test", batch))

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self.seen.append(("end", epoch, sorted(logs)))
        logs["own"] = 1.0


def compiled() -> Any:
    model = Sequential([Dense(2, input_shape=(3,))])
    model.compile("sgd", "mse")
    return model


def test_callbacks_are_called_in_order() -> None:
    noting, model = Noting(), compiled()
    held_out = (X, X[:, :2])
    history = model.fit(
        X, X[:, :2], batch_size=2, verbose=0, callbacks=[noting], validation_data=held_out
    )
    assert [
        ("begin", 1, 2),
        ("epoch", 0),
        ("batch", 0, ["loss"]),
        ("batch", 1, ["loss"]),
        ("test", 0),
        ("test", 1),
        ("end", 0, ["loss", "val_loss"]),
    ] == noting.seen
    assert model is noting.model
    assert [1.0] == history.history["own"]
    assert history is model.history


def test_a_users_history_callback_is_used() -> None:
    mine = History()
    assert mine is compiled().fit(X, X[:, :2], verbose=0, callbacks=mine)


def test_an_interrupted_model_can_be_used() -> None:
    class Interrupting(Callback):
        def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
            raise KeyboardInterrupt

    model = compiled()
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, X[:, :2], verbose=0, callbacks=[Interrupting()])
    before = model.evaluate(X, X[:, :2], verbose=0)
    model.fit(X, X[:, :2], verbose=0)
    assert model.evaluate(X, X[:, :2], verbose=0) < before


def test_values_that_are_no_callbacks_are_refused() -> None:
    for wrong in (3, Noting, [Noting(), "a"]):
        with pytest.raises(ArgumentValueError, match="a list of callbacks"):
            compiled().fit(X, X[:, :2], verbose=0, callbacks=wrong)
    assert [] == CallbackList().callbacks
