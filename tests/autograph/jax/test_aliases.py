"""Several names for one container: the result is Python's, or an error names the variable."""

from __future__ import annotations

import dataclasses
import importlib.util
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402

import autograph.jax as agj  # noqa: E402
from autograph import errors  # noqa: E402
from tests.autograph.jax.alias_programs import Writer  # noqa: E402
from tests.suite_length import sample  # noqa: E402

XS = [3.0, -1.0, 4.0]


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Point:
    x: Any
    y: Any


@jax.tree_util.register_dataclass
@dataclasses.dataclass(slots=True)
class Slotted:
    x: Any


# -- refused: a change of one of two containers that may be one object -----------------------------


def change_of_the_chosen_item(x: Any, xs: Any) -> Any:
    bins = {"pos": [0.0], "neg": [0.0]}
    for each in xs:
        b = bins["pos"] if each > 0 else bins["neg"]
        b[0] += each
    return bins["pos"][0], bins["neg"][0]


def change_after_an_if(x: Any, xs: Any) -> Any:
    a, b = {"k": 1.0}, {"k": 2.0}
    best = a
    if x > 0:
        best = b
    best["k"] = 99.0
    return a["k"], b["k"]


def change_of_a_source(x: Any, xs: Any) -> Any:
    a, b = [1.0], [2.0]
    y = a if x > 0 else b
    a[0] = 7.0
    return y[0]


def change_of_a_name_that_keeps_its_list(x: Any, xs: Any) -> Any:
    a = [1.0]
    c = a
    if x > 0:
        a = [5.0]
    a[0] += 10
    return a[0], c[0]


def change_of_a_dataclass(x: Any, xs: Any) -> Any:
    a, b = Point(1.0, 2.0), Point(3.0, 4.0)
    w = a if x > 0 else b
    w.x = w.x + 10
    return a.x, b.x


def change_of_an_object_with_slots(x: Any, xs: Any) -> Any:
    a, b = Slotted(1.0), Slotted(2.0)
    w = a if x > 0 else b
    a.x = 7.0
    return w.x


def change_of_a_row(x: Any, xs: Any) -> Any:
    grid = [[1.0, 2.0], [3.0, 4.0]]
    r = grid[0]
    for _ in range(6):
        if x > 0:
            grid[1] = r
    grid[1][1] = 7.0
    return grid[0][1]


def change_deep_inside(x: Any, xs: Any) -> Any:
    one, other = {"a": [[1.0], [2.0]]}, {"a": [[3.0], [4.0]]}
    t = one if x > 0 else other
    t["a"][1][0] = 9.0
    return one["a"][1][0], other["a"][1][0]


def change_through_a_tuple(x: Any, xs: Any) -> Any:
    one, other = [1.0], [2.0]
    pair = (one, other)
    if x > 0:
        pair = (other, one)
    pair[0][0] = 9.0
    return one[0], other[0]


def change_in_a_called_function(x: Any, xs: Any) -> Any:
    def raised(point: Any) -> None:
        point.y = 100.0

    a, b = Point(1.0, 2.0), Point(3.0, 4.0)
    raised(a if x > 0 else b)
    return a.y, b.y


def change_of_an_argument(x: Any, xs: Any) -> Any:
    def first_of(one: Any, other: Any) -> Any:
        found = one if x > 0 else other
        found[0] = 9.0
        return one[0] + other[0]

    a, b = [1.0], [2.0]
    return first_of(a, b), a[0]


def change_by_a_closure(x: Any, xs: Any) -> Any:
    a, b = [1.0], [2.0]

    def note() -> None:
        a[0] = 9.0

    y = a if x > 0 else b
    note()
    return y[0]


def change_on_a_path(x: Any, xs: Any) -> Any:
    a, b = [1.0], [2.0]
    y = a if x > 0 else b
    if x > 2:
        a[0] = 9.0
    return y[0], a[0]


def change_in_a_loop(x: Any, xs: Any) -> Any:
    a, b = [1.0], [2.0]
    y = a if x > 0 else b
    for each in xs:
        y[0] += each
    return y[0], a[0], b[0]


def change_before_the_choice_of_the_last_iteration(x: Any, xs: Any) -> Any:
    best, now = [0.0], [0.0]
    for each in xs:
        now[0] += each
        if now[0] > best[0]:
            best = now
    return best[0]


