"""Copies that runs of the graph have of containers which were changed elsewhere since.

kept = [row for row in rows if row[0] > n]    kept has copies of rows in the trace
rows[0].append(1)                             or rows[n].append(1)
kept[0]                                       has not got what Python would show: refused
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import runtime as rt
from autograph.backends.graph.aliases.item_parts import holds_containers
from autograph.backends.graph.aliases.run_sources import is_made_of, items_from
from autograph.backends.graph.program.places import UserPlace
from autograph.backends.graph.values.staged_items import StagedItems
from autograph.backends.graph.watching.noted import Noted, Part, is_as_then


class Stale(NamedTuple):
    """What was changed of which a run has a copy.

    Attributes:
        value: the container.
        place: where it was changed, as far as that is known; else where it was copied.
    """

    value: object
    place: UserPlace | None


def stale_copy(known: Noted, value: object) -> Stale | None:
    """Return of what a list, or the list a value was picked from, has a stale copy."""
    runs = [run for owner in (value, *_owners(known, value)) for run in _runs_of(owner)]
    found = (_stale_in(known, run) for run in runs)
    return next((each for each in found if each is not None), None)


def _stale_in(known: Noted, run: rt.Tensor) -> Stale | None:
    for copied in known.copied:
        for part in copied.parts:
            # What a loop makes is another one in each turn.
            if (
                _is_changed(known, part, run)
                and id(copied.run) in _made_of(known, run)
                and (copied.is_lasting or _owners(known, part.value))
                and not any(is_made_of([run], known.renewed.get(id(part.value), ())))
            ):
                _, place, _ = known.outdated.get(id(part.value), (part, copied.place, None))
                return Stale(part.value, place)
    return None


def _is_changed(known: Noted, part: Part, run: rt.Tensor) -> bool:
    """Tell whether a container was changed, and not where a run became what it is."""
    renewed = known.renewed.get(id(part.value))
    if id(part.value) in known.outdated and renewed:
        return not any(each is run for each in renewed)
    return not is_as_then(part)


def _made_of(known: Noted, run: rt.Tensor) -> frozenset[int]:
    """Return, by identity, of what a run is made; that does not change any more."""
    found = known.made_of.get(id(run))
    if found is None:
        found = known.made_of[id(run)] = (run, items_from(run))
    return found[1]


def _owners(known: Noted, value: object) -> list[object]:
    """Return the lists that a value was picked from, at places known only to the graph."""
    picks = (twins for twins in known.twins if not twins.name and twins.owner is not None)
    return [twins.owner for twins in picks if twins.parts[0].value is value]


def _runs_of(owner: object) -> Iterator[rt.Tensor]:
    if isinstance(owner, list):
        runs = (item for item in owner if type(item) is StagedItems)
        yield from (run.handle for run in runs if holds_containers(run))
