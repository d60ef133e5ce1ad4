"""An object with all that a SavedModel has, for tests of those that TensorFlow saved again."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import autograph as ag
import runtime as rt

SPEC = rt.TensorSpec([None, 2], rt.float32)


class Ends(NamedTuple):
    """A result with fields."""

    last: Any
    first: Any


class Station(rt.Module):
    """It has variables in containers, an asset, state, training, and structured functions."""

    def __init__(self, words: Path) -> None:
        super().__init__()
        self.weights = rt.Variable([[1.0, 0.5], [0.25, 2.0]], name="weights")
        self.parts = [rt.Variable(3.0), {"k": rt.Variable(4, dtype=rt.int64), "w": self.weights}]
        self.steps = rt.Variable(0, trainable=False)
        self.label = rt.Variable("none", trainable=False)
        self.words = ag.saved_model.Asset(words)
        self.optimizer = rt.nn.optimizers.Adam(0.1)

    @ag.function
    def mapped(self, x: Any) -> Any:
        return x @ self.weights

    @ag.function
    def walked(self, given: Any, times: int = 3, *, negate: bool = False) -> Any:
        """Return a structure, from a loop with a branch and a call."""
        x, shift = given["x"], given["rest"][0]
        for _ in rt.range(times):
            if rt.reduce_sum(x) > 50.0:
                x = x - shift
            else:
                x = self.mapped(x)
        total = rt.reduce_sum(x, axis=0)
        return {"x": -x if negate else x, "ends": [Ends(total[1], total[0]), None]}

    @ag.function(input_signature=[rt.TensorSpec((), rt.int32), rt.TensorSpec((), rt.string)])
    def counted(self, amount: Any, label: Any) -> Any:
        if amount < 0:
            raise ValueError("negative")
        self.label.assign(rt.strings.join([label, self.words.asset_path], separator=" "))
        return self.steps.assign_add(amount), rt.identity(self.label)

    @ag.function(input_signature=[SPEC])
    def train(self, x: Any) -> Any:
        with rt.GradientTape() as tape:
            loss = rt.reduce_mean((x @ self.weights - 1.0) ** 2)
        gradients = tape.gradient(loss, [self.weights])
        self.optimizer.apply_gradients(zip(gradients, [self.weights]))
        return {"loss": loss}


def save_station(folder: str) -> None:
    """Save a station after a step of training, with two signatures."""
    words = Path(folder).parent / "words.txt"
    words.write_text("one two")
    station = Station(words)
    station.train([[1.0, 2.0], [3.0, 4.0]])
    x = {"x": rt.ones([2, 2]), "rest": [rt.constant(0.5)]}
    station.walked(x)
    specs = {"x": SPEC, "rest": [rt.TensorSpec((), rt.float32)]}
    station.walked.get_concrete_function(specs, 2, negate=True)
    ag.saved_model.save(
        station, folder, signatures={"counted": station.counted, "train": station.train}
    )
