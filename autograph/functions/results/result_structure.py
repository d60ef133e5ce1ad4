"""The structure of a traced function's result: nested containers whose leaves are builders.

[x, None, point]     ->     [Output(0), NoneResult(), RebuiltObject(point)]

Each call fills the structure with the values that the builders make of the graph's outputs. The
builders of objects and containers are in `object_templates`, those of optional values and staged
lists in `materialize`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import Any, Protocol

import numpy as np

from autograph.backends.graph.aliases.stale_reads import checked_result
from autograph.backends.graph.arrays.staged_array import as_tensor_operand
from autograph.backends.graph.values.dynamic_items import DynamicItems, is_staged
from autograph.backends.graph.values.object_values import record_of
from autograph.backends.graph.values.one_of_objects import OneOfObjects
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.backends.graph.values.truth import UnjoinableValue
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.undefined import Undefined
from autograph.errors import ResultError, SignatureError
from autograph.functions.results.call_objects import CallObjects
from autograph.functions.results.materialize import (
    DictWithOptionalItems,
    Materialized,
    OptionalItems,
    is_made_at_run_time,
    with_dynamic_lists,
)
from autograph.functions.results.object_templates import ObjectTemplates, containers_in
from runtime import nest
from runtime.core.dtypes import int32
from runtime.core.nesting_depth import depth_error
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor
from runtime.ops.constant import convert_to_tensor
from runtime.ops.gradient_rules import result_tensor
from runtime.state.variable import Variable

Arrays = Sequence[np.ndarray]
_NUMBERS = (bool, int, float, complex, str, bytes)
_CONVERTIBLE = (Tensor, TensorShape, Variable, np.ndarray, np.generic, *_NUMBERS)


# Returns the getter of an object from outside of the function, for each call; None for others.
OwnObject = Callable[[object], Callable[[], object] | None]


class ResultBuilder(Protocol):
    """Builds one leaf of a result from the outputs of a graph."""

    def make(self, arrays: Arrays) -> object:
        """Return the leaf's value in one call."""

    def spec(self, specs: Sequence[TensorSpec]) -> object:
        """Return the leaf in `structured_outputs`, given the specs of the graph's outputs."""


class TensorOutput:
    """One output of the graph, as a tensor."""

    __slots__ = ("index",)

    def __init__(self, index: int) -> None:
        self.index = index

    def make(self, arrays: Arrays) -> object:
        """Return the output as a tensor."""
        return result_tensor(arrays[self.index])

    def spec(self, specs: Sequence[TensorSpec]) -> object:
        """Return the spec of the output."""
        return specs[self.index]


class NoneResult:
    """Builds None."""

    __slots__ = ()

    def make(self, arrays: Arrays) -> object:
        """Return None."""
        return None

    def spec(self, specs: Sequence[TensorSpec]) -> object:
        """Return None."""
        return None


class SameObject:
    """Returns an object from outside of the function itself."""

    __slots__ = ("_get", "_kind")

    def __init__(self, get: Callable[[], object], kind: type) -> None:
        self._get, self._kind = get, kind

    def make(self, arrays: Arrays) -> object:
        """Return the object."""
        return self._get()

    def spec(self, specs: Sequence[TensorSpec]) -> object:
        """Return the class of the object."""
        return self._kind


class AliasedContainer:
    """A container that is one leaf of a result, since it has other names, too."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value


class RebuiltObject:
    """Builds a user's object, or an aliased container, from its template."""

    __slots__ = ("_maker", "_kind")

    def __init__(self, leaf: object, templates: ObjectTemplates, function_name: str) -> None:
        self._maker = templates.maker(leaf, f"the result of {function_name}")
        self._kind = type(leaf.options[0]) if isinstance(leaf, OneOfObjects) else type(leaf)

    def make(self, arrays: Arrays) -> object:
        """Return a new object made of the arrays of one call."""
        return self._maker(
            arrays, arrays.made if isinstance(arrays, CallResults) else CallObjects()
        )

    def spec(self, specs: Sequence[TensorSpec]) -> object:
        """Return the class of the object."""
        return self._kind


