"""Node names given by users, and the operations of a graph in TensorFlow's API.

Names and types in here are those that TensorFlow 2.21 gives for the same functions.
"""

from __future__ import annotations

from typing import Any

import pytest

import runtime as rt
from autograph.compat import tensorflow as tf
from runtime.errors import ArgumentValueError, MissingNameError
from runtime.nn.modules import names


def graph_of(function: Any, *arguments: Any) -> rt.Graph:
    return tf.function(function).get_concrete_function(*arguments).graph


def names_and_types(graph: rt.Graph) -> list[tuple[str, str]]:
    return [(op.name, op.type) for op in graph.get_operations()]


def layered(x):
    with tf.name_scope("layer"):
        y = tf.add(x, 1, name="total")
        with tf.name_scope("inner"):
            z = tf.matmul(y, y) * 2
    if tf.reduce_sum(z) > 0:
        z = z + 1
        return z
    return z - 1


def test_names_and_scopes_agree_with_tensorflow() -> None:
    assert [
        ("x", "Placeholder"),
        ("layer/total/y", "Const"),
        ("layer/total", "AddV2"),
        ("layer/inner/MatMul", "MatMul"),
        ("layer/inner/mul/y", "Const"),
        ("layer/inner/mul", "Mul"),
        ("Const", "Const"),
        ("Sum", "Sum"),
        ("Greater/y", "Const"),
        ("Greater", "Greater"),
        ("cond", "StatelessIf"),
        ("cond/Identity", "Identity"),
        ("cond/Identity_1", "Identity"),
        ("Identity", "Identity"),
    ] == names_and_types(graph_of(layered, tf.ones((2, 2))))


def test_a_scope_inside_a_branch_is_inside_the_branch_alone() -> None:
    def f(x):
        with tf.name_scope("outer"):
            if x > 0:
                with tf.name_scope("inner"):
                    x = tf.add(x, 1, name="more")
        return x

    graph = graph_of(f, tf.constant(1))
    (function,) = [f for f in graph.as_graph_def().library.function if "true" in f.signature.name]
    names = [node.name for node in function.node_def]
    assert "outer/cond" in [name for name, _ in names_and_types(graph)]
    assert ["outer/cond/inner/more/y", "outer/cond/inner/more"] == names[:2]


def test_the_outer_scope_is_no_prefix_of_a_functions_nodes() -> None:
    with tf.name_scope("around"):
        graph = graph_of(lambda x: tf.multiply(x, x, name="square"), tf.constant(2))
    assert ["x", "square", "Identity"] == [name for name, _ in names_and_types(graph)]


def test_a_scope_entered_again_is_numbered() -> None:
    def f(x):
        for _ in range(2):
            with tf.name_scope("step"):
                x = tf.negative(x, name="flip")
        return x

    names = [name for name, _ in names_and_types(graph_of(f, tf.constant(2)))]
    assert ["x", "step/flip", "step_1/flip", "Identity"] == names


def test_a_name_given_twice_is_numbered() -> None:
    def f(x):
        for _ in range(3):
            x = tf.negative(x, name="flip")
        return x

    names = [name for name, _ in names_and_types(graph_of(f, tf.constant(2)))]
    assert ["x", "flip", "flip_1", "flip_2", "Identity"] == names


def test_texts_and_tensors_have_the_names_the_user_gave() -> None:
    seen = []

    def f(x):
        y = tf.add(x, x, name="double")
        seen.append(y.name)
        return y

    graph = graph_of(f, tf.constant(2))
    assert ["double:0"] == seen
    assert "%double = add(%x, %x)" in graph.as_text()


