"""User objects that a traced function returns keep their identity."""

from __future__ import annotations

from typing import Any

import pytest

import autograph as ag
import runtime as rt

TABLE: dict[str, Any] = {"last": 0}


class Box:
    def __init__(self) -> None:
        self.items: list[Any] = []
        self.last = {"x": 0}

    def push(self, x: Any) -> Any:
        self.items.append(x)
        return self.items

    def push_by_name(self, n: Any) -> Any:
        items = self.items
        for i in range(n):
            items.append(i)
        return items

    def push_on_one_path(self, x: Any) -> Any:
        if x > 1:
            self.items.append(x)
        return self.items

    def replace_all(self, x: Any) -> Any:
        self.items[:] = [x, x + 1]
        return self.items

    def push_and_return(self, x: Any) -> Any:
        self.items.append(x)
        self.last["x"] = x
        return {"items": self.items, "last": (self.last, x)}

    def replace_or_push(self, x: Any) -> Any:
        if x == 2:
            self.items = []
        self.items.append(x)
        return self.items

    def copies(self, x: Any) -> Any:
        self.items.append(x)
        return self.items + [0], list(self.items), self.items[-1]


METHODS = ["push", "push_by_name", "push_on_one_path", "replace_all", "push_and_return", "copies"]
METHODS.append("replace_or_push")


def in_python(value: Any) -> Any:
    return rt.nest.map_structure(lambda x: int(x), value)


@pytest.mark.parametrize("name", METHODS)
def test_each_call_agrees_with_python(name: str) -> None:
    plain, staged = Box(), Box()
    method = ag.function(getattr(Box, name))
    for x in (1, 2, 3):
        expected = in_python(getattr(plain, name)(x))
        assert in_python(method(staged, rt.constant(x))) == expected
        assert in_python(staged.items) == plain.items


def test_a_returned_object_is_the_original() -> None:
    box = Box()
    assert ag.function(Box.push)(box, rt.constant(1)) is box.items
    both = ag.function(Box.push_and_return)(box, rt.constant(2))
    assert both["items"] is box.items and both["last"][0] is box.last


def test_one_of_several_is_the_object_itself_in_every_call() -> None:
    one, other = [1], [2]

    def choose(x: Any) -> Any:
        if x > 0:
            return one
        return other if x < 0 else [x]

    staged = ag.function(choose)
    for x in (1, -1, 0, 1):
        found = staged(rt.constant(x))
        assert in_python(found) == in_python(choose(rt.constant(x)))
        assert [found is each for each in (one, other)] == [x > 0, x < 0]


def test_an_existing_object_is_returned_until_it_is_replaced() -> None:
    box = Box()
    first, begin_or_push = box.items, ag.function(Box.replace_or_push)
    assert begin_or_push(box, rt.constant(1)) is box.items is first
    assert begin_or_push(box, rt.constant(2)) is box.items is not first
    second = box.items
    assert begin_or_push(box, rt.constant(3)) is box.items is second
    assert [int(each) for each in first] == [1]


def test_a_dict_of_the_module() -> None:
    @ag.function
    def note(x: Any) -> Any:
        TABLE["last"] = x
        return TABLE

    assert note(rt.constant(5)) is TABLE
    assert int(TABLE["last"]) == 5
    note(rt.constant(6))
    assert int(TABLE["last"]) == 6


def test_a_method_that_returns_its_object() -> None:
    class Counter:
        def __init__(self) -> None:
            self.total: Any = 0

        @ag.function
        def add(self, x: Any) -> Any:
            self.total = self.total + x
            return self

    counter = Counter()
    assert counter.add(rt.constant(2)) is counter
    assert counter.add(rt.constant(3)).add(rt.constant(4)) is counter
    assert int(counter.total) == 9


def test_an_object_created_in_a_call_is_new_in_each_call() -> None:
    @ag.function
    def make(x: Any) -> Any:
        box = Box()
        box.items.append(x)
        box.itself = box
        return box, {"same": box}

    first, second = make(rt.constant(1)), make(rt.constant(2))
    for number, (box, others) in enumerate((first, second), 1):
        assert type(box) is Box
        assert box is others["same"] is box.itself
        assert [int(each) for each in box.items] == [number]
    assert first[0] is not second[0]
    assert first[0].items is not second[0].items


def test_a_returned_object_is_the_stored_one() -> None:
    class Keeper:
        @ag.function
        def make(self, x: Any) -> Any:
            self.last = Box()
            self.last.items.append(x)
            return self.last

    keeper = Keeper()
    assert keeper.make(rt.constant(1)) is keeper.last
    assert keeper.make(rt.constant(2)) is keeper.last
    assert int(keeper.last.items[0]) == 2


def test_numbers_and_strings_of_an_object_stay_python_values() -> None:
    @ag.function
    def make(x: Any) -> Any:
        box = Box() if x > 0 else None
        if box is not None:
            box.size, box.name = 3, "full"
        return box

    made = make(rt.constant(1))
    assert (made.size, made.name) == (3, "full")
    assert make(rt.constant(-1)) is None


def test_a_function_called_in_a_trace_may_return_an_object() -> None:
    @ag.function
    def make(x: Any) -> Any:
        box = Box()
        box.items.append(x)
        return box

    outer = ag.function(lambda x: make(x).items[0] + 1)
    assert int(outer(rt.constant(4))) == 5


def test_an_object_that_python_alone_can_make_is_refused() -> None:
    class Late:
        def __del__(self) -> None:
            pass

    with pytest.raises(ag.errors.StagingError, match="returned a value of type Late"):
        ag.function(lambda x: (Late(), x))(rt.constant(1))


def test_an_object_that_is_only_read_is_returned_itself() -> None:
    rows, table, kinds = [[1], [2]], {"k": [3]}, {"a", "b"}

    @ag.function
    def read(x: Any) -> Any:
        return rows, {"table": table}, rows[1], kinds, x

    for _ in range(2):
        found, held, row, names, x = read(rt.constant(4))
        assert found is rows and held["table"] is table and row is rows[1] and names is kinds
        assert int(x) == 4
