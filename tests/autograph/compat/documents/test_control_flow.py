"""TensorFlow's introductory examples of control flow: tests and loops over tensors are staged.

Topics, each in both spellings: a conditional with a return in both branches, on scalars and on
vectors; a loop with a `continue`; `while`, `break` and `return` nested; the printed code of a
function and of one that is found as `python_function`; the graph of it as nodes and as text.
"""

from __future__ import annotations

import autograph as ag
import runtime as rt
from autograph.compat import tensorflow as tf
from tests.autograph.compat.documents.spellings import both, printed_by


def clipped_in_compat(x):
    if tf.less(x, 10):
        return x
    else:
        return 10


def clipped(x):
    if rt.less(x, 10):
        return x
    else:
        return 10


def clipping_in_compat():
    as_graph = tf.function(clipped_in_compat)
    print("Below, with graph:", as_graph(tf.constant(7)).numpy())
    print("Above, with graph:", as_graph(tf.constant(77)).numpy())


def clipping():
    as_graph = ag.function(clipped)
    print("Below, with graph:", as_graph(rt.constant(7)).numpy())
    print("Above, with graph:", as_graph(rt.constant(77)).numpy())


@both(clipping_in_compat, clipping)
def test_a_conditional_returns_from_either_branch(program):
    wanted = [f"{word}, with graph: {min(n, 10)}" for word, n in (("Below", 7), ("Above", 77))]
    assert wanted == printed_by(program)


def damped_in_compat(x):
    if tf.reduce_max(x) >= 4:
        return x / 2
    else:
        return x + 1


def damped(x):
    if rt.reduce_max(x) >= 4:
        return x / 2
    else:
        return x + 1


def damping_in_compat():
    as_graph = tf.function(damped_in_compat)
    print(as_graph(tf.constant(1.5)).numpy())
    print(as_graph(tf.constant([8.0, 3.0])).numpy())


def damping():
    as_graph = ag.function(damped)
    print(as_graph(rt.constant(1.5)).numpy())
    print(as_graph(rt.constant([8.0, 3.0])).numpy())


@both(damping_in_compat, damping)
def test_a_conditional_on_a_sum_takes_scalars_and_vectors(program):
    assert ["2.5", "[4.  1.5]"] == printed_by(program)


LISTING = """\
def tf__{name}(x):
    with ag__.FunctionScope('{name}', 'fscope', ag__.ConversionOptions({options})) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return (do_return, retval_)

        def set_state(vars_):
            nonlocal do_return, retval_
            (do_return, retval_) = vars_

        def if_body():
            nonlocal do_return, retval_
            try:
                do_return = True
                retval_ = {yes}
            except:
                do_return = False
                raise

        def else_body():
            nonlocal do_return, retval_
            try:
                do_return = True
                retval_ = {no}
            except:
                do_return = False
                raise
        ag__.if_stmt({test}, if_body, else_body, get_state, set_state, ('do_return', 'retval_'), 2)
        return fscope.ret(retval_, do_return)
"""
OPTIONS = (
    "recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True"
)


def listing(name, test, yes, no):
    """Write the converted code for a return in both branches, as introductions print it."""
    code = LISTING.format(name=name, options=OPTIONS, test=test, yes=yes, no=no)
    return [*code.splitlines(), ""]


def listed_in_compat():
    print(tf.autograph.to_code(clipped_in_compat))
    print(tf.autograph.to_code(tf.function(damped_in_compat).python_function))


def listed():
    print(ag.to_code(clipped))
    print(ag.to_code(ag.function(damped).python_function))


@both((listed_in_compat, "tf", "_in_compat"), (listed, "rt", ""))
def test_the_converted_code_is_printed(program):
    printing, library, ending = program
    called = f"ag__.converted_call(ag__.ld({library})"
    found = [line.rstrip() for line in printed_by(printing)]
    wanted = [
        *listing(
            f"clipped{ending}", f"{called}.less, (ag__.ld(x), 10), None, fscope)", "ag__.ld(x)", 10
        ),
        *listing(
            f"damped{ending}",
            f"({called}.reduce_max, (ag__.ld(x),), None, fscope) >= 4)",
            "(ag__.ld(x) / 2)",
            "(ag__.ld(x) + 1)",
        ),
    ]
    assert wanted == found