def test_operations_have_inputs_and_outputs() -> None:
    graph = graph_of(layered, tf.ones((2, 2)))
    op = graph.get_operation_by_name("layer/total")
    assert ["x:0", "layer/total/y:0"] == [each.name for each in op.inputs]
    assert op.outputs[0] is graph.get_tensor_by_name("layer/total:0")
    assert graph.get_tensor_by_name("layer/inner/MatMul:0").op.graph is graph
    assert ["layer/inner/MatMul"] == [each.name for each in _takers(graph, "layer/total:0")]
    product = graph.get_tensor_by_name("layer/inner/MatMul:0")
    assert ["layer/inner/mul"] == [each.name for each in product.consumers()]
    assert (product.shape, product.dtype) == (rt.TensorShape([2, 2]), rt.float32)
    branch = graph.get_operation_by_name("cond")
    assert ["cond:0", "cond:1"] == [each.name for each in branch.outputs]
    assert branch == graph.get_operation_by_name("cond") != op
    assert branch.get_attr("Tout").type == (10, 1)


def _takers(graph: rt.Graph, name: str) -> list[Any]:
    return [op for op in graph.get_operations() if name in op.input_names]


def test_control_inputs_are_listed() -> None:
    def f(x):
        tf.print(x)
        return x

    graph = graph_of(f, tf.constant(2))
    (last,) = graph.get_operation_by_name("Identity").control_inputs
    assert ["NoOp", ["PrintV2"]] == [last.type, [op.type for op in last.control_inputs]]


def test_missing_names_are_refused() -> None:
    graph = graph_of(layered, tf.ones((2, 2)))
    with pytest.raises(MissingNameError, match="no node 'total'"):
        graph.get_operation_by_name("total")
    with pytest.raises(MissingNameError, match="'Sum' has 1 results"):
        graph.get_tensor_by_name("Sum:1")
    with pytest.raises(ArgumentValueError, match="write 'node:0'"):
        graph.get_tensor_by_name("Sum")
    with pytest.raises(ArgumentValueError, match="'Sum' has no attribute 'axis'"):
        graph.get_operation_by_name("Sum").get_attr("axis")


def test_letters_that_no_name_has_are_replaced_in_functions() -> None:
    graph = graph_of(lambda x: tf.add(x, x, name="a b=(c)"), tf.constant(1))
    assert ["x", "a_b__c_", "Identity"] == [name for name, _ in names_and_types(graph)]


def test_a_graph_can_be_looked_at_while_it_is_recorded() -> None:
    seen = []

    def f(x):
        tf.add(x, x, name="double")
        graph = tf.compat.v1.get_default_graph()
        seen.extend(op.name for op in graph.get_operations())
        return graph.get_tensor_by_name("double:0") * 2

    assert 12 == tf.function(f)(tf.constant(3)).numpy()
    assert ["x", "double"] == seen


def test_the_graph_of_a_session_has_the_same_names_and_types() -> None:
    def build(x):
        with tf.name_scope("layer"):
            return tf.multiply(tf.add(x, 1.0, name="total"), 2.0)

    with tf.Graph().as_default() as graph:
        build(tf.compat.v1.placeholder(tf.float32, (), name="x"))
    traced = names_and_types(graph_of(build, tf.constant(1.0)))
    assert traced[:-1] == names_and_types(graph)
    assert traced[:-1] == [(node.name, node.op) for node in graph.as_graph_def().node]


def test_layers_are_scopes_of_the_nodes_they_record() -> None:
    names.forget_names()
    inner = tf.keras.Sequential([tf.keras.layers.Dense(3, activation="relu")], name="stack")

    class Noisy(tf.keras.layers.Layer):
        def __init__(self) -> None:
            super().__init__(name="noisy")
            self.dense = tf.keras.layers.Dense(2, name="small")

        def call(self, x):
            return self.dense(x) * 2.0

    noisy = Noisy()

    def f(x):
        with tf.name_scope("first"):
            y = inner(x)
        return noisy(y) + noisy(inner(x))

    found = [name for name, kind in names_and_types(graph_of(f, tf.ones((2, 3))))]
    expected = ["first/stack/dense/MatMul", "first/stack/dense/Relu", "noisy/small/MatMul"]
    expected += ["noisy/mul", "stack/dense/MatMul", "noisy_1/small/MatMul", "noisy_1/mul", "add"]
    assert expected == [name for name in expected if name in found]
    assert "noisy/small/kernel" == noisy.dense.kernel.path


