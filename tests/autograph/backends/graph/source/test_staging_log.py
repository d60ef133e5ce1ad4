"""The staging log records staged statements while it is active."""

from __future__ import annotations

from typing import Any

import autograph as ag
import runtime as rt
from autograph.backends.graph.source.staging_log import StagingLog, listening, outermost


def looping(x):
    total = 0
    while x > 0:
        if x > 2 and total > 1:
            total = total + 0.5
        x = x - 1
    return total if x < 0 else -total


def notes_of(function: Any, *args: Any) -> StagingLog:
    journal = StagingLog()
    with listening(journal):
        ag.function(function).get_concrete_function(*args)
    return journal


def notes_of_the_graph(journal: StagingLog) -> list[Any]:
    """The notes whose graph is the root or a region of it."""
    root = journal.root
    assert root is not None
    graphs = {id(root), *(id(region) for node in root.walk() for region in node.regions)}
    return [note for note in journal.notes if id(note.graph) in graphs]


def test_staged_statements_are_logged_with_their_variables() -> None:
    notes = notes_of_the_graph(notes_of(looping, rt.constant(3)))
    assert ["and", "if", "while", "conditional expression"] == [note.kind for note in notes]
    loop = notes[2]
    assert {"x: int32[]", "total: 0"} == {str(each) for each in loop.before}
    assert {"x: int32[]", "total: float32[]"} == {str(each) for each in loop.after}
    assert "while_loop" == loop.node.op.name


def test_notes_of_a_retraced_body_are_dropped() -> None:
    journal = notes_of(looping, rt.constant(3))
    assert len(notes_of_the_graph(journal)) < len(journal.notes)


def test_an_ordinary_trace_logs_no_notes() -> None:
    journal = StagingLog()
    with listening(journal):
        pass
    ag.function(looping).get_concrete_function(rt.constant(3))
    assert [] == journal.notes
    assert journal.root is None


def test_the_root_is_found_from_any_region() -> None:
    journal = notes_of(looping, rt.constant(3))
    assert {id(journal.root)} == {id(outermost(note.graph)) for note in journal.notes}


def test_variables_that_are_only_read_are_noted() -> None:
    def choosing(x, y):
        if x > 0:
            z = y
        else:
            z = -y
        return z

    (note,) = notes_of_the_graph(notes_of(choosing, rt.constant(1), rt.constant([1.5])))
    assert ["y: float32[1]"] == [str(each) for each in note.reads]
    assert {"z"} <= set(note.names)