class CallResults(tuple[Any, ...]):
    """The outputs of one call, together with its objects, which its builders share.

    Attributes:
        made: the objects.
    """

    made: CallObjects

    @classmethod
    def begun(cls, arrays: Arrays, made: CallObjects) -> CallResults:
        """Return the outputs of a call, with the objects that it has found so far."""
        of_call = cls(arrays)
        of_call.made = made
        return of_call


class ResultStructure:
    """A nested structure of builders.

    Attributes:
        make: converts the outputs of a graph to the caller's result.
    """

    def __init__(self, like: object, builders: Sequence[ResultBuilder]) -> None:
        self._like = like
        self._builders = tuple(builders)
        self.make: Callable[[Arrays], object] = self._maker()

    def spec(self, specs: Sequence[TensorSpec]) -> Any:
        """Return the result with a TensorSpec for every tensor."""
        return nest.unflatten(self._like, [builder.spec(specs) for builder in self._builders])

    @property
    def builders(self) -> Any:
        """The result with its builders in the places of its leaves."""
        return self._like if nest.is_nested(self._like) else self._builders[0]

    def is_plain(self) -> bool:
        """Return whether it only has tensors and None in lists, tuples and dicts."""
        if any(type(builder) not in (TensorOutput, NoneResult) for builder in self._builders):
            return False
        return _is_plain(self._like)

    def output_indices(self) -> Any:
        """Return a plain result with the index of an output of the graph for each tensor."""
        found = [r.index if isinstance(r, TensorOutput) else None for r in self._builders]
        return nest.unflatten(self._like, found) if nest.is_nested(self._like) else found[0]

    def of_tensors(self, tensors: Sequence[Tensor]) -> object:
        """Return a plain result with tensors in place of the graph's outputs."""
        found = [tensors[r.index] if isinstance(r, TensorOutput) else None for r in self._builders]
        return nest.unflatten(self._like, found) if nest.is_nested(self._like) else found[0]

    def _maker(self) -> Callable[[Arrays], object]:
        if not nest.is_nested(self._like):
            return self._builders[0].make
        has_objects = any(type(builder) is RebuiltObject for builder in self._builders)
        return self._make_with_objects if has_objects else self._make_nested

    def _make_with_objects(self, arrays: Arrays) -> object:
        is_begun = isinstance(arrays, CallResults)
        return self._make_nested(arrays if is_begun else CallResults.begun(arrays, CallObjects()))

    def _make_nested(self, arrays: Arrays) -> object:
        return nest.unflatten(self._like, [builder.make(arrays) for builder in self._builders])


def _is_plain(like: object) -> bool:
    if not nest.is_nested(like):
        return True
    is_record = isinstance(like, tuple) and hasattr(type(like), "_fields")
    if not is_record and type(like) not in (list, tuple, dict):
        return False
    return all(map(_is_plain, nest.children(like) or ()))


def collect(
    result: object,
    templates: ObjectTemplates,
    function_name: str,
    own_object: OwnObject = lambda value: None,
    left: Iterable[object] = (),
) -> ResultStructure:
    """Return the structure of a traced function's result.

    Args:
        result: the Python function's result.
        templates: the builder of objects; the tensors in the result are appended to its own, and
            become the graph's outputs.
        function_name: for the error.
        own_object: returns the getter of an object from outside of the function that the result
            holds.
        left: the values that the function writes to state: a container in both keeps its identity.

    Raises:
        ResultError: when it contains a value that is not a tensor, a number, a string, None or an
            object of a plain user class.
    """
    several = _in_several_places(result, left)

    def is_aliased(value: object) -> bool:
        return id(value) in several or templates.is_identified(value)

    result = with_dynamic_lists(_with_own_objects(result, own_object, is_aliased))
    builders = [_leaf_builder(leaf, templates, function_name) for leaf in nest.flatten(result)]
    like = nest.unflatten(result, builders) if nest.is_nested(result) else None
    return ResultStructure(like, builders)


def _in_several_places(result: object, left: Iterable[object]) -> set[int]:
    """Return the identities of a result's lists and dicts that are in it twice, or in `left`."""
    found, several, waiting = set[int](), set[int](), [result]
    while waiting:
        each = waiting.pop()
        inside = each.value if isinstance(each, OptionalValue) else each
        if isinstance(inside, (list, dict)) and id(inside) in found:
            several.update((id(inside), id(each)))
        elif nest.is_nested(inside):
            found.add(id(inside))
            waiting.extend([] if is_staged(inside) else nest.children(inside) or ())
    return several | containers_in(left) & found


