"""Law: the reader of any file returns its value or raises an error of ours.

Every reader is given files that were changed at places chosen by a seed: their bytes, and what
their headers say, with the checksum mended. Nothing of it is run as code, no error is Python's own,
nothing waits for ever and nothing fills the memory. AUTOGRAPH_LONG_TESTS=1 tries many times more.
"""

from __future__ import annotations

import copy
import json
import random
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import AutographError
from runtime.errors import (
    ArgumentValueError,
    CustomObjectError,
    DataLossError,
    DTypeError,
    OpError,
    PermissionDeniedError,
    ShapeError,
)
from runtime.nn import Sequential, layers
from tests.hostile import TEXTS, give_header, header
from tests.laws.test_corrupt_input_law import damaged
from tests.suite_length import IS_LONG

HEADERS = 4000 if IS_LONG else 150
BYTES = 1000 if IS_LONG else 40
# Seconds of the processor, which do not depend on other processes.
MOST_SECONDS, MOST_MEGABYTES = 1.5, 200
FORBIDDEN = ("os.system", "os.exec", "os.spawn", "os.fork", "subprocess.", "socket.", "ctypes.")
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 7, 2**31, 2**63, 10**30, 0.5, float("nan"), float("inf")),
    *("", "x", [], {}, [[]], [0], [None], {"tuple": []}, {"array": "array/0"}, {"float": "nan"}),
    *({"class": "SystemExit"}, {"class": "ValueError"}, {"dtype": "variant"}, {"dtype": "string"}),
    *({"object": 0}, {"tensor": "array/0"}, {"graph": 0}, {"list": [1]}, {"again": {"tuple": []}}),
    *({"Input": [5]}, {"Span": [None, 1, 0]}, {"Index": [{"tuple": [{"Input": [9]}]}]}),
    *("sqrt", "print", "unstack", "list_pop", "while_loop", "constant", "float32", "int64"),
    *TEXTS,
)


