"""Programs of the corpus in the engine jax: a table of those that run and are the same.

    python tools/compare_engines.py            # runs all, writes golden_outputs/engines.md
    python tools/compare_engines.py --check    # writes nothing, exits 1 on any difference
    python tools/compare_engines.py NAME ...   # prints the verdicts on programs

Every program of the corpus is staged, and called with its inputs in the engine and in the NumPy
executor. `pip install 'autograph-py[jax]'` installs JAX.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import re
import sys
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import autograph as ag
from runtime.errors import EngineWarning
from runtime.executors import executor as executors
from runtime.executors.engine import EngineFunction
from tests.corpus import STAGED_PROGRAMS, Program, undisturbed
from tests.parity.agreement import Outcome, outcome_of, spelled, value_difference
from tools.verdict_tables import SAME, Verdict, differences, rows, stored_rows

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "golden_outputs" / "engines.md"
ENGINE = "jax"
RUNS, REFUSED, RAISES = "runs", "refused", "every call raises"
_HEADS = ("program", "jax", "results")


def verdict(program: Program, engine: str = ENGINE) -> Verdict:
    """Return whether an engine runs a program, and whether its calls end as in the NumPy executor.

    Python's errors are those of the NumPy executor, which runs a call again that fails.
    """
    wanted, _ = outcomes(program, "numpy")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", EngineWarning)
        given, made = outcomes(program, engine)
    found = [str(each.message) for each in told if issubclass(each.category, EngineWarning)]
    found += filter(None, map(difference, wanted, given))
    here = _run_text(made, len(given))
    return Verdict(here, " ".join(found[0].split())[:300].strip() if found else SAME)


def outcomes(program: Program, executor: str) -> tuple[list[Outcome], list[EngineFunction]]:
    """Return how each call of a program ends, and the functions that an engine has compiled."""
    made: list[EngineFunction] = []

    def noted(*arguments: Any) -> EngineFunction:
        made.append(EngineFunction(*arguments))
        return made[-1]

    function = ag.function(program.function, executor=executor, fallback=True)
    with undisturbed(program), mock.patch.object(executors, "EngineFunction", noted):
        found = [outcome_of(function, program.tensors(at)) for at in range(len(program.cases))]
    return found, made


def difference(wanted: Outcome, given: Outcome) -> str | None:
    """Return how a call differs from the one of the NumPy executor; None if it does not."""
    errors = [each.error and (type(each.error), str(each.error)) for each in (wanted, given)]
    if errors[0] != errors[1]:
        return f"raises {given.error!r} instead of {wanted.error!r}"
    if wanted.printed != given.printed:
        return "prints something else"
    pairs = (wanted.result, wanted.arguments), (given.result, given.arguments)
    if spelled(pairs[0]) == spelled(pairs[1]):
        return None
    return value_difference(*pairs)


def _run_text(made: Sequence[EngineFunction], calls: int) -> str:
    ops: dict[str, str] = {}
    for each in made:
        for refused in each.refused:
            ops.setdefault(refused.reason, refused.op)
    if ops:
        told = (f"'{op}': {reason}" for reason, op in ops.items())
        return f"{REFUSED}: {'; '.join(told)}"[:300].strip()
    reruns = sum(each.reruns for each in made)
    if not reruns:
        return RUNS
    return f"{RUNS}; {reruns} of {calls} calls end in an error" if reruns < calls else RAISES


# -- the page --------------------------------------------------------------------------------------


def page(verdicts: Mapping[str, Verdict]) -> str:
    """The tables as text."""
    version = importlib.metadata.version("jax")
    parts = [
        "# Programs in the engine jax",
        f"Made on {date.today().isoformat()} with JAX {version} by "
        "`python tools/compare_engines.py`.\n\n"
        "Each program of the corpus is staged, and called with its inputs in the engine and in\n"
        "the NumPy executor. Same are results, changed arguments, errors and output. A call that\n"
        "ends in an error is one that the NumPy executor runs again. A program is refused if one\n"
        "of its calls is; with `fallback=True` the NumPy executor runs it.",
        "\n".join(_totals(verdicts)),
        "## Reasons",
        "\n".join(_reasons(verdicts)),
        "## Programs",
        "\n".join(rows(_HEADS, verdicts)),
    ]
    return "\n\n".join(parts) + "\n"


def kind_of(said: Verdict) -> str:
    """Return the group of a verdict in the totals.

    >>> kind_of(Verdict("runs; 1 of 3 calls end in an error", "same"))
    'runs, same'
    """
    kind = re.split("[:;]", said.here)[0]
    return f"{kind}, {SAME}" if said.there == SAME else f"{kind}, different"


def _totals(verdicts: Mapping[str, Verdict]) -> Iterator[str]:
    yield "| | programs |\n| --- | --- |"
    counts = Counter(map(kind_of, verdicts.values()))
    for kind, count in sorted(counts.items(), key=lambda pair: -pair[1]):
        yield f"| {kind} | {count} |"


def _reasons(verdicts: Mapping[str, Verdict]) -> Iterator[str]:
    yield "| reason | programs |\n| --- | --- |"
    refused = [said.here for said in verdicts.values() if said.here.startswith(REFUSED)]
    counts = Counter(each for said in refused for each in set(re.findall(r"': ([^;]*)", said)))
    for reason, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
        yield f"| {reason} | {count} |"


def kept() -> dict[str, Verdict]:
    """Return the verdicts of the page."""
    return stored_rows(PAGE.read_text(encoding="utf-8").partition("## Programs")[2])


def programs(names: Iterable[str] = ()) -> dict[str, Verdict]:
    """Return the verdicts on the programs of the corpus, by their ids."""
    wanted, found = set(names), {}
    for program in STAGED_PROGRAMS:
        if not wanted or program.id in wanted:
            found[program.id] = said = verdict(program)
            if said.there != SAME:
                print(f"{program.id}: {said.there}", file=sys.stderr, flush=True)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("names", nargs="*", help="programs; all by default")
    parser.add_argument("--check", action="store_true", help="compare with the page")
    given = parser.parse_args()
    if importlib.util.find_spec("jax") is None:
        print("JAX is not installed: pip install 'autograph-py[jax]'", file=sys.stderr)
        return 1
    warnings.simplefilter("ignore")
    found = programs(given.names)
    if given.names:
        print("\n".join(rows(_HEADS, found)))
        return 0
    if given.check:
        changed = list(differences(found, kept()))
        print("\n".join(changed))
        return int(bool(changed))
    PAGE.write_text(page(found), encoding="utf-8")
    return int(any(said.there != SAME for said in found.values()))


if __name__ == "__main__":
    sys.exit(main())
