"""Reads shapes and dtypes on the command line, and makes tensors of random numbers of them.

f32[3,4]  i64[]  bool[2]  f32[?,4]  float32[None, 4]  f32[...]
"""

from __future__ import annotations

import ast
import re
from typing import Any

import numpy as np

from autograph.errors import CommandError
from runtime.core.dtypes import BY_NAME, DType, bfloat16, string
from runtime.core.dtypes import bool as bool_
from runtime.core.lazy_imports import lazy_import
from runtime.core.spec import TensorSpec
from runtime.ops.constant import constant

_SHORT = {
    **{f"f{bits}": f"float{bits}" for bits in (16, 32, 64)},
    **{f"i{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    **{f"u{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
    "bf16": "bfloat16",
    "c64": "complex64",
    "c128": "complex128",
    "str": "string",
}
# A quoted text, which stays as it is, or a name with a shape.
_SHAPED = re.compile(
    r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|([A-Za-z]\w*)\[([^][]*)\]""", re.DOTALL
)
_LARGEST_RANDOM_INTEGER = 9
did_you_mean = lazy_import("runtime.core.name_suggestions:did_you_mean")


def as_python(text: str) -> str:
    """Return a text in which shapes without sizes, and with unknown ones, are Python expressions.

    >>> as_python("f(f32[?,4], i64[], 'why?')")
    "f(f32[None,4], i64[()], 'why?')"
    """

    def written(found: re.Match[str]) -> str:
        if found[1] is None:
            return found[0]
        return f"{found[1]}[{found[2].replace('?', 'None').strip() or '()'}]"

    return _SHAPED.sub(written, text)


def spec_of(node: ast.Subscript) -> TensorSpec:
    """Return the spec that an expression such as `f32[3, None]` stands for.

    Raises:
        CommandError: there is no such dtype, or the brackets have no shape.

    >>> spec_of(ast.parse("f32[3, None]", mode="eval").body)
    TensorSpec(shape=(3, None), dtype=rt.float32, name=None)
    """
    text = ast.unparse(node).replace("[()]", "[]")
    dtype = _dtype_of(node.value, text)
    if isinstance(node.slice, ast.Constant) and node.slice.value is Ellipsis:
        return TensorSpec(None, dtype)
    sizes = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return TensorSpec([_size_of(size, text) for size in sizes], dtype)


def _dtype_of(node: ast.expr, text: str) -> DType:
    name = node.id if isinstance(node, ast.Name) else ast.unparse(node)
    dtype = BY_NAME.get(_SHORT.get(name, name))
    if dtype is None or dtype.name not in (*_SHORT.values(), "bool"):
        instead = did_you_mean(name, (*_SHORT, *_SHORT.values(), "bool"))
        known = f"; known are bool {' '.join(_SHORT)}"
        raise CommandError(f"{text}: there is no dtype {name!r}{instead or known}")
    return dtype


def _size_of(node: ast.expr, text: str) -> int | None:
    size = node.value if isinstance(node, ast.Constant) else node
    if size is None or (type(size) is int and size >= 0):
        return size
    raise CommandError(f"{text}: a size must be a whole number, or ? if it is not known")


def with_numbers(value: Any, random: np.random.Generator) -> Any:
    """Return a structure with tensors of random numbers in the place of specs.

    Floats are between 0 and 1, integers between 0 and 9; strings are empty.

    Raises:
        CommandError: a shape has unknown sizes, or is too large.

    >>> with_numbers({"x": TensorSpec([2], "bool")}, np.random.default_rng(0))["x"].shape
    TensorShape([2])
    """
    if isinstance(value, dict):
        return {name: with_numbers(each, random) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(with_numbers(each, random) for each in value)
    return _tensor_of(value, random) if isinstance(value, TensorSpec) else value


def _tensor_of(spec: TensorSpec, random: np.random.Generator) -> Any:
    shape = spec.shape.dims
    if shape is None or None in shape:
        sizes = "..." if shape is None else ",".join("?" if n is None else str(n) for n in shape)
        raise CommandError(
            f"{spec.dtype.name}[{sizes}] has no values, since its shape is not known: write a "
            "number for each size"
        )
    try:
        return constant(_numbers(spec.dtype, shape, random), dtype=spec.dtype)
    except (MemoryError, ValueError):
        raise CommandError(f"a tensor of shape {list(shape)} is too large") from None


def _numbers(dtype: DType, shape: Any, random: np.random.Generator) -> Any:
    if dtype is string:
        return np.full(shape, b"", object)
    if dtype is bool_:
        return random.integers(2, size=shape).astype(np.bool_)
    if dtype.kind in "iu":
        return random.integers(_LARGEST_RANDOM_INTEGER + 1, size=shape, dtype=dtype.np_dtype)
    parts: Any = random.random((*shape, 2) if dtype.kind == "c" else shape)
    numbers = parts[..., 0] + 1j * parts[..., 1] if dtype.kind == "c" else parts
    return np.asarray(numbers, np.float32 if dtype is bfloat16 else dtype.np_dtype)
