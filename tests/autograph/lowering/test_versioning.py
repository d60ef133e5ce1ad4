"""Outside of traces a converted function runs, and looks like, the user's statements."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

import pytest

from autograph.conversion.convert import to_graph
from autograph.conversion.renaming import code_tree
from autograph.lowering.user_function import UserFunction
from autograph.lowering.versioning import first_line_run
from autograph.operators.frames import code_info_of
from runtime.graph.graph import Graph
from tests.autograph.lowering.conftest import converter
from tests.autograph.recorded import Active, recorded


def codes_in(code: CodeType) -> list[CodeType]:
    return [value for value in code.co_consts if isinstance(value, CodeType)]


def with_functions(xs: Any) -> Any:
    class Kind:
        def method(self) -> Any:
            return lambda: xs

    def inner(y: Any) -> Any:
        def deeper() -> Any:
            return xs, y

        if y:
            return deeper
        return None

    async def wait() -> Any:
        return xs

    return Kind, inner, wait, lambda: xs, (x for x in xs), [lambda: x for x in xs]


def test_nested_functions_have_the_users_code() -> None:
    theirs = codes_in(with_functions.__code__)
    made = codes_in(to_graph(with_functions).__code__)
    assert len(theirs) >= 5
    assert all(a is b for a, b in zip(made, theirs))
    assert len(made) > len(theirs)
    assert all(code_info_of(code) is not None for code in made[len(theirs) :])


def test_functions_created_outside_of_a_trace_have_the_users_code() -> None:
    kind, inner, wait, short, *_ = to_graph(with_functions)([1])
    expected = with_functions([1])
    for made, theirs in zip(
        (kind.method, inner, wait, short), (expected[0].method, *expected[1:4])
    ):
        assert made.__code__ is theirs.__code__
        assert made.__qualname__ == theirs.__qualname__


def straight(n: int) -> Any:
    total = (
        n
        + 1
    )  # fmt: skip
    for i in range(n):
        if i % 2 and (i > 1 or total):
            total += several(
                i,
                total,
            )  # fmt: skip
        else:
            total -= 1
    while total > 0:
        total //= 2
    try:
        total = [x for x in range(n) if x and x > 1]
    finally:
        n += 1
    return total


def several(*values: int) -> int:
    return sum(values)


def spread(n: int) -> Any:
    if n > 1 and (
        n > 3 or
        n
    ):  # fmt: skip
        n += 1
    while (
        n > 2 and
        n
    ):  # fmt: skip
        n -= 1
    return [
        x
        for x in range(n)
        if x
        and x > 1
    ]  # fmt: skip


def declaring(n: int) -> Any:
    global DECLARED
    DECLARED = n
    return n


def documented(n: int) -> None:
    """Nothing else."""


def decorating(n: int) -> Any:
    @several.__class__.__call__.__class__
    def inner() -> None: ...

    return inner


def trying(n: int) -> Any:
    try:
        n += 1
    except ValueError:
        n = 2
    with open(__file__):
        return n


def leaving(n: int) -> Any:
    for i in range(n):
        if i == 1:
            continue
        elif i == 3:
            break
        while True:
            i += 1
            if i > n:
                return i
    else:
        n = 7
    return (
        n if n
        else -1
    )  # fmt: skip


FUNCTIONS = [straight, spread, declaring, documented, decorating, trying, leaving]


def lines_run(fn: Callable[..., Any], argument: int) -> list[int]:
    """Return the lines of the function a tracer is told of, counted from its first."""
    seen: list[int] = []

    def tracer(frame: FrameType, event: str, _: object) -> Any:
        if frame.f_code.co_filename != __file__:
            return None
        if event == "line" and frame.f_code.co_name == fn.__name__:
            seen.append(frame.f_lineno - fn.__code__.co_firstlineno)
        return tracer

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        fn(argument)
    except TypeError:
        pass
    finally:
        sys.settrace(before)
    return seen


@pytest.mark.parametrize("argument", [0, 2, 5])
@pytest.mark.parametrize("fn", FUNCTIONS)
def test_the_eager_version_traces_the_lines_of_python(
    fn: Callable[..., Any], argument: int
) -> None:
    assert lines_run(fn, argument) == lines_run(converter().to_graph(fn), argument)


@pytest.mark.parametrize("argument", [0, 2, 5])
@pytest.mark.parametrize("fn", [straight, declaring, decorating, trying, leaving])
def test_the_traced_version_traces_the_lines_of_python(
    fn: Callable[..., Any], argument: int
) -> None:
    assert lines_run(fn, argument) == lines_run(converter(Active()).to_graph(fn), argument)


def test_the_first_executed_line_is_found_in_the_code() -> None:
    firsts = [first_line_run(fn.__code__) - fn.__code__.co_firstlineno for fn in FUNCTIONS]
    expected = [lines_run(fn, 0)[0] for fn in FUNCTIONS]
    assert expected == firsts


def deepest(fn: Callable[..., Any]) -> int:
    """Return how often `fn` gets to call itself before Python stops it."""
    calls: list[int] = []
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(depth_now() + 200)
    try:
        fn(calls)
    except RecursionError:
        pass
    finally:
        sys.setrecursionlimit(limit)
    return len(calls)


def depth_now() -> int:
    frame, depth = sys._getframe(), 0
    while frame is not None:
        frame, depth = frame.f_back, depth + 1  # type: ignore[assignment]
    return depth


def down(calls: list[int]) -> None:
    calls.append(1)
    for _ in range(1):
        if calls and len(calls) > 0:
            down(calls)


def test_recursion_is_as_deep_as_in_python() -> None:
    plain = deepest(down)
    assert plain > 150
    original = down.__code__
    for made in (converter().to_graph(down), converter(Active()).to_graph(down)):
        down.__code__ = made.__code__
        try:
            # What is asked before a call takes a frame or two, at the end of the way only.
            assert plain - 4 <= deepest(down) <= plain
        finally:
            down.__code__ = original


def names_listed(n: int) -> Any:
    seen = [sorted(locals()), sorted(vars()), dir()]
    for i in range(n):
        if i > 0 and n or i:
            seen.append(sorted(locals()))
    return seen, eval("n + len(seen)")


def test_generated_names_are_invisible(converted: Callable[..., Any]) -> None:
    for n in (0, 3):
        assert names_listed(n) == converted(names_listed)(n)


def test_the_code_object_has_the_users_signature_and_variables(
    converted: Callable[..., Any],
) -> None:
    def with_cells(a: int, /, b: int, *c: int, d: int, **e: int) -> Any:
        return (lambda: (a, FUNCTIONS, several_here))()

    several_here = 1
    for fn in (with_cells, straight, with_functions):
        theirs, ours = fn.__code__, converted(fn).__code__
        assert theirs.co_freevars == ours.co_freevars
        count = theirs.co_argcount + theirs.co_kwonlyargcount
        assert theirs.co_varnames[:count] == ours.co_varnames[:count]
        same = ("co_argcount", "co_posonlyargcount", "co_kwonlyargcount")
        assert [getattr(theirs, n) for n in same] == [getattr(ours, n) for n in same]
        # Bodies share variables with their function, and Python 3.10 notes who shares none.
        assert theirs.co_flags & ~inspect.CO_NOFREE == ours.co_flags & ~inspect.CO_NOFREE


class Base:
    def who(self, x: int) -> str:
        return f"base {x}"


class Derived(Base):
    __scale = 3

    def who(self, x: int) -> str:
        __x = [x * self.__scale for _ in range(1) if x or self.__scale]
        if x > 1:
            return f"{super().who(__x[0])} {__class__.__name__}"  # type: ignore[name-defined]
        found = [super(Derived, self).who(i) for i in __x]
        return f"{found} {(lambda: self.__twice(x))()}"

    def __twice(self, x: int) -> int:
        return 2 * x * self.__scale


def test_private_names_and_super_agree_with_python(
    converted: Callable[..., Any],
) -> None:
    it = Derived()
    for x in (1, 2):
        assert it.who(x) == converted(it.who)(x)


def test_generators_and_coroutines_choose_their_version_when_they_start() -> None:
    def stream(n: int) -> Any:
        for i in range(n):
            if i or n:
                yield code_info_of(sys._getframe().f_code) is not None, i

    async def wait(n: int) -> Any:
        return [i for i in range(n) if i or n]

    made = to_graph(stream)
    assert [(True, 0), (True, 1)] == list(made(2)) == recorded(lambda: list(made(2)))
    items = made(2)
    assert (True, 0) == next(items) and (True, 1) == recorded(next, items)
    with pytest.raises(StopIteration) as stop:
        to_graph(wait)(2).send(None)
    assert [0, 1] == stop.value.value


def records_itself(n: int) -> Any:
    with Graph("inner").recording():
        return inside(n)


def inside(n: int) -> Any:
    return code_info_of(sys._getframe(0).f_code) is not None


def test_a_function_that_starts_recording_has_the_traced_version_only() -> None:
    assert UserFunction(ast.parse("with g.as_default(): pass")).may_start_recording
    assert UserFunction(ast.parse("enter(recording())")).may_start_recording
    assert not UserFunction(ast.parse("g.record(as_defaults)")).may_start_recording
    assert (False, True) == (records_itself(1), to_graph(records_itself)(1))


def test_the_version_is_chosen_at_every_call() -> None:
    def halves() -> bool:
        return inside(1)

    made = to_graph(halves)
    assert [False, True, False] == [made(), recorded(made), made()]


def test_every_code_object_is_the_users_or_has_a_part() -> None:
    theirs = set(map(id, code_tree(with_functions.__code__)))
    for code in code_tree(to_graph(with_functions).__code__):
        assert (id(code) in theirs) is (code_info_of(code) is None)