class Model(rt.Module):
    """Ops of many kinds, a branch, a loop, a handler, a call of another function."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = rt.Variable(2.0, name="scale")
        self.parts = [rt.Variable([1.0, 2.0]), {"same": self.scale}, (self.scale, rt.Variable("t"))]

    @ag.function
    def half(self, x: Any) -> Any:
        return x * 0.5 + self.scale

    @ag.function(input_signature=[rt.TensorSpec([None], rt.float32)])
    def __call__(self, x: Any) -> Any:
        total, rows = self.scale * 1.0, []
        for each in x[1:]:
            total += self.half(each)
            rows.append(each)
            if total > 100.0:
                break
        try:
            if rt.reduce_sum(x, axis=0) < -100.0:
                raise ValueError("too small")
        except ValueError:
            total = 0.0
        parts = rt.unstack(rt.reshape(rt.pad(x[:2], [[0, 2]])[:2], [2, 1]), num=2)
        rt.debugging.assert_greater(total, -1e9, message="of the loop")
        return {"total": total, "rows": rt.stack(rows), "parts": parts, "text": f"{total}"}


def of_saved_model(folder: Path) -> tuple[Path, Callable[[], object]]:
    model = Model()
    model(rt.constant([1.0, 2.0, 3.0]))
    ag.saved_model.save_archive(model, folder)

    def read() -> object:
        loaded = ag.saved_model.load(folder)
        try:
            return loaded(rt.constant([1.0, 2.0, 3.0]))
        except (AutographError, OpError) as error:
            return error  # A function of a file is a program, which may fail when it is called.

    return folder / "saved_model.ckpt", read


def of_checkpoint(folder: Path) -> tuple[Path, Callable[[], object]]:
    def made() -> Any:
        numbers = iter(rt.data.Dataset.range(5).shuffle(3, seed=1))
        return rt.train.Checkpoint(a=rt.Variable([1.0]), b=[rt.Variable("t")], numbers=numbers)

    prefix = made().write(str(folder / "saved"))

    def read() -> object:
        return made().restore(prefix), rt.train.load_checkpoint(prefix).debug_string()

    return folder / "saved.ckpt", read


def of_model(folder: Path) -> tuple[Path, Callable[[], object]]:
    start = rt.nn.Input((3,))
    hidden = layers.Dense(2, activation="relu")(start)
    end = rt.concat([hidden[:, :1] * 2.0, rt.reduce_max(start, axis=1, keepdims=True)], axis=1)
    model = rt.nn.Model(start, layers.Dropout(0.5)(end))
    model.compile(optimizer="sgd", loss="mse", metrics=["mae"])
    path = folder / "model.keras"
    model.save(str(path))
    return path, lambda: rt.nn.models.load_model(str(path))


def of_sequential(folder: Path) -> tuple[Path, Callable[[], object]]:
    model = Sequential(
        [layers.Embedding(5, 3, input_length=4), layers.Bidirectional(layers.LSTM(2))]
    )
    model.build((None, 4))
    path = folder / "model.keras"
    model.save(str(path))
    return path, lambda: rt.nn.models.load_model(str(path))


def of_weights(folder: Path) -> tuple[Path, Callable[[], object]]:
    model = Sequential([layers.Dense(2, input_shape=(3,))])
    path = folder / "all.weights.h5"
    model.save_weights(str(path))
    return path, lambda: model.load_weights(str(path))


READERS = {
    "saved_model": of_saved_model,
    "checkpoint": of_checkpoint,
    "model": of_model,
    "sequential": of_sequential,
    "weights": of_weights,
}


class Scores(rt.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weights = rt.Variable([1.0, 2.0])
        self.label = rt.Variable("label")

    @ag.function(input_signature=[rt.TensorSpec((None, 2), rt.float32)])
    def positive(self, x):
        rows = []
        for row in x:
            if rt.reduce_sum(row) > 0:
                rows.append(row * self.weights)
        self.weights.assign_add([1.0, 1.0])
        return rows


@ag.function(input_signature=[rt.TensorSpec((), rt.int32)])
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def of_graph_def(folder: Path) -> tuple[Path, Callable[[], object]]:
    path = folder / "collatz.graph_def"
    ag.export(collatz, path)

    def read() -> object:
        graph = rt.Graph("read")
        n = graph.add_input(rt.TensorSpec((), rt.int32), "n")
        with graph.recording():
            return rt.export.import_graph_def(path.read_bytes(), {"n:0": n}, ["Identity:0"], "")

    return path, read


def part_of_saved_model(name: str) -> Callable[[Path], tuple[Path, Callable[[], object]]]:
    """Return the maker of a SavedModel in TensorFlow's form, of which one file is damaged."""

    def made(folder: Path) -> tuple[Path, Callable[[], object]]:
        ag.export(Scores(), folder)
        return folder / name, lambda: ag.saved_model.load(folder)

    return made


def of_picture(folder: Path) -> tuple[Path, Callable[[], object]]:
    path = folder / "picture.png"
    pixels = rt.cast(rt.reshape(rt.range(48), (4, 4, 3)), rt.uint8)
    path.write_bytes(rt.io.encode_png(pixels).numpy())
    return path, lambda: rt.io.decode_png(path.read_bytes())


def of_sound(folder: Path) -> tuple[Path, Callable[[], object]]:
    path = folder / "sound.wav"
    samples = rt.reshape(rt.range(20.0) / 20.0, (10, 2))
    path.write_bytes(rt.audio.encode_wav(samples, 8000).numpy())
    return path, lambda: rt.audio.decode_wav(path.read_bytes())


# Files of other projects' forms, which have no header of ours.
OF_OTHER_FORMS = {
    "graph_def": of_graph_def,
    "saved_model.pb": part_of_saved_model("saved_model.pb"),
    "variables.index": part_of_saved_model("variables/variables.index"),
    "variables.data": part_of_saved_model("variables/variables.data-00000-of-00001"),
    "picture": of_picture,
    "sound": of_sound,
}


