"""`as_graph_def()`: names, attributes, effects and functions under TensorFlow's conventions."""

from __future__ import annotations

import importlib
import io
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.compat import tensorflow as tf
from runtime.errors import GraphError, UnimplementedError
from runtime.export import GraphDef
from tests.corpus import STAGED_PROGRAMS
from tests.suite_length import sample
from tests.traces import staged


def exported(function: Any, *args: Any) -> GraphDef:
    return ag.function(function).get_concrete_function(*args).graph.as_graph_def()


def walk(graph: GraphDef) -> list[str]:
    return [f"{node.input} -> {node.name}" for node in graph.node]


def function_of(graph: GraphDef, name: str) -> Any:
    (found,) = [f for f in graph.library.function if f.signature.name.startswith(name)]
    return found


def attrs(graph: GraphDef, name: str) -> Any:
    return next(node for node in graph.node if node.name == name).attr


# -- the documents ---------------------------------------------------------------------------------


@tf.function
def simple_relu(x):
    if tf.greater(x, 0):
        return x
    else:
        return 0


@tf.function
def my_function(x):
    if tf.reduce_sum(x) <= 1:
        return x * x
    else:
        return x - 1


def test_the_first_nodes_of_simple_relu_are_those_of_the_document() -> None:
    printed = str(simple_relu.get_concrete_function(tf.constant(1)).graph.as_graph_def())
    assert printed.startswith(
        'node {\n  name: "x"\n  op: "Placeholder"\n'
        '  attr {\n    key: "_user_specified_name"\n    value {\n      s: "x"\n    }\n  }\n'
        '  attr {\n    key: "dtype"\n    value {\n      type: DT_INT32\n    }\n  }\n'
        '  attr {\n    key: "shape"\n    value {\n      shape {\n      }\n    }\n  }\n}\n'
        'node {\n  name: "Greater/y"\n  op: "Const"\n'
        '  attr {\n    key: "dtype"\n    value {\n      type: DT_INT32\n    }\n  }\n'
        '  attr {\n    key: "value"\n    value {\n      tensor {\n        dtype: DT_INT32\n'
        "        tensor_shape {\n        }\n        int_val: 0\n      }\n    }\n  }\n}\n"
        'node {\n  name: "Greater"\n  op: "Greater"\n  input: "x"\n  input: "Greater/y"\n'
        '  attr {\n    key: "T"\n    value {\n      type: DT_INT32\n    }\n  }\n}\n'
        'node {\n  name: "cond"\n  op: "StatelessIf"\n  input: "Greater"\n  input: "x"\n'
        '  attr {\n    key: "Tcond"\n    value {\n      type: DT_BOOL\n    }\n  }\n'
        '  attr {\n    key: "Tin"\n    value {\n      list {\n        type: DT_INT32\n'
        "      }\n    }\n  }\n"
        '  attr {\n    key: "Tout"\n    value {\n      list {\n'
        "        type: DT_BOOL\n        type: DT_INT32\n      }\n    }\n  }\n"
    )


def test_the_nodes_of_my_function_are_walked_as_in_the_document() -> None:
    concrete = my_function.get_concrete_function(tf.TensorSpec([2], tf.float32))
    assert [
        "[] -> x",
        "[] -> Const",
        "['x', 'Const'] -> Sum",
        "[] -> LessEqual/y",
        "['Sum', 'LessEqual/y'] -> LessEqual",
        "['LessEqual', 'x'] -> cond",
        "['cond'] -> cond/Identity",
        "['cond:1'] -> cond/Identity_1",
        "['cond/Identity_1'] -> Identity",
    ] == walk(concrete.graph.as_graph_def())


# -- functions of the library ----------------------------------------------------------------------


