"""`import_graph_def` and `graph_between`: names, given values, order of effects, refusals."""

from __future__ import annotations

import io
import time
import tracemalloc
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import (
    ArgumentValueError,
    DataLossError,
    DTypeError,
    GraphError,
    MissingNameError,
    OpError,
    PermissionDeniedError,
    ShapeError,
    UnimplementedError,
)
from runtime.executors import run as run_compiled
from runtime.executors.interpreter import run
from runtime.export.graphdef.attribute_values import attr_value
from runtime.export.graphdef.importer import function_graphs, graph_between, import_graph_def
from runtime.export.graphdef.importer.rules import RULES
from runtime.export.graphdef.importer.signatures import SIGNATURES
from runtime.export.graphdef.importer.unsupported import UNSUPPORTED
from runtime.export.graphdef.messages import (
    ArgDef,
    AttrValue,
    Dim,
    FunctionDef,
    FunctionDefLibrary,
    GraphDef,
    NameAttrList,
    NodeDef,
    OpDef,
    TensorProto,
    TensorShapeProto,
)
from runtime.export.graphdef.tf_ops import SIGNATURES as EXPORTED
from tests.suite_length import IS_LONG

FLOAT = rt.TensorSpec((), rt.float32)
T = attr_value(rt.float32)


def _node(name: str, op: str, *inputs: str, **attrs: Any) -> NodeDef:
    return NodeDef(name=name, op=op, input=inputs, attr=attrs)


def _placeholder(name: str = "x") -> NodeDef:
    return _node(name, "Placeholder", dtype=T, shape=attr_value(rt.TensorShape([])))


def _graph_def(*nodes: NodeDef, functions: tuple[FunctionDef, ...] = ()) -> GraphDef:
    return GraphDef(node=nodes, library=FunctionDefLibrary(function=functions))


def _function(name: str, nodes: list[NodeDef], result: str, **others: Any) -> FunctionDef:
    signature = OpDef(
        name=name,
        input_arg=[ArgDef(name="a", type=1)],
        output_arg=[ArgDef(name="z", type=1)],
    )
    return FunctionDef(signature=signature, node_def=nodes, ret={"z": result}, **others)


def _between(message: GraphDef, *fetches: str) -> rt.Graph:
    return graph_between(message, {"x:0": FLOAT}, fetches)


def _value(graph: rt.Graph, x: float = 3.0) -> Any:
    return run(graph, [np.array(x, np.float32)])[0].tolist()


# -- tables ----------------------------------------------------------------------------------------


# A server runs them to write and to read a checkpoint; a reader of the file reads it itself.
OF_CHECKPOINTS = {"RestoreV2", "SaveV2"}


def test_every_op_that_is_exported_can_be_imported() -> None:
    assert OF_CHECKPOINTS == set(EXPORTED) - set(RULES)


def test_every_rule_has_a_signature_and_every_signature_a_rule() -> None:
    assert set(RULES) == set(SIGNATURES) - OF_CHECKPOINTS
    assert set() == set(UNSUPPORTED) & set(RULES)


def test_a_transform_takes_the_first_elements_of_an_axis() -> None:
    """A node of TensorFlow's has a length of its own, also where nothing tells that of the axis."""
    length = attr_value(np.array([4], np.int32))
    message = _graph_def(
        _placeholder(),
        _node("n", "Const", dtype=attr_value(rt.int32), value=length),
        _node("y", "RFFT", "x", "n", Treal=T, Tcomplex=attr_value(rt.complex64)),
    )
    for size in (None, 4, 6):
        spec = rt.TensorSpec((2, size), rt.float32)
        graph = graph_between(message, {"x:0": spec}, ["y:0"])
        x = np.arange(2 * (size or 6), dtype=np.float32).reshape(2, -1)
        np.testing.assert_allclose(np.fft.rfft(x[:, :4]), run(graph, [x])[0], rtol=1e-5)
        if size is None:
            with pytest.raises(ShapeError):
                run(graph, [x[:, :3]])


# -- names and given values ------------------------------------------------------------------------


