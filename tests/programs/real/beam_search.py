"""Beam search: the best sequences that a table of scores allows, longer by a token at a time.

`scores[a][b]` is what going on from token `a` with token `b` adds to a score, never more than zero;
an entry as low as `never` forbids it. A sequence is finished when it reaches `end`. The search is
over early when no open hypothesis can still beat the best finished one.
"""

from dataclasses import dataclass

NO_GRAPH = "it is long"
STAGES = ("while_loop", "cond")
ALWAYS = {
    "for token in range(len(row)):": "there are four tokens",
    "for hypothesis in self.open:": "one is open at first",
    "return all(": "it is not asked where none is open",
}

start, end = 0, 1
never = -1000.0

forked = [
    [-1000.0, -6.0, -1.0, -2.0],
    [-1000.0, -1000.0, -1000.0, -1000.0],
    [-1000.0, -4.0, -3.0, -0.5],
    [-1000.0, -1.5, -1.0, -5.0],
]
late = [
    [-1000.0, -9.0, -0.25, -0.5],
    [-1000.0, -1000.0, -1000.0, -1000.0],
    [-1000.0, -1000.0, -0.5, -0.25],
    [-1000.0, -2.0, -0.25, -0.75],
]
endless = [
    [-1000.0, -1000.0, -1.0, -1.0],
    [-1000.0, -1000.0, -1000.0, -1000.0],
    [-1000.0, -1000.0, -2.0, -0.5],
    [-1000.0, -1000.0, -0.5, -1.0],
]
dead = [[-1000.0] * 4] * 4


@dataclass
class Hypothesis:
    """A sequence of tokens with the sum of its scores."""

    tokens: list
    score: float

    @property
    def last(self):
        return self.tokens[-1]

    @property
    def finished(self):
        return self.last == end

    def extended(self, token, score):
        return Hypothesis(self.tokens + [token], self.score + score)

    def ranked_by(self, penalty):
        """The score, less the cost of each token."""
        return self.score - penalty * len(self.tokens)


def continuations(hypothesis, row):
    """The hypothesis with each token that may follow."""
    longer = []
    for token in range(len(row)):
        if row[token] <= never:
            continue
        longer.append(hypothesis.extended(token, row[token]))
    return longer


def best_of(candidates, width, penalty):
    """The `width` candidates of the highest rank, the best first."""
    ranked = sorted(candidates, key=lambda h: h.ranked_by(penalty), reverse=True)
    return ranked[:width]


class Beam:
    """The open hypotheses, the finished ones, and the best of those."""

    def __init__(self, first):
        self.open = [first]
        self.done = []
        self.best = None

    def finish(self, hypothesis):
        self.done.append(hypothesis)
        if self.best is None or hypothesis.score > self.best.score:
            self.best = hypothesis

    def advance(self, scores, width, penalty):
        """Every open hypothesis grows by a token; the best are kept."""
        candidates = []
        for hypothesis in self.open:
            candidates.extend(continuations(hypothesis, scores[hypothesis.last]))
        self.open = []
        for hypothesis in best_of(candidates, width, penalty):
            if hypothesis.finished:
                self.finish(hypothesis)
            else:
                self.open.append(hypothesis)

    def decided(self):
        """Whether nothing open can beat the best: scores only fall."""
        if self.best is None:
            return False
        return all(hypothesis.score <= self.best.score for hypothesis in self.open)


def beam_search(scores, width, limit, penalty):
    beam = Beam(Hypothesis([start], 0.0))
    steps = 0
    while steps < limit:
        beam.advance(scores, width, penalty)
        steps += 1
        if not beam.open or beam.decided():
            break
    if beam.best is None:
        return None, len(beam.open), steps
    return (beam.best.tokens, beam.best.score, len(beam.done)), len(beam.open), steps


CASES = [
    (forked, 2, 8, 0.0),
    (forked, 1, 8, 0.0),
    (forked, 4, 1, 0.5),
    (forked, 3, 0, 0.0),
    (late, 2, 8, 0.25),
    (late, 3, 3, 0.0),
    (endless, 2, 4, 0.0),
    (dead, 2, 4, 0.0),
    (forked, 3, 8, 0.0),
]
