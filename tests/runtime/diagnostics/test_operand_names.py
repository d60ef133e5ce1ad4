"""Errors of ops name the user's variables, read from the source at the failing position."""

from __future__ import annotations

import linecache
import pickle
import sys
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from runtime.errors import OpError

_HEAD = "import autograph as ag\nimport runtime as rt\n"
_FILE = "named.py"


def _message(program: str, **names: Any) -> str:
    """The message of the error that a program raises."""
    text = f"{_HEAD}{program}\n"
    linecache.cache[_FILE] = (len(text), None, text.splitlines(True), _FILE)
    with pytest.raises(OpError) as raised:
        exec(compile(text, _FILE, "exec"), {"__name__": "named", **names})
    assert raised.value.args == (raised.value.message,)
    return raised.value.message


_MATRICES = "a, b = rt.ones([2, 3]), rt.ones([4, 5])\n"


@pytest.mark.parametrize(
    "program, clause",
    [
        ("rt.matmul(a, b)", "a is (2, 3), b is (4, 5)"),
        ("rt.matmul(b=b, a=a)", "b is (4, 5), a is (2, 3)"),
        ("a @ b", "a is (2, 3), b is (4, 5)"),
        ("a @= b", "a is (2, 3), b is (4, 5)"),
        ("a < b", "a is (2, 3), b is (4, 5)"),
        ("parts = {'w': b}\na @ parts['w']", "a is (2, 3), parts['w'] is (4, 5)"),
        ("rt.matmul(\n    a,\n    b,\n)", "a is (2, 3), b is (4, 5)"),
        ("rt.concat([a, b], 0)", "a is (2, 3), b is (4, 5)"),
        ("v = rt.Variable(b)\na @ v", "a is (2, 3), v is (4, 5)"),
        ("v = rt.Variable(b)\nv.assign(a)", "v is (4, 5), a is (2, 3)"),
        # One shape is enough for an operand that stands there twice.
        ("a @ a", "a is (2, 3)"),
        # The value of a call is not known any more, and is no variable.
        ("a @ rt.transpose(a[:1])[:2]", "a is (2, 3)"),
        ("rt.transpose(a) @ rt.transpose(b)", "in rt.transpose(a) @ rt.transpose(b)"),
        ("k = 2\nrt.reduce_sum(a, axis=k)", "a is (2, 3), k is the Python int 2"),
    ],
)
def test_shapes_name_the_operands(program: str, clause: str) -> None:
    message = _message(_MATRICES + program)
    assert clause == message.rpartition("; ")[2]


def test_dtypes_name_the_operand_to_cast() -> None:
    program = "count, rate = rt.constant(3), rt.constant(0.5)\n"
    for expression in ("count * rate", "rate * count", "rt.add(rate, count)", "count < rate"):
        assert "rt.cast(count, rt.float32) for the int32" in _message(program + expression)
    assert "write rt.cast(count, rt.float32)" in _message(program + "rt.sin(count)")
    # The other operand is known, so this one is meant, although no variable holds it.
    assert "rt.cast(rt.size(rate), rt.float32)" in _message(program + "rt.size(rate) * rate")
    # Either may be meant.
    assert "rt.cast(..., " in _message(program + "rt.size(rate) * rt.sin(rate)")
    # One operand is no variable, and the others are not meant.
    where = "ready = rt.constant(True)\nrt.where(ready, rate, rt.constant(1))"
    assert "rt.cast(rt.constant(1), rt.float32) for the int32" in _message(program + where)
    assert "rt.cast(rt.zeros([1]), rt.int32)" in _message("rt.one_hot(rt.zeros([1]), 3)")
    assert "rt.cast(..., " in _message(program + "rt.concat([[count], [rate], [rate]], 0)")


