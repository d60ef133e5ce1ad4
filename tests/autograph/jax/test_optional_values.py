"""Values that are None on some paths, in some iterations, or as the result of a helper."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402
from jax.experimental import checkify  # noqa: E402

import autograph.jax as agj  # noqa: E402
from autograph import errors  # noqa: E402
from autograph.directives import set_loop_options  # noqa: E402

# -- programs of one array -------------------------------------------------------------------------


def of_a_loop_with_break(xs: Any) -> Any:
    best = None
    for x in xs:
        if x > 100:
            break
        best = x
    if best is None:
        return 0.0
    return best + 1


def of_the_least_positive(xs: Any) -> Any:
    best = None
    for x in xs:
        if x > 0 and (best is None or x < best):
            best = x
    return best if best is not None else -7.0


def of_a_value_that_is_dropped(xs: Any) -> Any:
    last, total = None, 0.0
    for x in xs:
        if x < 0:
            last = None
            continue
        if last is not None:
            total += last * x
        last = x
    return total


def of_a_pair(xs: Any) -> Any:
    best = None
    for x in xs:
        if x > 100:
            break
        best = (x, 2 * x)
    if best is None:
        return 0.0
    one, other = best
    return one + other


def of_a_dict_that_changes(xs: Any) -> Any:
    best: Any = None
    for x in xs:
        if x <= 0:
            continue
        if best is None:
            best = {"most": [x], "count": 1}
        elif x > best["most"][0]:
            best["most"][0] = x
            best["count"] += 1
    if best is not None:
        best["most"][0] += 1
        return best["most"][0] + best["count"]
    return 0.0


def of_an_attribute(xs: Any) -> Any:
    held = SimpleNamespace(best=None)
    for x in xs:
        if x > 2:
            held.best = x
    if held.best is None:
        return 0.0
    return held.best + 1


def of_an_enclosing_function(xs: Any) -> Any:
    best = None

    def see(x: Any) -> None:
        nonlocal best
        if x > 2:
            best = x

    for x in xs:
        see(x)
    return best if best is not None else 0.0


def of_an_attribute_in_a_loop(xs: Any) -> Any:
    held = SimpleNamespace(total=0.0) if xs[0] > 0 else None
    for x in xs:
        if held is not None:
            held.total += x
    return held.total if held is not None else -1.0


def of_a_while_until_it_is_there(xs: Any) -> Any:
    best, i = None, 0
    while i < 3 and best is None:
        if xs[i] > 2:
            best = xs[i]
        i += 1
    return (0.0 if best is None else best) + i


def of_an_index(xs: Any) -> Any:
    at = None
    for k, x in enumerate(xs):
        if x > 0:
            at = k
    if at is not None and xs[at] > 1:
        return xs[at] + jnp.stack([xs, xs])[1, at] + sum([xs[at], *(xs[at],)])
    return xs[at] if at is not None else 3.0


def of_a_search(xs: Any) -> Any:
    found = first_above_one(xs)
    if not found is None:  # noqa: E714
        return found * 3
    return 0.0


def of_a_truth(xs: Any) -> Any:
    return first_above_one(xs) or 7.0


def of_helpers_in_an_unrolled_loop(xs: Any) -> Any:
    total = 0.0
    for k in range(6):
        found = positive(xs[k % 3])
        if found is None:
            continue
        total = total + found
    return total


# -- programs of one number ------------------------------------------------------------------------


def with_a_previous(x: Any) -> Any:
    previous = None
    while x > 1:
        previous = x
        x = x / 2
    if previous is None:
        previous = x
    return previous


def with_a_test_in_the_loop(x: Any) -> Any:
    previous, total = None, 0.0
    while x > 1:
        if previous is not None and previous > 3:
            total += previous
        previous = x
        x = x / 2
    return total


def with_helpers(x: Any) -> Any:
    one, other = positive(x), positive(x - 1)
    if one is not None and other is not None:
        return plus_one(one) * other
    elif one is not None:
        return jnp.sin(one)
    return 0.0


def with_another_name(x: Any) -> Any:
    one = positive(x)
    other = one
    if other is not None:
        return one + other
    return 1.0


def with_a_choice(x: Any) -> Any:
    found = None
    if x > 0:
        found = x
    elif x < -0.5:
        found = x * 3
    if found is None:
        found = 100.0
    return found


def with_an_attribute(x: Any) -> Any:
    held = SimpleNamespace(total=1.0) if x > 0 else None
    if held is not None:
        held.total = held.total + x
        held.total *= x if x > 1 else 2.0
    return held.total if held is not None else -1.0


def with_an_item(x: Any) -> Any:
    held = {"total": x} if x > 0 else None
    if held is not None:
        held["total"] += 1
    return held["total"] if held is not None else 0.0


def with_a_while(x: Any) -> Any:
    rest, count = (x if x > 0 else None), 0.0
    while rest is not None:
        set_loop_options(maximum_iterations=9)
        count += rest
        rest = rest / 2 if rest > 1 else None
    return count


def with_a_text(x: Any) -> Any:
    name = None
    if x > 0:
        name = "positive"
    return 1.0 if name is None else 2.0


def positive(x: Any) -> Any:
    if x > 0:
        return x
    return None


def first_above_one(xs: Any) -> Any:
    for x in xs:
        if x > 1:
            return x


def plus_one(x: Any) -> Any:
    return x + 1


def programs(start: str) -> list[Callable[[Any], Any]]:
    return [each for name, each in globals().items() if name.startswith(start)]


OF_ARRAYS, OF_NUMBERS = programs("of_"), programs("with_")
ARRAYS = [[1, -2, 3], [200, 1, 2], [1, 200, 2], [0.5, 2, 0.25], [-1, -2, -3]]
CASES = {
    **dict.fromkeys(OF_ARRAYS, [jnp.array(each, jnp.float32) for each in ARRAYS]),
    **dict.fromkeys(OF_NUMBERS, [jnp.float32(each) for each in (-1, -0.2, 0.5, 2, 9)]),
}
HAVE_NO_GRADIENT = (of_a_while_until_it_is_there, with_a_previous, with_a_test_in_the_loop)
each_program = pytest.mark.parametrize("function", CASES, ids=lambda each: each.__name__)


@each_program
def test_results_are_pythons(function: Callable[[Any], Any]) -> None:
    converted = agj.convert(function)
    compiled, cases = jax.jit(converted), CASES[function]
    expected = [function(case) for case in cases]
    np.testing.assert_allclose(expected, [compiled(case) for case in cases], rtol=1e-5)
    np.testing.assert_allclose(expected, [converted(case) for case in cases], rtol=1e-5)
    np.testing.assert_allclose(expected, jax.vmap(converted)(jnp.stack(cases)), rtol=1e-5)


@each_program
def test_gradients_are_pythons(function: Callable[[Any], Any]) -> None:
    def number(x: Any) -> Any:
        return jnp.asarray(function(x), jnp.float32)

    converted = agj.convert(number)
    gradient = jax.jit((jax.jacfwd if function in HAVE_NO_GRADIENT else jax.grad)(converted))
    for case in CASES[function]:
        np.testing.assert_allclose(jax.grad(number)(case), gradient(case), rtol=1e-5)


def test_an_assertion_tells_that_a_value_is_there() -> None:
    def doubled(x: Any) -> Any:
        found = positive(x)
        assert found is not None
        return found * 2

    check = checkify.checkify(jax.jit(agj.convert(doubled)))
    assert "AssertionError" in check(jnp.float32(-1))[0].get()
    assert check(jnp.float32(2))[1] == 4


# -- refusals --------------------------------------------------------------------------------------


def perhaps(x: Any) -> Any:
    best = None
    if x > 0:
        best = x
    return best


def added(x: Any) -> Any:
    best = perhaps(x)
    return best + 1


def given_to_jax(x: Any) -> Any:
    best = perhaps(x)
    return jnp.sin(best)


def mapped(x: Any) -> Any:
    best = perhaps(x)
    return jax.tree.map(lambda each: each * 2, [best])


def compared(x: Any) -> Any:
    best = perhaps(x)
    if best > 3:
        return x
    return -x


def unpacked(x: Any) -> Any:
    best = None
    if x > 0:
        best = (x, x)
    one, _ = best  # type: ignore[misc]
    return one


def iterated(x: Any) -> Any:
    best = None
    if x > 0:
        best = jnp.arange(3)
    for each in best:  # type: ignore[attr-defined]
        x = x + each
    return x


def formatted(x: Any) -> Any:
    best = perhaps(x)
    print(f"{best}")
    return x


def of_a_kind(x: Any) -> Any:
    best = perhaps(x)
    return isinstance(best, tuple)


def as_an_index(x: Any) -> Any:
    best = None
    if x > 0:
        best = 2
    return jnp.arange(3)[best]


def in_a_dict(x: Any) -> Any:
    best = None
    if x > 0:
        best = x
    return {"best": best, "count": 3}


def with_statements_after_its_return(x: Any) -> Any:
    for limit in range(3):
        if x > limit:
            return x
    y = x + 1
    y.astype(jnp.int32)


def test_the_line_is_that_of_the_return_of_a_value() -> None:
    with pytest.raises(errors.StagingError, match=WORDS[perhaps]) as caught:
        jax.jit(agj.convert(with_statements_after_its_return))(jnp.float32(2))
    first = with_statements_after_its_return.__code__.co_firstlineno
    assert caught.value.origin is not None and caught.value.origin.line == first + 3


NAMED = [added, given_to_jax, mapped, compared, unpacked, iterated, formatted, of_a_kind]
WORDS = {
    **dict.fromkeys(NAMED, "^'best' may be None, .* write `if best is not None:` around"),
    as_an_index: "^'best' may be None, .* around its use as an index",
    in_a_dict: "^this function returns a value on some paths and None .* a flag beside the value",
    perhaps: "^this function returns a value on some paths and None on the others",
}


@pytest.mark.parametrize("function", WORDS, ids=lambda each: each.__name__)
def test_a_use_is_refused_where_the_value_may_be_none(function: Callable[[Any], Any]) -> None:
    with pytest.raises(errors.StagingError, match=WORDS[function]) as caught:
        jax.jit(agj.convert(function))(jnp.float32(2))
    origin = caught.value.origin
    assert origin is not None and origin.function == function.__name__
