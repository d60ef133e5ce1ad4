"""Progress output of training."""

from __future__ import annotations

import contextlib
import io
import re
from typing import Any

import numpy as np
import pytest

from runtime.errors import ArgumentValueError
from runtime.nn import Sequential
from runtime.nn.callbacks.progress_bar import Progbar
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
    return re.sub(r"\d+s(\x1b\[0m)?( -)? \d+[mu]?s/step", r"TIME\1", text)


BAR = "━" * 20


def test_each_epoch_is_a_line_without_a_terminal() -> None:
    held_out = (X, X[:, :2])
    options: Any = {"epochs": 2, "validation_data": held_out, "validation_freq": 2}
    # As Keras 3.15 writes it, which has colours and bars that grow there too.
    expected = "Epoch 1/2\n3/3 {} - loss: N\nEpoch 2/2\n3/3 {} - loss: N - val_loss: N\n"
    for verbose, line in ((2, "- TIME"), (1, f"{BAR} TIME"), ("auto", f"{BAR} TIME")):
        assert expected.format(line, line) == written(verbose, io.StringIO(), **options)


def test_verbose_zero_prints_nothing() -> None:
    assert "" == written(0, Terminal(), epochs=2)


def test_a_bar_grows_on_a_terminal() -> None:
    found = written(1, Terminal())
    first = (
        f"\r\x1b[K\x1b[1m1/3\x1b[0m \x1b[32m{BAR[:6]}\x1b[0m\x1b[37m{BAR[6:]}\x1b[0m \x1b[1mTIME"
    )
    last = f"\r\x1b[K\x1b[1m3/3\x1b[0m \x1b[32m{BAR}\x1b[0m\x1b[37m\x1b[0m \x1b[1mTIME\x1b[0m"
    assert found.startswith(first)
    assert found.endswith(f"{last} - loss: N\n")
    assert "3/3 - TIME - loss: N\n" == written(2, Terminal())


def test_a_progbar_of_the_users(capsys: pytest.CaptureFixture[str]) -> None:
    bar = Progbar(12, verbose=2, unit_name="game", stateful_metrics=["best"])
    for number in range(11):
        bar.add(1, [("mean", float(number)), ("best", number)])
    assert "" == capsys.readouterr().out
    bar.update(12, finalize=True)
    found = capsys.readouterr().out
    assert re.fullmatch(r"12/12 - 0s - \d+[mu]s/game - mean: 5\.0000 - best: 10\.0000\n", found)
    Progbar(None).update(3, [("small", 0.00025)], finalize=True)
    found = capsys.readouterr().out
    assert re.fullmatch(r"      3/Unknown 0s \d+us/step - small: 2\.5000e-04\n", found)
    with pytest.raises(ArgumentValueError, match="stateful_metrics or stateless_metrics, not both"):
        Progbar(3, stateful_metrics=[], stateless_metrics=[])


def test_a_closed_output_does_not_stop_training() -> None:
    model = Sequential([Dense(2, input_shape=(3,))])
    model.compile("sgd", "mse")
    output = io.StringIO()
    output.close()
    with contextlib.redirect_stdout(output):
        history = model.fit(X, X[:, :2], verbose=1)
    assert 1 == len(history.history["loss"])


def test_an_unknown_verbosity_is_refused() -> None:
    with pytest.raises(ArgumentValueError, match="verbose must be 0, 1, 2 or 'auto', not 'loud'"):
        written("loud", io.StringIO())