def test_another_operand_is_not_the_one_to_cast() -> None:
    program = "x = rt.ones([2, 3])\n"
    call = "rt.nn.sparse_softmax_cross_entropy_with_logits([0.0, 1.0], x)"
    assert "write rt.cast(..., rt.int32)" in _message(program + call)
    assert "write rt.cast(..., rt.float32)" in _message("x = rt.ones([2])\nrt.math.log(0)")


def test_indices_are_named() -> None:
    program = "xs, i = rt.constant([1, 2]), rt.constant(7)\n"
    assert _message(program + "xs[i]").endswith("it has size 2; in xs[i]")
    assert _message(program + "xs[i + 1]").endswith("it has size 2; in xs[i + 1]")
    # Without a variable there is nothing to name.
    assert _message(program + "rt.constant([1, 2])[2]").endswith("it has size 2")


def test_messages_begin_with_the_function_that_the_user_calls() -> None:
    cases = {
        "rt.where(rt.size(a) > 0, a, b[0])": "rt.where: shapes",
        "rt.linalg.inv(a[0])": "rt.linalg.inv: needs rank 2",
        "rt.linalg.matmul(a, b)": "matmul: shapes",
        "sum([a, b])": "sum: shapes",
        "(a @ a)": "matmul: shapes",
        "a[0, 0, 0]": "[0, 0, 0] has too many",
        "rt.Variable(a).assign(b)": "rt.Variable(a).assign: shape",
    }
    for expression, start in cases.items():
        body = f"{_MATRICES}def f(a, b):\n    return {expression}\n"
        assert _message(f"{body}f(a, b)").startswith(start)
        if "Variable" not in expression:
            assert _message(f"{body}ag.function(f)(a, b)").startswith(start)
    # In a run, too.
    spec = "(input_signature=[rt.TensorSpec([None])] * 2)"
    body = f"@ag.function{spec}\ndef f(x, y):\n    return rt.where(x > 0, y, x)\n"
    assert _message(f"{body}f(rt.ones([2]), rt.ones([3]))").startswith("rt.where: shapes")


def test_traced_code_and_runs_name_them_too() -> None:
    spec = "(input_signature=[rt.TensorSpec([None])] * 2)"
    call = "f(rt.ones([2]), rt.ones([3]))"
    for expression in ("x + y", "y + x", "rt.add(x, y)", "x + rt.sin(y)"):
        body = f"def f(x, y):\n    if rt.size(x) > 0:\n        x = {expression}\n    return x\n"
        eager, traced = _message(body + call), _message(f"@ag.function\n{body}{call}")
        assert eager == traced and "x is (2,)" in eager.partition("; ")[2]
        run = _message(f"@ag.function{spec}\n{body}{call}")
        assert (run == eager) or ("rt.add" in expression and run.endswith(f"; in {expression}"))


def test_attributes_are_read_without_code_of_the_user() -> None:
    program = (
        "class Model:\n    ran = []\n    @property\n    def w(self):\n        self.ran.append(1)\n"
        "        return rt.ones([4, 5])\n"
        "    def __init__(self):\n        self.b = rt.ones([4, 5])\n"
        "model = Model()\n"
    )
    ran: list[int] = []
    message = _message(f"{_MATRICES}{program}model.ran = Model.ran = ran\na @ model.w", ran=ran)
    assert message.endswith("; a is (2, 3)") and ran == [1]
    assert _message(f"{_MATRICES}{program}a @ model.b").endswith("a is (2, 3), model.b is (4, 5)")
    # A property hides the value of its name in the dict of the object.
    hidden = f"{_MATRICES}{program}model.ran = []\nvars(model)['w'] = a\na @ model.w"
    assert _message(hidden).endswith("; a is (2, 3)")


def test_long_expressions_and_many_operands_are_not_named() -> None:
    name = "a" * 41
    assert "; " not in _message(f"{name} = rt.ones([2, 3])\n{name} @ {name}")
    names = ", ".join("abcde")
    program = f"{names} = [rt.ones([n, n]) for n in range(1, 6)]\nrt.concat([{names}], 0)"
    assert _message(program).endswith("; in rt.concat([a, b, c, d, e], 0)")


