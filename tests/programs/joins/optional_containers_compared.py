"""Tuples and dataclass objects compared, of which one may be None."""

from dataclasses import dataclass

STAGES = ("cond",)
CASES = [(3,), (2,), (-1,)]


@dataclass(order=True)
class Score:
    points: int
    level: int = 1


def optional_containers_compared(n):
    best = pair = None
    if n > 0:
        best, pair = Score(n), (n, 2)
    score = Score(2)
    if best is None or score > best:
        best = score
    return best.points, score == best, (2, 2) == pair, pair != (2, 2)
