"""This project's GraphDefs in TensorFlow: a table of those that load and compute the same.

    python tools/compare_graphdef.py            # runs both, writes golden_outputs/graphdef.md
    python tools/compare_graphdef.py --check    # writes nothing, exits 1 on any difference

Every program of the corpus is staged on all its inputs, exported, loaded by TensorFlow and run on
the same inputs; so is each sample of each op. Without TensorFlow, which `pip install
'autograph-py[tensorflow]'` installs, `--check` compares only this project's column.
"""

from __future__ import annotations

import argparse
import base64
import pickle
import selectors
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from autograph.errors import AutographError
from runtime.errors import OpError
from runtime.ops.op import REGISTRY
from tests.corpus import STAGED_PROGRAMS
from tests.laws.op_samples import SAMPLES
from tools.compare_tensorflow import has_tensorflow
from tools.graphdef_cases import cases_of, refusal, sampled
from tools.tensorflow_worker import MISSING, read_answer
from tools.verdict_tables import SAME, Verdict, differences, rows, stored_rows

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "golden_outputs" / "graphdef.md"
SIDE = ROOT / "tools" / "graphdef_worker.py"
PATIENCE = 120.0
_HEADS = ("GraphDef", "TensorFlow")
NOT_LOWERED = "not lowered"


class Other:
    """A process in which another engine loads and runs graphs; it is restarted after a crash.

    Args:
        side: the program that it runs, by default TensorFlow's.
        patience: the seconds that an answer may take.
    """

    def __init__(self, side: Path = SIDE, patience: float = PATIENCE) -> None:
        self.version = ""
        self._side = side
        self._patience = patience
        self._process: subprocess.Popen[bytes] | None = None

    def difference(self, case: Any) -> str | None:
        """Return where the other engine's result differs, or None."""
        found: str | None = case.difference(self.asked(case.request))
        return found

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def asked(self, request: Any) -> Any:
        """Return the answer to a request, or a text that says why there is none."""
        process = self._running()
        assert process.stdin is not None
        process.stdin.write(base64.b64encode(pickle.dumps(request)) + b"\n")
        process.stdin.flush()
        return self._answer(process)

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, str(self._side)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT,
            )  # fmt: skip
            self.version = str(self._answer(self._process))
            if self._process is None:
                raise RuntimeError(f"{self._side.name} does not start: {self.version}")
        return self._process

    def _answer(self, process: subprocess.Popen[bytes]) -> Any:
        assert process.stdout is not None
        with selectors.DefaultSelector() as waiting:
            waiting.register(process.stdout, selectors.EVENT_READ)
            line = process.stdout.readline() if waiting.select(self._patience) else None
        if line:
            return read_answer(line)
        self.close()
        return "it does not come to an end" if line is None else "the process ended"


def verdict(cases: Iterable[Any], other: Other | None, refused: str = NOT_LOWERED) -> Verdict:
    """Return the verdict on cases: the size of the first one, and the first difference.

    Args:
        cases: the cases, each with a size, a request and the difference from an answer, or None.
        other: the other engine, or None if it is not installed.
        refused: the word for a case that is not exported.
    """
    size = ""
    try:
        for case in cases:
            if case is None:
                continue
            size = size or case.size
            difference = other and other.difference(case)
            if difference:
                return Verdict(size, " ".join(difference.split())[:300])
    except (OpError, AutographError) as error:
        return Verdict(f"{refused}: {refusal(error)}", "")
    return Verdict(size, SAME if size else "")


def programs(other: Other | None, names: Iterable[str] = ()) -> dict[str, Verdict]:
    """Return the verdicts on the programs of the corpus, by their ids."""
    wanted = set(names)
    chosen = [each for each in STAGED_PROGRAMS if not wanted or each.id in wanted]
    return {program.id: verdict(cases_of(program), other) for program in chosen}


