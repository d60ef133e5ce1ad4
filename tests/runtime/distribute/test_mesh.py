"""Meshes: four devices and two processes compute the numbers of one device."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as rt
from tests.runtime.distribute.mesh_training import new_model

pytest.importorskip("jax")

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = Path(__file__).with_name("mesh_training.py")
LIMIT = 300.0


def _environment(devices: int) -> dict[str, str]:
    flags = f"--xla_force_host_platform_device_count={devices}"
    return {**os.environ, "PYTHONPATH": str(ROOT), "XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"}


def _ended(words: list[str], devices: int) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        env=_environment(devices),
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )


def _results(ended: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    assert 0 == ended.returncode, ended.stderr
    lines = [line.partition("{") for line in ended.stdout.splitlines()]
    return [json.loads(mark + rest) for _, mark, rest in lines if mark]


@pytest.fixture(scope="module")
def alone(tmp_path_factory) -> dict[str, Any]:
    """The results on one device."""
    prefix = tmp_path_factory.mktemp("alone") / "digits"
    (found,) = _results(_ended([str(PROGRAM), str(prefix)], 1))
    return found


def _assert_same(expected: dict[str, Any], found: dict[str, Any]) -> None:
    np.testing.assert_allclose(expected["losses"], found["losses"], atol=1e-5, rtol=1e-5)
    for a, b in zip(expected["weights"], found["weights"], strict=True):
        np.testing.assert_allclose(a, b, atol=1e-5)
    if "parts" in expected:
        _assert_same(expected["parts"], found["parts"])


def _restored(prefix: str) -> Any:
    model = new_model()
    rt.train.Checkpoint(model=model).read(prefix).assert_existing_objects_matched()
    return model.get_weights()


def test_four_devices_train_as_one(alone, tmp_path) -> None:
    (found,) = _results(_ended([str(PROGRAM), str(tmp_path / "digits")], 4))
    assert "<Mesh data=4>" == found["mesh"]
    _assert_same(alone, found)
    assert "(None, 'data')" == found["sharding"]
    for a, b in zip(_restored(str(tmp_path / "digits-sharded")), found["weights"]):
        np.testing.assert_array_equal(np.float32(b), a)


def test_two_processes_train_as_one(alone, tmp_path) -> None:
    prefix = tmp_path / "digits"
    words = ["-m", "autograph", "launch", "-n", "2", str(PROGRAM), str(prefix)]
    found = _results(_ended(words, 2))
    assert [[0, 2], [1, 2]] == sorted(each["place"] for each in found)
    files = [f"digits-{name}.ckpt" for name in (1, 2, 3, "sharded")]
    assert files == sorted(each.name for each in tmp_path.iterdir())
    for each in found:
        assert (files if each["place"][0] == 0 else []) == each["written"]
        assert "<Mesh data=4>" == each["mesh"]
        _assert_same(alone, each)
        assert each["sharded"] == each["weights"][0]
        assert (
            "process 0 has a part of 32 rows, and process 1 one of 64" in each["parts"]["refused"]
        )
    # Restored on one device, here.
    for a, b in zip(_restored(str(prefix) + "-sharded"), found[0]["weights"]):
        np.testing.assert_array_equal(np.float32(b), a)


def test_a_killed_rank_ends_the_run_and_leaves_its_checkpoint(alone, tmp_path) -> None:
    prefix = tmp_path / "digits"
    words = ["-m", "autograph", "launch", "-n", "2", str(PROGRAM), str(prefix), "2"]
    ended = _ended(words, 2)
    assert 128 + signal.SIGKILL == ended.returncode, ended.stderr
    assert "autograph: rank 1 has failed with signal SIGKILL" in ended.stderr
    assert {"digits-1.ckpt", "digits-2.ckpt"} == {each.name for each in tmp_path.iterdir()}
    weights = _restored(f"{prefix}-2")
    assert len(alone["weights"]) == len(weights) and all(map(np.isfinite, map(np.sum, weights)))


# -- one program of parts on four devices ----------------------------------------------------------

PARTS = """\
import json, re, warnings
import numpy as np
import jax
import autograph as ag
import runtime as rt
from runtime.core.mesh import on_devices
from runtime.executors.executor import graph_function

