"""Tensors: an eager one has an array, a symbolic one stands for a value of a graph."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from types import EllipsisType
from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex, Union

import numpy as np

from runtime.core.context import caller_origin, current_watchers, is_in_generator
from runtime.core.dtypes import DType, dtype_of_array, is_variant_array
from runtime.core.lazy_imports import lazy_import
from runtime.core.shapes import ShapeLike, TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.variant import array_text, short_repr, unboxed
from runtime.errors import (
    ArgumentValueError,
    DTypeError,
    OutOfScopeError,
    ShapeError,
    SymbolicTensorError,
    formatted,
    with_article,
)

note_number = lazy_import("runtime.diagnostics.untracked_numbers:note_number")

Array = np.ndarray[Any, Any]


class TensorConvertible(Protocol):
    """An object that converts itself to a tensor, as a variable does.

    >>> import autograph.runtime as rt
    >>> print(rt.square(rt.Variable(3.0)))
    rt.Tensor(9.0, shape=(), dtype=float32)
    """

    def __rt_tensor__(self) -> Tensor: ...


class SupportsArray(Protocol):
    """An object that converts itself to a NumPy array: an array, or a NumPy scalar.

    >>> import autograph.runtime as rt
    >>> print(rt.square(np.float32(3.0)))
    rt.Tensor(9.0, shape=(), dtype=float32)
    """

    def __array__(self) -> Array: ...


TensorLike = Union[
    "Tensor",
    TensorConvertible,
    SupportsArray,
    TensorShape,
    int,
    float,
    complex,
    str,
    bytes,
    Sequence["TensorLike"],
]
"""A value that ops take for a tensor."""

_IndexItem = (
    SupportsIndex | slice | EllipsisType | None | Sequence[SupportsIndex] | Sequence[Sequence[int]]
)
IndexLike = _IndexItem | tuple[_IndexItem, ...]
"""A value between the brackets of `x[...]`; a tensor, a variable and an array are among them."""
# TensorFlow's name of the only device.
DEVICE = "/job:localhost/replica:0/task:0/device:CPU:0"
# DLPack's name of it.
_CPU = (1, 0)


class Reference:
    """A hashable wrapper of a tensor, equal only to wrappers of the same tensor."""

    __slots__ = ("_tensor",)

    def __init__(self, tensor: Tensor) -> None:
        self._tensor = tensor

    def deref(self) -> Tensor:
        """Return the tensor."""
        return self._tensor

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and self._tensor is other._tensor

    def __hash__(self) -> int:
        return id(self._tensor)

    def __repr__(self) -> str:
        return f"<Reference wrapping {self._tensor!r}>"


if TYPE_CHECKING:

    class TensorOperators:
        """Python's operators on tensors and variables, which `ops.overloads` installs.

        NumPy's types take an object with `__array__` for an array: `array + tensor` would be one.
        An object with a buffer is an argument of NumPy's functions, and no array.
        """

        def __buffer__(self, flags: int, /) -> memoryview: ...
        def __add__(self, other: TensorLike, /) -> Tensor: ...
        def __sub__(self, other: TensorLike, /) -> Tensor: ...
        def __mul__(self, other: TensorLike, /) -> Tensor: ...
        def __truediv__(self, other: TensorLike, /) -> Tensor: ...
        def __floordiv__(self, other: TensorLike, /) -> Tensor: ...
        def __mod__(self, other: TensorLike, /) -> Tensor: ...
        def __matmul__(self, other: TensorLike, /) -> Tensor: ...
        def __and__(self, other: TensorLike, /) -> Tensor: ...
        def __or__(self, other: TensorLike, /) -> Tensor: ...
        def __xor__(self, other: TensorLike, /) -> Tensor: ...
        def __lshift__(self, other: TensorLike, /) -> Tensor: ...
        def __rshift__(self, other: TensorLike, /) -> Tensor: ...
        def __radd__(self, other: TensorLike, /) -> Tensor: ...
        def __rsub__(self, other: TensorLike, /) -> Tensor: ...
        def __rmul__(self, other: TensorLike, /) -> Tensor: ...
        def __rtruediv__(self, other: TensorLike, /) -> Tensor: ...
        def __rfloordiv__(self, other: TensorLike, /) -> Tensor: ...
        def __rmod__(self, other: TensorLike, /) -> Tensor: ...
        def __rmatmul__(self, other: TensorLike, /) -> Tensor: ...
        def __rand__(self, other: TensorLike, /) -> Tensor: ...
        def __ror__(self, other: TensorLike, /) -> Tensor: ...
        def __rxor__(self, other: TensorLike, /) -> Tensor: ...
        def __rlshift__(self, other: TensorLike, /) -> Tensor: ...
        def __rrshift__(self, other: TensorLike, /) -> Tensor: ...
        def __divmod__(self, other: TensorLike, /) -> tuple[Tensor, Tensor]: ...
        def __rdivmod__(self, other: TensorLike, /) -> tuple[Tensor, Tensor]: ...
        def __pow__(self, other: TensorLike, modulus: TensorLike | None = None, /) -> Tensor: ...
        def __rpow__(self, other: TensorLike, modulus: TensorLike | None = None, /) -> Tensor: ...
        def __lt__(self, other: TensorLike, /) -> Tensor: ...
        def __le__(self, other: TensorLike, /) -> Tensor: ...
        def __gt__(self, other: TensorLike, /) -> Tensor: ...
        def __ge__(self, other: TensorLike, /) -> Tensor: ...
        def __eq__(self, other: TensorLike, /) -> Tensor: ...  # type: ignore[override]
        def __ne__(self, other: TensorLike, /) -> Tensor: ...  # type: ignore[override]
        def __neg__(self) -> Tensor: ...
        def __pos__(self) -> Tensor: ...
        def __abs__(self) -> Tensor: ...
        def __invert__(self) -> Tensor: ...
        def __getitem__(self, key: IndexLike, /) -> Tensor: ...
        def __iter__(self) -> Iterator[Tensor]: ...
        def __contains__(self, value: TensorLike, /) -> bool: ...
        def __bool__(self) -> bool: ...
        def __int__(self) -> int: ...
        def __float__(self) -> float: ...
        def __complex__(self) -> complex: ...
        def __index__(self) -> int: ...
        def __len__(self) -> int: ...

else:
    TensorOperators = object


class Tensor(TensorOperators):
    """An immutable n-dimensional array of one dtype; operators are installed by `ops.overloads`.

    >>> import autograph.runtime as rt
    >>> x = rt.constant([1, 2])
    >>> isinstance(x, Tensor), (x + 1).numpy().tolist()
    (True, [2, 3])
    """

    __slots__ = ("__weakref__", "_place")

    # The item of a variable that the tensor `v[key]` was read from; only set for such tensors.
    _place: Any

    # Higher than ndarray's, so that `array + tensor` calls our reflected operator.
    __array_priority__ = 100.0

    if not TYPE_CHECKING:  # a checker knows no deletion of items
        __delitem__ = lazy_import("runtime.ops.attribute_advice:refuse_deletion")

    def __init__(self, *values: object, **keywords: object) -> None:
        raise DTypeError("a Tensor is not made by its class: write rt.constant(values)")

    @property
    def spec(self) -> TensorSpec:
        """Shape and dtype together."""
        raise TypeError(f"{type(self).__name__} has no spec: use rt.constant to make a tensor")

    @property
    def dtype(self) -> DType:
        """The dtype of the elements."""
        return self.spec.dtype

    @property
    def shape(self) -> TensorShape:
        """The static shape, with None for sizes that are only known at run time."""
        return self.spec.shape

    @property
    def name(self) -> str | None:
        """The name in the graph; None for an eager tensor, which is in no graph."""
        return None

    @property
    def ndim(self) -> int:
        """The rank; ShapeError when it is unknown."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements; AttributeError if it is only known at run time."""
        known = self.shape.num_elements()
        if known is None:
            # Python then calls `__getattr__`, whose message names the code to write instead.
            raise AttributeError("size")
        return int(known)

    if TYPE_CHECKING:

        @property
        def T(self) -> Tensor: ...
        @property
        def mT(self) -> Tensor: ...
        def set_shape(self, shape: ShapeLike | None) -> None: ...
        def to_device(self, device: str, /, *, stream: object = None) -> Tensor: ...
        def numpy(self) -> Any: ...
        def __array_namespace__(self, *, api_version: str | None = None) -> Any: ...
    else:
        T = property(lazy_import("runtime.ops.linalg.matrices:transposed"))
        mT = property(lazy_import("runtime.ops.linalg.matrices:matrix_transpose"))
        set_shape = lazy_import("runtime.ops.effects.spec_assertions:set_shape")
        to_device = lazy_import("runtime.array_api:to_device")
        __array_namespace__ = lazy_import("runtime.array_api:namespace_of")

    @property
    def device(self) -> str:
        """The device of the value; there is only one."""
        return DEVICE

    def get_shape(self) -> TensorShape:
        """Return the static shape."""
        return self.shape

    def ref(self) -> Reference:
        """Return a hashable reference, for use as a dict key or in a set."""
        return Reference(self)

    def __copy__(self) -> Tensor:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        # It is immutable, and a copy would belong to no graph and be unknown to tapes.
        return self

    def __hash__(self) -> int:
        raise TypeError(
            "a Tensor is not hashable because == compares elements: use tensor.ref() as the key"
        )

    def __len__(self) -> int:
        rank, size = self.shape.rank, self.shape[:1]
        if rank == 0:
            instead = ": write rt.strings.length(x)" if self.dtype.is_string else ""
            raise TypeError(f"a scalar tensor has no len(){instead}")
        if rank is None or size[0] is None:
            raise SymbolicTensorError(
                f"len() of {self} is not known while tracing: write rt.shape(x)[0]",
                caller_origin(),
            )
        return size[0]


