"""Exceptions are the user's own: the same tracebacks, carets and chains as in plain Python."""

from __future__ import annotations

import re
import sys
import traceback
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from runtime.graph.graph import Graph
from tests.parity import failing_expressions, failing_statements
from tests.parity.hostile import forced
from tests.parity.run_modes import CONVERTED, Module, idle, plain, recorded, recording

PROGRAMS = [*failing_expressions.PROGRAMS, *failing_statements.PROGRAMS]
NOTE = re.compile(r"^while tracing f\(x=1\)\n", re.MULTILINE)

WITHOUT = re.compile(r'^  File ".*contextlib\.py", line .*\n(?:    .*\n)+', re.MULTILINE)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("text", PROGRAMS, ids=range(len(PROGRAMS)))
def test_a_printed_traceback_agrees_with_python(text: str) -> None:
    module = Module("<error program>", f"{text}\n")
    expected = module.traceback_of(module.fresh()["f"], 1)
    assert "in f\n" in expected
    for name, change in CONVERTED.items():
        found = module.traceback_of(change(module.fresh()["f"]), 1)
        # A trace calls the body from the generator of a manager, and contextlib is not between.
        told = WITHOUT.sub("", expected) if name == "traced" else expected
        assert told == NOTE.sub("", found), name


# What code of the user's sees of an exception that came through statements, builtins and ops.
INSIDE = Module(
    "<inside>",
    """
import contextlib, sys, traceback
SEEN = []
def see():
    kind, error, entry = sys.exc_info()
    text = traceback.format_exc()
    if sys.version_info < (3, 11) and entry.tb_frame.f_code.co_name == "_traced":
        # Before Python 3.11 the frame that catches stands first, where nobody can take it away.
        entry = entry.tb_next
        text = "".join(traceback.format_exception(kind, error, entry))
    SEEN.append((spelled(entry), spelled(error.__traceback__), text))
def spelled(entry):
    return [(each.name, each.lineno) for each in traceback.extract_tb(entry)]
def fail(*args):
    raise ValueError("no")
class Swallows:
    def __enter__(self): return self
    def __exit__(self, kind, error, entry):
        SEEN.append(spelled(entry))
        return True
@contextlib.contextmanager
def swallowing():
    try:
        yield
    except Exception:
        see()
def f(x, rt):
    for action in ACTIONS:
        try:
            action(x)
        except Exception:
            see()
    try:
        len(5)
    except TypeError as error:
        see()
    try:
        x = 1 if fail(x) else 2
    except ValueError:
        see()
    try:
        try:
            x = x and fail(x)
        finally:
            see()
    except ValueError:
        see()
    try:
        while x:
            x += len(x)
    except TypeError:
        see()
    try:
        rt.matmul(rt.constant(1), 1)
    except ValueError:
        SEEN.append(spelled(sys.exc_info()[2])[:1])
    with swallowing():
        if x:
            fail(x)
    with Swallows():
        fail(x)
ACTIONS = [
    lambda x: range("a"),
    lambda x: sorted([1, 2], key=fail),
    lambda x: list(map(fail, [1])),
    lambda x: eval("fail(x)"),
    lambda x: exec("fail(x)"),
    lambda x: x.foo,
    lambda x: [fail(y) for y in [x] if y or x],
    lambda x: [].pop(),
]
""",
)


def observed_exceptions(change: Any) -> list[Any]:
    variables = INSIDE.fresh()
    change(variables["f"])(1, rt)
    found: list[Any] = variables["SEEN"]
    return found


def test_tracebacks_seen_by_user_code_agree_with_python() -> None:
    expected = observed_exceptions(plain)
    assert 15 < len(expected)
    assert expected == observed_exceptions(idle)
    assert expected == observed_exceptions(recorded)


def test_exit_of_a_with_that_stays_python_sees_the_users_frames_alone() -> None:
    seen: list[list[str]] = []

    class Swallows:
        def __enter__(self) -> None: ...

        def __exit__(self, kind: object, error: object, entry: Any) -> bool:
            seen.append([frame.f_code.co_name for frame, _ in traceback.walk_tb(entry)])
            return True

    def f() -> None:
        with Swallows():
            [].pop()

    forced(ag.to_graph(f))()
    # Python 3.10 restores the traceback that a clause caught, with our own frame in it.
    assert [["f"] if sys.version_info >= (3, 11) else ["f", "call"]] == seen


