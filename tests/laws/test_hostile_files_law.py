"""Law: a file is data. Loading it runs no code of it and opens no other file."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from inspect import Parameter, signature
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.saved_model.archive_writing import NAME
from runtime.errors import (
    DataLossError,
    DTypeError,
    GraphError,
    OpError,
    PermissionDeniedError,
    UnimplementedError,
)
from runtime.export.graphdef.attribute_values import attr_value
from runtime.export.graphdef.importer.signatures import SIGNATURES
from runtime.export.graphdef.messages import (
    AttrListValue,
    AttrValue,
    FunctionDef,
    FunctionDefLibrary,
    GraphDef,
    NameAttrList,
    NodeDef,
    OpDef,
)
from runtime.ops.attributes import attributes_of, check_attributes
from runtime.ops.op import REGISTRY, Op
from tests.hostile import TEXTS, change, give_header, header, nodes
from tests.suite_length import sample


class Scaled(rt.Module):
    """An object with one of each: variables, containers, a branch, a loop, a raise, a print."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = rt.Variable(2.0, name="scale")
        self.parts = [rt.Variable([1.0, 2.0]), {"same": self.scale}, (self.scale,)]

    @ag.function(input_signature=[rt.TensorSpec([None], rt.float32)])
    def __call__(self, x: Any) -> Any:
        total = rt.sqrt(rt.abs(x)) * self.scale
        for _ in rt.range(3):
            if rt.reduce_sum(x) > 10.0:
                total += rt.reduce_max(x, axis=0)
        if rt.reduce_sum(x) < -100.0:
            raise ValueError("too small", total)
        return {"total": total, "kind": rt.cast(rt.argmax(x), rt.int32)}

    @ag.function(input_signature=[rt.TensorSpec([], rt.string)])
    def said(self, text: Any) -> Any:
        rt.print("said", text)
        return rt.strings.lower(text) + f"<{text}>"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    ag.saved_model.save_archive(Scaled(), tmp_path / "saved")
    return tmp_path / "saved" / f"{NAME}.ckpt"


def load(file: Path, **options: Any) -> Any:
    return ag.saved_model.load(file.parent, **options)


def refused(file: Path) -> str:
    with pytest.raises(DataLossError) as found:
        load(file)
    return found.value.message


def node_of(said: Any, op: str) -> Any:
    return next(node for node in nodes(said) if node["op"] == op)


def test_a_saved_object_loads(file: Path) -> None:
    loaded = load(file)
    assert [2.0, 4.0] == loaded(rt.constant([1.0, 4.0]))["total"].numpy().tolist()
    assert b"ab<b'AB'>" == loaded.said("AB").numpy()


# -- attributes ------------------------------------------------------------------------------------


