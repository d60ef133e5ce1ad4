"""A tensor of known length is unpacked: names, a star, rows of a matrix, arguments of a call."""

STAGES = ("while_loop",)
SIZED = "rows are unpacked"
CASES = [([[1, 2], [3, 4], [5, 6]],), ([[7, 8]],), ([[1, 2], [3, 4]],), ([],)]


def unpacked_rows(rows):
    def combine(a, *others):
        return a[0] - sum(sum(row) for row in others)

    total = 0
    for a, b in rows:
        total += a * b
    first, *rest = rows
    left, right = first
    return total, left - right, combine(*rows), len(rest)
