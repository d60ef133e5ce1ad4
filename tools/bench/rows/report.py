"""The files of a speed table run: JSON, a page and a picture."""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import platform
from collections.abc import Iterator, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from tools.bench import clock
from tools.bench.rows.measurements import WEIGHTS, Figures
from tools.bench.rows.speed import Measured, weight_text

_MODES = ("graph", "eager", "interpreter", "plain", "tf", "tf_xla", "jax", "torch", "numba")
_HEADS = {
    "graph": "our graph",
    "eager": "our eager",
    "plain": "NumPy or Python",
    "tf": "TF graph",
    "tf_xla": "TF XLA",
    "jax": "JAX",
}
_ABOUT = """# Speed

CPU time of one call, the median of {rounds} rounds in which all columns take turns, on one core
and with one thread; every result is checked against a computation in NumPy or plain Python.
Compare ratios: the figures are those of one machine.
`python tools/bench speed --peers --page FILE` makes this page.

* date: {date}
* machine: {machine}
* versions: {versions}

The rows are functions of `tools/bench/rows`; *interpreter* runs the same graph node by node.
`import_time` is beyond a bare interpreter, as is `first_result`, which imports and calls one
function on one number, since an import may put things off. `import_rss` is the most memory a
process that imports had, `disk` the installed files with all they need. The numbers of `newton`
are of float32: Python has none that round so, and each operation of NumPy's takes three of its own.
`newton_64` is the same loop in float64, for many numbers, and counts in no mean.
"""


class ReportError(RuntimeError):
    """A report cannot be written here."""


def machine() -> str:
    """Return a description of the processor."""
    name = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.is_file():
        lines = info.read_text(encoding="utf-8", errors="replace").splitlines()
        name = next((x.partition(":")[2].strip() for x in lines if "model name" in x), name)
    return f"{name}, {os.cpu_count()} cores, {platform.system()}"


def versions(measured: Measured) -> str:
    """Return the versions of all libraries, each once."""
    found = {
        f"{name} {version}" for side in measured.versions.values() for name, version in side.items()
    }
    return ", ".join(sorted(found))


def as_json(measured: Measured) -> dict[str, Any]:
    """Return all measurements as JSON data."""
    return {
        "date": _now(),
        "machine": machine(),
        "versions": measured.versions,
        "rounds": measured.settings.rounds,
        "seconds": measured.settings.seconds,
        "rows": measured.figures.as_json(),
        "bars": [
            {
                "bar": each.bar.what,
                "limit": each.bar.limit,
                "unit": each.bar.unit.strip(),
                "measured": each.measured,
                "verdict": each.word,
            }
            for each in measured.verdicts
        ],
    }


def write_json(path: Path, measured: Measured) -> None:
    """Write the figures as a JSON file."""
    path.write_text(json.dumps(as_json(measured), indent=1) + "\n", encoding="utf-8")


def page(measured: Measured) -> str:
    """Return the figures as a page of Markdown."""
    about = _ABOUT.format(
        rounds=measured.settings.rounds,
        date=_now(),
        machine=machine(),
        versions=versions(measured),
    )
    return (
        "\n".join(
            [about, *_times(measured.figures), "", *_ratios(measured.figures), "", *_bars(measured)]
        )
        + "\n"
    )


def _now() -> str:
    return datetime.now(timezone.utc).strftime("%Y-%m-%d")


def _times(figures: Figures) -> Iterator[str]:
    there = figures.modes()
    modes = [mode for mode in _MODES if mode in there]
    yield "## Times\n"
    yield from _head("row", [_HEADS.get(mode, mode) for mode in modes])
    for row in figures.rows:
        cells = [_cell(row, figures.median(row, mode)) for mode in modes]
        yield _cells(f"`{row}`", cells)


def _cell(row: str, value: float | None) -> str:
    if value is None:
        return ""
    return weight_text(row, value) if row in WEIGHTS else clock.readable(value)


def _ratios(figures: Figures) -> Iterator[str]:
    there = figures.modes()
    others = [mode for mode in _MODES if mode in there and mode != "graph"]
    yield "## Our graph's time over that of others\n"
    yield from _head("row", [_HEADS.get(mode, mode) for mode in others])
    for row in figures.rows:
        ratios = [figures.ratio(row, "graph", mode) for mode in others]
        yield _cells(f"`{row}`", ["" if each is None else f"{each:.3g}" for each in ratios])
    means = [figures.mean_ratio("graph", mode) for mode in others]
    yield _cells("geometric mean", ["" if each is None else f"{each:.3g}" for each in means])


def _bars(measured: Measured) -> Iterator[str]:
    yield "## Bars\n"
    yield "A figure within 10% of its bar is a tie: noise may have decided.\n"
    yield from _head("bar", ["at most", "measured", "verdict"])
    for each in measured.verdicts:
        yield _cells(each.bar.what, [each.limit_text, each.measured_text, each.word])


def _head(first: str, others: Sequence[str]) -> Iterator[str]:
    yield _cells(first, others)
    yield _cells("---", ["---:"] * len(others))


def _cells(first: str, others: Sequence[str]) -> str:
    return f"| {' | '.join([first, *others])} |"


def check_plot() -> None:
    """Raise a ReportError where no picture can be made."""
    if importlib.util.find_spec("matplotlib") is None:
        raise ReportError("--plot needs matplotlib: pip install matplotlib")


def write_plot(path: Path, figures: Figures) -> None:
    """Draw the ratios of our graph to eager, plain and TensorFlow, as an SVG file."""
    check_plot()
    matplotlib = importlib.import_module("matplotlib")
    matplotlib.use("svg")
    pyplot = importlib.import_module("matplotlib.pyplot")
    rows = [row for row in figures.rows if row not in WEIGHTS]
    figure, axes = pyplot.subplots(figsize=(9, 0.34 * len(rows) + 1.4), layout="constrained")
    marks = {"eager": "o", "plain": "s", "tf": "D", "tf_xla": "d", "jax": "^", "numba": "v"}
    for mode, mark in marks.items():
        found = [(figures.ratio(row, "graph", mode), at) for at, row in enumerate(rows)]
        points = [(ratio, at) for ratio, at in found if ratio is not None]
        if points:
            axes.plot(*zip(*points), mark, label=_HEADS.get(mode, mode))
    axes.axvline(1.0, color="gray", linewidth=1)
    axes.set(xscale="log", yticks=range(len(rows)), yticklabels=rows)
    axes.set_xlabel("our graph's CPU time over theirs: left of the line ours is faster")
    axes.invert_yaxis()
    axes.grid(axis="x", alpha=0.3)
    axes.legend()
    figure.savefig(path, format="svg")
    pyplot.close(figure)
