"""Named tuples and data classes in batches, in pairs, in windows and taken apart again."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import runtime as rt

STAGES = ("while_loop",)
CASES = [(5,), (2,)]


class Sample(NamedTuple):
    x: Any
    label: Any


@dataclass
class Scored:
    sample: Any
    score: Any


def batches_of_records(count):
    samples = rt.data.Dataset.range(count).map(lambda n: Sample(n, n % 3))
    scored = samples.map(lambda s: Scored(s, s.x * 10)).filter(lambda r: r.sample.label > 0)
    pairs = rt.data.Dataset.zip((samples.batch(2), scored.batch(2)))
    first = next(iter(pairs.map(lambda s, r: s.x[0] + r.score[0] + r.sample.label[-1])))
    apart = samples.batch(2).unbatch().flat_map(lambda s: rt.data.Dataset.from_tensors(s.x))
    windows = samples.window(2).flat_map(lambda w: w.label.batch(2)).map(rt.reduce_sum)
    sums = samples.scan(rt.constant(0, rt.int64), lambda total, s: (total + s.x, total))
    kept = rt.constant(0, rt.int64)
    return first, [each.reduce(kept, lambda a, b: a + b) for each in (apart, windows, sums)]