def test_the_name_of_an_attribute_runs_no_command(file: Path, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    name = f"where=__import__('pathlib').Path({str(mark)!r}).touch()or True, dtype"
    change(file, lambda said: node_of(said, "sqrt").update(attrs={name: None}))
    assert "sqrt has no attribute" in refused(file)
    assert not mark.exists()


@pytest.mark.parametrize("text", sample(TEXTS, 3))
@pytest.mark.parametrize("op", ["sqrt", "reduce_max", "argmax", "print", "raise", "while_loop"])
def test_attributes_are_those_an_op_declares(file: Path, op: str, text: str) -> None:
    change(file, lambda said: node_of(said, op).setdefault("attrs", {}).update({text: 1}))
    assert f"{op} has no attribute" in refused(file)


@pytest.mark.parametrize("op, name", [("sqrt", "out"), ("abs", "dtype"), ("add", "where")])
def test_keywords_of_numpy_are_no_attributes(file: Path, op: str, name: str) -> None:
    change(file, lambda said: node_of(said, "abs").update(op=op, attrs={name: None}))
    refused(file)


@pytest.mark.parametrize(
    "op, name, value",
    [
        ("argmax", "axis", "0"),
        ("argmax", "axis", True),
        ("argmax", "axis", {"tuple": [0]}),
        ("argmax", "output_type", "int64"),
        ("reduce_max", "axis", 0),
        ("reduce_max", "keepdims", 1),
        ("string_lower", "encoding", "rot13"),
        ("print", "stream", "stderr.buffer"),
        ("print", "stream", "__class__"),
        ("print", "template", {"tuple": [None, None, None]}),
        ("while_loop", "maximum_iterations", "1"),
        ("constant", "value", 3),
        ("cast", "dtype", {"dtype": "object"}),
        ("cast", "dtype", {"class": "SystemExit"}),
    ],
)
def test_attribute_values_of_wrong_kinds_are_refused(
    file: Path, op: str, name: str, value: Any
) -> None:
    change(file, lambda said: node_of(said, op)["attrs"].update({name: value}))
    refused(file)


@pytest.mark.parametrize("op", ["argmax", "reduce_max", "cast", "print"])
def test_a_declared_attribute_must_be_present(file: Path, op: str) -> None:
    change(file, lambda said: node_of(said, op).pop("attrs"))
    assert "lacks its attribute" in refused(file)


def takes_any_attribute(op: Op) -> bool:
    """Return whether each function of an op that may declare its attributes has `**attrs`."""
    if not isinstance(op.kernel, FunctionType):
        return False
    functions = [each for each in (op.infer, op.kernel, op.keywords) if each is not None]
    kinds = [{each.kind for each in signature(f).parameters.values()} for f in functions]
    return all(Parameter.VAR_KEYWORD in each for each in kinds)


def test_every_op_declares_its_attributes_and_their_kinds() -> None:
    open_ops = [op.name for op in REGISTRY.values() if takes_any_attribute(op)]
    vague = [
        f"{op.name}.{name}"
        for op in REGISTRY.values()
        for name, each in attributes_of(op).items()
        if each.kind in (None, object, Any) or re.search(r"\bAny\b", str(each.kind))
    ]
    # A function of Python's is no value that a file could hold.
    assert ([], ["py_function.function"]) == (open_ops, vague)


@pytest.mark.parametrize("text", TEXTS)
def test_undeclared_attributes_are_refused(text: str) -> None:
    for op in REGISTRY.values():
        with pytest.raises(GraphError):
            check_attributes(op, {text: None})


# -- what graphs say of themselves -----------------------------------------------------------------


@pytest.mark.parametrize("op", ["system", "py_function", "__class__", "os.system", "", 3, None])
def test_ops_are_those_of_the_registry(file: Path, op: Any) -> None:
    change(file, lambda said: node_of(said, "sqrt").update(op=op))
    refused(file)


@pytest.mark.parametrize("place", [-1, 10**9, True, "0", 2.0, None, [0]])
def test_operands_must_be_earlier_values(file: Path, place: Any) -> None:
    change(file, lambda said: node_of(said, "sqrt").update(inputs=[place]))
    refused(file)


@pytest.mark.parametrize("shape", [[3], [None, None], None, [-1], ["x"], [2**70], "shape", 3])
def test_shapes_are_those_that_ops_infer(file: Path, shape: Any) -> None:
    def changed(said: Any) -> None:
        node_of(said, "sqrt")["outputs"][0][0] = shape

    change(file, changed)
    refused(file)


@pytest.mark.parametrize("dtype", ["int32", "variant", "object", "V8", None, 3, []])
def test_dtypes_are_those_that_ops_infer(file: Path, dtype: Any) -> None:
    def changed(said: Any) -> None:
        node_of(said, "sqrt")["outputs"][0][1] = dtype

    change(file, changed)
    refused(file)


def test_a_function_whose_spec_differs_from_its_graph_is_refused(file: Path) -> None:
    def changed(said: Any) -> None:
        (trace,) = said["graph"]["objects"][0]["functions"]["__call__"]
        trace["given"]["tuple"][0]["tuple"][0]["spec"][1] = "int32"

    change(file, changed)
    assert "takes" in refused(file)


@pytest.mark.parametrize("name", ["__call__", "said"])
def test_a_function_without_its_parameters_is_refused(file: Path, name: str) -> None:
    change(
        file, lambda said: said["graph"]["objects"][0]["functions"][name][0].update(parameters=[])
    )
    assert "too many positional arguments" in refused(file)


@pytest.mark.parametrize("place", [-1, 99, "0", {"float": "0.0"}])
def test_a_result_is_one_of_its_graph(file: Path, place: Any) -> None:
    def changed(said: Any) -> None:
        (trace,) = said["graph"]["objects"][0]["functions"]["said"]
        trace["result"] = place

    change(file, changed)
    refused(file)


# -- exceptions ------------------------------------------------------------------------------------

NO_EXCEPTIONS = (
    "SystemExit KeyboardInterrupt GeneratorExit BaseException exit eval object type __import__ "
    "OpError.__class__ annotations"
).split()


@pytest.mark.parametrize("name", NO_EXCEPTIONS)
def test_programs_raise_exceptions_alone(file: Path, name: str) -> None:
    def changed(said: Any) -> None:
        node_of(said, "raise")["attrs"]["exception"]["raised"][0] = name

    change(file, changed)
    refused(file)


@pytest.mark.parametrize("kind", [SystemExit, KeyboardInterrupt, GeneratorExit, BaseException])
def test_exceptions_that_end_a_program_are_not_saved(
    tmp_path: Path, kind: type[BaseException]
) -> None:
    class Ending(rt.Module):
        @ag.function(input_signature=[rt.TensorSpec([], rt.float32)])
        def __call__(self, x: Any) -> Any:
            if x > 0.0:
                raise kind("over")
            return x

    with pytest.raises(GraphError, match=kind.__name__):
        ag.saved_model.save_archive(Ending(), tmp_path)


# -- objects ---------------------------------------------------------------------------------------

DUNDERS = "__class__ __dict__ __getattr__ __init__ __reduce__ __call__ _own __module__ __del__"


@pytest.mark.parametrize("name", DUNDERS.split())
def test_dunder_attributes_are_not_set(file: Path, name: str) -> None:
    change(file, lambda said: said["graph"]["objects"][0]["parts"].update({name: 1}))
    if name == "_own":
        assert "scaled" != load(file)._own  # A module keeps its own there.
    else:
        assert "a file cannot set the attribute" in refused(file)


@pytest.mark.parametrize("name", "__class__ __dict__ __init__ __reduce__ __getattr__ _own".split())
def test_dunder_methods_are_not_replaced(file: Path, name: str) -> None:
    def changed(said: Any) -> None:
        functions = said["graph"]["objects"][0]["functions"]
        functions[name] = functions["said"]

    change(file, changed)
    assert "a file cannot set the attribute" in refused(file)


def place_of(said: Any, kind: str) -> int:
    kinds = [each["kind"] for each in said["graph"]["objects"]]
    return kinds.index(kind)


def test_a_tuple_that_contains_itself_is_refused(file: Path) -> None:
    def changed(said: Any) -> None:
        at = place_of(said, "tuple")
        said["graph"]["objects"][at]["parts"]["0"] = at

    change(file, changed)
    assert "a tuple contains itself" in refused(file)


def test_tuples_that_contain_each_other_are_refused(file: Path) -> None:
    def changed(said: Any) -> None:
        at = place_of(said, "tuple")
        objects = said["graph"]["objects"]
        objects[at]["parts"]["0"] = len(objects)
        objects.append({"kind": "tuple", "parts": {"0": at}})

    change(file, changed)
    assert "a tuple contains itself" in refused(file)


def test_lists_may_contain_themselves_and_objects_may_be_deep(tmp_path: Path) -> None:
    first = rt.Module()
    first.next, last = [], first
    for _ in range(3000):
        last.next = rt.Module()
        last = last.next
    last.next = first
    ag.saved_model.save_archive(first, tmp_path)
    assert isinstance(ag.saved_model.load(tmp_path).next.next.next, rt.Module)


def test_a_deep_tuple_of_tuples_loads(file: Path) -> None:
    def changed(said: Any) -> None:
        objects = said["graph"]["objects"]
        at = place_of(said, "tuple")
        for _ in range(5000):
            objects.append({**objects[at], "parts": dict(objects[at]["parts"])})
            objects[at]["parts"] = {"0": len(objects) - 1}
            at = len(objects) - 1

    change(file, changed)
    loaded: Any = load(file).parts[2]
    for _ in range(5000):
        (loaded,) = loaded
    assert isinstance(loaded[0], rt.Variable)


@pytest.mark.parametrize("depth", [50, 900, 5000, 200_000])
def test_a_too_deeply_nested_header_is_refused(file: Path, depth: int) -> None:
    said = header(file)
    node_of(said, "argmax")["attrs"]["axis"] = "DEEP"
    text = json.dumps(said).replace('"DEEP"', '{"tuple": [' * depth + "]}" * depth)
    give_header(file, text.encode())
    refused(file)


# -- files -----------------------------------------------------------------------------------------


class Logged(rt.Module):
    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path

    @ag.function(input_signature=[rt.TensorSpec([], rt.float32)])
    def __call__(self, x: Any) -> Any:
        if x > 0.0:
            rt.print("x is", x, output_stream=f"file://{self.path}")
        return x


def logged(tmp_path: Path, path: Path) -> Callable[..., Any]:
    ag.saved_model.save_archive(Logged(str(path)), tmp_path / "saved")
    return lambda **options: ag.saved_model.load(tmp_path / "saved", **options)


def test_a_file_is_opened_only_where_it_is_allowed(tmp_path: Path) -> None:
    loading = logged(tmp_path, tmp_path / "logs" / "out.txt")
    with pytest.raises(PermissionDeniedError, match=r"out\.txt.*allow_files="):
        loading()
    with pytest.raises(PermissionDeniedError):
        loading(allow_files=False)
    assert not (tmp_path / "logs").exists()


@pytest.mark.parametrize(
    "allowed", ["logs", "logs/out.txt", ["other", "logs"], True, "logs/../logs", "."]
)
def test_files_that_the_loader_names_are_opened(
    tmp_path: Path, allowed: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "logs").mkdir()
    loading = logged(tmp_path, tmp_path / "logs" / "out.txt")
    monkeypatch.chdir(tmp_path)
    loading(allow_files=allowed)(1.0)
    assert "x is 1\n" == (tmp_path / "logs" / "out.txt").read_text()


@pytest.mark.parametrize("allowed", ["log", "logs/out", "logs/other.txt", [], ["other"], "logs2"])
def test_files_outside_of_the_allowed_paths_are_not_opened(
    tmp_path: Path, allowed: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    loading = logged(tmp_path, tmp_path / "logs" / "out.txt")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PermissionDeniedError):
        loading(allow_files=allowed)


@pytest.mark.parametrize("path", ["logs/../secret.txt", "logs/link/secret.txt", "logs2/secret.txt"])
def test_paths_out_of_an_allowed_folder_are_refused(
    tmp_path: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "secrets").mkdir()
    (tmp_path / "logs" / "link").symlink_to(tmp_path / "secrets")
    monkeypatch.chdir(tmp_path)
    loading = logged(tmp_path, Path(os.path.join(tmp_path, path)))
    with pytest.raises(PermissionDeniedError):
        loading(allow_files="logs")


@pytest.mark.parametrize("wrong", [3, 1.5, [3], None, object()])
def test_invalid_values_of_allow_files_are_refused(file: Path, wrong: Any) -> None:
    with pytest.raises(DTypeError, match="allow_files must be"):
        load(file, allow_files=wrong)


@pytest.mark.parametrize("op", [op for op in REGISTRY.values() if op.files], ids=lambda op: op.name)
@pytest.mark.parametrize("is_inside", [False, True])
def test_imported_ops_that_open_files_are_refused(op: Op, is_inside: bool) -> None:
    name = op.tensorflow_name
    attrs = {"output_stream": attr_value("file://out.txt")} if name == "PrintV2" else {}
    inputs = ["text"] * len(SIGNATURES[name].inputs)
    node = NodeDef(name="hostile", op=name, input=inputs, attr=attrs)
    kind, text = attr_value(rt.string), attr_value(np.array(b"out.txt", object))
    nodes = [NodeDef(name="text", op="Const", attr={"dtype": kind, "value": text}), node]
    message = GraphDef(node=nodes)
    if is_inside:
        nodes[1] = NodeDef(
            name="hostile", op=name, input=["text:output:0"] * len(inputs), attr=attrs
        )
        hidden = FunctionDef(signature=OpDef(name="hidden"), node_def=nodes)
        none = AttrValue(list=AttrListValue())
        called = {"f": attr_value(NameAttrList(name="hidden")), "Tin": none, "Tout": none}
        call = NodeDef(name="call", op="StatefulPartitionedCall", attr=called)
        message = GraphDef(node=[call], library=FunctionDefLibrary(function=[hidden]))
    refused = (PermissionDeniedError, UnimplementedError)
    with rt.Graph().as_default(), pytest.raises(refused, match="allow_files=True|it prints to"):
        rt.export.import_graph_def(message)


def test_loaded_functions_print_to_the_standard_streams(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    load(file).said("AB")
    assert 'said "AB"\n' == capsys.readouterr().err


def test_ops_that_open_files_declare_them() -> None:
    """No kernel calls `open` that its op does not tell of; the others' values are in no file."""
    telling = [op.name for op in REGISTRY.values() if op.files is not None]
    assert ["print", "read_file", "write_file"] == sorted(telling)
    with pytest.raises(OpError):
        REGISTRY["print"].infer(template=("x",), bare=False, stream="stderr", summarize=None)
