"""Import of prints and checks."""

from __future__ import annotations

from typing import Any

from runtime.errors import ArgumentValueError
from runtime.export.graphdef.importer.node_import import NodeImport, Rule

_STREAMS = {"stderr": None, "stdout": "stdout"}


def _print(step: NodeImport) -> Any:
    """Print a text; TensorFlow's logs go to standard error, too."""
    stream = step.attrs.text("output_stream", "stderr")
    if stream not in _STREAMS:
        raise step.unsupported(f"it prints to {stream!r}: only stdout and stderr are open to it")
    end = step.attrs.text("end", "\n")
    template = (None, end) if end else (None,)
    step.record(
        "print",
        step.tensor(0),
        template=template,
        bare=True,
        stream=_STREAMS[stream],
        summarize=None,
    )


def _assert(step: NodeImport) -> Any:
    tensors = [step.tensor(at) for at in range(len(step.inputs))]
    step.record("assert_data", *tensors, summarize=step.attrs.number("summarize", 3))


def _check_numerics(step: NodeImport) -> Any:
    return step.record("check_numerics", step.tensor(0), message=step.attrs.text("message", ""))


def _group(step: NodeImport) -> Any:
    return None


def _timestamp(step: NodeImport) -> Any:
    return step.record("timestamp")


def pieces_of(template: str, placeholder: str, count: int) -> tuple[str | None, ...]:
    """Return a template as pieces with gaps for tensors.

    >>> pieces_of("x = {}!", "{}", 1)
    ('x = ', None, '!')
    """
    texts = template.split(placeholder) if placeholder else [template]
    if len(texts) - 1 != count:
        raise ArgumentValueError(f"the template has {len(texts) - 1} gaps for {count} tensors")
    pieces: list[str | None] = [texts[0]]
    for text in texts[1:]:
        pieces += [None, text]
    return tuple(pieces)


def _format(step: NodeImport) -> Any:
    tensors = [step.tensor(at) for at in range(len(step.inputs))]
    template = step.attrs.text("template", "%s")
    placeholder = step.attrs.text("placeholder", "%s")
    pieces = pieces_of(template, placeholder, len(tensors))
    count = step.attrs.number("summarize", 3)
    return step.record("string_format", *tensors, template=pieces, summarize=count)


RULES: dict[str, Rule] = {
    "Assert": _assert,
    "CheckNumerics": _check_numerics,
    "CheckNumericsV2": _check_numerics,
    "NoOp": _group,
    "PrintV2": _print,
    "StringFormat": _format,
    "Timestamp": _timestamp,
}
