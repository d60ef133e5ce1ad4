"""`x[i] = v` changes an unshared array in place, or a copy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from tests.runtime.executors.graphs import body_of, both
from tests.suite_length import sample


def sorted_by_inserting(x: Any, n: Any) -> Any:
    for i in rt.range(1, rt.size(x)):
        key, j = x[i], i - 1
        while j >= 0 and x[j] > key:
            x[j + 1] = x[j]
            j -= 1
        x[j + 1] = key
    return x


def table_of_paths(x: Any, n: Any) -> Any:
    table = rt.zeros([rt.size(x) + 1, 4], rt.int32)
    for i in rt.range(rt.size(x)):
        for j in rt.range(3):
            table[i + 1, j + 1] = rt.maximum(table[i, j + 1], table[i + 1, j]) + x[i]
            table[i, j] += n
    return table


def unrolled(x: Any, n: Any) -> Any:
    for i in range(2):
        if x[i] > x[-1]:
            x[i], x[-1] = x[-1], x[i]
    return x


def once(x: Any, n: Any) -> Any:
    y = x
    y[0] = n
    return x, y


def one_way_or_the_other(x: Any, n: Any) -> Any:
    if n > 2:
        x[0] = n
    elif n > 0:
        x[-1] = x[0]
    return x


def counted_from_the_end(x: Any, n: Any) -> Any:
    for i in rt.range(3):
        x[n - i - 1] = i
    return x


def rows(x: Any, n: Any) -> Any:
    table = rt.stack([x, x * 2, x * 3])
    for i in rt.range(3):
        table[i] = table[2 - i]
        table[i, 1:] = table[0, :-1]
        table[:, 0] = n
        table[1:] = table[:2] + 1
    return table


def onto_itself(x: Any, n: Any) -> Any:
    for _ in rt.range(2):
        x[1:] = x[:-1]
        x[rt.where(x > n)[:, 0]] = x[0]
        x[x > 3] = n
        x[::-1] = x
    return x


def that_does_not_fit(x: Any, n: Any) -> Any:
    for _ in rt.range(2):
        x[0] += 1
        x[n:] = x[:2]
    return x


def tried(x: Any, n: Any) -> Any:
    for i in rt.range(rt.size(x)):
        try:
            x[i] = n
            x[i + n], x[i] = 7, 8
        except rt.errors.InvalidArgumentError:
            x[0] += x[i]
    return x


def real(x: Any, n: Any) -> Any:
    y, z = rt.cast(x, rt.float64), rt.cast(x, rt.float32)
    b = x > 3
    for i in rt.range(rt.size(x)):
        y[i] = y[i] / y[0] + 0.1
        z[i] = z[i] / z[0] + 0.1
        b[i] = not b[i]
    return y, z, b


def previous_value_read(x: Any, n: Any) -> Any:
    old = x
    for i in rt.range(rt.size(x)):
        old = x
        x[i] += old[0]
    return old, x


PROGRAMS = [each for each in list(globals().values()) if getattr(each, "__module__", 0) == __name__]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("n", sample([0, 2, 3, -1, 9], 2))
def test_item_assignments_agree_with_the_interpreter(program: Any, n: int) -> None:
    for x in ([5, 1, 4, 4], [3, 3], [2**31 - 1, -7, 0, 8, 8, -2], list(range(40, 0, -1))):
        array = np.array(x, np.int32)
        printed, interpreted = both(program, array, n)
        assert interpreted == printed
        assert array.tolist() == x


def test_numbers_are_assigned() -> None:
    x = np.arange(60, dtype=np.int32)
    body = body_of(sorted_by_inserting, x, 9)
    assert "x_memory[add_1] = strided_slice" in body
    assert "x = x.copy()\n    x_memory = x.data\n    for" in body
    assert ".copy()" not in body_of(table_of_paths, x, 9)


DTYPES = "int8 uint8 int16 uint16 int32 uint32 int64 uint64 float32 float64 bool"


@pytest.mark.parametrize("dtype", DTYPES.split())
def test_memoryviews_agree_with_arrays(dtype: str) -> None:
    def mixed(x: Any, n: Any) -> Any:
        for i in rt.range(rt.size(x) - 1):
            if x[i] != x[i + 1]:
                x[i], x[i + 1] = x[i + 1], x[0]
            elif x[-1] == x[i]:
                x[n] = x[i]
        return x

    values = np.array([3, 0, 1, 1, 0, 200, 255, 255, 7]).astype(dtype)
    for n in (0, 4, -1, 9, -10):
        printed, interpreted = both(mixed, values, n)
        assert interpreted == printed
    assert ("x_memory[" in body_of(mixed, values, 0)) == (dtype != "float32")


def test_arrays_created_per_iteration_have_no_memoryview() -> None:
    def new_row_in_each_iteration(x: Any, n: Any) -> Any:
        total = rt.constant(0)
        for i in rt.range(n):
            row = x * i
            row[0] = row[1]
            total += row[0]
            for j in rt.range(1, rt.size(x)):
                row[j] = row[j - 1] + row[j]
            total += row[-1]
        return total

    x = np.arange(60, dtype=np.int32)
    for n in (0, 1, 5):
        printed, interpreted = both(new_row_in_each_iteration, x, n)
        assert interpreted == printed
    before, inside = body_of(new_row_in_each_iteration, x, 5).split("for ", 1)
    assert ".data" not in before and ".data" in inside


def test_a_memoryview_belongs_to_one_array_on_all_paths() -> None:
    def on_some_ways(x: Any, n: Any) -> Any:
        y = x + 1
        for i in rt.range(rt.size(x) - 1):
            if x[i] > x[i + 1]:
                x[i], x[i + 1] = x[i + 1], x[i]
            elif x[i] == n:
                x, y = y, x
            y[i] = x[i] + y[i]
        return x, y

    def one_after_the_other(x: Any, n: Any) -> Any:
        y = x
        for i in rt.range(rt.size(x)):
            y = x
            y[i] = y[n] + 1
            x = y
        return x, y

    for program in (on_some_ways, one_after_the_other):
        for x in ([5, 1, 4, 4], [3, 3], list(range(40, 0, -1))):
            for n in (0, 1, 4):
                printed, interpreted = both(program, np.array(x, np.int32), n)
                assert interpreted == printed


def test_an_array_changed_outside_of_loops_is_copied_once() -> None:
    x = np.arange(60, dtype=np.int32)
    assert body_of(unrolled, x, 9).count(".copy()") == 1
    assert body_of(once, x, 9).count(".copy()") == 1
    assert body_of(one_way_or_the_other, np.zeros(1 << 20, np.int32), 9).count(".copy()") == 2


def test_an_array_that_is_still_read_is_copied() -> None:
    body = body_of(previous_value_read, np.arange(60, dtype=np.int32), 9)
    assert ".copy()" in body.split("for ")[1]


def test_an_array_assigned_to_a_variable_is_not_overwritten() -> None:
    v = rt.Variable(np.zeros(3, np.int32))

    @ag.function
    def assigned(x: Any, n: Any) -> Any:
        x = x + 1
        x[0] = n
        v.assign(x)
        x[1] = n
        for i in rt.range(2):
            x[i] = x[i] + 1
            v.assign_add(x)
            x[2] = i
        return x

    found = assigned(rt.constant([1, 2, 3]), rt.constant(7))
    assert [8, 8, 1] == found.numpy().tolist()
    # [7, 3, 4] and then [8, 7, 4] and [8, 8, 0]
    assert [23, 18, 8] == v.numpy().tolist()


def test_an_array_passed_to_a_python_function_is_not_overwritten() -> None:
    seen: list[Any] = []

    def keep(x: Any) -> Any:
        seen.append(x)
        return np.int32(len(seen))

    @ag.function
    def given(x: Any) -> Any:
        x = x + 1
        for _ in rt.range(3):
            x[0] = rt.py_function(keep, [x], rt.int32)
            x[1] = x[1] * 2
        return x

    given(rt.constant([1, 2, 3]))
    assert [[2, 3, 4], [1, 6, 4], [2, 12, 4]] == [each.numpy().tolist() for each in seen]


def test_a_printed_array_may_be_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    @ag.function
    def printed(x: Any) -> Any:
        x = x + 1
        for i in rt.range(2):
            rt.print(x)
            x[i] = 0
        return x

    x = rt.constant([1, 2, 3])
    assert [0, 0, 4] == printed(x).numpy().tolist()
    assert "[2 3 4]\n[0 3 4]\n" == capsys.readouterr().err
