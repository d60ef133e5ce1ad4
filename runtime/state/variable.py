"""Variables: tensors that change in place; inside a graph, in program order."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from runtime.core import creation_hooks
from runtime.core.argument_checks import flag, plain_text
from runtime.core.array_ownership import ALONE, references
from runtime.core.context import current_recorder, current_watchers
from runtime.core.creation_hooks import DEFERRED_RESTORES, restore_new_variables
from runtime.core.device_tensor import ToDevice
from runtime.core.dtypes import DType, DTypeLike
from runtime.core.fork_safety import fork_safe_lock
from runtime.core.lazy_imports import lazy_import
from runtime.core.mesh import DISTRIBUTION, host_array
from runtime.core.name_scopes import scoped
from runtime.core.replica import current_replica
from runtime.core.shapes import ShapeLike, TensorShape, as_shape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import (
    DEVICE,
    Array,
    EagerTensor,
    IndexLike,
    Reference,
    SymbolicTensor,
    Tensor,
    TensorLike,
    TensorOperators,
)
from runtime.core.variant import array_text, short_repr
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
from runtime.ops.attribute_advice import OF_ARRAYS, refuse_attribute
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
from runtime.ops.linalg.matrices import transposed
from runtime.ops.op import Op, name_operands, run_kernel
from runtime.state.merged_writes import changed_in_replicas
from runtime.state.variable_operators import install
from runtime.state.variable_options import (
    INSTEAD,
    VariableAggregation,
    VariableSynchronization,
    check_variable_options,
    initial_value_of,
)

# Held while the value of a variable moves from a device, or to one.
DEVICE_VALUES = fork_safe_lock()
# The name of a variable that is given none.
UNNAMED = "Variable"
_ON_READ = VariableSynchronization.ON_READ


if TYPE_CHECKING:

    class VariableSlice(Tensor):
        """The tensor `v[key]`, which is the target of assignments too."""

        def assign(self, value: TensorLike, name: str | None = None) -> Variable: ...


assigned_item = lazy_import("runtime.diagnostics.operand_names:assigned_item")


class Variable(TensorOperators):
    """A named tensor that can be assigned, of one dtype and shape.

    An op uses its current value. While a graph is recording, reads and assignments are nodes that
    run at each call, in program order.

    Args:
        initial_value: a value that can be converted to a tensor, or a function that returns one.
        trainable: whether gradient tapes watch it and optimizers may change it; by default True,
            unless `synchronization` is ON_READ.
        validate_shape: accepted without effect: every initial value has a shape.
        caching_device, import_scope, experimental_enable_variable_lifting: accepted without effect.
        name: the name shown in texts and errors.
        variable_def: refused; `rt.train.Checkpoint` saves variables.
        dtype: the dtype of the value; by default that of the initial value.
        constraint: a function of the value, which optimizers apply after an update.
        synchronization, aggregation: members of the enumerations of these names: the way in which
            values that several replicas assign are merged, and whether replicas may read it.
        shape: the shape of later values, such as `(None, 3)`; by default the initial value's shape.

    Raises:
        ArgumentValueError: there is no initial value, or an argument is of the wrong kind.
        DTypeError, ShapeError: the initial value does not fit.

    Example:
        >>> v = Variable([1.0, 2.0], name="v")
        >>> v.assign_add([1.0, 1.0])
        <rt.Variable 'v:0' shape=(2,) dtype=float32, numpy=array([2., 3.], dtype=float32)>
    """

    # For a placeholder: the variable that it was made for, and the function to call when its
    # identity is used.
    _placeholder_of: Variable | None = None
    # The path of a layer's weight.
    _path: str | None = None
    # The axes of a mesh over which the value is spread.
    _sharded_axes: tuple[Any, ...] = ()
    _on_identity_use: Callable[[], object]

    if TYPE_CHECKING:

        @property
        def initializer(self) -> Any: ...
        @property
        def op(self) -> Any: ...
        def eval(self, session: Any = None) -> Any: ...
    else:
        eval = lazy_import("runtime.session.evaluation:evaluate_variable")
        initializer = property(lazy_import("runtime.session.evaluation:initializer"))
        op = property(lazy_import("runtime.session.evaluation:variable_node"))

    # Higher than ndarray's, so that `array + variable` calls our reflected operator.
    __array_priority__ = 100.0

    def __init__(
        self,
        initial_value: TensorLike | Callable[[], TensorLike] | None = None,
        trainable: bool | None = None,
        validate_shape: bool = True,
        caching_device: object = None,
        name: str | None = None,
        variable_def: None = None,
        dtype: DTypeLike | None = None,
        import_scope: str | None = None,
        constraint: Callable[[Tensor], TensorLike] | None = None,
        synchronization: VariableSynchronization = VariableSynchronization.AUTO,
        aggregation: VariableAggregation = VariableAggregation.NONE,
        shape: ShapeLike | None = None,
        experimental_enable_variable_lifting: bool = True,
    ) -> None:
        check_variable_options(
            initial_value, variable_def, constraint, synchronization, aggregation
        )
        recorder = current_recorder()
        if recorder is not None:
            recorder.add_created_variable(self)  # type: ignore[attr-defined]
        fetch_state: Any = getattr(recorder, "fetch_state", None)
        self._name = scoped(plain_text(name, "name", "") or UNNAMED)
        if fetch_state is not None:
            self._name = recorder.labels.fresh_reserved(self._name)  # type: ignore[union-attr]
        is_local = synchronization is VariableSynchronization.ON_READ
        self.trainable = not is_local if trainable is None else flag(trainable, "trainable")
        self.constraint = constraint
        self.synchronization = synchronization
        self.aggregation = aggregation
        first = initial_value_of(initial_value, dtype)
        spec = TensorSpec(first.shape, first.dtype)
        self.dtype: DType = spec.dtype
        self.shape: TensorShape = spec.shape if shape is None else as_shape(shape)
        self.handle_spec = HandleSpec(self.shape, self.dtype)
        self._array: Array
        if isinstance(first, SymbolicTensor):
            self._assign_initial(first)
            return
        self.store(first._array)  # type: ignore[attr-defined]
        if fetch_state is not None:
            recorder.capture(self)  # type: ignore[union-attr]
        creation_hooks.note_created(self)
        if DEFERRED_RESTORES:
            self._first_array = vars(self).pop("_array")

    def _assign_initial(self, first: SymbolicTensor) -> None:
        """Assign an initial value that is only known when the recorded call runs."""
        first.graph.initialized_variables.append(self)
        self.assign(first)

    @classmethod
    def placeholder_for(cls, variable: Variable, on_identity_use: Callable[[], object]) -> Variable:
        """Return a variable without a value, a placeholder for variables like `variable`.

        A graph uses the variable that is passed for the placeholder's input.

        Args:
            variable: a variable of the same kind.
            on_identity_use: called when its identity is used: the trace is then good for
                `variable` only.
        """
        made: Variable = cls.__new__(cls)
        kept = {key: value for key, value in vars(variable).items() if key not in _VALUE}
        vars(made).update(kept, _placeholder_of=variable, _on_identity_use=on_identity_use)
        return made

    if not TYPE_CHECKING:  # a checker knows no item assignment
        __delitem__ = lazy_import("runtime.ops.attribute_advice:refuse_deletion")

        def __setitem__(self, index: object, value: object) -> None:
            """Refuse `v[0] = x`.

            Raises:
                DTypeError: always; the message says what to write.
            """
            place, key, new = assigned_item() or ("v", "index", "value")
            raise DTypeError(
                f"{type(self).__name__!r} object does not support item assignment: write "
                f"{place}[{key}].assign({new})"
            )

        def __getattr__(self, name: str) -> Any:
            if name == "_array":
                array = self._take_device_array()
                if array is not None:
                    return array
            if name == "_array" and "_first_array" in vars(self):
                return self._take_first_array()
            if name == "_array" and self._placeholder_of is None:
                raise FailedPreconditionError(
                    f"variable '{self._name}' has no value yet: it is made of an argument of a "
                    "function, and has one when the call that made it has run; where that has "
                    "failed, make it anew"
                )
            if name == "_array":
                raise of_tracing(
                    FailedPreconditionError(
                        f"variable '{self._name}' stands for an argument of the function being "
                        "traced and has no value here: use it in the graph, outside of init_scope()"
                    )
                )
            words = f"{type(self).__name__!r} object has no attribute {name!r}"
            if name in INSTEAD:
                raise MissingMethodError(f"{words}: write {INSTEAD[name]}")
            if name in OF_ARRAYS:
                refuse_attribute(self, name)
            raise AttributeError(words)

    def _take_first_array(self) -> Array:
        """Return the value at its first use, which may come from a restored checkpoint."""
        vars(self)["_array"] = vars(self).pop("_first_array")
        restore_new_variables()
        return self._array

    def store_on_device(self, array: Any) -> None:
        """Replace the value by an array of an engine, which is copied when NumPy first needs it.

        Args:
            array: an array of the right dtype and shape that nothing writes to, with the attributes
                `shape` and `dtype`.
        """
        held = vars(self)
        with DEVICE_VALUES:
            held["_device_array"] = array
            held.pop("_array", None)
            held.pop("_device_copy", None)
        creation_hooks.note_assigned(self)

    def held_value(self) -> Any:
        """Return the value without a copy: a NumPy array, or an array of an engine.

        None if there is no value yet.
        """
        held = vars(self)
        # Writers put a NumPy array beside the other one, which is out of date then.
        value = held.get("_array")
        value = held.get("_device_array", value) if value is None else value
        if value is None and self._placeholder_of is None:
            with DEVICE_VALUES:  # An engine may be changing it in place.
                return held.get("_array", held.get("_device_array"))
        return value

    def take_device_array(self) -> object:
        """Take out the array of an engine, which is going to change it in place.

        None, and nothing is taken, where something else refers to the array, or there is none. The
        caller holds `DEVICE_VALUES`, for which readers wait, until it has stored a value again.
        """
        held = vars(self)
        array = None if "_array" in held else held.pop("_device_array", None)
        if array is not None and references(array) > ALONE:
            held["_device_array"] = array
            return None
        return array

    def on_device(self, to_device: ToDevice) -> Any:
        """Return the value for an engine: an array of it, or a NumPy array that it copies itself.

        A value that engines get a second time is copied to the device, and the copy is kept until
        the variable is assigned. None if there is no value yet.

        Args:
            to_device: returns a copy of an array on the device.
        """
        held = vars(self)
        array = held.get("_array")
        if array is None:
            return self.held_value()
        seen, copied = held.get("_device_copy", (None, None))
        if seen is not array:
            held["_device_copy"] = array, None
            return array
        if copied is None and array.dtype.kind in "biufc":
            copied = to_device(array)
            held["_device_copy"] = array, copied
        return array if copied is None else copied

    def _take_device_array(self) -> Array | None:
        """Return a value on a device as a NumPy array, a copy that is made once; None for others.

        Another thread may have made the copy since the caller looked for one.
        """
        with DEVICE_VALUES:
            held = vars(self)
            if "_array" not in held and "_device_array" in held:
                held["_array"] = np.array(host_array(held.pop("_device_array")))
            return held.get("_array")

    def _identity(self) -> Variable:
        """Return the variable itself, not a placeholder, for code that uses its identity."""
        if self._placeholder_of is None:
            return self
        self._on_identity_use()
        return self._placeholder_of

    @property
    def name(self) -> str:
        """The name with `:0`; that of a weight of a layer is the last part of its path."""
        identity = self._identity()
        return (
            f"{identity._name}:0" if identity._path is None else identity._path.rpartition("/")[2]
        )

    @property
    def path(self) -> str:
        """The name with those of the layers around, for a layer's weight; else the plain name."""
        identity = self._identity()
        return identity._name if identity._path is None else identity._path

    @property
    def handle_name(self) -> str:
        """The name of the graph input for this variable."""
        return self._name

    @property
    def spec(self) -> TensorSpec:
        """The shape and the dtype."""
        return TensorSpec(self.shape, self.dtype)

    # -- reading -------------------------------------------------------------------------------

    def read_value(self) -> Tensor:
        """Return the current value (in a graph: the value when this point is reached)."""
        is_replicated = DISTRIBUTION.is_used and current_replica() is not None
        if is_replicated and self.synchronization is _ON_READ:
            raise of_tracing(self._local_in_replicas())
        recorder = current_recorder()
        if recorder is None:
            tensor = EagerTensor(self._array)
            for watcher in current_watchers():
                watcher.note(None, READ_VARIABLE, (self,), {}, (tensor,))
            return tensor
        return recorder.record(READ_VARIABLE, (self,), {})[0]  # type: ignore[arg-type]

    value = __rt_tensor__ = read_value

    def numpy(self) -> Any:
        """Return the value as NumPy data; SymbolicTensorError while a graph is recording."""
        return self.read_value().numpy()

    def _local_in_replicas(self) -> OpError:
        return FailedPreconditionError(
            f"variable '{self._name}' is synchronized on reading, and replicas only add to it: "
            "read it outside of the step"
        )

    # -- writing -------------------------------------------------------------------------------

    @overload
    def assign(
        self,
        value: TensorLike,
        use_locking: bool | None = None,
        name: str | None = None,
        read_value: Literal[True] = True,
    ) -> Variable: ...
    @overload
    def assign(
        self,
        value: TensorLike,
        use_locking: bool | None = None,
        name: str | None = None,
        *,
        read_value: bool,
    ) -> Variable | None: ...
    def assign(
        self,
        value: TensorLike,
        use_locking: bool | None = None,
        name: str | None = None,
        read_value: bool = True,
    ) -> Variable | None:
        """Replace the value and return the variable, or None if `read_value` is False.

        Raises:
            DTypeError, ShapeError: `value` does not fit; the variable is unchanged.
        """
        return self._write(ASSIGN_VARIABLE, value, read_value)

    @overload
    def assign_add(
        self,
        delta: TensorLike,
        use_locking: bool | None = None,
        name: str | None = None,
        read_value: Literal[True] = True,
    ) -> Variable: ...
    @overload
    def assign_add(
        self,
        delta: TensorLike,
        use_locking: bool | None = None,
        name: str | None = None,
        *,
        read_value: bool,
    ) -> Variable | None: ...
    def assign_add(
        self,
        delta: TensorLike,
        use_locking: bool | None = None,
        name: str | None = None,
        read_value: bool = True,
    ) -> Variable | None:
        """Add `delta`, of the variable's shape and dtype; see `assign`."""
        return self._write(ASSIGN_ADD_VARIABLE, delta, read_value)

    @overload
    def assign_sub(
        self,
        delta: TensorLike,
        use_locking: bool | None = None,
        name: str | None = None,
        read_value: Literal[True] = True,
    ) -> Variable: ...
    @overload
    def assign_sub(
        self,
        delta: TensorLike,
        use_locking: bool | None = None,
        name: str | None = None,
        *,
        read_value: bool,
    ) -> Variable | None: ...
    def assign_sub(
        self,
        delta: TensorLike,
        use_locking: bool | None = None,
        name: str | None = None,
        read_value: bool = True,
    ) -> Variable | None:
        """Subtract `delta`, of the variable's shape and dtype; see `assign`."""
        return self._write(ASSIGN_SUB_VARIABLE, delta, read_value)

    def _write(self, op: Op, value: Any, read_value: bool) -> Variable | None:
        is_wanted = flag(read_value, "read_value")
        is_done = current_replica() is None and written_at_once(op, self, value)
        changed = self if is_done else self._changed(op, (self._converted(value),))
        return changed if is_wanted or changed is not self else None

    def _converted(self, value: Any) -> Tensor:
        """Return the value to write as a tensor of the variable's dtype."""
        try:
            return to_tensor(value, self.dtype)
        except OpError as error:
            named = self._naming_variable(error)
            name_operands(named)
            raise named from None

    def _changed(self, op: Op, inputs: tuple[Any, ...], **attrs: Any) -> Variable:
        """Apply an op that writes to the variable, its first operand."""
        replica = current_replica()
        if replica is not None:
            return changed_in_replicas(self, replica, op, inputs)
        recorder = current_recorder()
        try:
            op.infer(self.handle_spec, *(tensor.spec for tensor in inputs), **attrs)
            if recorder is None:
                operands = (self, *(tensor._array for tensor in inputs))
                run_kernel(op, operands, attrs)
        except OpError as error:
            named = self._naming_variable(error)
            name_operands(named, op.name)
            raise named from None
        if recorder is not None:
            recorder.record(op, (self, *inputs), attrs)  # type: ignore[arg-type]
            fetch_state: Any = getattr(recorder, "fetch_state", None)
            if fetch_state is not None:
                # A session runs the op if the op or the value after it is fetched.
                with fetch_state.depending_on(recorder.nodes[-1:]):  # type: ignore[attr-defined]
                    return self.read_value()  # type: ignore[return-value]
        return self

    def _naming_variable(self, error: OpError) -> OpError:
        """Return an error whose message names the variable."""
        if error.message.startswith("variable '"):
            return error
        if self._name == UNNAMED:
            return error
        return type(error)(f"variable '{self._name}': {error.message}", error.origin)

    def store(self, array: Array) -> None:
        """Replace the value by an array of the right dtype that nothing else writes to.

        Raises:
            ShapeError: the array's shape does not fit the variable's.
        """
        held = vars(self).get("_array")
        if (held is None or held.shape != array.shape) and not self.shape.fits(array.shape):
            raise ShapeError(
                f"variable '{self._name}' must have shape {self.shape}, "
                f"not {TensorShape.of(array.shape)}"
            )
        self._array = array
        creation_hooks.note_assigned(self)

    # All writing methods return the variable. An index out of range, or a wrong shape or dtype, is
    # an error that leaves the variable unchanged.

    # -- rows -------------------------------------------------------------------------------

    def scatter_add(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Variable:
        """Add rows; rows with several updates get all of them.

        Args:
            sparse_delta: `IndexedSlices` with one row for each index, or one number for all.

        Raises:
            InvalidArgumentError: an index is out of range.
            DTypeError, ShapeError: the rows do not fit.
        """
        return self._scatter("add", sparse_delta)

    def scatter_sub(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Variable:
        """Subtract rows; see `scatter_add`."""
        return self._scatter("sub", sparse_delta)

    def scatter_mul(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Variable:
        """Multiply rows; see `scatter_add`."""
        return self._scatter("mul", sparse_delta)

    def scatter_div(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Variable:
        """Divide rows, integers rounded towards zero; see `scatter_add`."""
        return self._scatter("div", sparse_delta)

    def scatter_max(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Variable:
        """Replace elements of rows by the larger of them and the update; see `scatter_add`."""
        return self._scatter("max", sparse_delta)

    def scatter_min(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Variable:
        """Replace elements of rows by the smaller of them and the update; see `scatter_add`."""
        return self._scatter("min", sparse_delta)

    def scatter_update(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Variable:
        """Replace rows; of several updates of a row, the last one is used; see `scatter_add`."""
        return self._scatter("update", sparse_delta)

    def batch_scatter_update(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Variable:
        """Replace `v[i, ..., j, indices[i, ..., j, k]]` by `updates[i, ..., j, k]`.

        Raises:
            ShapeError: the shapes of indices and variable do not start with the same dimensions.
        """
        rows = _slices(sparse_delta)
        rank = rows.indices.shape.rank
        if rank in (None, 0):
            raise ShapeError(
                "batch_scatter_update: indices must have a known rank of at least 1, not "
                f"{rows.indices.shape}"
            )
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

    def scatter_nd_add(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None
    ) -> Variable:
        """Add `updates[i]` to `v[indices[i]]`.

        Args:
            indices: integers; the last axis are the indices into the first dimensions of the
                variable.
            updates: an element, or a slice, for each row of `indices`.

        Raises:
            InvalidArgumentError: an index is out of range.
            DTypeError, ShapeError: the updates do not fit.
        """
        return self._scatter_nd("add", indices, updates)

    def scatter_nd_sub(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None
    ) -> Variable:
        """Subtract `updates[i]` from `v[indices[i]]`; see `scatter_nd_add`."""
        return self._scatter_nd("sub", indices, updates)

    def scatter_nd_update(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None
    ) -> Variable:
        """Replace `v[indices[i]]` by `updates[i]`; see `scatter_nd_add`."""
        return self._scatter_nd("update", indices, updates)

    def scatter_nd_max(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None
    ) -> Variable:
        """Replace `v[indices[i]]` by the larger of it and `updates[i]`; see `scatter_nd_add`."""
        return self._scatter_nd("max", indices, updates)

    def scatter_nd_min(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None
    ) -> Variable:
        """Replace `v[indices[i]]` by the smaller of it and `updates[i]`; see `scatter_nd_add`."""
        return self._scatter_nd("min", indices, updates)

    def _scatter_nd(self, how: str, indices: Any, updates: Any) -> Variable:
        places = to_tensor(indices)
        return self._changed(SCATTER_ND_VARIABLE, (places, self._converted(updates)), how=how)

    def sparse_read(self, indices: TensorLike, name: str | None = None) -> Tensor:
        """Return the rows at `indices`, like `rt.gather`."""
        return gather(self.read_value(), indices)

    def gather_nd(self, indices: TensorLike, name: str | None = None) -> Tensor:
        """Return the elements or slices at `indices`, like `rt.gather_nd`."""
        return gather_nd(self.read_value(), indices)

    # -- slices -----------------------------------------------------------------------------

    def __getitem__(self, key: IndexLike, /) -> VariableSlice:
        """Return `v[key]`, a tensor with `assign`, unless the key contains an array or a mask."""
        item: Any = self.read_value()[key]
        item._place = VariableItem(self, key)
        return item

    # -- being a value -------------------------------------------------------------------------

    @property
    def device(self) -> str:
        """The device of the value; there is only one."""
        return DEVICE

    @property
    def ndim(self) -> int:
        """The rank; ShapeError when it is unknown."""
        return len(self.shape)

    @property
    def T(self) -> Tensor:
        """The transpose of a matrix; ShapeError unless the rank is 2."""
        return transposed(self.read_value())

    def get_shape(self) -> TensorShape:
        """Return the static shape."""
        return self.shape

    def set_shape(self, shape: ShapeLike | None) -> None:
        """Restrict the shape of the variable's values.

        Raises:
            ShapeError: the variable's shape does not allow it, or the current value has another
                one.
        """
        found = self.shape.merge(shape)
        if self._placeholder_of is not None:
            return  # It has no value here, and its identity is not known.
        if not found.contains(self._array.shape):
            raise ShapeError(
                f"variable '{self._name}' has a value of shape {TensorShape.of(self._array.shape)}"
                f" now, not {found}"
            )
        self.shape, self.handle_spec = found, HandleSpec(found, self.dtype)

    def is_initialized(self, name: str | None = None) -> Tensor:
        """Return a true tensor: no variable is created without an initial value."""
        return constant(True)

    def ref(self) -> Reference:
        """Return a hashable reference, for use as a dict key or in a set."""
        return Reference(self._identity())  # type: ignore[arg-type]

    experimental_ref = ref

    if not TYPE_CHECKING:

        def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
            return self.read_value().__array__(dtype, copy)

    @property
    def __numpy_dtype__(self) -> np.dtype[Any]:
        return self.dtype.np_dtype

    def __copy__(self) -> Variable:
        # As in TensorFlow: a copy would be another place.
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Variable:
        """Return a new variable with the current value of this one."""
        array = self._array
        recorder = current_recorder()
        made: Variable = type(self).__new__(type(self))
        first = None
        if recorder is not None:
            recorder.add_created_variable(made)  # type: ignore[attr-defined]
            first = initial_value_of(self, None)
        memo[id(self)] = made
        own = {key: value for key, value in vars(self).items() if key not in _OWN | _VALUE}
        vars(made).update({key: vars(self)[key] for key in _OWN if key in vars(self)})
        vars(made).update(copy.deepcopy(own, memo), _array=array)
        if isinstance(first, SymbolicTensor):
            del made._array
            made._assign_initial(first)
            return made
        creation_hooks.note_created(made)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        # Pickle the current value.
        if current_recorder() is not None:
            raise FailedPreconditionError(
                f"variable '{self._name}' cannot be pickled while a graph records, since it has no "
                "value then: pickle it outside of the function"
            )
        state = {"_array": self._array, **vars(self)}
        del state["handle_spec"]
        for name in ("_device_array", "_device_copy"):
            state.pop(name, None)
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
        return f"{head}, numpy={array_text(self._array, short_repr)}>"

    _repr_html_ = lazy_import("runtime.display.values:variable_html")


class VariableItem:
    """The item `v[key]` of a variable: its value, and the target of assignments."""

    __slots__ = ("_key", "_variable")

    def __init__(self, variable: Any, key: Any) -> None:
        self._variable = variable
        self._key = key

    def assign(self, value: Any, name: str | None = None) -> Variable:
        """Assign a value of the variable's dtype, broadcast to the item's shape.

        Raises:
            DTypeError, ShapeError: the value does not fit; the variable is unchanged.
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
        f"sparse_delta must be rt.IndexedSlices(values, indices), not {type(value).__name__}"
    )


def _unpickled(kind: type[Variable], state: dict[str, Any]) -> Variable:
    made: Variable = kind.__new__(kind)
    vars(made).update(state, handle_spec=HandleSpec(state["shape"], state["dtype"]))
    return made


_VALUE = frozenset(("_array", "_device_array", "_device_copy", "_first_array"))
# The attributes of a variable, without those added by a subclass or a user.
_OWN = frozenset(
    """
    _name trainable constraint synchronization aggregation dtype shape handle_spec _array
    """.split()
)


install(Variable)
