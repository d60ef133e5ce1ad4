"""A dict of which some items are there on some paths only, as converted code meets it.

    if c: d["k"] = v      d holds {"k": Maybe(c, v)}; here it stands for a dict
    d["k"]                a check that raises KeyError('k') when the graph runs, and v
    "k" in d              c

The user's dict stays the object it is; this reads and changes what it holds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NoReturn

import runtime as rt
from autograph.backends.graph.conditional import staged_choice
from autograph.backends.graph.iteration import as_weak
from autograph.backends.graph.places import user_place
from autograph.backends.graph.truth import perhaps_length
from autograph.backends.maybe import Maybe
from autograph.errors import StagingError

_NO_DEFAULT = object()
_OF_DEFAULTS = defaultdict.__missing__


class StagedDict:
    """What Python's operators and methods of dicts mean on such a dict.

    Args:
        items: the user's dict.
    """

    __slots__ = ("held",)

    def __init__(self, items: dict[Any, Any]) -> None:
        self.held = items

    def holds(self, key: object) -> object:
        """Return `key in d`: a Python bool, or a tensor where the graph decides."""
        value = dict.get(self.held, _known(key), _NO_DEFAULT)
        if isinstance(value, Maybe):
            return value.defined
        return value is not _NO_DEFAULT

    def length(self) -> object:
        """Return how many items there are, as a tensor that stands for a Python int."""
        length = perhaps_length(self.held)
        return len(self.held) if length is None else as_weak(length)

    # -- operators ---------------------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Any:
        value = dict.get(self.held, _known(key), _NO_DEFAULT)
        if not isinstance(value, Maybe):
            return self.held[key]
        return self._made_where_missing(key, value)

    def _made_where_missing(self, key: Any, value: Maybe) -> Any:
        """Return what is there, else what `__missing__` of a Counter and its like gives."""
        missing = getattr(type(self.held), "__missing__", None)
        if missing is None or (missing is _OF_DEFAULTS and not _makes_missing(self.held)):
            return value.read()
        if missing is _OF_DEFAULTS:
            return self.setdefault(key, self.held.default_factory())  # type: ignore[attr-defined]
        made: Callable[[], object] = partial(missing, self.held, key)
        return either(value, made, [("d", self.held)])

    def __setitem__(self, key: Any, value: Any) -> None:
        self.held[_known(key)] = value

    def __delitem__(self, key: Any) -> None:
        value = dict.get(self.held, _known(key), _NO_DEFAULT)
        if isinstance(value, Maybe):
            value.read()
        del self.held[key]

    def refuse(self, *others: object) -> NoReturn:
        """Raise StagingError: Python itself asks for all items, or how many there are."""
        names = ", ".join(repr(key) for key, value in self.held.items() if isinstance(value, Maybe))
        raise StagingError(
            f"whether {names} is in this dict is known only when the graph runs, so Python cannot "
            "go over its items, compare or copy it here: ask with `in` or d.get(...), or give the "
            "key a value on every path",
            user_place(),
        )

    __iter__ = __bool__ = __len__ = __or__ = __ror__ = __ior__ = __eq__ = __ne__ = refuse
    keys = values = items = popitem = __reversed__ = refuse
    __hash__ = None  # type: ignore[assignment]

    # -- methods -----------------------------------------------------------------------------------

    def get(self, key: Any, default: Any = None) -> Any:
        """Do `d.get(key, default)`."""
        value = dict.get(self.held, _known(key), _NO_DEFAULT)
        if isinstance(value, Maybe):
            return either(value, lambda: default)
        return default if value is _NO_DEFAULT else value

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """Do `d.setdefault(key, default)`."""
        self.held[key] = value = self.get(key, default)
        return value

    def pop(self, key: Any, default: Any = _NO_DEFAULT) -> Any:
        """Do `d.pop(key)` or `d.pop(key, default)`."""
        value = self[key] if default is _NO_DEFAULT else self.get(key, default)
        dict.pop(self.held, key, None)
        return value

    def update(self, *others: Any, **more: Any) -> None:
        """Do `d.update(...)`."""
        self.held.update(*others, **more)

    def clear(self) -> None:
        """Do `d.clear()`."""
        self.held.clear()

    def copy(self) -> dict[Any, Any]:
        """Return a dict of the same items."""
        return self.held.copy()


def has_perhaps(value: object) -> bool:
    """Tell whether a value is a dict with an item that is there on some paths only."""
    return isinstance(value, dict) and any(type(v) is Maybe for v in dict.values(value))


def either(
    value: Maybe, otherwise: Callable[[], object], roots: Iterable[tuple[str, object]] = ()
) -> object:
    """Return what may be there where it is, else what `otherwise()` gives.

    `roots` are objects, by name, that `otherwise` may change.
    """
    text = f"{value.name} is there"
    defined = rt.convert_to_tensor(value.defined)
    return staged_choice(defined, lambda: value.value, otherwise, text, roots)


def _makes_missing(items: object) -> bool:
    return getattr(items, "default_factory", None) is not None


def _known(key: object) -> Any:
    if isinstance(key, (rt.Tensor, rt.Variable)):
        raise StagingError(
            "a dict of which some items are there on some paths only cannot be indexed by a "
            "tensor: give every key a value on every path",
            user_place(),
        )
    return key
