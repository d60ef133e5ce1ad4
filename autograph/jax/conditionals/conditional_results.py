"""The values after a conditional, made of the results of `lax.cond`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jax.tree_util import tree_unflatten

from autograph.backends.graph.source.source_location import SourceLocation
from autograph.jax.aliases import Named, ReadableContainers, aliases_of, mutable_parts, note_aliases
from autograph.jax.conditionals.joins import Joined
from autograph.jax.conditionals.paths import End, PathOutput, TracedPath
from autograph.jax.heap import Heap
from autograph.jax.location import STACKS
from autograph.jax.optional_values import is_possibly_bound, partly_bound


class ConditionalResults:
    """The values after a conditional, made of the results of `lax.cond`.

    Args:
        results: the arrays.
        paths: the paths that it chooses from, or the only one.
        heap: the containers from before.
        test: the condition; None for the only path.
    """

    def __init__(
        self,
        results: list[Any],
        paths: Sequence[TracedPath],
        heap: Heap,
        where: SourceLocation | None,
    ) -> None:
        self.results, self._paths, self._heap, self._where = results, paths, heap, where
        # For each path, the new containers with those of which they are copies.
        self._copies: list[list[tuple[Named, Any]]] = [[] for _ in paths]
        self._known: list[tuple[list[object], object]] = []

    def joined(self, name: str, value: object, ends: Sequence[End]) -> object:
        """Return the value of a variable, or of a part of a container, from its join."""
        if not isinstance(value, Joined):
            return value
        if value.is_copy:
            ends = [end.as_copy() for end in ends]
        made = self._made(name, value.structure, value.leaves, ends)
        if value.bound is None:
            return made
        return value.bound(self._array(value.defined), made)

    def _array(self, leaf: Any) -> Any:
        return self.results[leaf.at] if isinstance(leaf, PathOutput) else leaf

    def only(self, name: str, end: End) -> object:
        """Return the value that the only path leaves in a place."""
        has_outputs = any(isinstance(leaf, PathOutput) for leaf in end.leaves)
        if not has_outputs or self._heap.holds(end.value):
            return end.value
        if is_possibly_bound(end.value):
            parts: Any = tree_unflatten(end.structure, [self._array(each) for each in end.leaves])
            return partly_bound(name, "has no value on some paths", self._where, *parts)
        return self._made(name, end.structure, end.leaves, [end])

    def _made(self, name: str, structure: Any, leaves: list[Any], ends: Sequence[End]) -> object:
        for known, made in self._known:
            if all(value is end.value for value, end in zip(known, ends)):
                return made
        made = tree_unflatten(structure, [self._array(leaf) for leaf in leaves])
        for path, part in mutable_parts(made).items():
            for copies, end in zip(self._copies, ends):
                if path in end.parts:
                    copies.append((Named(name, part), end.parts[path]))
        self._known.append(([end.value for end in ends], made))
        return made

    def note_aliases(self, is_over: bool = False) -> None:
        """Record the new containers that may be the same object as others."""
        outer = STACKS.pairs
        if not any(self._copies) and all(path.pairs == outer for path in self._paths):
            return
        reach = ReadableContainers(is_over=is_over)
        paired = {id(each.owner) for pair in outer for each in (pair.one, pair.other)}

        def persisting(value: Any) -> Named | None:
            holds = reach.may_hold if id(value) in paired else reach.holds
            return Named(reach.name_of(value) or "", value) if holds(value) else None

        for copies, path in zip(self._copies, self._paths):
            note_aliases(aliases_of(copies, path.pairs, persisting), self._where)
