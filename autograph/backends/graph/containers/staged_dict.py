"""A dict some of whose items are present on some paths only.

    if c: d["k"] = v      d holds {"k": PossiblyUnbound(c, v)}; converted code uses a `StagedDict`
    d["k"]                a check that raises KeyError('k') at run time, and v
    "k" in d              c

The user's dict keeps its identity; the `StagedDict` reads and changes its contents.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from functools import partial, reduce
from types import FunctionType, MethodType
from typing import Any, NoReturn

import runtime as rt
from autograph.backends.attribute_fallback import AttributeFallback
from autograph.backends.graph.containers.dict_views import StagedDictView
from autograph.backends.graph.containers.method_signatures import python_kind, takes_arguments_as
from autograph.backends.graph.containers.staged_list import StagedList
from autograph.backends.graph.control.conditional import (
    NO_STATE,
    do_nothing,
    staged_choice,
    staged_if,
)
from autograph.backends.graph.source.library_boundary import is_library_file
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.state.key_order import record_key_assigned
from autograph.backends.graph.values.branch_facts import known_value
from autograph.backends.graph.values.iterables import as_weak
from autograph.backends.graph.values.truth import as_python_bool, items_equal, optional_dict_length
from autograph.backends.graph.values.unknown_key_order import (
    has_unknown_order,
    record_unknown_order,
)
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.errors import StagingError
from runtime.ops.effects.raising import raise_error


def check_key(found: rt.Tensor, key: Any) -> None:
    """Record a check that raises `KeyError(key)` at run time if the key is not found."""
    held = as_weak(rt.identity(key)) if rt.convert_to_tensor(key).shape.rank == 0 else key
    missing = KeyError(held)
    staged_if(rt.logical_not(found), partial(raise_error, missing), do_nothing, NO_STATE)


# -- staged dict -----------------------------------------------------------------------------------


NO_DEFAULT = object()
_ASSIGNING = (dict.update, OrderedDict.update)
_OF_DEFAULTS = defaultdict.__missing__


def _is_users_method(found: object) -> bool:
    """Return whether a value is a method of a user class, which is converted when called."""
    function: object = found.__func__ if type(found) is MethodType else None
    if type(function) is not FunctionType:
        return False
    return not is_library_file(function.__code__.co_filename)


@takes_arguments_as(dict)
class StagedDict:
    """The operators and methods of Python's dicts, on a staged dict.

    Args:
        items: the user's dict.
    """

    __slots__ = ("user_object",)

    def __init__(self, items: dict[Any, Any]) -> None:
        self.user_object = items

    @property
    def stands_for(self) -> dict[Any, Any]:
        """The user's dict."""
        return self.user_object

    def contains_item(self, key: object) -> object:
        """Return `key in d`: a Python bool, or a tensor if only the graph knows."""
        value = dict.get(self.user_object, _known(key), NO_DEFAULT)
        if isinstance(value, PossiblyUnbound):
            return value.defined
        return value is not NO_DEFAULT

    def length(self) -> Any:
        """Return the number of items, an int or a tensor that stands for one."""
        length = optional_dict_length(self.user_object)
        return len(self.user_object) if length is None else as_weak(length)

    # -- operators ---------------------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, (rt.Tensor, rt.Variable)):
            found, pick = self._under(key)
            check_key(found, key)
            return pick()
        value = dict.get(self.user_object, _known(key), NO_DEFAULT)
        if not isinstance(value, PossiblyUnbound):
            return self.user_object[key]
        return self._made_where_missing(key, value)

    def _made_where_missing(self, key: Any, value: PossiblyUnbound) -> Any:
        """Return the value if it is present, else the result of the dict's `__missing__`."""
        missing = getattr(type(self.user_object), "__missing__", None)
        if missing is None or (missing is _OF_DEFAULTS and not _makes_missing(self.user_object)):
            return value.as_item(key).read()  # it may be an attribute, in `vars(o)`
        if missing is _OF_DEFAULTS:
            return self.setdefault(key, self.user_object.default_factory())  # type: ignore[attr-defined]
        made: Callable[[], object] = partial(missing, self.user_object, key)
        return value_or(value, made, [("d", self.user_object)])

    def _under(self, key: object) -> tuple[rt.Tensor, Callable[[], object]]:
        """Return whether a key equals a tensor, and a function that returns the value under it."""
        equal = [
            rt.logical_and(_is_there(value), items_equal(each, key))
            for each, value in self.user_object.items()
        ]
        found = rt.stack(equal)
        values = [_inside(value) for value in self.user_object.values()]
        return rt.reduce_any(found), lambda: StagedList(values).item(
            rt.argmax(rt.cast(found, rt.int32))
        )

    def __setitem__(self, key: Any, value: Any) -> None:
        record_key_assigned(self.user_object, _known(key))
        self.user_object[key] = value

    def __delitem__(self, key: Any) -> None:
        value = dict.get(self.user_object, _known(key), NO_DEFAULT)
        if isinstance(value, PossiblyUnbound):
            value.read()
        del self.user_object[key]

    def refuse(self, *others: object, **options: object) -> NoReturn:
        """Raise StagingError: Python itself asks for all items, or how many there are."""
        self.keys().refuse()

    def __ior__(self, other: Any) -> Any:
        self.update(other)
        return self.user_object

    __iter__ = __bool__ = __len__ = popitem = __reversed__ = refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __and__ = __rand__ = __pos__ = __neg__ = refuse
    __lt__ = __le__ = __gt__ = __ge__ = refuse
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> Any:
        others = other.user_object if isinstance(other, StagedDict) else other
        if not isinstance(others, dict):
            return False
        if isinstance(others, OrderedDict) and isinstance(self.user_object, OrderedDict):
            # These also compare the order; an unknown order is refused here.
            return as_python_bool(
                rt.logical_and(_same_order(self.user_object, others), self._same_items(others))
            )
        return as_python_bool(self._same_items(others))

    def _same_items(self, others: dict[Any, Any]) -> rt.Tensor:
        pairs = [self._same(key, others) for key in {**self.user_object, **others}]
        return reduce(rt.logical_and, pairs, rt.constant(True))

    def __ne__(self, other: object) -> Any:
        return as_python_bool(rt.logical_not(self == other))

    def _same(self, key: object, others: dict[Any, Any]) -> rt.Tensor:
        """Return whether a key is in both dicts with equal values, or in neither."""
        first, second = (dict.get(each, key, NO_DEFAULT) for each in (self.user_object, others))
        one, other = (rt.convert_to_tensor(_is_there(value)) for value in (first, second))
        either_has = rt.logical_or(one, other)
        if first is NO_DEFAULT or second is NO_DEFAULT:
            return rt.logical_not(either_has)
        values = [_inside(value) for value in (first, second)]
        both = rt.logical_and(rt.logical_and(one, other), items_equal(*values))
        return rt.logical_or(both, rt.logical_not(either_has))

    def __or__(self, other: Any) -> Any:
        return self._merged(self.user_object, other) if _is_dict(other) else NotImplemented

    def __ror__(self, other: Any) -> Any:
        return self._merged(other, self.user_object) if _is_dict(other) else NotImplemented

    def _merged(self, first: Any, second: Any) -> Any:
        made = StagedDict(first).copy()
        StagedDict(made).update(second)
        return made

    # -- iteration ---------------------------------------------------------------------------------

    def keys(self) -> StagedDictView:
        """Execute `d.keys()`."""
        return StagedDictView(self.user_object, "keys")

    def values(self) -> StagedDictView:
        """Execute `d.values()`."""
        return StagedDictView(self.user_object, "values")

    def items(self) -> StagedDictView:
        """Execute `d.items()`."""
        return StagedDictView(self.user_object, "items")

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.user_object, name)
        if callable(found) and not _is_users_method(found):
            self.refuse()
        return found

    # -- methods -----------------------------------------------------------------------------------

    def get(self, key: Any, default: Any = None) -> Any:
        """Execute `d.get(key, default)`."""
        if isinstance(key, (rt.Tensor, rt.Variable)):
            found, pick = self._under(key)
            return staged_choice(found, pick, lambda: default, "d.get(...)")
        value = dict.get(self.user_object, _known(key), NO_DEFAULT)
        if isinstance(value, PossiblyUnbound):
            return value_or(value, lambda: default)
        return default if value is NO_DEFAULT else value

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """Execute `d.setdefault(key, default)`."""
        self[key] = value = self.get(key, default)
        return value

    def pop(self, key: Any, default: Any = NO_DEFAULT) -> Any:
        """Execute `d.pop(key)` or `d.pop(key, default)`."""
        value = self._present(key) if default is NO_DEFAULT else self.get(key, default)
        python_kind(self.user_object).pop(self.user_object, key, None)  # type: ignore[attr-defined]
        return value

    def _present(self, key: Any) -> Any:
        """Return the value under a key, without the dict's `__missing__`."""
        if isinstance(key, (rt.Tensor, rt.Variable)):
            return self[key]
        value = dict.get(self.user_object, key, NO_DEFAULT)
        if value is NO_DEFAULT:
            raise KeyError(key)
        return value.as_item(key).read() if isinstance(value, PossiblyUnbound) else value

    def update(self, /, *others: Any, **more: Any) -> None:
        """Execute `d.update(...)`."""
        for other in (*others, more):
            if type(self.user_object).update not in _ASSIGNING:
                self.refuse()  # a Counter counts
            new = other.user_object if isinstance(other, StagedDict) else dict(other)
            for key, value in new.items():
                self._put(key, value)

    def _put(self, key: Any, value: Any) -> None:
        """Assign a value to a key; an optional value keeps the old one on other paths."""
        old = dict.get(self.user_object, key, NO_DEFAULT)
        record_key_assigned(self.user_object, key)
        if not isinstance(value, PossiblyUnbound) or old is NO_DEFAULT:
            self.user_object[key] = value
        elif not isinstance(old, PossiblyUnbound):
            self.user_object[key] = value_or(value, lambda: old)
        else:
            new = value.with_value(value_or(value, lambda: old.value))
            new.defined = rt.logical_or(value.defined, old.defined)
            self.user_object[key] = new

    def clear(self) -> None:
        """Execute `d.clear()`."""
        self.user_object.clear()

    def copy(self) -> dict[Any, Any]:
        """Return a dict of the same items."""
        made = self.user_object.copy()
        if has_unknown_order(self.user_object):
            record_unknown_order(made)
        return made


