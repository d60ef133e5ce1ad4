"""Optional values raise the errors of Python's None, with its messages."""

from __future__ import annotations

from typing import Any

import pytest

import autograph as ag
import runtime as rt

USES = {
    "add": lambda v: v + 1,
    "radd": lambda v: 1 + v,
    "sub": lambda v: v - 1,
    "rsub": lambda v: 1.5 - v,
    "mul": lambda v: v * 2,
    "truediv": lambda v: v / 2,
    "rtruediv": lambda v: 2 / v,
    "floordiv": lambda v: v // 2,
    "mod": lambda v: v % 2,
    "pow": lambda v: v**2,
    "and": lambda v: v & 1,
    "or": lambda v: v | 1,
    "xor": lambda v: v ^ 1,
    "lt": lambda v: v < 2,
    "le": lambda v: v <= 2,
    "gt": lambda v: v > 2,
    "ge": lambda v: v >= 2,
    "neg": lambda v: -v,
    "pos": lambda v: +v,
    "invert": lambda v: ~v,
    "abs": lambda v: abs(v),
    "int": lambda v: int(v),
    "round": lambda v: round(v),
    "range": lambda v: len(range(v)),
    "both": lambda v: v + v,
}
ON_LISTS = {
    "item": lambda v: v[0],
    "len": lambda v: len(v),
    "sum": lambda v: sum(v),
    "sorted": lambda v: sorted(v)[0],
    "list": lambda v: list(v)[0],
}


class Row:
    """An object with the special methods of a container, which are converted."""

    def __init__(self, *items):
        self.items = list(items)

    def __iter__(self):
        for item in self.items:
            yield item + 0

    def __contains__(self, item):
        return any(each == item for each in self.items)

    def __setitem__(self, index, item):
        self.items[index] = item if item > 0 else 0

    def __delitem__(self, index):
        del self.items[index]

    def __float__(self):
        return float(self.items[0])

    def __enter__(self):
        self.items.append(9)
        return self

    def __exit__(self, *error):
        self.items.pop()

    def __call__(self, item):
        return item if self.items[0] > 0 else -item

    def __iadd__(self, item):
        self.grow(item)
        return self

    def __add__(self, item):
        return item

    def grow(self, item):
        self.items.append(item)


def looped(v):
    total = 0
    for item in v:
        total += item
    return total


def unpacked(v):
    first, second = v
    return 10 * first + second


def assigned(v):
    v[0] = 7
    v[1] = -8
    return 10 * v.items[0] + v.items[1]


def deleted(v):
    del v[0]
    return v.items[0]


def grown(v):
    v.grow(4)
    return len(v.items)


def updated(v):
    v += 1
    return len(v.items)


ON_OBJECTS = {
    "call": lambda v: v(4),
    "update": updated,
    "for": looped,
    "unpacking": unpacked,
    "comprehension": lambda v: [item for item in v if item > 3][0],
    "display": lambda v: [*v][1],
    "in": lambda v: 5 in v,
    "max": lambda v: max(v),
    "zip": lambda v: next(b for _, b in zip(v, [1, 2])),
    "float": lambda v: float(v),
    "assignment": assigned,
    "deletion": deleted,
    "growth": grown,
}


def staged(use, present):
    def f(flag):
        value = None
        if flag:
            value = present
        return use(value)

    return ag.function(f)


def error_of(use):
    with pytest.raises((TypeError, AttributeError)) as error:
        use(None)
    return type(error.value), str(error.value)


def check_use(use, present):
    function = staged(use, present)
    assert use(present) == float(function(rt.constant(True)))
    kind, words = error_of(use)
    with pytest.raises(kind) as error:
        function(rt.constant(False))
    assert words == str(error.value).splitlines()[0]


@pytest.mark.parametrize("name", USES)
def test_a_number_or_none(name):
    check_use(USES[name], 4)


@pytest.mark.parametrize("name", ON_LISTS)
def test_a_list_or_none(name):
    check_use(ON_LISTS[name], [3, 5])


@pytest.mark.parametrize("name", ON_OBJECTS)
def test_an_object_or_none(name):
    def use(flag):
        row = None
        if flag:
            row = Row(rt.constant(3), rt.constant(5))
        return ON_OBJECTS[name](row)

    kind, words = error_of(ON_OBJECTS[name])
    assert float(use(True)) == float(ag.function(use)(rt.constant(True)))
    with pytest.raises(kind) as error:
        ag.function(use)(rt.constant(False))
    assert words == str(error.value).splitlines()[0]


@pytest.mark.parametrize("flag", [True, False])
def test_an_object_or_none_as_context_manager(flag):
    row = Row(3, 5)

    def use(flag):
        v, held = None, 0
        if flag:
            v = row
        if v is not None:
            with v as entered:
                held = len(entered.items)
        return held

    assert use(flag) == int(ag.function(use)(rt.constant(flag)))
    assert [3, 5] == [int(each) for each in row.items]


@pytest.mark.parametrize("flag", [True, False])
def test_a_list_grows_inside_an_object_or_none(flag):
    def use(flag):
        inner = Row(1)
        outer = Row(inner) if flag else None
        if outer is not None:
            outer.items[0].grow(3)
        return len(inner.items)

    assert use(flag) == int(ag.function(use)(rt.constant(flag)))


def test_an_update_in_place():
    def f(flag):
        value = None
        if flag:
            value = 4
        value += 1
        return value

    function = ag.function(f)
    assert 5 == int(function(rt.constant(True)))
    with pytest.raises(TypeError, match=r"for \+=: 'NoneType' and 'int'"):
        function(rt.constant(False))


@pytest.mark.parametrize("flag", [True, False])
def test_operations_that_python_allows_on_none(flag):
    def f(flag):
        value = None
        if flag:
            value = 0
        truth = 1 if value else 2
        return value is None, value is not None, value == 0, value != 0, None == value, truth  # noqa: E711

    assert list(f(flag)) == [each.numpy().item() for each in ag.function(f)(rt.constant(flag))]


@pytest.mark.parametrize("flag", [True, False])
def test_a_use_after_a_none_test_is_not_checked(flag):
    def f(flag):
        value = None
        if flag:
            value = 3
        if value is None:
            return -1
        return value + 1

    function = ag.function(f)
    assert f(flag) == int(function(rt.constant(flag)))
    graph = function.get_concrete_function(rt.TensorSpec((), rt.bool)).graph
    assert 0 == sum(node.op.name in ("check", "assert") for node in graph.walk())


def test_formatting_an_optional_value_formats_its_value():
    text = staged(lambda v: f"<{v}>", 1)
    assert [b"<1>", b"<None>"] == [text(rt.constant(there)).numpy() for there in (True, False)]


def test_an_optional_value_as_a_set_item_is_refused():
    with pytest.raises(ag.errors.StagingError, match="do that in each branch"):
        staged(lambda v: {v}, 1)(rt.constant(True))


def test_chains_of_is_compare_optional_values() -> None:
    def compared(x: Any) -> Any:
        a = None
        if x > 0:
            a = x
        b = a
        return a is b is None, None is a is None, a is not None is not False

    for x in (-1, 1):
        found = ag.function(compared)(rt.constant(x))
        assert [bool(each) for each in found] == list(compared(x))