warnings.simplefilter("error")
found = {}
rng = np.random.default_rng(0)
x = rt.constant(rng.standard_normal((64, 16)), rt.float32)
y = rt.constant(rng.integers(0, 4, 64))
first = [rng.standard_normal(shape).astype("float32") * 0.1 for shape in ((16, 8), (8, 4))]
w1, w2 = map(rt.Variable, first)

def train(x, y, steps):
    x = ag.shard(x, "data")
    loss = 0.0
    for _ in rt.range(steps):
        with rt.GradientTape() as tape:
            logits = rt.matmul(rt.nn.relu(rt.matmul(x, w1)), w2)
            losses = rt.nn.sparse_softmax_cross_entropy_with_logits(y, logits)
            loss = rt.reduce_mean(losses)
        g1, g2 = tape.gradient(loss, [w1, w2])
        w1.assign_sub(0.1 * g1)
        w2.assign_sub(0.1 * g2)
    return loss

in_graph = ag.function(train)
alone = [float(in_graph(x, y, rt.constant(5)))] + [w.numpy() for w in (w1, w2)]
for variable, value in zip((w1, w2), first):
    variable.assign(value)
with ag.mesh(data=4) as mesh:
    xs, ys, steps = ag.shard(x, "data"), ag.shard(y, "data"), ag.shard(rt.constant(5))
    spread = [float(in_graph(xs, ys, steps))] + [w.numpy() for w in (w1, w2)]
    found["differences"] = [float(np.abs(a - b).max()) for a, b in zip(alone, spread)]
    (trace,) = set(in_graph._on_mesh(mesh)._traces.by_key.values())
    text = graph_function(trace.graph).compiled_source
    found["all_reduces"] = re.findall(r"= (\\S.*?) all-reduce\\(", text)
    words = "all-gather all-to-all infeed outfeed send recv custom-call".split()
    found["others"] = [word for word in words if f" {word}(" in text]
    found["loops"] = text.count(" while(")
    in_graph(xs, ys, steps)
    with jax.transfer_guard("disallow"):
        in_graph(xs, ys, steps)
        try:
            in_graph(xs, y, steps)
            found["guard"] = ""
        except Exception as error:
            found["guard"] = type(error).__name__

# -- variables and results keep their shardings
def of(array):
    return str(tuple(array.sharding.spec))

v = rt.Variable(np.arange(8.0))
with ag.mesh({"data": 2, "model": 2}) as mesh:
    ag.shard(v, "model")

    @ag.function
    def step(x):
        v.assign_add(rt.reduce_sum(x, 1))
        return x * 2.0, rt.reduce_sum(v)

    x = ag.shard(rt.ones([8, 4], rt.float64), "data", "model")
    doubled, total = step(x)
    found["total"] = float(total)
    found["of_variable"] = [of(v.held_value())]
    v.numpy()
    step(x)
    found["of_variable"].append(of(v.held_value()))
    found["of_argument"] = of(on_devices(x._array))
    found["of_result"] = of(on_devices(doubled._array))
    found["result"] = doubled.numpy().tolist() == [[2.0] * 4] * 8
    found["parts"] = [list(each.data.shape) for each in v.held_value().addressable_shards]
    again, _ = step(doubled)
    found["again"] = float(rt.reduce_sum(again))
    batches = ag.shard(rt.data.Dataset.from_tensor_slices(np.ones((8, 2), "f4")).batch(4), "data")
    found["batches"] = [of(on_devices(each._array)) for each in batches]

    whole = rt.Variable(np.zeros((8, 4)))
    ag.function(lambda x: whole.assign(x * 3.0).read_value())(x)
    found["of_whole"] = [of(whole.held_value()), float(whole.numpy().sum())]

    plain = ag.function(lambda x: x + 1.0, executor="numpy")
    found["numpy"] = type(graph_function(plain.get_concrete_function(x).graph)).__name__
    class Counter:
        def __init__(self, by): self.by, self.n = by, rt.Variable(0.0)
        @ag.function
        def count(self): self.n.assign_add(self.by); return self.n.read_value()
    found["methods"] = [float(Counter(by).count()) for by in (1.0, 2.0)]
    model = rt.nn.Sequential([rt.nn.layers.Dense(4), rt.nn.layers.Dense(3)])
    model.build((None, 6))
    ag.shard(model, "model")
    found["model"] = [of(each.held_value()) for each in model.variables]
    with ag.mesh(data=4):
        found["inner"] = float(step(x)[1])
