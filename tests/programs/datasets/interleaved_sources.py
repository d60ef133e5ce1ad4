"""`interleave` alternates between datasets made of elements; `flat_map` takes one after the
other."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [(3,), (1,), (0,)]
ALWAYS = {
    "for x in mixed": "each begins three, so that it never runs once",
    "return weighed": "each begins three, so that it never runs once",
}


def begun(x):
    return rt.data.Dataset.range(x, x + 3).map(lambda y: y * 10 + x)


def interleaved_sources(count):
    starts = rt.data.Dataset.range(rt.cast(count, rt.int64))
    mixed = starts.interleave(begun, cycle_length=2, block_length=1)
    weighed, at = rt.constant(0, rt.int64), rt.constant(1, rt.int64)
    for x in mixed:
        weighed += x * at
        at += 1
    return weighed, [x for x in starts.flat_map(begun)]
