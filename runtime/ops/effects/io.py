"""Ops with effects outside the graph: print, assert, check, calls of Python functions.

In a graph each is a node that runs on every call, in program order.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TextIO, TypeAlias

import numpy as np

from runtime.core.argument_checks import function, listed, shown
from runtime.core.context import last_session_node, recording
from runtime.core.dtypes import DType, DTypeLike, as_dtype, bool_
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, EagerTensor, Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError, ShapeError, refusing
from runtime.ops.convert import to_tensor
from runtime.ops.infer import check_scalar
from runtime.ops.op import apply, define
from runtime.ops.text.print_format import PrintTemplate, bytes_text, check_gaps, fill

Pieces: TypeAlias = tuple[str | None, ...]
# Standard streams by name: each print looks up the current one.
Stream: TypeAlias = TextIO | str | None
_FILE = "file://"
Dtypes: TypeAlias = DType | tuple[DType, ...]
Caller: TypeAlias = "Callable[[Sequence[Array]], Any]"
EDGE_ITEMS = 3


# -- print -----------------------------------------------------------------------------------------


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


# -- assert, check ---------------------------------------------------------------------------------


def assert_(condition: TensorLike, message: object = None) -> None:
    """Raise AssertionError if `condition` is false; in a graph each time this point is reached.

    Args:
        condition: a Python bool or a scalar bool tensor.
        message: a string or any value `print_` takes; tensors in it are shown with their current
            values.

    Raises:
        AssertionError: the condition is false.
        DTypeError: it is no bool; ShapeError: it is no scalar.

    >>> import autograph.runtime as rt
    >>> assert_(rt.constant(2) > 1, "too small")
    >>> assert_(rt.constant(0) > 1, "too small")
    Traceback (most recent call last):
    AssertionError: too small
    """
    if isinstance(condition, (bool, np.bool_)) and condition:
        return
    template = PrintTemplate()
    if message is not None:
        template.add(message)
    inputs = (scalar_bool(condition, "the condition of an assert"), *template.tensors)
    apply(ASSERT, inputs, template=template.frozen())


def check(condition: Any, error: type[BaseException], message: str) -> None:
    """Raise `error(message)` if `condition` is false; in a graph when this point is reached.

    Without a message the error is `error()`.

    Args:
        condition: a Python bool or a scalar bool tensor.
        error: an exception type that takes one string.
    """
    if isinstance(condition, (bool, np.bool_)) and condition:
        return
    inputs = (scalar_bool(condition, "the condition of a check"),)
    apply(CHECK, inputs, error=error, message=message)


def refuse(condition: Any, error: type[Exception], message: str) -> None:
    """Raise `error(message)` like `check`, for a program that graphs do not support.

    It is not an error of the program, so no handler in the graph catches it.
    """
    inputs = (scalar_bool(condition, "the condition of a refusal"),)
    apply(REFUSE, inputs, error=error, message=message)


def _assert_kernel(condition: Array, *arrays: Array, template: Pieces) -> tuple[()]:
    check_scalar(TensorSpec.of_array(condition), "the condition of an assertion")
    if condition:
        return ()
    message = fill(template, arrays, EDGE_ITEMS)
    raise AssertionError(message) if template else AssertionError


def _assert_infer(condition: TensorSpec, *specs: TensorSpec, template: Pieces) -> tuple[()]:
    check_gaps(template, len(specs))
    return ()


def _check_kernel(condition: Array, *, error: type[Exception], message: str) -> tuple[()]:
    if condition:
        return ()
    raise error(message) if message else error()


def _refuse_kernel(condition: Array, *, error: type[Exception], message: str) -> tuple[()]:
    if condition:
        return ()
    raise refusing(error(message))


def scalar_bool(value: Any, what: str) -> Tensor:
    """Return a condition as a scalar bool tensor; DTypeError or ShapeError if it is not one."""
    tensor = to_tensor(value)
    if tensor.dtype is not bool_:
        raise DTypeError(
            f"{what} must be bool, not {tensor.dtype.name}: write a comparison such as x != 0"
        )
    if tensor.shape.rank not in (0, None):
        raise ShapeError(
            f"{what} must be a scalar, not of shape {tensor.shape}: write rt.reduce_all(...)"
        )
    return tensor


# -- Python functions ------------------------------------------------------------------------------


@dataclass(eq=False, repr=False)
class PythonCall:
    """A Python function that a node calls, with tensors or with arrays."""

    function: Callable[..., Any]
    with_arrays: bool

    def __call__(self, arrays: Sequence[Array]) -> Any:
        # The identities of the operands, by which tapes know the function's arguments.
        tensors = map(EagerTensor.over, arrays)
        with recording(None):
            if self.with_arrays:
                return self.function(*(tensor.numpy() for tensor in tensors))
            return self.function(*tensors)

    def __str__(self) -> str:
        return getattr(self.function, "__name__", type(self.function).__name__)


def py_function(
    func: Callable[..., object] | None = None,
    inp: Sequence[TensorLike] | None = None,
    Tout: DTypeLike | Sequence[DTypeLike] | None = None,
    name: str | None = None,
) -> Any:
    """Call a Python function with eager tensors, in a graph each time this point is reached.

    Args:
        func: takes as many tensors as there are in `inp`; its errors propagate unchanged. Without
            it a decorator is returned, whose function takes the tensors themselves.
        inp: values that can be converted to tensors.
        Tout: the dtype of its result, or a list of dtypes for a sequence of results.

    Returns:
        A tensor, or a list of tensors if `Tout` is a list (None if it is empty). In a graph their
        shapes are unknown. Gradients flow through the ops that `func` applies to its arguments.

    >>> from runtime.ops.constant import constant
    >>> py_function(lambda x: x + 1, [constant(2)], "int32")
    <rt.Tensor: shape=(), dtype=int32, numpy=3>
    >>> @py_function(Tout="int32")
    ... def doubled(x):
    ...     return 2 * x
    >>> doubled(constant(2))
    <rt.Tensor: shape=(), dtype=int32, numpy=4>
    """
    return _called_or_decorator(func, inp, Tout, with_arrays=False)


def numpy_function(
    func: Callable[..., object] | None = None,
    inp: Sequence[TensorLike] | None = None,
    Tout: DTypeLike | Sequence[DTypeLike] | None = None,
    stateful: bool = True,
    name: str | None = None,
) -> Any:
    """Call a Python function with NumPy arrays; otherwise like `py_function`.

    It has no gradient, since NumPy's computations are not recorded. It is called each time, with or
    without `stateful`.

    >>> import numpy as np
    >>> numpy_function(np.cumsum, [[1, 2, 3]], "int64").numpy().tolist()
    [1, 3, 6]
    """
    return _called_or_decorator(func, inp, Tout, with_arrays=True)


def _called_or_decorator(func: Any, inp: Any, Tout: Any, with_arrays: bool) -> Any:
    if Tout is None:
        raise DTypeError("give Tout, the dtype of the result or a list of dtypes")
    if func is not None:
        return _call(PythonCall(function(func, "func"), with_arrays=with_arrays), inp, Tout)
    if inp is not None:
        raise ArgumentValueError("inp is given without func: give the function too")

    def decorator(func: Callable[..., Any]) -> Callable[..., Any]:
        called = PythonCall(function(func, "func"), with_arrays=with_arrays)

        @functools.wraps(func)
        def decorated(*inp: Any) -> Any:
            return _call(called, inp, Tout)

        return decorated

    return decorator


def _call(function: PythonCall, inp: Sequence[Any], Tout: Any) -> Any:
    one = not isinstance(Tout, (list, tuple))
    dtypes: Dtypes = as_dtype(Tout) if one else tuple(map(as_dtype, Tout))
    inputs = [to_tensor(value) for value in listed(inp, "inp")]
    results = apply(PY_FUNCTION, inputs, function=function, Tout=dtypes)
    return results[0] if one else list(results) or None


def _call_kernel(*arrays: Array, function: Caller, Tout: Dtypes) -> tuple[Array, ...]:
    tensors = results_of(function, arrays, _dtype_list(Tout), isinstance(Tout, DType))
    return tuple(tensor._array for tensor in tensors)


def results_of(
    function: Caller, arrays: Sequence[Array], dtypes: Sequence[DType], is_one: bool
) -> list[Any]:
    """Call a function, and return its results as eager tensors of the declared dtypes.

    Args:
        is_one: whether it returns one result, not a sequence.

    Raises:
        ArgumentValueError: there are more or fewer results than dtypes.
    """
    result = function(arrays)
    results = [result] if is_one else _as_list(result)
    if len(results) != len(dtypes):
        wanted = ", ".join(dtype.name for dtype in dtypes) or "nothing"
        raise ArgumentValueError(
            f"{function} returned {len(results)} results, but Tout is {wanted}"
        )
    with recording(None):
        return [to_tensor(value, dtype) for value, dtype in zip(results, dtypes)]


def _as_list(result: Any) -> list[Any]:
    if result is None:
        return []
    return list(result) if isinstance(result, (list, tuple)) else [result]


def _dtype_list(Tout: Dtypes) -> tuple[DType, ...]:
    return (Tout,) if isinstance(Tout, DType) else Tout


def _call_infer(*specs: TensorSpec, function: Caller, Tout: Dtypes) -> tuple[TensorSpec, ...]:
    return tuple(TensorSpec(None, dtype) for dtype in _dtype_list(Tout))


def _no_results(*specs: TensorSpec, **attrs: object) -> tuple[()]:
    return ()


PRINT = define(
    "print",
    _print_kernel,
    _print_infer,
    effects="io",
    tensorflow_name="PrintV2",
    n_outputs=0,
    files=_files_of,
)
ASSERT = define(
    "assert", _assert_kernel, _assert_infer, effects="io", tensorflow_name="Assert", n_outputs=0
)
CHECK = define(
    "check", _check_kernel, _no_results, effects="io", tensorflow_name="Assert", n_outputs=0
)
REFUSE = define(
    "refuse", _refuse_kernel, _no_results, effects="io", tensorflow_name="Assert", n_outputs=0
)
PY_FUNCTION = define(
    "py_function",
    _call_kernel,
    _call_infer,
    effects="io",
    tensorflow_name="EagerPyFunc",
    n_outputs=None,
    kernel_runs_ops=True,
)
