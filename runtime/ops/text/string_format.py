"""`rt.strings.format`: a template with tensors, in the format of `rt.print`."""

from __future__ import annotations

from runtime.core.argument_checks import plain_text, utf8
from runtime.core.dtypes import string
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError
from runtime.ops.arguments import static_int
from runtime.ops.convert import is_tensor_like, to_tensor
from runtime.ops.op import apply, define
from runtime.ops.text.print_format import check_gaps, fill

Pieces = tuple[str | None, ...]


def _kernel(*arrays: Array, template: Pieces, summarize: int) -> bytes:
    return utf8(fill(template, arrays, summarize))


def _infer(*specs: TensorSpec, template: Pieces, summarize: int) -> TensorSpec:
    check_gaps(template, len(specs))
    return TensorSpec((), string)


STRING_FORMAT = define(
    "string_format",
    _kernel,
    _infer,
    tensorflow_name="StringFormat",
)


def format_(
    template: str,
    inputs: TensorLike,
    placeholder: str = "{}",
    summarize: int = 3,
    name: str | None = None,
) -> Tensor:
    """Return a scalar string: the template with a tensor in each of its placeholders.

    Args:
        inputs: one tensor, or a list or tuple of values convertible to tensors.
        summarize: the number of elements shown at each end of a dimension; -1 shows all.

    Raises:
        ArgumentValueError: there are more or fewer placeholders than tensors.

    >>> print(format_("x = {}, y = {}", ([1, 2], 0.5)))
    rt.Tensor(b'x = [1 2], y = 0.5', shape=(), dtype=string)
    """
    values = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    if not isinstance(template, str) or not plain_text(placeholder, "placeholder"):
        raise ArgumentValueError(
            "template and placeholder must be Python strings, and placeholder must not be empty"
        )
    texts = template.split(placeholder)
    if len(texts) - 1 != len(values):
        raise ArgumentValueError(
            f"The template expects {len(texts) - 1} tensors, but there are {len(values)} inputs"
        )
    pieces: list[str | None] = [texts[0]]
    for text in texts[1:]:
        pieces += [None, text]
    tensors = [value if is_tensor_like(value) else to_tensor(value) for value in values]
    result: Tensor = apply(
        STRING_FORMAT,
        [to_tensor(tensor) for tensor in tensors],
        template=tuple(pieces),
        summarize=static_int(summarize, "summarize"),
    )
    return result
