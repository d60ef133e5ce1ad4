"""The carried values of a loop: each is a variable, or a part of a container."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, NoReturn

import jax
from jax.tree_util import tree_unflatten

from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.errors import LoopMismatch
from autograph.jax.aliases import mutable_parts
from autograph.jax.forms import Form, blank, fitted, form_of, is_array, joined_form
from autograph.jax.growing_lists import Appender, PreallocatedList, StackedList
from autograph.jax.heap import is_users_object, text_of_new_object
from autograph.jax.location import location
from autograph.jax.optional_values import (
    TracedOptional,
    is_possibly_bound,
    narrowed,
    optional_structure,
)
from autograph.jax.pytrees import flattened, is_placeholder, is_same

# Values that stay the same objects while their contents change.
_CONTAINERS = (list, dict, set, Appender, PreallocatedList, StackedList)


class RetraceLoop(Exception):
    """Raised to trace a loop again, because its plan has changed."""


class NeedsFlag(LoopMismatch):
    """A variable is None before or after an iteration of a loop without flags."""


class Flag(NamedTuple):
    """A bool that may tell whether a variable has a value.

    Attributes:
        variable: the number of the variable that has the bool; None if it is `constant`.
        constant: a bool that the loop does not change.
        holds: what the bool is where there is a value.
    """

    variable: int | None
    constant: Any = None
    holds: bool = True


class CarriedValue:
    """A variable, or a part of a container, of a loop.

    Attributes:
        name: its source text.
        start: its value before the loop.
        structure, leaves: of the value that is carried: a form, or a known value, for each leaf.
        init: for each leaf with a form, its value before the loop; None for a blank one.
        is_made: whether an iteration gives it its first value.
        is_rebound: whether an iteration gives it another container, so that each has a copy.
        is_optional: whether it has a flag beside the value, since it may be None.
        is_given: whether no traced iteration leaves None in it.
        keeps_inner: whether containers within it that were there before stay the same objects.
        flag: the bool that tells whether the variable has a value; None if it has one, or if none
            tells.
        flags: other bools that may tell; None before they are looked for.
    """

    def __init__(
        self, name: str, start: Any, is_kept: Callable[[Any], bool], adds_flag: bool
    ) -> None:
        self.name, self.start, self._is_kept, self._adds_flag = name, start, is_kept, adds_flag
        self.is_made = self.is_rebound = self.is_optional = False
        self.is_given = True
        self.keeps_inner = True
        self.flag: Flag | None = None
        self.flags: list[Flag] | None = None
        # A container stays the same object; its contents are parts of their own.
        self.is_reference = isinstance(start, _CONTAINERS) or is_users_object(start)
        self.flatten()

    def flatten(self) -> None:
        """Find the carried values, from the value before the loop."""
        start = self.start
        leaves: list[Any] = []
        if is_placeholder(start) or self.is_reference:
            self.structure: Any = None
        else:
            leaves, self.structure = flattened(start, self.kept_in(start))
        alone = self.structure is not None and self.structure == flattened(0)[1]
        # A number inside of a container is carried only once an iteration changes it.
        self.leaves = [
            form_of(leaf) if isinstance(leaf, jax.Array) or (alone and is_array(leaf)) else leaf
            for leaf in leaves
        ]
        self.init: list[Any] = list(leaves)
        self.is_optional = type(start) is TracedOptional

    def kept_in(self, value: object) -> Callable[[Any], bool]:
        """Return a function that says which containers within a value stay the same objects."""
        return lambda each: self.keeps_inner and each is not value and self._is_kept(each)

    def _rebind(self, keeps_inner: bool) -> NoReturn:
        """Carry copies of the value, which an iteration makes anew."""
        self.is_reference, self.is_rebound, self.structure = False, True, None
        self.is_made = False  # The next trace makes it again.
        self.keeps_inner = keeps_inner
        raise RetraceLoop

    @property
    def forms(self) -> list[Form]:
        """The forms of the carried values."""
        return [leaf for leaf in self.leaves if isinstance(leaf, Form)]

    def initial(self) -> list[Any]:
        """Return the values to carry before the first iteration."""
        return [
            blank(leaf) if value is None else fitted(value, leaf)
            for leaf, value in zip(self.leaves, self.init)
            if isinstance(leaf, Form)
        ]

    def built(self, values: Iterator[Any]) -> Any:
        """Return the value for carried leaves, which it takes from an iterator."""
        if self.structure is None or not (self.forms or self.is_rebound or self.is_made):
            return self.start
        leaves = [next(values) if isinstance(leaf, Form) else leaf for leaf in self.leaves]
        return tree_unflatten(self.structure, leaves)

    def outgoing(self, end: Any) -> list[Any]:
        """Return the values to carry after an iteration.

        Raises:
            RetraceLoop: they have another form than the carried value, which has the join now.
            LoopMismatch: there is no join.
        """
        if self.is_reference and end is not self.start:
            self._rebind(keeps_inner=True)
        is_new = end is not self.start
        if is_new and not self.is_rebound and mutable_parts(end, self.kept_in(end)):
            self._rebind(keeps_inner=True)
        if self.structure is None or end is self.start and not self.forms:
            return []
        end = self._with_flag(narrowed(end))
        leaves, structure = flattened(end, self.kept_in(end))
        if structure != self.structure:
            self._add_flag(end)
            if self.keeps_inner and any(map(self._is_kept, (*self.leaves, *leaves))):
                self._rebind(keeps_inner=False)
            self._refuse_structure(end)
        changed, carried = False, []
        for at, (known, leaf) in enumerate(zip(self.leaves, leaves)):
            if not isinstance(known, Form):
                if known is leaf:
                    continue
                if self.keeps_inner and (self._is_kept(known) or self._is_kept(leaf)):
                    self._rebind(keeps_inner=False)
                if is_same(known, leaf):
                    continue
                if is_users_object(leaf):
                    self._refuse_object(leaf)
                if not is_array(known) or not is_array(leaf):
                    self._refuse(repr(known), _text(leaf))
                known = self.leaves[at] = form_of(self.init[at])
                changed = True
            form = joined_form(known, form_of(leaf)) if is_array(leaf) else None
            if form is None:
                if is_users_object(leaf):
                    self._refuse_object(leaf)
                self._refuse(str(known), _text(leaf))
            if form != known:
                self.leaves[at], changed = form, True
            carried.append(leaf)
        if changed:
            raise RetraceLoop
        return [fitted(leaf, form) for leaf, form in zip(carried, self.forms)]

    def _with_flag(self, end: Any) -> Any:
        """Return the value after an iteration as an optional one, if it has a flag."""
        is_optional = type(end) is TracedOptional
        self.is_given = not is_optional and end is not None
        if not self.is_optional or is_optional:
            return end
        if end is not None:
            return TracedOptional(False, end)
        leaves = [blank(leaf) if isinstance(leaf, Form) else leaf for leaf in self.leaves]
        found = tree_unflatten(self.structure, leaves)
        return TracedOptional(True, found.value)

    def _add_flag(self, end: Any) -> None:
        """Carry a flag beside a value that is None before or after an iteration.

        Raises:
            RetraceLoop: there is a flag now.
            NeedsFlag: the first iteration, on its own, may give the value.
        """
        if self.is_optional:
            return
        is_made, is_none = self.is_made, self.structure == flattened(None)[1]
        if not is_none and end is not None and type(end) is not TracedOptional:
            return
        if not self._adds_flag:
            raise NeedsFlag("a variable may be None", location())
        if is_none:
            self.make(end.value if type(end) is TracedOptional else end)
        self.is_made, self.is_optional = is_made, True
        self.structure = optional_structure(self.structure)
        self.leaves = [form_of(True), *self.leaves]
        self.init = [None if is_made else is_none, *self.init]
        raise RetraceLoop

    def make(self, end: Any) -> None:
        """Give the carried value the form of the value that an iteration left in it."""
        leaves, self.structure = flattened(end, self.kept_in(end))
        self.is_made = True
        self.leaves = [form_of(leaf) if is_array(leaf) else leaf for leaf in leaves]
        self.init = [None] * len(leaves)

    def make_flagged(self, end: Any, flags: list[Flag]) -> None:
        """Carry a value that is there on some paths only, if one of some bools tells where.

        Raises:
            RetraceLoop: a bool has been found that may tell.
        """
        value = end.value if isinstance(end, PossiblyUnbound) else end
        self.flags = flags
        if not flags or mutable_parts(value) or is_users_object(value):
            self.flags = []
            return
        self.flag = flags.pop(0)
        self.make(value)
        self.is_made = False
        if is_possibly_bound(self.start):
            self.init = flattened(self.start.value)[0]
        raise RetraceLoop

    def drop_flag(self) -> NoReturn:
        """Try another bool, since this one does not tell whether there is a value."""
        assert self.flags is not None
        self.flag = self.flags.pop(0) if self.flags else None
        if self.flag is None:
            self.structure, self.leaves, self.init = None, [], []
        raise RetraceLoop

    def outgoing_bound(self, end: Any) -> list[Any]:
        """Return the values to carry after an iteration for a variable with a flag."""
        if isinstance(end, PossiblyUnbound):
            end = end.value
        elif is_placeholder(end):
            return [blank(form) for form in self.forms]
        return self.outgoing(end)

    def _refuse_structure(self, end: Any) -> None:
        one, other = map(_kind, (self.start, end))
        if one == other:
            one, other = f"{one} ({self.structure})", f"{other} ({flattened(end)[1]})"
        self._refuse(one, other)

    def _refuse_object(self, value: Any) -> NoReturn:
        raise LoopMismatch(f"'{self._shown}' {text_of_new_object(value)}", location())

    @property
    def _shown(self) -> str:
        return "the result of the function" if self.name.startswith("retval_") else self.name

    def _refuse(self, one: str, other: str) -> None:
        shown = self._shown
        if "<function" in one or "<function" in other:
            raise LoopMismatch(
                f"'{shown}' is another function after an iteration of this loop: define it before "
                "the loop or after it, with a parameter for the values of an iteration",
                location(),
            )
        raise LoopMismatch(
            f"'{shown}' is {one} before an iteration of this loop, and {other} after it: a loop of "
            "JAX keeps structure, shape and dtype, so start with a value of the same",
            location(),
        )


def _kind(value: object) -> str:
    if isinstance(value, TracedOptional):
        return f"None or {_kind(value.value)}"
    if value is None or is_array(value):
        return _text(value)
    return f"a {type(value).__name__}"


def _text(value: Any) -> str:
    return str(form_of(value)) if is_array(value) else repr(value)
