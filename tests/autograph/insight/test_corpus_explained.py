"""`explain` of corpus programs that can be staged."""

from __future__ import annotations

import contextlib
import io

import pytest

import autograph as ag
from tests.corpus import TENSOR_PROGRAMS, Program
from tests.suite_length import sample

# A program is followed line by line, which takes ten times as long as to trace it.
EXPLAINED = sample(TENSOR_PROGRAMS, 60)
# Programs with a staged place whose reason is not known.
WITHOUT_REASONS = frozenset(
    """
    builtins/ranges_as_conditions corner_cases/finally_overrides datasets/dataset_from_generator
    errors/exception_raised_later errors/grown_again_after_raise errors/item_or_shorter
    errors/missing_items_and_attributes errors/objects_swapped_in_try errors/shrunk_after_raise
    errors/state_at_the_time_of_the_error errors/suppressed_in_loop errors/texts_of_kept_exceptions
    errors/variable_of_another_type_before_try generators/closed_by_a_helper
    generators/closed_through_outer_generators generators/finally_after_an_error_in_the_consumer
    generators/guarded_yields generators/managers_around_yields gradients/descent_until_flat
    items/items_on_some_paths joins/none_in_expressions joins/object_or_none_as_a_test
    jumps/try_else_after_return_and_raise lists/compared lists/groups_of_three
    lists/item_of_an_expression lists/one_of_several_operands lists/tested_with_and
    matches/class_of_what_is_chosen numpy/arrays_beside_tensors real/beam_search
    recursion/flood_fill statements/manager_sees_raise statements/managers_around_jumps
    statements/rollback_by_generator while_loops/popped_in_the_test
    """.split()
)


@pytest.mark.parametrize("program", EXPLAINED, ids=lambda program: program.id)
def test_a_call_is_explained(program: Program) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        explained = ag.explain(program.function, *program.tensors(0))
    text = str(explained)
    assert program.name in text
    for function in explained.functions:
        for line in function.lines:
            assert f"{line.number}" in text
    if program.refused is not None:
        assert program.refused in explained.error
    if not explained.error:
        all_have_reasons = all(each.why for each in explained.staged)
        assert all_have_reasons == (program.id not in WITHOUT_REASONS)


def test_programs_without_reasons_exist() -> None:
    assert WITHOUT_REASONS <= {program.id for program in TENSOR_PROGRAMS}