# What SECURITY.md promises. A checkpoint, which is taken up by objects that are there already, may
# be of others.
PROMISED = (DataLossError, CustomObjectError, PermissionDeniedError)
OF_OTHERS = (ArgumentValueError, DTypeError, ShapeError)


class TooLong(BaseException):
    """Raised where a reader does not come to its end."""


_seen: list[str] = []
_watching: list[str] = []


def _watch(event: str, args: tuple[Any, ...]) -> None:
    if not _watching:
        return
    is_write = event == "open" and isinstance(args[1], str) and set(args[1]) & set("wax+")
    if event.startswith(FORBIDDEN) or is_write:
        _seen.append(f"{_watching[-1]}: {event} {args!r:.200}")


sys.addaudithook(_watch)


@contextmanager
def watched(what: str) -> Iterator[None]:
    """Note the current reader, and stop one that takes too long."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooLong(what)

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
    _watching.append(what)
    try:
        yield
    finally:
        _watching.pop()
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def fault_of(read: Callable[[], object], what: str) -> str:
    """Return the fault in the reading of a file; nothing for a value or a promised error."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    fault = ""
    try:
        with watched(what):
            read()
    except PROMISED:
        pass
    except BaseException as error:
        kinds: Any = OF_OTHERS if what.startswith("checkpoint") else ()
        kinds = OpError if what.split()[0] in OF_OTHER_FORMS else kinds
        fault = "" if isinstance(error, kinds) else f"{type(error).__name__}: {error}"
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    if grown > MOST_MEGABYTES:
        fault = f"{grown} megabytes"
    fault = fault or "".join(_seen)
    _seen.clear()
    return f"{what}: {fault}" if fault else ""


def places_in(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, each in items:
        yield (*path, key)
        if isinstance(each, (dict, list)):
            yield from places_in(each, (*path, key))


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def changed(said: Any, seed: int) -> tuple[Any, str]:
    """Return the contents of a header with a change or two, and the changes."""
    chosen, made, done = random.Random(seed), copy.deepcopy(said), []
    for _ in range(chosen.choice((1, 1, 1, 2, 3))):
        paths = list(places_in(made))
        path = chosen.choice(paths)
        parent, key = at(made, path[:-1]), path[-1]
        kind = chosen.randrange(6)
        done.append(f"{kind} at {path}")
        if kind == 0:
            del parent[key]
        elif kind == 1:
            parent[key] = copy.deepcopy(at(made, chosen.choice(paths)))
        elif kind == 2 and isinstance(parent, dict):
            parent[str(chosen.choice(TEXTS))] = parent.pop(key)
        elif kind == 3 and isinstance(parent, list):
            parent.insert(key, copy.deepcopy(parent[key]))
        elif kind == 4:
            for _ in range(chosen.choice((1, 5, 60))):
                parent[key] = chosen.choice(([parent[key]], {"tuple": [parent[key]]}))
        else:
            parent[key] = copy.deepcopy(chosen.choice(VALUES))
            done[-1] += f" = {parent[key]!r:.50}"
    return made, "; ".join(done)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", READERS)
def test_readers_survive_changed_headers(name: str, tmp_path: Path) -> None:
    file, read = READERS[name](tmp_path)
    assert "" == fault_of(read, "as it was written")
    said, faults = header(file), []
    for seed in range(HEADERS):
        other, what = changed(said, seed)
        give_header(file, json.dumps(other).encode())
        faults.append(fault_of(read, f"{name} {seed}: {what}"))
    assert [] == [each for each in faults if each]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [*READERS, *OF_OTHER_FORMS])
def test_readers_survive_damaged_bytes(name: str, tmp_path: Path) -> None:
    file, read = {**READERS, **OF_OTHER_FORMS}[name](tmp_path)
    data, faults = file.read_bytes(), []
    for seed in range(BYTES):
        file.write_bytes(damaged(data, seed))
        faults.append(fault_of(read, f"{name} {seed}"))
    assert [] == [each for each in faults if each]