def test_a_scope_prefixes_the_variables_of_a_layer_built_in_it() -> None:
    dense = tf.keras.layers.Dense(1, name="late")

    def f(x):
        with tf.name_scope("around"):
            return dense(x)

    assert "around/late/MatMul" in dict(names_and_types(graph_of(f, tf.ones((2, 3)))))
    assert "late/kernel" == dense.kernel.path


def test_several_operands_of_numbers_are_of_one_call() -> None:
    def f(x, n):
        made = [tf.range(n), tf.range(1, 5), tf.range(0.0, 4.0), tf.clip_by_value(x, 0.0, 1.0)]
        for _ in range(2):
            made += [tf.range(2), x * 2.0, tf.gather(x, [0])]
        return made

    graph = graph_of(f, tf.ones(2), tf.constant(3))
    found = [name for name, kind in names_and_types(graph) if kind not in ("Const", "Identity")]
    given = [
        "x",
        "n",
        "range/Maximum",
        "range",
        "range_1",
        "range_2",
        "clip_by_value/Minimum",
        "clip_by_value",
    ]
    turns = ["range_3", "mul", "GatherV2", "range_4", "mul_1", "GatherV2_1"]
    assert [*given, *turns] == found


def test_calls_on_strings_are_labelled_by_their_type() -> None:
    def f(s):
        return (
            *(tf.strings.length(s), tf.strings.upper(s), tf.strings.lower(s), tf.strings.strip(s)),
            tf.strings.join([s, "a"]),
            tf.strings.to_hash_bucket_fast(s, 5),
        )

    found = names_and_types(graph_of(f, tf.constant("a")))
    assert [
        *("StringLength", "StringUpper", "StringLower", "StringStrip"),
        *("StringJoin", "StringToHashBucketFast"),
    ] == [name for name, kind in found if kind not in ("Placeholder", "Const", "Identity")]


INT, ROWS = rt.TensorSpec([], rt.int32), rt.TensorSpec([None, 3], rt.float32)
RANGE = ("range/start", "range/delta")
NUMBERS: list[tuple[Any, Any, list[str]]] = [
    (lambda n: rt.range(n), INT, [*RANGE, "range/Maximum", "range"]),
    (lambda n: rt.range(1, n, 2), INT, [*RANGE, "range/Maximum", "range"]),
    (lambda n: rt.range(n, 9), INT, ["range/limit", "range/delta", "range/Maximum", "range"]),
    (lambda n: rt.one_hot(n, 3), INT, ["one_hot/on_value", "one_hot/off_value", "one_hot/depth"]),
    (lambda x: rt.gather(x, [0, 1]), ROWS, ["GatherV2/indices", "GatherV2/axis", "GatherV2"]),
    (lambda x: rt.slice(x, [0, 0], [1, 2]), ROWS, ["Slice/begin", "Slice/size", "Slice"]),
    (lambda x: rt.where(x > 0, x, 0.0), ROWS, ["Greater/y", "Greater", "SelectV2/e", "SelectV2"]),
    (lambda x: rt.where(x > 0, 1.0, x), ROWS, ["Greater/y", "Greater", "SelectV2/t", "SelectV2"]),
    (
        lambda n: rt.scatter_nd([[0]], [1], [3]) + n,
        INT,
        ["ScatterNd/indices", "ScatterNd/updates", "ScatterNd/shape", "ScatterNd", "add"],
    ),
]


@pytest.mark.parametrize(("function", "spec", "names"), NUMBERS)
def test_numbers_that_functions_take_are_named_after_their_parameters(
    function: Any, spec: Any, names: list[str]
) -> None:
    graph = graph_of(function, spec)
    assert names == [each.name for each in graph.get_operations()][1 : len(names) + 1]
