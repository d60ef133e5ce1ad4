"""NumPy arrays whose elements are known only at run time.

    a = np.zeros(3)        a NumPy array: its elements are known while tracing
    a[i] = x               from here on the trace has a tensor for it; `a` keeps its identity
    b = a                  another name of the same array, which has the same tensor

An array is a reference, as a list is: a store through one name is seen through all names. So the
array stays where it is, and a table has its tensor, as long as the graph of the tensor is recorded.
A view has no elements of its own: it reads and writes those of its array.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from contextvars import ContextVar
from typing import Any, TypeAlias

import numpy as np

import runtime as rt
from autograph.backends.backend_registry import check_contents_of
from autograph.backends.graph.source.source_location import user_location
from autograph.errors import ContainerMutationError
from autograph.operators.call_listeners import is_within, listeners
from runtime.core.context import current_recorder
from runtime.core.device_tensor import as_tensor_if_device_array
from runtime.graph.capture import TensorAlias

# The state of an array that detects a change: the number of stores, and its elements in memory.
Change: TypeAlias = "tuple[int, np.ndarray[Any, Any] | None]"
Sources = Sequence[tuple[Any, Change]]
# The kinds of dtypes whose arrays the graph can store into.
KINDS = "biufc"


class TrackedArray:
    """The record of a NumPy array in a trace.

    Attributes:
        array: the array.
        tensor: its elements in the graph; None while they are those in its memory.
        copy: the elements in its memory at the last read; it never changes.
        given: the tensor of the input if the array is an input of the graph, else None.
        made_once: whether code that is not part of the graph created it during the trace, which
            then begins with the elements in its memory.
        view: the reader and writer of its elements, if it is a view.
        stores: the number of stores into it.
    """

    HOLDS_FOR_TRACE = True

    __slots__ = ("array", "copy", "given", "made_once", "stores", "tensor", "view")

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.array = array
        self.tensor: rt.SymbolicTensor | None = None
        self.copy: np.ndarray[Any, Any] | None = None
        self.given: rt.SymbolicTensor | None = None
        self.made_once = False
        self.view: StagedArrayView | None = None
        self.stores = 0


# The tracked arrays by identity; None outside of traces.
KNOWN: ContextVar[dict[int, TrackedArray] | None] = ContextVar("known_arrays", default=None)


class tracking_arrays:
    """Track the NumPy arrays of a trace; a nested trace shares those of the trace around it."""

    def __enter__(self) -> None:
        known = KNOWN.get()
        self._token = KNOWN.set({} if known is None else known)

    def __exit__(self, *error: object) -> None:
        KNOWN.reset(self._token)


class StagedArray:
    """An array created from values that are known only at run time.

    Attributes:
        tensor: its current elements.
        stores: the number of stores into it.
        copied: for a copy of a view that was taken in a loop or on a path, the arrays it may be a
            view of; empty for all other arrays.
        arrays: for a stand-in of the arrays of a list, these arrays; empty for all other arrays.
        form: an array with the memory layout that NumPy's array would have; None until it is
            needed, and if only a run knows the shape.
    """

    __slots__ = ("__weakref__", "copied", "form", "stores", "tensor")

    tensor: Any
    arrays: Sequence[Any] = ()

    def __init__(self, tensor: Any = None, copied: Sources = ()) -> None:
        self.tensor, self.copied, self.stores, self.form = tensor, copied, 0, None
        check_contents_of(StagedArray)

    def __repr__(self) -> str:
        return repr(as_tensor(self))

    __hash__ = None  # type: ignore[assignment]


class StagedArrayView(StagedArray):
    """A view of an array, which reads and writes the array's elements.

    Args:
        base: the array.
        read: computes the elements of the view from those of the array.
        write: computes the elements of the array from its old ones and the new ones of the view.
        seen: the last elements of the array, and the view's elements computed from them.
        form: an array with the memory layout of NumPy's view; None if only a run knows it.
    """

    __slots__ = ("graph", "seen", "base", "read", "readings", "write")

    def __init__(
        self,
        base: Any,
        read: Callable[[Any], Any],
        write: Callable[[Any, Any], Any],
        seen: tuple[Any, Any] | None = None,
        form: Any = None,
    ) -> None:
        self.base, self.read, self.write, self.seen, self.form = base, read, write, seen, form
        self.copied, self.stores = getattr(base, "copied", ()), 0
        self.readings: dict[int, Any] = {}
        self.graph = current_recorder()
        check_contents_of(StagedArrayView)

    @property
    def tensor(self) -> Any:
        """The current elements of the view."""
        return _of_base(self)

    @tensor.setter
    def tensor(self, new: Any) -> None:
        put_elements(self.base, self.write(as_tensor(self.base), new))


# -- the contents of arrays ------------------------------------------------------------------------


def is_array(value: object) -> bool:
    """Return whether a value is an array, or a view, that the graph can store into.

    >>> is_array(np.zeros(2)), is_array(np.float64(1.0))
    (True, False)
    """
    if type(value) is np.ndarray:
        is_kept = value.dtype.kind in KINDS
        return is_kept and (value.flags.writeable or staged_tensor(value) is not None)
    return issubclass(type(value), StagedArray)


def is_view(value: Any) -> bool:
    """Return whether an array is a view of another one."""
    return [each is value for each in roots_of(value)] != [True]


def root_of(value: Any) -> Any:
    """Return the array whose memory a view shares; for any other array, itself."""
    if issubclass(type(value), StagedArray):
        return root_of(value.base) if isinstance(value, StagedArrayView) else value
    base: Any = value.base
    if base is not None and type(base) is not np.ndarray:
        base = getattr(base, "base", None)  # of a view of as_strided()
    return base if type(base) is np.ndarray and base.flags.writeable else value


def roots_of(value: Any) -> list[Any]:
    """Return the array whose elements a view shares, and those that it is a stand-in for."""
    root = root_of(value)
    return [root, *map(root_of, getattr(root, "arrays", ()))]


def form_of(value: Any) -> Any:
    """Return a NumPy array with the memory layout of an array; None if it is unknown.

    A NumPy array of the program is its own form.
    """
    if type(value) is np.ndarray or isinstance(value, StagedArrayView):
        return getattr(value, "form", value)
    shape = value.tensor.shape
    if value.form is None and shape.is_fully_defined():
        value.form = np.empty(shape.as_list(), value.tensor.dtype.np_dtype)
    return value.form


def staged_tensor(value: Any) -> Any:
    """Return the tensor of an array's elements; None if the elements are known."""
    if issubclass(type(value), StagedArray):
        return value.tensor
    root, table = root_of(value), KNOWN.get()
    known = table.get(id(root)) if table else None
    if known is None or known.tensor is None:
        return None
    return known.tensor if root is value else view_of(value, root).tensor


