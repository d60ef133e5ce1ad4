"""The speed table: processes on one core measure the rows in turns, and bars are checked."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from tools.bench import clock
from tools.bench.lines import Line
from tools.bench.rows import bars, plain, weights
from tools.bench.rows.measurements import (
    DISK,
    FIRST_RESULT,
    IMPORT_RSS,
    IMPORT_TIME,
    WEIGHTS,
    Figure,
    Figures,
)
from tools.bench.rows.worker_processes import (
    OURS,
    PEERS,
    PeerInterpreter,
    Talk,
    environment,
    peers_found,
)

ROWS = (*plain.EXPECTED, *WEIGHTS)
_NAME, _CELL = 13, 12
# The columns of times, and of ratios of the graph's time to others.
_MODES = ("graph", "eager", "interpreter", "plain", "tf", "tf_xla", "jax", "torch", "numba")
_RATIOS = ("eager", "plain", "tf")
_OURS = ("graph", "eager", "interpreter", "arrays", "plain")
# The package behind `import` in the column of each mode.
_IMPORTED = {
    "graph": "autograph",
    "plain": "numpy",
    "tf": "tensorflow",
    "jax": "jax",
    "torch": "torch",
    "numba": "numba",
}


@dataclass(frozen=True)
class Settings:
    """The settings of a measurement.

    Attributes:
        rounds: the number of turns of each mode with each row.
        seconds: the approximate time of a turn; longer if one call takes longer.
        peers: whether other libraries are measured too.
        pythons: interpreters that may have them, beside this one.
        libraries: the libraries to measure.
        rows: the rows to measure.
    """

    rounds: int = 9
    seconds: float = 0.02
    peers: bool = False
    pythons: tuple[str, ...] = ()
    libraries: tuple[str, ...] = tuple(PEERS.values())
    rows: Sequence[str] = ROWS


QUICK = Settings(rounds=3, seconds=0.004)


@dataclass
class Measured:
    """The results of a run of the table.

    Attributes:
        versions: the versions of every library, by side.
    """

    settings: Settings
    figures: Figures = field(default_factory=Figures)
    versions: dict[str, dict[str, str]] = field(default_factory=dict)
    verdicts: list[bars.Verdict] = field(default_factory=list)


def lines(measured: Measured) -> Iterator[Line]:
    """Measure, keep the figures in `measured`, and yield the table as it grows."""
    settings = measured.settings
    pythons = (sys.executable, *settings.pythons)
    places = peers_found(pythons, settings.libraries) if settings.peers else []
    with ExitStack() as stack:
        talks = [Talk(OURS), *(Talk(place.side, place.python) for place in places)]
        for talk in talks:
            stack.callback(talk.close)
            measured.versions[talk.side] = talk.versions
        columns = _columns(talks)
        yield Line(_row("CPU time", [*columns, *(f"/ {name}" for name in _ratios(columns))]))
        for row in settings.rows:
            if row not in WEIGHTS:
                _measure(row, talks, measured)
                yield from _told(row, measured.figures, columns)
    _weigh(measured, places)
    for row in (each for each in settings.rows if each in WEIGHTS):
        yield Line(_row(row, [weight_text(row, measured.figures.median(row, m)) for m in columns]))
    measured.verdicts = bars.verdicts(measured.figures)
    yield from _judged(measured.verdicts)


def _columns(talks: Sequence[Talk]) -> list[str]:
    there = {mode for talk in talks for mode in talk.rows}
    return [mode for mode in _MODES if mode in there]


def _ratios(columns: Sequence[str]) -> list[str]:
    return [mode for mode in _RATIOS if mode in columns]


def _measure(row: str, talks: Sequence[Talk], measured: Measured) -> None:
    figures = measured.figures.rows.setdefault(row, {})
    ready: list[tuple[Talk, str]] = []
    for talk in talks:
        for mode, error in talk.prepare(row).items():
            figures[mode] = Figure(error=error)
            if error is None:
                ready.append((talk, mode))
    for turn in range(measured.settings.rounds):
        # The first process finds the others' data in the CPU caches, so each comes first in turn.
        first = turn % max(len(ready), 1)
        for talk, mode in ready[first:] + ready[:first]:
            found = talk.round(mode, measured.settings.seconds)
            figures[mode].rounds.append(found["cpu"])
            figures[mode].wall.append(found["wall"])


def _weigh(measured: Measured, places: Sequence[PeerInterpreter]) -> None:
    """Measure the imports, in turns with an empty program, and the files."""
    wanted = [row for row in WEIGHTS if row in measured.settings.rows]
    if not wanted:
        return
    pythons = {"autograph": sys.executable, "numpy": sys.executable}
    pythons.update({PEERS[place.side]: place.python for place in places})
    modes = {mode: name for mode, name in _IMPORTED.items() if name in pythons}
    figures = {row: {mode: Figure() for mode in modes} for row in wanted}
    measured.figures.rows.update(figures)
    for library in modes.values():
        # The first import after a change compiles.
        weights.import_weight(pythons[library], weights.FIRST_USES[library], environment())
    for _ in range(measured.settings.rounds):
        for mode, library in modes.items():
            _weigh_once(library, pythons[library], mode, figures)
    for mode, library in modes.items():
        if DISK in figures:
            size = weights.disk_size(pythons[library], library, environment())
            figures[DISK][mode].rounds.append(size)


def _weigh_once(
    library: str, python: str, mode: str, figures: dict[str, dict[str, Figure]]
) -> None:
    bare = weights.import_weight(python, "import sys", environment())
    found = weights.import_weight(python, f"import {library}", environment())
    if FIRST_RESULT in figures:
        used = weights.import_weight(python, weights.FIRST_USES[library], environment())
        figures[FIRST_RESULT][mode].rounds.append(used.seconds - bare.seconds)
    if IMPORT_TIME in figures:
        figures[IMPORT_TIME][mode].rounds.append(found.seconds - bare.seconds)
    if IMPORT_RSS in figures:
        figures[IMPORT_RSS][mode].rounds.append(found.size)


# -- text ------------------------------------------------------------------------------------------


def _told(row: str, figures: Figures, columns: Sequence[str]) -> Iterator[Line]:
    times = [_time(figures.median(row, mode)) for mode in columns]
    ratios = [figures.ratio(row, "graph", other) for other in _ratios(columns)]
    wrong = [
        f"{mode} {row}: {figure.error}"
        for mode, figure in figures.rows[row].items()
        if figure.error is not None
    ]
    ours = tuple(each for each in wrong if each.split()[0] in _OURS)
    yield Line(_row(row, [*times, *("-" if r is None else f"{r:.3g}" for r in ratios)]), ours)
    yield from (Line(f"    {each}") for each in wrong if each not in ours)


def _time(seconds: float | None) -> str:
    return "-" if seconds is None else clock.readable(seconds)


def weight_text(row: str, value: float | None) -> str:
    """A weight with its unit.

    >>> weight_text("disk", 7.1e7), weight_text("import_time", 0.25)
    ('71 MB', '250 ms')
    """
    if value is None:
        return "-"
    is_time = row in (IMPORT_TIME, FIRST_RESULT)
    return clock.readable(value) if is_time else f"{value / 1e6:.0f} MB"


def _row(name: str, cells: Sequence[str]) -> str:
    return f"{name:<{_NAME}}{''.join(f'{cell:>{_CELL}}' for cell in cells)}".rstrip()


def _judged(verdicts: Sequence[bars.Verdict]) -> Iterator[Line]:
    yield Line("")
    for verdict in verdicts:
        missed = verdict.word == bars.MISSED
        unmeasured = (verdict.bar.what,) if verdict.word == bars.UNKNOWN else ()
        yield Line(" ", (verdict.text,)) if missed else Line(f"  {verdict.text}", (), unmeasured)
