"""The lists, dicts and objects in an exception that is caught when the graph runs.

except ValueError as e:      what was there before the `try` is what it is, in e.args, too;
    rows.append(1)           what the body of the `try` has made is held by a copy
    len(e.args[0])
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import runtime as rt
from autograph.backends.graph.aliases.seen import is_seen
from autograph.backends.graph.aliases.twins import note_results, pairs, refusal
from autograph.backends.graph.program.places import user_place
from autograph.backends.graph.values.mismatch import CAUGHT
from autograph.backends.graph.values.planning import Held, held
from autograph.backends.graph.values.records import record_of
from autograph.backends.graph.watching.noted import Part, is_as_then
from runtime.diagnostics.snapshot import Snapshot

# Deeper than any program nests what it raises.
_DEEPEST = 20


def with_kept(value: object, copies: Snapshot) -> object:
    """Return what an exception holds, with those held that were there before the `try`."""
    kept = {id(each) for each in copies.kept}
    return _with_kept(value, kept) if kept else value


def _with_kept(value: object, kept: set[int], depth: int = 0) -> object:
    if id(value) in kept:
        return held(value, kept)
    children = rt.nest.children(value) if depth < _DEEPEST else None
    if not children:
        return value
    parts = [_with_kept(child, kept, depth + 1) for child in children]
    if all(a is b for a, b in zip(parts, children)):
        return value
    return rt.nest.rebuild(value, parts)


def note_caught(
    name: str,
    result: object,
    found: Sequence[tuple[object, Snapshot]],
    kept: Iterable[Part],
) -> None:
    """Note which containers of the program those are that a handler finds in an exception.

    Args:
        name: the attribute that holds them.
        result: what the handler is given.
        found: what each exception holds that it may be, and of what that is a copy.
        kept: what those hold that were there before the `try` where the handler begins.

    Raises:
        ContainerMutationError: one of those that the result may be has changed since.
    """
    sources = [_of_originals(value, copies) for value, copies in found]
    of = {id(source) for each in sources for _, source in pairs(result, each)}
    refuse_changed(name, [part for part in kept if id(part.value) in of])
    note_results([(f"{CAUGHT}{name}", result, sources)])


def refuse_changed(name: str, parts: Iterable[Part]) -> None:
    """Raise ContainerMutationError if a container does not hold what it held."""
    for part in parts:
        if not is_as_then(part):
            raise refusal(f"{CAUGHT}{name}", user_place(), part.value)


def has_other_names(copies: Snapshot) -> bool:
    """Tell whether the program still has something that an exception holds a copy of."""
    return any(is_seen(Part(each.value, None)) for each in copies.copies.values())


def _of_originals(value: object, copies: Snapshot, depth: int = 0) -> object:
    """Return a value with what the containers in it are copies of."""
    if depth > _DEEPEST:
        return value
    original = copies.original(value)
    record = record_of(value)
    children = record.values if record is not None else rt.nest.children(value)
    if children is None:
        return value
    parts = [_of_originals(child, copies, depth + 1) for child in children]
    like = rt.nest.rebuild(value, parts) if record is None else record.holding(parts)
    is_held = original is not value or any(value is each for each in copies.kept)
    return Held(original, like) if is_held else like
