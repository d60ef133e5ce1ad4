"""Bound variables at each point of functions being generated."""

from __future__ import annotations

import gast

from autograph.converters.definite_assignment import DefiniteAssignment, falls_through
from autograph.syntax.tree import parse


def states(here: DefiniteAssignment, names: str) -> str:
    marks = {(True, False): "b", (False, True): "u", (False, False): "?"}
    return "".join(marks[here.is_bound(n), here.is_unbound(n)] for n in names)


def test_a_variable_is_bound_after_a_join_only_if_it_is_on_each_path() -> None:
    here, other = DefiniteAssignment("ab"), DefiniteAssignment("bc")
    here.join([here.copy(), other])
    assert "?b?u" == states(here, "abcd")


def test_weakening_keeps_bound_variables_and_doubt_does_not() -> None:
    here = DefiniteAssignment("a")
    here.may_bind("ab")
    assert "b?" == states(here, "ab")
    here.may_unbind("a")
    assert "?" == states(here, "a")


def test_required_marks_belong_to_the_generated_function() -> None:
    outer = DefiniteAssignment("a")
    outer.may_bind("bc")
    inner = outer.in_function(shared="c")
    branch = inner.copy()
    branch.require_marks("bc")
    assert ("b",) == inner.marks
    assert () == outer.marks
    assert ("b?", "??") == (states(branch, "bc"), states(outer, "bc"))
    assert inner.is_shared("c") and not inner.is_shared("b")


def test_a_copy_does_not_follow() -> None:
    here = DefiniteAssignment("a")
    there = here.copy()
    there.bind("b")
    there.unbind("a")
    assert ("bu", "ub") == (states(here, "ab"), states(there, "ab"))


def test_statements_fall_through_unless_the_last_one_jumps() -> None:
    def ends(text: str) -> bool:
        loop = parse(f"while 1:\n {text}").body[0]
        assert isinstance(loop, gast.While)
        return falls_through(loop.body)

    assert [True, True] == [ends("pass"), ends("if a: break")]
    assert [False] * 4 == [ends(s) for s in ("break", "continue", "return", "raise E")]
    assert falls_through([])