def test_nodes_are_named_after_those_of_the_file() -> None:
    message = _graph_def(
        _placeholder(), _node("a/y", "Neg", "x", T=T), _node("b", "Exp", "a/y", T=T)
    )
    graph = rt.Graph("outer")
    x = graph.add_input(FLOAT, "x")
    with graph.recording():
        first = import_graph_def(message, {"x": x}, ["a/y:0", "b:0"])
        second = import_graph_def(message.SerializeToString(), {"x:0": first[1]}, ["b:0"], "again")
    assert ["import/a/y", "import/b", "again/a/y", "again/b"] == [n.name for n in graph.nodes]
    graph.set_outputs(second)
    assert np.exp(-np.exp(np.float32(-3))) == pytest.approx(_value(graph))


def test_a_node_without_results_has_its_name() -> None:
    true = _node("c", "Const", dtype=attr_value(rt.bool), value=attr_value(np.array(True)))
    check = _node("checked", "Assert", "c", "x", T=attr_value([rt.float32]))
    graph = rt.Graph("outer")
    x = graph.add_input(FLOAT, "x")
    with graph.recording():
        import_graph_def(_graph_def(_placeholder(), true, check), {"x": x})
    assert ["import/c", "import/checked"] == [node.name for node in graph.nodes]


def test_all_nodes_are_imported_without_return_elements() -> None:
    graph = rt.Graph("outer")
    with graph.recording():
        one = _node("one", "Const", dtype=T, value=attr_value(np.array(1, np.float32)))
        found = import_graph_def(_graph_def(one, _node("y", "Neg", "one", T=T)), name="")
    assert found is None
    assert ["one", "y"] == [node.name for node in graph.nodes]


def test_a_session_finds_imported_nodes_and_feeds_placeholders() -> None:
    with rt.Graph().as_default() as graph:
        import_graph_def(_graph_def(_placeholder(), _node("y", "Square", "x", T=T)))
    with rt.session.Session(graph=graph) as session:
        assert 9 == session.run("import/y:0", {"import/x:0": 3.0})


def test_a_session_runs_control_inputs() -> None:
    add = _node("add", "AssignAddVariableOp", "v", "x", dtype=T)
    nodes = add, _node("group", "NoOp", "^add"), _node("y", "Identity", "x", "^group", T=T)
    handle = _node("v", "VarHandleOp", dtype=T, shape=attr_value(rt.TensorShape([])))
    with rt.Graph().as_default() as graph:
        variable = rt.Variable(1.0)
        import_graph_def(_graph_def(_placeholder(), handle, *nodes), {"v:0": variable})
        start = rt.session.global_variables_initializer()
    with rt.session.Session(graph=graph) as session:
        session.run(start)
        assert 3 == session.run("import/y:0", {"import/x:0": 3.0})
        assert 4.0 == session.run(variable)


def test_protobuf_messages_are_accepted() -> None:
    pytest.importorskip("tensorboard")
    message = _graph_def(_placeholder(), _node("y", "Neg", "x", T=T))
    assert -3 == _value(graph_between(message.to_proto(), {"x:0": FLOAT}, ["y:0"]))


def test_a_given_value_replaces_a_result_in_the_middle() -> None:
    message = _graph_def(_placeholder(), _node("m", "PyFunc", "x"), _node("y", "Neg", "m:0", T=T))
    assert -3 == _value(graph_between(message, {"m:0": FLOAT}, ["y:0"]))


def test_files_are_opened_only_where_all_are_allowed(tmp_path: Path) -> None:
    kind, path = attr_value(rt.string), str(tmp_path / "out.txt")
    name = _node("name", "Const", dtype=kind, value=attr_value(np.array(path.encode(), object)))
    write = _node("write", "WriteFile", "name", "name")
    message = _graph_def(name, _node("y", "Identity", "name", T=kind), write)
    with rt.Graph().as_default() as graph:
        for allowed in (False, path):
            for wanted in (None, ["y:0"]):
                with pytest.raises(PermissionDeniedError, match=r"node 'write'.*allow_files=True"):
                    import_graph_def(message, {}, wanted, allow_files=allowed)
        assert not graph.nodes
        import_graph_def(message, name="", allow_files=True)
    with rt.session.Session(graph=graph) as session:
        session.run(graph.nodes[-1])
    assert path == Path(path).read_text()


