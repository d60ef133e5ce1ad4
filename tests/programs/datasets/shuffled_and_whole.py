"""A shuffled dataset has every element once, in whatever order; repeated, it is another order."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [([3, 1, 2, 5],), ([4],), ([],)]
ALWAYS = {"for x in rows": "three rounds, so that it never runs once"}


def shuffled_and_whole(xs):
    rows = rt.data.Dataset.from_tensor_slices(rt.convert_to_tensor(xs, rt.int32))
    seen, greatest = 0, -1
    for x in rows.shuffle(10).repeat(3):
        seen += x
        if x > greatest:
            greatest = x
    return seen, greatest, sorted(x for x in rows.shuffle(2))
