"""A container selected from two by a tensor; a change of it is written to the selected one.

half = left if c else right    half has the contents of the one taken
half.append(1)                 only half changes
len(left)                      before left is read, it gets the contents of half if c holds
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import runtime as rt
from autograph.backends.graph.aliases.alias_sets import is_reachable, origin_ids
from autograph.backends.graph.aliases.proxies import Proxy, record_proxy
from autograph.backends.graph.objects.object_contents import (
    contents_of,
    entry_of,
    put_contents,
    put_entry,
)
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.state.alias_state import (
    AliasMember,
    alias_state,
    as_member,
    record_propagated,
)
from autograph.backends.graph.values.container_snapshot import (
    ContainerSnapshot,
    is_mutable,
    with_contents,
)
from autograph.backends.graph.values.join_errors import VALUE
from autograph.backends.graph.values.object_values import record_of
from autograph.backends.graph.values.unknown_key_order import record_unknown_order
from autograph.errors import BranchMismatch
from runtime.core.context import current_recorder

# `choose(flag, then, orelse, text)` records `then() if flag else orelse()`.
Choose = Callable[[rt.Tensor, Callable[[], Any], Callable[[], Any], str], Any]


class SelectedRef(Proxy):
    """A list, dict or dataclass instance that is one of two, selected by a tensor.

    Args:
        value: the container.
        sources: the containers it may be, each with the value of the condition that selects it.
        pred: the condition.
        choose: records a conditional expression.
        name: the variable.
    """

    HOLDS_FOR_TRACE = True

    __slots__ = ("_taken", "_pred", "_choose", "_name", "_place", "_given_by")

    def __init__(
        self,
        value: object,
        sources: Sequence[tuple[bool, object]],
        pred: rt.Tensor,
        choose: Choose,
        name: str,
    ) -> None:
        super().__init__(value, [as_member(value)], [source for _, source in sources])
        self._taken = [taken for taken, _ in sources]
        self._pred, self._choose = pred, choose
        self._name, self._place = name, user_location()
        # The containers that have just passed their change on to this one: they are not stale.
        self._given_by: list[object] = []

    def accepts(self, now: tuple[object, ...], then: tuple[object, ...]) -> bool:
        """Return whether a source is unchanged."""
        return len(now) == len(then) and all(map(operator.is_, now, then))

    def write_back(self) -> None:
        """Give the selected source the contents of the container."""
        parts, self.parts = self.parts, []
        try:
            for taken, source in zip(self._taken, self.owners):
                self._pass_on(taken, source)
        except BranchMismatch as error:
            raise self._refusal(error) from None
        self.parts = parts
        self._mark_stale_aliases()
        self._tell_owners()
        self.mark_written_back(current_recorder())

    def _pass_on(self, taken: bool, source: Any) -> None:
        """Record that a source gets the new contents if it is selected."""
        value: Any = self.value
        before = as_member(source)
        if isinstance(source, dict) and dict.keys(source) != dict.keys(value):
            common = dict.keys(source) & dict.keys(value)
            if [k for k in source if k in common] != [k for k in value if k in common]:
                record_unknown_order(source)
            for key in {**source, **value}:
                put_entry(source, key, self._chosen(taken, *_under(key, value, source)))
        else:
            after = self._chosen(taken, _copy(value), _copy(source))
            put_contents(source, contents_of(after) or {})
        record_propagated(source, before, self._pred, taken)

    def _chosen(self, taken: bool, ours: object, its: object) -> object:
        if ours is its:
            return its
        then, orelse = (ours, its) if taken else (its, ours)
        return self._choose(self._pred, lambda: then, lambda: orelse, "it is that one")

    def _refusal(self, error: BranchMismatch) -> BranchMismatch:
        shown = self._name if self._name.startswith(VALUE) else f"'{self._name}'"
        return BranchMismatch(
            f"{shown} is one of two lists or dicts, and what is put into it is not like what that "
            f"one holds: {error.message}",
            self._place,
        )

    def refresh(self) -> None:
        """Record the current contents of the container and its sources."""
        for part in self._recorded():
            if self._is_own(part):
                part.contents = with_contents(part.value)

    def _mark_stale_aliases(self) -> None:
        """Mark other containers that may be one of these as stale."""
        aliases = alias_state()
        assert aliases is not None, "a selected ref is made only in a trace"
        for alias_set in aliases.alias_sets:
            if any(map(self._is_own, alias_set.members)):
                # A source that one branch made is gone after the branch, and needs no mark.
                source, *made = alias_set.members
                others = [each for each in made if not self._has_change(each)]
                if not self._has_change(source) and is_reachable(source):
                    others.append(source)
                aliases.stale.update({id(each.value): (alias_set, each) for each in others})

    def _tell_owners(self) -> None:
        """Tell owners that are selected refs themselves which containers have the change."""
        aliases = alias_state()
        for each in aliases.proxies if aliases is not None else ():
            if isinstance(each, SelectedRef) and any(each.value is owner for owner in self.owners):
                each._given_by += [self.value, *self._given_by]
        self._given_by.clear()

    def _recorded(self) -> list[AliasMember]:
        """Return the alias members of the container and of its sources."""
        aliases = alias_state()
        groups = [each.members for each in aliases.alias_sets] if aliases is not None else []
        return [part for parts in groups if any(map(self._is_own, parts)) for part in parts]

    def _has_change(self, part: AliasMember) -> bool:
        return self._is_own(part) or any(part.value is each for each in self._given_by)

    def _is_own(self, part: AliasMember) -> bool:
        return any(part.value is each for each in (self.value, *self.owners))


def record_choice(
    value: object, branches: Sequence[object], pred: rt.Tensor, choose: Choose, name: str
) -> None:
    """Record that a container made for a variable is one of those that two branches leave there.

    Args:
        value: the container made.
        branches: the values that the two branches leave.
        pred: the condition.
        choose: records a choice.
        name: the variable.
    """
    sources = [
        (at == 0, each.value)
        for at, each in enumerate(branches)
        if isinstance(each, ContainerSnapshot) and each.is_old and each.value is not value
    ]
    made = [
        each.value for each in branches if isinstance(each, ContainerSnapshot) and not each.is_old
    ]
    if any(_may_be_another(each) for each in made):
        return  # A branch's own container may not be among the sources.
    if sources and _is_simple(value) and all(_is_simple(source) for _, source in sources):
        record_proxy(SelectedRef(value, sources, pred, choose, name))


def _may_be_another(value: object) -> bool:
    """Return whether a container that a branch made is in a list or has an alias after it."""
    aliases = alias_state()
    if aliases is None:
        return False
    copied = (part.value for alias_set in aliases.copied for part in alias_set.members)
    if any(each is value for each in copied):
        return True
    others = origin_ids(aliases, value) - {id(value)}
    parts = (
        part
        for alias_set in aliases.alias_sets
        for part in alias_set.members
        if id(part.value) in others
    )
    return any(map(is_reachable, parts))


def _under(key: object, *containers: object) -> list[object]:
    """Return the entry of each container under a key, which may be absent."""
    return [entry_of(each, key) for each in containers]


def _copy(value: Any) -> object:
    return rt.nest.rebuild(value, rt.nest.children(value) or [])


def _is_simple(value: Any) -> bool:
    """Return whether a value is a list, dict or dataclass instance without mutable items."""
    is_record = rt.nest.is_nested(value) and not isinstance(value, (list, dict, tuple))
    if type(value) not in (list, dict) and not (is_record and is_mutable(value)):
        return False
    return not any(is_mutable(each) or record_of(each) for each in rt.nest.children(value) or ())