def test_wrong_arguments_are_refused() -> None:
    message = _graph_def(_placeholder(), _node("y", "Neg", "x", T=T))
    with pytest.raises(GraphError, match="imported into a graph"):
        import_graph_def(message)
    graph = rt.Graph("outer")
    x = graph.add_input(FLOAT, "x")
    with graph.recording():
        with pytest.raises(ArgumentValueError, match="given for z:0, in no node"):
            import_graph_def(message, {"z:0": x})
        with pytest.raises(MissingNameError, match="no node 'z'"):
            import_graph_def(message, {"x": x}, ["z:0"])
        with pytest.raises(MissingNameError, match="'y:1' is not a result"):
            import_graph_def(message, {"x": x}, ["y:1"])
        with pytest.raises(UnimplementedError, match="input_map=\\{'x:0': x\\}"):
            import_graph_def(message, {}, ["y:0"])
        with pytest.raises(ArgumentValueError, match="op_dict"):
            import_graph_def(message, op_dict={})  # type: ignore[arg-type]
        with pytest.raises(DTypeError, match="a GraphDef or its bytes"):
            import_graph_def(3)


# -- damaged graphs --------------------------------------------------------------------------------

Y = _node("y", "Neg", "x", T=T)
CALL = {"Tin": attr_value([rt.float32]), "Tout": attr_value([rt.float32])}


def _call(name: str, callee: str, given: str = "x") -> NodeDef:
    return _node(name, "PartitionedCall", given, f=attr_value(NameAttrList(name=callee)), **CALL)


DAMAGED: dict[str, tuple[type[OpError], GraphDef]] = {
    "two nodes have the name 'y'": (DataLossError, _graph_def(_placeholder(), Y, Y)),
    "input 'q', which does not exist": (
        DataLossError,
        _graph_def(_placeholder(), _node("y", "Neg", "q", T=T)),
    ),
    "input '\\^q', which does not": (
        DataLossError,
        _graph_def(_placeholder(), _node("y", "Neg", "x", "^q", T=T)),
    ),
    "'y' depends on itself": (
        DataLossError,
        _graph_def(_placeholder(), _node("y", "Neg", "w", T=T), _node("w", "Exp", "y", T=T)),
    ),
    "takes 1 values, not 2": (
        DataLossError,
        _graph_def(_placeholder(), _node("y", "Neg", "x", "x", T=T)),
    ),
    "takes 2 values, not 1": (
        DataLossError,
        _graph_def(_placeholder(), _node("y", "Add", "x", T=T)),
    ),
    "takes DT_INT32 as 'x'": (
        DataLossError,
        _graph_def(_placeholder(), _node("y", "Neg", "x", T=attr_value(rt.int32))),
    ),
    "input 'w:3' does not exist": (
        DataLossError,
        _graph_def(_placeholder(), _node("w", "Exp", "x", T=T), _node("y", "Neg", "w:3", T=T)),
    ),
    "'how' is unknown": (
        DataLossError,
        _graph_def(_placeholder(), _node("y", "Neg", "x", T=T, how=attr_value(1))),
    ),
    "no function 'f'": (DataLossError, _graph_def(_placeholder(), _call("y", "f"))),
    "'f' calls itself": (
        UnimplementedError,
        _graph_def(
            _placeholder(),
            _call("y", "f"),
            functions=(_function("f", [_call("n", "f", "a")], "n:output:0"),),
        ),
    ),
    "two functions are called 'f'": (
        DataLossError,
        _graph_def(Y, _placeholder(), functions=2 * (_function("f", [], "a"),)),
    ),
    "returns 'q:y:0', which does not exist": (
        DataLossError,
        _graph_def(_placeholder(), _call("y", "f"), functions=(_function("f", [], "q:y:0"),)),
    ),
    "has no output 'w'": (
        DataLossError,
        _graph_def(
            _placeholder(),
            _call("y", "f"),
            functions=(_function("f", [_node("n", "Neg", "a", T=T)], "n:w:0"),),
        ),
    ),
    "FooOp \\(2\\); PyFunc \\(1\\): it calls a Python function": (
        UnimplementedError,
        _graph_def(
            _placeholder(),
            _node("a", "FooOp", "x"),
            _node("b", "FooOp", "a"),
            _node("c", "PyFunc", "b"),
            _node("y", "Neg", "c", T=T),
        ),
    ),
    "Enter \\(1\\): loops of TensorFlow 1": (
        UnimplementedError,
        _graph_def(_placeholder(), _node("e", "Enter", "x"), _node("y", "Neg", "e", T=T)),
    ),
}


@pytest.mark.parametrize("words", DAMAGED)
def test_a_damaged_graph_is_refused_with_one_short_error(words: str) -> None:
    kind, message = DAMAGED[words]
    with pytest.raises(kind, match=words) as caught:
        _between(message, "y:0")
    assert len(caught.value.message) < 200


