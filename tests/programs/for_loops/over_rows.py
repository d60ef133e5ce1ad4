"""A matrix as rows of rows: two nested loops over elements."""

STAGES = ("while_loop",)
ALWAYS = {"for v in row:": "a matrix without columns is no list of lists of numbers"}
CASES = [([[1, 2], [3, 4]],), ([[5], [-6], [7]],), ([],), ([[1, 2]],)]


def over_rows(rows):
    total = 0
    longest = 0
    for row in rows:
        line = 0
        for v in row:
            line += v
        total += line
        longest = longest * 10 + line
    return total, longest
