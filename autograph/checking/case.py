"""Cases of a check: the arguments of a call, of which each run gets copies."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from autograph.checking.value_snapshot import is_a
from autograph.errors import SignatureError
from runtime.core.tensor import Tensor
from runtime.nest import flatten
from runtime.state.variable import Variable

_LONGEST = 30


@dataclass(frozen=True)
class Case:
    """The arguments of one call.

    Attributes:
        args: the positional arguments.
        kwargs: the arguments by name.

    Example:
        >>> print(Case((3,), {"n": 2}))
        (3, n=2)
    """

    args: tuple[object, ...] = ()
    kwargs: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        named = [f"{name}={_short(value)}" for name, value in self.kwargs.items()]
        return f"({', '.join([*map(_short, self.args), *named])})"

    @property
    def is_python(self) -> bool:
        """True if no tensor is among the arguments."""
        leaves = (leaf for value in (*self.args, *self.kwargs.values()) for leaf in _leaves(value))
        return not any(is_a(leaf, (Tensor, Variable)) for leaf in leaves)

    def fresh(self) -> Case:
        """Return a case with copies; Variables and values that cannot be copied are shared."""
        memo: dict[int, Any] = {}
        args = tuple(_copied(value, memo) for value in self.args)
        return Case(args, {name: _copied(value, memo) for name, value in self.kwargs.items()})


def cases_of(function: Callable[..., Any], cases: Iterable[Any]) -> tuple[Case, ...]:
    """Return the user's cases.

    Args:
        function: the function of the cases.
        cases: tuples of arguments, dicts of arguments by name, or Cases.

    Raises:
        SignatureError: there is no case, one is something else, or the function does not take its
            arguments.
    """
    if is_a(cases, (Mapping, str)) or not is_a(cases, Iterable):
        raise SignatureError(
            f"cases must be a list of argument tuples, such as [(1,), (2,)], not {cases!r}"
        )
    made = tuple(_case(number, each) for number, each in enumerate(cases, 1))
    if not made:
        raise SignatureError("there are no cases: give a list of argument tuples, [(1,), (2,)]")
    for number, case in enumerate(made, 1):
        _check_fits(function, case, number)
    return made


def _case(number: int, written: Any) -> Case:
    if is_a(written, Case):
        return written
    if type(written) is dict and all(type(name) is str for name in written):
        return Case((), written)
    if type(written) is tuple:
        return Case(written)
    raise SignatureError(
        f"case {number} is {_short(written)}: write its arguments as a tuple, "
        f"({_short(written)},), as a dict by name, or as ag.Case(args, kwargs)"
    )


def _check_fits(function: Callable[..., Any], case: Case, number: int) -> None:
    try:
        signature = inspect.signature(function, follow_wrapped=False)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*case.args, **case.kwargs)
    except TypeError as error:
        name = getattr(function, "__name__", "the function")
        raise SignatureError(f"case {number}, {case}: {name}{signature}: {error}") from None


def _copied(value: Any, memo: dict[int, Any]) -> Any:
    for leaf in _leaves(value):
        if is_a(leaf, (Variable, ModuleType)):
            memo[id(leaf)] = leaf
    try:
        return copy.deepcopy(value, memo)
    except Exception:
        return value  # a lock, a generator, an open file: not copyable


def _leaves(value: Any) -> list[Any]:
    try:
        return list(flatten(value))
    except Exception:
        return [value]  # a structure that cannot be flattened, such as a dict without an order


def _short(value: Any) -> str:
    if is_a(value, Tensor):
        text = str(value.numpy().tolist()) if hasattr(value, "numpy") else str(value)
        return _cut(f"{value.dtype.name} {text}")
    try:
        return _cut(repr(value))
    except Exception:
        return f"<{type(value).__name__}>"


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