def test_damaged_bytes_of_graphs_raise_errors_of_this_project() -> None:
    """Bytes of a graph with branches, loops and lists are changed at random."""
    data = _exported(_busy, rt.TensorSpec((None,), rt.float32))
    rng = np.random.default_rng(0)
    outcomes = {"imported": 0, "refused": 0}
    feeds = {"x:0": rt.TensorSpec((None,), rt.float32)}
    for _ in range(3000 if IS_LONG else 150):
        changed = bytearray(data)
        for at in rng.integers(0, len(data), rng.integers(1, 4)):
            changed[at] = rng.integers(256)
        try:
            graph_between(bytes(changed), feeds, ["Identity:0"])
            outcomes["imported"] += 1
        except OpError:
            outcomes["refused"] += 1
    assert min(outcomes.values()) > 10


def _busy(x: Any) -> Any:
    found = []
    total = 0.0
    for each in x:
        if each > 1.0:
            total += each
            found.append(each * 2.0)
        else:
            found.append(-each)
    return rt.stack(found) + total


def _exported(function: Callable[..., Any], *specs: Any) -> bytes:
    graph = ag.function(function).get_concrete_function(*specs).graph
    return bytes(graph.as_graph_def().SerializeToString())


def test_few_functions_cannot_describe_a_huge_graph() -> None:
    """Both branches of each function call the next one: 2 ** 20 nodes in all."""
    true = _node("c", "Const", dtype=attr_value(rt.bool), value=attr_value(np.array(True)))

    def branch(name: str, source: str, callee: str) -> NodeDef:
        reference = attr_value(NameAttrList(name=callee))
        return _node(name, "StatelessIf", "c:output:0", source, Tcond=attr_value(rt.bool),
                     then_branch=reference, else_branch=reference, **CALL)  # fmt: skip

    functions = [_function("f0", [_node("n", "Neg", "a", T=T)], "n:y:0")]
    for at in range(1, 20):
        nodes = [true, branch("n", "a", f"f{at - 1}")]
        functions.append(_function(f"f{at}", nodes, "n:output:0"))
    begun = time.process_time()
    with pytest.raises(OpError, match="make more than 10.* nodes again"):
        _between(_graph_def(_placeholder(), _call("y", "f19"), functions=tuple(functions)), "y:0")
    assert time.process_time() - begun < 3


def test_few_bytes_cannot_describe_a_large_constant() -> None:
    """The last element of a constant stands for all that the file leaves out."""
    shape = TensorShapeProto(dim=[Dim(size=2), Dim(size=2**28)])
    tensors = [TensorProto(dtype=1, tensor_shape=shape, float_val=v) for v in ([1.5], [1.5, 2.0])]
    message = _graph_def(
        *[_node(f"c{at}", "Const", dtype=T, value=AttrValue(tensor=each))
          for at, each in enumerate(tensors)],
    )  # fmt: skip
    tracemalloc.start()
    try:
        graph = graph_between(message, {}, ["c0:0", "c1:0"])
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()
    assert [(2, 2**28)] * 2 == [each.shape.dims for each in graph.outputs]


@pytest.mark.parametrize("elements", [[], [1.5], [1.5, 2.0, 2.5]])
def test_the_last_element_of_a_large_constant_is_repeated(elements: list[float]) -> None:
    shape = TensorShapeProto(dim=[Dim(size=3), Dim(size=700)])
    value = AttrValue(tensor=TensorProto(dtype=1, tensor_shape=shape, float_val=elements))
    graph = graph_between(_graph_def(_node("c", "Const", dtype=T, value=value)), {}, ["c:0"])
    expected = np.full((3, 700), (elements or [0.0])[-1], np.float32)
    expected.flat[: len(elements)] = elements
    assert expected.tolist() == run(graph, [])[0].tolist()


# -- effects and variables -------------------------------------------------------------------------


def test_nodes_run_in_the_order_of_their_control_inputs() -> None:
    """The file lists the nodes in another order than they run."""
    string = attr_value(rt.string)

    def text(name: str) -> NodeDef:
        value = attr_value(np.array(name.encode(), object))
        return _node(name, "Const", dtype=string, value=value)

    out, end = attr_value("stdout"), attr_value("")
    nodes = [
        _node("p3", "PrintV2", "three", "^p2", output_stream=out, end=end),
        _node("p1", "PrintV2", "one", output_stream=out, end=end),
        _node("p2", "PrintV2", "two", "^p1", output_stream=out, end=end),
    ]
    message = _graph_def(*map(text, ("one", "two", "three")), *nodes)
    graph = graph_between(message, {}, ["p3"])
    printed = io.StringIO()
    with redirect_stdout(printed):
        run(graph, [])
    assert "onetwothree" == printed.getvalue()


