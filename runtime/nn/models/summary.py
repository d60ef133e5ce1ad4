"""The summary of a model: its layers, their outputs and parameters, as a table to read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from runtime.nn.modules.walking import each_once

_UNITS = ("B", "KB", "MB", "GB", "TB")


def written_summary(
    model: Any, width: int = 80, expands: bool = False, shows_trainable: bool = False
) -> str:
    """Return the table of a model, with what its parameters add up to below.

    Args:
        width: how many characters a line may have.
        expands: whether the layers of models inside have lines of their own.
        shows_trainable: whether there is a column of which layers train.
    """
    connected = _has_connections(model)
    head = ["Layer (type)", "Output Shape", "Param #"]
    head += ["Trainable"] if shows_trainable else []
    head += ["Connected to"] if connected else []
    rows = [head, *_rows(model, expands, shows_trainable, connected, 0)]
    table = _table(rows, width)
    return "\n".join([f'Model: "{model.name}"', *table, *_totals(model)])


def _rows(
    model: Any, expands: bool, shows_trainable: bool, connected: bool, depth: int
) -> Iterable[list[str]]:
    for layer in model.layers:
        row = [
            f"{'  ' * depth}{layer.name} ({type(layer).__name__})",
            _shape_of(layer),
            f"{_parameters(layer.weights):,}" if _is_built(layer) else "not built",
        ]
        row += [("yes" if layer.trainable else "no") if layer.weights else "-"]
        row = row if shows_trainable else row[:3]
        yield [*row, _sources(layer)] if connected else row
        if expands and hasattr(layer, "layers"):
            yield from _rows(layer, expands, shows_trainable, connected, depth + 1)


def _is_built(layer: Any) -> bool:
    return bool(layer.built or layer.weights)


def _shape_of(layer: Any) -> str:
    own = layer._own
    if own.steps:
        from_step: Any = own.steps[0].outputs
        return _shape_text(from_step)
    shape = own.output_shape
    return "?" if shape is None else _as_text(shape)


def _shape_text(outputs: Any) -> str:
    if isinstance(outputs, dict):
        return ", ".join(_shape_text(each) for each in outputs.values())
    if isinstance(outputs, (list, tuple)):
        return ", ".join(_shape_text(each) for each in outputs)
    return _as_text(outputs.shape.dims)


def _as_text(shape: Any) -> str:
    if isinstance(shape, dict):
        return ", ".join(_as_text(each) for each in shape.values())
    if isinstance(shape, (list, tuple)) and any(isinstance(each, (list, tuple)) for each in shape):
        return ", ".join(_as_text(each) for each in shape)
    return "?" if shape is None else str(tuple(shape))


def _has_connections(model: Any) -> bool:
    wiring = model._own.wiring
    if wiring is None:
        return False
    used = [id(leaf) for step in wiring.steps for leaf in step.inputs]
    return len(used) != len(set(used)) or any(len(step.inputs) > 1 for step in wiring.steps)


def _sources(layer: Any) -> str:
    found = [each.name for step in layer._own.steps for each in step.inputs]
    return ", ".join(dict.fromkeys(found)) or "-"


def _table(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Return rows below each other, with columns as wide as they need to be, and may."""
    sizes = [max(map(len, column)) for column in zip(*rows)]
    spare = width - 3 * (len(sizes) - 1)
    while sum(sizes) > spare and max(sizes) > 12:
        sizes[sizes.index(max(sizes))] -= 1
    lines = [_line(row, sizes) for row in rows]
    rule = "=" * (sum(sizes) + 3 * (len(sizes) - 1))
    return [rule, lines[0], rule, *lines[1:], rule]


def _line(row: Sequence[str], sizes: Sequence[int]) -> str:
    cells = [
        _cut(text, size).rjust(size) if at == 2 else _cut(text, size).ljust(size)
        for at, (text, size) in enumerate(zip(row, sizes))
    ]
    return "   ".join(cells).rstrip()


def _cut(text: str, size: int) -> str:
    return text if len(text) <= size else f"{text[: size - 2]}.."


def _totals(model: Any) -> list[str]:
    trained, fixed = model.trainable_weights, model.non_trainable_weights
    lines = [("Total params", [*trained, *fixed]), ("Trainable params", trained)]
    lines.append(("Non-trainable params", fixed))
    if model.optimizer is not None:
        lines.append(("Optimizer params", list(getattr(model.optimizer, "variables", ()))))
    return [f"{name}: {_parameters(each):,} ({_size(each)})" for name, each in lines]


def _parameters(weights: Sequence[Any]) -> int:
    return sum(each.shape.num_elements() or 0 for each in each_once(weights))


def _size(weights: Sequence[Any]) -> str:
    """Return how much memory weights take, in the unit that reads best."""
    size = float(sum((w.shape.num_elements() or 0) * w.dtype.size for w in each_once(weights)))
    unit = 0
    while size >= 1024 and unit < len(_UNITS) - 1:
        size, unit = size / 1024, unit + 1
    return f"{size:.2f} {_UNITS[unit]}"
