"""`separator.join(parts)` and `print`, of parts that only the run knows."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import runtime as rt
from autograph.backends.graph.aliases.perhaps import StagedView
from autograph.backends.graph.containers.staged_dict import has_perhaps
from autograph.backends.graph.containers.staged_list import StagedList
from autograph.backends.graph.functions.strings import (
    as_text_item,
    check_text,
    joined,
    one_gap,
    text_of,
    texts_in,
)
from autograph.backends.graph.iterators.dynamic_loops import rows
from autograph.backends.graph.iterators.iterator_parts import staged_list
from autograph.backends.graph.values.iteration import StagedIterable
from autograph.backends.graph.values.leaves import Carried
from autograph.backends.graph.values.nullable import Nullable
from autograph.backends.sieve import Sieve
from runtime.ops.python.formatting import Gap, format_values


def together(separator: str, parts: Any) -> Any:
    """Return `separator.join(parts)`, where a text made when the graph runs is among the parts."""
    parts = parts.listed() if isinstance(parts, Sieve) else parts
    parts = rows(parts) if isinstance(parts, StagedIterable) else parts
    grown = staged_list(StagedView(parts, "keys") if has_perhaps(parts) else parts)
    if grown is not None:
        run = grown.run()
        is_one = isinstance(run.element, Carried)
        texts = StagedList([run]).tensor() if is_one else texts_in([run], as_text_item)
        text = rt.strings.reduce_join(texts, separator=separator)
        return format_values((Gap(0, "", (), "python"),), [text])
    parts = list(parts)
    for position, part in enumerate(parts):
        if isinstance(part, Nullable):
            words = f"sequence item {position}: expected str instance, NoneType found"
            part = parts[position] = part.needed(words)
        check_text(part, position)
    tensors: list[rt.Tensor] = []
    pieces = [part if isinstance(part, str) else one_gap(part, tensors) for part in parts]
    spaced = [each for piece in pieces for each in (separator, piece)]
    return format_values(tuple(spaced[1:]), tensors)


def print_text(
    values: Sequence[object],
    sep: str | None = None,
    end: str | None = None,
    file: Any = None,
    flush: bool = False,
) -> None:
    """Record what `print(*values, sep=, end=, file=)` prints when the graph runs."""
    parts = [joined(str(text_of(value))) for value in values]
    text = together(" " if sep is None else sep, parts)
    rt.print(
        together("", [text, "\n" if end is None else end]),
        end="",
        output_stream=sys.stdout if file is None else file,
    )