def test_variables_are_given_by_name_or_for_a_handle() -> None:
    handle = _node("v", "VarHandleOp", dtype=T, shape=attr_value(rt.TensorShape([])),
                   shared_name=attr_value("weight"))  # fmt: skip
    add = _node("add", "AssignAddVariableOp", "v", "x", dtype=T)
    read = _node("r", "ReadVariableOp", "v", "^add", dtype=T)
    message = _graph_def(_placeholder(), handle, add, read)
    for feeds, variables in (({}, {"weight": None}), ({"v:0": None}, {})):
        variable = rt.Variable(1.0)
        named = dict.fromkeys(variables, variable)
        given = {"x:0": FLOAT, **dict.fromkeys(feeds, variable)}
        graph = graph_between(message, given, ["r:0"], named)
        assert 4.0 == _value(graph) and 4.0 == variable.numpy()
    with pytest.raises(UnimplementedError, match="no variable is given for the name 'weight'"):
        graph_between(message, {"x:0": FLOAT}, ["r:0"])
    with pytest.raises(DataLossError, match="takes DT_RESOURCE as 'resource'"):
        graph_between(message, {"x:0": FLOAT, "v:0": FLOAT}, ["r:0"])


def test_a_function_is_one_graph_for_all_calls_of_one_form() -> None:
    function = _function("f", [_node("n", "Square", "a", T=T)], "n:y:0")
    message = _graph_def(
        _placeholder(), _call("one", "f"), _call("y", "f", "one"), functions=(function,)
    )
    graph = _between(message, "y:0")
    callees = {id(node.attrs["callee"]) for node in graph.nodes}
    assert (1, 2) == (len(callees), len(graph.nodes))
    assert 81 == _value(graph)
    functions = function_graphs(message)
    assert functions.graph("f", [FLOAT]) is functions.graph("f", [FLOAT])
    assert functions.graph("f", [rt.TensorSpec((2,), rt.float32)]).graph.outputs[0].shape == [2]
    with pytest.raises(DTypeError, match="'a' of 'f' must be DT_FLOAT, not DT_INT32"):
        functions.graph("f", [rt.TensorSpec((), rt.int32)])
    with pytest.raises(DataLossError, match="takes 1 arguments, not 2"):
        functions.graph("f", [FLOAT, FLOAT])


def test_a_declared_shape_that_contradicts_the_operands_is_refused() -> None:
    data = GraphDef.FromString(_exported(_counted, rt.TensorSpec((2,), rt.float32)))
    wrong = attr_value([rt.TensorShape([]), rt.TensorShape([]), rt.TensorShape([3])])
    nodes = [
        node.with_values(attr={**node.attr, "output_shapes": wrong})
        if node.op == "StatelessWhile"
        else node
        for node in data.node
    ]
    with pytest.raises(ShapeError, match="is declared as"):
        feeds = {"x:0": rt.TensorSpec((2,), rt.float32)}
        graph_between(data.with_values(node=nodes), feeds, ["Identity:0"])


def _counted(x: Any) -> Any:
    while rt.reduce_sum(x) < 100.0:
        x = x * 2.0
    return x


def test_names_of_a_file_never_become_code() -> None:
    evil = "x\nraise SystemExit#"
    nodes = [_node("lambda", "Exp", "import os", T=T)]
    function = _function(evil, nodes, "lambda:y:0")
    parameter = ArgDef(name="import os", type=1)
    signature = function.signature.with_values(input_arg=[parameter])
    call = _call("1/0", evil, "def:")
    message = _graph_def(
        _node("def", "Neg", evil, T=T),
        _placeholder(evil),
        call.with_values(input=["def"]),
        functions=(function.with_values(signature=signature),),
    )
    graph = graph_between(message, {f"{evil}:0": FLOAT}, ["1/0:0"], name="a b\n")
    compiled = run_compiled(graph, [np.array(1, np.float32)])
    assert np.exp(np.float32(-1)) == pytest.approx(float(compiled[0]))