found["outside"] = float(ag.function(lambda: rt.reduce_sum(v))())
found["without_mesh"] = float(ag.function(lambda x: rt.reduce_sum(ag.shard(x, "data")))(x))

# -- refused
def told(call):
    try:
        call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"

with ag.mesh(data=2, model=2):
    found["refused"] = [
        told(lambda: ag.shard(rt.ones([6, 3]), None, "data")),
        told(lambda: ag.shard(rt.ones([4]), "rows")),
        told(lambda: ag.shard(rt.ones([4]), "data", "model")),
        told(lambda: ag.shard(rt.ones([4, 4]), "data", "data")),
        told(lambda: ag.shard(rt.ones([6, 3]), ("data", "model"))),
        told(lambda: ag.function(lambda x: ag.shard(x, None, "data"))(rt.ones([6, 3]))),
        told(lambda: ag.mesh(data=8)),
        told(lambda: ag.mesh(data=0)),
        told(lambda: ag.mesh(data=-1, model=-1)),
        told(lambda: ag.mesh({"data": "4"})),
    ]
found["no_mesh"] = told(lambda: ag.shard(rt.ones([4]), "data"))
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def parts(tmp_path_factory) -> dict[str, Any]:
    program = tmp_path_factory.mktemp("parts") / "parts.py"
    program.write_text(PARTS)
    (found,) = _results(_ended([str(program)], 4))
    return found


def test_a_loop_in_a_graph_gives_the_numbers_of_one_device(parts) -> None:
    assert [] == [each for each in parts["differences"] if not each < 1e-5]


def test_a_loop_stays_on_the_devices(parts) -> None:
    # The loss and both gradients together, and whether a label is out of range.
    assert ["(f32[], f32[16,8]{1,0}, f32[8,4]{1,0})", "pred[]"] == parts["all_reduces"]
    assert ([], 1) == (parts["others"], parts["loops"])
    assert "" == parts["guard"]


def test_values_keep_their_shardings(parts) -> None:
    model, both = "('model',)", "('data', 'model')"
    assert [model, model] == parts["of_variable"]
    assert [[4]] * 4 == parts["parts"]
    assert ["()", 96.0] == parts["of_whole"]
    assert [both, both] == [parts["of_argument"], parts["of_result"]]
    assert (28.0 + 32.0, True, 128.0) == (parts["total"], parts["result"], parts["again"])
    assert ["('data',)"] * 2 == parts["batches"]
    of_kernel, of_bias = "(None, 'model')", "('model',)"
    uneven = ["('model',)", "()"]
    assert [of_kernel, of_bias, *uneven] == parts["model"]


def test_each_function_runs_where_it_belongs(parts) -> None:
    assert "EngineFunction" != parts["numpy"]
    assert [1.0, 2.0] == parts["methods"]
    assert 28.0 + 32.0 + 32.0 + 64.0 + 32.0 == parts["inner"] == parts["outside"]
    assert 32.0 == parts["without_mesh"]


def test_wrong_meshes_and_shards_are_refused(parts) -> None:
    expected = [
        "ShapeError: dimension 1 of shape (6, 3) is 3, which 2 devices along 'data' cannot share",
        "ArgumentValueError: the mesh has no axis 'rows', only 'data', 'model'",
        "ShapeError: there are 2 axes for the 1 dimensions",
        "ArgumentValueError: each axis of the mesh must divide only one dimension",
        "ShapeError: dimension 0 of shape (6, 3) is 6, which 4 devices along ('data', 'model')",
        "ShapeError: dimension 1 of shape (6, 3) is 3, which 2 devices along 'data' cannot share",
        "ArgumentValueError: a mesh of data=8 needs 8 devices, and there are 4: to divide the "
        "processor, start with XLA_FLAGS=--xla_force_host_platform_device_count=8, or call "
        "tf.config.set_logical_device_configuration",
        "ArgumentValueError: each axis of a mesh must have at least one device",
        "ArgumentValueError: only one axis may be -1, not data and model",
        "ArgumentValueError: a mesh takes the number of devices for each axis",
    ]
    assert len(expected) == len(parts["refused"])
    for start, text in zip(expected, parts["refused"]):
        assert str(text).startswith(start)
    assert "GraphError: ag.shard needs a mesh" in parts["no_mesh"]