def odd_sum_in_compat():
    @tf.function
    def sum_odd(items):
        total = 0
        for item in items:
            if item % 2 == 0:
                continue
            total += item
        return total

    print(sum_odd(tf.constant([3, 4, 10, 5])))
    print(tf.autograph.to_code(sum_odd.python_function).splitlines()[0])


def odd_sum():
    @ag.function
    def sum_odd(items):
        total = 0
        for item in items:
            if item % 2 == 0:
                continue
            total += item
        return total

    print(sum_odd(rt.constant([3, 4, 10, 5])))
    print(ag.to_code(sum_odd.python_function).splitlines()[0])


@both(odd_sum_in_compat, odd_sum)
def test_a_loop_over_a_tensor_with_continue(program):
    total = sum(n for n in (3, 4, 10, 5) if n % 2)
    wanted = [f"rt.Tensor({total}, shape=(), dtype=int32)", "def tf__sum_odd(items):"]
    assert wanted == printed_by(program)


def nested_in_compat():
    @tf.function
    def first_square_above(limit):
        root = 0
        while True:
            root += 1
            for square in tf.range(root * root, root * root + 1):
                if square > limit:
                    return square
            if root > 50:
                break
        return -1

    print(first_square_above(tf.constant(30)).numpy())
    print(first_square_above(tf.constant(9000)).numpy())


def nested():
    @ag.function
    def first_square_above(limit):
        root = 0
        while True:
            root += 1
            for square in rt.range(root * root, root * root + 1):
                if square > limit:
                    return square
            if root > 50:
                break
        return -1

    print(first_square_above(rt.constant(30)).numpy())
    print(first_square_above(rt.constant(9000)).numpy())


@both(nested_in_compat, nested)
def test_loops_are_left_by_break_and_return(program):
    squares = [n * n for n in range(1, 52)]
    wanted = [next((s for s in squares if s > limit), -1) for limit in (30, 9000)]
    assert [str(each) for each in wanted] == printed_by(program)


def nodes_in_compat():
    concrete = tf.function(damped_in_compat).get_concrete_function(tf.TensorSpec([3], tf.float32))
    for node in concrete.graph.as_graph_def().node:
        print(f"{node.input} -> {node.name}")


def nodes():
    concrete = ag.function(damped).get_concrete_function(rt.TensorSpec([3], rt.float32))
    for node in concrete.graph.as_graph_def().node:
        print(f"{node.input} -> {node.name}")


@both(nodes_in_compat, nodes)
def test_the_nodes_of_a_graph_are_iterated(program):
    assert printed_by(program) == [
        "[] -> x",
        "[] -> Const",
        "['x', 'Const'] -> Max",
        "[] -> GreaterEqual/y",
        "['Max', 'GreaterEqual/y'] -> GreaterEqual",
        "['GreaterEqual', 'x'] -> cond",
        "['cond'] -> cond/Identity",
        "['cond:1'] -> cond/Identity_1",
        "['cond/Identity_1'] -> Identity",
    ]


def text_in_compat():
    as_graph = tf.function(clipped_in_compat)
    print(as_graph.get_concrete_function(tf.constant(7)).graph.as_graph_def())


def text():
    print(ag.function(clipped).get_concrete_function(rt.constant(7)).graph.as_graph_def())


@both(text_in_compat, text)
def test_the_graph_is_printed_as_text(program):
    lines = printed_by(program)
    assert ["node {", '  name: "x"', '  op: "Placeholder"', "  attr {"] == lines[:4]
    words = [line.strip() for line in lines]
    ops = [each[5:-1] for each in words if each.startswith("op: ")]
    assert ["Placeholder", "Const", "Less", "StatelessIf"] == ops[:4]
    assert "int_val: 10" in words
    at = words.index('op: "StatelessIf"')
    assert ['input: "Less"', 'input: "x"'] == words[at + 1 : at + 3]
    assert words.count("library {") == 1 and words.count("signature {") == 2
