"""An item or a slice of a list that an expression has just made, or taken out of another."""

STAGES = ("while_loop",)
ALWAYS = {"first =": "there are two"}
CASES = [([3, 1, -2, 5], 1), ([4, -1, 2, 3], 0), ([], 1), ([3], 1), ([3, 4], 1)]


def item_of_an_expression(xs, n):
    grid = [[1, 2], [3, 4]]
    grid[n][n] = 70
    at = 1
    above = [x for x in xs if x > 0]
    slopes = [i * x for i, x in enumerate(xs)][1:]
    pairs = [(i, x) for i, x in enumerate(xs)][0], list(enumerate(xs))[1]
    first = [x for x in xs if x > 0][0], (above or [0])[:1], (above if n > 0 else [9])[0]
    return slopes, pairs, first, (above + [7])[-2:], grid[at - 1][0], grid[at - 1][at - 1]
