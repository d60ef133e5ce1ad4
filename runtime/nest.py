"""Nested structures: flattens containers to their leaves, and rebuilds them.

Containers are lists, tuples, namedtuples, mappings (by sorted key), dataclass and attrs instances,
and registered types. Everything else is a leaf, including None.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from operator import getitem
from typing import Any, NamedTuple, cast

from runtime.core.converter_hooks import staged
from runtime.core.lazy_imports import own_names
from runtime.core.nesting_depth import depth_error as _depth_error
from runtime.core.stored_attributes import stored_attributes
from runtime.core.weak_tables import weakref_removing
from runtime.errors import ArgumentValueError, DTypeError, DTypeValueError


class Container(NamedTuple):
    """The functions that flatten and rebuild one type of container.

    Attributes:
        keys: returns the keys of an instance, in the order of its children.
        get: returns the child at a key.
        rebuild: returns a similar instance with other children.
        show: the format of the code that accesses the child at a key.
        form: returns a value that is equal for instances that differ only in keys and children.

    >>> rows = Container(lambda row: range(len(row)), lambda row, at: row[at], lambda row, new: new)
    >>> [rows.get("ab", key) for key in rows.keys("ab")]
    ['a', 'b']
    """

    keys: Callable[[Any], Sequence[Any]]
    get: Callable[[Any, Any], Any]
    rebuild: Callable[[Any, Sequence[Any]], Any]
    show: str = "[{!r}]"
    form: Callable[[Any], object] | None = None


def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """Return the leaves in order.

    Args:
        expand_composites: has no effect here, since no leaf consists of tensors.

    >>> flatten({"b": [1, (2,)], "a": None})
    [None, 1, 2]
    """
    leaves: list[Any] = []
    try:
        _collect(structure, leaves)
    except RecursionError as error:
        raise _depth_error(structure, "the structure", error) from None
    return leaves


def unflatten(like: Any, leaves: Sequence[Any]) -> Any:
    """Return `leaves` in the structure of `like`.

    Raises:
        DTypeError: the leaves are not in a sequence.
        ArgumentValueError: their number is not that of the structure.

    >>> unflatten({"b": [0, (0,)], "a": 0}, [1, 2, 3])
    {'b': [2, (3,)], 'a': 1}
    """
    if type(leaves) is not list:
        if not isinstance(leaves, Iterable) or getattr(leaves, "ndim", None) == 0:
            raise DTypeError(f"leaves must be a list, not {type(leaves).__name__}")
        leaves = list(leaves)
    rest = iter(leaves)
    try:
        packed = _fill(like, rest)
    except RecursionError as error:
        raise _depth_error(like, "the structure", error) from None
    except StopIteration:
        raise _wrong_count(like, leaves) from None
    for _ in rest:
        raise _wrong_count(like, leaves)
    return packed


def pack_sequence_as(
    structure: Any, flat_sequence: Sequence[Any], expand_composites: bool = False
) -> Any:
    """Return the leaves in the structure, as `unflatten` does.

    Raises:
        DTypeError: the leaves are not in a sequence.
        ArgumentValueError: their number is not that of the structure.

    >>> pack_sequence_as({"a": 0, "b": [0, 0]}, [1, 2, 3])
    {'a': 1, 'b': [2, 3]}
    """
    if not isinstance(flat_sequence, Sequence) or isinstance(flat_sequence, (str, bytes)):
        kind = type(flat_sequence).__name__
        raise DTypeError(f"flat_sequence must be a list, not {kind}")
    return unflatten(structure, flat_sequence)


def map_structure(
    func: Callable[..., Any],
    *structure: Any,
    check_types: bool = True,
    expand_composites: bool = False,
) -> Any:
    """Apply `func` to the leaves of structures that have the same form.

    Args:
        check_types: whether the types of the containers must match; those of the result are the
            first structure's.

    Raises:
        DTypeError: `func` is not callable, or types of containers differ.
        ArgumentValueError: the structures differ otherwise, or there is none.

    >>> map_structure(lambda x, y: x + y, {"a": 1, "b": [2]}, {"a": 10, "b": [20]})
    {'a': 11, 'b': [22]}
    """
    if not callable(func):
        raise DTypeError(f"map_structure takes a function first, not {func!r}")
    if not structure:
        raise ArgumentValueError("map_structure needs at least one structure")
    func = staged(func)
    first, *others = structure
    for other in others:
        assert_same_structure(first, other, check_types)
    return unflatten(
        first, [func(*leaves) for leaves in zip(*map(flatten, structure), strict=True)]
    )


def flatten_with_paths(structure: Any) -> list[tuple[str, Any]]:
    """Return (path, leaf) pairs; a path is the code that accesses the leaf, without the variable.

    >>> flatten_with_paths({"a": [1, 2]})
    [("['a'][0]", 1), ("['a'][1]", 2)]
    """
    return list(_walk(structure, ""))


def is_nested(seq: Any) -> bool:
    """Return whether `seq` is a container, not a leaf.

    >>> is_nested([1]), is_nested({}), is_nested("text")
    (True, True, False)
    """
    return _container(type(seq)) is not None


def assert_same_structure(
    nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False
) -> None:
    """Do nothing if both have the same structure.

    Raises:
        DTypeError: the types of containers differ; the message names the first place. It is a
            DTypeValueError if only one of the two is a container.
        ArgumentValueError: sizes or keys differ; the message names the first place.

    >>> assert_same_structure({"a": [1, 2]}, {"a": [1, 2, 3]})
    Traceback (most recent call last):
    runtime.errors.ArgumentValueError: the structures differ at ['a']: list of 2 vs list of 3
    """
    if not isinstance(check_types, int):
        raise DTypeError(f"check_types must be True or False, not {check_types!r}")
    try:
        _compare(nest1, nest2, "", bool(check_types))
    except RecursionError as error:
        raise _depth_error([nest1, nest2], "the structure", error) from None


def children(structure: Any) -> list[Any] | None:
    """Return a container's direct children, in the order of its leaves; None for a leaf.

    >>> children({"b": [1, 2], "a": 3})
    [3, [1, 2]]
    """
    container = _container(type(structure))
    if container is None:
        return None
    return [container.get(structure, key) for key in container.keys(structure)]


def rebuild(like: Any, children: Sequence[Any]) -> Any:
    """Return a container like `like` with other children.

    Raises:
        DTypeError: `like` is a leaf.
        ArgumentValueError: the number of children is wrong.

    >>> rebuild((1, [2]), ["a", "b"])
    ('a', 'b')
    """
    container = _container(type(like))
    if container is None:
        raise DTypeError(f"a {type(like).__name__} holds nothing else, so it has no children")
    count = len(list(container.keys(like)))
    if not isinstance(children, Sequence) or len(children) != count:
        raise ArgumentValueError(
            f"children must be a list of {count}, the number of children of the container"
        )
    return container.rebuild(like, children)


def steps(structure: Any) -> list[str]:
    """Return the code that accesses each child of a container, without the container.

    >>> steps({"k": 1})
    ["['k']"]
    """
    container = _container(type(structure))
    if container is None:
        return []
    return [container.show.format(key) for key in container.keys(structure)]


def register(
    kind: type,
    flatten: Callable[[Any], Sequence[Any]],
    unflatten: Callable[[Any, Sequence[Any]], Any],
    form: Callable[[Any], object] | None = None,
) -> None:
    """Register a type whose instances are containers.

    Args:
        flatten: returns the children of an instance.
        unflatten: `unflatten(instance, children)` makes a similar instance with other children.
        form: returns a value that is equal for instances that differ only in their children.

    Raises:
        DTypeError: `kind` is not a class, or another argument is not a function.

    >>> class Box:
    ...     def __init__(self, item):
    ...         self.item = item
    >>> register(Box, lambda box: [box.item], lambda box, items: Box(*items))
    >>> map_structure(lambda number: number + 1, Box(2)).item
    3
    """
    if not isinstance(kind, type):
        raise DTypeError(f"register takes a class first, not {kind!r:.60}")
    for name, given in (("flatten", flatten), ("unflatten", unflatten), ("form", form)):
        if not callable(given) and not (name == "form" and given is None):
            raise DTypeError(f"register: {name} must be a function, not {given!r:.60}")
    _REGISTERED[kind] = container = Container(
        lambda x: range(len(flatten(x))), lambda x, i: flatten(x)[i], unflatten, form=form
    )
    _remember(kind, container)


def form_of(structure: Any) -> object:
    """Return a key that is equal for containers that differ only in their children and keys.

    >>> form_of([1]) == form_of([2, 3])
    True
    """
    container, kind = _container(type(structure)), type(structure)
    return (
        kind if container is None or container.form is None else (kind, container.form(structure))
    )


def _collect(structure: Any, leaves: list[Any]) -> None:
    kind = type(structure)
    if kind is tuple or kind is list:
        for child in structure:
            _collect(child, leaves)
        return
    container = _container(kind)
    if container is None:
        leaves.append(structure)
        return
    for key in container.keys(structure):
        _collect(container.get(structure, key), leaves)


def _fill(like: Any, leaves: Iterator[Any]) -> Any:
    container = _container(type(like))
    if container is None:
        return next(leaves)
    children = []
    for key in container.keys(like):
        children.append(_fill(container.get(like, key), leaves))
    return container.rebuild(like, children)


def _walk(structure: Any, path: str) -> Iterator[tuple[str, Any]]:
    container = _container(type(structure))
    if container is None:
        yield path, structure
        return
    for key in container.keys(structure):
        yield from _walk(container.get(structure, key), path + container.show.format(key))


def _compare(a: Any, b: Any, path: str, check_types: bool) -> None:
    container, other = _container(type(a)), _container(type(b))
    place = f" at {path}" if path else ""
    if (container is None) != (other is None) or (check_types and not _same_kind(a, b)):
        kind = DTypeError if container is not None and other is not None else DTypeValueError
        raise kind(f"the structures differ{place}: {_described(a)} vs {_described(b)}")
    if container is None or other is None:
        return
    keys, other_keys = list(container.keys(a)), list(other.keys(b))
    if len(keys) != len(other_keys) or (check_types and keys != other_keys):
        raise ArgumentValueError(
            f"the structures differ{place}: {_described(a)} vs {_described(b)}"
        )
    for key, other_key in zip(keys, other_keys, strict=True):
        child, other_child = container.get(a, key), other.get(b, other_key)
        _compare(child, other_child, path + container.show.format(key), check_types)


def _same_kind(a: Any, b: Any) -> bool:
    if _container(type(a)) is None:
        return True
    if type(a) is type(b):
        return form_of(a) == form_of(b)
    return isinstance(a, Mapping) and isinstance(b, Mapping)


def _described(structure: Any) -> str:
    container = _container(type(structure))
    name = type(structure).__name__
    if container is None:
        return f"a leaf ({name})"
    if isinstance(structure, Mapping):
        return f"{name} with keys {list(container.keys(structure))}"
    if container.form is not None:
        return f"{name} of {container.form(structure)}"
    return f"{name} of {len(container.keys(structure))}"


def _wrong_count(like: Any, leaves: Sequence[Any]) -> ArgumentValueError:
    return ArgumentValueError(f"the structure has {len(flatten(like))} leaves, got {len(leaves)}")


def _indices(sequence: Sequence[Any]) -> range:
    return range(len(sequence))


def _sorted_keys(mapping: Mapping[Any, Any]) -> list[Any]:
    try:
        return sorted(mapping)
    except TypeError:
        return sorted(mapping, key=lambda key: (type(key).__name__, repr(key)))


def _rebuild_mapping(like: Mapping[Any, Any], children: Sequence[Any]) -> Any:
    by_key = dict(zip(_sorted_keys(like), children, strict=True))
    items = [(key, by_key[key]) for key in like]
    if isinstance(like, defaultdict):
        return type(like)(like.default_factory, items)
    return cast(Any, type(like))(dict(items))


def _record_rebuilder(names: Callable[[Any], Sequence[str]]) -> Callable[[Any, Sequence[Any]], Any]:
    def rebuild(like: Any, children: Sequence[Any]) -> Any:
        # Sets the fields without `__init__` and `__setattr__`, which a frozen class rejects.
        record = object.__new__(type(like))
        for name, value in stored_attributes(like).items():
            object.__setattr__(record, name, value)
        for name, child in zip(names(like), children, strict=True):
            object.__setattr__(record, name, child)
        return record

    return rebuild


def _dataclass_names(record: Any) -> list[str]:
    # Of the class, since a class that defines `__getattr__` may mislead `fields`.
    return [field.name for field in fields(type(record))]


def _attrs_names(record: Any) -> list[str]:
    return [attribute.name for attribute in type(record).__attrs_attrs__]


_SEQUENCE = Container(_indices, getitem, lambda like, children: type(like)(children))
_NAMED_TUPLE = Container(
    lambda like: type(like)._fields, getattr, lambda like, children: type(like)(*children), ".{}"
)
_MAPPING = Container(_sorted_keys, getitem, _rebuild_mapping)
_DATACLASS = Container(_dataclass_names, getattr, _record_rebuilder(_dataclass_names), ".{}")
_ATTRS = Container(_attrs_names, getattr, _record_rebuilder(_attrs_names), ".{}")

# The types that were registered.
_REGISTERED: dict[type, Container] = {}
# The Container of each type seen so far, by the type's identity: types are not kept alive.
_KNOWN: dict[int, Container | None] = {}
# Weak references by the type's identity; they remove it from both tables.
_REFERENCES: dict[int, list[object]] = {}


def field_names(value: Any) -> list[str] | None:
    """Return the names of the fields of a named tuple, dataclass or attrs instance, else None.

    >>> from collections import namedtuple
    >>> field_names(namedtuple("Pair", "x y")(1, 2)), field_names((1, 2))
    (['x', 'y'], None)
    """
    container = _container(type(value))
    if container not in (_NAMED_TUPLE, _DATACLASS, _ATTRS):
        return None
    return list(container.keys(value))


def _container(kind: type) -> Container | None:
    try:
        return _KNOWN[id(kind)]
    except KeyError:
        return _remember(kind, _classified(kind))


def _remember(kind: type, container: Container | None) -> Container | None:
    identity = id(kind)
    tables: tuple[dict[int, Any], ...] = (_KNOWN, _REFERENCES)
    _REFERENCES[identity] = [weakref_removing(kind, table, identity) for table in tables]
    _KNOWN[identity] = container
    return container


def _classified(kind: type) -> Container | None:
    for base in kind.__mro__[1:]:
        if base in _REGISTERED:
            return _REGISTERED[base]
    if kind is dict:
        return _MAPPING
    if issubclass(kind, tuple):
        return _NAMED_TUPLE if hasattr(kind, "_fields") else _SEQUENCE
    if issubclass(kind, list):
        return _SEQUENCE
    if issubclass(kind, Mapping):
        return _MAPPING
    if is_dataclass(kind):
        return _DATACLASS
    return _ATTRS if hasattr(kind, "__attrs_attrs__") else None


__dir__ = own_names(__name__)