def tracked_array(value: np.ndarray[Any, Any]) -> TrackedArray:
    """Return the record of an array; a new one is added to the table of the current trace."""
    table, known = KNOWN.get(), TrackedArray(value)
    return known if table is None else table.setdefault(id(value), known)


def as_tensor(value: Any) -> Any:
    """Return the elements of an array as a tensor of the graph being recorded."""
    tensor = staged_tensor(value)
    return rt.constant(elements(value)) if tensor is None else tensor


def elements(value: Any) -> Any:
    """Return the elements of an array: a tensor, or a read-only array that never changes."""
    tensor = staged_tensor(value)
    if tensor is not None:
        return tensor
    known = tracked_array(value)
    if known.copy is None or not _are_same(known.copy, value):
        known.copy = value.view() if is_from_outside(value) else value.copy()
        known.copy.flags.writeable = False
    return known.copy


def put_elements(value: Any, new: Any) -> None:
    """Set the elements of an array to a result of `elements`, or to a tensor."""
    if issubclass(type(value), StagedArray):
        value.tensor = new
        return
    root = root_of(value)
    if root is not value and isinstance(new, rt.SymbolicTensor):
        return put_elements(view_of(value, root), new)
    known = tracked_array(value)
    if isinstance(new, rt.SymbolicTensor):
        known.tensor = new
        check_contents_of(np.ndarray)
        return None
    known.tensor = None
    if new is not value and not _are_same(new, value):
        value[...] = new
    return None


