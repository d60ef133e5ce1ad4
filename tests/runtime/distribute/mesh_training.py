"""A program that trains on digits, on one device or on a mesh of all devices of all processes.

`mesh_training.py PREFIX [NUMBER]` saves checkpoints, prints its results as one line of JSON, and
kills rank 1 after the checkpoint of that number.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import nullcontext
from typing import Any

import autograph as ag
import runtime as rt
from runtime.train import archive

WRITTEN: list[str] = []


def note_files() -> None:
    """Note the files of checkpoints that this process writes."""
    write = archive.write_atomically

    def noted(path: str, data: bytes) -> None:
        WRITTEN.append(os.path.basename(path))
        write(path, data)

    archive.write_atomically = noted  # type: ignore[assignment]


def new_model() -> Any:
    """Return a model for digits whose first weights are always the same."""
    layers, init = rt.nn.layers, rt.nn.initializers
    model = rt.nn.Sequential(
        [
            layers.Dense(32, activation="relu", kernel_initializer=init.GlorotUniform(seed=1)),
            layers.Dense(10, kernel_initializer=init.GlorotUniform(seed=2)),
        ]
    )
    loss = rt.nn.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(optimizer=rt.nn.optimizers.Adam(0.01), loss=loss, metrics=["accuracy"])
    model.build((None, 64))
    return model


def digits() -> Any:
    """Return rows and labels; the last batch of 64 cannot be divided by four."""
    (x, y), _ = rt.nn.datasets.digits.load_data()
    return (x.reshape(-1, 64) / 16.0).astype("float32")[:450], y[:450].astype("int64")


def train(model: Any, prefix: str, killed: int) -> dict[str, Any]:
    """Train for three epochs, with a checkpoint after each."""
    x, y = digits()
    checkpoint, losses = rt.train.Checkpoint(model=model), []
    for epoch in range(1, 4):
        history = model.fit(x, y, batch_size=64, epochs=1, shuffle=False, verbose=0).history
        losses.append([history["loss"][0], history["accuracy"][0]])
        saved = checkpoint.write(f"{prefix}-{epoch}")
        if epoch == killed and ag.process_index() == 1:
            os.kill(os.getpid(), signal.SIGKILL)
    return {"losses": losses, "weights": [w.tolist() for w in model.get_weights()], "saved": saved}


def train_on_parts(is_alone: bool) -> dict[str, Any]:
    """Train for one epoch on batches of which each process reads only its own rows."""
    count, rank = ag.process_count(), ag.process_index()
    x, y = digits()

    def own(rows: Any) -> Any:
        parts = rows[:448].reshape(7, count, 64 // count, *rows.shape[1:])
        return parts[:, rank].reshape(-1, *rows.shape[1:])

    parts = rt.data.Dataset.from_tensor_slices((own(x), own(y))).batch(64 // count)
    model = new_model()
    data = parts if is_alone else ag.shard(parts, "data", process_local=True)
    losses = model.fit(data, epochs=2, verbose=0).history["loss"]
    found = {"losses": losses, "weights": [w.tolist() for w in model.get_weights()]}
    if not is_alone:
        try:
            ag.shard(x[: 32 + 32 * rank], "data", process_local=True)
        except rt.errors.InvalidArgumentError as error:
            found["refused"] = str(error)
    return found


def main(prefix: str, killed: int = 0) -> None:
    """Train, on a mesh if there are several devices."""
    note_files()
    is_alone = len(rt.devices()) == 1
    model = new_model()
    with nullcontext() if is_alone else ag.mesh(data=-1) as mesh:
        found = train(model, prefix, killed)
        kernel = model.layers[0].kernel
        if not is_alone:
            ag.shard(kernel, None, "data")
            found["sharding"] = str(tuple(kernel.held_value().sharding.spec))
            rt.train.Checkpoint(model=model).write(f"{prefix}-sharded")
            found["sharded"] = kernel.numpy().tolist()
        found["parts"] = train_on_parts(is_alone)
    place = [ag.process_index(), ag.process_count()]
    print(json.dumps({**found, "written": WRITTEN, "mesh": repr(mesh), "place": place}))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
