"""One of several Python objects, which a tensor selects at run time."""

from __future__ import annotations

import copy
import operator
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import is_dataclass
from functools import reduce
from typing import Any, ClassVar, NoReturn

import runtime as rt
from autograph.backends.graph.objects.attribute_reads import is_read_by_python, report_user_read
from autograph.backends.graph.objects.object_contents import StoredAttributes, contents_of
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.errors import StagingError
from autograph.operators.user_classes import special_method

# Python's operators by symbol, with the names of their special methods.
OPERATORS: Mapping[str, str] = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "truediv",
    "//": "floordiv",
    "%": "mod",
    "**": "pow",
    "@": "matmul",
    "&": "and",
    "|": "or",
    "^": "xor",
    "<<": "lshift",
    ">>": "rshift",
}
COMPARISONS: Mapping[str, str] = {
    "<": "lt",
    "<=": "le",
    ">": "gt",
    ">=": "ge",
    "==": "eq",
    "!=": "ne",
}
Action = Callable[[Any], object]
# Records a choice between the results of an action for each object; `case_dispatch` sets it.
Picker = Callable[..., Any]


_ABSENT: object = object()


def _stored(options: Sequence[object], name: str) -> Sequence[object] | None:
    """Return the attribute that each object stores; None if code may compute that of one."""
    if not all(is_read_by_python(type(each), name) for each in options):
        return None
    held = [(contents_of(StoredAttributes(each)) or {}).get(name, _ABSENT) for each in options]
    return None if any(each is _ABSENT for each in held) else held


def _attribute(owner: object, name: str) -> object:
    """Return an attribute, after a check that it exists on the path."""
    value = getattr(owner, name)
    return value.read() if type(value) is PossiblyUnbound else value


class OneOfObjects:
    """One of a few Python objects, which a tensor selects.

    An operation on it is traced for each object, on a path of its own. One of Python's own code
    that needs the same result on all paths, such as `hash`, is an error: `refuse`.

    Attributes:
        index: a scalar int32 tensor: the position of the object in `options`.
        options: the objects.
    """

    __slots__ = ("index", "options")
    pick: ClassVar[Picker]
    choose: ClassVar[Callable[[OneOfObjects, Sequence[object], str], Any]]

    def __init__(self, index: rt.Tensor, options: tuple[object, ...]) -> None:
        object.__setattr__(self, "index", index)
        object.__setattr__(self, "options", options)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        given = (*args, *kwargs.values())
        return OneOfObjects.pick(self, lambda each: each(*args, **kwargs), "a call", *given)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        report_user_read(*self.options)
        return self.attribute(name)

    def __setattr__(self, name: str, value: object) -> None:
        OneOfObjects.pick(
            self, lambda each: setattr(each, name, value), f"attribute '{name}'", value
        )

    def __delattr__(self, name: str) -> None:
        OneOfObjects.pick(self, lambda each: delattr(each, name), f"attribute '{name}'")

    def __getitem__(self, index: object) -> Any:
        return OneOfObjects.pick(self, lambda each: each[index], "an item")

    def __setitem__(self, index: object, value: object) -> None:
        OneOfObjects.pick(self, lambda each: each.__setitem__(index, value), "an item", value)

    def __delitem__(self, index: object) -> None:
        OneOfObjects.pick(self, lambda each: each.__delitem__(index), "an item")

    def __copy__(self) -> Any:
        return OneOfObjects.pick(self, copy.copy, "a copy")

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        refuse_in_asdict(*self.options)
        # Each path makes its own copies and must not find those of another path in the memo.
        return OneOfObjects.pick(self, lambda each: copy.deepcopy(each, dict(memo)), "a copy")

    def attribute(self, name: str) -> Any:
        """Return an attribute of the object, even one that this class has itself."""
        held = _stored(self.options, name) if len(self.options) > 2 else None
        if held is not None and all(type(each) is not PossiblyUnbound for each in held):
            return OneOfObjects.choose(self, held, f"attribute '{name}'")
        return OneOfObjects.pick(self, lambda each: _attribute(each, name), f"attribute '{name}'")

    def __rt_tensor__(self) -> Any:
        return OneOfObjects.pick(self, rt.convert_to_tensor, "the value")

    def objects_behind(self) -> tuple[object, ...]:
        """Return the objects that an assignment to an attribute or item changes."""
        return self.options

    def is_object(self, value: object) -> rt.Tensor | bool:
        """Return whether the object is `value` itself."""
        if isinstance(value, OneOfObjects):
            found = [(self.is_object(each), value.is_object(each)) for each in self.options]
            both = [rt.logical_and(*pair) for pair in found if pair[1] is not False]
            return reduce(rt.logical_or, both) if both else False
        places = [place for place, each in enumerate(self.options) if each is value]
        return rt.equal(self.index, places[0]) if places else False

    def are_all(self, kind: type) -> bool:
        """Return whether all objects are instances of a class."""
        return all(isinstance(each, kind) for each in self.options)

    def python_test(self, predicate: Callable[[object], bool]) -> rt.Tensor | bool:
        """Return the result of a Python test of the object."""
        answers = [bool(predicate(each)) for each in self.options]
        if len(set(answers)) == 1:
            return answers[0]
        return rt.gather(rt.constant(answers), self.index)

    def refuse(self, *others: object) -> NoReturn:
        """Raise StagingError: Python needs a result that must be the same on every path."""
        names = ", ".join(type(each).__name__ for each in self.options)
        raise StagingError(
            f"this is one of several objects ({names}); the graph selects it at run time, "
            "so Python cannot iterate over it, or make a key, a number or a text of it here: "
            "do that in each branch",
            user_location(),
        )

    __iter__ = __len__ = __bool__ = __contains__ = __hash__ = refuse
    __int__ = __float__ = __complex__ = __index__ = __enter__ = __exit__ = refuse
    __str__ = __format__ = __reversed__ = __await__ = __reduce_ex__ = refuse

    def __repr__(self) -> str:
        return f"<one of {', '.join(map(repr, self.options))}>"


