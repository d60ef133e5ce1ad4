"""Tables of verdicts: for each program or op our file of it, and the result of another engine."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

SAME = "same"


class Verdict(NamedTuple):
    """The verdict on a program or an op: the file that is made here, and the result there."""

    here: str
    there: str


def rows(heads: Sequence[str], verdicts: Mapping[str, Verdict]) -> Iterator[str]:
    """Yield the lines of a table in Markdown.

    >>> list(rows(("op", "file", "engine"), {"add": Verdict("3 | 4", "same")}))[-1]
    '| add | 3 \\\\| 4 | same |'
    """
    yield f"| {' | '.join(heads)} |\n|{' --- |' * len(heads)}"
    for name, said in verdicts.items():
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in (name, *said))} |"


def stored_rows(text: str) -> dict[str, Verdict]:
    """Return the verdicts of a table.

    >>> stored_rows("| op | file | engine |\\n| --- | --- | --- |\\n| add | 3 | same |")
    {'add': Verdict(here='3', there='same')}
    """
    lines = [line for line in text.splitlines() if line.startswith("|")]
    found = {}
    for line in lines[2:]:
        name, *said = (
            cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]
        )
        found[name] = Verdict(*said)
    return found


def differences(
    found: Mapping[str, Verdict], kept: Mapping[str, Verdict], ours_only: bool = False
) -> Iterator[str]:
    """Yield the entries that differ from a page.

    Args:
        found: the verdicts of now.
        kept: those of the page.
        ours_only: whether the other engine is not installed.
    """
    for name in sorted({*found, *kept}):
        new, old = found.get(name), kept.get(name)
        if new is None or old is None or new.here != old.here:
            yield f"{name}: {new and new.here}; the page says {old and old.here}"
        elif not ours_only and new.there != old.there:
            yield f"{name}: {new.there} there; the page says {old.there}"
