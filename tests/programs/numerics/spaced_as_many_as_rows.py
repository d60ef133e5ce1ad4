"""As many evenly spaced numbers as a tensor says, which a graph knows when it runs."""

import runtime as rt


def spaced_as_many_as_rows(rows, last):
    count = rt.shape(rows)[0]
    grid = rt.linspace(0.0, last, count * 2)
    pairs = rt.reshape(grid, (count, 2))
    ends = rt.linspace([0.0, 1.0], [last, 2.0], count, axis=1)
    return rt.reduce_sum(pairs, axis=1) + rows, ends


CASES = [([1.0, 2.0, 3.0], 5.0), ([1.0], 3.0), ([4.0, 5.0], -1.0)]
STAGES = ()
