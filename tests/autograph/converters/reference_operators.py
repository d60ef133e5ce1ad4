"""The operators of generated code in plain Python, strict about state."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from autograph.options import STANDARD, ConversionOptions
from tests.autograph.converters import reference_match
from tests.autograph.converters.reference_try import Tries

# Variables that others see; an Undefined must not be put there.
_SHARED = frozenset(("shared", "o.v", "o.w"))


COMPARISONS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "is": operator.is_,
    "is not": operator.is_not,
    "in": lambda a, b: a in b,
    "not in": lambda a, b: a not in b,
}


class Undefined:
    """A variable without a value."""

    def __init__(self, name: str) -> None:
        self.name = name


class UndefinedReturnValue:
    """The value of a function that has not returned."""


class FunctionScope:
    """One call."""

    def __init__(self, name: str, variable: str, options: object) -> None:
        self.name = name

    def __enter__(self) -> FunctionScope:
        return self

    def __exit__(self, *exception: object) -> None:
        return None

    def ret(self, value: object, did_return: object) -> object:
        assert isinstance(did_return, bool)
        return value if did_return else None


@dataclass
class Vocabulary(Tries):
    """`ag__` in plain Python; `seen` collects the words used.

    Attributes:
        thorough: whether state is saved, put back and destroyed where statements allow it. This
            reads attributes and items one time more than the program does.
    """

    thorough: bool = False
    seen: list[tuple[Any, ...]] = field(default_factory=list)

    STD = STANDARD
    ConversionOptions = ConversionOptions
    FunctionScope = FunctionScope
    Undefined = Undefined
    UndefinedReturnValue = UndefinedReturnValue

    def with_function_scope(self, body: Any, variable: str, options: object) -> object:
        return body(FunctionScope("<lambda>", variable, options))

    def ld(self, value: object) -> object:
        if isinstance(value, Undefined):
            raise UnboundLocalError(value.name)
        return value

    def ldu(self, read: Callable[[], object], name: str) -> object:
        try:
            return read()
        except (NameError, AttributeError, LookupError):
            return Undefined(name)

    def converted_call(self, f: Any, args: Any, kwargs: Any, scope: FunctionScope) -> object:
        assert isinstance(scope, FunctionScope)
        if f in (locals, dir, eval) and len(args) < 2:
            return self._introspect(f, args)
        return f(*args, **(kwargs or {}))

    def _introspect(self, f: Any, args: tuple[Any, ...]) -> object:
        """Return the result that depends on the frame: variables of all functions made of `f`."""
        frame: Any = sys._getframe(2)
        variables: dict[str, object] = {}
        while frame.f_code.co_name != "f":
            variables = {**frame.f_locals, **variables}
            frame = frame.f_back
        variables = {**frame.f_locals, **variables}
        held = {n: v for n, v in variables.items() if not isinstance(v, Undefined)}
        if f is eval:
            return eval(args[0], frame.f_globals, held)
        return sorted(held) if f is dir else held

    def if_stmt(
        self, test: Any, body: Any, orelse: Any, get: Any, put: Any, names: Any, nouts: int
    ) -> None:
        self.seen.append(("if", names, nouts))
        self._check_state(get, put, names)
        body() if test else orelse()
        self._destroy(get, put, names, nouts)

    def while_stmt(self, test: Any, body: Any, get: Any, put: Any, names: Any, opts: Any) -> None:
        self.seen.append(("while", names, opts))
        self._check_state(get, put, names)
        while test():
            body()
            self._check_state(get, put, names)

    def for_stmt(
        self, items: Any, extra: Any, body: Any, get: Any, put: Any, names: Any, opts: Any
    ) -> None:
        self.seen.append(("for", names, opts))
        self._check_state(get, put, names)
        for item in items:
            body(item)
            self._check_state(get, put, names)
            if extra is not None and not extra():
                break

    def match_stmt(
        self, subject: Any, cases: Any, get: Any, put: Any, names: Any, nouts: int
    ) -> None:
        self.seen.append(("match", names, nouts))
        self._check_state(get, put, names)
        for pattern, guard, body in cases:
            found = reference_match.captures(pattern, subject)
            if found is None:
                continue
            given = (found,) if found else ()
            if guard is None or guard(*given):
                body(*(given if guard is None else ()))
                break
        self._destroy(get, put, names, nouts)

    def bound(self, variable: Any, value: object) -> object:
        if variable.__closure__:
            variable.__closure__[0].cell_contents = value
        else:
            variable.__globals__[variable.__code__.co_names[0]] = value
        return value

    def list_comp(self, items: Any, over: Any, opts: Any) -> list[Any]:
        return list(elements(items, over))

    def set_comp(self, items: Any, over: Any, opts: Any) -> set[Any]:
        return set(elements(items, over))

    def dict_comp(self, items: Any, over: Any, opts: Any) -> dict[Any, Any]:
        return dict(elements(items, over))

    def gen_exp(self, items: Any, over: Any, opts: Any) -> Any:
        return elements(iter(items), over)

    case = reference_match.Case

    def __getattr__(self, name: str) -> Any:
        return next(word for word in reference_match.WORDS if word.__name__ == name)

    def _check_state(self, get: Any, put: Any, names: tuple[str, ...]) -> None:
        if not self.thorough:
            return
        values = get()
        assert isinstance(values, tuple) and len(values) == len(names)
        if not any(isinstance(v, Undefined) and v.name in _SHARED for v in values):
            put(values)

    def _destroy(self, get: Any, put: Any, names: tuple[str, ...], nouts: int) -> None:
        """Destroy the variables that are not needed after the statement."""
        if self.thorough and nouts < len(names):
            put((*get()[:nouts], *map(Undefined, names[nouts:])))

    def if_exp(self, test: Any, then: Any, orelse: Any, text: str) -> object:
        assert isinstance(text, str) and text
        return then() if test else orelse()

    def and_(self, *operands: Any) -> object:
        value: object = True
        for operand in operands:
            value = operand()
            if not value:
                break
        return value

    def or_(self, *operands: Any) -> object:
        value: object = False
        for operand in operands:
            value = operand()
            if value:
                break
        return value

    def not_(self, value: object) -> bool:
        return not value

    def compare(self, left: Any, *rest: Any) -> object:
        value: object = True
        for symbol, operand in zip(rest[::2], rest[1::2]):
            right = operand()
            value = COMPARISONS[symbol](left, right)
            if not value:
                break
            left = right
        return value

    def assert_stmt(self, test: object, message: Any) -> None:
        if not test:
            raise AssertionError(*([] if message is None else [message()]))

    def list_append(self, target: Any, item: object) -> object:
        return target.append(item)

    def list_pop(self, target: Any, *index: Any) -> object:
        return target.pop(*index)

    def set_item(self, value: object, target: Any, index: Any) -> object:
        target[index] = value
        return target

    def update_item(self, target: Any, index: Any, symbol: str, value: Any) -> object:
        place = {"target": target, "index": index, "value": value}
        exec(f"target[index] {symbol} value()", place)
        return target

    slice_ = staticmethod(slice)


class Take:
    """The use that a comprehension makes of its elements: none or one at a time."""

    def __call__(self, element: Any, *tests: Any) -> tuple[Any, ...]:
        return (element(),) if all(test() for test in tests) else ()

    def each(self, items: Any, over: Any, *tests: Any) -> Iterable[Any]:
        return elements(items(), over) if all(test() for test in tests) else ()


def elements(items: Any, over: Any) -> Iterable[Any]:
    return (each for found in over(items, Take()) for each in found)
