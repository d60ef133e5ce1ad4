"""`if`, `while` and `for` become functions, state and one call."""

from __future__ import annotations

import pytest

from autograph.converters.pipeline import PIPELINE
from tests.autograph.converters.reference import (
    Log,
    Vocabulary,
    compiled,
    converted_module,
    namespace,
)
from tests.autograph.converters.steps import after, text


def body(program: str) -> str:
    """Return the statements of a converted function inside its scope."""
    lines = after(program, *PIPELINE).splitlines()
    inside = lines[next(n for n, line in enumerate(lines) if "as fscope:" in line) + 1 :]
    return "\n".join(line[8:] for line in inside)


def statements_of(program: str, *args: object) -> list[tuple[object, ...]]:
    """Run a program and return the statements its code called, in order, with their state."""
    names = namespace(Log())
    names["ag__"] = vocabulary = Vocabulary()
    exec(compiled(converted_module(program)), names)
    names["f"](*args)
    return vocabulary.seen


def test_an_if() -> None:
    expected = """
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        y = 1

        def get_state():
            return (y,)

        def set_state(vars_):
            nonlocal y
            (y,) = vars_

        def if_body():
            nonlocal y
            y = ag__.ld(x)

        def else_body():
            nonlocal y
            pass
        ag__.if_stmt(ag__.ld(x), if_body, else_body, get_state, set_state, ('y',), 1)
        try:
            do_return = True
            retval_ = ag__.ld(y)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
    """
    assert text(expected) == body("def f(x):\n y = 1\n if x: y = x\n return y")


def test_a_while() -> None:
    expected = """
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        i = 0

        def get_state():
            return (i,)

        def set_state(vars_):
            nonlocal i
            (i,) = vars_

        def loop_body():
            nonlocal i
            i = (ag__.ld(i) + 1)

        def loop_test():
            return (ag__.ld(i) < ag__.ld(n))
        ag__.while_stmt(loop_test, loop_body, get_state, set_state, ('i',), {})
        try:
            do_return = True
            retval_ = ag__.ld(i)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
    """
    assert text(expected) == body("def f(n):\n i = 0\n while i < n: i = i + 1\n return i")


def test_a_for_without_state() -> None:
    expected = """
        def get_state():
            return ()

        def set_state(vars_):
            pass

        def loop_body(itr):
            i = itr
            ag__.ld(i)
        ag__.for_stmt(ag__.ld(x), None, loop_body, get_state, set_state, (), {'iterate_names': 'i'})
    """
    assert text(expected) == body("def f(x):\n for i in x: i").strip("\n")


def test_a_target_is_assigned_first_and_named_as_written() -> None:
    printed = body("def f(x):\n for i, (o.v, *j)  in x: pass")
    assert "def loop_body(itr):\n    (i, (ag__.ld(o).v, *j)) = itr\n" in printed
    assert "{'iterate_names': 'i, (o.v, *j)'}" in printed


def test_a_for_with_break_has_an_extra_test_and_names_its_flag() -> None:
    program = "def f(xs):\n for i in xs:\n  if i: break\n return i"
    printed = body(program)
    extra = "def extra_test():\n    return ag__.not_(ag__.ld(break_))\n"
    undefined = "i = ag__.Undefined('i')\nag__.for_stmt(ag__.ld(xs), extra_test, loop_body, "
    options = "('i', 'break_'), {'iterate_names': 'i', 'exits': {'break_': 'break'}})"
    assert extra + undefined in printed
    assert options in printed


def test_flags_are_tested_before_the_test_of_a_while() -> None:
    printed = body("def f(x):\n while a and b:\n  if x: break\n  if y: return 1")
    flags = "(lambda : ag__.not_(ag__.ld(break_))), (lambda : ag__.not_(ag__.ld(do_return)))"
    assert f"return ag__.and_({flags}, (lambda : ag__.ld(a)), (lambda : ag__.ld(b)))" in printed
    assert "'exits': {'do_return': 'return', 'break_': 'break'}" in printed


