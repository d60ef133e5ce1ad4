"""Outcomes of many generated programs, counted by cause.

python -m tests.parity.staged_differential.survey --programs 500 --shrink
python -m tests.parity.staged_differential.survey --only tries raises
"""

from __future__ import annotations

import argparse
import collections
import time

from tests.parity.staged_differential.features import ENABLED, NAMES
from tests.parity.staged_differential.judging import Verdict, verdict
from tests.parity.staged_differential.programs import random_program


def main() -> None:
    """Run the programs asked for and print the findings."""
    options = _options()
    enabled = set(ENABLED if options.only is None else options.only) | set(options.also)
    enabled -= set(options.without)
    began, groups = time.perf_counter(), collections.defaultdict(list)
    for seed in range(options.start, options.start + options.programs):
        found = verdict(random_program(seed, enabled))
        if found is not None:
            groups[found.mode, found.cause].append((seed, found))
    seconds = time.perf_counter() - began
    print(f"{options.programs} programs, {seconds:.1f} s, {_rates(groups, options.programs)}")
    for (mode, cause), members in sorted(groups.items(), key=lambda item: -len(item[1])):
        seeds = " ".join(str(seed) for seed, _ in members[:8])
        print(f"{len(members):4d}  {mode}  {cause}  [{seeds}]")
        if options.shrink:
            print(members[0][1].shrunk().text())


def _rates(groups: dict[tuple[str, str], list[tuple[int, Verdict]]], programs: int) -> str:
    members = [found for members in groups.values() for _, found in members]
    refused = sum(found.is_refusal for found in members)
    return f"{len(members) - refused} diverge, {refused} refused ({100 * refused / programs:.1f} %)"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="survey", description=__doc__)
    parser.add_argument("--programs", type=int, default=300)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--only", nargs="*", choices=NAMES, default=None)
    parser.add_argument("--also", nargs="*", choices=NAMES, default=[])
    parser.add_argument("--without", nargs="*", choices=NAMES, default=[])
    parser.add_argument("--shrink", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
