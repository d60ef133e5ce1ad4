"""Every program of the corpus that can be staged is explained, whatever its trace does."""

from __future__ import annotations

import contextlib
import io

import pytest

import autograph as ag
from tests.corpus import TENSOR_PROGRAMS, Program

# Here a place is staged for another reason than a tensor that it reads or a name that it binds.
UNEXPLAINED = frozenset(
    """
    errors/missing_items_asked_for errors/objects_swapped_in_try errors/shrunk_after_raise
    errors/state_of_the_moment errors/suppressed_in_loop errors/texts_of_kept_exceptions
    generators/guarded_yields gradients/descent_until_flat items/items_on_some_paths
    joins/none_in_expressions joins/object_or_none_as_a_test lists/compared lists/groups_of_three
    lists/item_of_an_expression lists/one_of_several_operands lists/tested_with_and
    matches/class_of_what_is_chosen numpy/arrays_beside_tensors real/beam_search
    recursion/flood_fill statements/manager_sees_raise statements/managers_around_jumps
    statements/rollback_by_generator while_loops/popped_in_the_test
    """.split()
)


@pytest.mark.parametrize("program", TENSOR_PROGRAMS, ids=lambda program: program.id)
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
        unexplained = [each for each in explained.staged if not each.why]
        assert bool(unexplained) == (program.id in UNEXPLAINED), unexplained
