"""This project's SavedModels in TensorFlow: a table of those that load and compute the same.

    python tools/compare_saved_models.py            # writes golden_outputs/saved_models.md
    python tools/compare_saved_models.py --check    # writes nothing, exits 1 on any difference
    python tools/compare_saved_models.py NAME ...   # prints the verdicts on programs

Every program of the corpus is staged on all its inputs, exported by `ag.export`, loaded by
`tf.saved_model.load`, and called on the same inputs as a function and by its signature. Without
TensorFlow, which `pip install 'autograph-py[tensorflow]'` installs, `--check` compares only this
project's column.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.corpus import STAGED_PROGRAMS
from tools.compare_graphdef import Other, kind_of, verdict
from tools.compare_tensorflow import has_tensorflow
from tools.saved_model_cases import cases_of
from tools.tensorflow_worker import MISSING
from tools.verdict_tables import SAME, Verdict, differences, rows, stored_rows

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "golden_outputs" / "saved_models.md"
SIDE = ROOT / "tools" / "saved_model_worker.py"
REFUSED = "refused"
_HEADS = ("program", "SavedModel", "TensorFlow")


def programs(other: Other | None, names: Iterable[str] = ()) -> dict[str, Verdict]:
    """Return the verdicts on the programs of the corpus, by their ids."""
    wanted = set(names)
    found = {}
    for program in STAGED_PROGRAMS:
        if not wanted or program.id in wanted:
            with tempfile.TemporaryDirectory() as folder:
                found[program.id] = verdict(cases_of(program, folder), other, REFUSED)
    return found


def page(verdicts: Mapping[str, Verdict], version: str) -> str:
    """The tables as text."""
    parts = [
        "# SavedModels in TensorFlow",
        _about(version),
        "\n".join(_totals(verdicts)),
        "## Refused",
        "\n".join(_reasons(verdicts)),
        "## Programs",
        "\n".join(rows(_HEADS, verdicts)),
    ]
    return "\n\n".join(parts) + "\n"


def _about(version: str) -> str:
    return (
        f"Made on {date.today().isoformat()} with TensorFlow {version} by "
        "`python tools/compare_saved_models.py`.\n\n"
        "Each program of the corpus is staged on all its inputs, and the directory that\n"
        "`ag.export` writes is loaded by `tf.saved_model.load`, in a process without this\n"
        "project, and called on the same inputs: as a function with the arguments of the\n"
        "program, and by its signature. Same are the structures, dtypes, shapes and values of\n"
        "results, and the variables; where the program raises here, it has to fail there. A\n"
        "program is refused if one of its inputs is."
    )


def _totals(verdicts: Mapping[str, Verdict]) -> Iterator[str]:
    yield "| | programs |\n| --- | --- |"
    counts = totals(verdicts)
    for kind in (SAME, REFUSED, "other"):
        yield f"| {kind} | {counts[kind]} |"


def totals(verdicts: Mapping[str, Verdict]) -> Counter[str]:
    """Return the numbers of equal results, of refused programs and of differences."""
    return Counter(kind_of(each, REFUSED) for each in verdicts.values())


def _reasons(verdicts: Mapping[str, Verdict]) -> Iterator[str]:
    """Yield a table of the reasons, the most frequent one first."""
    found = Counter(reason_of(each) for each in verdicts.values() if reason_of(each))
    yield "| reason | programs |\n| --- | --- |"
    for reason, count in sorted(found.items(), key=lambda each: (-each[1], each[0])):
        yield f"| {reason} | {count} |"


def reason_of(said: Verdict) -> str:
    """Return the reason of a refusal; an empty text if there is none.

    >>> reason_of(Verdict("refused: 'recursion': a reason", ""))
    "'recursion': a reason"
    """
    return said.here.partition(f"{REFUSED}: ")[2]


def stored(text: str) -> dict[str, Verdict]:
    """Return the table of a page."""
    return stored_rows(text.partition("## Programs")[2])


def main(arguments: list[str] | None = None) -> int:
    """Write the page or check it; the exit code of `--check` is 1 on any difference."""
    parser = argparse.ArgumentParser(prog="compare_saved_models", description="Compare, and tell.")
    parser.add_argument("--check", action="store_true", help="write nothing, report differences")
    parser.add_argument("names", nargs="*", help="programs; nothing is written")
    given = parser.parse_args(arguments)
    other = Other(SIDE) if has_tensorflow() else None
    if other is None and not given.check and not given.names:
        print(MISSING, file=sys.stderr)
        return 2
    try:
        found = programs(other, given.names)
    finally:
        if other is not None:
            other.close()
    if given.names:
        print("\n".join(f"{name}: {said.here}: {said.there}" for name, said in found.items()))
        return 0
    if given.check:
        return _checked(found, ours_only=other is None)
    assert other is not None
    return _written(found, other.version)


def _checked(found: Mapping[str, Verdict], ours_only: bool) -> int:
    lines = [*differences(found, stored(PAGE.read_text(encoding="utf-8")), ours_only)]
    print("\n".join([*lines, f"SavedModels: {len(found)} programs, {len(lines)} differences"]))
    return 1 if lines else 0


def _written(found: Mapping[str, Verdict], version: str) -> int:
    PAGE.write_text(page(found, version), encoding="utf-8")
    wrong = [name for name, said in found.items() if kind_of(said, REFUSED) == "other"]
    print("\n".join([*wrong, f"{len(found)} programs, {len(wrong)} that are wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
