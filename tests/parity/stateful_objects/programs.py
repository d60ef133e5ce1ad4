"""Random programs of objects with state, of three kinds; a seed always gives the same one.

trainer     layers with `build`, counters, metrics, optimizers, nested and shared objects
inside      the same, with objects with variables that each call makes for itself
fitting     `fit` and `evaluate` with metrics, losses and layers of the user's
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.parity.stateful_objects.fitting import FittingWriter
from tests.parity.stateful_objects.trainers import TrainerWriter

KINDS = ("trainer", "inside", "fitting")
_IMPORTS = {
    "native": "import numpy as np\n\nimport runtime as rt\n\n",
    "compat": "import numpy as np\n\nfrom autograph.compat import tensorflow as tf\n\n",
}
# How the two ways of writing a program call the same.
_SPELLINGS = {
    "native": (("tf.", "rt."), ("keras.Sequential", "rt.nn.Sequential"), ("keras.", "rt.nn.")),
    "compat": (("keras.", "tf.keras."),),
}


@dataclass(frozen=True)
class StatefulProgram:
    """One program.

    Attributes:
        name: says which, and in which spelling.
        kind: one of `KINDS`.
        text: a module with a function `entry`.
    """

    name: str
    kind: str
    text: str


def random_program(kind: str, seed: int) -> StatefulProgram:
    """Return the program of a kind that a seed says."""
    spelling = "compat" if seed % 3 == 0 else "native"
    text = _written(kind, seed)
    for old, new in _SPELLINGS[spelling]:
        text = text.replace(old, new)
    return StatefulProgram(f"{kind} {seed}", kind, _IMPORTS[spelling] + text)


def _written(kind: str, seed: int) -> str:
    if kind == "fitting":
        return FittingWriter(seed).text()
    return TrainerWriter(seed, kind == "inside").text()
