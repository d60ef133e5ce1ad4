"""Templates of the objects and containers that each call of a graph creates.

`self.last = Point(x, [y])` creates a new object with a new list in each call of the plain function;
each call of the graph creates them with the tensors that it has computed. Templates make the values
that calls write to state, and the objects in their results and in the exceptions that they raise.
"""

from __future__ import annotations

import functools
import gc
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import CellType, FunctionType, MethodType
from typing import Any

import numpy as np

from autograph.backends.graph.arrays.staged_array import (
    as_tensor_operand,
    elements,
    is_array,
    is_from_outside,
    is_graph_input,
    is_view,
    root_of,
)
from autograph.backends.graph.objects.object_contents import (
    StoredAttributes,
    contents_of,
    is_indexed,
    put_contents,
    put_entry,
)
from autograph.backends.graph.objects.opaque_state import opaque
from autograph.backends.graph.values.container_identity import Identities
from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.backends.graph.values.object_values import record_of
from autograph.backends.graph.values.one_of_objects import OneOfObjects
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.undefined import Undefined
from autograph.errors import LeakError
from autograph.functions.results.call_objects import Allocate, CallObjects, ObjectsById, allocator
from autograph.functions.results.materialize import DynamicList, Materialized, python_value
from autograph.functions.state.places import ABSENT
from autograph.operators.user_classes import is_a
from runtime import nest
from runtime.core.tensor import EagerTensor, SymbolicTensor, Tensor
from runtime.data.base_types import AnyDataset
from runtime.ops.constant import convert_to_tensor
from runtime.ops.convert import NUMPYS, is_weak
from runtime.ops.gradient_rules import result_tensor

Arrays = Sequence[Any]
Maker = Callable[[Arrays, ObjectsById], Any]
ATOMS = (int, float, complex, str, bytes, type(None), EagerTensor)
MADE_AT_RUN_TIME = (PossiblyUnbound, OptionalValue, OneOfObjects, DynamicItems)
# Each call creates new ones, even if their contents do not depend on the call.
_MUTABLE = (list, dict, set, deque)

# Objects with state besides their attributes, so that a copy of the attributes would not do.
_NOT_REBUILT = (FunctionType, BaseException)


def holds_symbolic(value: object, known: Iterable[int] = ()) -> bool:
    """Return whether a value is or contains a tensor of a graph, not counting objects in `known`.

    Args:
        value: any object.
        known: the identities of objects whose contents do not count.
    """
    return holds(value, (SymbolicTensor, *MADE_AT_RUN_TIME), known)


def holds_tensor(value: object, known: Iterable[int] = ()) -> bool:
    """Return whether a value is or contains any tensor, not counting objects in `known`."""
    return holds(value, (Tensor, *MADE_AT_RUN_TIME), known)


def leads_to(value: object, objects: Collection[int]) -> bool:
    """Return whether a value is, or contains, one of some objects, known by their identities."""
    waiting, seen = [value], set[int]()
    while waiting:
        each = waiting.pop()
        if id(each) in objects:
            return True
        if id(each) not in seen and not is_a(each, ATOMS):
            seen.add(id(each))
            waiting.extend(parts_inside(each))
    return False


def holds(value: object, kinds: tuple[type, ...], known: Iterable[int]) -> bool:
    """Return whether a value is or contains an object of some types; see `holds_symbolic`."""
    waiting, seen = [value], set(known)
    while waiting:
        each = waiting.pop()
        if is_a(each, kinds):
            return True
        if id(each) in seen or is_a(each, ATOMS):
            continue
        seen.add(id(each))
        waiting.extend(parts_inside(each))
    return False


def containers_in(values: Iterable[object]) -> set[int]:
    """Return the identities of all objects in values, containers among them."""
    waiting, seen = list(values), set[int]()
    while waiting:
        each = waiting.pop()
        if id(each) not in seen and not is_a(each, ATOMS):
            seen.add(id(each))
            waiting.extend(parts_inside(each))
    return seen


def parts_inside(value: Any) -> Iterator[object]:
    """Yield the objects that an object refers to, even where `contents_of` has no contents."""
    if is_a(value, (tuple, frozenset)):
        yield from value
    elif is_a(value, (AnyDataset,)):
        yield from nest.children(value) or ()
    elif type(value) is FunctionType:
        for cell in value.__closure__ or ():
            yield from (contents_of(cell) or {}).values()
        yield from (*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values())
    elif type(value) is MethodType:
        yield value.__self__
    elif isinstance(value, functools.partial):
        yield from (*value.args, *value.keywords.values())
    elif is_a(value, (BaseException,)):
        yield from (*value.args, *(contents_of(value) or {}).values())
    elif (thing := opaque(value)) is not None and thing.kind.word == "iterator":
        frame = getattr(value, "gi_frame", None)
        yield from _referents(value) if frame is None else frame.f_locals.values()
    elif type(value) is CellType or not issubclass(type(value), type):
        yield from (contents_of(value) or {}).values()
        if is_indexed(value):
            yield from (contents_of(StoredAttributes(value)) or {}).values()


