"""What is written while a model trains."""

from __future__ import annotations

import contextlib
import io
import re
from typing import Any

import numpy as np
import pytest

from runtime.errors import ArgumentValueError
from runtime.nn import Sequential
from runtime.nn.layers import Dense

X = np.ones((10, 3), np.float32)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def written(verbose: Any, output: Any, **options: Any) -> str:
    model = Sequential([Dense(2, input_shape=(3,))])
    model.compile("sgd", "mse")
    with contextlib.redirect_stdout(output):
        model.fit(X, X[:, :2], batch_size=4, verbose=verbose, **options)
    text = re.sub(r"\d\.\d+(e-\d+)?", "N", output.getvalue())
    return re.sub(r"\d+s - \d+[mu]?s/step", "TIME", text)


def test_each_epoch_is_a_line_where_no_terminal_is() -> None:
    expected = "Epoch 1/2\n3/3 - TIME - loss: N\nEpoch 2/2\n3/3 - TIME - loss: N - val_loss: N\n"
    held_out = (X, X[:, :2])
    options: Any = {"epochs": 2, "validation_data": held_out, "validation_freq": 2}
    assert expected == written("auto", io.StringIO(), **options)


def test_silence() -> None:
    assert "" == written(0, Terminal(), epochs=2)


def test_a_bar_grows_on_a_terminal() -> None:
    found = written(1, Terminal())
    assert re.match(r"\r\x1b\[K1/3 \[=+\.+\] \d+s - loss: N\r\x1b\[K", found)
    assert found.endswith("\r\x1b[K3/3 - TIME - loss: N\n")
    assert "3/3 - TIME - loss: N\n" == written(2, Terminal())


def test_a_closed_output_ends_no_training() -> None:
    model = Sequential([Dense(2, input_shape=(3,))])
    model.compile("sgd", "mse")
    output = io.StringIO()
    output.close()
    with contextlib.redirect_stdout(output):
        history = model.fit(X, X[:, :2], verbose=1)
    assert 1 == len(history.history["loss"])


def test_an_unknown_verbosity_is_refused() -> None:
    with pytest.raises(ArgumentValueError, match="verbose is 0, 1, 2 or 'auto', not 'loud'"):
        written("loud", io.StringIO())