def change_after_a_rebinding_loop(x: Any, xs: Any) -> Any:
    a, b = {"k": 1.0}, {"k": 2.0}
    best = a
    while x > 1:
        x = x - 1
        best = b
    best["k"] = 5.0
    return a["k"], b["k"]


def change_after_a_loop_that_fills_a_place(x: Any, xs: Any) -> Any:
    a = [1.0]
    held = {"best": [0.0]}
    for each in xs:
        if each > 0:
            held["best"] = a
    held["best"][0] = 9.0
    return a[0]


def change_of_one_of_two_new_names(x: Any, xs: Any) -> Any:
    p, q = [0.0], [0.0]
    if x > 0:
        p = [1.0]
        q = p
    p[0] = 9.0
    return q[0]


def change_of_a_result(x: Any, xs: Any) -> Any:
    def pick(one: Any, other: Any) -> Any:
        if x > 0:
            return one
        return other

    a, b = [1.0], [2.0]
    pick(a, b)[0] = 9.0
    return a[0], b[0]


def change_of_an_unnamed_argument(x: Any, xs: Any) -> Any:
    def both(one: Any, other: Any) -> Any:
        one[0] = 9.0
        return other[0]

    a, b = [1.0], [2.0]
    return both(a if x > 0 else b, b if x > 0 else a), a[0], b[0]


def change_of_a_list_in_an_unfinished_tuple(x: Any, xs: Any) -> Any:
    def changed(one: Any, other: Any) -> Any:
        y = one if x > 0 else other
        y[0] = 9.0
        return 0.0

    a, b = [1.0], [2.0]
    pair = (a, changed(a, b))
    return pair[0][0]


def change_of_an_item_by_a_traced_index(x: Any, xs: Any) -> Any:
    rows = [[1.0], [2.0]]
    row = rows[jnp.int32(x > 0) if isinstance(x, jax.Array) else int(x > 0)]
    row[0] = 9.0
    return rows[0][0], rows[1][0]


def change_of_an_appended_list(x: Any, xs: Any) -> Any:
    row, out = [0.0], []
    for each in xs:
        row[0] += each
        out.append(row)
    return out[0][0], out[2][0]


def change_of_an_item_of_a_stacked_list(x: Any, xs: Any) -> Any:
    out = []
    for each in xs:
        out.append([each, 0.0])
    first = out[0]
    first[1] = 5.0
    return out[0][1]


def change_after_an_append_to_a_list_with_room(x: Any, xs: Any) -> Any:
    out = []
    for each in xs:
        if each > 0:
            row = [each, 0.0]
            out.append(row)
            row[1] = 5.0
    return out[0][1]


def change_of_an_item_of_a_comprehension(x: Any, xs: Any) -> Any:
    a, b = [1.0], [2.0]
    held = dict.fromkeys(("p", "q"), a if x > 0 else b)
    held["p"][0] = 5.0
    return held["q"][0], a[0]


def change_of_an_item_of_a_map(x: Any, xs: Any) -> Any:
    a, b = [1.0], [2.0]

    def chosen(v: Any) -> Any:
        return a if x > 0 else b

    held = list(map(chosen, (1.0, 2.0)))
    held[0][0] = 5.0
    return held[1][0]


def growth_beside_a_tuple(x: Any, xs: Any) -> Any:
    out: list[Any] = []
    held = (out, 1)
    for each in xs:
        if each > 0:
            out.append(each)
    return len(held[0])


def growth_beside_an_item_that_is_read(x: Any, xs: Any) -> Any:
    def fill(items: Any) -> None:
        for each in xs:
            items.append(each)

    held: dict[str, Any] = {"out": []}
    kept = (held["out"], fill(held["out"]))
    return len(kept[0])


def growth_beside_an_item_of_the_caller(x: Any, xs: Any) -> Any:
    held: dict[str, Any] = {"out": []}
    out = held["out"]
    if x > 0:
        for each in xs:
            out.append(each)
    return len(held["out"])


def growth_of_an_item_that_a_loop_reads_again(x: Any, xs: Any) -> Any:
    rows: list[Any] = [[], []]
    for row in (rows[0], rows[1], rows[0]):
        for each in xs:
            row.append(each)
    return len(rows[0])


# -- Python's result -------------------------------------------------------------------------------


