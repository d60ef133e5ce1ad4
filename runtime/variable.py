"""Variables: tensors that can change, in place and, inside a graph, in program order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.context import current_recorder, recording
from runtime.dtypes import DType
from runtime.errors import FailedPreconditionError, OpError, ShapeError
from runtime.ops.convert import to_tensor
from runtime.ops.op import Op, run_kernel
from runtime.ops.state import (
    ASSIGN_ADD_VARIABLE,
    ASSIGN_SUB_VARIABLE,
    ASSIGN_VARIABLE,
    READ_VARIABLE,
    HandleSpec,
)
from runtime.shapes import TensorShape, as_shape
from runtime.spec import TensorSpec
from runtime.tensor import Array, EagerTensor, Reference, SymbolicTensor, Tensor


class Variable:
    """A named place for a tensor of one dtype and shape.

    In an op it is its value at that moment. While a graph is recording, reads and assignments are
    nodes that run on every call, in the order they were written.

    Args:
        initial_value: what a tensor can be made of, or a function without arguments giving that.
        trainable: whether gradient tapes watch it and optimizers may change it.
        dtype: of the value; by default what the initial value has.
        name: shown in texts and errors.
        shape: what later values may be, such as `(None, 3)`; by default the first one's shape.

    Example:
        >>> v = Variable([1.0, 2.0], name="v")
        >>> v.assign_add([1.0, 1.0])
        <rt.Variable 'v:0' shape=(2,) dtype=float32, numpy=array([2., 3.], dtype=float32)>
    """

    # What a variable that stands for others was made like, and what it tells who asks for that.
    _stands_for: Variable | None = None
    _told: Callable[[], object]

    # Above ndarray's, so that `array + variable` is left to our reflected operators.
    __array_priority__ = 100.0

    def __init__(
        self,
        initial_value: Any,
        trainable: bool = True,
        dtype: Any = None,
        name: str | None = None,
        shape: Any = None,
    ) -> None:
        recorder = current_recorder()
        if recorder is not None:
            recorder.created(self)  # type: ignore[attr-defined]
        self._name = name or "Variable"
        self.trainable = trainable
        array = _initial_array(initial_value, dtype)
        spec = TensorSpec.of_array(array)
        self.dtype: DType = spec.dtype
        self.shape: TensorShape = spec.shape if shape is None else as_shape(shape)
        self.handle_spec = HandleSpec(self.shape, self.dtype)
        self._array: Array = array
        self.store(array)

    @classmethod
    def standing_in(cls, variable: Variable, told: Callable[[], object]) -> Variable:
        """Return a variable without a value that stands for any of the kind of `variable`.

        A graph that has it for an input reads and assigns the variable it is given for that.

        Args:
            variable: one of its kind.
            told: called when it is asked who it is, which makes it stand for `variable` alone.
        """
        made: Variable = cls.__new__(cls)
        kept = {key: value for key, value in vars(variable).items() if key != "_array"}
        vars(made).update(kept, _stands_for=variable, _told=told)
        return made

    def __getattr__(self, name: str) -> Any:
        if name == "_array":
            raise FailedPreconditionError(
                f"variable '{self._name}' stands for an argument of the function being traced and "
                "has no value here: use it in the graph, outside of init_scope()"
            )
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _identified(self) -> Variable:
        """Return the variable this is, if somebody wants to know."""
        if self._stands_for is None:
            return self
        self._told()
        return self._stands_for

    @property
    def name(self) -> str:
        return f"{self._identified()._name}:0"

    @property
    def handle_name(self) -> str:
        """The name of the graph input that stands for this variable."""
        return self._name

    @property
    def spec(self) -> TensorSpec:
        return TensorSpec(self.shape, self.dtype)

    # -- reading -------------------------------------------------------------------------------

    def read_value(self) -> Tensor:
        """Return the value it has now (in a graph: when this point is reached)."""
        recorder = current_recorder()
        if recorder is None:
            return EagerTensor(self._array)
        return recorder.record(READ_VARIABLE, (self,), {})[0]  # type: ignore[arg-type]

    value = read_value
    __rt_tensor__ = read_value

    def numpy(self) -> Any:
        """Return the value as NumPy has it; SymbolicTensorError while a graph is recording."""
        return self.read_value().numpy()  # type: ignore[attr-defined]

    # -- writing -------------------------------------------------------------------------------

    def assign(self, value: Any) -> Variable:
        """Replace the value and return the variable.

        Raises:
            DTypeError, ShapeError: `value` does not fit; the variable is as it was.
        """
        return self._write(ASSIGN_VARIABLE, value)

    def assign_add(self, delta: Any) -> Variable:
        """Add `delta`, of the variable's own shape and dtype; see `assign`."""
        return self._write(ASSIGN_ADD_VARIABLE, delta)

    def assign_sub(self, delta: Any) -> Variable:
        """Subtract `delta`, of the variable's own shape and dtype; see `assign`."""
        return self._write(ASSIGN_SUB_VARIABLE, delta)

    def _write(self, op: Op, value: Any) -> Variable:
        try:
            tensor = to_tensor(value, self.dtype)
            op.infer(self.handle_spec, tensor.spec)
        except OpError as error:
            raise type(error)(f"variable '{self._name}': {error.message}", error.origin) from None
        recorder = current_recorder()
        if recorder is None:
            run_kernel(op, (self, tensor._array), {})  # type: ignore[arg-type, attr-defined]
        else:
            recorder.record(op, (self, tensor), {})  # type: ignore[arg-type]
            if getattr(recorder, "runs_by_fetches", False):
                # It is done where a session is asked for it, which is done by the node.
                return recorder.nodes[-1]  # type: ignore[attr-defined]
        return self

    def store(self, array: Array) -> None:
        """Replace the value by an array of the right dtype that nobody else writes to."""
        if not self.shape.contains(array.shape):
            raise ShapeError(
                f"variable '{self._name}' has shape {self.shape}, not {TensorShape.of(array.shape)}"
            )
        self._array = array

    # -- being a value -------------------------------------------------------------------------

    def get_shape(self) -> TensorShape:
        return self.shape

    def ref(self) -> Reference:
        """Return a hashable reference, for use as a dict key or in a set."""
        return Reference(self._identified())  # type: ignore[arg-type]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        array: Array = self.read_value().__array__(dtype, copy)  # type: ignore[attr-defined]
        return array

    def __iadd__(self, other: object) -> Variable:
        raise TypeError(
            f"`{self._name} += x` is ambiguous for a variable: write {self._name}.assign_add(x) "
            f"to change it, or y = {self._name} + x for a new tensor"
        )

    def __isub__(self, other: object) -> Variable:
        raise TypeError(
            f"`{self._name} -= x` is ambiguous for a variable: write {self._name}.assign_sub(x) "
            f"to change it, or y = {self._name} - x for a new tensor"
        )

    def __hash__(self) -> int:
        raise TypeError(
            "a Variable is not hashable because == compares elements: use variable.ref() as the key"
        )

    def __format__(self, format_spec: str) -> str:
        return format(self.read_value(), format_spec)

    def __repr__(self) -> str:
        head = f"<rt.Variable '{self._name}:0' shape={self.shape} dtype={self.dtype.name}"
        if current_recorder() is not None:
            return f"{head}>"
        return f"{head}, numpy={EagerTensor(self._array).numpy()!r}>"


def _initial_array(value: Any, dtype: Any) -> Array:
    """Evaluate an initial value now, also inside a trace, where it may already be symbolic."""
    with recording(None):
        if callable(value) and not isinstance(value, (Tensor, Variable)):
            value = value()
        if isinstance(value, SymbolicTensor):
            value = EagerTensor(value.graph.known_value(value))
        tensor = to_tensor(value, dtype)
    array: Array = tensor._array  # type: ignore[attr-defined]
    return array


def _through_value(name: str) -> Callable[..., Any]:
    def operator(self: Variable, *args: Any) -> Any:
        return getattr(self.read_value(), name)(*args)

    operator.__name__ = name
    return operator


# What a tensor can do a variable can do, by way of its value.
_BINARY = "add sub mul truediv floordiv mod divmod pow matmul and or xor".split()
_OTHERS = "lt le gt ge eq ne neg pos abs invert getitem iter len".split()
_CONVERSIONS = "bool int float complex index".split()

for _word in [*_BINARY, *(f"r{word}" for word in _BINARY), *_OTHERS, *_CONVERSIONS]:
    setattr(Variable, f"__{_word}__", _through_value(f"__{_word}__"))