def test_branches_are_functions_that_the_node_names() -> None:
    graph = simple_relu.get_concrete_function(tf.constant(1)).graph.as_graph_def()
    branches = attrs(graph, "cond")
    then, orelse = (branches[key].func.name for key in ("then_branch", "else_branch"))
    assert [then, orelse] == [f.signature.name for f in graph.library.function]
    function = function_of(graph, "cond_false_")
    assert ["cond_x"] == [arg.name for arg in function.signature.input_arg]
    names = ["cond/Const", "cond/Const_1", "cond/Identity", "cond/Identity_1"]
    assert names == [node.name for node in function.node_def]
    assert ("cond/Const_1:output:0",) == function.node_def[2].input
    results = {"cond_identity": "cond/Identity:output:0"}
    assert results | {"cond_identity_1": "cond/Identity_1:output:0"} == dict(function.ret)
    assert not function.signature.is_stateful


def test_a_loop_takes_its_variables_and_captures() -> None:
    def total(n):
        s = 0
        while s < n:
            s += 2
        return s

    graph = exported(total, rt.constant(5))
    loop = next(node for node in graph.node if node.name == "while")
    counts = ("while/loop_counter", "while/maximum_iterations")
    assert ("StatelessWhile", (*counts, "Const", "n")) == (loop.op, loop.input)
    body = function_of(graph, "while_body_")
    names = ["while_loop_counter", "while_maximum_iterations", "while_s", "while_n"]
    assert names == [arg.name for arg in body.signature.input_arg]
    # As TensorFlow's own loops do: the count, its limit, the variables, then the captures.
    returned = [body.ret[arg.name] for arg in body.signature.output_arg]
    assert "while_n" == returned[3] and "while/Identity_3:output:0" == returned[2]


def test_a_loop_with_a_limit_counts_its_iterations() -> None:
    graph = rt.Graph("f")
    x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
    with graph.recording():
        outputs = rt.while_loop(lambda i: i < 9, lambda i: [i + 1], [x], maximum_iterations=3)
    graph.set_outputs(outputs)
    exported_graph = graph.as_graph_def()
    loop = next(node for node in exported_graph.node if node.name == "while")
    assert ("while/loop_counter", "while/maximum_iterations", "x") == loop.input
    assert "['while:2'] -> Identity" == walk(exported_graph)[-1]
    test = function_of(exported_graph, "while_cond_")
    assert ["Less", "LogicalAnd"] == [n.op for n in test.node_def if n.op[0] == "L"][-2:]


def test_functions_of_several_graphs_have_different_names_unless_they_are_the_same() -> None:
    def plus(x):
        return x + 1 if x > 0 else x

    def minus(x):
        return x - 1 if x > 0 else x

    names = [
        {f.signature.name for f in exported(each, rt.constant(1)).library.function}
        for each in (plus, minus, plus)
    ]
    assert names[0] == names[2]
    assert 1 == len(names[0] & names[1])


def test_a_function_that_is_called_is_one_function_for_all_calls() -> None:
    v = rt.Variable(1.0, name="v")

    @ag.function
    def grown(x):
        v.assign_add(x)
        return x * v

    graph = exported(lambda x: grown(grown(x)), rt.constant(2.0))
    calls = [node for node in graph.node if node.op == "StatefulPartitionedCall"]
    assert [("x", "v"), ("PartitionedCall", "v", "^PartitionedCall")] == [n.input for n in calls]
    (function,) = graph.library.function
    assert {function.signature.name} == {node.attr["f"].func.name for node in calls}
    assert function.signature.name.startswith("__inference_grown_")
    assert ["x", "v"] == [arg.name for arg in function.signature.input_arg]


def test_a_variable_that_is_an_argument_is_a_resource() -> None:
    def step(u, x):
        u.assign_sub(x)

    graph = exported(step, rt.Variable(1.0), rt.constant(1.0))
    assert [20, 1] == [attrs(graph, name)["dtype"].type for name in ("u", "x")]


# -- effects ---------------------------------------------------------------------------------------


