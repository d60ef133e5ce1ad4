"""As many evenly spaced numbers as a tensor has rows, which only the run knows."""

import runtime as rt


def linspace_of_dynamic_length(rows, last):
    count = rt.shape(rows)[0]
    grid = rt.linspace(0.0, last, count * 2)
    pairs = rt.reshape(grid, (count, 2))
    ends = rt.linspace([0.0, 1.0], [last, 2.0], count, axis=1)
    return rt.reduce_sum(pairs, axis=1) + rows, ends


CASES = [([1.0, 2.0, 3.0], 5.0), ([1.0], 3.0), ([4.0, 5.0], -1.0)]
STAGES = ()
