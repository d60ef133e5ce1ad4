"""Ops that read and write whole files; the name of a file is a tensor."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from runtime.core.context import last_session_node
from runtime.core.dtypes import string
from runtime.core.files import os_errors_as_ours
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError
from runtime.ops.convert import to_tensor
from runtime.ops.infer import check_scalar
from runtime.ops.op import apply, define


def _path(filename: Array) -> str:
    check_scalar(TensorSpec.of_array(filename), "filename")
    found = os.fsdecode(filename.item())
    if "\0" in found:
        raise ArgumentValueError(f"filename {found!r:.60} must not hold a zero byte")
    return found


def _read_kernel(filename: Array) -> Array:
    contents = np.empty((), object)
    with os_errors_as_ours(), open(_path(filename), "rb") as file:
        contents[()] = file.read()
    return contents


def _write_kernel(filename: Array, contents: Array) -> tuple[()]:
    check_scalar(TensorSpec.of_array(contents), "contents")
    path = _path(filename)
    with os_errors_as_ours():
        folder = os.path.dirname(path)
        if folder and not os.path.exists(folder):
            os.makedirs(folder, exist_ok=True)
        with open(path, "wb") as file:
            file.write(contents.item())
    return ()


def _read_infer(filename: TensorSpec) -> TensorSpec:
    check_scalar(filename, "filename")
    return TensorSpec([], string)


def _write_infer(filename: TensorSpec, contents: TensorSpec) -> tuple[()]:
    check_scalar(filename, "filename")
    check_scalar(contents, "contents")
    return ()


def _any_file(**attrs: Any) -> list[None]:
    return [None]


READ_FILE = define(
    "read_file",
    _read_kernel,
    _read_infer,
    kinds="O",
    effects="io",
    tensorflow_name="ReadFile",
    files=_any_file,
)
WRITE_FILE = define(
    "write_file",
    _write_kernel,
    _write_infer,
    kinds="O",
    effects="io",
    tensorflow_name="WriteFile",
    n_outputs=0,
    files=_any_file,
)


def read_file(filename: TensorLike, name: str | None = None) -> Tensor:
    """Return the bytes of a file, a scalar string tensor; a graph reads it in each call.

    Args:
        filename: a scalar string tensor, or a text.

    Raises:
        NotFoundError: there is no such file; PermissionDeniedError, FailedPreconditionError: it may
            not be read, or is a folder.
        ShapeError: the name is no scalar.

    >>> import tempfile
    >>> path = tempfile.mkdtemp() + "/notes.txt"
    >>> write_file(path, "two words")
    >>> print(read_file(path))
    rt.Tensor(b'two words', shape=(), dtype=string)
    """
    result: Tensor = apply(READ_FILE, (to_tensor(filename, string),))
    return result


def write_file(filename: TensorLike, contents: TensorLike, name: str | None = None) -> Any:
    """Write bytes to a file, in place of those that it had; its folder is made if there is none.

    In a graph it happens in each call, in the order of the program. In a graph that a session runs,
    the node is returned, to be fetched.

    Args:
        filename: a scalar string tensor, or a text.
        contents: a scalar string tensor, bytes or a text.

    Raises:
        PermissionDeniedError, FailedPreconditionError: it may not be written, or is a folder.
        ShapeError: an argument is no scalar.

    >>> import tempfile
    >>> path = tempfile.mkdtemp() + "/new/notes.txt"
    >>> write_file(path, b"two words")
    >>> open(path).read()
    'two words'
    """
    apply(WRITE_FILE, (to_tensor(filename, string), to_tensor(contents, string)))
    return last_session_node()
