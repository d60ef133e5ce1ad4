"""Errors have the user's names, the line and a remedy, and no internal names."""

from __future__ import annotations

import enum
import functools
import re

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import AutographError
from autograph.operators.user_classes import type_name
from runtime.errors import OpError

INTERNAL = re.compile("Staged|Several|OptionalValue|Maybe|hidden_|Zipped|CaughtError|Symbolic")


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Box:
    def __init__(self, value):
        self.value = value


def another_kind(n):
    pair = (1, 2)
    for _ in range(n):
        pair = [1, 2]
    return pair


class Named:
    def __init__(self, value):
        self.value = value

    def __repr__(self):
        return f"Named({self.value})"


def object_or_number(n):
    named = Named(n) if n > 1 else None
    return named and 3


def a_longer_tuple(n):
    pair = (1, 2)
    for k in range(n):
        pair = (*pair, k)
    return pair


def other_keys(n):
    table = {"a": 1}
    for k in range(n):
        table = {"b": k}
    return table


def another_kind_of_value(n):
    table = {"a": 1}
    for _ in range(n):
        table["a"] = [1]
    return table


def added_to_a_set(n):
    seen = set()
    for k in range(n):
        seen.add(k)
    return len(seen)


@functools.lru_cache
def remembered(x):
    return x + 1


def under_a_cache(n):
    return remembered(n)


def keys_of_a_dict(n):
    return {k: k * 2 for k in [n, n + 1]}


def items_of_a_set(n):
    return {k + 1 for k in [n, n + 1]}


def a_member(n):
    return Color.RED if n > 0 else Color.BLUE


def changed_under_two_names(n):
    box = Box(1)
    boxes = [box]
    for k in range(n):
        boxes.append(Box(k))
        boxes[0].value += 1
    return box.value, [each.value for each in boxes]


def divided(n):
    grown = []
    for k in range(n):
        grown.append(k)
    return grown / 2


def no_such_attribute(n):
    grown = []
    for k in range(n):
        grown.append(k)
    return grown.nope


def ordered_by(n):
    perhaps = {}
    if n > 0:
        perhaps["a"] = 1
    return perhaps < 3


def added_to_a_zip(n):
    return zip(range(n)) + 1


@pytest.mark.parametrize(
    "function, said",
    [
        (another_kind, "tuple of 2 vs list of 2; give it a value of the same kind before the loop"),
        (object_or_number, r"the Python Named \.\.\. "),
        (a_longer_tuple, r"as in pair = list\(pair\), which may grow with .append\(value\)"),
        (other_keys, "give it the same keys before the loop"),
        (another_kind_of_value, r"'table\['a'\]' does not .* give it a value of the same kind"),
        (
            added_to_a_set,
            r"in `seen.add\(k\)`, Tensor\(.k:0., shape=\(\), dtype=int32\) is used as",
        ),
        (under_a_cache, r"in `return remembered\(n\)`, .* under functools.lru_cache"),
        (keys_of_a_dict, r"is a key of a dict comprehension, .*: keep a list of pairs"),
        (items_of_a_set, r"is a key of a set comprehension, .*: keep a list, or"),
        (a_member, r"return its .value, and make the member of it outside, as in Color\(value\)"),
        (
            changed_under_two_names,
            r"'box' is an item of the list 'boxes' .* as in boxes.append\(copy.copy\(box\)\)",
        ),
        (divided, r"unsupported operand type\(s\) for /: 'list' and 'int'"),
        (no_such_attribute, "'list' object has no attribute 'nope'"),
        (ordered_by, "'<' not supported between instances of 'dict' and 'int'"),
        (added_to_a_zip, r"unsupported operand type\(s\) for \+: 'zip' and 'int'"),
    ],
)
def test_an_error_names_a_remedy(function, said):
    with pytest.raises((AutographError, OpError, TypeError, AttributeError)) as caught:
        ag.function(function)(rt.constant(2))
    message = str(caught.value).split("\n")[0]
    assert re.search(said, message)
    assert INTERNAL.search(message) is None


def test_a_strict_join_names_the_wider_dtype():
    def joined(x):
        if x > 0:
            result = x
        else:
            result = rt.constant(2, rt.int64)
        return result

    with pytest.raises(AutographError, match=r"rt.cast\(result, rt.int64\)"):
        ag.function(joined, dtype_join="strict")(rt.constant(1))


def test_a_type_is_named_by_its_value():
    assert ["list", "NoneType", "Box"] == [type_name(each) for each in ([], None, Box(1))]
