"""`map` with two vectors, one of them reversed; the function has a branch of its own."""

STAGES = ("cond", "while_loop")
CASES = [([1, 5, 3], [2, 2, 9]), ([4], [4]), ([], [2, 2, 9])]


def map_over_two(xs, ys):
    def gap(x, y):
        return x - y if x > y else y - x

    largest = 0
    for value in map(gap, xs, reversed(ys)):
        largest = max(largest, value)
    return largest
