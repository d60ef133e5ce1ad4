"""Optional values, which are None on some paths, and the facts by which a path knows whether.

if x > 0:                  best = TracedOptional(is_none=cond(...), value=cond(...))
    best = x
if best is not None:       on this path `best.is_none` is known to be false
    x = x + best
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, NoReturn
from weakref import ref

import jax
import jax.numpy as jnp
from jax.tree_util import register_pytree_node, tree_leaves, tree_structure, tree_unflatten

from autograph.backends.graph.source.source_location import SourceLocation
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.undefined import Undefined
from autograph.errors import StagingError, UndefinedBranchError
from autograph.jax.forms import is_array
from autograph.jax.internals import implied_truth, is_concrete, is_same_operation
from autograph.jax.location import STACKS, line_of_result, location, variable_of

# -- facts -----------------------------------------------------------------------------------------


def derive(result: object, word: str, *operands: object) -> None:
    """Record that a bool is the `not`, `and` or `or` of others, or that it `implies` them."""
    if isinstance(result, jax.Array):
        key = id(result)
        # An unused bool is no more in the jaxpr, if only this table has it.
        held = ref(result, partial(STACKS.derived.pop, key))
        STACKS.derived.setdefault(key, (held, []))[1].append((word, operands))


def operand_of_not(result: object) -> Any:
    """Return the operand of the `not` that gave a value; None for other values."""
    found = (operands[0] for word, operands in _derivations(result) if word == "not")
    return next(found, None)


def are_opposite(one: Any, other: Any) -> bool:
    """Return whether a bool is the `not` of another one."""
    if type(one) is bool and type(other) is bool:
        return one is not other
    return operand_of_not(one) is other or operand_of_not(other) is one


def _derivations(result: object) -> Sequence[tuple[str, tuple[object, ...]]]:
    return STACKS.derived[id(result)][1] if id(result) in STACKS.derived else ()


def learn(value: object, holds: bool) -> None:
    """Note the truth of a value, and that of the operands it was computed from."""
    STACKS.facts.append((value, holds))
    for word, operands in _derivations(value):
        if word == "not":
            learn(operands[0], not holds)
        elif word in (("and", "implies") if holds else ("or",)):
            for each in operands:
                learn(each, holds)


def known_truth(value: Any) -> bool | None:
    """Return the truth of a bool that the path knows; None for another one."""
    if is_concrete(value):
        return bool(value)
    return next((each for each in _truths_told(value) if each is not None), None)


def _truths_told(value: Any) -> Iterator[bool | None]:
    yield from (holds for each, holds in STACKS.facts if is_same_operation(each, value))
    yield from (implied_truth(value, *fact) for fact in STACKS.facts)
    for word, operands in _derivations(value):
        truths = [known_truth(each) for each in operands]
        if word == "not":
            yield None if truths[0] is None else not truths[0]
        elif word == "implies":
            yield False if False in truths else None
        elif (decides := word == "or") in truths:
            yield decides
        else:
            yield None if None in truths else not decides


@contextmanager
def facts() -> Iterator[None]:
    """Forget the facts of the path after it."""
    count = len(STACKS.facts)
    try:
        yield
    finally:
        del STACKS.facts[count:]


# -- the value -------------------------------------------------------------------------------------


class TracedOptional:
    """A value, or None; a run decides which.

    `x is None` is the flag. Any other use is a use of the value, and refused unless the path
    knows that it is there.

    Attributes:
        is_none: a scalar bool.
        value: a pytree; blank arrays where there is none.
    """

    __slots__ = ("is_none", "value")

    def __init__(self, is_none: Any, value: Any) -> None:
        self.is_none, self.value = is_none, value

    def require(self) -> Any:
        """Return the value, or None where the path knows that there is none.

        Raises:
            StagingError: only a run knows which.
        """
        found = narrowed(self)
        if found is self:
            self.refuse()
        return found

    def objects_behind(self) -> tuple[object, ...]:
        """Return the object whose attributes and items a path assigns that knows it is there."""
        return (self.value,)

    def attribute(self, name: str) -> Any:
        """Return an attribute of the value that optional values have themselves."""
        return getattr(self.require(), name)

    def refuse(self) -> NoReturn:
        """Raise StagingError: the value is used, and it may be None."""
        name = variable_of(self)
        shown = "this value" if name is None else f"'{name}'"
        raise StagingError(
            f"{shown} may be None, and only a run knows: write `if {name or 'x'} is not None:` "
            "around its use, or begin with a number or an array that stands for None",
            location(),
        )

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.require(), name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in TracedOptional.__slots__:
            object.__setattr__(self, name, value)
        else:
            setattr(self.require(), name, value)

    def __eq__(self, other: object) -> Any:
        if other is None and narrowed(self) is self:
            return self.is_none
        return self.require() == other

    def __ne__(self, other: object) -> Any:
        if other is None and narrowed(self) is self:
            return jnp.logical_not(self.is_none)
        return self.require() != other

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.require()(*args, **kwargs)

    def __jax_array__(self) -> Any:
        return jnp.asarray(self.require())

    def __format__(self, spec: str) -> str:
        return format(self.require(), spec)

    def __repr__(self) -> str:
        return f"<None or {self.value!r}>"


def _forwarded(function: Callable[..., Any], is_reflected: bool = False) -> Any:
    def method(self: TracedOptional, *others: Any) -> Any:
        value = self.require()
        return function(*others, value) if is_reflected else function(value, *others)

    return method


_ARITHMETIC = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "lshift")
for _name in (*_ARITHMETIC, "rshift", "and_", "or_", "xor"):
    _function, _plain = getattr(operator, _name), _name.strip("_")
    setattr(TracedOptional, f"__{_plain}__", _forwarded(_function))
    setattr(TracedOptional, f"__r{_plain}__", _forwarded(_function, is_reflected=True))
for _name in ("lt", "le", "gt", "ge", "neg", "pos", "abs", "invert", "index"):
    setattr(TracedOptional, f"__{_name}__", _forwarded(getattr(operator, _name)))
for _name in ("getitem", "setitem", "delitem", "contains"):
    setattr(TracedOptional, f"__{_name}__", _forwarded(getattr(operator, _name)))
for _function in (bool, int, float, complex, str, hash, iter, len, reversed, round):
    setattr(TracedOptional, f"__{_function.__name__}__", _forwarded(_function))


def partly_bound(
    name: str, why: str, where: SourceLocation | None, defined: Any = None, value: object = None
) -> PossiblyUnbound:
    """Return the placeholder of a variable that has a value on some paths only.

    A read of it raises UndefinedBranchError, unless the path knows whether there is a value.

    Args:
        name: the variable.
        why: the end of a sentence: the paths without a value, and the remedy.
        where: the line of the statement.
        defined: a bool that tells whether there is a value; None if none does.
        value: the value.
    """

    def check_bound(read: PossiblyUnbound) -> None:
        is_bound = None if defined is None else known_truth(defined)
        if is_bound is None:
            after = "" if where is None else f" (line {where.line})"
            raise UndefinedBranchError(f"'{name}' {why}{after}", location())
        if not is_bound and read.missing is not None:
            kind, argument = read.missing
            raise kind(argument)
        if not is_bound:
            Undefined(name).read()

    return PossiblyUnbound(name, defined, value, "undefined", check_bound)


def is_possibly_bound(value: object) -> bool:
    """Return whether a bool tells whether a variable has a value."""
    return type(value) is PossiblyUnbound and is_array(value.defined)


def narrowed(value: Any) -> Any:
    """Return the facts of the path about a value that may be None or unbound."""
    if type(value) is PossiblyUnbound and isinstance(value.defined, jax.Array):
        is_bound = known_truth(value.defined)
        if is_bound is None:
            return value
        return value.value if is_bound else Undefined(value.name)
    if type(value) is not TracedOptional:
        return value
    is_none = known_truth(value.is_none)
    if is_none is None:
        return value
    return None if is_none else value.value


def required(value: Any) -> Any:
    """Return a value for a use by code that knows no optional values, or parts of it.

    Raises:
        StagingError: it, or an item of it, may be None, and only a run knows.
    """
    if type(value) is TracedOptional:
        return value.require()
    if type(value) in (tuple, list, dict):
        for each in tree_leaves(value, is_leaf=is_optional):
            required(each)
    return value


def is_optional(value: object) -> bool:
    """Return whether a value may be None."""
    return type(value) is TracedOptional


def present(value: Any) -> Any:
    """Return the value of an optional one that the path knows to be there; another one itself."""
    found = narrowed(value)
    return value if found is None else found


def refuse_optional_result(result: Any, function: Any) -> None:
    """Refuse the result of the whole function if it, or a part of it, may be None.

    Raises:
        StagingError: JAX has no such result.
    """
    if any(map(is_optional, tree_leaves(result, is_leaf=is_optional))):
        raise StagingError(
            "this function returns a value on some paths and None on the others, and which is "
            "known only when the program runs: return a number or an array that stands for None, "
            "as jnp.nan, or a flag beside the value",
            line_of_result(function),
        )


def is_none(value: TracedOptional) -> Any:
    """Return whether a value is None: a bool of Python if the path knows."""
    known = known_truth(value.is_none)
    return value.is_none if known is None else known


def optional_structure(structure: Any) -> Any:
    """Return the structure of an optional value, from that of the value."""
    value = tree_unflatten(structure, [0] * structure.num_leaves)
    return tree_structure(TracedOptional(0, value))


register_pytree_node(
    TracedOptional,
    lambda each: ((each.is_none, each.value), None),
    lambda aux, parts: TracedOptional(*parts),
)