def as_array(value: Any) -> Any:
    """Return the array of an `ArrayElements`; any other value itself."""
    return value.array if issubclass(type(value), TensorAlias) else value


def is_graph_input(value: Any) -> bool:
    """Return whether an array from outside is an input of the graph, or begins with its memory."""
    if type(value) is not np.ndarray or not (table := KNOWN.get()):
        return False
    known = table.get(id(root_of(value)))
    return known is not None and (known.given is not None or known.made_once)


def is_from_outside(value: Any) -> bool:
    """Return whether an array is from before the trace, and not an input of the graph."""
    keepers = filter(None, (getattr(each, "keeper", None) for each in listeners()))
    is_known = any(each.knows(value) or each.knows(root_of(value)) for each in keepers)
    return is_known and not is_graph_input(value)


def as_tensor_operand(value: Any) -> Any:
    """Return the tensor of an array whose elements only a run knows; any other value itself.

    An array of JAX is a constant tensor: nothing writes to it.
    """
    if not is_array(value):
        return as_tensor_if_device_array(value)
    refuse_stale_view(value)
    tensor = staged_tensor(value)
    return value if tensor is None else tensor


def as_tensor_index(index: Any) -> Any:
    """Return an index with the tensors of the arrays in it."""
    if isinstance(index, (tuple, list)):
        parts = map(as_tensor_index, index)
        return [*parts] if isinstance(index, list) else (*parts,)
    if isinstance(index, slice):
        return slice(*map(as_tensor_operand, (index.start, index.stop, index.step)))
    return as_tensor_operand(index)


def new_array(tensor: Any) -> Any:
    """Return a new array with the elements of a tensor; a scalar, or any other value, itself."""
    if type(tensor) is not rt.SymbolicTensor or tensor.shape.rank == 0 or tensor.weak:
        return tensor
    if tensor.dtype.kind not in KINDS:
        return tensor
    return StagedArray(tensor)


