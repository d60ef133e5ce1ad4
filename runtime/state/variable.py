"""Variables: tensors that change in place and, inside a graph, in program order."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from runtime.core import creation_hooks as lifting
from runtime.core.argument_checks import flag, plain_text
from runtime.core.context import current_recorder, current_watchers
from runtime.core.creation_hooks import WAITING, settle
from runtime.core.dtypes import DType
from runtime.core.lazy_imports import lazy_import
from runtime.core.scopes import scoped
from runtime.core.shapes import TensorShape, as_shape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import DEVICE, Array, EagerTensor, Reference, SymbolicTensor, Tensor
from runtime.core.variant import shown
from runtime.errors import (
    DTypeError,
    FailedPreconditionError,
    MissingMethodError,
    OpError,
    ShapeError,
    of_tracing,
)
from runtime.ops.arrays.concatenation import stack
from runtime.ops.arrays.creation import range as range_
from runtime.ops.arrays.gather import gather, gather_nd
from runtime.ops.arrays.index import Index
from runtime.ops.arrays.indexed_slices import IndexedSlices
from runtime.ops.arrays.indexing import place_of
from runtime.ops.arrays.shape import broadcast_to, reshape
from runtime.ops.arrays.shape import shape as shape_of
from runtime.ops.constant import constant
from runtime.ops.convert import to_tensor
from runtime.ops.effects.variable_items import (
    ASSIGN_ITEM_VARIABLE,
    SCATTER_ND_VARIABLE,
    SCATTER_VARIABLE,
)
from runtime.ops.effects.variables import (
    ASSIGN_ADD_VARIABLE,
    ASSIGN_SUB_VARIABLE,
    ASSIGN_VARIABLE,
    READ_VARIABLE,
    HandleSpec,
    written_at_once,
)
from runtime.ops.op import Op, run_kernel
from runtime.state.variable_operators import install
from runtime.state.variable_options import (
    INSTEAD,
    VariableAggregation,
    VariableSynchronization,
    check_arguments,
    first_value,
)


class Variable:
    """A named place for a tensor of one dtype and shape.

    In an op it is its value at that moment. While a graph is recording, reads and assignments are
    nodes that run on every call, in the order they were written.

    Args:
        initial_value: what a tensor can be made of, or a function without arguments giving that.
        trainable: whether gradient tapes watch it and optimizers may change it; by default so,
            unless `synchronization` is ON_READ.
        validate_shape: not needed here, where every initial value has a shape.
        caching_device, import_scope, experimental_enable_variable_lifting: say nothing here, where
            there is one device and no names of other graphs.
        name: shown in texts and errors.
        variable_def: refused; variables are kept by `rt.train.Checkpoint`.
        dtype: of the value; by default what the initial value has.
        constraint: a function of the value, kept for optimizers, which apply it after an update.
        synchronization, aggregation: members of the enumerations of these names; only kept.
        shape: what later values may be, such as `(None, 3)`; by default the first one's shape.

    Raises:
        ArgumentValueError: there is no initial value, or an argument is not of its kind.
        DTypeError, ShapeError: the initial value does not fit.

    Example:
        >>> v = Variable([1.0, 2.0], name="v")
        >>> v.assign_add([1.0, 1.0])
        <rt.Variable 'v:0' shape=(2,) dtype=float32, numpy=array([2., 3.], dtype=float32)>
    """

    # What a variable that stands for others was made like, and what it tells who asks for that.
    _stands_for: Variable | None = None
    # Of a weight of a layer.
    _path: str | None = None
    _told: Callable[[], object]

    eval = lazy_import("runtime.session.evaluation:evaluate_variable")
    initializer = property(lazy_import("runtime.session.evaluation:initializer"))
    op = property(lazy_import("runtime.session.evaluation:variable_node"))

    # Above ndarray's, so that `array + variable` is left to our reflected operators.
    __array_priority__ = 100.0

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: Any = None,
        import_scope: str | None = None,
        constraint: Callable[[Tensor], Any] | None = None,
        synchronization: VariableSynchronization = VariableSynchronization.AUTO,
        aggregation: VariableAggregation = VariableAggregation.NONE,
        shape: Any = None,
        experimental_enable_variable_lifting: bool = True,
    ) -> None:
        check_arguments(initial_value, variable_def, constraint, synchronization, aggregation)
        recorder = current_recorder()
        if recorder is not None:
            recorder.created(self)  # type: ignore[attr-defined]
        fetched: Any = getattr(recorder, "fetched", None)
        self._name = scoped(plain_text(name, "name", "") or "Variable")
        if fetched is not None:
            self._name = recorder.labels.reserved(self._name)  # type: ignore[union-attr]
        is_local = synchronization is VariableSynchronization.ON_READ
        self.trainable = not is_local if trainable is None else flag(trainable, "trainable")
        self.constraint = constraint
        self.synchronization = synchronization
        self.aggregation = aggregation
        first = first_value(initial_value, dtype)
        spec = TensorSpec(first.shape, first.dtype)
        self.dtype: DType = spec.dtype
        self.shape: TensorShape = spec.shape if shape is None else as_shape(shape)
        self.handle_spec = HandleSpec(self.shape, self.dtype)
        self._array: Array
        if isinstance(first, SymbolicTensor):
            self._begin(first)
            return
        self.store(first._array)  # type: ignore[attr-defined]
        if fetched is not None:
            recorder.capture(self)  # type: ignore[union-attr]
        lifting.made(self)
        if WAITING:
            self._first_array = vars(self).pop("_array")

    def _begin(self, first: SymbolicTensor) -> None:
        """Take a first value that is known when the call runs for which the graph is recorded."""
        first.graph.first_values.append(self)
        self.assign(first)

    @classmethod
    def standing_in(cls, variable: Variable, told: Callable[[], object]) -> Variable:
        """Return a variable without a value that stands for any of the kind of `variable`.

        A graph that has it for an input reads and assigns the variable it is given for that.

        Args:
            variable: one of its kind.
            told: called when it is asked who it is, which makes it stand for `variable` alone.
        """
        made: Variable = cls.__new__(cls)
        kept = {key: value for key, value in vars(variable).items() if key not in _VALUE}
        vars(made).update(kept, _stands_for=variable, _told=told)
        return made

    def __getattr__(self, name: str) -> Any:
        if name == "_array" and "_first_array" in vars(self):
            return self._settled()
        if name == "_array" and self._stands_for is None:
            raise FailedPreconditionError(
                f"variable '{self._name}' has no value yet: it is made of an argument of a "
                "function, and has one when the call that made it has run; where that has failed, "
                "make it anew"
            )
        if name == "_array":
            raise of_tracing(
                FailedPreconditionError(
                    f"variable '{self._name}' stands for an argument of the function being traced "
                    "and has no value here: use it in the graph, outside of init_scope()"
                )
            )
        words = f"{type(self).__name__!r} object has no attribute {name!r}"
        if name in INSTEAD:
            raise MissingMethodError(f"{words}: write {INSTEAD[name]}")
        raise AttributeError(words)

    def _settled(self) -> Array:
        """Return the value at its first use: a checkpoint that was restored may have one for it."""
        vars(self)["_array"] = vars(self).pop("_first_array")
        settle()
        return self._array

    def _identified(self) -> Variable:
        """Return the variable this is, if somebody wants to know."""
        if self._stands_for is None:
            return self
        self._told()
        return self._stands_for

    @property
    def name(self) -> str:
        known = self._identified()
        return f"{known._name}:0" if known._path is None else known._path.rpartition("/")[2]

    @property
    def path(self) -> str:
        """The name with those of the layers it is in, for a weight of one; else the name alone."""
        known = self._identified()
        return known._name if known._path is None else known._path

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
            tensor = EagerTensor(self._array)
            for watcher in current_watchers():
                watcher.note(None, READ_VARIABLE, (self,), {}, (tensor,))
            return tensor
        return recorder.record(READ_VARIABLE, (self,), {})[0]  # type: ignore[arg-type]

    value = __rt_tensor__ = read_value

    def numpy(self) -> Any:
        """Return the value as NumPy has it; SymbolicTensorError while a graph is recording."""
        return self.read_value().numpy()  # type: ignore[attr-defined]

    # -- writing -------------------------------------------------------------------------------

    def assign(
        self, value: Any, use_locking: Any = None, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Replace the value and return the variable, or None if `read_value` is False.

        Raises:
            DTypeError, ShapeError: `value` does not fit; the variable is as it was.
        """
        return self._write(ASSIGN_VARIABLE, value, read_value)

    def assign_add(
        self, delta: Any, use_locking: Any = None, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Add `delta`, of the variable's own shape and dtype; see `assign`."""
        return self._write(ASSIGN_ADD_VARIABLE, delta, read_value)

    def assign_sub(
        self, delta: Any, use_locking: Any = None, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Subtract `delta`, of the variable's own shape and dtype; see `assign`."""
        return self._write(ASSIGN_SUB_VARIABLE, delta, read_value)

    def _write(self, op: Op, value: Any, read_value: bool) -> Variable | None:
        is_wanted = flag(read_value, "read_value")
        is_done = written_at_once(op, self, value)
        changed = self if is_done else self._changed(op, (self._converted(value),))
        return changed if is_wanted or changed is not self else None

    def _converted(self, value: Any) -> Tensor:
        """Return the value to write as a tensor of the variable's dtype."""
        try:
            return to_tensor(value, self.dtype)
        except OpError as error:
            raise self._told_of(error) from None

    def _changed(self, op: Op, inputs: tuple[Any, ...], **attrs: Any) -> Variable:
        """Apply an op that writes to the variable, which comes first among its operands."""
        recorder = current_recorder()
        try:
            op.infer(self.handle_spec, *(tensor.spec for tensor in inputs), **attrs)
            if recorder is None:
                operands = (self, *(tensor._array for tensor in inputs))
                run_kernel(op, operands, attrs)
        except OpError as error:
            raise self._told_of(error) from None
        if recorder is not None:
            recorder.record(op, (self, *inputs), attrs)  # type: ignore[arg-type]
            fetched: Any = getattr(recorder, "fetched", None)
            if fetched is not None:
                # It is done where a session is asked for it, or for the value it leaves.
                with fetched.waiting(recorder.nodes[-1:]):  # type: ignore[attr-defined]
                    return self.read_value()  # type: ignore[return-value]
        return self

    def _told_of(self, error: OpError) -> OpError:
        """Return an error that names the variable."""
        if error.message.startswith("variable '"):
            return error
        return type(error)(f"variable '{self._name}': {error.message}", error.origin)

    def store(self, array: Array) -> None:
        """Replace the value by an array of the right dtype that nobody else writes to."""
        held = vars(self).get("_array")
        if (held is None or held.shape != array.shape) and not self.shape.fits(array.shape):
            raise ShapeError(
                f"variable '{self._name}' has shape {self.shape}, not {TensorShape.of(array.shape)}"
            )
        self._array = array
        lifting.stored(self)

    # All writers return the variable. An index out of range, or a shape or dtype that does not fit,
    # is an error, after which the variable is as it was.

    # -- rows -------------------------------------------------------------------------------

    def scatter_add(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Variable:
        """Add rows; those named twice are added twice.

        Args:
            sparse_delta: `IndexedSlices`, of one row for each index, or of one number for all.

        Raises:
            InvalidArgumentError: an index is not that of a row.
            DTypeError, ShapeError: the rows do not fit.
        """
        return self._scatter("add", sparse_delta)

    def scatter_sub(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Variable:
        """Subtract rows; see `scatter_add`."""
        return self._scatter("sub", sparse_delta)

    def scatter_mul(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Variable:
        """Multiply rows by others; see `scatter_add`."""
        return self._scatter("mul", sparse_delta)

    def scatter_div(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Variable:
        """Divide rows by others, integers towards zero; see `scatter_add`."""
        return self._scatter("div", sparse_delta)

    def scatter_max(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Variable:
        """Put the larger of each two elements into rows; see `scatter_add`."""
        return self._scatter("max", sparse_delta)

    def scatter_min(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Variable:
        """Put the smaller of each two elements into rows; see `scatter_add`."""
        return self._scatter("min", sparse_delta)

    def scatter_update(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Variable:
        """Replace rows; of one that is named twice the last one stays; see `scatter_add`."""
        return self._scatter("update", sparse_delta)

    def batch_scatter_update(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Variable:
        """Replace `v[i, ..., j, indices[i, ..., j, k]]` by `updates[i, ..., j, k]`.

        Raises:
            ShapeError: the shapes of indices and variable do not begin alike.
        """
        rows = _slices(sparse_delta)
        rank = rows.indices.shape.rank
        if rank in (None, 0):
            raise ShapeError(f"batch_scatter_update: indices of shape {rows.indices.shape}")
        sizes = shape_of(rows.indices, out_type=rows.indices.dtype)
        places = []
        for axis in range(len(rows.indices.shape) - 1):
            along = [-1 if axis == at else 1 for at in range(len(rows.indices.shape))]
            numbers = range_(to_tensor(0, sizes.dtype), sizes[axis], to_tensor(1, sizes.dtype))
            places.append(broadcast_to(reshape(numbers, along), sizes))
        return self.scatter_nd_update(stack([*places, rows.indices], axis=-1), rows.values)

    def _scatter(self, how: str, sparse_delta: Any) -> Variable:
        rows = _slices(sparse_delta)
        updates = self._converted(rows.values)
        return self._changed(SCATTER_VARIABLE, (rows.indices, updates), how=how)

    # -- elements ---------------------------------------------------------------------------

    def scatter_nd_add(self, indices: Any, updates: Any, name: str | None = None) -> Variable:
        """Add `updates[i]` to `v[indices[i]]`.

        Args:
            indices: integers; the last axis counts the dimensions of the variable.
            updates: an element, or as many as a row has, for each row of `indices`.

        Raises:
            InvalidArgumentError: a row of indices lies outside.
            DTypeError, ShapeError: the updates do not fit.
        """
        return self._scatter_nd("add", indices, updates)

    def scatter_nd_sub(self, indices: Any, updates: Any, name: str | None = None) -> Variable:
        """Subtract `updates[i]` from `v[indices[i]]`; see `scatter_nd_add`."""
        return self._scatter_nd("sub", indices, updates)

    def scatter_nd_update(self, indices: Any, updates: Any, name: str | None = None) -> Variable:
        """Replace `v[indices[i]]` by `updates[i]`; see `scatter_nd_add`."""
        return self._scatter_nd("update", indices, updates)

    def scatter_nd_max(self, indices: Any, updates: Any, name: str | None = None) -> Variable:
        """Put the larger of `updates[i]` and `v[indices[i]]` there; see `scatter_nd_add`."""
        return self._scatter_nd("max", indices, updates)

    def scatter_nd_min(self, indices: Any, updates: Any, name: str | None = None) -> Variable:
        """Put the smaller of `updates[i]` and `v[indices[i]]` there; see `scatter_nd_add`."""
        return self._scatter_nd("min", indices, updates)

    def _scatter_nd(self, how: str, indices: Any, updates: Any) -> Variable:
        places = to_tensor(indices)
        return self._changed(SCATTER_ND_VARIABLE, (places, self._converted(updates)), how=how)

    def sparse_read(self, indices: Any, name: str | None = None) -> Tensor:
        """Return the rows that `indices` names, as `rt.gather` does."""
        return gather(self.read_value(), indices)

    def gather_nd(self, indices: Any, name: str | None = None) -> Tensor:
        """Return the elements or rows at `indices`, as `rt.gather_nd` does."""
        return gather_nd(self.read_value(), indices)

    # -- slices -----------------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Any:
        """Return `v[key]`, a tensor; unless an array or mask is in the key, it can be assigned."""
        item = self.read_value()[key]
        item._place = VariableItem(self, key)
        return item

    # -- being a value -------------------------------------------------------------------------

    @property
    def device(self) -> str:
        """The device of the value; there is one device."""
        return DEVICE

    @property
    def ndim(self) -> int:
        """The rank; ShapeError when it is unknown."""
        return len(self.shape)

    def get_shape(self) -> TensorShape:
        return self.shape

    def set_shape(self, shape: Any) -> None:
        """Note that values have this shape from now on.

        Raises:
            ShapeError: the variable's values may not have it, or the present one has another.
        """
        found = self.shape.merge(shape)
        if self._stands_for is not None:
            return  # It has no value here, and what it stands for is not known.
        if not found.contains(self._array.shape):
            raise ShapeError(
                f"variable '{self._name}' has a value of shape {TensorShape.of(self._array.shape)}"
                f" now, not {found}"
            )
        self.shape, self.handle_spec = found, HandleSpec(found, self.dtype)

    def is_initialized(self, name: str | None = None) -> Tensor:
        """Return a tensor that is true: a variable has a value from the start."""
        return constant(True)

    def ref(self) -> Reference:
        """Return a hashable reference, for use as a dict key or in a set."""
        return Reference(self._identified())  # type: ignore[arg-type]

    experimental_ref = ref

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return self.read_value().__array__(dtype, copy)  # type: ignore

    def __copy__(self) -> Variable:
        # As in TensorFlow: another object would be another place.
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Variable:
        """Return another variable that starts with the value this one has now."""
        array = self._array
        recorder = current_recorder()
        made: Variable = type(self).__new__(type(self))
        first = None
        if recorder is not None:
            recorder.created(made)  # type: ignore[attr-defined]
            first = first_value(self, None)
        memo[id(self)] = made
        own = {key: value for key, value in vars(self).items() if key not in _OWN}
        vars(made).update({key: vars(self)[key] for key in _OWN if key in vars(self)})
        vars(made).update(copy.deepcopy(own, memo), _array=array)
        if isinstance(first, SymbolicTensor):
            del made._array
            made._begin(first)
            return made
        lifting.made(made)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        # By value, as it is now.
        if current_recorder() is not None:
            raise FailedPreconditionError(
                f"variable '{self._name}' is pickled by its value, which it has none of while a "
                "graph records: pickle it outside of the function"
            )
        state = {"_array": self._array, **vars(self)}
        del state["handle_spec"]
        return _unpickled, (type(self), state)

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
        return f"{head}, numpy={shown(self._array, repr)}>"


class VariableItem:
    """The item `v[key]` of a variable: its value, and where assignments go."""

    __slots__ = ("_key", "_variable")

    def __init__(self, variable: Any, key: Any) -> None:
        self._variable = variable
        self._key = key

    def assign(self, value: Any, name: str | None = None) -> Variable:
        """Write a value of the variable's dtype to the place, repeated to fill it.

        Raises:
            DTypeError, ShapeError: it does not fit; the variable is as it was.
        """
        found = place_of(self._key)
        if found is None:
            raise DTypeError(
                "only slices of a variable can be assigned, and an array or a mask is in this "
                "index: write v.scatter_nd_update(indices, x), or v.assign(rt.where(mask, x, v))"
            )
        index, inputs = found
        return self._write(index, inputs, value)

    def _write(self, index: Index, inputs: tuple[Tensor, ...], value: Any) -> Variable:
        converted = self._variable._converted(value)
        changed: Variable = self._variable._changed(
            ASSIGN_ITEM_VARIABLE, (converted, *inputs), index=index
        )
        return changed


def _slices(value: Any) -> IndexedSlices:
    if isinstance(value, IndexedSlices):
        return value
    raise DTypeError(
        f"rows and where they go are rt.IndexedSlices(values, indices), not {type(value).__name__}"
    )


def _unpickled(kind: type[Variable], state: dict[str, Any]) -> Variable:
    made: Variable = kind.__new__(kind)
    vars(made).update(state, handle_spec=HandleSpec(state["shape"], state["dtype"]))
    return made


_VALUE = frozenset(("_array", "_first_array"))
# What a variable is, beside what a subclass or a user adds to it.
_OWN = frozenset(
    """
    _name trainable constraint synchronization aggregation dtype shape handle_spec _array
    """.split()
)


install(Variable)
