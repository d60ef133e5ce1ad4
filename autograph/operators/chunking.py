"""Chunking: many alternatives of one statement or expression, staged in chunks.

    a or b or ... 500 operands   ->   (a or ... 16 operands) or (... 16 operands) or ...

Each alternative is recorded inside the one before it, so a trace of very many would use up the
stack; chunks do not. `converters/elif_chains.py` does the same to a chain of `elif`.
"""

from __future__ import annotations

from typing import Any

# The largest number of alternatives that are recorded inside each other.
MOST_NESTED = 64
# The number of alternatives in a chunk, if there are more than that.
CHUNK = 16


def chunks_of(alternatives: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """Return the alternatives in chunks; all in one if they are few.

    >>> [len(chunks_of(tuple(range(count)))) for count in (0, 64, 65)]
    [1, 1, 5]
    """
    if len(alternatives) <= MOST_NESTED:
        return [alternatives]
    return [alternatives[at : at + CHUNK] for at in range(0, len(alternatives), CHUNK)]
