"""The HTML forms of tensors, variables and datasets."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from typing import Any

import numpy as np

from runtime import nest
from runtime.core.dtypes import is_variant_array
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.core.variant import array_text, short_repr
from runtime.display.html import Markup, code, counted, paragraph, shortened, table, view
from runtime.summary.encodings import png

# A text form of at most so many characters, on one line, needs no other form.
_SHORT = 120
# The rows and columns of a matrix that are shown.
_ROWS, _COLUMNS = 10, 10
# The lines of the text of another array.
_LINES = 24
# Larger arrays are not searched for their least and greatest values.
_MOST_SEARCHED = 20_000_000
# The height and width of an array of bytes that is shown as a picture, and the largest one.
_LEAST_PIXELS, _MOST_PIXELS = 8, 1024
_MOST_BYTES = 2_000_000
_FORMATS = {b"\x89PNG\r\n": "png", b"\xff\xd8\xff": "jpeg", b"GIF8": "gif"}


def tensor_html(tensor: Any) -> str | None:
    """Return the form of an eager tensor; None if its text is short enough.

    A matrix is a table, and bytes of 1, 3 or 4 channels are a picture.

    >>> import autograph.runtime as rt
    >>> tensor_html(rt.constant(1)) is None, "<table>" in tensor_html(rt.zeros([20, 30]))
    (True, True)
    """
    text = repr(tensor)
    if len(text) <= _SHORT and "\n" not in text and not _format_of(tensor._array):
        return None
    return view("Tensor", *_parts(tensor._array), note=_note(tensor))


def variable_html(variable: Any) -> str | None:
    """Return the form of a variable, as of a tensor."""
    text = repr(variable)
    if len(text) <= _SHORT and "\n" not in text:
        return None
    trained = "" if variable.trainable else ", not trainable"
    note = f"{_note(variable)}{trained}"
    return view(f"Variable {variable.name}", *_parts(variable._array), note=note)


def _note(value: Any) -> str:
    size = value._array.nbytes
    shown = "" if value._array.dtype.hasobject else f", {size_text(size)}"
    return f"shape {list(value._array.shape)}, {value.dtype.name}{shown}"


def size_text(size: float) -> str:
    """Return a number of bytes in a fitting unit.

    >>> size_text(10), size_text(3 << 20)
    ('10 B', '3.0 MB')
    """
    unit = 0
    while size >= 1024 and unit < 4:
        size, unit = size / 1024, unit + 1
    return f"{size:.0f} B" if not unit else f"{size:.1f} {('', 'KB', 'MB', 'GB', 'TB')[unit]}"


def _parts(array: Array) -> Iterator[Markup]:
    picture = _picture(array)
    if picture:
        yield picture
    elif array.ndim == 2 and not is_variant_array(array) and array.size:
        yield _matrix(array)
    else:
        lines = array_text(array, short_repr).split("\n")
        yield code("\n".join(filter(str.strip, lines)), _LINES)
    if array.size > 1 and array.dtype.kind in "iuf" and array.size <= _MOST_SEARCHED:
        yield paragraph(Markup(f'<span class="ag-dim">{_range_text(array)}</span>'))


def _range_text(array: Array) -> str:
    """Return the least, greatest and mean value, and the number of values that are not finite."""
    finite = array[np.isfinite(array)] if array.dtype.kind == "f" else array
    odd = array.size - finite.size
    words = [f"{counted(odd, 'value')} not finite"] if odd else []
    if finite.size:
        mean = finite.mean(dtype=np.float64)
        words = [f"from {finite.min():.6g} to {finite.max():.6g}", f"mean {mean:.6g}", *words]
    return ", ".join(words)


def _matrix(array: Array) -> Markup:
    rows, columns = _ends(array.shape[0], _ROWS), _ends(array.shape[1], _COLUMNS)
    cells = [[_cell(array, row, column) for column in columns] for row in rows]
    shown = [[str(row) if row >= 0 else "⋮", *texts] for row, texts in zip(rows, cells)]
    head = ["", *(str(each) if each >= 0 else "⋯" for each in columns)]
    dimmed = [[Markup(f"<i>{row[0]}</i>"), *row[1:]] for row in shown]
    return table(head, dimmed, numbers=range(len(head)))


def _ends(size: int, most: int) -> list[int]:
    """Return the indices that are shown, and -1 in the place of those that are left out.

    >>> _ends(3, 4), _ends(9, 4)
    ([0, 1, 2], [0, 1, -1, 7, 8])
    """
    if size <= most:
        return list(range(size))
    half = most // 2
    return [*range(half), -1, *range(size - half, size)]


def _cell(array: Array, row: int, column: int) -> str:
    if row < 0 or column < 0:
        return "⋮" if column >= 0 else "⋯"
    value = array[row, column]
    if array.dtype.kind == "f":
        return f"{float(value):.6g}"
    return str(value) if array.dtype.kind in "iubc" else shortened(repr(value), 40)


# -- pictures --------------------------------------------------------------------------------------


def _picture(array: Array) -> Markup | None:
    """Return the picture of an array of bytes, or of a file in a scalar; None for other arrays."""
    kind = _format_of(array)
    if kind:
        return _image(array.item(), kind)
    if array.dtype != np.uint8 or array.ndim not in (2, 3):
        return None
    height, width, channels = (*array.shape, 1)[:3]
    sizes = (height, width)
    if min(sizes) < _LEAST_PIXELS or max(sizes) > _MOST_PIXELS or channels not in (1, 3, 4):
        return None
    # Small pictures are enlarged by whole numbers.
    times = max(1, 128 // max(sizes))
    data = png(np.ascontiguousarray(array).reshape(height, width, channels))
    return _image(data, "png", f' width="{width * times}" height="{height * times}"')


def _format_of(array: Array) -> str:
    """Return the format of the picture file that a scalar string holds; "" if it holds none."""
    value = array.item() if array.ndim == 0 and array.dtype.hasobject else None
    if not isinstance(value, bytes) or len(value) > _MOST_BYTES:
        return ""
    return next((kind for start, kind in _FORMATS.items() if value.startswith(start)), "")


def _image(data: bytes, kind: str, size: str = "") -> Markup:
    return Markup(f'<img alt=""{size} src="data:image/{kind};base64,{b64encode(data).decode()}">')


# -- datasets --------------------------------------------------------------------------------------


def dataset_html(dataset: Any) -> str:
    """Return the form of a dataset: its steps, and the specs of its elements; nothing is read.

    >>> import autograph.runtime as rt
    >>> "range.batch(2)" in dataset_html(rt.data.Dataset.range(5).batch(2))
    True
    """
    rows = [
        (path, str(spec.dtype.name), str(spec.shape)) if isinstance(spec, TensorSpec)
        else (path, "", str(spec))
        for path, spec in _leaves(dataset.element_spec)
    ]  # fmt: skip
    head = ("", "dtype", "shape") if any(path for path, _, _ in rows) else ("dtype", "shape")
    shown = rows if len(head) == 3 else [row[1:] for row in rows]
    steps = code(str(dataset._plan).replace(").", ")\n    ."))
    return view("Dataset", steps, table(head, shown), note=_size_note(dataset))


def _leaves(spec: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    children = None if isinstance(spec, TensorSpec) else nest.children(spec)
    if children is None:
        yield path, spec
        return
    keys = map(repr, sorted(spec)) if isinstance(spec, dict) else range(len(children))
    for key, child in zip(keys, children):
        yield from _leaves(child, f"{path}[{key}]")


def _size_note(dataset: Any) -> str:
    size = dataset._plan.size(dataset._tensors)
    if size == -1:
        return "elements without an end"
    return "an unknown number of elements" if size < 0 else counted(int(size), "element")
