"""The reasons for a second trace, found by comparing it with the earlier ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from autograph.functions.arguments.key_relations import covers
from autograph.functions.arguments.signature import CallSignature
from autograph.functions.arguments.signature_text import call_text, short_spec
from autograph.functions.arguments.trace_key import Key
from autograph.functions.trace_cache.covering_signature import CoveringSignature, covering
from autograph.functions.trace_cache.key_changes import KeyChange, Part, changes_between, text_of
from autograph.functions.trace_cache.trace_history import TraceRecord
from runtime.core.context import Origin

# The distance between calls for an argument of another dtype, type or structure; others count 1.
_FAR = 3


@dataclass(frozen=True, slots=True)
class Retrace:
    """One trace, with the differences of its call from the most similar one before.

    Attributes:
        number: the number of the trace, from 1.
        call: the call that caused it, `f(x: float32[3], n=2)`.
        origin: the user's line of that call; None if unknown.
        compared_with: the number of the trace it is compared with; None for the first.
        changes: the differences from that one.
        covering: the input signature that would have served both.
        note: another reason, if there are no differences.
    """

    number: int
    call: str
    origin: Origin | None
    compared_with: int | None = None
    changes: tuple[KeyChange, ...] = ()
    covering: CoveringSignature | None = None
    note: str = ""


def latest_retrace(signature: CallSignature, records: Sequence[TraceRecord]) -> Retrace:
    """Return the report on the last of some traces, compared with the most similar one before."""
    record, earlier = records[-1], records[:-1]
    call = call_text(signature, record.values, _own(signature, record), short_spec)
    if not earlier:
        return Retrace(record.number, call, record.origin)
    compared = ((_changes(signature, each, record), each) for each in earlier)
    changes, nearest = min(compared, key=lambda pair: (_distance(pair[0]), -pair[1].number))
    return Retrace(
        number=record.number,
        call=call,
        origin=record.origin,
        compared_with=nearest.number,
        changes=tuple(changes),
        covering=covering_of(signature, (nearest, record)) if changes else None,
        note="" if changes else _note(nearest, record),
    )


def _distance(changes: Iterable[KeyChange]) -> int:
    return sum(_FAR if change.kind in ("dtype", "type", "structure") else 1 for change in changes)


def _changes(signature: CallSignature, before: TraceRecord, after: TraceRecord) -> list[KeyChange]:
    names = [parameter.name for parameter in signature.parameters]
    new = list(_parts(signature, after))
    # The earlier trace may serve more calls than the one that it was made for.
    old = list(zip(before.served, before.values))
    pairs = ((now if covers(was[0], now[0]) else was, now) for was, now in zip(old, new))
    found = changes_between(names, *map(list, zip(*pairs))) if names else []
    if before.served != before.key or after.served != after.key:
        relaxes = "that is what reduce_retracing=True is for; the next one serves both"
        found = [replace(c, remedy=relaxes) if c.kind == "shape" else c for c in found]
    sharing = [_sharing(signature, each) for each in (before, after)]
    if sharing[0] != sharing[1]:
        old_text, new_text = (_sharing_text(each) for each in sharing)
        remedy = "pass objects of their own, such as copies of a list, or the same ones each time"
        found.append(KeyChange("the arguments", "sharing", old_text, new_text, remedy))
    return found + _changes_of_state(before, after) + _changes_of_read(before, after)


def _changes_of_state(before: TraceRecord, after: TraceRecord) -> list[KeyChange]:
    """Return the differences of two traces in the state that is part of the key."""
    old, new = dict(before.held), dict(after.held)
    return [
        KeyChange(
            name,
            "state",
            text_of((old[name], None)),
            text_of((key, None)),
            _remedy(old[name], key),
        )
        for name, key in new.items()
        if name in old and old[name] != key
    ]


def _remedy(old: Key, new: Key) -> str:
    if old[0] == new[0] == "list" and len(old[2]) != len(new[2]):
        return "append items of one type to the list itself: then one trace serves all lengths"
    return "the function looks at it and writes it: let it hold the same kind of value"


def _changes_of_read(before: TraceRecord, after: TraceRecord) -> list[KeyChange]:
    """Return the differences of two traces in the values that have guards."""
    old = {guard.identity: guard for guard in before.read}
    pairs = ((old.get(guard.identity), guard) for guard in after.read)
    remedy = "pass it as an argument, or keep it in an rt.Variable"
    return [
        KeyChange(now.name, "outside", was.text, now.text, remedy)
        for was, now in pairs
        if was is not None and was.seen != now.seen
    ]


def covering_of(
    signature: CallSignature, records: Sequence[TraceRecord]
) -> CoveringSignature | None:
    """Return the input signature that would have served some traces; None for a single one."""
    if len(records) < 2:
        return None
    for change in _outside(records):
        return CoveringSignature(
            None, f"no signature covers {change.name!r}, which is not an argument"
        )
    return covering(signature, [list(_parts(signature, each)) for each in records])


def _outside(records: Sequence[TraceRecord]) -> Iterator[KeyChange]:
    """Yield the changes of state from one trace to the next."""
    for before, after in pairwise(records):
        if before.changed:
            yield KeyChange(before.changed, "state", "", "", "")
        yield from _changes_of_state(before, after)
        yield from _changes_of_read(before, after)


def _own(signature: CallSignature, record: TraceRecord) -> Key:
    """Return the key of the parameters, without the part for objects that occur twice."""
    return record.key[: len(signature.parameters)]


def _sharing(signature: CallSignature, record: TraceRecord) -> Key:
    return record.key[len(signature.parameters) :]


def _sharing_text(sharing: Key) -> str:
    if not sharing:
        return "objects of their own"
    ((_, places),) = sharing
    return f"one object twice, as in {' '.join(map(str, places))}"


def _parts(signature: CallSignature, record: TraceRecord) -> Iterable[Part]:
    return zip(_own(signature, record), record.values)


def _note(earlier: TraceRecord, record: TraceRecord) -> str:
    if earlier.changed:
        return (
            f"as in trace {earlier.number}, but that changed '{earlier.changed}', which no call of "
            "a graph can do: keep a tensor, a number or a text there"
        )
    if record.dropped > earlier.dropped:
        return (
            f"as in trace {earlier.number}, which is gone: an object it was made for died, or "
            "there were more traces than are kept"
        )
    return f"as in trace {earlier.number}, but that did not know yet what the function writes"
