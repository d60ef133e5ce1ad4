"""The HTML forms of models, of layers, and of the history of a training."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Any

from runtime.display.html import Markup, counted, paragraph, table, view
from runtime.nn.models.summary import summary_rows, summary_totals

_WIDTH, _HEIGHT = 320, 80
_COLOURS = ("--ag-call", "--ag-python", "--ag-staged", "--ag-graph")
_LATEST = 10


def model_html(model: Any) -> str:
    """Return the form of a model: its layers with shapes and numbers of parameters, and totals.

    >>> import autograph.runtime as rt
    >>> model = rt.nn.Sequential([rt.nn.Input((2,)), rt.nn.layers.Dense(3, name="out")])
    >>> "out (Dense)" in model_html(model)
    True
    """
    head, rows = summary_rows(model)
    totals = ", ".join(summary_totals(model))
    return view(f"{type(model).__name__} {model.name}", table(head, rows, [2]), paragraph(totals))


def layer_html(layer: Any) -> str | None:
    """Return the form of a layer with weights: their names, shapes and sizes; else None."""
    rows = [
        (each.name, str(tuple(each.shape)), f"{each.shape.num_elements():,}")
        for each in layer.weights
    ]
    if not rows:
        return None
    weights = table(("weight", "shape", "params"), rows, [2])
    return view(f"{type(layer).__name__} {layer.name}", weights)


# -- the history of a training ---------------------------------------------------------------------


def history_text(history: Any) -> str:
    """Return the number of epochs, and the first and last value of each number.

    >>> from runtime.nn.callbacks.callback import History
    >>> history = History()
    >>> history.on_epoch_end(0, {"loss": 0.5}), history.on_epoch_end(1, {"loss": 0.25})
    (None, None)
    >>> history_text(history)
    '<History: 2 epochs, loss 0.5 -> 0.25>'
    """
    pairs = [
        f"{name} {_number(values[0])} -> {_number(values[-1])}"
        for name, values in history.history.items()
        if len(values)
    ]
    return f"<History: {', '.join([counted(len(history.epoch), 'epoch'), *pairs])}>"


def history_html(history: Any) -> str:
    """Return the form of a history: a curve of each number, and those of the latest epochs."""
    names = list(history.history)
    rows = [
        [str(epoch + 1), *(_number(history.history[name][at]) for name in names)]
        for at, epoch in list(enumerate(history.epoch))[-_LATEST:]
    ]
    numbers = table(("epoch", *names), rows, range(len(names) + 1))
    drawn = _curves(history.history) if len(history.epoch) > 1 else Markup("")
    return view("History", drawn, numbers, note=counted(len(history.epoch), "epoch"))


def _number(value: Any) -> str:
    try:
        return f"{float(value):.4g}"
    except (TypeError, ValueError):
        return str(value)


def _curves(history: dict[str, list[Any]]) -> Markup:
    """Return a picture with a curve for each number, from its least to its greatest value."""
    curves = "".join(
        _curve(values, _COLOURS[at % len(_COLOURS)])
        for at, values in enumerate(history.values())
        if at < len(_COLOURS)
    )
    words = " ".join(
        f'<span style="color:var({colour})">{escape(name)}</span>'
        for name, colour in zip(history, _COLOURS)
    )
    size = f'width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
    return Markup(f'<svg {size} role="img" aria-label="curves">{curves}</svg><p>{words}</p>')


def _curve(values: Sequence[Any], colour: str) -> str:
    try:
        numbers = [float(each) for each in values]
    except (TypeError, ValueError):
        return ""
    finite = [each for each in numbers if math.isfinite(each)]
    if len(finite) < 2:
        return ""
    low, span = min(finite), (max(finite) - min(finite)) or 1.0
    step = (_WIDTH - 4) / max(len(numbers) - 1, 1)
    # Of a long training, every so many points are enough.
    every = max(1, len(numbers) // _WIDTH)
    points = " ".join(
        f"{2 + at * step:.1f},{_HEIGHT - 3 - (value - low) / span * (_HEIGHT - 6):.1f}"
        for at, value in enumerate(numbers)
        if math.isfinite(value) and at % every == 0
    )
    return f'<polyline fill="none" stroke="var({colour})" stroke-width="1.5" points="{points}"/>'
