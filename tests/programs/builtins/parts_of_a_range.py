"""A slice of a range is a range, and so are slices of that; `index` and `count` of a number."""

STAGES = ("while_loop",)
CASES = [(3,), (2,), (0,), (7,)]


def parts_of_a_range(n):
    numbers = range(n)
    total = 0
    for v in numbers[::-2][1:]:
        total = total * 10 + v
    same = numbers[1:] == range(1, n), numbers[:-1] == range(n + 1)[:-2]
    return total, same, list(numbers[-3:]), numbers.count(2), numbers[1:].index(n - 1)
