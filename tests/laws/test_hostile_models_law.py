"""Law: files of models and checkpoints are data, as those of saved objects are."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import runtime as rt
from runtime.errors import CustomObjectError, DataLossError, OpError, PermissionDeniedError
from tests.hostile import TEXTS, change


def step_of(config: Any, op: str) -> Any:
    return next(step for step in config["steps"] if step.get("op") == op)


@pytest.fixture
def model_file(tmp_path: Path) -> Path:
    start = rt.nn.Input((3,))
    hidden = rt.nn.layers.Dense(2)(start)
    rt.nn.Model(start, rt.reduce_max(rt.sqrt(hidden), axis=1)).save(str(tmp_path / "m.keras"))
    return tmp_path / "m.keras"


def config_in(said: Any) -> Any:
    return said["graph"]["model"]["config"]


@pytest.mark.parametrize("text", ["where", "out", "dtype", *TEXTS])
def test_steps_of_a_model_have_the_attributes_of_their_ops(model_file: Path, text: str) -> None:
    def changed(said: Any) -> None:
        step_of(config_in(said), "sqrt")["kwargs"]["dict"][text] = None

    change(model_file, changed)
    with pytest.raises(OpError, match="sqrt has no attribute"):
        rt.nn.models.load_model(str(model_file))


def test_a_model_config_is_checked_equally(tmp_path: Path) -> None:
    start = rt.nn.Input((3,))
    config = rt.nn.Model(start, rt.sqrt(start)).get_config()
    told = {"class_name": "Functional", "config": config}
    assert [(None, 3)] == [tuple(rt.nn.models.model_from_json(json.dumps(told)).output_shape)]
    attrs = {"template": {"tuple": ["x"]}, "bare": False, "summarize": None}
    printing = {"dict": {**attrs, "stream": f"file://{tmp_path / 'out.txt'}"}}
    config["steps"].insert(0, {"op": "print", "args": [], "kwargs": printing})
    with pytest.raises(PermissionDeniedError, match="allow_files"):
        rt.nn.models.model_from_json(json.dumps(told))
    with pytest.raises(PermissionDeniedError, match="allow_files"):
        rt.nn.models.model_from_config(told)
    assert not (tmp_path / "out.txt").exists()


@pytest.mark.parametrize("stream", ["file://{}", "stdin", "__class__"])
def test_a_step_of_a_model_opens_no_file(model_file: Path, tmp_path: Path, stream: str) -> None:
    def changed(said: Any) -> None:
        step = step_of(config_in(said), "sqrt")
        step["op"], step["args"] = "print", []
        attrs = {"template": {"tuple": ["x"]}, "bare": False, "summarize": None}
        step["kwargs"]["dict"] = {**attrs, "stream": stream.format(tmp_path / "out.txt")}

    change(model_file, changed)
    with pytest.raises(OpError):
        rt.nn.models.load_model(str(model_file))
    assert not (tmp_path / "out.txt").exists()


@pytest.mark.parametrize("name", ["ModuleType", "__class__", "Any", "annotations", "exit", 3, None])
def test_classes_of_a_model_are_layers(model_file: Path, name: Any) -> None:
    def changed(said: Any) -> None:
        config_in(said)["layers"][1]["class_name"] = name

    change(model_file, changed)
    with pytest.raises(OpError):
        rt.nn.models.load_model(str(model_file))


@pytest.mark.parametrize("units", [10**6, 10**9, 10**15, 10**30])
def test_a_config_with_larger_layers_than_its_weights_is_refused(
    model_file: Path, units: int
) -> None:
    def changed(said: Any) -> None:
        config_in(said)["layers"][1]["config"]["units"] = units

    change(model_file, changed)
    with pytest.raises(OpError):
        rt.nn.models.load_model(str(model_file))


def test_exceptions_of_user_classes_propagate(tmp_path: Path) -> None:
    class Own(rt.nn.layers.Layer):
        def __init__(self, size: int, **options: Any) -> None:
            super().__init__(**options)
            if size > 3:
                raise RuntimeError("too large for me")
            self.size = size

        def get_config(self) -> Any:
            return {**super().get_config(), "size": 9}

        def call(self, x: Any) -> Any:
            return x

    rt.nn.Sequential([rt.nn.Input((2,)), Own(1)]).save(str(tmp_path / "m.keras"))
    with pytest.raises(RuntimeError, match="too large for me"):
        rt.nn.models.load_model(str(tmp_path / "m.keras"), {"Own": Own})


# -- checkpoints -----------------------------------------------------------------------------------


def test_a_checkpoint_manager_removes_no_file_of_another_folder(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    precious = tmp_path / "precious.ckpt"
    precious.write_text("kept")
    lines = [f'all_model_checkpoint_paths: "{path}"' for path in ("../precious", precious)]
    lines += [f'model_checkpoint_path: "{tmp_path / "precious"}"']
    (tmp_path / "mine" / "checkpoint").write_text("\n".join(lines))
    checkpoint = rt.train.Checkpoint(a=rt.Variable(1.0))
    manager = rt.train.CheckpointManager(checkpoint, str(tmp_path / "mine"), max_to_keep=1)
    manager.save()
    manager.save()
    assert "kept" == precious.read_text()
    assert 1 == len(manager.checkpoints)


def test_texts_of_a_checkpoint_are_no_larger_than_its_file(tmp_path: Path) -> None:
    texts = rt.Variable([b"x" * 100] * 50)
    prefix = rt.train.Checkpoint(a=texts).write(str(tmp_path / "saved"))
    file = tmp_path / "saved.ckpt"

    def changed(said: Any) -> None:
        (entry,) = said["arrays"].values()
        said["arrays"] = {f"a{at}": entry for at in range(1000)}

    change(file, changed)
    with pytest.raises(DataLossError, match="not where it was written"):
        rt.train.load_checkpoint(prefix)


def printing_model(path: Path) -> str:
    """Return the text of a model that writes to a file when it is called."""
    start = rt.nn.Input((1,))
    config = rt.nn.Model(start, rt.sqrt(start)).get_config()
    attrs = {"template": {"tuple": ["x"]}, "bare": False, "summarize": None}
    printing = {"dict": {**attrs, "stream": f"file://{path}"}}
    config["steps"].insert(0, {"op": "print", "args": [], "kwargs": printing})
    return json.dumps({"class_name": "Functional", "config": config})


# A function of the library that a config would have called, with arguments that its file gives.
CALLS: dict[str, dict[str, Any]] = {
    "load_model": {"filepath": "PATH", "allow_files": True},
    "model_from_json": {"json_string": "TEXT", "allow_files": True},
    "model_from_config": {"config": {"class_name": "Sequential", "config": {"layers": []}}},
    "save_model": {"model": None, "filepath": "PATH"},
    "get_custom_objects": {},
    "register_keras_serializable": {},
    "custom_object_scope": {"given": {}},
    "clone_model": {"model": None},
    "Input": {"shape": [3]},
    "deserialize": {"config": None},
    "get": {"identifier": None},
    "door": {"module": "os", "homes": {}},
    "__getattr__": {"name": "training"},
    "os.system": {"command": "touch PATH"},
    "mean_squared_error": {"y_true": [1.0], "y_pred": [1.0]},
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("part", ["loss", "optimizer", "metrics"])
def test_a_model_is_compiled_with_objects_and_no_call_of_a_function(
    tmp_path: Path, name: str, part: str
) -> None:
    model = rt.nn.Sequential([rt.nn.Input((1,)), rt.nn.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.save(tmp_path / "m.keras")
    written = tmp_path / "out.txt"
    texts = {"PATH": str(tmp_path / "m.keras"), "TEXT": printing_model(written)}
    told = {key: texts.get(str(value), value) for key, value in CALLS[name].items()}
    config = {"class_name": name, "config": told}

    def changed(said: Any) -> None:
        said["graph"]["compiled"][part] = [config] if part == "metrics" else config

    change(tmp_path / "m.keras", changed)
    with pytest.warns(UserWarning, match=f"not compiled: .*{re.escape(name)}"):
        loaded = rt.nn.models.load_model(tmp_path / "m.keras")
    assert loaded.loss is None and not written.exists()


@pytest.mark.parametrize("name", ["load_model", "deserialize", "get", "Input", "Model", "SGD"])
def test_a_config_names_functions_of_tensors_alone(name: str) -> None:
    config = {"module": "builtins", "class_name": "function", "config": name}
    with pytest.raises(CustomObjectError, match=name):
        rt.nn.models.deserialize_keras_object(config)


@pytest.mark.parametrize("name", ["os.system", "os.path", "recurrent.lstm", "layer.Layer", "a/b"])
def test_the_name_of_a_class_imports_nothing(name: str) -> None:
    with pytest.raises(AttributeError):
        rt.nn.layers.Unknown  # Suggestions of names load modules of ours.
    with pytest.raises(CustomObjectError):
        rt.nn.models.model_from_config({"class_name": "Unknown", "config": {}})
    known = set(sys.modules)
    with pytest.raises(CustomObjectError, match="there is no layer"):
        rt.nn.models.model_from_config({"class_name": name, "config": {}})
    with pytest.raises(AttributeError, match=name):
        getattr(rt.nn.layers, name)
    assert known == set(sys.modules)