STAGED = Module(
    "<staged>",
    """
SEEN = []
def step(x, rt):
    return x.numpy()
def in_if(x, rt):
    if x > 0:
        y = step(x, rt)
    else:
        y = x
    return y
def in_while(x, rt):
    while x > 0:
        x = step(x, rt)
    return x
def in_for(x, rt):
    for i in rt.range(x):
        x = step(i, rt)
    return x
def in_and(x, rt):
    return x > 0 and step(x, rt)
def in_choice(x, rt):
    return step(x, rt) if x > 0 else x
def in_key(x, rt):
    return max(1, 2, key=lambda v: step(x, rt))
def caught(x, rt):
    import traceback
    try:
        return in_if(x, rt)
    except TypeError as error:
        SEEN.append([each.name for each in traceback.extract_tb(error.__traceback__)])
        raise
""",
)
STAGED_FRAMES = {
    "in_if": ["in_if", "step"],
    "in_while": ["in_while", "step"],
    "in_for": ["in_for", "step"],
    "in_and": ["in_and", "step"],
    "in_choice": ["in_choice", "step"],
    "in_key": ["in_key", "<lambda>", "step"],
    "caught": ["caught", "in_if", "step"],
}
# Python 3.10 keeps the entry of a frame that catches and raises again, be it one of ours.
KEEPS_FRAMES = sys.version_info < (3, 11)


@pytest.mark.parametrize("name", STAGED_FRAMES)
def test_a_trace_of_a_staged_statement_shows_the_users_frames_alone(name: str) -> None:
    variables = STAGED.fresh()
    graph = Graph("by_hand")
    by_hand = ag.to_graph(variables[name])

    def call() -> None:
        with graph.recording():
            by_hand(graph.add_input(rt.TensorSpec((), rt.int32), "x"), rt)

    for run in (call, lambda: ag.function(variables[name])(rt.constant(1), rt)):
        with pytest.raises(rt.errors.SymbolicTensorError) as caught:
            run()
        entries = traceback.extract_tb(caught.value.__traceback__)
        found = [each.name for each in entries if each.filename == STAGED.name]
        if KEEPS_FRAMES:
            found = [a for a, b in zip(found, [*found[1:], None]) if a != b]
        else:
            assert {__file__, STAGED.name} == {each.filename for each in entries}
        assert STAGED_FRAMES[name] == found
    # What is wrong with the tracing is nothing the program's own handlers are asked about.
    assert [] == variables["SEEN"]


def notes_of(fn: Any, *args: Any) -> list[str]:
    with pytest.raises(Exception) as caught:
        fn(*args)
    return list(getattr(caught.value, "__notes__", []))


def test_one_note_names_the_traced_call() -> None:
    @ag.function
    def inner(x: Any, n: int) -> Any:
        return x.missing

    @ag.function
    def outer(x: Any, n: int = 3) -> Any:
        return inner(x, n) + 1

    @ag.function
    def mismatched(x: Any) -> Any:
        if x > 0:
            y: Any = 1
        else:
            y = "a"
        return y

    @ag.function
    def nested(x: Any) -> Any:
        return outer.get_concrete_function(rt.TensorSpec((), rt.int32))(x)

    vector = rt.constant([1.0, 2.0])
    expected = ["while tracing outer(x: float32[2], n=3)"]
    assert expected == notes_of(outer, vector)
    assert expected == notes_of(outer, vector)
    assert ["while tracing inner(x: float32[2], n=1)"] == notes_of(inner, vector, 1)
    assert ["while tracing mismatched(x: int32[])"] == notes_of(mismatched, rt.constant(1))
    assert ["while tracing nested(x: float32[2])"] == notes_of(nested, vector)


def test_an_object_raised_by_two_traces_has_the_line_of_the_last() -> None:
    made = KeyError("made")

    @ag.function
    def throw(x: Any) -> Any:
        raise made

    assert ["while tracing throw(x: int32[])"] == notes_of(throw, rt.constant(1))
    assert ["while tracing throw(x: int32[2])"] == notes_of(throw, rt.constant([1, 2]))


def test_no_note_is_added_outside_of_a_trace() -> None:
    def throw() -> None:
        raise KeyError("made")

    for fn in (ag.convert(throw), ag.to_graph(throw), recording(ag.to_graph(throw))):
        assert [] == notes_of(fn)
    ag.run_functions_eagerly(True)
    try:
        assert [] == notes_of(ag.function(throw))
    finally:
        ag.run_functions_eagerly(False)