def test_messages_stay_as_they_are_without_source() -> None:
    with pytest.raises(OpError) as raised:
        exec("rt.matmul(x, x)", {"rt": rt, "x": rt.ones([1, 3])})
    assert "matmul: shapes (1, 3) and (1, 3) do not multiply: 3 is not 1" == raised.value.message


def test_an_error_of_the_users_own_is_not_changed() -> None:
    program = (
        "def fail(x):\n    raise rt.errors.InvalidArgumentError(None, None, 'mine')\n"
        "x = rt.ones([2])\n"
    )
    assert "mine" == _message(f"{program}rt.py_function(fail, [x], rt.float32)")
    traced = "@ag.function\ndef f(x):\n    return rt.py_function(fail, [x], rt.float32)\nf(x)"
    assert "mine" == _message(program + traced)


def test_an_error_is_named_once() -> None:
    def inner(x: Any) -> Any:
        return rt.matmul(x, x)

    @ag.function
    def outer(x: Any) -> Any:
        return inner(x)

    with pytest.raises(OpError) as raised:
        outer(rt.ones([1, 3]))
    assert raised.value.message.endswith("3 is not 1; x is (1, 3)")
    again = pickle.loads(pickle.dumps(raised.value))
    assert raised.value.message == again.message and raised.value.args == again.args


def test_conditions_are_named() -> None:
    program = "w, mask = rt.constant([1, 2]), rt.constant([True, False])\n"
    statements = [
        ("if w: pass", "w != 0"),
        ("while mask: pass", "mask"),
        ("1 if w > 1 else 2", "w > 1"),
        ("mask and mask", "x"),
    ]
    if sys.version_info >= (3, 11):  # before, only the line of an expression is known
        statements += [
            ("not mask", "mask"),
            ("bool(w)", "w != 0"),
            ("0 < w < 2", "(0 < w) & (w < 2)"),
        ]
    for statement, tested in statements:
        words = f"write rt.reduce_any({tested}) or rt.reduce_all({tested})"
        assert words in _message(program + statement)


def test_advice_on_attributes_and_items_names_the_tensor() -> None:
    assert "write rt.reduce_sum(scores)" in _message("scores = rt.ones([3])\nscores.sum()")
    assert "write rt.reduce_sum(rt.ones([3]))" in _message("rt.ones([3]).sum()")
    program = "scores, i = rt.zeros([3, 3]), 1\n"
    for statement, instead in (
        ("scores[i] = 5.0", "scores = rt.set_item(scores, i, 5.0)"),
        ("scores[i, 1:] = 5.0", "scores = rt.set_item(scores, (i, slice(1, None)), 5.0)"),
        ("scores[i] += 5.0", "scores = rt.set_item(scores, i, scores[i] + 5.0)"),
        ("scores[i] = scores[0] = 5.0", "x = rt.set_item(x, index, value)"),
    ):
        assert f"write {instead}, or use" in _message(program + statement)


@pytest.mark.parametrize(
    "given, conversion",
    [
        ("float(loss)", "float(loss) left the tape"),
        ("float(loss) * 2", "float(loss) left the tape"),
        ("loss.numpy() * 2", "loss.numpy() left the tape"),
        ("4.0", "not 4.0"),
    ],
)
def test_a_number_in_place_of_a_target_is_traced_to_its_tensor(given: str, conversion: str) -> None:
    program = "w = rt.Variable(2.0)\nwith rt.GradientTape() as tape:\n    loss = w * w\n"
    direct = _message(f"{program}tape.gradient({given}, w)")
    assigned = _message(f"{program}    total = {given}\ntape.gradient(total, w)")
    assert direct == assigned and conversion in direct
    assert ("left" in conversion) == ("left the tape" in direct)
