"""The summary of a model, as the table that Keras prints."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

from runtime import nest
from runtime.nn.modules.traversal import each_once
from runtime.ops.op import Op

_UNITS = ("B", "KB", "MB", "GB", "TB")
# The ends of the columns as fractions of a line: without and with connections.
_SEQUENCE, _CONNECTED = (0.45, 0.80, 1.0), (0.3, 0.56, 0.74, 1.0)
_CONNECTIONS = "Connected to"
_ALIGNED = {"Param #": str.rjust, "Trainable": str.center}


def written_summary(
    model: Any, width: int | None = None, expands: bool = False, shows_trainable: bool = False
) -> str:
    """Return the table of a model, with the totals of its parameters below.

    Args:
        width: the number of characters in a line; None for the available width.
        expands: whether the layers of inner models have lines of their own.
        shows_trainable: whether there is a column with the trainable layers.
    """
    head, rows = summary_rows(model, expands, shows_trainable)
    connected = _CONNECTIONS in head
    ends: tuple[float, ...] = _CONNECTED if connected else _SEQUENCE
    if shows_trainable:
        ends = (*(end * 0.9 for end in ends), 1.0)
    if width is None:
        most = (108 if connected else 88) + 12 * shows_trainable
        width = min(most, _columns() - 4)
    totals = [f" {each}" for each in summary_totals(model)]
    return "\n".join([f'Model: "{model.name}"', *_table(head, rows, ends, width), *totals])


def summary_rows(
    model: Any, expands: bool = False, shows_trainable: bool = False
) -> tuple[list[str], list[list[str]]]:
    """Return the titles of the table of a model, and a row for each layer."""
    connected = _has_connections(model)
    head = ["Layer (type)", "Output Shape", "Param #"]
    head += [_CONNECTIONS] if connected else []
    head += ["Trainable"] if shows_trainable else []
    return head, list(_rows(model, model, expands, shows_trainable, connected, 0))


def _columns() -> int:
    # An output that is not a terminal gets a fixed width.
    is_a_terminal = getattr(sys.stdout, "isatty", None)
    return shutil.get_terminal_size().columns if is_a_terminal and is_a_terminal() else 80


def _rows(
    model: Any, inner: Any, expands: bool, shows_trainable: bool, connected: bool, depth: int
) -> Iterable[list[str]]:
    mark = f"{'   ' * depth}└ " if depth else ""
    for layer in inner.layers:
        count = f"{_parameters(layer.weights):,}" if _is_built(layer) else "0 (unbuilt)"
        row = [f"{mark}{layer.name} ({_kind(layer)})", _shape_of(layer), count]
        row += [_sources(model, layer)] if connected else []
        trains = ("Y" if layer.trainable else "N") if layer.weights else "-"
        yield [*row, trains] if shows_trainable else row
        if expands and hasattr(layer, "layers"):
            yield from _rows(model, layer, expands, shows_trainable, connected, depth + 1)


def _kind(layer: Any) -> str:
    # In Keras, the class of functional models is called Functional.
    name = type(layer).__name__
    return "Functional" if name == "Model" and layer._own.wiring is not None else name


def _is_built(layer: Any) -> bool:
    return bool(layer.built or layer.weights)


def _shape_of(layer: Any) -> str:
    own = layer._own
    if own.steps:
        from_step: Any = own.steps[0].outputs
        return _shape_text(from_step)
    if own.output_shape is None and _is_built(layer) and getattr(layer, "layers", None):
        return _shape_of(layer.layers[-1])
    return _as_text(own.output_shape)


def _shape_text(outputs: Any) -> str:
    return _listed([str(tuple(leaf.shape.dims)) for leaf in nest.flatten(outputs)])


def _as_text(shape: Any) -> str:
    if isinstance(shape, dict):
        return _listed([_as_text(each) for each in shape.values()])
    if isinstance(shape, (list, tuple)) and any(isinstance(each, (list, tuple)) for each in shape):
        return _listed([_as_text(each) for each in shape])
    return "?" if shape is None else str(tuple(shape))


def _listed(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"


def _has_connections(model: Any) -> bool:
    """Return whether a layer takes anything else than the output of the layer before."""
    wiring = model._own.wiring
    if wiring is None:
        return False
    steps = wiring.steps
    if len({id(step.callee) for step in steps}) < len(steps):
        return True
    last = [id(leaf) for leaf in nest.flatten(wiring.inputs)]
    for step in steps:
        if len(step.inputs) > 1 or any(id(leaf) not in last for leaf in step.inputs):
            return True
        last = [id(leaf) for leaf in nest.flatten(step.outputs)]
    return len(nest.flatten(wiring.inputs)) > 1


def _sources(model: Any, layer: Any) -> str:
    steps = {id(step) for step in model._own.wiring.steps}
    used = (step for step in layer._own.steps if id(step) in steps)
    return ", ".join(_place(leaf) for step in used for leaf in step.inputs) or "-"


def _place(leaf: Any) -> str:
    """Return the origin of a value: the layer's name, the index of the call, and of the output."""
    step = leaf.step
    if step is None:
        return f"{leaf.name}[0][0]"
    is_layer = not isinstance(step.callee, Op)
    name = step.callee.name if is_layer else leaf.name
    call = _index(step, step.callee._own.steps) if is_layer else 0
    return f"{name}[{call}][{_index(leaf, nest.flatten(step.outputs))}]"