def test_tf_config_divides_the_processor(tmp_path) -> None:
    text = """\
from autograph.compat import tensorflow as tf
import autograph as ag, runtime as rt
(cpu,) = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 3)
print([each.name for each in rt.devices()], ag.mesh(data=-1))
"""
    program = tmp_path / "program.py"
    program.write_text(text)
    environment = {**_environment(1), "XLA_FLAGS": ""}
    ended = subprocess.run(
        [sys.executable, str(program)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    assert "['cpu:0', 'cpu:1', 'cpu:2'] <Mesh data=3>\n" == ended.stdout, ended.stderr


UNEQUAL = """\
import autograph as ag, runtime as rt
own = float(ag.process_index()) if ag.mesh(data=-1) else 0.0
v = rt.Variable(own + 5.0)
with ag.mesh(data=-1):
    print("value", float(ag.function(lambda: v * 2.0)()), float(rt.random.uniform([])))
    ag.function(lambda x: x + 1.0)(rt.constant(own))
"""


def test_processes_compute_with_the_same_values(tmp_path) -> None:
    program = tmp_path / "program.py"
    program.write_text(UNEQUAL)
    ended = _ended(["-m", "autograph", "launch", "-n", "2", str(program)], 1)
    values = [line.split()[1:] for line in ended.stdout.splitlines() if "value" in line]
    assert 2 == len(values) and values[0][1:] == values[1][1:]
    assert ["10.0"] * 2 == [value for _, value, _ in (line for line in values)]
    assert 1 == ended.returncode
    assert "processes 0 and 1 have different values for an argument of shape ()" in ended.stderr


ALONE = """
import os, threading
import numpy as np
import autograph as ag, runtime as rt
from runtime.core import mesh

mesh._PATIENCE = 1.0

with ag.mesh(data=2):
    spread = ag.shard(rt.Variable(np.zeros((4, 2), np.float32)), "data")
    ag.function(lambda: spread.assign(spread + 1.0))()
    if ag.process_index() == 0:
        threading.Timer(5.0, os._exit, [3]).start()
        print(spread.numpy())
    threading.Event().wait(60.0)
"""


def test_a_process_that_waits_alone_names_its_line(tmp_path) -> None:
    program = tmp_path / "alone.py"
    program.write_text(ALONE)
    ended = _ended(["-m", "autograph", "launch", "-n", "2", str(program)], 1)
    line = 1 + ALONE.splitlines().index("        print(spread.numpy())")
    told = [each for each in ended.stderr.splitlines() if "WaitWarning" in each]
    assert len(told) == 1, ended.stderr
    assert f"alone.py:{line}: WaitWarning: process 0 has waited here for 1 " in told[0]


@pytest.mark.parametrize(
    "variables, message",
    [
        ({"JAX_PROCESS_ID": "0"}, "initialize() lacks coordinator_address and num_processes"),
        (
            {
                "JAX_PROCESS_ID": "2",
                "JAX_NUM_PROCESSES": "2",
                "JAX_COORDINATOR_ADDRESS": "127.0.0.1:1",
            },
            "process_id must be one of 0 to 1, not 2",
        ),
        (
            {
                "JAX_PROCESS_ID": "a",
                "JAX_NUM_PROCESSES": "2",
                "JAX_COORDINATOR_ADDRESS": "127.0.0.1:1",
            },
            "process_id must be numbers, not '2' and 'a'",
        ),
    ],
)
def test_a_wrong_environment_is_refused(variables, message) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", "import autograph as ag; ag.initialize()"],
        env={**_environment(1), **variables},
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    assert re.search(f"ArgumentValueError: .*{re.escape(message)}", ended.stderr), ended.stderr
