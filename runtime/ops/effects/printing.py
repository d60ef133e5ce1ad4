"""The `print` op: tensors and text to a stream or a file.

In a graph each is a node that runs on every call, in program order.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, TextIO, TypeAlias

from runtime.core.argument_checks import shown
from runtime.core.context import last_session_node
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor
from runtime.errors import ArgumentValueError
from runtime.ops.op import apply, define
from runtime.ops.text.print_format import (
    EDGE_ITEMS,
    Pieces,
    PrintTemplate,
    bytes_text,
    check_gaps,
    fill,
)

# Standard streams by name: each print looks up the current one.
Stream: TypeAlias = TextIO | str | None
_FILE = "file://"


def print_(
    *inputs: object,
    sep: str = " ",
    end: str = "\n",
    output_stream: object = None,
    summarize: int = EDGE_ITEMS,
    name: str | None = None,
) -> object:
    """Print values each time this point is reached, to standard error by default.

    In a graph that a session runs, the node is returned, to be fetched.

    Args:
        inputs: strings (unchanged), tensors, and lists, tuples or dicts with tensors inside.
        sep, end: the text between the inputs and after the last.
        output_stream: `sys.stdout`, `sys.stderr`, an object with `write`, or "file://PATH" to
            append to a file.
        summarize: the number of elements shown at each end of a dimension; -1 shows all.

    >>> from runtime.ops.constant import constant
    >>> print_("x:", constant([1.5, 2.0]), [1, "a"], output_stream=sys.stdout)
    x: [1.5 2] [1, 'a']
    """
    template = PrintTemplate()
    for position, value in enumerate(inputs):
        template.add(sep if position else "")
        template.add(value)
    template.add(end)
    apply(
        PRINT,
        template.tensors,
        template=template.frozen(),
        bare=_is_one_string(inputs, template.tensors),
        stream=_stream_key(output_stream),
        summarize=None if summarize == EDGE_ITEMS else summarize,
    )
    return last_session_node()


def _print_kernel(
    *arrays: Array, template: Pieces, bare: bool, stream: Stream, summarize: int | None
) -> tuple[()]:
    if bare:
        template = tuple(bytes_text(arrays[0].item()) if x is None else x for x in template)
    text = fill(template, arrays, EDGE_ITEMS if summarize is None else summarize)
    for path in _files_of(stream=stream):
        with open(path, "a", encoding="utf-8") as file:
            file.write(text)
        return ()
    _open_stream(stream).write(text)
    return ()


def _files_of(*, stream: Stream, **attrs: Any) -> list[str]:
    """Return the path of the file that is printed to, if there is one."""
    is_path = isinstance(stream, str) and stream.startswith(_FILE)
    return [str(stream).removeprefix(_FILE)] if is_path else []


def _print_infer(
    *specs: TensorSpec, template: Pieces, bare: bool, stream: Stream, summarize: int | None
) -> tuple[()]:
    check_gaps(template, len(specs))
    if isinstance(stream, str) and stream != "stdout" and not _files_of(stream=stream):
        raise ArgumentValueError(f"there is no stream {stream!r:.60}")
    if bare and template.count(None) != 1:
        raise ArgumentValueError("a print without a template must have one tensor")
    return ()


def _stream_key(stream: Any) -> Stream:
    """Return the attribute for a stream: standard streams by name, files by path."""
    if stream is None or stream is sys.stderr:
        return None
    if stream is sys.stdout:
        return "stdout"
    if hasattr(stream, "write") or (isinstance(stream, str) and stream.startswith(_FILE)):
        found: Stream = stream
        return found
    raise ArgumentValueError(
        f"output_stream must be sys.stdout, sys.stderr, an open file or "
        "'file://PATH', not "
        f"{shown(stream)}"
    )


def _open_stream(stream: Stream) -> TextIO:
    if stream is None:
        return sys.stderr
    return sys.stdout if isinstance(stream, str) else stream


def _is_one_string(inputs: Sequence[Any], tensors: Sequence[Tensor]) -> bool:
    """Return whether the only input is a string tensor, which is printed without quotes."""
    if len(inputs) != 1 or len(tensors) != 1 or isinstance(inputs[0], (list, tuple, dict)):
        return False
    return tensors[0].dtype.is_string and tensors[0].shape.rank == 0


PRINT = define(
    "print",
    _print_kernel,
    _print_infer,
    effects="io",
    tensorflow_name="PrintV2",
    n_outputs=0,
    files=_files_of,
)
