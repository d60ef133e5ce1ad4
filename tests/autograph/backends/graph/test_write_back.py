"""Lists that are one on some path: changed under one name and used under another."""

from __future__ import annotations

import subprocess
import sys

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
def test_the_second_name_is_read_after_a_change_of_the_first(use, change):
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
def test_an_unchanged_alias_keeps_its_value(use, expected):
    assert expected == int(ag.function(chosen(USES[use], lambda t: None))(rt.constant(1)))


def test_the_remedy_of_the_error_works():
    def f(x):
        a, b = [1], [2]
        t = list(a) if x > 0 else list(b)
        t.append(3)
        return len(a), len(t)

    assert [1, 2] == [int(v) for v in ag.function(f)(rt.constant(1))]


def test_identity_of_possible_aliases_is_refused():
    def f(x):
        a, b = [1], [2]
        t = a if x > 0 else b
        return t is a

    with pytest.raises(ag.errors.StagingError, match="keep a flag"):
        ag.function(f)(rt.constant(1))


class Node:
    def __init__(self, v, p=None):
        self.v, self.p = v, p


def created_and_assigned(o, x):
    node = o.a if x > 0 else o.b
    o.r = Node(x)
    node.p = o.r
    o.r.v = o.r.v + 1
    return node.p.v


def read_on_one_path(o, x):
    if x > 1:
        o.r = o.a.p
    else:
        o.r = Node(x)
    if x > 0:
        o.a.p = o.r
    o.r.v = o.r.v + 1
    return o.a.p.v


def three_nodes():
    o = Node(rt.constant(0.0))
    o.a, o.b, o.r = (Node(rt.constant(v), Node(rt.constant(v))) for v in (1.0, 2.0, 3.0))
    return o


def test_reading_an_attribute_after_a_change_of_an_alias_is_refused():
    read = Node.__dict__.get("__getattribute__")
    with pytest.raises(ContainerMutationError, match="is changed later"):
        ag.function(read_on_one_path)(three_nodes(), rt.constant(2.0))
    assert Node.__dict__.get("__getattribute__") is read is None


@pytest.mark.parametrize("x", [2.0, -2.0])
def test_an_object_that_is_assigned_to_one_of_two_is_the_same_one_there(x):
    o, other = three_nodes(), three_nodes()
    value = ag.function(created_and_assigned)(o, rt.constant(x))
    assert float(value) == float(created_and_assigned(other, rt.constant(x)))
    assert [float(each.p.v) for each in (o.a, o.b)] == [
        float(each.p.v) for each in (other.a, other.b)
    ]


def test_an_attribute_read_before_a_change_of_an_alias():
    def f(o, x):
        node = o.a if x > 0 else o.b
        o.r = Node(x)
        node.p = o.r
        before = node.p.v
        o.r.v = o.r.v + 1
        return before

    for value in (2.0, -2.0):
        o = Node(rt.constant(0.0))
        o.a, o.b, o.r = (Node(rt.constant(v), Node(rt.constant(v))) for v in (1.0, 2.0, 3.0))
        assert float(ag.function(f)(o, rt.constant(value))) == value
        chosen = o.a if value > 0 else o.b
        assert chosen.p is o.r
        assert float(o.r.v) == value + 1


class First:
    def __init__(self, v, p):
        self.v, self.p = v, p


def changed_in_a_iteration(n):
    one = First(n, 1)
    other = one
    for i in range(n):
        other.p = other.p + 1
        one = First(one.v + i, one.p + i)
    return one.p, other.p


def test_the_first_loop_over_a_class_tracks_attribute_reads():
    # What is looked at once stays so, so this is the only use of the class.
    with pytest.raises(ContainerMutationError, match="'one' is a different list, dict or object"):
        ag.function(changed_in_a_iteration)(rt.constant(1))


@pytest.mark.parametrize("kind", ["list", "dict"])
def test_the_first_loop_of_a_process_tracks_attribute_reads(kind, tmp_path):
    made = {"list": "[n, {0}]", "dict": "{{0: n, 1: {0}}}"}[kind]
    source = tmp_path / "first.py"
    source.write_text(
        "import autograph as ag, runtime as rt\n"
        "@ag.function\n"
        "def f(n):\n"
        f"    one = {made.format('1')}\n"
        "    other = one\n"
        "    for i in range(n):\n"
        "        other[1] = other[1] + 1\n"
        f"        one = {made.format('one[1] + i')}\n"
        "    return one[1], other[1]\n"
        "print(f(rt.constant(1)))\n"
    )
    run = subprocess.run([sys.executable, source], capture_output=True, text=True, check=False)
    assert "ContainerMutationError: 'one' is a different list, dict or object" in run.stderr


def changed_and_read(n):
    one = [n, 1]
    other = one
    for i in range(n):
        other[1] = other[1] + 1
        one = [n, one[1] + i]
    return one[1], other[1]


def read_after_the_other_changed(n):
    one = [n, 1]
    other = one
    read = 0
    for _ in range(n):
        one[1] = one[1] + 1
        read = read * 10 + other[1]
        one, other = [n, 5], [n, 7]
    return one[1], other[1], read


@pytest.mark.parametrize("f", [changed_and_read, read_after_the_other_changed])
def test_an_iteration_that_changes_an_alias_it_reads_is_refused(f):
    with pytest.raises(ContainerMutationError, match="is changed later"):
        ag.function(f)(rt.constant(1))


def test_an_iteration_may_read_an_alias_before_it_changes_it():
    def f(n):
        one = [n, 1]
        other = one
        read = 0
        for i in range(n):
            read = read * 10 + one[1]
            other[1] = other[1] + 1
            one = [n, i + 7]
        return one[1], other[1], read

    for n in range(4):
        assert in_python(ag.function(f)(rt.constant(n))) == in_python(
            rt.nest.map_structure(rt.constant, f(n))
        )


class Outside:
    rows: list[list[int]] = []


JOINED_USES = {
    "result": lambda rows: rows,
    "comparison": lambda rows: rows == [[8]],
    "membership": lambda rows: [8] in rows,
    "count": lambda rows: rows.count([8]),
    "left outside": lambda rows: setattr(Outside, "rows", rows),
}


@pytest.mark.parametrize("use", JOINED_USES.values(), ids=JOINED_USES)
def test_the_row_of_a_joined_list_is_checked_with_the_list(use):
    def f(n):
        rows, row = [], []
        rows.append(row)
        if n > 2:
            rows = []
        else:
            if n == 0:
                row = row + [n]
        row.append(8)
        return use(rows), row

    with pytest.raises(ContainerMutationError, match="'row' is a different list, dict or object"):
        ag.function(f)(rt.constant(1))
