"""`Op`, the declaration of an op, and `apply`, which records or computes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.core.array_ownership import ALONE, new_tensor, references
from runtime.core.context import Watcher, current_recorder, current_watchers
from runtime.core.dtypes import DType
from runtime.core.errstate import IGNORING, ignore_warnings, restore_warnings, state
from runtime.core.lazy_imports import lazy_import
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, EagerTensor, Tensor
from runtime.errors import (
    ArgumentValueError,
    DTypeError,
    OpError,
    OutOfBoundsError,
    OutOfMemoryError,
    OutOfScopeError,
    ShapeError,
)
from runtime.ops.infer import broadcast, broadcast_bool, same
from runtime.ops.registry import OP_MODULES, Registry

ALWAYS, MIXED, NEVER = "always", "mixed", "never"
EFFECTS = ("none", "read", "write", "io", "random")
_KIND_WORDS = {
    "b": "bool",
    "i": "int",
    "u": "uint",
    "f": "float",
    "c": "complex",
    "O": "string",
    "V": "variant",
}
# Parts of NumPy's messages about sizes that exceed the memory.
_TOO_LARGE = ("Maximum allowed", "too big", "too large to convert")
# The packages of ops that do what Python does with numbers, strings and lists.
_OF_PYTHON = ("runtime.ops.python", "runtime.ops.containers")
_WRAPPED = (
    ValueError,
    TypeError,
    IndexError,
    ArithmeticError,
    MemoryError,
    np.linalg.LinAlgError,
)


@dataclass(slots=True, eq=False, repr=False)
class Op:
    """The declaration of an op.

    Attributes:
        name: snake_case, unique in the registry.
        kernel: `kernel(*arrays, **attrs)` -> array or tuple of arrays, NumPy only; None for an op
            that only executors can run (an op with regions).
        infer: `infer(*specs, **attrs)` -> TensorSpec or tuple of them; dimensions and ranks may be
            unknown; raises ShapeError or DTypeError. Tuple exactly when `n_outputs` is not 1.
        grad: `grad(dys, outputs, inputs, **attrs)` -> a Tensor or None per input, written in ops.
        effects: one of none, read, write, io, random.
        tensorflow_name: the name of TensorFlow's op of the same meaning; "" if there is none.
        kinds: NumPy kind letters the first input may have ("iufc"), or None for any.
        n_outputs: the number of outputs; None if it depends on the attributes.
        raises: Python exceptions that the kernel raises on purpose; they are not wrapped.
        operand_checks: when `infer` checks the operands before the kernel: "always", "never" (then
            `kinds` is sufficient), or "mixed": only operands of several dtypes, since NumPy itself
            rejects shapes that do not broadcast.
        kernel_runs_ops: whether its kernel applies ops to eager tensors; tapes record these ops, so
            gradients flow through them.
        keywords: a function whose keyword parameters are the attributes, where `infer` and the
            kernel pass theirs on; see `runtime.ops.attributes`.
        files: `files(**attrs)` -> the paths that it opens, with None for one that an operand names;
            None for an op that opens none.
        recorded: `recorded(graph, attrs)` -> the attributes of the node in a graph, if they differ
            from those of an eager call.
    """

    name: str
    kernel: Callable[..., Any] | None
    infer: Callable[..., Any]
    grad: Callable[..., Any] | None = None
    effects: str = "none"
    tensorflow_name: str = ""
    kinds: str | None = None
    n_outputs: int | None = 1
    raises: tuple[type[Exception], ...] = ()
    operand_checks: str = ALWAYS
    kernel_runs_ops: bool = False
    keywords: Callable[..., Any] | None = None
    files: Callable[..., Sequence[str | None]] | None = None
    recorded: Callable[..., Any] | None = None

    def __repr__(self) -> str:
        return f"<op {self.name}>"


name_operands = lazy_import("runtime.diagnostics.operand_names:name_operands")

REGISTRY: Registry[Op] = Registry(OP_MODULES)


def define(
    name: str,
    kernel: Callable[..., Any] | None,
    infer: Callable[..., Any],
    *,
    kinds: str | None = None,
    grad: Callable[..., Any] | None = None,
    effects: str = "none",
    tensorflow_name: str = "",
    n_outputs: int | None = 1,
    raises: tuple[type[Exception], ...] = (),
    kernel_runs_ops: bool = False,
    keywords: Callable[..., Any] | None = None,
    files: Callable[..., Sequence[str | None]] | None = None,
    recorded: Callable[..., Any] | None = None,
) -> Op:
    """Declare an op and register it; its `infer` checks `kinds` and names the op in errors.

    >>> define("add", np.add, lambda x, y: x)
    Traceback (most recent call last):
    ValueError: the op 'add' is registered twice
    """
    checked = _named(name, infer, kinds)
    checks = _operand_checks(infer, effects)
    about = (effects, tensorflow_name, kinds, n_outputs, raises, checks, kernel_runs_ops)
    return register(Op(name, kernel, checked, grad, *about, keywords, files, recorded))


def _operand_checks(infer: Callable[..., Any], effects: str) -> str:
    if infer is same or effects not in ("none", "random"):
        # Operands of ops with effects may be variables, or values for the user's function.
        return NEVER
    return MIXED if infer in (broadcast, broadcast_bool) else ALWAYS


def register(op: Op) -> Op:
    """Add an op to the registry; ValueError if the name is taken or the effect unknown."""
    if REGISTRY.has(op.name):
        raise ValueError(f"the op {op.name!r} is registered twice")
    if op.effects not in EFFECTS:
        raise ValueError(f"the op {op.name!r} has the unknown effect {op.effects!r}")
    REGISTRY[op.name] = op
    return op


def apply(op: Op, inputs: Sequence[Tensor], **attrs: Any) -> Any:
    """Record `op` when a recorder is current, else compute it.

    Args:
        inputs: tensors only; public functions convert their arguments first.
        attrs: hashable frozen values.

    Returns:
        One tensor when `op.n_outputs` is 1, else a tuple of tensors.
    """
    recorder = current_recorder()
    if recorder is not None:
        if op.recorded is not None:
            attrs = op.recorded(recorder, attrs)
        recorded = recorder.record(op, inputs, attrs)
        return recorded[0] if op.n_outputs == 1 else recorded
    try:
        arrays = [tensor._array for tensor in inputs]  # type: ignore[attr-defined]
    except OutOfScopeError:
        defer = next((each.defer for each in inputs if hasattr(each, "defer")), None)
        if defer is None:
            raise
        return defer(op, inputs, attrs)
    try:
        if op.kinds is not None and arrays and arrays[0].dtype.kind not in op.kinds:
            spec = TensorSpec.of_array(arrays[0])
            # NumPy gives bfloat16 the kind V.
            if spec.dtype.kind not in op.kinds:
                raise _kind_error(op.name, spec, op.kinds)
        result = _computed(op, arrays, attrs)
    except OpError as error:
        if not fails_as_python(op, attrs):
            name_operands(error, op.name)
        raise
    if watchers := current_watchers():
        outputs = results_on_tapes(watchers, op, inputs, attrs, _arrays_of(result))
    elif type(result) is np.ndarray and op.n_outputs == 1:
        tensor: EagerTensor = new_tensor(EagerTensor)
        tensor._array = result if references(result) <= ALONE else result.view()
        return tensor
    else:
        outputs = tuple(map(EagerTensor, _arrays_of(result)))
    return outputs[0] if op.n_outputs == 1 else outputs


def fails_as_python(op: Op, attrs: Mapping[str, Any]) -> bool:
    """Return whether the message of an error stays as it is: it is Python's, or of user code."""
    room = REGISTRY.home_of(op.name)
    return op.effects == "io" or "as_python" in attrs or room.startswith(_OF_PYTHON)