def _referents(iterator: object) -> Iterator[object]:
    """Yield the objects that an iterator refers to, with the items of tuples in their places.

    A tuple of `zip_longest` has empty places, at which Python crashes.
    """
    for each in gc.get_referents(iterator):
        yield from gc.get_referents(each) if type(each) is tuple else (each,)


class CallItems(list[object]):
    """The items of a call that replace one `DynamicItems` of the template."""


class ObjectTemplates:
    """Makes a builder for each value that calls create.

    Args:
        tensors: the tensors in the values are appended here; they become outputs of the graph.
        known: the identities of objects from outside: builders return these objects themselves.
        identities: the allocation numbers of the trace's containers.

    Attributes:
        tensors: the tensors.
        lookups: the look-ups of containers by their numbers.
        outer_values: the containers and arrays from outside among the values, by identity.
        has_numbers: whether builders use allocation numbers.
    """

    def __init__(
        self,
        tensors: list[Tensor],
        known: frozenset[int],
        identities: Identities | None = None,
    ) -> None:
        self.tensors = tensors
        self.lookups: list[ContainerLookup] = []
        self.outer_values: dict[int, object] = {}
        self.has_numbers = False
        self._known = known
        self._identities = identities
        self._makers: dict[int, Maker] = {}

    def maker(self, value: Any, name: str) -> Maker:
        """Return a builder of a value like `value` from the arrays of a graph.

        Raises:
            LeakError: if a tensor is in a place that cannot be rebuilt; it names the place.
        """
        if is_array(value):
            return self._array(value, name)
        value = as_tensor_operand(value)
        if isinstance(value, PossiblyUnbound):
            otherwise = ABSENT if value.absent == "undefined" else None
            return self._optional(value.defined, value.value, otherwise, name)
        if isinstance(value, OptionalValue):
            return self._optional(value.present, value.value, None, name)
        if isinstance(value, OneOfObjects):
            return self._one_of(value, name)
        if isinstance(value, Undefined):
            return lambda arrays, made: ABSENT
        if isinstance(value, SymbolicTensor):
            return self._output(value)
        if type(value) is DynamicItems:
            return self._dynamic_items(value)
        if id(value) in self._known:
            if is_a(value, _MUTABLE):
                self.outer_values[id(value)] = value
            return lambda arrays, made: made.get(id(value), value)
        if is_a(value, ATOMS):
            return lambda arrays, made: value
        return self._compound(value, name)

    def _array(self, value: Any, name: str) -> Maker:
        """Return the builder of a NumPy array; one from outside is returned itself."""
        if type(value) is np.ndarray and (is_graph_input(value) or is_from_outside(value)):
            self.outer_values[id(value)] = value
            return lambda arrays, made: made.get(id(value), value)
        if is_view(value) and is_graph_input(root_of(value)):
            raise LeakError(
                f"'{name}' is left holding a view of an array that is changed, too: keep the array "
                "and take the view where it is used, or keep a copy",
                place=name,
            )
        held = elements(value)
        at = len(self.tensors)
        self.tensors += [held] if isinstance(held, SymbolicTensor) else []

        def make(arrays: Arrays, made: ObjectsById) -> object:
            # The value is kept alive here: no other object gets its identity.
            if id(value) not in made:
                made[id(value)] = np.array(held if is_known else arrays[at])
            return made[id(value)]

        is_known = not isinstance(held, SymbolicTensor)
        return make

    def _output(self, value: SymbolicTensor) -> Maker:
        at = len(self.tensors)
        self.tensors.append(value)
        if is_weak(value) == NUMPYS and value.shape.rank == 0:
            return lambda arrays, made: arrays[at][()]
        if value.weak and value.shape.rank == 0:
            return lambda arrays, made: python_value(arrays[at])
        return lambda arrays, made: result_tensor(arrays[at])

    def _optional(self, flag: Any, value: object, otherwise: object, name: str) -> Maker:
        """Return a builder of `value` if a flag is true in the call, else of `otherwise`."""
        at = len(self.tensors)
        self.tensors.append(convert_to_tensor(flag))
        make = self.maker(value, name)
        return lambda arrays, made: make(arrays, made) if arrays[at] else otherwise

    def _dynamic_items(self, value: DynamicItems) -> Maker:
        """Return the builder of the items of a staged list."""
        made_of = Materialized(DynamicList([value]), self.tensors, self._known, is_left=True)
        self.has_numbers |= made_of.is_named
        # Each call creates the objects that the trace has created.
        others = {id(each): self.maker(each, "an item") for each in made_of.options}

        def make(arrays: Arrays, made: ObjectsById) -> object:
            objects = {identity: each(arrays, made) for identity, each in others.items()}
            return CallItems(made_of.make(arrays, CallObjects(objects, made)))  # type: ignore[call-overload]

        return make

    def _one_of(self, value: OneOfObjects, name: str) -> Maker:
        at = len(self.tensors)
        self.tensors.append(value.index)
        makers = [self.maker(option, name) for option in value.options]
        return lambda arrays, made: makers[int(arrays[at])](arrays, made)

    def _compound(self, value: Any, name: str) -> Maker:
        known = self._makers.get(id(value))
        if known is not None:
            return known
        is_made_anew = type(value) in _MUTABLE or record_of(value) is not None
        if not is_made_anew and not holds_symbolic(value, self._known):
            return lambda arrays, made: value
        late: list[Maker] = []
        # Entered before the parts are visited, which may lead back to the value.
        self._makers[id(value)] = lambda arrays, made: late[0](arrays, made)
        late.append(self._rebuilt(value, name))
        if self._identities is not None and self._identities.has_own_number(value):
            self._identify(value, *self._identities.number_at_end(value), name)
        return self._makers[id(value)]

    def is_identified(self, value: object) -> bool:
        """Return whether a call must find out which container a value is."""
        return self._identities is not None and self._identities.has_own_number(value)

    def identify(self, value: Any, name: str) -> None:
        """Make each call find the container of a value that is in no result and no place."""
        self._compound(value, name)

    def _identify(self, value: Any, order: int, number: Any, name: str) -> None:
        """Make each call find the container of a value by its number, and set its contents."""
        begin = allocator(value)
        is_passed_on = self._identities is not None and id(value) in self._identities.passed_on
        copied = begin()
        put_contents(copied, contents_of(value) or {})
        self.has_numbers = True
        at = len(self.tensors)
        self.tensors.append(convert_to_tensor(number))
        self.lookups.append(
            ContainerLookup(order, is_passed_on, id(value), at, begin, self.maker(copied, name))
        )

    def _rebuilt(self, value: Any, name: str) -> Maker:
        if is_a(value, (tuple, frozenset)):
            return self._sequence(value, name)
        if is_a(value, (AnyDataset,)):
            parts = [self.maker(each, name) for each in nest.children(value) or ()]
            return lambda arrays, made: nest.rebuild(value, [each(arrays, made) for each in parts])
        if contents_of(value) is None or is_a(value, _NOT_REBUILT):
            kind = type(value).__name__
            raise LeakError(
                f"'{name}' is left holding a {kind} with a tensor of the graph in it, which has a "
                "value only while the graph runs: let it hold tensors, or lists, dicts and objects "
                "with tensors in them",
                place=name,
            )
        return self._object(value, name)

    def _sequence(self, value: Any, name: str) -> Maker:
        makers = [self.maker(item, name) for item in value]
        kind = type(value)
        is_record = hasattr(kind, "_fields")

        def make(arrays: Arrays, made: ObjectsById) -> object:
            items = [each(arrays, made) for each in makers]
            return kind(*items) if is_record else kind(items)

        return make

    def _object(self, value: Any, name: str) -> Maker:
        items = self._fields(contents_of(value) or {}, name)
        own = self._fields(contents_of(StoredAttributes(value)) or {}, name)
        attributes = own if is_indexed(value) else {}  # of a subclass of list or dict
        begin = allocator(value)

        def make(arrays: Arrays, made: ObjectsById) -> object:
            # The value is kept alive here: no other object gets its identity.
            identity = id(value)
            if identity in made:
                return made[identity]
            new = made[identity] = begin()
            for key, each in items.items():
                _fill(new, key, each(arrays, made))
            for key, each in attributes.items():
                put_entry(StoredAttributes(new), key, each(arrays, made))
            return new

        return make

    def _fields(self, contents: Mapping[object, object], name: str) -> dict[object, Maker]:
        return {key: self.maker(item, name) for key, item in contents.items()}


