"""A concrete function's signature in full: kinds of parameters, types of all values, captures.

Input Parameters:
  x (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(), dtype=rt.float32, name=None)
  k (POSITIONAL_OR_KEYWORD): Literal[2]
Output Type:
  TensorSpec(shape=(), dtype=rt.float32, name=None)
Captures:
  None
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from autograph.function.argument_copies import items_of
from autograph.function.key_relations import GIVEN
from autograph.function.signature import CallSignature
from autograph.function.signature_text import value_text
from autograph.function.trace_key import CONTAINERS, Key
from runtime import nest
from runtime.core.spec import TensorSpec
from runtime.data.element_spec import DatasetSpec
from runtime.ops.state import HandleSpec


def type_summary(
    signature: CallSignature,
    template: tuple[object, ...],
    key: Key,
    outputs: object,
    captures: Sequence[tuple[str, TensorSpec]],
) -> str:
    """Return the types of what a trace takes, gives and uses besides."""
    parameters = [
        f"{parameter.name} ({parameter.kind.name}): {_type(value, part)}"
        for (parameter, value), part in zip(signature.named(template), key)
    ]
    return "\n".join(
        [
            *("Input Parameters:", *_lines(parameters)),
            *("Output Type:", *_lines([_output(outputs)])),
            *("Captures:", *_lines(f"{name}: {_spec(spec)}" for name, spec in captures)),
        ]
    )


def _lines(texts: Iterable[str]) -> list[str]:
    return [f"  {text}" for text in texts] or ["  None"]


def _type(value: Any, part: Key) -> str:
    if part[0] in GIVEN:
        return _spec(value)
    if part[0] not in CONTAINERS:
        is_value = part[0] in ("literal", "set", "slice")
        text = value_text(value, part, _spec)
        return f"Literal[{text}]" if is_value else text
    names, items = items_of(value, part)
    parts = [_type(item, below) for item, below in zip(items, part[-1])]
    return _container(type(value), names, parts)


def _output(value: Any) -> str:
    if isinstance(value, TensorSpec):
        return _spec(value)
    if isinstance(value, dict):
        return _container(type(value), list(value), list(map(_output, value.values())))
    children = nest.children(value)
    if children is None:
        return repr(value)
    return _container(type(value), [], list(map(_output, children)))


def _container(kind: type, names: Sequence[Any], parts: Sequence[str]) -> str:
    if issubclass(kind, dict):
        parts = [f"[{name!r}, {part}]" for name, part in zip(names, parts)]
    word = kind.__name__.capitalize() if kind in (list, tuple, dict) else kind.__name__
    return f"{word}[{', '.join(parts)}]"


def _spec(spec: Any) -> str:
    if isinstance(spec, DatasetSpec):
        return repr(spec)
    word = "VariableSpec" if isinstance(spec, HandleSpec) else "TensorSpec"
    return f"{word}(shape={spec.shape}, dtype={spec.dtype!r}, name=None)"