def ops(other: Other | None, names: Iterable[str] = ()) -> dict[str, Verdict]:
    """Return the verdicts on the ops, by their names; ops on lists are only in programs."""
    wanted = set(names)
    found = {}
    for name in sorted(REGISTRY):
        if wanted and name not in wanted:
            continue
        samples = [sample for sample in SAMPLES if sample.op == name]
        cases = (sampled(each, sizes) for each in samples for sizes in (True, False))
        said = verdict(cases, other)
        if said.here:
            found[name] = said
    return found


# -- the page --------------------------------------------------------------------------------------


def page(of_programs: Mapping[str, Verdict], of_ops: Mapping[str, Verdict], version: str) -> str:
    """The table as text."""
    parts = [
        "# GraphDefs in TensorFlow",
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
        f"Made on {date.today().isoformat()} with TensorFlow {version} by "
        "`python tools/compare_graphdef.py`.\n\n"
        "Each program of the corpus is staged on all its inputs, and what\n"
        "`graph.as_graph_def().SerializeToString()` gives is loaded by TensorFlow and run there\n"
        "on the same inputs. Same are dtypes, shapes and values of results and variables; where\n"
        "the graph raises here, it has to fail there. The second table does so with samples of\n"
        "every op, once with the sizes of the inputs known and once without. Not lowered is what\n"
        "TensorFlow has nothing the same for."
    )


def _totals(of_programs: Mapping[str, Verdict], of_ops: Mapping[str, Verdict]) -> Iterator[str]:
    yield "| | programs | ops |\n| --- | --- | --- |"
    sides = totals(of_programs), totals(of_ops)
    for kind in (SAME, NOT_LOWERED, "other"):
        yield f"| {kind} | {sides[0][kind]} | {sides[1][kind]} |"


def totals(verdicts: Mapping[str, Verdict]) -> Counter[str]:
    """Return the numbers of equal results, of missing lowerings and of differences."""
    return Counter(map(kind_of, verdicts.values()))


def kind_of(said: Verdict, refused: str = NOT_LOWERED) -> str:
    """The kind of a verdict.

    >>> kind_of(Verdict("5 nodes", "same")), kind_of(Verdict("not lowered: 'x': y", ""))
    ('same', 'not lowered')
    """
    if said.here.startswith(refused):
        return refused
    return SAME if said.there == SAME else "other"


def stored(text: str) -> tuple[dict[str, Verdict], dict[str, Verdict]]:
    """The two tables of a page."""
    head, _, tail = text.partition("## Ops")
    return stored_rows(head.partition("## Programs")[2]), stored_rows(tail)


def _all(other: Other | None) -> tuple[dict[str, Verdict], dict[str, Verdict]]:
    try:
        return programs(other), ops(other)
    finally:
        if other is not None:
            other.close()


def check() -> int:
    """Compare with the page, and with TensorFlow's column if it is installed."""
    kept = stored(PAGE.read_text(encoding="utf-8"))
    other = Other() if has_tensorflow() else None
    found: list[str] = []
    for now, before in zip(_all(other), kept):
        found += differences(now, before, ours_only=other is None)
    print("\n".join([*found, f"GraphDefs: {len(kept[0])} programs, {len(found)} differences"]))
    return 1 if found else 0


def main(arguments: list[str] | None = None) -> int:
    """Write the page or check it; the exit code of `--check` is 1 on any difference."""
    parser = argparse.ArgumentParser(prog="compare_graphdef", description="Compare, and tell.")
    parser.add_argument("--check", action="store_true", help="write nothing, report differences")
    if parser.parse_args(arguments).check:
        return check()
    if not has_tensorflow():
        print(MISSING, file=sys.stderr)
        return 2
    other = Other()
    found = _all(other)
    PAGE.write_text(page(*found, other.version), encoding="utf-8")
    wrong = [name for table in found for name, said in table.items() if kind_of(said) == "other"]
    print("\n".join([*wrong, f"{sum(map(len, found))} rows, {len(wrong)} that are wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