def test_effects_are_in_order_and_results_wait_for_the_last() -> None:
    v = rt.Variable(1.0, name="v")

    def step(x):
        v.assign_add(x)
        rt.print("x", x)
        return v * 2.0

    graph = exported(step, rt.constant(1.0))
    assert [
        "[] -> x",
        "[] -> v",
        "['v', 'x'] -> AssignAddVariableOp",
        "['x'] -> PrintV2/StringFormat",
        "['PrintV2/StringFormat', '^AssignAddVariableOp'] -> PrintV2",
        "['v', '^PrintV2'] -> mul/ReadVariableOp",
        "[] -> mul/y",
        "['mul/ReadVariableOp', 'mul/y'] -> mul",
        "['^mul/ReadVariableOp'] -> NoOp",
        "['mul', '^NoOp'] -> Identity",
    ] == walk(graph)
    assert 20 == attrs(graph, "v")["dtype"].type
    assert "x {}\n" == attrs(graph, "PrintV2/StringFormat")["template"].s.decode()


def test_a_branch_with_effects_is_stateful() -> None:
    v = rt.Variable(1.0, name="v")

    def step(x):
        if x > 0.0:
            v.assign(x)

    graph = exported(step, rt.constant(1.0))
    assert "If" == next(node for node in graph.node if node.name == "cond").op
    then = function_of(graph, "cond_true_")
    assert then.signature.is_stateful
    assert ("cond/AssignVariableOp",) == then.signature.control_output
    assert {"cond/AssignVariableOp": "cond/AssignVariableOp"} == dict(then.control_ret)
    assert "['^cond'] -> NoOp" == walk(graph)[-1]


def test_unused_nodes_that_may_fail_are_control_dependencies() -> None:
    def step(xs, i):
        xs[i]
        return i

    found = walk(exported(step, rt.constant([1, 2]), rt.constant(5)))
    assert "['strided_slice/condition', 'strided_slice'] -> strided_slice/Assert" in found
    assert "['^strided_slice/Assert'] -> NoOp" in found


def test_a_raise_is_an_assertion_that_never_holds() -> None:
    def step(x):
        if x < 0:
            raise ValueError("too small")
        return x

    then = function_of(exported(step, rt.constant(1)), "cond_true_")
    (text,) = [n.attr["value"].tensor.string_val for n in then.node_def if n.name.endswith("text")]
    assert b"ValueError" in text[0] and b"too small" in text[0]


# -- inputs and values -----------------------------------------------------------------------------


def test_captured_tensors_are_constants() -> None:
    table = rt.constant([1.5, 2.5])
    graph = exported(lambda i: rt.gather(table, i), rt.constant(0))
    captured = attrs(graph, "Const")["value"].tensor
    assert np.array([1.5, 2.5], np.float32).tobytes() == captured.tensor_content
    assert [2] == [dim.size for dim in captured.tensor_shape.dim]


def test_unknown_shapes_are_exported() -> None:
    graph = exported(lambda x, y: (x, y), rt.TensorSpec([None, 3]), rt.TensorSpec(None))
    assert [-1, 3] == [dim.size for dim in attrs(graph, "x")["shape"].shape.dim]
    assert attrs(graph, "y")["shape"].shape.unknown_rank


@pytest.mark.parametrize(
    ("value", "field", "stored"),
    [
        (True, "bool_val", [True]),
        (np.float16(1.0), "half_val", [15360]),
        (np.int64(-3), "int64_val", [-3]),
        (np.uint64(7), "uint64_val", [7]),
        (2.5 + 1j, "dcomplex_val", [2.5, 1.0]),
        ("é", "string_val", ["é".encode()]),
    ],
)
def test_values_are_stored_by_their_dtype(value: Any, field: str, stored: list[Any]) -> None:
    graph = exported(lambda: rt.constant(value))
    tensor = attrs(graph, "Const")["value"].tensor
    assert stored == list(getattr(tensor, field))


def test_names_are_valid_in_a_graphdef() -> None:
    graph = rt.Graph("f")
    x = graph.add_input(rt.TensorSpec((), rt.int32), "_état['k']")
    graph.set_outputs([x])
    assert ["tat__k__", "Identity"] == [node.name for node in graph.as_graph_def().node]


