"""Suggestions for misspelled names, and for other libraries' names.

rt.conact    module 'autograph.runtime' has no attribute 'conact'; did you mean 'concat'?
rt.sum       module 'autograph.runtime' has no attribute 'sum'; write rt.reduce_sum
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from difflib import get_close_matches

OF_TENSORFLOW = {
    "function": "ag.function",
    "keras": "rt.nn",
    "layers": "rt.nn.layers",
    "losses": "rt.nn.losses",
    "metrics": "rt.nn.metrics",
    "models": "rt.nn.models",
    "optimizers": "rt.nn.optimizers",
    "saved_model": "ag.saved_model",
}
"""Names of TensorFlow that are elsewhere here."""

RENAMED_FROM_NUMPY = {
    "absolute": "rt.abs",
    "all": "rt.reduce_all",
    "amax": "rt.reduce_max",
    "amin": "rt.reduce_min",
    "any": "rt.reduce_any",
    "arange": "rt.range",
    "arccos": "rt.acos",
    "arccosh": "rt.acosh",
    "arcsin": "rt.asin",
    "arcsinh": "rt.asinh",
    "arctan": "rt.atan",
    "arctan2": "rt.atan2",
    "arctanh": "rt.atanh",
    "max": "rt.reduce_max",
    "min": "rt.reduce_min",
    "power": "rt.pow",
    "prod": "rt.reduce_prod",
    "std": "rt.math.reduce_std",
    "sum": "rt.reduce_sum",
    "var": "rt.math.reduce_variance",
}
"""Functions that have another name here than in NumPy."""

# Functions of NumPy's, and the nearest code here.
_NEAREST = {
    "allclose": "rt.debugging.assert_near",
    "array": "rt.constant",
    "asarray": "rt.convert_to_tensor",
    "clip": "rt.clip_by_value",
    "concatenate": "rt.concat",
    "cumprod": "rt.math.cumprod",
    "det": "rt.linalg.det",
    "dot": "rt.matmul",
    "empty": "rt.zeros",
    "full": "rt.fill",
    "hstack": "rt.concat(values, 1)",
    "inv": "rt.linalg.inv",
    "mean": "rt.reduce_mean",
    "median": "rt.sort(x)[rt.size(x) // 2]",
    "ndim": "rt.rank",
    "remainder": "rt.floormod",
    "take": "rt.gather",
    "true_divide": "rt.truediv",
    "vstack": "rt.concat(values, 0)",
}

OF_OTHERS = {**RENAMED_FROM_NUMPY, **_NEAREST, **OF_TENSORFLOW}


def nearest(name: str, known: Iterable[str], cutoff: float = 0.7) -> str | None:
    """Return the known name that is most like a misspelled one: the same letters come first.

    >>> nearest("adma", ["adam", "adamax"]), nearest("rnu", ["run"]), nearest("q", ["run"])
    ('adam', 'run', None)
    """
    ordered, letters = sorted(known), sorted(name)
    near = [each for each in ordered if sorted(each) == letters]
    return next(iter(near or get_close_matches(name, ordered, 1, cutoff)), None)


def did_you_mean(name: str, known: Iterable[str], prefix: str = "") -> str:
    """Return words with the known name that is most like a misspelled one, "" if none is.

    Args:
        prefix: shown before the name.

    >>> did_you_mean("conact", ["concat", "constant"])
    "; did you mean 'concat'?"
    """
    near = nearest(name, known)
    return "" if near is None else f"; did you mean {prefix + near!r}?"


def attribute_suggestion(module: str, name: str, public: Iterable[str]) -> str:
    """Return words with the name to write instead of one that a module does not have.

    >>> attribute_suggestion("runtime", "sum", [])
    '; write rt.reduce_sum'
    """
    if name.startswith("_"):
        return ""
    if module == "runtime" and name in OF_OTHERS:
        return f"; write {OF_OTHERS[name]}"
    if module == "autograph" and hasattr(sys.modules.get("runtime"), name):
        return f"; write rt.{name}"
    return did_you_mean(name, (each for each in public if not each.startswith("_")))
