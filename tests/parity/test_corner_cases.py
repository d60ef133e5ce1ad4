"""Every corner case of Python's semantics has programs for each of its clauses.

What the programs do as they are, converted and staged is compared by the tests around this one;
here stand the list of cases, and what no single program can show.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.graph.graph import Graph
from tests.corpus import PROGRAMS, Program, find
from tests.parity.agreement import error_difference, outcome_of, spelled

# A title for each case, and the programs that show it: first on Python values, then on tensors.
CASES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "a chained comparison evaluates its middle once and stops early": (
        ("middle_once", "chained_kinds"),
        ("chained_calls", "chained_comparison"),
    ),
    "else of try is skipped by a jump out of the body": (
        ("try_with_jumps", "try_else_after_return"),
        ("try_else_after_jump",),
    ),
    "finally that jumps swallows what was on its way": (
        ("finally_return", "finally_break"),
        ("finally_overrides",),
    ),
    "a return whose value raises does not return": (
        ("return_that_raises", "return_raises_in_loop"),
        (),
    ),
    "closures bind late and share cells": (
        ("late_binding", "cells_shared"),
        ("lambda_sees_later_value", "early_lambda"),
    ),
    "variables that are unbound, or None, on some path": (
        ("unbound_variable", "first_iteration", "handler_name_ends", "named_in_locals",
         "unbound_after_delete"),
        ("bound_when_used", "bound_on_one_path", "none_at_start", "maximum_from_none"),
    ),
    "loops that never run, and the loop variable afterwards": (
        ("zero_trip_loop",),
        ("loop_variable_kept", "loop_variable_unbound", "variable_after_loop"),
    ),
    "return leaves nested loops, with and try": (
        ("return_through_with",),
        ("return_through_blocks", "return_in_nested_loops", "return_in_with"),
    ),
    "the test of a loop is evaluated once more than its body": (
        ("tests_counted",),
        ("tests_with_state", "called_in_test"),
    ),
    "break stops the test from being evaluated": (
        ("break_stops_test",),
        ("break_guards_index",),
    ),
    "containers with several names, changed in branches": (
        ("aliases",),
        ("list_changed_in_both", "alias_in_branch"),
    ),
    "writes hidden in methods, nested functions and second names": (
        ("nested_function_changes_object",),
        ("hidden_writes", "nonlocal_counter", "method_changes_object"),
    ),
    "state that is kept from one call to the next": (
        ("state_after_call", "global_variable"),
        ("attribute_in_branch", "attribute_state"),
    ),
    "literals that are equal but not the same": (
        ("literal_kinds",),
        (),
    ),
    "the source that belongs to a function": (
        ("raw_string_with_backslash", "empty_bodies", "docstring_only"),
        ("lambdas_on_a_line", "lambda_in_default", "comment_with_backslash",
         "decorators_over_lines", "odd_indentation"),
    ),
    "super, private names, class bodies and operators": (
        ("mangled_by_definition", "class_inside"),
        ("super_everywhere", "private_names", "properties", "class_with_conditions"),
    ),
    "scopes of comprehensions, walrus and handlers": (
        ("comprehension_scopes", "walrus_in_comprehension", "walrus"),
        ("walrus_in_test",),
    ),
    "annotations and declarations inside of blocks": (
        ("nonlocal_through_levels", "nonlocal_of_grandparent", "module_global_changed",
         "nonlocal_bound_by_handler"),
        ("annotated_in_branches", "parameter_in_branch"),
    ),
    "exceptions keep identity, links, lines and names": (
        ("own_exception", "reraise", "exceptions_linked", "error_in_flight",
         "lines_of_a_traceback", "warnings_point_up"),
        ("raise_in_branch",),
    ),
    "depth, order of evaluation and names": (
        ("deep_recursion_900", "evaluation_order", "keyword_twice", "shadowed_builtins",
         "attributes_of_functions", "mutable_default", "generator_inside", "objects_stay_lazy",
         "dictionary_changed"),
        ("name_hygiene", "recursion"),
    ),
    "and what else must work": (
        ("deleted_in_branches", "created_in_one_branch", "iterator_resumed", "one_iterator",
         "break_through_with", "numbers_as_tests", "mock_is_called"),
        ("closures_in_loop", "masked_by_exception"),
    ),
}  # fmt: skip
OWN = tuple(program for program in PROGRAMS if program.theme == "corner_cases")


@pytest.mark.parametrize("title", CASES)
def test_every_case_has_its_programs(title: str) -> None:
    on_values, on_tensors = CASES[title]
    assert on_values
    assert len(on_values) == len(find(list(on_values)))
    for program in find(list(on_tensors)) if on_tensors else ():
        assert program.python_only is None, program.id


def test_every_program_of_the_theme_belongs_to_a_case() -> None:
    listed = [name for programs in CASES.values() for group in programs for name in group]
    assert len(listed) == len(set(listed))
    assert {program.name for program in OWN} <= set(listed)


@pytest.mark.parametrize("program", OWN, ids=lambda program: program.name)
def test_the_traced_version_agrees_with_python(program: Program) -> None:
    converted = ag.to_graph(program.function)
    for case in range(len(program.cases)):
        expected = outcome_of(program.function, program.arguments(case))
        with Graph("recording").recording():
            actual = outcome_of(converted, program.arguments(case))
        assert error_difference(expected.error, actual.error) is None
        assert spelled(expected.result) == spelled(actual.result)
        assert expected.printed == actual.printed


# What a trace leaves in an object or a cell cannot be taken for a value.


class Model:
    """Keeps the last positive value it was given."""

    def __init__(self) -> None:
        self.best: Any = 0

    def step(self, x: Any) -> Any:
        if x > 0:
            self.best = x
        return self.best


def test_a_call_leaves_values_in_object_attributes() -> None:
    model = Model()
    step = ag.function(model.step)
    for x, best in ((3, 3), (9, 9), (0, 9)):
        assert best == int(step(rt.constant(x))) == int(model.best)
    assert 12 == model.step(12) == model.best


def test_a_call_leaves_values_in_closure_variables() -> None:
    last: Any = 0

    @ag.function
    def note(x: Any) -> Any:
        nonlocal last
        if x > 0:
            last = x * 2
        return last

    for x, left in ((3, 6), (4, 8), (-1, 8)):
        assert left == int(note(rt.constant(x))) == int(last)


# Literals that are equal but not the same are traced for themselves.


@pytest.mark.parametrize(
    "values",
    [(1, True, 1.0), (0, False, 0.0), ("a", b"a"), ((1,), [1]), (None, 0), ({"a": 1}, {"b": 1})],
    ids=repr,
)
def test_equal_literals_of_different_types_are_distinct_arguments(values: tuple[Any, ...]) -> None:
    calls: list[Any] = []

    @ag.function
    def kind(k: Any) -> Any:
        calls.append(repr(k))
        return k

    results = [kind(value) for value in (*values, *values)]
    assert len(values) == len(calls)
    for value, result in zip((*values, *values), results):
        assert _plainly(value) == _plainly(result)


def _plainly(value: Any) -> Any:
    if isinstance(value, rt.Tensor):
        return _plainly(np.asarray(value.numpy()).tolist())
    if isinstance(value, tuple | list):
        return type(value), [_plainly(item) for item in value]
    if isinstance(value, dict):
        return {key: _plainly(item) for key, item in value.items()}
    if isinstance(value, str):
        return _plainly(value.encode())
    return type(value), value


def test_signed_zeros_and_nan_are_preserved() -> None:
    keep = ag.function(lambda k: k)
    assert [1.0, -1.0] == [math.copysign(1, float(keep(zero))) for zero in (0.0, -0.0)]
    assert all(math.isnan(float(keep(math.nan))) for _ in range(2))
