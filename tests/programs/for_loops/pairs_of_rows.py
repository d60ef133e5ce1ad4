"""The rows of a matrix unpacked by the loop's targets."""

STAGES = ("while_loop",)
SIZED = "rows are unpacked"
CASES = [([[1, 2], [3, 4], [5, 6]],), ([[7, -8]],), ([],)]


def pairs_of_rows(rows):
    total = 0
    for a, b in rows:
        total = total * 10 + a * b
    return total
