"""Makes staged constructs, in the user's terms, of the entries of the staging log."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from autograph.backends.graph.iterators.staged_iterators import StagedIterator
from autograph.backends.graph.source.staging_log import UNBOUND, DisplayedVariable, StagedEntry
from autograph.backends.graph.values.iterables import SymbolicRange
from autograph.converters.report import Entry
from autograph.insight.call_explanation import StagedConstruct
from autograph.insight.sources import statement_text
from autograph.insight.symbolic_origin import OriginPaths, OriginStep
from runtime.core.tensor import SymbolicTensor
from runtime.graph.graph import Graph

_RESULT = "retval_"
_FLAGS = {"do_return": "return", "break_": "break", "continue_": "continue"}
_NUMBERED = re.compile(r"_\d+$")
_BRANCHES = {"then": "the main branch", "else": "the else branch", "body": "its body"}


_COMPREHENSIONS = (
    *("list comprehension", "set comprehension", "dict comprehension"),
    "generator expression",
)
# For a kind in the staging log, the kinds of constructs in a report.
_CONSTRUCTS = {
    "if": ("if", "elif", "match", *_COMPREHENSIONS),
    "and": ("and", "chained comparison", "match"),
    "for": ("for", *_COMPREHENSIONS),
    "rest of for": ("for", *_COMPREHENSIONS),
    "try": ("try", "with"),
}
# An entry on a later line than the first of one of these belongs to another construct.
_BLOCKS = ("if", "elif", "for", "while", "try", "with")


def staged_construct(
    note: StagedEntry, paths: OriginPaths | None, function: str, entries: Iterable[Entry]
) -> StagedConstruct | None:
    """Return the staged construct of a note; None if the user's code has no such construct.

    Args:
        note: an entry of the staging log.
        paths: the paths in the traced graph; None if there is no graph.
        function: the name of the function around it.
        entries: the constructs of the function.
    """
    entry = _entry_of(note, entries)
    if entry is None:
        return None
    before = (each for each in note.before if each.marks != (UNBOUND,))
    reads = (*before, *note.reads)
    exits = (_FLAGS.get(_synthetic_name(each, note), "") for each in note.after)
    return StagedConstruct(
        entry.construct.strip("`"),
        entry.line,
        paths.shortest(symbolic_values(note), _last_step(note, entry)) if paths is not None else (),
        tuple(each for each in reads if not _synthetic_name(each, note)),
        tuple(each for each in _results(note) if each.marks != (UNBOUND,)),
        tuple(dict.fromkeys(each for each in exits if each)),
        tuple(_raising(note)),
        function=function,
    )


def _entry_of(note: StagedEntry, entries: Iterable[Entry]) -> Entry | None:
    """Return the user's construct that a note is about."""
    words = _CONSTRUCTS.get(note.kind, (note.kind,))
    line = note.place.line if note.place is not None else None
    if line is None:
        return None
    around = [
        entry
        for entry in entries
        if entry.construct.strip("`") in words
        and entry.line <= line <= (entry.origin.end_line or entry.line)
    ]
    heads = [entry for entry in around if entry.line == line]
    if heads:
        return heads[0]
    inside = [entry for entry in around if entry.construct.strip("`") not in _BLOCKS]
    return max(inside, key=lambda entry: entry.line, default=None)


# One of these has several notes, since it is staged as several statements.
_SEVERAL = ("match", *_COMPREHENSIONS)


def merge_repeats(found: Iterable[StagedConstruct]) -> tuple[StagedConstruct, ...]:
    """Return one construct per place, with the number of times that it was staged."""
    by_place: dict[tuple[str, int, tuple[OriginStep, ...]], StagedConstruct] = {}
    for each in found:
        # In an unrolled loop the path gets longer with each iteration, so that the first one
        # counts.
        place = (each.kind, each.line, ())
        known = by_place.get(place)
        if known is None:
            by_place[place] = each
        elif each.kind not in _SEVERAL:
            by_place[place] = replace(known, times=known.times + 1)
    return tuple(by_place.values())


def symbolic_values(note: StagedEntry) -> tuple[SymbolicTensor, ...]:
    """Return the tensors because of which a statement was staged."""
    found = tuple(_tensors(note.subject))
    if not found and note.node is not None and note.node.op.name == "while_loop":
        found = tuple(_tensors(note.node.regions[0].outputs[0]))
    return found


def _tensors(subject: object) -> Iterator[SymbolicTensor]:
    if isinstance(subject, SymbolicTensor):
        yield subject
    elif isinstance(subject, tuple):
        for each in subject:
            yield from _tensors(each)
    elif isinstance(subject, SymbolicRange):
        for bound in (subject.start, subject.stop, subject.step):
            yield from _tensors(bound)
    elif isinstance(subject, StagedIterator):
        for part in subject.parts:
            yield from _tensors(part)


def _last_step(note: StagedEntry, entry: Entry) -> OriginStep:
    place = entry.origin
    function = note.place.function if note.place is not None else ""
    text = statement_text(place.filename, entry.line, heads=True)
    return OriginStep(text, "statement", entry.line, function, place.filename)


def _synthetic_name(variable: DisplayedVariable, note: StagedEntry) -> str:
    """Return a name that the conversion made, without its number; empty for a user's name."""
    root = re.split(r"[.\[]", variable.name)[0]
    return "" if root in note.names else _NUMBERED.sub("", root)


def _results(note: StagedEntry) -> Iterator[DisplayedVariable]:
    for each in note.after:
        synthetic_name = _synthetic_name(each, note)
        if synthetic_name == _RESULT:
            yield each._replace(name="the return value")
        elif not synthetic_name:
            yield each


def _raising(note: StagedEntry) -> Iterator[str]:
    """Yield the regions that raise in every run, with the exception."""
    for region in note.node.regions if note.node is not None else ():
        error = _raised_in(region)
        if error is not None:
            yield f"{_BRANCHES.get(region.name, region.name)}: {error}"


def _raised_in(region: Graph) -> str | None:
    for node in region.nodes:
        if node.op.name == "raise":
            return repr(node.attrs.get("exception"))
    return None