def test_a_list_is_a_list_of_each_part_of_its_items() -> None:
    def pairs(n):
        found = []
        for i in rt.range(n):
            found.append((i, 0.5))
        return len(found)

    graph = exported(pairs, rt.constant(3))
    empty = [node for node in graph.node if node.op == "EmptyTensorList"]
    assert [3, 1] == [node.attr["element_dtype"].type for node in empty]


# -- refusals --------------------------------------------------------------------------------------


def test_an_op_without_a_counterpart_is_refused_with_its_line() -> None:
    def noise(x):
        return x + rt.random.uniform((2,))

    with pytest.raises(UnimplementedError) as caught:
        exported(noise, rt.constant([1.0, 2.0])).SerializeToString()
    assert "'random_uniform' (`return x + rt.random.uniform((2,))`) does not go" in str(
        caught.value
    )
    assert "test_graphdef.py" in str(caught.value)


def test_an_unexportable_graph_is_shown_with_tensorflows_types() -> None:
    def noise(x):
        for item in rt.data.Dataset.range(3):
            x = x + rt.random.normal((2,)) * rt.cast(item, rt.float32)
        return rt.random.shuffle(x)

    graph = exported(noise, rt.constant([1.0, 2.0]))
    types = [
        node.op for node in [*graph.node, *(n for f in graph.library.function for n in f.node_def)]
    ]
    assert {"RandomShuffle", "RandomStandardNormal", "ReduceDataset", "While"} <= set(types)


@pytest.mark.parametrize("program", sample(STAGED_PROGRAMS, 5), ids=lambda program: program.id)
def test_every_program_has_operations_with_inputs(program: Any) -> None:
    graph = staged(program).graph
    operations = graph.get_operations()
    assert [n.name for n in graph.as_graph_def().node] == [op.name for op in operations]
    assert len({op.name for op in operations}) == len(operations)
    for op in operations:
        assert op.graph is graph
        assert all(name == each.name for name, each in zip(op.input_names, op.inputs, strict=True))


def test_a_list_from_outside_is_refused() -> None:
    graph = rt.Graph("f")
    handle = graph.add_input(rt.TensorSpec((), rt.variant), "rows")
    graph.set_outputs([handle])
    assert ["rows", "Identity"] == [node.name for node in graph.as_graph_def().node]
    with pytest.raises(UnimplementedError, match="'rows' is a list that is given from outside"):
        graph.as_graph_def().SerializeToString()


# -- TensorBoard -----------------------------------------------------------------------------------

EVERY_TENTH = sample(STAGED_PROGRAMS, 20)


@pytest.mark.parametrize("program", EVERY_TENTH, ids=lambda program: program.id)
def test_tensorboard_prints_the_same_text(program: Any) -> None:
    pytest.importorskip("tensorboard")
    text_format = importlib.import_module("google.protobuf.text_format")
    graph = staged(program).graph
    found = graph.as_graph_def()
    try:
        message = found.to_proto()
    except UnimplementedError:
        return
    assert text_format.MessageToString(message) == str(found)


def test_a_part_of_a_graph_is_refused() -> None:
    region = rt.Graph("then", outer=rt.Graph("f"))
    with pytest.raises(GraphError, match="'then' is a part of another graph"):
        region.as_graph_def()


@pytest.mark.parametrize(
    ("given", "template"), [("a {} b", "a {} b {0}\n"), ("{0}{}", "{0}{} {1}\n"), ("x", "x {}\n")]
)
def test_braces_in_user_text_are_escaped(given: str, template: str) -> None:
    graph = exported(lambda x: rt.print(given, x), rt.constant(1))
    assert template == attrs(graph, "PrintV2/StringFormat")["template"].s.decode()


def test_a_text_alone_is_printed_as_it_is() -> None:
    graph = exported(lambda x: rt.print(x), rt.constant("a"))
    assert "['PrintV2/StringJoin'] -> PrintV2" in walk(graph)


def test_streams_that_files_cannot_have_are_refused() -> None:
    stream = io.StringIO()
    with pytest.raises(UnimplementedError, match="standard streams and to files"):
        exported(lambda x: rt.print(x, output_stream=stream), rt.constant(1)).SerializeToString()
