"""Lists that grow, printed texts and checks in JAX programs."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402
from jax.experimental import checkify  # noqa: E402

import autograph.jax as agj  # noqa: E402
from autograph.directives import set_loop_options  # noqa: E402
from autograph.errors import ContainerMutationError, LoopMismatch, StagingError  # noqa: E402

XS = jnp.array([3.0, -1.0, 2.0, -4.0])


@agj.convert
def above(xs: Any, limit: Any) -> Any:
    out = []
    for x in xs:
        if x > limit:
            out.append(x)
    return out


def test_a_list_with_room_is_a_list_outside_of_the_program() -> None:
    found, plain = jax.jit(above)(XS, -2.0), [3.0, -1.0, 2.0]
    assert isinstance(found, agj.PreallocatedList) and found.room == 4
    assert plain == [float(x) for x in found] == jnp.asarray(found).tolist()
    assert plain == np.asarray(found).tolist() == jnp.stack(found).tolist()
    assert (len(found), bool(found)) == (3, True)
    for index in (0, 2, -1, -3):
        assert float(found[index]) == plain[index]
    for index in (3, -4, 5):
        with pytest.raises(IndexError, match="list index out of range"):
            found[index]
    for part in (slice(1, None), slice(None, -1), slice(None, None, 2), slice(5, 9)):
        assert [float(x) for x in found[part]] == plain[part]
    assert found == plain and found != plain[:2] and found == jax.jit(above)(XS, -2.0)
    found.extend([7.0, 8.0])
    assert found == [*plain, 7.0, 8.0]
    empty = jax.jit(above)(XS, 9.0)
    assert not empty
    with pytest.raises(IndexError, match="pop from empty list"):
        empty.pop()


def by_literals(xs: Any) -> Any:
    out = []
    for x in xs:
        out.extend([x, x * 2])
    return out


def on_one_path(xs: Any) -> Any:
    out = [xs[0]]
    for x in xs:
        if x > 0:
            out.extend((x,))
        else:
            out.extend([x * 2, x * 3])
        if x < -3:
            break
    return out


def in_place(xs: Any) -> Any:
    out, some = [], []
    for x in xs:
        out += [x, -x]
        if x > 0:
            some += [x]
    return out, some


def by_rows(xs: Any) -> Any:
    out = []
    for x in xs:
        out.extend(xs * x)
    return out


def by_a_generator(xs: Any) -> Any:
    out = []
    for x in xs:
        out.extend(x * k for k in range(3))
    return out


def in_two_loops(xs: Any) -> Any:
    out = []
    for x in xs:
        for y in xs:
            if x > y:
                out.extend([x, y])
    return out


def with_a_bound(xs: Any) -> Any:
    out, x = [], xs[0] * 10
    while x > 1:
        set_loop_options(maximum_iterations=9)
        x = x / 2
        out.extend([x, x + 1])
    return out


class Sum:
    """An object with a method of that name."""

    def __init__(self) -> None:
        self.total = 0.0

    def extend(self, x: Any) -> None:
        self.total += x


def of_an_object(xs: Any) -> Any:
    held = Sum()
    for x in xs:
        held.extend(x)
    return held.total


class Recorder:
    """An object with lists."""

    def __init__(self) -> None:
        self.seen: list[Any] = []
        self.positive: list[Any] = []

    def step(self, x: Any) -> None:
        self.seen.append(x)
        if x > 0:
            self.positive.append(x * 2)


def put(out: Any, x: Any) -> None:
    out.append(x * 2)


def in_a_dict(xs: Any) -> Any:
    held: dict[str, Any] = {"all": [xs[0]], "some": [], "count": 0}
    for x in xs:
        held["all"].append(x)
        held["all"].extend([x, x * 2])
        if x > 0:
            held["some"].append(x)
        held["count"] += 1
    held["all"].append(xs[1])
    return held["all"], held["some"], held["count"], len(held["some"])


def in_an_object(xs: Any) -> Any:
    recorder = Recorder()
    for x in xs:
        recorder.step(x)
    return recorder.seen, recorder.positive, len(recorder.seen)


def by_a_helper(xs: Any) -> Any:
    out, some = [], []
    for x in xs:
        put(out, x)
        if x > 0:
            put(some, x)
    return out, some


def by_a_closure(xs: Any) -> Any:
    out = []

    def add(x: Any) -> None:
        if x > -3:
            out.append(x)

    for x in xs:
        add(x)
    return out


def in_a_list(xs: Any) -> Any:
    rows: list[Any] = [[], []]
    for x in xs:
        rows[0].append(x)
        if x < 0:
            rows[1].append(-x)
    return rows


def in_two_loops_and_a_dict(xs: Any) -> Any:
    held: dict[str, Any] = {"out": [], "total": 0.0}
    for x in xs:
        row: dict[str, Any] = {"out": []}
        for y in xs:
            row["out"].append(x * y)
            if x > y:
                held["out"].append(y)
        held["total"] += sum(row["out"])
    return held["out"], held["total"]


def in_two_places(xs: Any) -> Any:
    held: dict[str, Any] = {"one": []}
    held["other"] = held["one"]
    for x in xs:
        held["one"].append(x)
    return held["other"]


def until_a_break(xs: Any) -> Any:
    recorder = Recorder()
    for x in xs:
        if x < -3:
            break
        recorder.step(x)
    return recorder.seen


HELD = [in_a_dict, in_an_object, by_a_helper, by_a_closure, in_a_list, in_two_loops_and_a_dict]
HELD += [in_two_places]


@pytest.mark.parametrize("function", [*HELD, until_a_break])
def test_a_list_that_a_container_or_another_function_holds_grows(function: Any) -> None:
    plain = numbers(function(np.asarray(XS)))
    assert plain == numbers(jax.jit(agj.convert(function))(XS))


def under_two_names(xs: Any) -> Any:
    out: list[Any] = []
    held = {"out": out}
    for x in xs:
        held["out"].append(x)
    return out


def after_an_unfinished_read(xs: Any) -> Any:
    out: list[Any] = []
    held = (out, add_all(out, xs))
    return len(held[0])


def after_a_method_is_read(xs: Any) -> Any:
    out: list[Any] = []
    add = out.append
    add_all(out, xs)
    add(xs[0])
    return len(out)


def by_a_method_of_a_variable(xs: Any) -> Any:
    out: list[Any] = []
    add = out.append
    for x in xs:
        add(x)
    return out


def by_a_method_alone(xs: Any) -> Any:
    add = [].append
    for x in xs:
        add(x)
    return xs


def with_a_generator(xs: Any) -> Any:
    def lengths(items: list[Any]) -> Any:
        yield len(items)
        yield len(items)

    out: list[Any] = []
    found = lengths(out)
    first = next(found)
    add_all(out, xs)
    return first, next(found)


def while_it_is_iterated(xs: Any) -> Any:
    out = [xs[0]]
    for _ in out:
        if len(out) < 2:
            add_all(out, xs)
    return len(out)


class Kept:
    items: list[Any] = []


def of_a_class(xs: Any) -> Any:
    for x in xs:
        Kept.items.append(x)
    return len(Kept.items)


SEEN: list[Any] = []


def of_a_module(xs: Any) -> Any:
    for x in xs:
        SEEN.append(x)
    return len(SEEN)


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (of_a_module, "a global variable"),
        (after_an_unfinished_read, "'out' of the caller is another name"),
        (after_a_method_is_read, "'add' is another name"),
        (by_a_method_alone, "'add' is the method append .*: give the list a name, as `found`"),
        (by_a_method_of_a_variable, r"'add' is the method append .*: write `out.append\(...\)`"),
        (with_a_generator, "'found' is another name"),
        (while_it_is_iterated, "a list_iterator is another name"),
        (of_a_class, "a global variable, or in a tuple"),
    ],
)
def test_a_list_in_other_places_is_refused(function: Any, text: str) -> None:
    with pytest.raises(StagingError, match=text):
        jax.jit(agj.convert(function))(XS)
    assert not SEEN
    assert not Kept.items


def add_positive(out: list[Any], x: Any) -> None:
    if x > 0:
        out.append(x)


def add_all(out: list[Any], xs: Any) -> None:
    for x in xs:
        out.append(x)


def by_a_function(xs: Any) -> Any:
    out = [xs[0]]
    add_positive(out, xs[0])
    add_positive(out, xs[1])
    return out


def by_the_loop_of_a_function(xs: Any) -> Any:
    out, total = [xs[0]], 0.0
    other = out
    add_all(out, xs)
    add_all(other, xs)
    for x in out:
        total += x
    return len(out), other[-1], total


def by_a_closure_and_the_loop(xs: Any) -> Any:
    out, stack = [xs[0]], [xs[0]]

    def push(x: Any) -> None:
        out.append(x)
        stack.append(x)

    for x in xs:
        out.append(2 * x)
        if len(stack) > 1:
            stack.pop()
        if x > 0:
            push(x)
    return out, stack


def by_an_addition_in_a_function(xs: Any) -> Any:
    def add(out: list[Any], x: Any) -> None:
        out += [x]

    out: list[Any] = []
    for x in xs:
        add(out, x)
    add(out, xs[0])
    return out


def by_a_function_on_one_path(xs: Any) -> Any:
    out: list[Any] = []
    if xs[0] > 0:
        add_all(out, xs)
    else:
        add_all(out, xs[1:])
    return out


def by_a_loop_on_one_path(xs: Any) -> Any:
    out: list[Any] = []
    if xs[0] > 0:
        for x in xs:
            out.append(x)
    return len(out)


def under_another_name_on_one_path(xs: Any) -> Any:
    out: list[Any] = []
    other = out
    if xs[0] > 0:
        out.append(xs[0])
    return other, len(out)


def by_a_function_in_a_loop(xs: Any) -> Any:
    out: list[Any] = []
    count = 0
    for x in xs:
        each: list[Any] = []
        add_positive(each, x)
        count += len(each)
        if x < 0:
            add_all(out, xs)
    return out, count


def by_a_closure_that_shares_it(xs: Any) -> Any:
    out: list[Any] = []

    def add() -> None:
        add_all(out, xs)

    add()
    add()
    return out


def of_an_object_and_a_variable(xs: Any) -> Any:
    recorder = Recorder()
    seen = recorder.seen
    for x in xs:
        recorder.step(x)
    return seen, recorder.seen


def read_in_a_finally(xs: Any) -> Any:
    out = [xs[0]]
    try:
        add_positive(out, xs[0])
    finally:
        count = len(out)
    return count


def numbers(value: Any) -> Any:
    is_list = isinstance(value, (list, tuple, agj.StackedList, agj.PreallocatedList))
    return [numbers(each) for each in value] if is_list else float(value)


OF_THE_CALLER = [
    by_a_closure_and_the_loop,
    *(under_two_names, by_a_function, by_the_loop_of_a_function, read_in_a_finally),
    *(
        by_an_addition_in_a_function,
        by_a_function_on_one_path,
        by_a_loop_on_one_path,
        by_a_function_in_a_loop,
    ),
    *(under_another_name_on_one_path, by_a_closure_that_shares_it, of_an_object_and_a_variable),
]


@pytest.mark.parametrize("function", OF_THE_CALLER, ids=lambda function: function.__name__)
def test_a_list_grows_under_all_names_of_running_functions(function: Any) -> None:
    for xs in (XS, -XS):
        assert numbers(function(np.asarray(xs))) == numbers(jax.jit(agj.convert(function))(xs))


EXTENDING = [by_literals, on_one_path, in_place, by_rows, by_a_generator, in_two_loops]


@pytest.mark.parametrize("function", [*EXTENDING, with_a_bound, of_an_object])
def test_extend_appends_several_items(function: Any) -> None:
    plain = numbers(function(np.asarray(XS)))
    assert plain == numbers(jax.jit(agj.convert(function))(XS))


def stacked_and_stacked(xs: Any) -> Any:
    out = [xs[0] * 0]
    for x in xs:
        out.append(x)
    for x in xs:
        out.extend([out[-1] * x, x])
    return out


def stacked_and_with_room(xs: Any) -> Any:
    out = []
    for x in xs:
        out.append((x, 1))
    for x in xs:
        if x > 0:
            out.append((x * 2, 2))
        for y in xs:
            if y > x:
                out.append((y, 3))
    return out


def with_room_and_with_room(xs: Any) -> Any:
    out = {"kept": []}
    for x in xs:
        if x > 0:
            out["kept"].append(x)
    for x in xs:
        out["kept"].append(x)
        out["kept"][0] = x
        if x < -1:
            break
    return out["kept"]


def by_additions(xs: Any) -> Any:
    out = []
    for x in xs:
        if x > 0:
            out = out + [x]
    for x in xs:
        out = out + [x, x]
    return out


def before_the_others(xs: Any) -> Any:
    out, kept, pairs = [], [xs[0]], ()
    for x in xs:
        old = out
        out = [x] + out
        if x > 0:
            kept = [x, x * 2] + kept
        pairs = ((x, len(old)),) + pairs
    return [xs[0]] + out, kept, pairs


AGAIN = [stacked_and_stacked, stacked_and_with_room, with_room_and_with_room, by_additions]
AGAIN.append(before_the_others)


@pytest.mark.parametrize("function", AGAIN)
def test_a_list_that_has_grown_grows_in_another_loop(function: Any) -> None:
    assert numbers(jax.jit(agj.convert(function))(XS)) == numbers(function(XS))
    assert numbers(jax.jit(agj.convert(function))(-XS)) == numbers(function(-XS))


def versions(xs: Any) -> Any:
    out = []
    for x in xs:
        old = out
        out = out + [x]
    return out, old


def test_an_older_version_of_a_list_is_refused() -> None:
    with pytest.raises(LoopMismatch, match=r"'old' keeps the items that 'out' .* `old = len\(out"):
        jax.jit(agj.convert(versions))(XS)


def by_stars(xs: Any) -> Any:
    out, pairs, positive = [], (), []
    for x in xs:
        out = [*out, x]
        pairs = (*pairs, x, -x)
        if x > 0:
            positive = [*positive, x]
    return out, pairs, [xs[0], *positive], (*out, 1.0)


def inserted(xs: Any) -> Any:
    backward, positive = [], []
    for x in xs:
        backward.insert(0, x)
        if x > 0:
            positive.append(x)
    positive.insert(0, xs[1])
    backward.insert(2, xs[0])
    return backward, positive


def taken(xs: Any) -> Any:
    out, positive = [], []
    for x in xs:
        out.append(x)
        if x > 0:
            positive.append(x)
    rest = out.copy()
    rest.reverse()
    del rest[0]
    rest[1:2] = [xs[0], xs[1]]
    first = positive.pop(0) if positive else 0.0
    return out, rest, out.pop(), out.pop(0), first, positive


def window(xs: Any) -> Any:
    held: list[Any] = []
    for x in xs:
        held.append(x)
        if len(held) > 2:
            held.pop(0)
    return held


def as_a_stack(xs: Any) -> Any:
    stack, total = [xs[0]], 0.0
    while stack:
        set_loop_options(maximum_iterations=20)
        x = stack.pop()
        total += x
        if x > 1:
            stack.append(x / 2)
        if x > 2:
            stack.append(x / 4)
    return [total]


def outside_of_a_loop(xs: Any) -> Any:
    out, doubled, high = [], [], None
    for x in xs:
        doubled.append(2 * x)
    if xs[0] > 0:
        out.append(xs[0])
        high = xs[0]
        if xs[1] > 0:
            doubled.append(xs[1])
    if xs[1] > 0:
        out = out + [xs[1]]
        doubled.pop()
    for x in xs:
        if x > 2:
            out.append(x)
    return out, doubled, [0.0 if high is None else high]


def after_its_loop(xs: Any) -> Any:
    found, added = [], []
    for x in xs:
        if x > 0:
            found.append(x)
            added.append(x)
    if xs[0] > 1:
        found.append(xs[0])
        added = added + [xs[0]]
    return found, added


def in_an_attribute_outside_of_a_loop(xs: Any) -> Any:
    held = SimpleNamespace(items=[xs[1]], n=0)
    if xs[0] > 0:
        held.items.append(xs[0])
        held.n += 1
    return held.items, [held.n]


def falling(xs: Any) -> Any:
    stack, n = [], 0
    for x in xs:
        while stack and stack[-1] < x:
            stack.pop()
            n += 1
        stack.append(x)
    return stack, [n]


def falling_with_break(xs: Any) -> Any:
    stack: list[Any] = []
    for x in xs:
        if x > 8:
            break
        while stack:
            if stack[-1] >= x:
                break
            stack.pop()
        stack.append(x)
    return stack


def falling_in_a_while(xs: Any) -> Any:
    stack, i = [], 0
    while i < 3 + (xs[0] > 0):
        set_loop_options(maximum_iterations=4)
        while stack and stack[-1] < xs[i]:
            stack.pop()
        stack.append(xs[i])
        i += 1
    return stack


def later_and_greater(xs: Any) -> Any:
    stack, found = [], [0.0, 0.0, 0.0, 0.0]
    for i in jnp.arange(4):
        while stack and xs[stack[-1]] < xs[i]:
            found[stack.pop()] = xs[i]
        stack.append(i)
    return found


def rising(xs: Any) -> Any:
    out: list[Any] = []
    for x in xs:
        if not out or out[-1] < x:
            out.append(x)
    return out, [1.0 if out and xs[0] > 0 else 0.0, 1.0 if xs[0] > 0 and out else 0.0]


def never_longer(xs: Any) -> Any:
    out: list[Any] = []
    for x in xs:
        if out and out[-1] < x:
            out.append(x)
    return [sum(xs)]


CHANGED = [by_stars, inserted, taken, window, as_a_stack, outside_of_a_loop, after_its_loop]
CHANGED += [falling, falling_with_break, falling_in_a_while, later_and_greater, rising]


@pytest.mark.parametrize("function", [*CHANGED, never_longer, in_an_attribute_outside_of_a_loop])
def test_lists_change_their_length_as_in_python(function: Any) -> None:
    converted = jax.jit(agj.convert(function))
    for xs in (XS, -XS, XS + 6):
        assert numbers(function(np.asarray(xs))) == numbers(converted(xs))


def popped(xs: Any) -> Any:
    return above(xs, 0.0).pop()


def popped_third(xs: Any) -> Any:
    return above(xs, 0.0).pop(2)


def without_the_second(xs: Any) -> Any:
    out = above(xs, 0.0)
    del out[1]
    return out[0]


@pytest.mark.parametrize(
    ("function", "text", "works", "fails"),
    [
        (popped, "pop from empty list", XS, -abs(XS)),
        (popped_third, "pop index out of range", abs(XS), XS),
        (without_the_second, "list assignment index out of range", XS, -abs(XS)),
    ],
)
def test_a_pop_that_may_find_no_item_is_a_check(
    function: Any, text: str, works: Any, fails: Any
) -> None:
    compiled = jax.jit(agj.convert(function))
    run = checkify.checkify(compiled)
    error, found = run(works)
    assert (error.get(), float(function(works))) == (None, float(found))
    assert f"IndexError: {text}" in run(fails)[0].get()
    with pytest.raises(StagingError, match="checkify"):
        compiled(works)


def popped_if_there_is_one(xs: Any) -> Any:
    out = above(xs, 0.0)
    return out.pop() if out else 0.0


def popped_after_a_return(xs: Any) -> Any:
    out = above(xs, 0.0)
    if len(out) == 0:
        return 0.0
    return out.pop(0)


def popped_twice(xs: Any) -> Any:
    out = above(xs, 0.0)
    if 2 <= len(out):
        return out.pop() - out.pop(0)
    return 0.0


def popped_after_an_append(xs: Any) -> Any:
    out = above(xs, 0.0)
    out.append(1.0)
    if xs[0] > 0:
        out.append(2.0)
    return out.pop()


def popped_to_the_end(xs: Any) -> Any:
    out, total = above(xs, 0.0), 0.0
    while len(out) > 0 and total < 4:
        set_loop_options(maximum_iterations=9)
        total += out.pop()
    return total


def popped_in_a_try(xs: Any) -> Any:
    out = above(xs, 0.0)
    try:
        return out.pop()
    except IndexError:
        return -1.0


GUARDED = [popped_if_there_is_one, popped_after_a_return, popped_twice, popped_after_an_append]


@pytest.mark.parametrize("function", [*GUARDED, popped_to_the_end, popped_in_a_try])
def test_a_pop_where_there_is_an_item_is_no_check(function: Any) -> None:
    converted = agj.convert(function)
    cases = (XS, -XS, -abs(XS))
    plain = [float(function(xs)) for xs in cases]
    assert plain == [float(jax.jit(converted)(xs)) for xs in cases]
    assert plain == jax.vmap(converted)(jnp.stack(cases)).tolist()


def sum_of_kept(xs: Any) -> Any:
    out, total = [], 0.0
    for x in xs:
        out.append(x)
        if x > 0:
            out.append(x * x)
        for each in out:
            total += each * x
    for k, each in enumerate(reversed(out)):
        total += k * each * each
    return total


def test_a_loop_over_a_list_with_room_has_a_reverse_gradient() -> None:
    compiled = jax.jit(agj.convert(sum_of_kept))
    np.testing.assert_allclose(jax.grad(compiled)(XS), jax.grad(sum_of_kept)(XS))


def assigned_while_iterated(xs: Any) -> Any:
    out = []
    for x in xs:
        out.append(x)
    for k, x in enumerate(out):
        out[k] = x * 2
        out[-1] = out[-1] + x
    return out


def grown_while_iterated(xs: Any) -> Any:
    out, total = [], 0.0
    for x in xs:
        if x > 0:
            out.append(x)
    for x in out:
        total += x
        out.append(x + 1)
        if total > 20:
            break
    return total


def test_a_loop_over_a_list_has_the_items_of_now() -> None:
    compiled = jax.jit(agj.convert(assigned_while_iterated))
    assert numbers(compiled(XS)) == numbers(assigned_while_iterated(XS))
    compiled = jax.jit(agj.convert(grown_while_iterated, maximum_iterations=9))
    with pytest.raises(ContainerMutationError, match="'out' changes its length while"):
        compiled(XS)


def test_lists_of_the_rows_of_a_vmap_are_taken_one_by_one() -> None:
    found = jax.jit(jax.vmap(above, (None, 0)))(XS, jnp.array([-9.0, 0.0, 9.0]))
    uses: list[Any] = [len, list, jnp.asarray, lambda each: each[0], lambda each: each == [1.0]]
    for use in uses:
        with pytest.raises(StagingError, match=r"jax.tree.map\(lambda part: part\[row\], lists\)"):
            use(found)
    one = jax.tree.map(lambda part: part[1], found)
    assert [float(x) for x in one] == [3.0, 2.0]


@pytest.mark.parametrize(
    ("name", "limit"),
    [
        ("sort", None),
        ("index", None),
        ("sort", 0.0),
        ("index", 0.0),
        ("reverse", 0.0),
        ("copy", 0.0),
    ],
)
def test_other_methods_of_lists_are_refused_with_a_remedy(name: str, limit: Any) -> None:
    @agj.convert
    def called(xs: Any) -> Any:
        out = []
        for x in xs:
            if limit is None or x > limit:
                out.append(x)
        getattr(out, name)()
        return out

    with pytest.raises(StagingError, match=f"has no {name}\\(\\): .*list\\(...\\)") as raised:
        jax.jit(called)(XS)
    assert isinstance(raised.value, AttributeError)
    assert not hasattr(jax.jit(above)(XS, 0.0), name)


def test_lists_are_compared_in_a_program() -> None:
    @agj.convert
    def compared(xs: Any) -> Any:
        out = []
        for x in xs:
            out.append(x)
        return out == [3.0, -1.0, 2.0, -4.0], out == [3.0], out != [3.0, -1.0, 2.0, 4.0]

    assert [True, False, True] == [bool(each) for each in jax.jit(compared)(XS)]
    assert [True, False, True] == [bool(each) for each in compared(XS)]


def test_a_stacked_list_is_a_list() -> None:
    @jax.jit
    @agj.convert
    def both(xs: Any) -> Any:
        out = [xs[0]]
        for x in xs:
            out.append(x * 2)
            out.append(x * 3)
        total = 0.0
        for each in out:
            total += each
        return out, len(out), out[-1], total, jnp.stack(out)

    plain = [float(XS[0])] + [float(x * k) for x in XS for k in (2, 3)]
    out, length, last, total, stacked = both(XS)
    assert isinstance(out, agj.StackedList)
    assert (9, plain[-1], sum(plain)) == (length, float(last), float(total))
    assert plain == [float(each) for each in out] == stacked.tolist()


def test_a_list_with_room_has_the_items_that_were_appended() -> None:
    @jax.jit
    @agj.convert
    def kept(rows: Any, least: Any) -> Any:
        out = []
        for row in rows:
            for x in row:
                if x > least:
                    out.append(x)
                    out.append(-x)
        return out

    rows = XS.reshape(2, 2)
    for least in (-9.0, 0.0, 9.0):
        out = kept(rows, least)
        assert isinstance(out, agj.PreallocatedList)
        assert [v for x in XS.tolist() if x > least for v in (x, -x)] == [float(v) for v in out]
        assert 8 == out.room


def test_a_while_with_a_bound_fills_a_list() -> None:
    @jax.jit
    @agj.convert
    def path(n: Any) -> Any:
        out = [n]
        while n != 1:
            set_loop_options(maximum_iterations=20)
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            out.append(n)
        return out, len(out)

    out, length = path(jnp.int32(6))
    assert [6, 3, 10, 5, 16, 8, 4, 2, 1] == [int(each) for each in out]
    assert 9 == length


def test_a_filtered_comprehension_and_loops_over_its_list() -> None:
    @jax.jit
    @agj.convert
    def total(xs: Any) -> Any:
        kept = [x * 2 for x in xs if x > 0]
        found = 0.0
        for x in kept:
            found += x
        return found, any(x > 5 for x in xs), sum(x * x for x in xs)

    assert [10.0, False, 30.0] == [each.item() for each in total(XS)]


def test_items_of_different_shapes_are_refused() -> None:
    def mixed(xs: Any) -> Any:
        out = []
        for x in xs:
            if x > 0:
                out.append(x)
            else:
                out.append(xs)
        return out

    with pytest.raises(TypeError, match=r"is float32\[\] where .* and float32\[4\] where"):
        jax.jit(agj.convert(mixed))(XS)


# -- text and checks -------------------------------------------------------------------------------


def test_print_prints_when_the_program_runs(capfd: pytest.CaptureFixture[str]) -> None:
    @jax.jit
    @agj.convert
    def shown(x: Any) -> Any:
        if x > 0:
            print("positive", x, f"{x:.2f}!", [x, 1], {"a": x})
        else:
            print(f"{{}} {x}", "%", sep="-", end="#\n")
        return x

    shown(2.0), shown(-1.0)
    jax.effects_barrier()
    assert "positive 2.0 2.00! [2.0, 1] {'a': 2.0}\n{} -1.0-%#\n" == capfd.readouterr().out


def checked(x: Any) -> Any:
    assert x != 0, f"x is {x}"
    if x > 5:
        raise ValueError("too {large}")
    while x > 1:
        x = x / 2
        assert x < 2, "below two"
    return x


def test_asserts_and_raises_are_checks() -> None:
    run = checkify.checkify(jax.jit(agj.convert(checked)))
    found = {x: run(x)[0].get() for x in (3.0, 0.0, 9.0, 5.0)}
    assert found[3.0] is None
    assert "AssertionError: x is 0.0" in found[0.0]
    assert "ValueError: too {large}" in found[9.0]
    assert "AssertionError: below two" in found[5.0]


def test_checks_of_mapped_values_count_on_their_own_paths() -> None:
    def mapped(x: Any) -> Any:
        if x > 0:
            assert abs(x) < 5, f"x is {x}"
            return x
        return -x

    run = checkify.checkify(jax.vmap(agj.convert(mapped)))
    assert run(jnp.array([3.0, -9.0]))[0].get() is None
    assert "AssertionError: x is 7.0" in run(jnp.array([3.0, 7.0]))[0].get()


def _positive(x: Any) -> Any:
    if x > -9:
        assert x > 0, "not positive"
    return x


@pytest.mark.parametrize(
    "run",
    [
        lambda f: jax.jit(f)(3.0),
        lambda f: jax.jit(jax.vmap(f))(XS),
        lambda f: jax.grad(jax.jit(f))(3.0),
        lambda f: jax.jit(jax.grad(jax.checkpoint(f)))(3.0),
        lambda f: jax.lax.map(f, XS),
        lambda f: jax.lax.while_loop(lambda x: x > 9, f, 3.0),
    ],
)
def test_without_checkify_a_check_is_an_error_at_its_line(run: Any) -> None:
    with pytest.raises(StagingError, match=r"checkify\.checkify") as caught:
        run(agj.convert(_positive))
    assert "assert x > 0" in str(caught.value)


def test_known_values_raise_as_in_python() -> None:
    with pytest.raises(ValueError, match="too {large}"):
        agj.convert(checked)(9.0)


# -- builtins --------------------------------------------------------------------------------------


def builtins_of(x: Any, y: Any, xs: Any) -> Any:
    import math

    return (
        int(x),
        float(x),
        bool(x),
        round(x),
        abs(x),
        divmod(x, y),
        max(x, y, 1),
        min([x, y], key=lambda v: -v),
        sum(xs),
        sorted(xs)[0],
        sorted([x, y], reverse=True),
        any(v > 2 for v in xs),
        all([x > 0, y > 0]),
        math.floor(x) + math.sin(y),
        np.exp(x),
        x in [2.5, 7.0],
        (x, y) == (2.5, y),
        len(xs),
        max(xs) - min(xs),
        list(reversed(xs))[0],
        [a * b for a, b in zip(xs, xs)],
        list(map(abs, xs)),
    )


def test_builtins_on_traced_values_are_pythons() -> None:
    for x, y in ((2.5, 1.25), (-1.5, 4.0), (7.0, 7.0)):
        expected = builtins_of(x, y, [float(v) for v in XS])
        found = jax.jit(agj.convert(builtins_of))(x, y, XS)
        assert [jnp.int32, jnp.float32, jnp.bool_, jnp.int32] == [each.dtype for each in found[:4]]
        assert all(each.weak_type for each in (found[0], found[1], found[3]))
        one, other = jax.tree_util.tree_leaves(expected), jax.tree_util.tree_leaves(found)
        np.testing.assert_allclose(np.array(one, float), np.array(other, float), rtol=1e-6)


def beams(logits: Any) -> Any:
    found = [(0.0, [])]
    for row in [logits[0], logits[1]]:
        more = [(score + row[k], [*path, k]) for score, path in found for k in range(3)]
        more.sort(key=lambda each: -each[0] if each[0] > -9 else 9.0)
        found = more[:2]
    return found


def ordered_by_keys(xs: Any) -> Any:
    pairs = [(x * x, {"at": at, "x": x}) for at, x in enumerate([xs[0], xs[1], xs[2], xs[3]])]
    places = range(len(pairs))
    return (
        sorted(pairs, key=lambda each: each[1]["x"], reverse=True),
        max(pairs, key=lambda each: each[1]["x"]),
        min(pairs, key=lambda each: each[0]),
        sorted(places, key=lambda at: pairs[at][0]),
        max(places, key=lambda at: pairs[at][0]),
        max(pairs, key=lambda each: each[1]["at"])[0],
    )


@pytest.mark.parametrize("function", [beams, ordered_by_keys])
def test_items_of_lists_are_ordered_by_traced_keys(function: Any) -> None:
    argument = jnp.array([[0.1, 0.5, 0.4], [0.3, 0.3, 0.9]]) if function is beams else XS
    found = jax.jit(agj.convert(function))(argument)
    assert jax.tree_util.tree_structure(function(argument)) == jax.tree_util.tree_structure(found)
    plain = jax.tree_util.tree_leaves(function(argument))
    np.testing.assert_allclose(plain, jax.tree_util.tree_leaves(found), rtol=1e-6)


def test_an_order_of_tuples_is_refused() -> None:
    for function in (sorted, max):
        with pytest.raises(StagingError, match=f"{function.__name__}.. compares .* give it a key="):
            jax.jit(agj.convert(lambda x, f=function: f([(x, 1), (x * 2, 0)])))(XS[0])