def results_on_tapes(
    watchers: Sequence[Watcher],
    op: Op,
    inputs: Sequence[Any],
    attrs: Mapping[str, Any],
    results: Sequence[Array],
) -> tuple[EagerTensor, ...]:
    """Return a kernel's results as tensors, after the tapes have recorded them."""
    outputs = tuple(map(EagerTensor, results))
    if op.kernel_runs_ops:
        # The kernel computed tensors, which the tapes have recorded.
        for result, output in zip(results, outputs, strict=True):
            inner = (EagerTensor.over(result),)
            record_on_tapes(watchers, REGISTRY["identity"], inner, {}, (output,))
        return outputs
    record_on_tapes(watchers, op, inputs, attrs, outputs)
    return outputs


def record_on_tapes(
    watchers: Sequence[Watcher],
    op: Op,
    inputs: Sequence[Any],
    attrs: Mapping[str, Any],
    outputs: Sequence[Any],
) -> None:
    """Let tapes record an op that ran eagerly."""
    for watcher in watchers:
        watcher.note(None, op, inputs, attrs, outputs)


def run_kernel(op: Op, arrays: Sequence[Array], attrs: Mapping[str, Any]) -> tuple[Array, ...]:
    """Compute `op` on arrays, for eager calls and the interpreter alike.

    Raises:
        OpError: the error of `op.infer` for these operands, the kernel's own, or an
            InvalidArgumentError that names the op. Errors of io and write ops pass unchanged, since
            they call user code. So do the exceptions in the op's `raises`.
    """
    return _arrays_of(_computed(op, arrays, attrs))