def _are_same(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> bool:
    """Return whether two arrays of one form are equal bit by bit."""
    return one.base is other or one.tobytes() == other.tobytes()


def _of_base(view: StagedArrayView) -> Any:
    """Return the elements of a view, computed once for each state of its array."""
    base, seen, recorder = as_tensor(view.base), view.seen, current_recorder()
    if seen is None or seen[0] is not base or not is_within(recorder, seen[1].graph):
        # A statement after the body also reads the array that the body left.
        around: Any = view.graph if is_within(view.graph, base.graph) else base.graph
        if seen is not None and not is_within(recorder, around) and around.is_finished:
            return seen[1]  # Its graph is finished, so no code can use the view any more.
        with nullcontext() if is_within(recorder, around) else around.recording():
            seen = view.seen = (base, view.read(base))
    return seen[1]


def _changes(root: Any) -> Change:
    """Return the state of an array, from which later changes by graph or NumPy are detected."""
    if issubclass(type(root), StagedArray):
        return root.stores, None
    in_memory = None if staged_tensor(root) is not None else elements(root)
    return tracked_array(root).stores, in_memory


def _is_changed(root: Any, before: Change) -> bool:
    (stores, was), (now, in_memory) = before, _changes(root)
    return stores != now or (was is not in_memory and was is not None and in_memory is not None)


def view_bases(value: Any) -> Sources:
    """Return the arrays that an array may be a view of, with their states."""
    if issubclass(type(value), StagedArray) and value.copied:
        return list(value.copied)
    root = root_of(value)
    return () if root is value else [(root, _changes(root))]


def possible_bases(value: Any) -> Sources:
    """Return the arrays that a copy of an array may be a view of, with their states."""
    root = root_of(value)
    return list(getattr(value, "copied", ())) or [(root, _changes(root))]


def refuse_stale_view(value: Any, what: str = "is used, and the array was changed since") -> None:
    """Raise ContainerMutationError for a copy of a view whose array has changed."""
    copied = value.copied if issubclass(type(value), StagedArray) else ()
    if copied and (what.startswith("is assigned") or any(_is_changed(*each) for each in copied)):
        raise ContainerMutationError(
            f"a view of an array that was taken in a loop or on one path {what}; a graph cannot "
            "show this change in both: take the view where it is used, as in row = table[i], or "
            "write table[i, j] = v",
            user_location(),
        )


def view_of(view: Any, root: Any) -> StagedArrayView:
    """Return a staged view for a NumPy view; another view itself."""
    if isinstance(view, StagedArrayView):
        return view
    known = tracked_array(view)
    if known.view is None:
        known.view = StagedArrayView(root, *view_accessors(view, root))
        known.view.graph = None  # The view can be read in any graph.
    return known.view


# -- arrays from outside of a function: inputs and outputs of its graph ----------------------------


def set_input(value: np.ndarray[Any, Any], tensor: rt.SymbolicTensor) -> None:
    """Give an array from outside an input of the graph as its elements."""
    put_elements(value, tensor)
    known = tracked_array(root_of(value))
    known.given = known.tensor


def set_initial_elements(value: Any) -> bool:
    """Let the trace begin with the elements in the memory of an array from outside.

    Return whether the array can be an input of the graph in later calls.
    """
    if type(value) is not np.ndarray or value.dtype.kind not in KINDS:
        return False
    if not (value.flags.writeable and value.flags.owndata):
        return False
    tracked_array(value).made_once = True
    return True


def is_created_once(value: Any) -> bool:
    """Return whether code that is not part of the graph created an array during the trace."""
    return tracked_array(root_of(value)).made_once


def output_tensor(value: Any) -> Any:
    """Return the tensor of an array that is an input of the graph; None if it is unchanged."""
    known = tracked_array(root_of(value))
    return None if known.tensor is known.given else staged_tensor(value)


# -- reading and writing a view through the tensor of its array ------------------------------------


def view_accessors(view: np.ndarray[Any, Any], root: np.ndarray[Any, Any]) -> tuple[Any, Any]:
    """Return a function that reads a view from the array's tensor, and one that writes it there.

    `tail = table[1:, 2:]` reads and writes the elements 6, 7, 10 and 11 of a table of 3 by 4.

    Raises:
        ContainerMutationError: the view has another dtype than the array.
    """
    shape = view.shape
    if view.dtype != root.dtype:
        raise ContainerMutationError(
            "a view of a NumPy array under another dtype is used, and the array holds values that "
            "are known only when the graph runs: use the array itself, or a cast of it",
            user_location(),
        )
    places = _places(view, root)
    # An array with its axes in another order is common, and has all places.
    order = sorted(range(view.ndim), key=lambda axis: -view.strides[axis])
    straight = places.transpose(order)
    if straight.size == root.size and (straight.reshape(-1) == np.arange(root.size)).all():
        if order == [*range(view.ndim)]:
            return lambda t: rt.reshape(t, shape), lambda t, new: rt.reshape(new, root.shape)
        back = [order.index(axis) for axis in range(view.ndim)]
        return (
            lambda t: rt.transpose(rt.reshape(t, straight.shape), back),
            lambda t, new: rt.reshape(rt.transpose(new, order), root.shape),
        )

    def read(tensor: Any) -> Any:
        return rt.gather(rt.reshape(tensor, [-1]), places)

    def write(tensor: Any, new: Any) -> Any:
        if not view.flags.writeable:
            raise ValueError("assignment destination is read-only")
        flat = rt.set_item(rt.reshape(tensor, [-1]), rt.constant(places), new)
        return rt.reshape(flat, root.shape)

    return read, write


def _places(view: np.ndarray[Any, Any], root: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the positions of a view's elements among all of an array, which are in one piece."""
    start = view.__array_interface__["data"][0] - root.__array_interface__["data"][0]
    places = np.full(view.shape, start // root.itemsize)
    for axis, (count, stride) in enumerate(zip(view.shape, view.strides)):
        along = np.arange(count) * (stride // root.itemsize)
        places += along.reshape([-1] + [1] * (view.ndim - axis - 1))
    if root.flags.c_contiguous:
        return places
    # Its axes may be in another order in memory.
    order = sorted(range(root.ndim), key=lambda axis: -root.strides[axis])
    return np.arange(root.size).reshape(root.shape).transpose(order).reshape(-1)[places]
