"""Chunking: many alternatives of one statement or expression, staged in chunks.

    a or b or ... 500 operands   ->   (a or ... 16 operands) or (... 16 operands) or ...

Each alternative is recorded inside the one before it, so a trace of very many would use up the
stack; chunks do not. `converters/elif_chains.py` does the same to a chain of `elif`.
"""

from __future__ import annotations

from typing import Any

# The most alternatives that are recorded inside each other; a trace nests somewhat more.
MOST_INSIDE = 64
# The number of alternatives of a run, if there are more than that.
RUN = 16


def in_runs(alternatives: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """Return the alternatives in runs: all in one if they are few.

    >>> [len(in_runs(tuple(range(count)))) for count in (0, 64, 65)]
    [1, 1, 5]
    """
    if len(alternatives) <= MOST_INSIDE:
        return [alternatives]
    return [alternatives[at : at + RUN] for at in range(0, len(alternatives), RUN)]