def _arrays_of(result: Any) -> tuple[Array, ...]:
    if type(result) is tuple:
        return tuple(map(np.asarray, result))
    return (result if type(result) is np.ndarray else as_array(result),)


def _computed(op: Op, arrays: Sequence[Array], attrs: Mapping[str, Any]) -> Any:
    """Return the kernel's result, after a check of its operands; its errors become the user's."""
    assert op.kernel is not None, f"the op {op.name!r} has no kernel of its own"
    checks = op.operand_checks
    try:
        if checks is not NEVER and arrays and (checks is ALWAYS or not _have_one_dtype(arrays)):
            check_operands(op, arrays, attrs)
        before = None if state() is IGNORING else ignore_warnings()
        try:
            return op.kernel(*arrays, **attrs)
        finally:
            if before is not None:
                restore_warnings(before)
    except Exception as error:
        user_error = user_error_of(error, op, arrays, attrs)
        if user_error is None:
            raise
        raise user_error from user_error.__cause__


def user_error_of(
    error: Exception, op: Op, arrays: Sequence[Array], attrs: Mapping[str, Any]
) -> OpError | None:
    """Return the error that the user gets for a kernel's error; None if that passes unchanged.

    One about shapes has them as `operand_shapes`, until it names the user's operands.
    """
    user_error = _user_error(error, op, arrays, attrs)
    if isinstance(user_error, ShapeError):
        vars(user_error)["operand_shapes"] = [str(TensorSpec.of_array(x).shape) for x in arrays]
    return user_error


def _user_error(
    error: Exception, op: Op, arrays: Sequence[Array], attrs: Mapping[str, Any]
) -> OpError | None:
    if op.effects in ("io", "write"):
        return None
    if isinstance(error, (ShapeError, DTypeError)):
        return _prefixed(op.name, error)
    if isinstance(error, OpError) or not isinstance(error, _WRAPPED):
        return None
    if isinstance(error, op.raises):
        return None
    explained = _explained(op, arrays, attrs, error)
    explained.__cause__ = error
    return explained