# A dict or set comprehension in a line; the first group is the colon of a dict.
_SET_METHOD = re.compile(r"([\w.]+)\.(?:add|discard)\(")
_COMPREHENSION = re.compile(r"\{[^{}]*?(:)?[^{}:]*\bfor\b[^{}]*\}")


class EagerTensor(Tensor):
    """A tensor with a value: one NumPy array (never a NumPy scalar), which must not be written to.

    Tapes identify values by their arrays, since functions take and return arrays. So each tensor
    has an array object of its own: a view if the memory is shared.

    >>> import autograph.runtime as rt
    >>> x = rt.constant([1, 2])
    >>> isinstance(x, EagerTensor), x.shape, x.numpy().tolist()
    (True, TensorShape([2]), [1, 2])
    """

    __slots__ = ("_array", "_held")

    _array: Array
    # The value for an engine (`device_tensor`), only set for tensors that one has seen.
    _held: Any

    def __init__(self, array: Array) -> None:
        self._array = array.view()

    @classmethod
    def over(cls, array: Array) -> EagerTensor:
        """Return a tensor of this very array object, by which tapes identify the tensor."""
        tensor = cls.__new__(cls)
        tensor._array = array
        return tensor

    @property
    def spec(self) -> TensorSpec:
        return TensorSpec.of_array(self._array)

    @property
    def dtype(self) -> DType:
        """The dtype of the elements."""
        return dtype_of_array(self._array)

    @property
    def shape(self) -> TensorShape:
        """The shape; all sizes are known."""
        return TensorShape.of(self._array.shape)

    @property
    def ndim(self) -> int:
        return self._array.ndim

    def numpy(self) -> Any:
        """Return the value: a copy of the array, or a NumPy scalar.

        A string is bytes, and a variant is the object that it contains.
        """
        if current_watchers():
            note_number(self, sys._getframe(1))
        if self._array.ndim:
            return self._array.copy()
        return unboxed(self._array) if is_variant_array(self._array) else self._array[()]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        if current_watchers():
            note_number(self, sys._getframe(1), is_array=True)
        if dtype is not None and self._array.dtype != dtype:
            return self._array.astype(dtype)
        if copy:
            return self._array.copy()
        view = self._array.view()
        view.flags.writeable = False
        return view

    __dlpack__ = lazy_import("runtime.interop.dlpack:to_dlpack")

    def __dlpack_device__(self) -> tuple[int, int]:
        return _CPU

    @property
    def __numpy_dtype__(self) -> np.dtype[Any]:
        return self.dtype.np_dtype

    _as_jax_array = lazy_import("runtime.executors.jax.operands:as_jax_array")

    @property
    def __jax_array__(self) -> Any:
        # While a tape records, an operator of a JAX array leaves the operation to the tensor.
        if current_watchers() or "jax" not in sys.modules:
            raise AttributeError("__jax_array__")
        return self._as_jax_array

    if not TYPE_CHECKING:
        __contains__ = lazy_import("runtime.ops.python.membership:is_in")
        # A checker knows no item assignment.
        __setitem__ = lazy_import("runtime.ops.attribute_advice:refuse_assignment")

    def __iter__(self) -> Iterator[EagerTensor]:
        if self._array.ndim == 0:
            words = "rt.strings.bytes_split(x)" if self.dtype.is_string else "`for i in range(n)`"
            raise TypeError(f"a scalar tensor has no rows to iterate over: write {words}")
        if current_watchers():
            return (self[row] for row in range(len(self._array)))  # type: ignore[misc]
        return _rows_of(self._array)

    _condition_text = lazy_import("runtime.diagnostics.operand_names:condition_text")

    def __bool__(self) -> bool:
        array = self._array
        if array.size == 1 and array.dtype.kind in "biuf":
            return bool(array.item())
        if self._array.size != 1:
            text = self._condition_text() or "x"
            raise ArgumentValueError(
                f"a tensor of shape {self.shape} has no single truth value: "
                f"write rt.reduce_any({text}) or rt.reduce_all({text}); for each element, & is "
                "`and`, | is `or`, rt.logical_not is `not`"
            )
        if is_variant_array(self._array):
            raise DTypeError("a variant has no truth value")
        return bool(self._array.reshape(())[()])

    def __int__(self) -> int:
        return int(self._scalar("int"))

    def __float__(self) -> float:
        if current_watchers():
            note_number(self, sys._getframe(1))
        return float(self._scalar("float"))

    def __complex__(self) -> complex:
        if current_watchers():
            note_number(self, sys._getframe(1))
        return complex(self._scalar("complex"))

    def __index__(self) -> int:
        if self._array.dtype.kind not in "iu":
            raise TypeError(f"{with_article(self.dtype.name)} tensor cannot be used as an index")
        return int(self._scalar("an index"))

    __trunc__ = __int__

    def __round__(self, digits: int | None = None) -> Any:
        return round(np.asarray(self._scalar("round")).item(), digits)

    def __format__(self, format_spec: str) -> str:
        value = self._array if self._array.ndim else self._array[()]
        # Format like `.numpy()`; values without a format specification are formatted as text.
        has_own = format_spec and not isinstance(value, (bytes, np.ndarray))
        try:
            return formatted(value if has_own else str(value), format_spec)
        except ArgumentValueError:
            if not self._array.ndim:
                raise
        what = f"the format {format_spec!r}"
        raise ArgumentValueError(self._not_one_element(what))

    def __str__(self) -> str:
        text = array_text(self._array, str)
        return f"rt.Tensor({text}, shape={self.shape}, dtype={self.dtype.name})"

    def __repr__(self) -> str:
        text = array_text(self._array, short_repr)
        return f"<rt.Tensor: shape={self.shape}, dtype={self.dtype.name}, numpy={text}>"

    _repr_html_ = lazy_import("runtime.display.values:tensor_html")

    def __reduce__(self) -> tuple[Any, ...]:
        return EagerTensor, (self._array,)

    _not_one_element = lazy_import("runtime.ops.attribute_advice:not_one_element")

    def _scalar(self, what: str) -> Any:
        array = self._array
        if array.size == 1 and array.dtype.kind in "biuf":
            return array.item()
        if self._array.size != 1:
            raise ShapeError(self._not_one_element(what))
        if self.dtype.is_variant or (self.dtype.is_complex and what != "complex"):
            raise DTypeError(f"{with_article(self.dtype.name)} tensor cannot become {what}")
        return self._array.reshape(())[()]


