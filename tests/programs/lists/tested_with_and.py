"""Lists of unknown length tested by themselves and beside other conditions."""

STAGES = ("while_loop", "cond")
CASES = [([1, 1, 2, 3, 3], 1), ([4, 4], 1), ([4], 0), ([], 1), ([1], 1), ([1, 1, 2, 3, 3], 0)]


def tested_with_and(xs, n):
    runs = []
    for x in xs:
        if runs and runs[-1][0] == x:
            runs[-1] = (x, runs[-1][1] + 1)
        else:
            runs.append((x, 1))
    while runs and runs[-1][1] > n:
        runs.pop()
    while runs:
        if runs[0][1] < 2:
            break
        runs.pop(0)
    return runs
