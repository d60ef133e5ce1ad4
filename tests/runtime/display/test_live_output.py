"""Progress in a notebook: one output that is replaced, instead of a line for each step."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from runtime.display.live_output import live_output
from runtime.nn import Sequential
from runtime.nn.callbacks.progress_bar import Progbar
from runtime.nn.layers import Dense
from tests.cells import Cells

X = np.ones((40, 3), np.float32)


class KernelStream(io.StringIO):
    """The standard output of a kernel."""

    __module__ = "ipykernel.iostream"


class Publisher:
    """Takes down the published messages."""

    def __init__(self) -> None:
        self.published: list[dict[str, Any]] = []

    def publish(self, **message: Any) -> None:
        self.published.append(message)

    @property
    def outputs(self) -> dict[str, str]:
        """The last text of each output."""
        return {
            each["transient"]["display_id"]: each["data"]["text/plain"] for each in self.published
        }


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    """A shell with a kernel, and its standard output, for the tests to redirect theirs to it."""
    shell: Any = Cells(monkeypatch)
    shell.kernel, shell.display_pub = object(), Publisher()
    yield SimpleNamespace(shell=shell, pub=shell.display_pub, stream=KernelStream())


def in_kernel(test: Callable[[SimpleNamespace], None]) -> Callable[[SimpleNamespace], None]:
    """Run a test with the standard output of its kernel; pytest sets its own after fixtures."""

    def run(kernel: SimpleNamespace) -> None:
        with contextlib.redirect_stdout(kernel.stream):
            test(kernel)

    return run


def fitted(**options: Any) -> None:
    model = Sequential([Dense(2, input_shape=(3,))])
    model.compile("sgd", "mse")
    model.fit(X, X[:, :2], batch_size=4, **options)


@in_kernel
def test_an_output_is_shown_once_and_then_replaced(kernel: SimpleNamespace) -> None:
    output = live_output()
    assert output is not None
    output.show("<a>", 0.25)
    output.show("b", 7)
    output.show("c")
    first, second, third = kernel.pub.published
    assert [False, True, True] == [each["update"] for each in (first, second, third)]
    assert 1 == len(kernel.pub.outputs)
    assert "&lt;a&gt;" in first["data"]["text/html"] and "<a>" == first["data"]["text/plain"]
    assert 'value="0.250"' in first["data"]["text/html"]
    assert 'value="1.000"' in second["data"]["text/html"]
    assert "<progress" not in third["data"]["text/html"]


@in_kernel
def test_a_training_is_one_line(kernel: SimpleNamespace) -> None:
    fitted(epochs=30, validation_split=0.2)
    (text,) = kernel.pub.outputs.values()
    assert text.startswith("Epoch 30/30  8/8 ") and " - loss: " in text
    assert " - val_loss: " in text
    assert "" == kernel.stream.getvalue()
    assert 30 <= len(kernel.pub.published) < 100


@in_kernel
def test_other_kinds_of_progress(kernel: SimpleNamespace) -> None:
    fitted(epochs=2, verbose=0)
    assert ([], "") == (kernel.pub.published, kernel.stream.getvalue())
    fitted(epochs=2, verbose=2)
    assert [] == kernel.pub.published
    assert 4 == len(kernel.stream.getvalue().splitlines())


@in_kernel
def test_an_evaluation_and_a_prediction_have_a_line_each(kernel: SimpleNamespace) -> None:
    model = Sequential([Dense(2, input_shape=(3,))])
    model.compile("sgd", "mse")
    model.evaluate(X, X[:, :2], batch_size=4)
    model.predict(X, batch_size=4)
    assert 2 == len(kernel.pub.outputs)
    assert all(text.startswith("10/10 ") for text in kernel.pub.outputs.values())


@in_kernel
def test_a_bar_of_a_program_is_one_output(kernel: SimpleNamespace) -> None:
    bar = Progbar(50, interval=0)
    for at in range(50):
        bar.update(at + 1, [("loss", 1.0)])
    (text,) = kernel.pub.outputs.values()
    assert text.startswith("50/50 ") and text.endswith(" - loss: 1.0000")
    counting = Progbar(None, interval=0)
    counting.update(3)
    assert "<progress" not in kernel.pub.published[-1]["data"]["text/html"]


@in_kernel
def test_redirected_output_gets_lines(kernel: SimpleNamespace) -> None:
    with contextlib.redirect_stdout(io.StringIO()) as kept:
        fitted(epochs=2)
    assert [] == kernel.pub.published
    assert 4 == len(kept.getvalue().splitlines())


@in_kernel
def test_a_terminal_of_ipython_has_no_live_output(kernel: SimpleNamespace) -> None:
    del kernel.shell.kernel
    assert live_output() is None
