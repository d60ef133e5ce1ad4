"""A flag set before an inner `break` makes the outer loop break too."""

STAGES = ("while_loop", "cond")
ALWAYS = {"for v in row:": "a matrix without columns is no list of lists of numbers"}
CASES = [([[1, 2], [3, 4]], 3), ([[1, 2], [3, 4]], 9), ([], 3), ([[1, 2]], 3)]


def break_both_loops(rows, wanted):
    found = False
    looked = 0
    for row in rows:
        for v in row:
            looked += 1
            if v == wanted:
                found = True
                break
        if found:
            break
    return found, looked
