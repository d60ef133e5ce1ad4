"""Errors of `autograph.jax` name the user's line and variable."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, IntEnum
from typing import Any

import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402

import autograph.jax as agj  # noqa: E402
from autograph import errors  # noqa: E402

X, XS = jnp.float32(2), jnp.arange(3.0)


def shapes(x: Any) -> Any:
    if x > 0:
        y = jnp.zeros(3)
    else:
        y = jnp.zeros(4)
    return y


def dtypes(x: Any) -> Any:
    if x > 0:
        y = jnp.float32(1)
    else:
        y = jnp.int32(1)
    return y


def shapes_of_an_expression(x: Any) -> Any:
    return jnp.zeros(3) if x > 0 else jnp.zeros(4)


def structures(x: Any) -> Any:
    y = (x, x)
    if x > 0:
        y = (x, x, x)
    return y


def objects(x: Any) -> Any:
    mode = "a"
    if x > 0:
        mode = "b"
    return x if mode == "a" else -x


class Phase(Enum):
    FIRST = 0
    SECOND = 1


class Mode(IntEnum):
    LOW = 0
    HIGH = 1


def members(x: Any) -> Any:
    phase = Phase.FIRST
    if x > 0:
        phase = Phase.SECOND
    return x if phase == Phase.FIRST else -x


def identity_of_members(x: Any) -> Any:
    mode = Mode.LOW
    if x > 0:
        mode = Mode.HIGH
    return x if mode is Mode.LOW else -x


def value_of_members(x: Any) -> Any:
    mode = Mode.HIGH if x > 0 else Mode.LOW
    return x * mode.value


def name_of_members(x: Any) -> Any:
    mode = Mode.HIGH if x > 0 else Mode.LOW
    return x, len(mode.name)


def unbound(x: Any) -> Any:
    if x > 0:
        y = x
    return y


def unbound_after_loop(x: Any) -> Any:
    while x > 1:
        x = x / 2
        last = x
    return last


def nothing_on_one_path(x: Any) -> Any:
    if x > 0:
        return x


def several_truths(xs: Any) -> Any:
    if xs > 0:
        return xs
    return -xs


def several_truths_in_while(xs: Any) -> Any:
    while xs < 3:
        xs = xs + 1
    return xs


def growing_array(xs: Any) -> Any:
    while xs.sum() < 100:
        xs = jnp.concatenate([xs, xs])
    return xs


def none_before(x: Any) -> Any:
    best = None
    while x < 5:
        best = x if best is None else best + x
        x += 1
    return best


def whole_before_float(x: Any) -> Any:
    n = jnp.int32(0)
    while x > 1:
        x = x / 2
        n = n + x
    return n


def factorial(n: Any) -> Any:
    return 1 if n < 2 else n * factorial(n - 1)


def new_key(x: Any) -> Any:
    found = {}
    if x > 0:
        found["a"] = x
    return found


def unequal_lists(x: Any) -> Any:
    found = []
    held = (found, x)
    if x > 0:
        found.append(x)
    return held


def append_in_while(x: Any) -> Any:
    found = []
    while x > 1:
        x = x / 2
        found.append(x)
    return found


def set_before_a_break(xs: Any) -> Any:
    for x in xs:
        if x > 2:
            found = x
            break
    return found


def another_function(xs: Any) -> Any:
    scale = abs
    for x in xs:
        scale = lambda v, x=x: v * x
    return scale(xs[0])


def index_or_none(xs: Any) -> Any:
    best = None
    for k in jnp.arange(2):
        if xs[k] > 0:
            best = k
    return xs[best]


def attribute_of_none(xs: Any) -> Any:
    held = None
    if xs[0] > 0:
        held = (xs[0],)
    held.x = 3.0
    return xs


def carried_or_none(xs: Any) -> Any:
    def step(carry: Any, x: Any) -> Any:
        found = None
        if x > 0:
            found = x
        return found, x

    return jax.lax.scan(step, 0.0, xs)


def read_without_a_bound(xs: Any) -> Any:
    found: list[Any] = []
    while xs[0] < 3:
        if len(found) > 0:
            xs = xs + found[-1]
        found.append(xs[1])
    return found


def cleared(xs: Any) -> Any:
    stack = [xs[0], xs[1], xs[2]]
    for _ in xs:
        stack.clear()
    return stack


def numpy_item(i: Any) -> Any:
    import numpy as np

    table = np.zeros(3)
    table[0] = i
    return table


def key_by_tracer(i: Any) -> Any:
    return {0: 1.0, 1: 2.0}[i]


def dict_item(x: Any) -> Any:
    names = ["a", "b"]
    return names[jnp.int32(x)]


def domain(x: Any) -> Any:
    import math

    return math.sqrt(x)


def kept_text(x: Any) -> Any:
    text = f"x = {x}"
    return len(text)


def filtered(xs: Any) -> Any:
    return list(filter(lambda x: x > 1, xs))


def unknown_star(n: Any) -> Any:
    return max(*range(n))


class Held:
    def __init__(self, total: Any) -> None:
        self.total = total


def new_object_or_none(x: Any) -> Any:
    held = Held(x * 2) if x > 0 else None
    return held.total if held is not None else x


def new_objects(x: Any) -> Any:
    if x > 0:
        held = Held(x)
    else:
        held = Held(-x)
    return held.total


def new_object_in_a_loop(xs: Any) -> Any:
    held = Held(0.0)
    for x in xs:
        held = Held(held.total + x)
    return held.total


def appended_object(xs: Any) -> Any:
    found = []
    for x in xs:
        found.append(Held(x))
    return found[0].total


def appended_text(xs: Any) -> Any:
    found = []
    for x in xs:
        if x > 0:
            found.append("high")
    return len(found)


CASES: dict[Callable[..., Any], tuple[Any, type[Exception], str]] = {
    shapes: (X, errors.BranchMismatch, "'y' is float32[3] where the condition of this `if` holds"),
    dtypes: (X, errors.BranchMismatch, "'y' is float32[] where .* int32[] .* one dtype"),
    shapes_of_an_expression: (
        X,
        errors.BranchMismatch,
        "^the value is float32[3] where the condition of the conditional expression on `x > 0`",
    ),
    structures: (X, errors.BranchMismatch, "'y' is a tuple .* one structure"),
    objects: (X, errors.BranchMismatch, "'mode' is 'b' where .* and 'a' where"),
    members: (X, errors.BranchMismatch, "'phase' is another member of Phase, .* enum.IntEnum"),
    identity_of_members: (X, errors.StagingError, "member is Mode.LOW, and .*: write == in"),
    value_of_members: (X, errors.StagingError, "write `mode` in the place of `mode.value`"),
    name_of_members: (X, errors.StagingError, "write a table, as `names[mode]`, in the place of"),
    unbound: (X, errors.UndefinedBranchError, "'y' has no value where the condition"),
    unbound_after_loop: (X, errors.UndefinedBranchError, "'last' has no value if the loop has no"),
    nothing_on_one_path: (X, errors.StagingError, "returns a value on some paths and None"),
    several_truths: (XS, errors.ConditionError, "of this `if` is an array of shape (3,)"),
    several_truths_in_while: (XS, errors.ConditionError, "of this `while` is an array of shape"),
    growing_array: (XS, errors.LoopMismatch, "'xs' is float32[3] before an iteration"),
    none_before: (X, errors.StagingError, "returns a value on some paths and None"),
    whole_before_float: (X, errors.LoopMismatch, "'n' is int32[] before an iteration"),
    factorial: (jnp.int32(3), errors.StagingError, "a function calls itself on a condition"),
    new_key: (X, errors.StagingError, "found['a'] exists on one path of this `if` only"),
    unequal_lists: (
        X,
        errors.ContainerMutationError,
        "'found' grows in this `if`, and a tuple is",
    ),
    append_in_while: (X, errors.LoopMismatch, "'found' grows in a loop whose number of iterations"),
    set_before_a_break: (XS, errors.UndefinedBranchError, "'found' has no value if no iteration"),
    another_function: (XS, errors.LoopMismatch, "'scale' is another function after an iteration"),
    index_or_none: (XS, errors.StagingError, "'best' may be None, and only a run knows"),
    attribute_of_none: (XS, errors.StagingError, "'held' may be None, and only a run knows"),
    carried_or_none: (XS, errors.StagingError, "this value may be None, and only a run knows"),
    read_without_a_bound: (XS, errors.LoopMismatch, "'found' grows in a loop whose number of"),
    cleared: (XS, errors.ListMethodError, "a list that has grown in a loop has no clear()"),
    numpy_item: (X, errors.StagingError, "an item of this array of NumPy is assigned"),
    key_by_tracer: (jnp.int32(1), errors.StagingError, "an item of a dict under a key"),
    dict_item: (X, errors.StagingError, "an item of a list of other objects than arrays"),
    domain: (X, errors.StagingError, "call jnp.sqrt, which returns NaN"),
    kept_text: (X, errors.StagingError, "this text has a number in it that only a run knows"),
    filtered: (XS, errors.StagedIterationError, "filter() gives as many items as only a run"),
    new_object_or_none: (X, errors.BranchMismatch, "the value is a new Held object, .* register"),
    new_objects: (X, errors.BranchMismatch, "'held' is a new Held object, .* register"),
    new_object_in_a_loop: (XS, errors.LoopMismatch, "'held' is a new Held object, .* register"),
    appended_object: (XS, errors.LoopMismatch, "an item of 'found' is a new Held object"),
    appended_text: (XS, errors.LoopMismatch, "an item of 'found' is 'high', and JAX keeps"),
    unknown_star: (jnp.int32(3), errors.StagedIterationError, "how many items this has is known"),
}


@pytest.mark.parametrize("fn", CASES, ids=lambda fn: fn.__name__)
def test_an_error_names_the_line_and_the_variable(fn: Callable[..., Any]) -> None:
    argument, kind, words = CASES[fn]
    pattern = words.replace("[", r"\[").replace("(", r"\(").replace(")", r"\)").replace("{", r"\{")
    with pytest.raises(kind, match=pattern) as caught:
        jax.jit(agj.convert(fn))(argument)
    place = caught.value.origin
    assert place is not None
    first = fn.__code__.co_firstlineno
    last = max(line for *_, line in fn.__code__.co_lines() if line)
    assert (__file__, True) == (place.filename, first < place.line <= last), place.describe()


def test_the_state_of_python_is_as_before_after_an_error() -> None:
    held = [1.0]

    def failing(x: Any) -> Any:
        if x > 0:
            held[0] = x
            y = jnp.zeros(3)
        else:
            y = jnp.zeros(4)
        return y

    with pytest.raises(errors.BranchMismatch):
        jax.jit(agj.convert(failing))(X)
    assert [1.0] == held