def test_outputs_precede_symbols_of_the_bodies() -> None:
    program = "def f(a, b):\n if a:\n  a = a + 1; b = a\n return b"
    assert [("if", ("b", "a"), 1)] == statements_of(program, 1, 2)


def test_a_variable_of_the_body_alone_is_no_state() -> None:
    program = "def f(x):\n for i in range(2):\n  y = i\n  x = x + y\n return x"
    assert [("for", ("x",), {"iterate_names": "i"})] == statements_of(program, 1)


@pytest.mark.parametrize(
    "use", ["lambda: i", "(i for _ in x)", "(lambda: (lambda: i))", "[lambda: i for _ in x]"]
)
def test_a_captured_variable_is_state(use: str) -> None:
    program = f"def f(x):\n for i in x: g = {use}\n return g"
    assert ("g", "i") == tuple(sorted(statements_of(program, [1])[0][1]))


def test_a_comprehension_does_not_capture() -> None:
    program = "def f(x):\n for i in x: g = [i for _ in x], sum(i for _ in x)\n return g"
    assert ("g",) == statements_of(program, [1])[0][1]


def test_variables_rebound_by_a_local_function_are_state() -> None:
    program = (
        "def f(x):\n k = 0\n def bump():\n  nonlocal k\n  k = k + 1\n"
        " def twice(): bump(); bump()\n for i in x: twice()\n return k"
    )
    assert ("k",) == statements_of(program, [1])[-1][1]


def test_attributes_and_constant_items_of_unchanged_owners_are_state() -> None:
    program = "def f(x):\n if x:\n  o.v = 1; o.v += 1\n  p = o; p.v = 2; o.w.z = 1\n"
    names = namespace(Log())
    names["o"].w = names["o"]
    names["ag__"] = vocabulary = Vocabulary()
    exec(compiled(converted_module(program)), names)
    names["f"](1)
    assert [("if", ("o.v", "o.w.z"), 2)] == vocabulary.seen
    printed = body(program)
    assert "return (ag__.ldu((lambda : ag__.ld(o).v), 'o.v'), " in printed
    assert "(ag__.ld(o).v, ag__.ld(o).w.z) = vars_" in printed


def test_a_list_that_is_appended_to_is_state() -> None:
    program = "def f(x):\n l = []\n for i in x: l.append(i)\n return l"
    assert ("l",) == statements_of(program, [1])[0][1]


def test_globals_are_declared_and_read_carefully() -> None:
    printed = body("def f(x):\n global g\n if x: g = x")
    assert "return (ag__.ldu((lambda : g), 'g'),)" in printed
    assert "def if_body():\n    global g\n" in printed
    assert "Undefined('g')" not in printed


def test_directives_become_options() -> None:
    program = (
        "def f(x):\n y = 0\n while x:\n  y = y + 1\n"
        "  ag.set_loop_options(maximum_iterations=3, shape_invariants=[(y, s)])\n return y"
    )
    options = "{'maximum_iterations': 3, 'shape_invariants': (('y', ag__.ld(s)),)}"
    assert f"('y',), {options})" in body(program)


def test_names_are_numbered_in_source_order() -> None:
    printed = body("def f(x):\n if x:\n  if x: y = 1\n if x: pass\n return y")
    lines = [line.split("(")[0].strip() for line in printed.splitlines() if "def " in line]
    numbers = [line.rpartition("_")[2] for line in lines if "get_state" in line]
    assert ["state", "1", "2"] == numbers


def test_statements_inside_a_kept_statement_are_converted() -> None:
    program = "def f(x):\n for i in x:\n  if i: yield i\n  if i: s = 1\n  else: s = 2\n  yield s"
    printed = body(program)
    assert "for i in ag__.ld(x):" in printed
    assert "if ag__.ld(i):\n        (yield ag__.ld(i))" in printed
    assert "ag__.if_stmt(ag__.ld(i), if_body, else_body, " in printed


def test_a_test_that_binds_names_declares_them() -> None:
    printed = body("def f(x):\n while (y := g(x)): x = y\n return x, y")
    assert "def loop_test():\n    nonlocal y\n    return (y := " in printed
