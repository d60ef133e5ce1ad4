"""Staged lists agree with Python lists, for random sequences of operations."""

from __future__ import annotations

import linecache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import autograph as ag
import runtime as rt

STEPS = (
    "l.append(x)",
    "l.append(len(l))",
    "l.extend([x, 2])",
    "l.extend(l)",
    "l += [3]",
    "l.insert(0, x)",
    "l.insert(1, 7)",
    "l.insert(-1, x)",
    "l.insert(x, 9)",
    "s += l.pop(x - 1) if 0 < x <= len(l) else 0",
    "s += l.pop() if l else 0",
    "s += l.pop(0) if len(l) > 0 else 0",
    "l.reverse()",
    "l.sort()",
    "l.sort(reverse=True)",
    "l = l.copy()",
    "l = l[1:]",
    "l = l[::-1]",
    "l = l + [4]",
    "l = l[:x]",
    "l[0:1] = [x, x]",
    "del l[0:1]",
    "s += l.count(2)",
    "s += sum(l) + len(l)",
    "s += max(l) if l else -1",
    "s += 1 if x in l else 0",
    "s += 1 if l == [1, x] else 0",
    "if 2 in l: l.remove(2)",
    "for v in l: s += v",
    "for k, v in enumerate(l): s += k * v",
    "for a, b in zip(l, l[1:]): s += a - b",
    "for v in reversed(l): s = s * 2 + v",
    "if l: l[-1] = s",
    "if len(l) > 8: l.clear()",
    "if x > 1: l.append(5)",
    "if x > 0: l = [x]",
)
MADE = []


def program(around, steps):
    """A function of `x` that does the steps in a loop, in a branch, or one after the other."""
    body = [f"        {step}" for step in steps]
    lines = ["def f(x):", "    l = [1]", "    s = 0", f"    {around}:", *body, "    return l, s"]
    name = f"<list program {len(MADE)}>"
    MADE.append(name)
    text = "\n".join(lines) + "\n"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    namespace = {"__name__": "list_programs"}
    exec(compile(text, name, "exec"), namespace)
    return namespace["f"]


def outcome(function, value):
    try:
        items, total = function(value)
    except ag.errors.AutographError:
        return "refused"
    except (IndexError, ValueError) as error:
        return "IndexError" if isinstance(error, IndexError) else "ValueError"
    return [int(item) for item in items], int(total)


@given(
    st.sampled_from(["for i in range(x)", "if x > 0", "while len(l) < x", "for _ in range(2)"]),
    st.lists(st.sampled_from(STEPS), min_size=1, max_size=4),
)
def test_random_list_operations_agree_with_python_or_are_refused(around, steps):
    if "while" in around:
        steps = [*steps, "l.append(1)", "x -= 1"]
    function = program(around, steps)
    staged = ag.function(function)
    for value in (0, 1, 3):
        found = outcome(staged, rt.constant(value))
        if found != "refused":
            assert outcome(function, value) == found


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("around", ["for i in range(x)", "if x > 0"])
def test_each_list_operation_alone_is_supported(step, around):
    function = program(around, [step])
    staged = ag.function(function)
    for value in (0, 1, 3):
        assert outcome(function, value) == outcome(staged, rt.constant(value))


def test_items_of_two_kinds_in_one_list_are_named_with_the_list():
    def in_a_branch(x):
        out = [1]
        if x > 0:
            out.append("a")
        return out

    def in_a_loop(x):
        out = [1]
        for _ in range(x):
            out.append((1, 2))
        return out

    for function, kinds in ((in_a_branch, "int32 and string"), (in_a_loop, "int32 and a tuple")):
        with pytest.raises(
            ag.errors.StagingError, match=f"the items of 'out', .* these are {kinds}"
        ):
            ag.function(function)(rt.constant(3))
