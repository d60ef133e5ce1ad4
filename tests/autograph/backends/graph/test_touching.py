"""Lists that are one on some path: changed under one name and used under another."""

from __future__ import annotations

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import ContainerMutationError

USES = {
    "length": lambda a, b, t: len(a),
    "item": lambda a, b, t: a[0],
    "method": lambda a, b, t: a.count(1),
    "loop": lambda a, b, t: [v + 0 for v in a][0],
    "comparison": lambda a, b, t: a == [1],
    "builtin": lambda a, b, t: sum(a),
    "result": lambda a, b, t: a,
    "inside a result": lambda a, b, t: (1, {"k": a}),
    "second list": lambda a, b, t: b[0],
}
CHANGES = {
    "append": lambda t: t.append(3),
    "item": lambda t: t.__setitem__(0, 5),
    "clear": lambda t: t.clear(),
}


def chosen(use, change, before=False):
    def f(x):
        a, b = [1], [2]
        t = a if x > 0 else b
        if before:
            change(a)
            return t[0]
        change(t)
        return use(a, b, t)

    return f


def in_python(value):
    return rt.nest.map_structure(lambda leaf: leaf.numpy().item(), value)


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("change", CHANGES)
def test_the_other_name_is_used_after_a_change(use, change):
    f = chosen(USES[use], CHANGES[change])
    staged = ag.function(f)
    for x in (1, -1):
        try:
            expected = f(x)
        except IndexError:
            with pytest.raises(IndexError, match="list index out of range"):
                staged(rt.constant(x))
        else:
            assert in_python(staged(rt.constant(x))) == expected


def test_the_first_name_is_changed_and_the_second_used():
    with pytest.raises(ContainerMutationError, match="copy"):
        ag.function(chosen(USES["length"], CHANGES["append"], before=True))(rt.constant(1))


def test_only_the_changed_one_is_used():
    staged = ag.function(chosen(lambda a, b, t: t, CHANGES["append"]))
    assert in_python(staged(rt.constant(1))) == [1, 3]


@pytest.mark.parametrize(("use", "expected"), [("length", 1), ("item", 1), ("builtin", 1)])
def test_nothing_changes(use, expected):
    assert expected == int(ag.function(chosen(USES[use], lambda t: None))(rt.constant(1)))


def test_the_remedy_of_the_error_works():
    def f(x):
        a, b = [1], [2]
        t = list(a) if x > 0 else list(b)
        t.append(3)
        return len(a), len(t)

    assert [1, 2] == [int(v) for v in ag.function(f)(rt.constant(1))]


def test_identity_of_what_may_be_one_is_refused():
    def f(x):
        a, b = [1], [2]
        t = a if x > 0 else b
        return t is a

    with pytest.raises(ag.errors.StagingError, match="keep a flag"):
        ag.function(f)(rt.constant(1))
