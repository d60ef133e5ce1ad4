"""Exports four programs, with inputs and the results here, to a folder for other machines.

    python tools/exported_programs.py FOLDER

The programs are a classifier of digits that is trained in a graph, an LSTM, collatz, and a counter
with state. Each has a SavedModel, an ONNX model, and a file of the arrays of its calls, under
`CALL/in/NAME`, `CALL/out/NAME` and `state/NAME`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import autograph as ag
import runtime as rt

SIGNATURE = "serving_default"


class Exported(NamedTuple):
    """A program to export.

    Attributes:
        name: its name.
        what: the function, model or object.
        signatures: its signatures; None for the usual one.
        call: the function or model, for the results.
        inputs: the arguments of each call.
        state: its variables that change, by name.
    """

    name: str
    what: Any
    signatures: Mapping[str, Any] | None
    call: Callable[..., Any]
    inputs: Sequence[Any]
    state: Mapping[str, rt.Variable]


def digits() -> Exported:
    """A classifier of digits, trained in a graph."""
    (images, labels), (new_images, _) = rt.nn.datasets.digits.load_data()
    images, new_images = (np.asarray(each, np.float32) / 16 for each in (images, new_images))
    layers = rt.nn.layers
    rt.random.set_seed(0)
    model = rt.nn.Sequential(
        [
            layers.Flatten(input_shape=(8, 8)),
            layers.Dense(64, activation="relu"),
            layers.Dense(10, activation="softmax"),
        ]
    )
    optimizer = rt.nn.optimizers.Adam(0.005)
    cross_entropy = rt.nn.losses.SparseCategoricalCrossentropy()

    @ag.function
    def train(rows: Any) -> Any:
        steps = 0
        for x, y in rows:
            with rt.GradientTape() as tape:
                loss = cross_entropy(y, model(x))
            weights = model.trainable_variables
            optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
            steps += 1
        return steps

    train(rt.data.Dataset.from_tensor_slices((images, labels)).batch(50).repeat(5))
    return Exported("digits", model, None, model, [new_images[:7], new_images[7:40]], {})


def lstm() -> Exported:
    """An LSTM over sequences of any length."""
    rt.random.set_seed(1)
    layers = rt.nn.layers
    model = rt.nn.Sequential([rt.nn.Input((None, 4)), layers.LSTM(8), layers.Dense(3)])
    numbers = np.random.default_rng(0)
    inputs = [np.float32(numbers.normal(size=(2, length, 4))) for length in (1, 5)]
    return Exported("lstm", model, None, model, inputs, {})


@ag.function(input_signature=[rt.TensorSpec((), rt.int32)])
def collatz(n: Any) -> Any:
    """Return the number of steps to 1."""
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def collatz_of_three() -> Exported:
    """Collatz of three numbers."""
    return Exported("collatz", collatz, None, collatz, [np.int32(n) for n in (1, 6, 27)], {})


class Counter(rt.Module):
    """A counter."""

    def __init__(self) -> None:
        super().__init__()
        self.total = rt.Variable(5, name="total")

    @ag.function(input_signature=[rt.TensorSpec((), rt.int32)])
    def add(self, amount: Any) -> Any:
        """Add to the total, and return it."""
        return self.total.assign_add(amount)


def counter() -> Exported:
    """A counter that is added to three times."""
    made, inputs = Counter(), [np.int32(n) for n in (3, -1, 4)]
    return Exported("counter", made, {SIGNATURE: made.add}, made.add, inputs, {"total": made.total})


def programs() -> Iterator[Exported]:
    """Yield the programs."""
    yield digits()
    yield lstm()
    yield collatz_of_three()
    yield counter()


def write(program: Exported, folder: Path) -> None:
    """Export a program in both formats, and write its calls."""
    offered = program.signatures
    ag.export(program.what, folder / program.name, signatures=offered)
    ag.export(program.what, folder / f"{program.name}.onnx", format="onnx", signatures=offered)
    served = ag.saved_model.load(folder / program.name).signatures[SIGNATURE]
    (name,) = served.structured_input_signature[1]
    (result,) = served.structured_outputs
    arrays = {f"state/{key}": each.numpy() for key, each in program.state.items()}
    for number, value in enumerate(program.inputs):
        arrays[f"{number}/in/{name}"] = value
        arrays[f"{number}/out/{result}"] = program.call(rt.constant(value)).numpy()
    np.savez(folder / f"{program.name}.npz", **arrays)


def main() -> None:
    """Write all programs."""
    folder = Path(sys.argv[1])
    for program in programs():
        write(program, folder)
        print(program.name)


if __name__ == "__main__":
    main()
