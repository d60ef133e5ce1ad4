"""The corpus agrees, but for programs that a graph gives another meaning on purpose."""

from __future__ import annotations

import autograph as ag
from tests.corpus import STAGED_PROGRAMS
from tests.suite_length import IS_LONG

# One call of each of these programs runs four times; that they agree is what tests/parity asks.
STEP = 2 if IS_LONG else 60


def test_most_programs_of_the_corpus_agree() -> None:
    chosen = [each for each in STAGED_PROGRAMS if each.staged_only is None][::STEP]
    reports = {each.id: ag.check(each.function, [tuple(each.tensors(0))]) for each in chosen}
    failed = {name: str(report) for name, report in reports.items() if not report}
    # Dtypes are joined in a graph where Python keeps both, and Python's own effects happen once.
    assert len(failed) <= len(chosen) // 20, failed