@dataclass(slots=True, eq=False, repr=False)
class ContainerLookup:
    """The look-up of the container for a container of the trace, by its number in a run.

    In some runs it is a container from outside of the function, in others a new one.

    Attributes:
        order: its position in the order of creation.
        is_passed_on: whether the trace has made its changes in the other containers as well.
        identity: the identity of the container in the trace.
        index: the position of its number among the graph's outputs.
        begin: creates an empty container.
        make: creates a container with the final contents.
    """

    HOLDS_FOR_TRACE = True

    order: int
    is_passed_on: bool
    identity: int
    index: int
    begin: Allocate
    make: Maker

    def find(self, arrays: Arrays, made: CallObjects) -> None:
        """Enter the container with its number in the objects of a call."""
        found = made.find(int(arrays[self.index]), self.begin, self.make, self.is_passed_on)
        if found is not None:
            made[self.identity] = found


def _fill(value: Any, key: object, item: object) -> None:
    if type(item) is CallItems:
        (list if is_a(value, (list,)) else deque).extend(value, item)
    elif is_a(value, (list,)):
        list.append(value, item)
    elif is_a(value, (deque,)):
        deque.append(value, item)
    elif is_a(value, (set,)):
        set.add(value, item)
    elif item is not ABSENT:
        put_entry(value, key, item)
