"""The arguments of a call, and a test whether one traced body serves two calls of a function.

It does if all values on which Python may decide are the same in both calls: objects, strings,
numbers, the dtypes of tensors. Shapes may differ, and a number may be a tensor in the other call.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

import runtime as rt
from autograph.backends.graph.tracing.value_tensors import carried_leaves
from autograph.backends.graph.values.join import join
from autograph.backends.graph.values.spec_inference import spec_of
from autograph.backends.graph.values.value_spec import (
    ContainerSpec,
    JoinError,
    OneOfSpec,
    OptionalSpec,
    ValueSpec,
)


@dataclass(eq=False, repr=False)
class ArgumentRef:
    """An argument that is the same object in all calls, such as a list or Variable."""

    value: object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ArgumentRef) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


ArgumentSpec = ArgumentRef | ValueSpec
ArgumentSpecs = Mapping[str, ArgumentSpec]


class ArgumentsByParameter(NamedTuple):
    """The arguments of a call by parameter, defaults included."""

    values: Mapping[str, object]
    signature: inspect.Signature

    @classmethod
    def of(
        cls, function: FunctionType, args: tuple[object, ...], kwargs: dict[str, object]
    ) -> ArgumentsByParameter | None:
        """Return the arguments of a call, None if the function does not take them."""
        signature = inspect.signature(function, follow_wrapped=False)
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError:
            return None
        bound.apply_defaults()
        return cls(bound.arguments, signature)

    def call(self, function: FunctionType) -> object:
        """Return the result of `function` for these arguments."""
        bound = inspect.BoundArguments(self.signature, dict(self.values))
        return function(*bound.args, **bound.kwargs)

    def with_values(self, values: Mapping[str, object]) -> ArgumentsByParameter:
        """Return arguments with other values."""
        return ArgumentsByParameter(values, self.signature)


def common_specs(
    first: ArgumentsByParameter,
    second: ArgumentsByParameter,
    known: dict[str, ValueSpec] | None = None,
) -> ArgumentSpecs | None:
    """Return the common specs of two calls' arguments; None if one body cannot serve both.

    Args:
        known: specs of arguments of `second` that earlier comparisons have found; new ones are
            added, since a call is compared with each one around it.
    """
    known = {} if known is None else known
    specs: dict[str, ArgumentSpec] = {}
    for name, value in first.values.items():
        other = second.values[name]
        if value is other and _is_passed_on(value):
            specs[name] = ArgumentRef(value)
            continue
        if name not in known:
            if _has_variables(other):
                return None
            known[name] = spec_of(other)
        if _has_variables(value):
            return None
        spec = _spec_alike(spec_of(value), known[name])
        if spec is None:
            return None
        specs[name] = spec
    return specs


def common_specs_with(
    specs: ArgumentSpecs, arguments: ArgumentsByParameter
) -> ArgumentSpecs | None:
    """Return the common specs `specs` of some calls, extended to one more; None if it differs."""
    return _together(specs, arguments, alike)


def joined_with(specs: ArgumentSpecs, arguments: ArgumentsByParameter) -> ArgumentSpecs | None:
    """Return the specs `specs` of some calls, extended to one more with its numbers as tensors.

    The result is None if the call differs in more than Python numbers.
    """

    return _together(specs, arguments, lambda *both: _joined(list(map(_spec_from, both))))


def _together(
    specs: ArgumentSpecs,
    arguments: ArgumentsByParameter,
    of_both: Callable[[Any, object], ValueSpec | None],
) -> ArgumentSpecs | None:
    together: dict[str, ArgumentSpec] = {}
    for name, value in arguments.values.items():
        before = specs[name]
        if isinstance(before, ArgumentRef) and before.value is value:
            together[name] = before
            continue
        spec = of_both(before.value if isinstance(before, ArgumentRef) else before, value)
        if spec is None:
            return None
        together[name] = spec
    return together


def _joined(specs: list[ValueSpec]) -> ValueSpec | None:
    """Return the join of all specs; None if it selects between more objects than they do.

    These objects would be new ones in each call.
    """
    try:
        spec = reduce(join, specs)
    except JoinError:
        return None
    return None if _choices(spec) > max(map(_choices, specs)) else spec


def joined_specs(calls: Sequence[ArgumentsByParameter]) -> list[ArgumentSpecs | None]:
    """Return, for each call, the common specs of it and all later ones.

    Python numbers are tensors in them. They are None if the calls differ in more than that.
    """
    suffixes = {
        name: _suffix_specs([each.values[name] for each in calls]) for name in calls[0].values
    }
    found: list[ArgumentSpecs | None] = []
    for at in range(len(calls)):
        specs = {name: of_name[at] for name, of_name in suffixes.items()}
        known = {name: spec for name, spec in specs.items() if spec is not None}
        found.append(known if len(known) == len(specs) else None)
    return found


def _suffix_specs(values: Sequence[object]) -> list[ArgumentSpec | None]:
    """Return, for each value, the common spec of it and all later ones, as `_joined` does."""
    last, is_same = values[-1], True
    of_last = spec_of(last)
    joined: ValueSpec | None = of_last
    most = _choices(of_last)
    found: list[ArgumentSpec | None] = []
    for value in reversed(values):
        is_same = is_same and value is last
        if is_same and _is_passed_on(value):
            found.append(ArgumentRef(value))
            continue
        if not is_same and joined is not None:
            own = spec_of(value)
            most = max(most, _choices(own))
            try:
                joined = join(own, joined)
            except JoinError:
                joined = None
        found.append(None if joined is None or _choices(joined) > most else joined)
    return found[::-1]


def alike(before: object, value: object) -> ValueSpec | None:
    """Return the common spec of a value (or spec) and another value; None if there is none.

    >>> alike(1, 2) is None, alike("add", "add")
    (True, LiteralSpec(value='add'))
    """
    if _has_variables(before) or _has_variables(value):
        return None
    return _spec_alike(_spec_from(before), spec_of(value))


def _spec_alike(first: ValueSpec, second: ValueSpec) -> ValueSpec | None:
    both = _joined([first, second])
    if both is None:
        return None
    kinds = _kinds(both)
    fits = _only_adapts(_kinds(first), kinds) and _only_adapts(_kinds(second), kinds)
    # More tensors than in either value stand for Python values that differ.
    return both if fits and len(kinds) in (len(_kinds(first)), len(_kinds(second))) else None


def _spec_from(value: object) -> ValueSpec:
    return value if isinstance(value, ValueSpec) else spec_of(value)


Kinds = list[tuple[rt.DType, bool]]


def _kinds(spec: ValueSpec) -> Kinds:
    return [(leaf.tensor_spec.dtype, leaf.weak) for leaf in carried_leaves(spec)]


def _only_adapts(some: Kinds, all_: Kinds) -> bool:
    """Return whether all but weak tensors have the same dtype among `all_`."""
    if len(some) == len(all_):
        return all(weak or dtype == other for (dtype, weak), (other, _) in zip(some, all_))
    remaining = iter(dtype for dtype, _ in all_)
    return all(weak or dtype in remaining for dtype, weak in some)


def _choices(spec: ValueSpec) -> int:
    """Return the number of objects between which a value spec selects."""
    if isinstance(spec, OneOfSpec):
        return len(spec.options)
    if isinstance(spec, ContainerSpec):
        return sum(map(_choices, spec.children))
    return _choices(spec.value) if isinstance(spec, OptionalSpec) else 0


def _is_passed_on(value: Any) -> bool:
    if isinstance(value, (rt.Variable, np.ndarray)):
        return True
    return not isinstance(value, rt.Tensor) and rt.nest.children(value) is not None


def _has_variables(value: object) -> bool:
    if isinstance(value, ValueSpec):
        return False
    return any(isinstance(leaf, rt.Variable) for leaf in rt.nest.flatten(value))
