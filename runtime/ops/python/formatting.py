"""Formatted strings whose values are computed at run time, like f-strings.

A template is text with gaps; each gap has the index of its input, which is formatted as Python
formats the eager tensor, or the number, string or array that it represents.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from runtime.core.argument_checks import utf8
from runtime.core.dtypes import string
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, EagerTensor, SymbolicTensor, Tensor
from runtime.errors import ArgumentValueError, DTypeError
from runtime.ops.convert import NUMPYS, is_weak
from runtime.ops.op import apply, define

Form = Literal["tensor", "python", "numpy"]
Conversion = Annotated[str, ("", "r", "s", "%")]


@dataclass(slots=True, unsafe_hash=True)
class TemplateField:
    """A replacement field of a template.

    Attributes:
        index: the index of the input.
        conversion: "r" or "s" for `!r` and `!s`, "%" for the rules of `"%d" % x`, "" for none.
        spec: the format specification, which may have gaps of its own.
        form: the kind of value of the input: a tensor, or a Python or NumPy value.
        called: the text for the input in a display of the template; "" for the tensor's name.
    """

    index: int
    conversion: Conversion = ""
    spec: Pieces = ()
    form: Form = "tensor"
    called: str = ""

    def text(self, arrays: Sequence[Array]) -> str:
        """Return the text of the gap."""
        value = _VALUES[self.form](arrays[self.index])
        spec = filled(self.spec, arrays)
        if self.conversion == "%":
            return spec % (value,)
        if self.conversion:
            value = repr(value) if self.conversion == "r" else str(value)
        return format(value, spec)


Pieces = tuple[str | TemplateField, ...]


@dataclass(slots=True, unsafe_hash=True)
class TextTemplate:
    """A template, as an attribute of a node."""

    pieces: Pieces

    @property
    def fits_any_value(self) -> bool:
        """True if the format fits any value, so that formatting raises no error."""
        gaps = [piece for piece in self.pieces if isinstance(piece, TemplateField)]
        return not any(gap.spec or gap.conversion == "%" for gap in gaps)

    @property
    def formats_values(self) -> bool:
        """True if a gap has a format of its own, as in `f"{x:.2f}"` or `"%d" % x`."""
        gaps = [piece for piece in self.pieces if isinstance(piece, TemplateField)]
        return any(gap.spec not in ((), ("%s",), ("%r",)) for gap in gaps)

    def shown(self, inputs: Sequence[object]) -> str:
        """Return the text with the names of the inputs in the gaps."""
        return "".join(
            piece if isinstance(piece, str) else piece.called or str(inputs[piece.index])
            for piece in self.pieces
        )

    def __repr__(self) -> str:
        return repr("".join(p if isinstance(p, str) else _gap_text(p) for p in self.pieces))


def filled(pieces: Pieces, arrays: Sequence[Array]) -> str:
    """Return the text of a template.

    >>> from runtime.ops.constant import constant
    >>> filled(("x = ", TemplateField(0, spec=(".1f",), form="python")), [constant(2.0)._array])
    'x = 2.0'
    """
    return "".join(piece if isinstance(piece, str) else piece.text(arrays) for piece in pieces)


def format_values(pieces: Pieces, values: Sequence[Tensor]) -> Tensor:
    """Return a scalar string: a template with values in its gaps.

    Args:
        pieces: texts and gaps.
        values: the values of the gaps.

    Returns:
        A string tensor; a recorded one represents a Python string.

    Raises:
        InvalidArgumentError: a format specification is invalid for a value (also a ValueError), or
            for its type (DTypeError, also a TypeError).

    >>> from runtime.ops.constant import constant
    >>> print(format_values(("<", TemplateField(0, spec=("03d",)), ">"), [constant(7)]))
    rt.Tensor(b'<007>', shape=(), dtype=string)
    """
    result: Tensor = apply(FORMAT, values, template=TextTemplate(pieces))
    if isinstance(result, SymbolicTensor):
        result.weak = True
    return result


def form_of(tensor: Tensor) -> Form:
    """Return the kind of value that a tensor represents when it is formatted."""
    if is_weak(tensor) == NUMPYS:
        return "numpy"
    return "python" if is_weak(tensor) else "tensor"


def python_value(array: Array) -> Any:
    """Return the Python number, string or list of an array; a float has its shortest text."""
    if array.ndim:
        return array.tolist()
    value = array[()]
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    if array.dtype.kind == "f" and array.dtype.itemsize < 8:
        return float(str(value))
    return array.item()


def _gap_text(gap: TemplateField) -> str:
    spec = "".join(p if isinstance(p, str) else _gap_text(p) for p in gap.spec)
    if gap.conversion == "%":
        return spec
    conversion = f"!{gap.conversion}" if gap.conversion else ""
    return f"{{{gap.index}{conversion}{':' if spec else ''}{spec}}}"


def _format_kernel(*arrays: Array, template: TextTemplate) -> Any:
    try:
        return utf8(filled(template.pieces, arrays), "surrogateescape")
    except TypeError as error:
        raise DTypeError(str(error)) from None
    except (ValueError, OverflowError) as error:
        raise ArgumentValueError(str(error)) from None


def _format_infer(*specs: TensorSpec, template: TextTemplate) -> TensorSpec:
    _check_places(template.pieces, len(specs))
    return TensorSpec((), string)


def _check_places(pieces: Pieces, count: int) -> None:
    for gap in pieces:
        if isinstance(gap, TemplateField):
            if not 0 <= gap.index < count:
                raise ArgumentValueError(
                    f"the format uses value {gap.index}, but there are {count} values"
                )
            _check_places(gap.spec, count)


_VALUES: dict[str, Callable[[Array], Any]] = {
    "tensor": EagerTensor,
    "python": python_value,
    "numpy": lambda array: array if array.ndim else array[()],
}
FORMAT = define("format_values", _format_kernel, _format_infer)
