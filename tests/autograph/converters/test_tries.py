"""`try` statements that become a call: printed form, jumps, the variable of a handler."""

from __future__ import annotations

import pytest

from autograph.converters.control_flow import ControlFlow
from autograph.converters.pipeline import convert_function
from autograph.syntax.printer import print_tree
from autograph.syntax.tree import parse
from tests.autograph.converters.reference import TextSource
from tests.autograph.converters.steps import after, text


def converted(program: str) -> str:
    program = text(program)
    node = parse(program).body[0]
    return print_tree(convert_function(TextSource(program, node, "f")))


def test_the_parts_are_functions() -> None:
    before = """
        def f(x):
            try:
                y = g(x)
            except ValueError as e:
                y = h(e)
            except:
                y = 0
            else:
                y += 1
            finally:
                k()
            return y
    """
    expected = """
        def f(x):

            def get_state():
                return (y,)

            def set_state(vars_):
                nonlocal y
                (y,) = vars_

            def try_body():
                nonlocal y
                y = g(x)

            def except_body(e):
                nonlocal y
                y = h(e)

            def except_body_1():
                nonlocal y
                y = 0

            def else_body():
                nonlocal y
                y += 1

            def finally_body():
                nonlocal y
                k()
            y = ag__.Undefined('y')
            ag__.try_stmt(try_body, (ag__.handler((lambda : ValueError), except_body, 'e'), """
    found = after(before, ControlFlow)
    assert found.startswith(text(expected).rstrip())
    assert (
        "ag__.handler(None, except_body_1, None)), else_body, finally_body, (), get_state" in found
    )


def test_a_name_that_is_read_later_is_unbound_by_the_handler() -> None:
    found = converted("""
        def f(x):
            e = 1
            try:
                g(x)
            except ValueError as e:
                h(e)
            return e
    """)
    handler = found[found.index("def except_body") : found.index("ag__.try_stmt")]
    assert "def except_body(caught_):" in handler
    assert "e = caught_" in handler
    assert "finally:\n                e = ag__.Undefined('e')" in handler


def test_flags_of_jumps_are_passed() -> None:
    found = converted("""
        def f(x):
            while x:
                try:
                    if g(x):
                        break
                except ValueError:
                    continue
                h(x)
    """)
    assert "None, None, ('break_', 'continue_'), get_state" in found


@pytest.mark.parametrize(
    "program",
    [
        "def f(x):\n    try:\n        yield x\n    except E:\n        pass",
        "async def f(x):\n    try:\n        await x\n    except E:\n        pass",
        "def f(x):\n    for i in x:\n        try:\n            break\n        except E:\n"
        "            yield i",
    ],
    ids=["yield", "await", "real_break"],
)
def test_some_tries_stay_python(program: str) -> None:
    found = converted(program)
    assert "try_stmt" not in found
    assert "try:" in found


def test_a_try_that_resets_a_flag_stays_python() -> None:
    found = converted("""
        def f(x):
            if x:
                return g(x)
            return 0
    """)
    assert "try_stmt" not in found
    assert "do_return = False\n                raise" in found
