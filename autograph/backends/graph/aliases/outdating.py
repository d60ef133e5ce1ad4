"""What lists and names hold, no longer as it is in Python, once an item of a list was changed.

rows[i].append(1)          the row is put where it was picked, in the graph's rows
first                      and may be the one that was put there before: out of date
others = rows[:]           has a copy of it: out of date
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Sequence

import runtime as rt
from autograph.backends.graph.aliases.doubled import doubled, refuse_doubled
from autograph.backends.graph.aliases.item_parts import holds_containers, parts_of
from autograph.backends.graph.aliases.run_sources import is_made_of
from autograph.backends.graph.program.places import UserPlace, user_place
from autograph.backends.graph.values.planning import held
from autograph.backends.graph.values.staged_items import StagedItems
from autograph.backends.graph.watching.noted import Count, Noted, Part, noted


def note_shared(first: object, second: object) -> None:
    """Note that items of one list are items of another, too."""
    known = noted()
    if known is not None and any(map(holds_containers, rt.nest.children(first) or ())):
        known.shared.append((first, second))


def sharing(known: Noted, owner: object) -> list[object]:
    """Return the other lists that have items of a list, as far as that was noted."""
    found, waiting = [owner], [owner]
    while waiting:
        one = waiting.pop()
        for pair in known.shared:
            if any(each is one for each in pair):
                new = [e for e in pair if not any(e is f for f in found)]
                found += new
                waiting += new
    return found[1:]


def put_back(
    owner: object,
    value: object,
    before: Sequence[object],
    others: Sequence[object] = (),
    picked_at: UserPlace | None = None,
) -> None:
    """Note that a picked item that was changed has been put where it was picked.

    Args:
        owner: the list.
        value: the item.
        before: what the list held.
        others: other items picked out of it, which take in what it is now.
        picked_at: where, if that is not noted.

    Raises:
        ContainerMutationError: one object is an item of the list twice.
    """
    known = noted()
    if known is None:
        return
    originals = [part.value for item in before for part in parts_of(item)]
    if len({id(each) for each in originals}) < len(originals):
        raise doubled(user_place())
    noted_at = (t.place for t in known.twins if t.parts[0].value is value)
    picked_at = picked_at or next(noted_at, None)
    refuse_doubled(owner, originals)
    known.rewritten.append((owner, picked_at))
    copies = _copied_into(known, owner, {*map(id, originals), *(id(o) for o in (value, *others))})
    popped = [before for value, before in known.popped if _is_among(value, copies)]
    lists = [each for one in (owner, *popped) for each in sharing(known, one)]
    lists += _with_same_runs(owner, before)
    gone = [*originals, *copies, *lists]
    _outdate(known, gone, picked_at)
    for each in lists:
        _outdate(known, [each], picked_at, holder=each)
    runs = [item.handle for item in rt.nest.children(owner) or () if type(item) is StagedItems]
    known.renewed.update((id(each), runs) for each in gone)
    for twins in known.twins:
        if twins.name:
            continue
        picked = twins.parts[0].value
        if picked is value:
            twins.parts = [Part(value, held(value))]
        elif any(picked is each for each in others):
            continue
        elif twins.owner is owner:
            _outdate(known, [picked], picked_at)
        elif any(part.value is picked for copied in known.copied for part in copied.parts):
            _outdate(known, [twins.owner], picked_at)


def outdate_rewritten(before: Count) -> None:
    """Note, after a loop, what it has changed in lists of which it had a copy when it began.

    Args:
        before: what was noted before its body was traced.
    """
    known = noted()
    if known is None:
        return
    picked = {id(twins.parts[0].value) for twins in known.twins if not twins.name}
    for owner, place in known.rewritten[before[6] :]:
        gone = _copied_into(known, owner, picked)
        _outdate(known, gone, place, holder=owner)
        runs = [item.handle for item in rt.nest.children(owner) or () if type(item) is StagedItems]
        known.renewed.update((id(each), runs) for each in gone)


def _copied_into(known: Noted, owner: object, but: set[int]) -> list[object]:
    """Return the containers a copy of which may be an item of a list, but for some."""
    copied = [
        each for each in known.copied if any(id(part.value) not in but for part in each.parts)
    ]
    found, owners = dict[int, object](), [owner] if copied else []
    for each in owners:
        runs = [item.handle for item in rt.nest.children(each) or () if type(item) is StagedItems]
        made_of = is_made_of(runs, [each.run for each in copied])
        inside = [each for each, is_inside in zip(copied, made_of) if is_inside]
        parts = [part for each in inside for part in (*each.parts, *each.sources)]
        found.update((id(part.value), part.value) for part in parts)
        # What was picked out of another list is an item of that, too.
        picked = [t.owner for t in known.twins if not t.name and id(t.parts[0].value) in found]
        picked += (before for value, before in known.popped if id(value) in found)
        owners += [each for each in picked if each is not None and not _is_among(each, owners)]
    return [value for key, value in found.items() if key not in but]


def _is_among(value: object, others: Iterable[object]) -> bool:
    return any(value is each for each in others)


def _outdate(
    known: Noted,
    values: Iterable[object],
    place: UserPlace | None = None,
    holder: object = None,
) -> None:
    place = place or user_place()
    known.outdated.update(
        {id(each): (Part(each, None), place, holder) for each in values if each is not None}
    )


def _with_same_runs(owner: object, before: Iterable[object]) -> list[object]:
    """Return the lists into which Python itself has put a run of a list, as `extend` does."""
    runs = [item for item in before if type(item) is StagedItems and holds_containers(item)]
    around = [each for run in runs for each in gc.get_referrers(run)]
    return [each for each in around if type(each) is list and each is not owner]
