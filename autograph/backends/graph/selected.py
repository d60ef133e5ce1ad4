"""Items that a tensor selects among containers, which the trace makes anew: each is one of several.

    best = max(rows, key=len_of)    best is a row of its own in the trace, one of rows in Python
    best.append(1)
    len(rows[0])                    Python counts one more where best is rows[0]: refused here

Unlike twins, what is made of one list of items are different objects: only what is selected and
what it is selected from may be one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from autograph.backends.graph.noted import Part, Twins, is_as_then, noted, part_of
from autograph.backends.graph.places import UserPlace, user_place
from autograph.errors import ContainerMutationError


def note_selected(name: str, made: Sequence[Part], sources: Sequence[Part]) -> Twins | None:
    """Note that containers, what is made of items, may be others, which those items hold.

    Args:
        name: what selects them, as `max()`.
        made: the containers made.
        sources: those of the items.
    """
    known = noted()
    if known is None or not made or not sources:
        return None
    group = Twins(name, user_place(), list(made), list(sources))
    known.selected.append(group)
    return group


def follow(made: object, original: object) -> None:
    """Note of a container made of another one, by a statement, that it is selected as that is."""
    known = noted()
    for group in known.selected if known is not None else ():
        for parts in (group.parts, group.sources):
            if any(part.value is original for part in parts):
                parts.append(part_of(made))


def refuse_lost(containers: Collection[int]) -> None:
    """Look whether what containers, by identity, are selected from or selected as was changed.

    Raises:
        ContainerMutationError: it was.
    """
    known = noted()
    for group in known.selected if known is not None else ():
        for parts, others in ((group.parts, group.sources), (group.sources, group.parts)):
            own = any(id(part.value) in containers for part in parts)
            if own and not all(map(is_as_then, others)):
                raise lost(group.name, group.place)


def changed_and_others(groups: Iterable[Twins]) -> Iterator[tuple[Twins, Part]]:
    """Yield what may be the same as a container that was changed since it was noted."""
    for group in groups:
        for parts, others in ((group.parts, group.sources), (group.sources, group.parts)):
            if not all(map(is_as_then, parts)):
                yield from ((group, other) for other in others)


def lost(name: str, place: UserPlace | None) -> ContainerMutationError:
    """Return the error for what is selected and what it is selected from, of which one changes."""
    return ContainerMutationError(
        f"what {name} gives is an item of the list it was given, and one of the two is changed "
        "while the other is looked at, too, which Python would show in both: select its index and "
        "change items[i], or make a copy, as in copy.copy(item)",
        place,
    )
