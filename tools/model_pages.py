"""Tables of models that another engine computes the same, for the tools that write them."""

from __future__ import annotations

import argparse
import importlib.util
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from runtime.errors import OpError
from runtime.ops.op import REGISTRY
from tests.corpus import STAGED_PROGRAMS, Program
from tests.laws.op_samples import SAMPLES, Sample
from tools.compare_graphdef import Other
from tools.verdict_tables import SAME, Verdict, differences, rows, stored_rows

ROOT = Path(__file__).resolve().parent.parent
GOES_ON = "raises here, goes on there"
OTHERS = "other random numbers"
NOT_EXPORTED = "not exported"
FAILS = "fails"
DIFFERENT = "different"
KINDS = (SAME, OTHERS, GOES_ON, NOT_EXPORTED, FAILS, DIFFERENT)


class Models(NamedTuple):
    """The models of one format, and the engine that runs them.

    Attributes:
        format: the name of the format.
        engine: the name of the engine.
        page: the file of the tables.
        about: returns the text of the page above the tables, for a version of the engine.
        side: the program that runs the engine.
        patience: the seconds that a model may take.
        packages: the packages that must be installed.
        missing: the message if they are not.
        cases_of: yields the models of a program with their results here.
        sampled: returns the model of a sample, or None.
        refusal: returns what an error says, without the user's lines.
        told: returns the answer of the engine in a form for `difference` of a case.
        by_sample: whether an op may be refused for some of its samples, such as some dtypes.
    """

    format: str
    engine: str
    page: Path
    about: Callable[[str], str]
    side: Path
    patience: float
    packages: tuple[str, ...]
    missing: str
    cases_of: Callable[[Program], Iterable[Any]]
    sampled: Callable[[Sample, bool], Any]
    refusal: Callable[[OpError], str]
    told: Callable[[Any], Any]
    by_sample: bool = False

    def other(self) -> Other:
        """Return the process of the engine."""
        return Other(self.side, self.patience)

    def are_there(self) -> bool:
        """Return whether the packages are installed."""
        return all(importlib.util.find_spec(name) for name in self.packages)

    def verdict(self, cases: Iterable[Any], other: Other) -> Verdict:
        """Return the verdict on models: the size of the first one, and the first difference."""
        size, found = "", SAME
        try:
            for case in cases:
                if case is None:
                    continue
                size = size or f"{case.nodes} nodes"
                difference = case.difference(self.told(other.asked(tuple(case.request))))
                if difference and difference.startswith((GOES_ON, OTHERS)):
                    found = difference
                elif difference:
                    return Verdict(size, " ".join(difference.split())[:300].strip())
        except OpError as error:
            return Verdict(f"{NOT_EXPORTED}: {self.refusal(error)}"[:300].strip(), "")
        return Verdict(size, found if size else "")

    def programs(self, other: Other, names: Iterable[str] = ()) -> dict[str, Verdict]:
        """Return the verdicts on the programs of the corpus, by their ids."""
        wanted = set(names)
        chosen = [each for each in STAGED_PROGRAMS if not wanted or each.id in wanted]
        return {each.id: self._shown(each.id, self.cases_of(each), other) for each in chosen}

    def ops(self, other: Other, names: Iterable[str] = ()) -> dict[str, Verdict]:
        """Return the verdicts on the ops, by their names; ops on lists are only in programs."""
        wanted = set(names)
        found = {}
        for name in sorted(REGISTRY):
            if wanted and name not in wanted:
                continue
            samples = [sample for sample in SAMPLES if sample.op == name]
            pairs = [(each, sizes) for each in samples for sizes in (True, False)]
            said = self._op(name, pairs, other)
            if said.here:
                found[name] = said
        return found

    def _op(self, name: str, pairs: Sequence[tuple[Sample, bool]], other: Other) -> Verdict:
        if not self.by_sample:
            return self._shown(name, (self.sampled(*pair) for pair in pairs), other)
        said = [self._shown(name, self._alone(*pair), other) for pair in pairs]
        made = [each for each in said if each.here and kind_of(each) != NOT_EXPORTED]
        refused = [each for each in said if kind_of(each) == NOT_EXPORTED]
        if not (made and refused):
            return _worst(made or refused) if made or refused else Verdict("", "")
        why = f"{_worst(made).here}; {len(refused)} of {len(said)} samples {refused[0].here}"
        return Verdict(why[:300].strip(), _worst(made).there)

    def _alone(self, sample: Sample, sizes: bool) -> Iterator[Any]:
        yield self.sampled(sample, sizes)

    def _shown(self, name: str, cases: Iterable[Any], other: Other) -> Verdict:
        """Return a verdict, and show the ones that are different at once."""
        found = self.verdict(cases, other)
        if found.here and kind_of(found) in (FAILS, DIFFERENT):
            print(f"{name}: {found.there}", file=sys.stderr, flush=True)
        return found

    # -- the page ----------------------------------------------------------------------------------

    def text(
        self, of_programs: Mapping[str, Verdict], of_ops: Mapping[str, Verdict], version: str
    ) -> str:
        """The tables as text."""
        head = (
            f"Made on {date.today().isoformat()} with {self.engine} {version} by "
            f"`python tools/compare_{self.page.stem}.py`."
        )
        parts = [
            f"# {self.format} models in {self.engine}",
            f"{head}\n\n{self.about(version)}",
            "\n".join(_totals(of_programs, of_ops)),
            "## Programs",
            "\n".join(rows(("program", self.format, self.engine), of_programs)),
            "## Ops",
            "\n".join(rows(("op", self.format, self.engine), of_ops)),
        ]
        return "\n\n".join(parts) + "\n"

    # -- the command -------------------------------------------------------------------------------

    def main(self, prog: str, arguments: list[str] | None = None) -> int:
        """Write the page or check it; the exit code of `--check` is 1 on any difference."""
        parser = argparse.ArgumentParser(prog=prog, description="Compare, and tell.")
        parser.add_argument(
            "--check", action="store_true", help="write nothing, report differences"
        )
        parser.add_argument("names", nargs="*", help="programs and ops; nothing is written")
        given = parser.parse_args(arguments)
        if not self.are_there():
            print(self.missing, file=sys.stderr)
            return 2
        other = self.other()
        try:
            found = self.programs(other, given.names), self.ops(other, given.names)
        finally:
            other.close()
        if given.names:
            return _told({**found[0], **found[1]})
        return self._checked(found) if given.check else self._written(found, other.version)

    def _checked(self, found: tuple[dict[str, Verdict], dict[str, Verdict]]) -> int:
        kept = stored(self.page.read_text(encoding="utf-8"))
        lines = [line for now, before in zip(found, kept) for line in differences(now, before)]
        total = f"{self.format}: {len(kept[0])} programs, {len(lines)} differences"
        print("\n".join([*lines, total]))
        return 1 if lines else 0

    def _written(self, found: tuple[dict[str, Verdict], dict[str, Verdict]], version: str) -> int:
        self.page.write_text(self.text(*found, version), encoding="utf-8")
        tables = [table.items() for table in found]
        wrong = [name for each in tables for name, said in each if kind_of(said) == DIFFERENT]
        print("\n".join([*wrong, f"{sum(map(len, found))} rows, {len(wrong)} that are different"]))
        return 1 if wrong else 0


def _worst(said: Sequence[Verdict]) -> Verdict:
    """Return the first verdict of the worst kind."""
    return max(said, key=lambda each: KINDS.index(kind_of(each)))


def _told(found: Mapping[str, Verdict]) -> int:
    for name, said in found.items():
        print(f"{name}: {said.here}: {said.there}")
    return 0


def _totals(of_programs: Mapping[str, Verdict], of_ops: Mapping[str, Verdict]) -> Iterator[str]:
    yield "| | programs | ops |\n| --- | --- | --- |"
    sides = totals(of_programs), totals(of_ops)
    for kind in KINDS:
        if kind in (OTHERS, FAILS) and not (sides[0][kind] or sides[1][kind]):
            continue
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
    kinds = (kind for kind in (SAME, OTHERS, GOES_ON, FAILS) if said.there.startswith(kind))
    return next(kinds, DIFFERENT)


def stored(text: str) -> tuple[dict[str, Verdict], dict[str, Verdict]]:
    """The two tables of a page."""
    head, _, tail = text.partition("## Ops")
    return stored_rows(head.partition("## Programs")[2]), stored_rows(tail)
