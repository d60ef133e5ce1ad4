"""Values of branches, encoded as tensors and decoded, for both outcomes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import autograph as ag
import runtime as rt

NUMBERS = st.sampled_from([0, 1, -3, 2.5, True])
VALUES = st.recursive(
    st.one_of(NUMBERS, st.none()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.tuples(inner, inner),
        st.fixed_dictionaries({"k": inner}),
    ),
    max_leaves=5,
)


def plain(value):
    if isinstance(value, rt.Tensor):
        return float(np.asarray(value))
    if isinstance(value, (bool, int, float)):
        return float(value)
    children = rt.nest.children(value)
    return value if children is None else rt.nest.rebuild(value, list(map(plain, children)))


def choice(first, second):
    def choose(flag):
        value = None
        if flag:
            value = rt.nest.map_structure(lambda leaf: leaf, first)
        else:
            value = rt.nest.map_structure(lambda leaf: leaf, second)
        return value

    return ag.function(choose)


@given(VALUES, VALUES)
@settings(max_examples=60, deadline=None)
def test_either_branch_agrees_with_python(first, second):
    chosen = choice(first, second)
    try:
        results = [chosen(rt.constant(flag)) for flag in (True, False)]
    except ag.errors.AutographError:
        return
    assert [plain(first), plain(second)] == [plain(result) for result in results]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ([1], [1, 2]),
        ([[1], []], [[2, 3]]),
        (None, (1, None)),
        ([None, 1], [2]),
        ({"k": []}, {"k": [1]}),
        ((1, [2]), (1.5, [])),
    ],
)
def test_structures_selected_by_the_graph_agree_with_python(first, second):
    chosen = choice(first, second)
    assert plain(first) == plain(chosen(rt.constant(True)))
    assert plain(second) == plain(chosen(rt.constant(False)))
    assert 1 == chosen.experimental_get_tracing_count()
