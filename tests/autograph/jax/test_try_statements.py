"""Handlers of `try` run where a traced condition raises, or an error names the line."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402
from jax.experimental import checkify  # noqa: E402

import autograph.jax as agj  # noqa: E402
from autograph import errors  # noqa: E402

XS = [3.0, -1.0, 4.0]
RIGHT: list[Callable[..., Any]] = []
REFUSED: dict[Callable[..., Any], str] = {}


def right(fn: Callable[..., Any]) -> Callable[..., Any]:
    RIGHT.append(fn)
    return fn


def refused(words: str) -> Any:
    return lambda fn: REFUSED.setdefault(fn, words) and fn


@right
def one_exception(x: Any, xs: Any) -> Any:
    try:
        if x < 0:
            raise ValueError("negative")
        y = x * 2
    except ValueError:
        y = 100.0
    return y


@right
def the_variables_at_the_exception(x: Any, xs: Any) -> Any:
    y, held = 0.0, [0.0]
    try:
        y, held[0] = 1.0, 1.0
        if x < 0:
            y = 3.0
            held[0] = x
            raise ValueError
        y, held[0] = 2.0, 2.0
    except ValueError:
        y, held[0] = y + 10, held[0] + 10
    else:
        y = y + 100
    finally:
        y = y + 1000
    return y, held[0]


@right
def two_exceptions(x: Any, xs: Any) -> Any:
    r = 0.0
    try:
        if x < 0:
            raise ValueError
        r = 1.0
        if x > 2:
            raise KeyError("k")
        r = 2.0
    except ValueError:
        r = r + 10
    except KeyError:
        r = r + 20
    return r


@right
def exceptions_of_a_called_function(x: Any, xs: Any) -> Any:
    def checked(v: Any) -> Any:
        if v < 0:
            raise ValueError
        return v + 1

    try:
        r = checked(x) + checked(x - 2)
    except ValueError:
        r = -1.0
    return r


@right
def an_exception_on_each_path(x: Any, xs: Any) -> Any:
    try:
        if x < 0:
            raise ValueError
        else:
            raise KeyError
    except ValueError:
        r = 1.0
    except KeyError:
        r = 2.0
    return r


@right
def a_try_in_a_try(x: Any, xs: Any) -> Any:
    r = 0.0
    try:
        try:
            if x < 0:
                raise ValueError
            r = 1.0
        except KeyError:
            r = 50.0
        finally:
            r = r + 100
    except ValueError:
        r = r + 7
    return r


@right
def the_exception_again(x: Any, xs: Any) -> Any:
    r = 0.0
    try:
        try:
            if x < 0:
                raise ValueError
            r = 1.0
        except ValueError as error:
            r = 2.0
            if len(error.args) == 0:
                raise
    except ValueError:
        r = r + 7
    return r


@right
def a_return_in_the_body(x: Any, xs: Any) -> Any:
    try:
        if x < 0:
            raise ValueError
        return x
    except ValueError:
        return 5.0


@right
def a_try_in_a_loop(x: Any, xs: Any) -> Any:
    total = 0.0
    for v in xs:
        try:
            if v < 0:
                raise ValueError
            total = total + v
        except ValueError:
            total = total + 100
    return total


@right
def a_break_in_a_handler(x: Any, xs: Any) -> Any:
    total = 0.0
    for v in xs:
        try:
            if v < 0:
                raise ValueError
            total = total + v
        except ValueError:
            break
    return total


@right
def an_exception_of_python_on_a_path(x: Any, xs: Any) -> Any:
    table = {"a": 1.0}
    try:
        if x < 0:
            r = table["missing"]
        else:
            r = table["a"]
    except KeyError:
        r = 7.0
    return r


class Located(Exception):
    def __init__(self, place: Any) -> None:
        super().__init__(place + 1)
        self.place = place


@right
def the_contents_of_an_exception(x: Any, xs: Any) -> Any:
    try:
        if x < 0:
            raise Located(x * 2)
        r = 1.0
    except Located as error:
        r = error.place * 10 + error.args[0]
    return r


@right
def a_list_that_grows_in_a_try(x: Any, xs: Any) -> Any:
    out = []
    for v in xs:
        try:
            if v < x:
                raise ValueError
            out.append(v)
        except ValueError:
            continue
    return len(out)


@right
def a_return_before_finally(x: Any, xs: Any) -> Any:
    held = [0.0]

    def found() -> Any:
        try:
            if x < 0:
                raise ValueError
            return 1.0
        except ValueError:
            return 2.0
        finally:
            held[0] = held[0] + 1

    return found(), found(), held[0]


@right
def a_loop_that_would_not_end(x: Any, xs: Any) -> Any:
    n = x
    try:
        if n < 0:
            raise ValueError
        while n != 0.0:
            n = n - 1.0
    except ValueError:
        n = -7.0
    return n


@right
def a_suppressed_exception(x: Any, xs: Any) -> Any:
    r = 0.0
    with contextlib.suppress(ValueError):
        if x < 0:
            raise ValueError
        r = 1.0
    return r


@right
def a_caught_assertion(x: Any, xs: Any) -> Any:
    r = 0.0
    try:
        assert x > 0, "no"
        r = 1.0
    except AssertionError:
        r = 9.0
    return r


@right
def a_conditional_expression(x: Any, xs: Any) -> Any:
    def failing() -> Any:
        raise ValueError

    try:
        r = 1.0 if x > 0 else failing()
    except:  # noqa: E722
        r = 9.0
    return r


@refused("inside of another condition or of a loop")
def an_exception_in_a_loop(x: Any, xs: Any) -> Any:
    total = 0.0
    try:
        for v in xs:
            if v < 0:
                raise ValueError
            total = total + v
    except ValueError:
        total = total + 100
    return total


@refused("inside of another condition or of a loop")
def an_exception_on_two_conditions(x: Any, xs: Any) -> Any:
    t = 0.0
    try:
        if x < 5:
            if x < 0:
                raise ValueError
        t = 1.0
    except ValueError:
        t = 100.0
    return t


@refused("whether this raises KeyError")
def an_exception_of_python_in_a_while(x: Any, xs: Any) -> Any:
    try:
        while x > 0:
            x = {}["missing"]
    except KeyError:
        x = 5.0
    return x


@refused("whether this raises ValueError")
def an_exception_after_and(x: Any, xs: Any) -> Any:
    def failing() -> Any:
        raise ValueError

    r = 1.0
    try:
        if x < 0 and failing():
            r = 2.0
    except ValueError:
        r = 9.0
    return r


@refused("a `try` with a `yield`")
def a_try_in_a_generator(x: Any, xs: Any) -> Any:
    def numbers() -> Any:
        try:
            if x < 0:
                raise ValueError
            yield 1.0
        except ValueError:
            yield 2.0

    return list(numbers())


@refused("this `try` prints before an exception")
def a_print_before_the_exception(x: Any, xs: Any) -> Any:
    r = 0.0
    try:
        print("x is", x)
        if x < 0:
            raise ValueError
        r = 1.0
    except ValueError:
        r = 2.0
    return r


@refused("this `try` prints before an exception")
def a_callback_before_the_exception(x: Any, xs: Any) -> Any:
    r = 0.0
    try:
        jax.debug.print("{}", x)
        if x < 0:
            raise ValueError
        r = 1.0
    except ValueError:
        r = 2.0
    return r


@refused("both paths must give it one shape")
def a_refusal_is_no_exception_of_the_program(x: Any, xs: Any) -> Any:
    y = jnp.zeros(3)
    try:
        if x < 0:
            y = jnp.zeros(4)
    except Exception:
        y = jnp.ones(3)
    return y


@refused("whether it is the same object as 'b'")
def an_alias_made_before_the_exception(x: Any, xs: Any) -> Any:
    a, b = [1.0], [2.0]
    y = a
    try:
        y = b
        if x < 0:
            raise ValueError
        y = a
    except ValueError:
        pass
    y[0] = 50.0
    return a[0], b[0]


def numbers_of(value: Any) -> list[float]:
    return [float(each) for each in jax.tree_util.tree_leaves(value)]


@pytest.mark.parametrize("fn", RIGHT, ids=lambda fn: fn.__name__)
def test_the_result_is_pythons(fn: Callable[..., Any]) -> None:
    compiled = jax.jit(agj.convert(fn))
    for x in (4.0, 1.0, -1.0):
        assert numbers_of(fn(x, XS)) == numbers_of(compiled(x, jnp.array(XS)))


@pytest.mark.parametrize("fn", REFUSED, ids=lambda fn: fn.__name__)
def test_a_handler_that_cannot_run_is_refused(fn: Callable[..., Any]) -> None:
    with pytest.raises(errors.StagingError) as caught:
        jax.jit(agj.convert(fn))(1.0, jnp.array(XS))
    assert REFUSED[fn] in caught.value.message
    place = caught.value.origin
    assert place is not None
    first = fn.__code__.co_firstlineno
    assert (__file__, True) == (place.filename, first < place.line < first + 15)


def test_a_check_before_the_exception_stays_a_check() -> None:
    def checked(x: Any) -> Any:
        try:
            assert x < 10, "large"
            if x < 0:
                raise ValueError
            y = x
        except ValueError:
            y = 0.0
        return y

    compiled = jax.jit(checkify.checkify(agj.convert(checked)))
    for x, expected in ((1.0, 1.0), (-1.0, 0.0)):
        error, found = compiled(x)
        assert (None, expected) == (error.get(), float(found))
    assert "large" in str(compiled(11.0)[0].get())


def test_gradients_go_through_a_handler() -> None:
    compiled = jax.jit(jax.grad(agj.convert(lambda x: one_exception(x, None))))
    assert (2.0, 0.0) == (float(compiled(3.0)), float(compiled(-3.0)))