def has_optional_items(value: object) -> bool:
    """Return whether a value is a dict with optional items, or with an unknown order of keys."""
    if not isinstance(value, dict):
        return False
    return any(type(v) is PossiblyUnbound for v in dict.values(value)) or has_unknown_order(value)


def value_or(
    value: PossiblyUnbound,
    otherwise: Callable[[], object],
    roots: Iterable[tuple[str, object]] = (),
) -> object:
    """Return the value if it is present, else the result of `otherwise()`.

    `roots` are objects, by name, that `otherwise` may change.
    """
    text = f"{value.name} is there"
    defined = rt.convert_to_tensor(value.defined)
    return staged_choice(defined, lambda: value.value, otherwise, text, roots)


def _choose(value: PossiblyUnbound, fallback: AttributeFallback) -> object:
    """Return an attribute if it is present, else the result of its fallback."""
    there = known_value(value.defined)
    if there is not None:
        return value.value if there else fallback()
    owner, name = fallback.owner, fallback.name
    chosen = value_or(value, fallback, [(type(owner).__name__, owner)])
    if fallback.is_cached:
        vars(owner)[name] = chosen
    return chosen


PossiblyUnbound.choose = staticmethod(_choose)


def _same_order(first: dict[Any, Any], second: dict[Any, Any]) -> bool:
    """Return whether two dicts have the same keys in the same order.

    Raises:
        StagingError: if a key is present, or in its place, on some paths only.
    """
    both = [StagedDictView(each, "keys") for each in (first, second)]
    places = [[(key, there) for there, key in view.guarded_items()] for view in both]
    if any(there is not True for each in places for _, there in each):
        both[0].refuse()
    return [key() for key, _ in places[0]] == [key() for key, _ in places[1]]


def _is_there(value: object) -> Any:
    return value.defined if isinstance(value, PossiblyUnbound) else value is not NO_DEFAULT


def _inside(value: object) -> object:
    return value.value if isinstance(value, PossiblyUnbound) else value


def _is_dict(value: object) -> bool:
    return isinstance(value, (dict, StagedDict))


def _makes_missing(items: object) -> bool:
    return getattr(items, "default_factory", None) is not None


def _known(key: object) -> Any:
    if isinstance(key, (rt.Tensor, rt.Variable)):
        raise StagingError(
            "a dict of which some items are there on some paths only cannot be indexed by a "
            "tensor: give every key a value on every path",
            user_location(),
        )
    return key