def _unary(operation: Callable[[Any], Any]) -> Callable[[OneOfObjects], Any]:
    def apply(self: OneOfObjects) -> Any:
        return OneOfObjects.pick(self, operation, f"{operation.__name__}()")

    return apply


def _binary(symbol: str, operation: Callable[[Any, Any], Any], swapped: bool) -> Any:
    def apply(self: OneOfObjects, other: Any) -> Any:
        if swapped:
            return OneOfObjects.pick(self, lambda each: operation(other, each), f"`{symbol}`")
        return OneOfObjects.pick(self, lambda each: operation(each, other), f"`{symbol}`")

    return apply


def _unequal(left: Any, right: Any) -> Any:
    """Return `left != right`; of the user's `__eq__` alone, as Python does."""
    if special_method(left, "__ne__") or not special_method(left, "__eq__"):
        return left != right
    equal = left == right
    return rt.logical_not(equal) if isinstance(equal, rt.Tensor) else not equal


def _install() -> None:
    for symbol, name in OPERATORS.items():
        operation, in_place = getattr(operator, f"__{name}__"), getattr(operator, f"__i{name}__")
        setattr(OneOfObjects, f"__{name}__", _binary(symbol, operation, swapped=False))
        setattr(OneOfObjects, f"__r{name}__", _binary(symbol, operation, swapped=True))
        setattr(OneOfObjects, f"__i{name}__", _binary(f"{symbol}=", in_place, swapped=False))
    for symbol, name in COMPARISONS.items():
        operation = _unequal if symbol == "!=" else getattr(operator, name)
        setattr(OneOfObjects, f"__{name}__", _binary(symbol, operation, swapped=False))
    for name in ("neg", "pos", "abs", "invert"):
        setattr(OneOfObjects, f"__{name}__", _unary(getattr(operator, name)))


_install()


# -- copies of alternatives ------------------------------------------------------------------------


_CONTAINERS = (list, tuple, dict)


def refuse_in_asdict(*options: object) -> None:
    """Raise StagingError if `asdict` or `astuple` copies an object that it would unpack.

    They check the type of a field's value, and copy values of unknown types: `copy.deepcopy` then
    calls `__deepcopy__`, which calls this function.
    """
    frame = sys._getframe(2).f_back
    if frame is None or frame.f_globals.get("__name__") != "dataclasses":
        return
    if any(is_dataclass(each) or isinstance(each, _CONTAINERS) for each in options):
        raise StagingError(
            "dataclasses.asdict() or astuple() meets a field that is None "
            "or another object on some paths; the graph selects it at run time: "
            "make the dict in each branch",
            user_location("copy", "dataclasses"),
        )