def _with_own_objects(
    result: Any, own_object: OwnObject, is_aliased: Callable[[object], bool]
) -> Any:
    """Return a result with one leaf for each list, dict and object that keeps its identity."""
    if is_aliased(result) and nest.is_nested(result):
        return AliasedContainer(result)
    getter = None if isinstance(result, _CONVERTIBLE) else own_object(result)
    if getter is not None:
        return SameObject(getter, type(result))
    children = nest.children(result)
    if not children or is_staged(result):
        return result
    inside = [_with_own_objects(child, own_object, is_aliased) for child in children]
    same = all(a is b for a, b in zip(children, inside))
    return result if same else nest.rebuild(result, inside)


def as_tensors(result: object, function_name: str) -> object:
    """Convert the numbers and strings of a result to tensors, for a Function traced inline."""
    return nest.map_structure(lambda leaf: _inlined(leaf, function_name), result)


def _inlined(leaf: object, function_name: str) -> object:
    leaf = as_tensor_operand(leaf)
    if (
        leaf is None
        or isinstance(leaf, (PossiblyUnbound, OptionalValue, DynamicItems))
        or _is_object(leaf)
    ):
        return leaf
    return _tensor(leaf, function_name)


def _is_object(leaf: object) -> bool:
    """Return whether a leaf is an object of a plain user class, or one of several such objects."""
    if isinstance(leaf, _CONVERTIBLE):
        return False
    options = leaf.options if isinstance(leaf, OneOfObjects) else (leaf,)
    return all(record_of(option) is not None for option in options)


def _leaf_builder(leaf: object, templates: ObjectTemplates, function_name: str) -> ResultBuilder:
    tensors, leaf = templates.tensors, as_tensor_operand(leaf)
    if leaf is None:
        return NoneResult()
    if isinstance(leaf, SameObject):
        return leaf
    if isinstance(leaf, OptionalItems):
        return DictWithOptionalItems(
            leaf, tensors, lambda part: collect(part, templates, function_name)
        )
    if is_made_at_run_time(leaf):
        realized = Materialized(leaf, tensors)
        templates.has_numbers |= realized.is_named
        return realized
    if isinstance(leaf, AliasedContainer):
        return RebuiltObject(leaf.value, templates, function_name)
    if _is_object(leaf):
        return RebuiltObject(leaf, templates, function_name)
    tensors.append(_tensor(leaf, function_name))
    return TensorOutput(len(tensors) - 1)


def _kinds(leaf: object) -> str:
    options = leaf.options if isinstance(leaf, OneOfObjects) else (leaf,)
    return " or ".join(dict.fromkeys(type(option).__name__ for option in options))


def _instead(leaf: object) -> str:
    """Return the remedy, for an error, for a result that is an enum member or an object."""
    options = leaf.options if isinstance(leaf, OneOfObjects) else (leaf,)
    if all(isinstance(option, Enum) for option in options):
        kind = type(options[0]).__name__
        return f": return its .value, and make the member of it outside, as in {kind}(value)"
    return ": return what it holds, such as its attributes" if len(options) > 1 else ""


def _tensor(leaf: object, function_name: str) -> Tensor:
    if isinstance(leaf, Undefined):
        leaf.read()
    if isinstance(leaf, UnjoinableValue):
        raise leaf.error
    if not isinstance(leaf, _CONVERTIBLE):
        raise ResultError(
            f"{function_name} returned a value of type {_kinds(leaf)}; a traced function "
            "returns tensors, numbers, strings, None, objects of plain classes, and lists, tuples "
            "or dicts of them"
            f"{_instead(leaf)}"
        )
    if isinstance(leaf, TensorShape) and leaf.rank is not None:
        sizes: Any = list(leaf)
        return convert_to_tensor(leaf if any(size is None for size in sizes) else sizes, int32)
    return convert_to_tensor(leaf)


def with_known_containers(value: object, function_name: str) -> Any:
    """Return the result of a trace, with the current contents of its containers.

    Raises:
        SignatureError: it contains itself, or nests too deep.
    """
    try:
        return checked_result(value)
    except RecursionError as error:
        what = f"the result of {function_name}"
        raise depth_error(value, what, error, SignatureError) from None