def output_specs(op: Op, specs: Sequence[TensorSpec], attrs: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the specs that `op.infer` returns for these inputs, always as a tuple."""
    inferred = op.infer(*specs, **attrs)
    return inferred if isinstance(inferred, tuple) else (inferred,)


class OpaqueValue:
    """A value of a graph that is not an array, such as a variable."""

    __slots__ = ()


def as_array(result: Any) -> Any:
    """Return a kernel's result as an array: it may be a NumPy scalar, or a string."""
    if isinstance(result, (bytes, str)):
        # np.asarray would return an array of fixed-width strings.
        array = np.empty((), object)
        array[()] = result
        return array
    return result if isinstance(result, OpaqueValue) else np.asarray(result)


def _have_one_dtype(arrays: Sequence[Array]) -> bool:
    dtype = arrays[0].dtype
    if len(arrays) == 2:
        other = arrays[1].dtype
        return other is dtype or other == dtype
    return all(array.dtype == dtype for array in arrays)


def _explained(
    op: Op, arrays: Sequence[Array], attrs: Mapping[str, Any], error: Exception
) -> OpError:
    try:
        op.infer(*map(TensorSpec.of_array, arrays), **attrs)
    except OpError as explained:
        return explained
    if isinstance(error, MemoryError) or any(words in str(error) for words in _TOO_LARGE):
        return _too_large(op.name)
    if isinstance(error, np.linalg.LinAlgError):
        words = "a matrix is singular, not positive definite or not finite: there is no result"
        return ArgumentValueError(f"{op.name}: {words}")
    if "unsupported in linalg" in str(error):
        words = "works on float32, float64 and complex tensors: write rt.cast(x, rt.float32)"
        return DTypeError(f"{op.name} {words}")
    if "mismatch in its core dimension" in str(error):
        shapes = " and ".join(str(array.shape) for array in arrays)
        return ShapeError(f"{op.name}: shapes {shapes} do not fit each other")
    kind = OutOfBoundsError if isinstance(error, IndexError) else ArgumentValueError
    return kind(f"{op.name}: {error}")


def _too_large(name: str) -> OutOfMemoryError:
    return OutOfMemoryError(f"{name}: the result is larger than the memory there is")


def _named(name: str, infer: Callable[..., Any], kinds: str | None) -> Callable[..., Any]:
    def infer_named(*specs: TensorSpec, **attrs: Any) -> Any:
        if kinds is not None and specs and specs[0].dtype.kind not in kinds:
            raise _kind_error(name, specs[0], kinds)
        try:
            return infer(*specs, **attrs)
        except MemoryError as error:
            raise _too_large(name) from error
        except OpError as error:
            raise _prefixed(name, error) from None

    infer_named.__wrapped__ = infer  # type: ignore[attr-defined]
    return infer_named


def _prefixed(name: str, error: OpError) -> OpError:
    if error.message.startswith(f"{name}: "):
        return error
    return type(error)(f"{name}: {error.message}", error.origin)


# The dtypes that advice names for a kind.
_USUAL = {"f": "float32", "i": "int32", "b": "bool"}


def _kind_error(name: str, spec: TensorSpec, kinds: str) -> DTypeError:
    words = ", ".join(_KIND_WORDS[kind] for kind in kinds)
    hint = ""
    if spec.dtype.kind in "biuf":
        wanted = next((_USUAL[kind] for kind in "fib" if kind in kinds), None)
        hint = "" if wanted is None else f": write rt.cast(x, rt.{wanted})"
    return DTypeError(f"{name} works on {words} tensors, not on {spec.dtype.name}{hint}")


# -- checks of operands by `infer`: NumPy accepts more than ops do ---------------------------------
#
# Each combination of dtypes, shapes and attributes is checked once.


# The size at which the cache is cleared.
_MOST = 4096
_fitting: set[Any] = set()
# Types of attributes in cache keys: they keep no graph and no user function alive.
_PLAIN = frozenset((bool, int, float, str, bytes, DType, type(None)))


def check_operands(op: Op, arrays: Sequence[Array], attrs: Mapping[str, Any]) -> None:
    """Raise the error of `op.infer` for operands, since the kernel might accept wrong ones.

    Raises:
        OpError: the op does not accept these dtypes, ranks or shapes.
    """
    key: list[Any] = [op.name]
    for array in arrays:
        if not isinstance(array, np.ndarray):
            return  # A variable has the spec that it had when the op was recorded.
        key.append(array.dtype.num)
        key.append(array.shape)
    for value in attrs.values():
        if not _is_plain(value):
            op.infer(*map(TensorSpec.of_array, arrays), **attrs)
            return
        key.append(value)
    known = tuple(key)
    if known in _fitting:
        return
    op.infer(*map(TensorSpec.of_array, arrays), **attrs)
    if len(_fitting) >= _MOST:
        _fitting.clear()
    _fitting.add(known)


def _is_plain(value: Any) -> bool:
    if type(value) is tuple:
        return all(map(_is_plain, value))
    return type(value) in _PLAIN