def _rows_of(array: Array) -> Iterator[EagerTensor]:
    for row in range(len(array)):
        tensor: Any = object.__new__(EagerTensor)
        tensor._array = array[row, ...]
        yield tensor


class SymbolicTensor(Tensor):
    """Output `index` of the node `node` of a graph, whose value only a run knows.

    `weak` marks a value that stands for a Python number, such as a loop variable: like a literal,
    it adopts the dtype of the other operand.

    >>> import autograph.runtime as rt
    >>> x = rt.Graph("f").add_input(rt.TensorSpec((2,), rt.int32), "x")
    >>> isinstance(x, SymbolicTensor), x.shape, x.dtype
    (True, TensorShape([2]), rt.int32)
    """

    __slots__ = ("graph", "index", "node", "spec", "weak")

    def __init__(
        self, graph: Any, node: Any, index: int, spec: TensorSpec, weak: bool = False
    ) -> None:
        self.graph = graph
        self.node = node
        self.index = index
        self.spec = spec.unnamed()  # type: ignore[misc]
        self.weak = weak

    @property
    def dtype(self) -> DType:
        """The dtype of the elements."""
        return self.spec.dtype

    @property
    def shape(self) -> TensorShape:
        """The static shape, with None for sizes that are only known at run time."""
        return self.spec.shape

    @property
    def name(self) -> str:
        return f"{self.node.name}:{self.index}"

    @property
    def op(self) -> Any:
        """The node of this tensor, by TensorFlow's name."""
        return self.node

    @property
    def _array(self) -> Array:
        raise OutOfScopeError(
            f"{self} has no value outside the graph it was recorded in: "
            "return it from the traced function instead of keeping it"
        )

    def __str__(self) -> str:
        template = self.node.attrs.get("template") if self.node.op.name == "format_values" else None
        # A text that only a run knows is shown as its template.
        return repr(self) if template is None else template.shown(self.node.inputs)

    def __repr__(self) -> str:
        # The position of a loop is no variable of the user's.
        name = "" if self.node.name.startswith("position") else f'"{self.name}", '
        return f"Tensor({name}shape={self.shape}, dtype={self.dtype.name})"

    if TYPE_CHECKING:

        def eval(
            self, feed_dict: Mapping[Any, object] | None = None, session: object = None
        ) -> Any: ...
    else:
        eval = lazy_import("runtime.session.evaluation:evaluate")
    __array_function__ = lazy_import("runtime.interop.numpy.protocol:array_function")
    __array_ufunc__ = lazy_import("runtime.interop.numpy.protocol:array_ufunc")
    __dlpack__ = lazy_import("runtime.interop.dlpack:refuse")
    __dlpack_device__ = lazy_import("runtime.interop.dlpack:refuse")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        raise self._no_value("a NumPy array", "the rt op of the same name (rt.exp for np.exp)")

    def __bool__(self) -> bool:
        raise self.refused(
            self._no_value(
                "a Python truth value",
                "rt.cond or rt.where, or let autograph convert this line; where it did not, "
                "autograph.explain says why",
            )
        )

    def __contains__(self, value: object) -> bool:
        instead = "rt.reduce_any(rt.equal(x, value))"
        if self.dtype.is_string and self.shape.rank == 0:
            part = re.escape(value) if isinstance(value, str) else "part"
            instead = f"rt.strings.regex_full_match(x, {f'(?s).*{part}.*'!r})"
        raise self._no_value("a Python container for `in`", instead)

    def __hash__(self) -> int:
        if getattr(self.graph, "runs_by_fetches", False):
            return id(self)  # The feeds of a session are keyed by tensors.
        origin = caller_origin()
        line = "" if origin is None else origin.line_text()
        where = f"in `{line}`, " if line else ""
        if (comprehension := _COMPREHENSION.search(line)) is not None:
            kind = "dict" if comprehension[1] else "set"
            instead = "a list of pairs, [(k, v) for ...]," if comprehension[1] else "a list,"
            raise SymbolicTensorError(
                f"{where}{self} is a key of a {kind} comprehension, and how many different keys "
                f"there are is known only when the graph runs: keep {instead} or iterate over a "
                "list of Python values",
                origin,
            )
        if (method := _SET_METHOD.search(line)) is not None:
            raise SymbolicTensorError(
                f"{where}{self} is used as an item of a set, and its value is known only when "
                f"the graph runs: keep a list or a tensor with the value as index, such as "
                f"{method[1]}[x] = True",
                origin,
            )
        raise SymbolicTensorError(
            f"{where}{self} is used as a key of a dict, an item of a set or an argument of "
            "a function under functools.lru_cache, and its value is known only "
            "when the graph runs: keep a list or a tensor with the value as index, such as "
            "seen[x] = True, give the dict all its keys before, as in dict.fromkeys(keys, 0), or "
            "call function.__wrapped__(x)",
            origin,
        )

    def __setitem__(self, index: object, value: object) -> None:
        raise SymbolicTensorError(
            f"{self} cannot be changed in place: assign an item of a variable, an attribute or an "
            "item of a list or dict, with one pair of brackets and in a statement of its own, as "
            "in x[i, j] = v, which makes another tensor of it",
            caller_origin(),
        )

    def __reduce__(self) -> str:
        raise self._no_value("data to pickle", "x after the call")

    def __int__(self) -> int:
        raise self._no_value("a Python int", "rt.cast(x, rt.int32)")

    def __float__(self) -> float:
        raise self._no_value("a Python float", "rt.cast(x, rt.float32)")

    def __complex__(self) -> complex:
        raise self._no_value("a Python complex", "rt.cast(x, rt.complex64)")

    def __index__(self) -> int:
        advice = "rt.gather(values, x) for an item, rt.range for range, or x after the call"
        raise self._no_value("a Python index", advice)

    def refused(self, error: SymbolicTensorError) -> SymbolicTensorError:
        """Record an error for Python code that asks for a missing value, and return it.

        Only a generator can hide it, and a recorded error keeps the variables of its frames alive.
        """
        if is_in_generator():
            self.graph.refusals.append(error)
        return error

    _with_name = lazy_import("runtime.diagnostics.operand_names:with_name")

    def _no_value(self, what: str, instead: str) -> SymbolicTensorError:
        return SymbolicTensorError(
            f"{self} was used as {what}, but while tracing it has no value yet: use "
            f"{self._with_name(instead, what.rpartition(' ')[2])}",
            caller_origin(),
        )
