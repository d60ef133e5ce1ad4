"""Import of ops of ragged rows: texts that are split, and rows that are padded to one length."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import int64, string
from runtime.export.graphdef.importer.node_import import NodeImport, Rule
from runtime.graph.structured_control_flow import while_loop
from runtime.ops.arrays.concatenation import concat, stack
from runtime.ops.arrays.creation import range, zeros
from runtime.ops.arrays.cumulative import cumsum
from runtime.ops.arrays.gather import gather
from runtime.ops.arrays.reduction import reduce_max
from runtime.ops.arrays.segments import unsorted_segment_sum
from runtime.ops.arrays.shape import broadcast_to, reshape, shape, size
from runtime.ops.constant import cast
from runtime.ops.elementwise.comparison import less
from runtime.ops.elementwise.selection import where


def _split(step: NodeImport) -> Any:
    """Split texts; return the row and the column of each part, the parts, and how many of both."""
    texts, most = step.tensor(0), step.attrs.number("maxsplit", -1)
    sep = step.static(1, "separators").item()
    count = size(texts, int64)

    def parts_of(row: Any) -> list[Any]:
        text = gather(reshape(texts, [-1]), row)
        found = step.record("string_split", text, sep=sep, maxsplit=most)
        columns: Any = range(size(found, int64))
        return [columns * 0 + row, columns, found]

    def turn(row: Any, *found: Any) -> list[Any]:
        return [row + 1, *map(_joined, found, parts_of(row))]

    first = [zeros((), int64), zeros([0], int64), zeros([0], int64), zeros([0], string)]
    if texts.shape.num_elements() == 1:
        rows, columns, parts = parts_of(first[0])
    else:
        shapes = [(), (None,), (None,), (None,)]
        _, rows, columns, parts = while_loop(
            lambda row, *_: less(row, count), turn, first, shape_invariants=shapes
        )
    return [stack([rows, columns], 1), parts, stack([count, _largest(columns + 1)])]


def _padded_rows(step: NodeImport) -> Any:
    """Return a tensor of rows of several lengths, which lie one after another in a vector."""
    values, default = step.tensor(1), step.tensor(2)
    starts, lengths = _rows(step)
    height, width = [*step.static(0, "shapes of ragged rows").ravel().tolist(), -1, -1][:2]
    if height >= 0:
        none = zeros([height], lengths.dtype)
        starts, lengths = (_joined(each, none)[:height] for each in (starts, lengths))
    columns: Any = range(_largest(lengths) if width < 0 else cast(width, lengths.dtype))
    # A place without a value leads to the default, which comes after all values.
    last = cast(shape(values)[0], lengths.dtype)
    places = where(less(columns, lengths[:, None]), starts[:, None] + columns, last)
    inner: Any = shape(values)[1:]
    return gather(_joined(values, broadcast_to(default, _joined([1], inner))), places)


def _rows(step: NodeImport) -> tuple[Any, Any]:
    """Return the first places of rows, and their lengths."""
    kinds = step.attrs.texts("row_partition_types")
    if kinds == ("ROW_SPLITS",) and len(step.inputs) == 4:
        ends: Any = step.tensor(3)
        return ends[:-1], ends[1:] - ends[:-1]
    if kinds == ("FIRST_DIM_SIZE", "VALUE_ROWIDS") and len(step.inputs) == 5:
        rows: Any = step.tensor(4)
        lengths = unsorted_segment_sum(rows * 0 + 1, rows, step.tensor(3))
        return cumsum(lengths, exclusive=True), lengths
    raise step.unsupported("ragged rows within ragged rows are not supported")


def _joined(first: Any, second: Any) -> Any:
    return concat([first, second], 0)


def _largest(numbers: Any) -> Any:
    """Return the largest number of a vector; 0 for none."""
    return reduce_max(_joined(numbers, zeros([1], numbers.dtype)))


RULES: dict[str, Rule] = {
    "RaggedTensorToTensor": _padded_rows,
    "StringSplitV2": _split,
}
