"""This project's ONNX models in onnxruntime: a table of those that compute the same.

    python tools/compare_onnx.py            # runs both, writes golden_outputs/onnx.md
    python tools/compare_onnx.py --check    # writes nothing, exits 1 on any difference
    python tools/compare_onnx.py NAME ...   # prints the verdicts on programs and ops

Every program of the corpus is staged on all its inputs, written as a model, and run by onnxruntime
on the same inputs; so is each sample of each op. `pip install 'autograph-py[test]'` installs
onnxruntime.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from runtime.errors import OpError
from runtime.ops.op import REGISTRY
from tests.corpus import STAGED_PROGRAMS
from tests.laws.op_samples import SAMPLES
from tools.compare_graphdef import Other
from tools.onnx_cases import GOES_ON, Case, cases_of, refusal, sampled
from tools.onnx_worker import Answer
from tools.verdict_tables import SAME, Verdict, differences, rows, stored_rows

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "golden_outputs" / "onnx.md"
SIDE = ROOT / "tools" / "onnx_worker.py"
PATIENCE = 6.0
_HEADS = ("ONNX", "onnxruntime")
NOT_EXPORTED = "not exported"
KINDS = (SAME, GOES_ON, NOT_EXPORTED, "different")
MISSING = "onnx and onnxruntime are not installed: pip install 'autograph-py[test]'"


def verdict(cases: Iterable[Case | None], other: Other) -> Verdict:
    """Return the verdict on models: the size of the first one, and the first difference."""
    size, found = "", SAME
    try:
        for case in cases:
            if case is None:
                continue
            size = size or f"{case.nodes} nodes"
            told = other.asked(tuple(case.request))
            difference = case.difference(Answer(*told) if isinstance(told, tuple) else told)
            if difference and difference.startswith(GOES_ON):
                found = difference
            elif difference:
                return Verdict(size, " ".join(difference.split())[:300].strip())
    except OpError as error:
        return Verdict(f"{NOT_EXPORTED}: {refusal(error)}"[:300].strip(), "")
    return Verdict(size, found if size else "")


def programs(other: Other, names: Iterable[str] = ()) -> dict[str, Verdict]:
    """Return the verdicts on the programs of the corpus, by their ids."""
    wanted = set(names)
    chosen = [each for each in STAGED_PROGRAMS if not wanted or each.id in wanted]
    return {program.id: _told(program.id, cases_of(program), other) for program in chosen}


def ops(other: Other, names: Iterable[str] = ()) -> dict[str, Verdict]:
    """Return the verdicts on the ops, by their names; ops on lists are only in programs."""
    wanted = set(names)
    found = {}
    for name in sorted(REGISTRY):
        if wanted and name not in wanted:
            continue
        samples = [sample for sample in SAMPLES if sample.op == name]
        cases = (sampled(each, sizes) for each in samples for sizes in (True, False))
        said = _told(name, cases, other)
        if said.here:
            found[name] = said
    return found


def _told(name: str, cases: Iterable[Case | None], other: Other) -> Verdict:
    """Return a verdict, and show the ones that are different at once."""
    found = verdict(cases, other)
    if found.here and kind_of(found) == KINDS[-1]:
        print(f"{name}: {found.there}", file=sys.stderr, flush=True)
    return found


# -- the page --------------------------------------------------------------------------------------


def page(of_programs: Mapping[str, Verdict], of_ops: Mapping[str, Verdict], version: str) -> str:
    """The table as text."""
    parts = [
        "# ONNX models in onnxruntime",
        _about(version),
        "\n".join(_totals(of_programs, of_ops)),
        "## Programs",
        "\n".join(rows(("program", *_HEADS), of_programs)),
        "## Ops",
        "\n".join(rows(("op", *_HEADS), of_ops)),
    ]
    return "\n\n".join(parts) + "\n"


def _about(version: str) -> str:
    return (
        f"Made on {date.today().isoformat()} with onnxruntime {version} by "
        "`python tools/compare_onnx.py`.\n\n"
        "Each program of the corpus is staged on all its inputs, and the model that\n"
        "`write_onnx` writes is run by onnxruntime on the same inputs. Same are dtypes, shapes\n"
        "and values of results and variables; where the program raises, the model fails. A model\n"
        f"that {GOES_ON.partition(', ')[2]} is one of a program that raises for some input: ONNX\n"
        "has no exceptions, and the report of the export lists the line. The second table does\n"
        "so with samples of every op, once with the sizes of the inputs known and once without.\n"
        "Not exported is what ONNX has nothing the same for."
    )


def _totals(of_programs: Mapping[str, Verdict], of_ops: Mapping[str, Verdict]) -> Iterator[str]:
    yield "| | programs | ops |\n| --- | --- | --- |"
    sides = totals(of_programs), totals(of_ops)
    for kind in KINDS:
        yield f"| {kind} | {sides[0][kind]} | {sides[1][kind]} |"


def totals(verdicts: Mapping[str, Verdict]) -> Counter[str]:
    """Return the numbers of verdicts of each kind."""
    return Counter(map(kind_of, verdicts.values()))


def kind_of(said: Verdict) -> str:
    """The kind of a verdict.

    >>> kind_of(Verdict("5 nodes", "same")), kind_of(Verdict("not exported: 'x': y", ""))
    ('same', 'not exported')
    """
    if said.here.startswith(NOT_EXPORTED):
        return NOT_EXPORTED
    kinds = (kind for kind in (SAME, GOES_ON) if said.there.startswith(kind))
    return next(kinds, "different")


def stored(text: str) -> tuple[dict[str, Verdict], dict[str, Verdict]]:
    """The two tables of a page."""
    head, _, tail = text.partition("## Ops")
    return stored_rows(head.partition("## Programs")[2]), stored_rows(tail)


def has_onnx() -> bool:
    """Return whether onnx and onnxruntime are installed."""
    return all(importlib.util.find_spec(name) for name in ("onnx", "onnxruntime"))


def main(arguments: list[str] | None = None) -> int:
    """Write the page or check it; the exit code of `--check` is 1 on any difference."""
    parser = argparse.ArgumentParser(prog="compare_onnx", description="Compare, and tell.")
    parser.add_argument("--check", action="store_true", help="write nothing, report differences")
    parser.add_argument("names", nargs="*", help="programs and ops; nothing is written")
    given = parser.parse_args(arguments)
    if not has_onnx():
        print(MISSING, file=sys.stderr)
        return 2
    other = Other(SIDE, PATIENCE)
    try:
        if given.names:
            return _shown(other, given.names)
        found = programs(other), ops(other)
    finally:
        other.close()
    return _checked(found) if given.check else _written(found, other.version)


def _shown(other: Other, names: list[str]) -> int:
    found = {**programs(other, names), **ops(other, names)}
    for name, said in found.items():
        print(f"{name}: {said.here}: {said.there}")
    return 0


def _checked(found: tuple[dict[str, Verdict], dict[str, Verdict]]) -> int:
    kept = stored(PAGE.read_text(encoding="utf-8"))
    lines = [line for now, before in zip(found, kept) for line in differences(now, before)]
    print("\n".join([*lines, f"ONNX: {len(kept[0])} programs, {len(lines)} differences"]))
    return 1 if lines else 0


def _written(found: tuple[dict[str, Verdict], dict[str, Verdict]], version: str) -> int:
    PAGE.write_text(page(*found, version), encoding="utf-8")
    wrong = [name for table in found for name, said in table.items() if kind_of(said) == KINDS[-1]]
    print("\n".join([*wrong, f"{sum(map(len, found))} rows, {len(wrong)} that are different"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
