"""Texts of a concrete function's signature: short, and in full.

my_relu(x)                            Input Parameters:
  Args:                                 x (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(), ...)
    x: float32 Tensor, shape=()       Output Type:
  Returns:                              TensorSpec(shape=(), dtype=rt.float32, name=None)
    float32 Tensor, shape=()          Captures:
                                        None
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Sequence
from inspect import Parameter
from typing import Any

from autograph.functions.arguments.copies import named_items
from autograph.functions.arguments.key_relations import GIVEN, leaves
from autograph.functions.arguments.signature import CallSignature
from autograph.functions.arguments.trace_key import CONTAINERS, Key
from runtime import nest
from runtime.core.spec import TensorSpec
from runtime.data.element_spec import DatasetSpec
from runtime.ops.effects.variables import HandleSpec

SpecText = Callable[[TensorSpec], str]


class ObjectName(weakref.ref[object]):
    """The name of an object, with a weak reference to it.

    >>> class Settings: ...
    >>> ObjectName(Settings()).text
    '<Settings object, gone by now>'
    """

    __slots__ = ("_words",)

    def __init__(self, thing: object) -> None:
        name = getattr(thing, "__name__", None)
        self._words = name if isinstance(name, str) else f"{type(thing).__name__} object"

    def __repr__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        """The printed text."""
        return f"<{self._words}>" if self() is not None else f"<{self._words}, gone by now>"


def short_spec(spec: TensorSpec) -> str:
    """Write a spec as `float32[2,?]`.

    >>> short_spec(TensorSpec((2, None)))
    'float32[2,?]'
    """
    dims = spec.shape.dims
    shown = "..." if dims is None else ",".join("?" if dim is None else str(dim) for dim in dims)
    kind = f"{spec.kind} " if isinstance(spec, HandleSpec) else ""
    return f"{kind}{spec.dtype.name}[{shown}]"


def long_spec(spec: TensorSpec) -> str:
    """Write a spec as `float32 Tensor, shape=(2, None)`."""
    kind = "Variable" if isinstance(spec, HandleSpec) else "Tensor"
    return f"{spec.dtype.name} {kind}, shape={spec.shape}"


def call_text(
    signature: CallSignature, template: tuple[object, ...], key: Key, spec_text: SpecText
) -> str:
    """Write a traced call on one line: `f(x: float32[3], n=2)`."""
    words = []
    for (parameter, value), part in zip(signature.named(template), key):
        if has_tensor(part):
            separator = ": " if part[0] in GIVEN else "="
            words.append(f"{_label(parameter)}{separator}{value_text(value, part, spec_text)}")
        elif not _is_empty_rest(parameter, value):
            words.append(f"{_label(parameter)}={value_text(value, part, spec_text)}")
    return f"{signature.name}({', '.join(words)})"


def headline(signature: CallSignature, template: tuple[object, ...], key: Key) -> str:
    """Write the call with names for tensors and values for the rest: `f(x, n=2)`."""
    words = []
    for (parameter, value), part in zip(signature.named(template), key):
        if has_tensor(part):
            words.append(_label(parameter))
        elif not _is_empty_rest(parameter, value):
            words.append(f"{_label(parameter)}={value_text(value, part, short_spec)}")
    return f"{signature.name}({', '.join(words)})"


def signature_text(
    signature: CallSignature, template: tuple[object, ...], key: Key, outputs: object
) -> str:
    """Write the whole signature, tensors and results one a line."""
    lines = [headline(signature, template, key)]
    arguments = [
        line
        for (parameter, value), part in zip(signature.named(template), key)
        if has_tensor(part)
        for line in _argument_lines(parameter, value, part)
    ]
    if arguments:
        lines += ["  Args:", *arguments]
    return "\n".join([*lines, "  Returns:", *_result_lines(outputs)])


def has_tensor(part: Key) -> bool:
    """Return whether an argument holds a tensor, a variable or a dataset."""
    return any(leaf[0] in GIVEN for leaf in leaves(part))


def value_text(value: Any, part: Key, spec_text: SpecText) -> str:
    """Write one argument, tensors by `spec_text`."""
    if part[0] == "dataset":
        return f"Dataset of {_element_text(value.element_spec)}"
    if part[0] in GIVEN:
        return spec_text(value)
    if part[0] in CONTAINERS:
        return _container_text(value, part, spec_text)
    if isinstance(value, ObjectName):
        return value.text
    if part[0] == "keyed":
        return f"<{part[1].__name__} object>"
    return repr(value)


def _element_text(structure: Any) -> str:
    marks = [LiteralText(short_spec(spec)) for spec in nest.flatten(structure)]
    return repr(nest.unflatten(structure, marks))


class LiteralText:
    """An object whose `repr` is a given text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _container_text(value: Any, part: Key, spec_text: SpecText) -> str:
    names, items = named_items(value, part)
    texts = [value_text(item, below, spec_text) for item, below in zip(items, part[-1])]
    if part[0] == "list":
        return f"[{', '.join(texts)}]"
    if part[0] == "tuple":
        return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"
    if part[0] == "mapping":
        return f"{{{', '.join(f'{name!r}: {text}' for name, text in zip(names, texts))}}}"
    pairs = ", ".join(f"{name}={text}" for name, text in zip(names, texts))
    return f"{type(value).__name__}({pairs})"


def _argument_lines(parameter: Parameter, value: Any, part: Key) -> list[str]:
    specs: list[TensorSpec] = []
    if part[0] == "dataset":
        return [f"    {_label(parameter)}: {value_text(value, part, short_spec)}"]
    if part[0] in GIVEN:
        return [f"    {_label(parameter)}: {long_spec(value)}"]
    text = value_text(value, part, lambda spec: _numbered(spec, specs))
    return [f"    {_label(parameter)}: {text}", *_numbered_lines(specs)]


def _result_lines(outputs: Any) -> list[str]:
    if isinstance(outputs, TensorSpec):
        return [f"    {long_spec(outputs)}"]
    specs: list[TensorSpec] = []
    marks = [
        _NumberedSpec(leaf, specs) if isinstance(leaf, TensorSpec) else leaf
        for leaf in nest.flatten(outputs)
    ]
    return [f"    {nest.unflatten(outputs, marks)!r}", *_numbered_lines(specs)]


class _NumberedSpec:
    """A spec in a printed structure, which gets its number when it is printed."""

    def __init__(self, spec: TensorSpec, specs: list[TensorSpec]) -> None:
        self._spec = spec
        self._specs = specs

    def __repr__(self) -> str:
        return _numbered(self._spec, self._specs)


def _numbered(spec: TensorSpec, specs: list[TensorSpec]) -> str:
    specs.append(spec)
    return f"<{len(specs)}>"


def _numbered_lines(specs: list[TensorSpec]) -> list[str]:
    return [f"      <{number}>: {long_spec(spec)}" for number, spec in enumerate(specs, 1)]


def _label(parameter: Parameter) -> str:
    return str(parameter.replace(default=Parameter.empty, annotation=Parameter.empty))


def _is_empty_rest(parameter: Parameter, value: Any) -> bool:
    return parameter.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD) and not value


# -- the signature in full -------------------------------------------------------------------------


def type_summary(
    signature: CallSignature,
    template: tuple[object, ...],
    key: Key,
    outputs: object,
    captures: Sequence[tuple[str, TensorSpec]],
) -> str:
    """Return the types of the arguments, results and captures of a trace."""
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
    names, items = named_items(value, part)
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