def no_change_after_the_choice(x: Any, xs: Any) -> Any:
    a, b = [1.0], [2.0]
    a[0] = 3.0
    y = a if x > 0 else b
    z = y
    return y[0], z[0], a[0], b[0]


def change_of_a_copy(x: Any, xs: Any) -> Any:
    a, b = [1.0], {"k": [2.0]}
    y = list(a if x > 0 else b["k"])
    y[0] = 9.0
    return y[0], a[0], b["k"][0]


def change_of_the_same_object_on_both_paths(x: Any, xs: Any) -> Any:
    a = [1.0]
    b = [5.0]
    if x > 0:
        b = a
        a[0] = 2.0
    else:
        b = a
    b[0] += 1.0
    return a[0]


def change_of_two_names_for_one_new_list(x: Any, xs: Any) -> Any:
    if x > 0:
        p = q = [1.0]
    else:
        p = q = [2.0]
    p[0] += 10.0
    return q[0]


def change_of_a_name_without_another(x: Any, xs: Any) -> Any:
    state = {"k": 1.0, "n": 0.0}
    for each in xs:
        proposal = {"k": each, "n": state["n"]}
        if each > 0:
            state = proposal
        state["n"] += 1.0
    return state["k"], state["n"]


def change_where_the_other_name_is_dead(x: Any, xs: Any) -> Any:
    a, b = [1.0], [2.0]
    total = a[0] + b[0]
    best = a
    if x > 0:
        best = b
    best[0] += total
    return best[0]


def change_after_the_last_read_of_the_other_name(x: Any, xs: Any) -> Any:
    a, b, c = [1.0], [2.0, 3.0], {"k": [4.0]}
    y = a if x > 0 else [5.0]
    s = a[0]
    y[0] += x
    z = b if x > 0 else [0.0, 6.0]
    s += sum(b)
    for each in xs:
        z[0] = z[0] + each
    w = c if x > 0 else {"k": [7.0]}
    s += c["k"][0]
    w["k"].append(x)
    del w["k"][0]
    return y, z, w["k"], s


def change_of_an_early_result(x: Any, xs: Any) -> Any:
    a = [1.0]
    if x > 0:
        return a
    a[0] = 5.0
    return a


def change_of_an_alias_in_a_loop(x: Any, xs: Any) -> Any:
    now = [0.0]
    best = now
    point = Point(x * 1.0, 0.0)
    same = point
    for each in xs:
        now[0] += each
        point.x = point.x + each
        if each > 0:
            best = now
    return best[0], same.x


class Stack(list):  # type: ignore[type-arg]
    def __init__(self) -> None:
        super().__init__()
        self.count = 0.0

    def note(self) -> None:
        self.count += 1.0


def change_of_an_attribute_of_a_list(x: Any, xs: Any) -> Any:
    stack = Stack()
    same = stack
    if x > 0:
        stack.note()
    for each in xs:
        stack.note()
        same.count += each
    return stack.count


def growth_of_an_argument(x: Any, xs: Any) -> Any:
    def fill(items: Any) -> Any:
        for each in xs:
            items.append(each)
        return items

    out: list[Any] = []
    out = fill(out)
    return len(out), out[2]


def growth_beside_an_item(x: Any, xs: Any) -> Any:
    out: list[Any] = []
    held = {"out": out}
    for each in xs:
        out.append(each)
    return len(held["out"])


def growth_beside_a_closure(x: Any, xs: Any) -> Any:
    a: list[Any] = []
    b = a

    def length() -> int:
        return len(b)

    for each in xs:
        a.append(each)
    return length()


def growth_of_items_in_a_loop_over_them(x: Any, xs: Any) -> Any:
    rows: dict[str, Any] = {"a": [], "b": []}
    for scale, row in zip((1.0, 2.0), rows.values()):
        for each in xs:
            row.append(scale * each)
    return len(rows["a"]), rows["b"][2]


def growth_of_an_item_in_another_function(x: Any, xs: Any) -> Any:
    def fill(items: Any) -> Any:
        for each in xs:
            if each > 0:
                items.append(each)
        return items

    rows: list[Any] = [[], []]
    fill(rows[0])
    fill(fill(rows[1]))
    return len(rows[0]), len(rows[1])