def _index(wanted: Any, among: Sequence[Any]) -> int:
    return next((at for at, each in enumerate(among) if each is wanted), 0)


def _table(
    head: Sequence[str], rows: Sequence[Sequence[str]], ends: Sequence[float], width: int
) -> list[str]:
    """Return a table with a frame, of a width in characters."""
    sizes = _sizes(ends, width)
    lines = [_rule("┏┳┓", "━", sizes), *_cells(head, head, sizes, "┃"), _rule("┡╇┩", "━", sizes)]
    for at, row in enumerate(rows):
        lines += [_rule("├┼┤", "─", sizes)] if at else []
        lines += _cells(row, head, sizes, "│")
    return [*lines, _rule("└┴┘", "─", sizes)]


def _sizes(ends: Sequence[float], width: int) -> list[int]:
    """Return the numbers of characters of columns.

    >>> _sizes((0.45, 0.80, 1.0), 76)
    [31, 22, 13]
    """
    places = [0, *(int(end * width) for end in ends)]
    sizes = [last - first for first, last in zip(places, places[1:])]
    # All columns give up the same part of their width for the frame.
    over = 3 * len(sizes) + 1 + sum(sizes) - width
    for at, size in enumerate(sizes):
        share = round(over / (len(sizes) - at))
        sizes[at], over = max(1, size - share), over - share
    return sizes


def _rule(ends: str, line: str, sizes: Sequence[int]) -> str:
    left, middle, right = tuple(ends)
    return f"{left}{middle.join(line * (size + 2) for size in sizes)}{right}"


def _cells(row: Sequence[str], head: Sequence[str], sizes: Sequence[int], bar: str) -> list[str]:
    parts = [_wrapped(text, size) for text, size in zip(row, sizes)]
    lines = []
    for at in range(max(map(len, parts))):
        texts = [part[at] if at < len(part) else "" for part in parts]
        put = [
            _ALIGNED.get(name, str.ljust)(text, size)
            for text, name, size in zip(texts, head, sizes)
        ]
        lines.append(f"{bar} {f' {bar} '.join(put)} {bar}")
    return lines


def _wrapped(text: str, size: int) -> list[str]:
    """Return the lines of a text; words longer than a line are cut.

    >>> _wrapped("dense_of_a_model (Dense)", 10)
    ['dense_of_…', '(Dense)']
    """
    lines = textwrap.wrap(text, size, break_long_words=False, break_on_hyphens=False)
    return [line if len(line) <= size else f"{line[: size - 1]}…" for line in lines or [""]]


def summary_totals(model: Any) -> list[str]:
    """Return the numbers of parameters of a model, and their sizes, by kind."""
    trained, fixed = model.trainable_weights, model.non_trainable_weights
    optimizer = model.optimizer
    kept = list(optimizer.variables) if getattr(optimizer, "built", False) else []
    lines = [("Total params", [*trained, *fixed, *kept]), ("Trainable params", trained)]
    lines.append(("Non-trainable params", fixed))
    lines += [("Optimizer params", kept)] if kept else []
    return [f"{name}: {_parameters(each):,} ({_size(each)})" for name, each in lines]


def _parameters(weights: Sequence[Any]) -> int:
    return sum(each.shape.num_elements() or 0 for each in each_once(weights))


def _size(weights: Sequence[Any]) -> str:
    """Return the memory that weights take as text, with a fitting unit."""
    size = float(sum((w.shape.num_elements() or 0) * w.dtype.size for w in each_once(weights)))
    unit = 0
    while size >= 1024 and unit < len(_UNITS) - 1:
        size, unit = size / 1024, unit + 1
    return f"{size:.2f} {_UNITS[unit]}"