def growth_of_an_argument_of_a_partial(x: Any, xs: Any) -> Any:
    def fill(items: Any, scale: Any = 1.0) -> None:
        for each in xs:
            items.append(scale * each)

    out: list[Any] = []
    add, add_twice = partial(fill, out), partial(fill, items=out, scale=2.0)
    add()
    add_twice()
    return len(out), out[3]


def growth_beside_another_name(x: Any, xs: Any) -> Any:
    a: list[Any] = []
    b = a
    for each in xs:
        a.append(each)
    return len(b), a[0]


def growth_beside_the_name_of_the_caller(x: Any, xs: Any) -> Any:
    def fill(items: Any) -> None:
        for each in xs:
            items.append(each)

    out: list[Any] = []
    fill(out)
    return len(out)


def growth_beside_a_dead_name(x: Any, xs: Any) -> Any:
    a: list[Any] = []
    b = a
    b.append(1.0)
    for each in xs:
        b.append(each)
    return len(b), b[1]


def rows_that_change_before_they_are_appended(x: Any, xs: Any) -> Any:
    out = []
    for each in xs:
        row = [each, 0.0]
        out.append(row)
        row[1] = 2.0
    return out[0][1], len(out)


def names_that_die_with_the_choice(x: Any, xs: Any) -> Any:
    a, b = [1.0], [2.0]
    y = a if x > 0 else b
    held = dict.fromkeys(("p", "q"), y)
    held["p"][0] += x
    a = [9.0]
    return held["q"][0], a[0]


REFUSED = [each for name, each in globals().items() if name.startswith(("change_", "growth_"))]
FINE = REFUSED[REFUSED.index(change_of_a_copy) :]
REFUSED = [each for each in REFUSED if each not in FINE]
FINE += [no_change_after_the_choice, rows_that_change_before_they_are_appended]
FINE += [names_that_die_with_the_choice]


def numbers(value: Any) -> list[float]:
    return [float(each) for each in jax.tree_util.tree_leaves(value)]


@pytest.mark.parametrize("fn", REFUSED, ids=lambda fn: fn.__name__)
def test_a_change_that_a_copy_would_miss_is_refused(fn: Callable[..., Any]) -> None:
    with pytest.raises(errors.ContainerMutationError) as caught:
        jax.jit(agj.convert(fn))(1.0, jnp.array(XS))
    place = caught.value.origin
    assert place is not None
    lines = range(fn.__code__.co_firstlineno, fn.__code__.co_firstlineno + 20)
    assert (__file__, True) == (place.filename, place.line in lines)
    assert "'" in caught.value.message or "this expression" in caught.value.message


@pytest.mark.parametrize("fn", FINE, ids=lambda fn: fn.__name__)
def test_the_result_is_pythons(fn: Callable[..., Any]) -> None:
    compiled = jax.jit(agj.convert(fn))
    for x in (3.0, -1.0):
        assert numbers(fn(x, XS)) == numbers(compiled(x, jnp.array(XS)))


def test_there_are_at_least_forty_programs() -> None:
    assert len(REFUSED) + len(FINE) >= 40


def test_an_error_names_both_containers_and_the_remedy() -> None:
    with pytest.raises(errors.ContainerMutationError) as caught:
        jax.jit(agj.convert(change_after_an_if))(1.0, jnp.array(XS))
    assert caught.value.message.startswith("'best' is changed after this line, and only a run")
    assert "the same object as 'b'" in caught.value.message
    assert "by dict(...)" in caught.value.message
    with pytest.raises(
        errors.ContainerMutationError, match=r"'items' grows .* 'held\['out'\]' is another name"
    ):
        jax.jit(agj.convert(growth_beside_an_item_that_is_read))(1.0, jnp.array(XS))


# -- random programs -------------------------------------------------------------------------------


def module_of(seed: int, folder: Path) -> Any:
    path = folder / f"alias_program_{seed}.py"
    path.write_text(Writer(seed).source())
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("seed", sample(range(2000), 50))
def test_a_random_program_has_pythons_result_or_is_refused(seed: int, tmp_path: Path) -> None:
    function = module_of(seed, tmp_path).f
    compiled = jax.jit(agj.convert(function))
    for p in (1.0, -1.0):
        for q in (1.0, -1.0):
            try:
                found = numbers(compiled(p, q, jnp.array(XS)))
            except errors.AutographError:
                return
            assert numbers(function(p, q, XS)) == found, Writer(seed).source()
